/** What transactions:watch reads of the service, and which sales it takes for new. */
import { expect } from 'chai'
import { readNewSales } from '../../../src/actions/transactions/new-sales.js'
import { type WatchFlags, watchSales } from '../../../src/actions/transactions/watch.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf, instantOf } from '../../../src/contract/index.js'
import type { SaleWatch, WatchedSale, WatchState } from '../../../src/jobs/ledger/sale-watches.js'
import { openSales } from '../../../src/jobs/ledger/transactions.js'
import { cleanUp, FakeClock, temporaryLedger, thrown } from '../../jobs/harness.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const clock = new FakeClock()
const now = clock.time
const OWNER = { profile: 'shop', address: 'https://api.example.com', userId: 7 }

describe('new sales', () => {
  afterEach(cleanUp)

  const MARKS = { IsMarkedAsPaidConfirmed: true, IsMarkedAsShipped: true, IsFeedbackLeftBySeller: true }
  const sale = (Id: number, at: number) => ({
    Id,
    Date: dateTimeOf(at),
    LastUpdatedDate: dateTimeOf(at),
    Amount: 10,
    ...MARKS,
  })

  /** A service with sales that answers whatever it is asked, and what it was asked. */
  const serviceWith = (sales: readonly object[], fail?: () => Error) => {
    const asked: { readonly from: number; readonly to: string | null }[] = []
    const needs: unknown[] = []
    const notes: string[] = []
    const warnings: string[] = []
    const ledger = temporaryLedger(clock)
    const leaving = new AbortController()
    const ctx = {
      clock,
      signal: leaving.signal,
      profile: { name: OWNER.profile, embedded: false, settings: { base_url: OWNER.address, user_id: OWNER.userId } },
      output: {
        human: true,
        closed: false,
        note: (text: string) => void notes.push(text),
        warn: (text: string) => void warnings.push(text),
        hint: () => undefined,
        list: async (_view: object, rows: AsyncIterable<object>) => {
          for await (const _ of rows);
        },
        progress: () => ({ update: () => undefined, stop: () => undefined }),
      },
      ledger: async () => ledger,
      client: async (wanted: unknown) => {
        needs.push(wanted)
        return {
          async *stream(_name: string, { request }: { request: Record<string, string> }) {
            asked.push({ from: instantOf(request.MinTransactionDate ?? ''), to: request.MaxTransactionDate ?? null })
            if (fail !== undefined) throw fail()
            yield* sales
          },
        }
      },
    } as unknown as Context
    return { ctx, asked, needs, notes, warnings, leaving, kept: openSales(ledger, OWNER) }
  }

  /** A watch in a state, and what was done with it. */
  const watchIn = (state: WatchState | undefined, oldestFailed?: number) => {
    const done: unknown[] = []
    let present = state
    const watch = {
      state: () => present,
      start: (since: number, known: readonly WatchedSale[]) => {
        present = { since, lookedAt: null }
        done.push(['start', since, known])
      },
      looked: (at: number) => void done.push(['looked', at]),
      oldestFailed: () => oldestFailed,
    } as unknown as SaleWatch
    return { watch, done }
  }
  const ids = (rows: readonly { readonly Id: number }[]) => rows.map(({ Id }) => Id)

  it('are none in a first run: what the last day has is noted, kept and never delivered', async () => {
    const { ctx, asked, notes, kept } = serviceWith([sale(1, now - 2 * HOUR), sale(2, now - HOUR)])
    const { watch, done } = watchIn(undefined)
    expect(await readNewSales(ctx, { watch })).to.deep.equal([])
    expect(asked).to.deep.equal([{ from: now - DAY, to: null }])
    expect(done).to.deep.equal([
      [
        'start',
        now - DAY,
        [
          { Id: 1, At: now - 2 * HOUR },
          { Id: 2, At: now - HOUR },
        ],
      ],
      ['looked', now],
    ])
    expect(notes).to.deep.equal(['The watch begins now. 2 sales of the last day came before and will not be delivered.'])
    expect(ids(kept.list({ from: now - DAY, to: now }))).to.deep.equal([1, 2])
  })

  it('are those from an instant on in a first run that is given one, oldest first', async () => {
    const since = now - 3 * DAY
    const sold = [sale(9, now - HOUR), sale(5, since), sale(4, since - 1000), sale(8, now - DAY), sale(7, now - DAY)]
    const { ctx, asked, notes, kept } = serviceWith(sold)
    const { watch, done } = watchIn(undefined)
    expect(ids(await readNewSales(ctx, { watch, since: dateTimeOf(since) }))).to.deep.equal([5, 7, 8, 9])
    expect(asked).to.deep.equal([{ from: since, to: null }])
    expect(done).to.deep.equal([['start', since, []]])
    expect(notes).to.deep.equal([])
    expect(kept.list({ from: since - DAY, to: now })).to.have.lengthOf(5)
  })

  it('are looked for from a day before the last look, and not before the watch began', async () => {
    for (const [state, failed, from] of [
      [{ since: now - 30 * DAY, lookedAt: now - 5 * DAY }, undefined, now - 6 * DAY],
      [{ since: now - 5 * DAY - HOUR, lookedAt: now - 5 * DAY }, undefined, now - 5 * DAY - HOUR],
      [{ since: now - 30 * DAY, lookedAt: null }, undefined, now - 30 * DAY],
      [{ since: now - 30 * DAY, lookedAt: now - 5 * DAY }, now - 9 * DAY, now - 9 * DAY],
      [{ since: now - 30 * DAY, lookedAt: now - 5 * DAY }, now - DAY, now - 6 * DAY],
    ] as const) {
      const { ctx, asked } = serviceWith([])
      const { watch, done } = watchIn(state, failed)
      expect(await readNewSales(ctx, { watch, since: dateTimeOf(now - 90 * DAY) })).to.deep.equal([])
      expect(asked).to.deep.equal([{ from, to: null }])
      expect(done, 'a watch that has begun is not begun again').to.deep.equal([])
      cleanUp()
    }
  })

  it('are read within the time that a call may take', async () => {
    const { ctx, needs } = serviceWith([])
    await readNewSales(ctx, { watch: watchIn({ since: now, lookedAt: now }).watch, timeoutMs: 1234 })
    expect(needs).to.deep.equal([{ timeoutMs: 1234 }])
  })

  const flags = (once: boolean): WatchFlags => ({ interval: 60_000, once, name: 'default', attempts: 3 })

  describe('whose reading Ctrl-C breaks off', () => {
    const interrupted = (once: boolean) => {
      const service = serviceWith([], () => {
        service.leaving.abort()
        return new SellerError('interrupted', 'Interrupted.', 'Again.', {} as never)
      })
      return { ...service, run: () => watchSales(service.ctx, flags(once)) }
    }

    it('end a watch that goes on, without an error', async () => {
      const { run, asked, warnings } = interrupted(false)
      expect(await run()).to.equal(0)
      expect(asked).to.have.lengthOf(1)
      expect(warnings).to.deep.equal([])
    })

    it('are an error where they were looked for once: nobody may take them for read', async () => {
      expect(await thrown(interrupted(true).run)).to.include({ code: 'interrupted' })
    })
  })

  it('are looked for again after trouble, later each time, and no trouble is hidden from a single look', async () => {
    const away = () => new SellerError('unreachable', 'The service is away.', 'Wait.', {} as never)
    const { ctx, warnings, asked } = serviceWith([], away)
    const slept: number[] = []
    const still = { now: () => now, random: () => 0.5 }
    const sleep = async (ms: number) => {
      slept.push(ms)
      if (slept.length === 3) throw new Error('enough')
    }
    const going = { ...ctx, clock: { ...still, sleep } } as unknown as Context
    await thrown(() => watchSales(going, flags(false)))
    expect(slept).to.deep.equal([120_000, 240_000, 480_000])
    expect(asked).to.have.lengthOf(3)
    expect(warnings).to.deep.equal(Array(3).fill('The service is away. Trying again later.'))
    expect(await thrown(() => watchSales(ctx, flags(true)))).to.include({
      code: 'unreachable',
    })
  })
})
