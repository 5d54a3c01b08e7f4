/** A run over several shops: the order of their work, its one question, and how it ends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eachProfile } from '../../../src/actions/profiles/each.js'
import type { ShopsCommand } from '../../../src/actions/profiles/types.js'
import type { Context } from '../../../src/cli/context.js'
import { type ExitCode, SellerError } from '../../../src/cli/errors.js'
import { Secrets } from '../../../src/cli/secrets.js'
import type { ShopParts } from '../../../src/cli/shop-parts.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { fakeShop } from '../fake-shop.js'

interface Flags {
  readonly profiles?: string
  readonly file?: string
  readonly yes?: boolean
}
type Work = (name: string, ctx: Context, flags: Flags) => Promise<ExitCode>

const refusal = (code: string, exit = 2): SellerError =>
  new SellerError((exit === 2 ? 'wrong_usage' : code) as never, `It is ${code}.`, 'Mend it.')

describe('a run over several shops', () => {
  afterEach(cleanUp)

  const running = (users: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 }) => {
    const known = new Secrets()
    known.add('whole-secret')
    const hide = (text: string) => known.hide(text)
    const shop = fakeShop({ more: { hide } })
    mkdirSync(shop.ctx.configDir, { recursive: true })
    const profiles = Object.fromEntries(Object.entries(users).map(([name, user_id]) => [name, { user_id }]))
    writeFileSync(join(shop.ctx.configDir, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
    const steps: string[] = []
    const shown: unknown[] = []
    const closed: string[] = []
    const ctx = Object.assign(shop.ctx as unknown as Record<string, unknown>, {
      stdin: { isTTY: false },
      shop: async (name: string, parts: ShopParts) => {
        known.add(`secret-of-${name}`)
        return {
          ...fakeShop({ profile: name, settings: { user_id: users[name], base_url: 'https://a.example.com' } }).ctx,
          output: parts.output,
          stdin: parts.stdin,
          approve: parts.approve,
          hide,
          client: async () => {
            await parts.beforeCalls()
            return {}
          },
          close: async () => void closed.push(name),
        }
      },
    }) as unknown as Context
    Object.assign(shop.ctx.output, { shows: (_view: unknown, key: string) => void shown.push(key) })
    const run = (work: Work, flags: Flags = {}, more: Partial<ShopsCommand<Flags>> = {}) => {
      const given: Flags = { profiles: '*', ...flags }
      return eachProfile(ctx, given, { work: (own, its) => work(own.profile.name, own, its), ...more })
    }
    return { ...shop, ctx, run, steps, shown, closed }
  }

  it('is none without --profiles', async () => {
    const { run, lists, steps } = running()
    const code = await run(
      async (name) => {
        steps.push(name)
        return 5
      },
      { profiles: undefined },
    )
    expect([code, steps, lists]).to.deep.equal([5, ['shop'], []])
  })

  it('does one shop after the other, goes on after an error, and ends with the most serious code', async () => {
    const { run, steps, lists, said, closed, shown, interruptions } = running()
    const code = await run(async (name) => {
      steps.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`${name} ends`)
      if (name === 'b') throw new SellerError('unreachable', 'Away with secret-of-a and whole-secret.', 'Wait.', {} as never)
      return 0
    })
    expect(steps).to.deep.equal(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
    expect(lists[0]?.rows.map(({ Profile, State }) => [Profile, State])).to.deep.equal([
      ['a', 'ok'],
      ['b', 'failed'],
      ['c', 'ok'],
    ])
    expect(code).to.not.equal(0)
    expect(said[0]).to.match(/^warn: b: Away with /)
    expect(JSON.stringify(lists[0]?.rows)).to.not.include('secret-of-a').and.not.include('whole-secret')
    expect(new Set(closed)).to.deep.equal(new Set(['a', 'b', 'c']))
    expect(shown).to.deep.equal(['Profile'])
    expect(interruptions.map(({ sent }) => sent)).to.deep.equal([
      '0 of 3 shops are done.',
      '0 of 3 shops are done. a was at work.',
      '1 of 3 shops is done. b was at work.',
      '1 of 3 shops is done. c was at work.',
      '2 of 3 shops are done.',
    ])
  })

  it('leaves the shops that were not begun when Ctrl-C comes, and ends with 130', async () => {
    const { run, steps, lists, leaving, interruptions } = running()
    const code = await run(async (name) => {
      steps.push(name)
      if (name === 'a') leaving.abort(new Error('left'))
      return 0
    })
    expect([code, steps]).to.deep.equal([130, ['a']])
    expect(lists[0]?.rows.map(({ State }) => State)).to.deep.equal(['ok', 'not_begun', 'not_begun'])
    expect(interruptions.at(-1)?.sent).to.equal(
      '1 of 3 shops is done. Not begun: b, c. Run the command again with --profiles b,c.',
    )
  })

  const rows = (count: number) => ({ rows: count, verb: 'Send', noun: 'new price', counts: { change: count }, stopped: null })
  const sending =
    (steps: string[]): Work =>
    async (name, ctx) => {
      steps.push(`${name} reads`)
      await ctx.client({})
      steps.push(`${name} plans`)
      await ctx.approve?.(rows(2))
      steps.push(`${name} sends`)
      return 0
    }

  it('reads all input, plans all, asks once and then sends, where the command sends', async () => {
    const { run, steps, asked } = running({ a: 1, b: 2 })
    expect(await run(sending(steps), {}, { together: true })).to.equal(0)
    expect(steps).to.deep.equal(['a reads', 'b reads', 'a plans', 'b plans', 'a sends', 'b sends'])
    expect(asked).to.deep.equal([{ message: 'Send 4 new prices in 2 shops?', flag: '--yes', given: undefined, typed: undefined }])
    const yes = running({ a: 1 })
    await yes.run(sending(yes.steps), { yes: true }, { together: true })
    expect(yes.asked).to.deep.equal([])
  })

  it('sends nothing without a yes', async () => {
    const declining = running({ a: 1, b: 2 })
    const no = new SellerError('declined', 'No.', 'No.')
    Object.assign(declining.ctx.prompts, { confirm: () => Promise.reject(no) })
    expect(await thrown(() => declining.run(sending(declining.steps), {}, { together: true }))).to.equal(no)
    expect(declining.steps.filter((step) => step.endsWith('sends'))).to.deep.equal([])
    expect(new Set(declining.closed)).to.deep.equal(new Set(['a', 'b']))
  })

  it('makes no call where the input of one shop is wrong', async () => {
    const failing = (wrong: readonly string[], same: boolean) => {
      const it = running()
      return thrown(() =>
        it.run(
          async (name, ctx) => {
            if (wrong.includes(name)) throw refusal(same ? 'wrong' : `wrong ${name}`)
            await ctx.client({})
            throw new Error('a call')
          },
          {},
          { together: true },
        ),
      ) as Promise<SellerError>
    }
    expect((await failing(['b'], true)).message).to.equal('b: It is wrong.')
    expect((await failing(['b', 'c'], true)).message).to.equal('b: It is wrong.\nThe input of 1 other shop is wrong too.')
    expect((await failing(['a', 'b', 'c'], true)).message).to.equal('It is wrong.')
    expect((await failing(['a', 'b', 'c'], false)).message).to.equal(
      'a: It is wrong a.\nThe input of 2 other shops is wrong too.',
    )
  })

  it('refuses two profiles of one seller where the command sends, and only there', async () => {
    const twins = running({ a: 1, b: 1 })
    const error = (await thrown(() => twins.run(sending(twins.steps), {}, { together: true }))) as SellerError
    expect(error.message).to.equal('The profiles "a" and "b" are the same shop (seller 1), so it would be done twice.')
    expect(twins.steps).to.deep.equal([])
    const reading = running({ a: 1, b: 1 })
    expect(await reading.run(async () => 0)).to.equal(0)
  })

  it('gives each shop its own files, and refuses one file for all', async () => {
    const { run, steps } = running({ a: 1, b: 2 })
    const command = { ownFiles: ['file'] as const }
    await run(
      async (_name, _ctx, { file }) => {
        steps.push(String(file))
        return 0
      },
      { file: 'x-{profile}.csv' },
      command,
    )
    expect(steps).to.deep.equal(['x-a.csv', 'x-b.csv'])
    expect(await thrown(() => run(async () => 0, { file: 'x.csv' }, command))).to.include({ code: 'wrong_usage' })
  })

  it('is shown by the command itself where it shows more', async () => {
    const { run, lists, shown } = running({ a: 1, b: 2 })
    let ends = 0
    await run(
      async () => 0,
      {},
      {
        show: async (_ctx, all) => {
          ends += all.length
        },
      },
    )
    expect([ends, lists, shown]).to.deep.equal([2, [], []])
  })
})
