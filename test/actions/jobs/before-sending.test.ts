/** What is printed and asked before rows are sent: the calls it takes, and a confirmation. */
import { expect } from 'chai'
import { printCallCount, printCallEstimate } from '../../../src/actions/jobs/budget.js'
import { confirmRows, type RowsToConfirm } from '../../../src/actions/jobs/confirm.js'
import type { Context } from '../../../src/cli/context.js'
import { thousands } from '../../../src/format/output/index.js'

describe('before rows are sent', () => {
  describe('the calls', () => {
    /** What is printed on stderr, with warnings marked. */
    const said = async (
      { used, budget, appId = 7 }: { used: number; budget?: number; appId?: number | null },
      work: (ctx: Context) => Promise<void>,
    ): Promise<string[]> => {
      const lines: string[] = []
      const asked: unknown[] = []
      const ctx = {
        output: { note: (text: string) => lines.push(text), warn: (text: string) => lines.push(`! ${text}`) },
        quota: async () => ({
          usage: async () => {
            asked.push(appId)
            return { used: appId === null ? 0 : used, budget, remaining: budget && Math.max(0, budget - used) }
          },
        }),
      }
      await work(ctx as unknown as Context)
      expect(asked).to.have.lengthOf(1)
      return lines
    }
    const estimate =
      (sending: number, more: { made?: number; maxCalls?: number; wait?: boolean } = {}) =>
      (ctx: Context) =>
        printCallEstimate(ctx, { sending, made: 0, maxCalls: undefined, wait: false, ...more })

    it('are said with what was made, and no warning while they suffice', async () => {
      expect(await said({ used: 1200 }, estimate(3))).to.deep.equal([
        `Sending takes 3 calls. Made in the last 24 hours: ${thousands(1200)}.`,
      ])
      expect(await said({ used: 7, budget: 10 }, estimate(3, { wait: true }))).to.deep.equal([
        'Sending takes 3 calls, and one for each look at the results. Made in the last 24 hours: 7 of 10.',
      ])
      expect(await said({ used: 0 }, estimate(3, { made: 1, maxCalls: 4 }))).to.have.length(1)
      expect(await said({ used: 99, appId: null }, estimate(1))).to.deep.equal([
        'Sending takes 1 call. Made in the last 24 hours: 0.',
      ])
    })

    it('are warned of where the budget or --max-calls stops the run, by the one that stops it first', async () => {
      const stops = 'the run then stops (exit 7). Continue with: seller jobs:resume.'
      for (const [usage, more, words] of [
        [{ used: 8, budget: 10 }, {}, 'The call budget leaves 2 calls'],
        [{ used: 12, budget: 10 }, {}, 'The call budget leaves 0 calls'],
        [{ used: 0 }, { made: 2, maxCalls: 4 }, '--max-calls leaves 2 calls'],
        [{ used: 0 }, { made: 5, maxCalls: 4 }, '--max-calls leaves 0 calls'],
        [{ used: 9, budget: 10 }, { made: 2, maxCalls: 4 }, 'The call budget leaves 1 call'],
        [{ used: 7, budget: 10 }, { made: 3, maxCalls: 4 }, '--max-calls leaves 1 call'],
      ] as const) {
        expect((await said(usage, estimate(4, more)))[1], JSON.stringify([usage, more])).to.equal(`! ${words}: ${stops}`)
      }
    })

    it('are counted at the end', async () => {
      expect(await said({ used: 1500, budget: 2000 }, (ctx) => printCallCount(ctx, 3))).to.deep.equal([
        `3 calls in this run, ${thousands(1500)} of ${thousands(2000)} in the last 24 hours.`,
      ])
      expect(await said({ used: 1 }, (ctx) => printCallCount(ctx, 1))).to.deep.equal([
        '1 call in this run, 1 in the last 24 hours.',
      ])
    })
  })

  describe('a yes', () => {
    const asked = async (rows: Partial<RowsToConfirm>, available = true): Promise<unknown[]> => {
      const questions: unknown[] = []
      const prompts = { available, confirm: async (question: unknown) => void questions.push(question) }
      await confirmRows({ prompts } as never, {
        rows: 1,
        verb: 'Send',
        noun: 'new price',
        yes: undefined,
        typed: false,
        ...rows,
      })
      return questions
    }
    const question = { flag: '--yes', given: undefined, typed: undefined }

    it('is asked for with the number of rows, which is typed from 51 on', async () => {
      expect(await asked({ rows: 1 })).to.deep.equal([{ ...question, message: 'Send 1 new price?' }])
      expect(await asked({ rows: 50 })).to.deep.equal([{ ...question, message: 'Send 50 new prices?' }])
      expect(await asked({ rows: 51, yes: true })).to.deep.equal([
        { ...question, message: 'Send 51 new prices?', given: true, typed: '51' },
      ])
    })

    it('is not asked for where nothing is sent, or a few rows were typed by a person', async () => {
      expect(await asked({ rows: 0 })).to.deep.equal([])
      expect(await asked({ rows: 50, typed: true })).to.deep.equal([])
      expect(await asked({ rows: 51, typed: true })).to.have.length(1)
      expect(await asked({ rows: 2, typed: true }, false)).to.have.length(1)
    })
  })
})
