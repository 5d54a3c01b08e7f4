/** Sales that are listed, shown, marked and watched: what is read, found, said and delivered. */
import { expect } from 'chai'
import { watchIntervalFlag, watchNameFlag } from '../../../src/actions/transactions/flags.js'
import { runHandler } from '../../../src/actions/transactions/handler.js'
import { readSales, showSales } from '../../../src/actions/transactions/list.js'
import { markTransactions } from '../../../src/actions/transactions/mark.js'
import { type WatchFlags, watchSales } from '../../../src/actions/transactions/watch.js'
import { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import { openWatch } from '../../../src/jobs/ledger/sale-watches.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('sales', () => {
  afterEach(cleanUp)

  const SALES = [
    {
      Id: 1,
      Item: { Id: 5, Title: 'Blå VAS', OwnReferences: ['A-1'] },
      Buyer: { Id: 9, Alias: 'kalle', FirstName: 'Karl', LastName: 'Berg' },
    },
    { Id: 2, Item: { Id: 6, Title: 'Kopp' }, Buyer: { Id: 8, Alias: 'Vasco' } },
    { Id: 3 },
  ]
  const shopWith = (options: FakeShopOptions = {}) => fakeShop({ answers: { GetSellerTransactions: () => SALES }, ...options })

  describe('that are listed', () => {
    const found = async (search?: string) => {
      const { ctx } = shopWith()
      const ids: number[] = []
      for await (const { Id } of readSales(ctx, { filter: 'New', search })) ids.push(Id)
      return ids
    }

    for (const [search, ids] of [
      [undefined, [1, 2, 3]],
      ['vas', [1, 2]],
      ['VAS', [1, 2]],
      ['a-1', [1]],
      ['KALLE', [1]],
      ['karl', [1]],
      ['berg', [1]],
      ['kopp', [2]],
      ['none', []],
      ['', [1, 2]],
    ] as const) {
      it(`are ${ids.length === 0 ? 'none' : ids.join(', ')} for ${JSON.stringify(search)}`, async () =>
        expect(await found(search)).to.deep.equal(ids))
    }

    it('are those of a period, which may be an instant and must not end before it begins', async () => {
      const { ctx, streams, needs } = shopWith()
      const read = async (since: string | null, until: string | null) => {
        for await (const _ of readSales(ctx, { since, until, filter: 'NewAndUpdated', timeoutMs: 5 }));
      }
      const [first, second] = ['2026-01-01T00:00:00+01:00', '2026-01-02T00:00:00+01:00'] as const
      expect(await thrown(() => read(second, first))).to.include({ code: 'empty_period' })
      expect(streams).to.deep.equal([])
      await read(first, first)
      await read(null, first)
      await read(second, null)
      expect(streams.map(({ params }) => params.request)).to.deep.equal([
        { MinTransactionDate: first, MaxTransactionDate: first, Filter: 'NewAndUpdated' },
        { MinTransactionDate: null, MaxTransactionDate: first, Filter: 'NewAndUpdated' },
        { MinTransactionDate: second, MaxTransactionDate: null, Filter: 'NewAndUpdated' },
      ])
      expect(needs[0]).to.deep.equal({ timeoutMs: 5 })
    })
  })

  describe('that are shown', () => {
    const show = async (ids: readonly number[], since?: string | null) => {
      const shop = shopWith()
      const error = await showSales(shop.ctx, ids, { since }).catch((caught: unknown) => caught)
      return { ...shop, error: error as SellerError | undefined, shown: shop.records.map((each) => (each as { Id: number }).Id) }
    }

    it('are in the order that was asked for, each once', async () => {
      expect((await show([2])).shown).to.deep.equal([2])
      expect((await show([3, 1, 3])).shown).to.deep.equal([3, 1])
      expect((await show([1, 1])).error).to.equal(undefined)
    })

    it('are written before the error that names those that are not there', async () => {
      const { shown, error } = await show([7, 2, 8])
      expect(shown).to.deep.equal([2])
      expect(error).to.include({ code: 'transaction_not_found', message: 'Transactions 7, 8 are not among your sales.' })
      expect(error?.hint).to.equal('See your transactions with: seller transactions:list')
      const one = await show([7], '2026-01-01')
      expect(one.error?.message).to.equal('Transaction 7 is not among your sales.')
      expect(one.error?.hint).to.match(/^--since may leave it out\. /)
      expect((await show([7], null)).error?.hint).to.not.include('--since')
    })
  })

  describe('that are marked', () => {
    const refusal = (what: string) =>
      new SoapError('fault', what, {
        operation: 'X',
        sent: true,
        faultCode: 'Client',
        faultString: `Invalid request ---> ${what}`,
      } as never)
    const marking = (refused: readonly number[] = [], away: readonly number[] = []) =>
      fakeShop({
        answers: {
          UpdateTransactionStatus: ({
            transactionStatusUpdateData: data,
          }: {
            transactionStatusUpdateData: { TransactionId: number }
          }) => {
            if (refused.includes(data.TransactionId)) throw refusal('It is closed.')
            if (away.includes(data.TransactionId))
              throw new SoapError('unreachable', 'away', { operation: 'X', sent: false } as never)
            return { Id: data.TransactionId }
          },
        },
      })

    it('need a mark, which may take one away', async () => {
      const shop = marking()
      expect(await thrown(() => markTransactions(shop.ctx, [1], {}))).to.include({ code: 'nothing_to_do' })
      for (const marks of [{ paid: true }, { shipped: false }, { booked: true }]) await markTransactions(shop.ctx, [1], marks)
      expect(shop.client.calls.map(({ params }) => params.transactionStatusUpdateData)).to.deep.equal([
        { TransactionId: 1, MarkAsPaidConfirmed: true, MarkedAsShipped: null, MarkShippingBooked: null },
        { TransactionId: 1, MarkAsPaidConfirmed: null, MarkedAsShipped: false, MarkShippingBooked: null },
        { TransactionId: 1, MarkAsPaidConfirmed: null, MarkedAsShipped: null, MarkShippingBooked: true },
      ])
    })

    it('go on after a refusal with 3, and stop at any other error', async () => {
      const shop = marking([2], [4])
      const { records, code } = await markTransactions(shop.ctx, [1, 2, 3], { paid: true })
      expect([records.map(({ Id }) => Id), code]).to.deep.equal([[1, 3], 3])
      expect(shop.said).to.have.lengthOf(1)
      expect(shop.said[0]).to.match(/^warn: Transaction 2: .*It is closed/)
      expect(shop.interruptions).to.deep.equal([0, 1, 1].map((done) => ({ sent: `${done} of 3 were marked.` })))
      expect(await thrown(() => markTransactions(shop.ctx, [2], { paid: true }))).to.be.instanceOf(SoapError)
      expect(await thrown(() => markTransactions(shop.ctx, [4, 5], { paid: true }))).to.include({ kind: 'unreachable' })
      expect(shop.client.calls.at(-1)?.params).to.deep.include({
        transactionStatusUpdateData: {
          TransactionId: 4,
          MarkAsPaidConfirmed: true,
          MarkedAsShipped: null,
          MarkShippingBooked: null,
        },
      })
      expect((await markTransactions(shop.ctx, [1], { paid: true })).code).to.equal(0)
    })
  })
})

describe('a command that takes a sale', () => {
  const ctx = (signal = new AbortController().signal) =>
    ({ env: { PATH: process.env.PATH }, path: () => process.cwd(), signal }) as never
  const node = (script: string): string => JSON.stringify([process.execPath, '-e', script])
  const run = (command: string, timeoutMs = 20_000) => runHandler(ctx(), { command, timeoutMs }, '{"Id":5}')

  it('has the sale on its stdin; what it prints is kept, cut to 16 000 characters', async () => {
    const handled = await run(node("process.stdin.on('data', (d) => process.stdout.write('got ' + d))"))
    expect(handled).to.deep.equal({ code: 0, how: 'ended with exit code 0', said: 'got {"Id":5}\n' })
    expect((await run(node("process.stdout.write('x'.repeat(20000))"))).said).to.have.lengthOf(16_000)
  })

  it('is not started where its shell does not find it or may not run it', async () => {
    for (const [command, words] of [
      [
        'no-such-command --now',
        /^The command of --exec cannot be started: it was not found \(exit code 127\): .*no-such-command/,
      ],
      ['exit 126', /^The command of --exec cannot be started: it cannot be run \(exit code 126\)\.$/],
    ] as const) {
      const error = (await thrown(() => run(command))) as SellerError
      expect(error.code).to.equal('exec_not_started')
      expect(error.message).to.match(words)
    }
  })

  it('has no key of the service in its environment', async () => {
    const env = {
      PATH: process.env.PATH,
      SELLER_TOKEN: 't',
      SELLER_APP_KEY: 'k',
      SELLER_QUOTA_URL: 'redis://:p@q',
      SELLER_APP_ID: '1',
    }
    const given = { env, path: () => process.cwd(), signal: new AbortController().signal } as never
    const { said } = await runHandler(given, { command: 'env | grep ^SELLER_', timeoutMs: 20_000 }, '')
    expect(said).to.equal('SELLER_APP_ID=1\n')
  })

  it('is told by its exit code or signal, and may be a line of the shell', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).to.deep.include({ code: 3, how: 'ended with exit code 3' })
    expect(await run('kill -9 $$')).to.deep.include({ code: null, how: 'was ended by SIGKILL' })
    expect((await run('true')).code).to.equal(0)
  })

  it('is stopped when its time is up, and an error where it cannot be started', async () => {
    expect(await run(node('setTimeout(() => 0, 60000)'), 300)).to.deep.include({
      code: null,
      how: 'did not end within 0.3 s and was stopped',
    })
    const missing = (await thrown(() => run('["/nowhere/at-all"]'))) as SellerError
    expect(missing).to.deep.include({ code: 'exec_not_started', details: { command: '["/nowhere/at-all"]' } })
    expect(missing.message).to.match(/^The command of --exec cannot be started: /)
  })
})

describe('a watch of sales', () => {
  afterEach(cleanUp)

  const flags = (more: Partial<WatchFlags> = {}): WatchFlags => ({
    interval: 60_000,
    once: true,
    name: 'default',
    attempts: 2,
    ...more,
  })
  const watching = (options: FakeShopOptions & { sales?: readonly object[] } = {}) => {
    const state = { sales: options.sales ?? [] }
    const shop = fakeShop({
      answers: { GetSellerTransactions: () => state.sales },
      settings: { base_url: 'https://api.example.com' },
      env: { PATH: process.env.PATH ?? '' },
      ...options,
    })
    const sale = (Id: number, ago = HOUR) => {
      const at = dateTimeOf(shop.clock.time - ago)
      return {
        Id,
        Date: at,
        LastUpdatedDate: at,
        Amount: 10,
        IsMarkedAsPaidConfirmed: true,
        IsMarkedAsShipped: true,
        IsFeedbackLeftBySeller: true,
      }
    }
    const watch = async (name = 'default') =>
      openWatch(await shop.ctx.ledger(), { profile: 'shop', address: 'https://api.example.com', userId: 7 }, name)
    const since = dateTimeOf(shop.clock.time - 2 * DAY)
    const run = async (more: Partial<WatchFlags> = {}) => {
      shop.lists.length = 0
      shop.said.length = 0
      const code = await watchSales({ ...shop.ctx, path: () => shop.dataDir } as never, flags({ since, ...more }))
      return { code, ids: shop.lists[0]?.rows.map(({ Id }) => Id), said: [...shop.said], options: shop.lists[0]?.options }
    }
    return { ...shop, state, sale, watch, run, since }
  }

  it('delivers each sale once, written in lines for a script', async () => {
    const shop = watching()
    shop.state.sales = [shop.sale(2), shop.sale(1, 2 * HOUR)]
    const first = await shop.run()
    expect(first).to.deep.include({ code: 0, ids: [1, 2] })
    expect(first.options).to.include({ piped: 'ndjson' })
    shop.state.sales = [shop.sale(2), shop.sale(3)]
    expect((await shop.run()).ids).to.deep.equal([3])
    expect((await shop.run({ name: 'other' })).ids).to.deep.equal([2, 3])
  })

  it('is not sorted, unless it looks once', async () => {
    const shop = watching()
    expect(await thrown(() => shop.run({ once: false, sort: 'Id' }))).to.include({ code: 'wrong_usage' })
    expect((await shop.run({ sort: 'Id' })).code).to.equal(0)
  })

  it('says that it began at another time than --since', async () => {
    const shop = watching()
    expect((await shop.run()).said).to.deep.equal([])
    expect((await shop.run()).said).to.deep.equal([])
    const later = dateTimeOf(shop.clock.time - DAY)
    expect((await shop.run({ since: later })).said[0]).to.match(
      /^note: The watch "default" began at .*, so --since is not used\./,
    )
    expect((await shop.run({ since: undefined })).said).to.deep.equal([])
  })

  it('runs a command for each sale, tries again at the next look, and gives up after the attempts', async () => {
    const shop = watching()
    shop.state.sales = [shop.sale(1)]
    const fail = { exec: 'echo why; exit 3' }
    const first = await shop.run(fail)
    expect(first).to.deep.include({ code: 5, ids: [] })
    expect(first.said).to.deep.equal([
      'note: why',
      'warn: Sale 1: the command ended with exit code 3. Attempt 1 of 2; tried again at the next check.',
    ])
    const second = await shop.run(fail)
    expect(second.said.at(-1)).to.equal(
      'warn: Sale 1: the command ended with exit code 3. That was the last of 2 attempts. To try again: seller transactions:watch --again 1 -p q',
    )
    const third = await shop.run(fail)
    expect(third).to.deep.include({ code: 5, ids: [] })
    expect(third.said).to.deep.equal([
      'warn: 1: the command of --exec failed for these sales too often.',
      'hint: To deliver them again: seller transactions:watch --again 1 -p q',
    ])
    expect(await shop.run({ again: [1], exec: 'true' })).to.deep.include({ code: 0, ids: [1], said: [] })
    expect((await shop.run({ exec: 'true' })).ids).to.deep.equal([])
  })

  it('names its own name in the command that delivers again', async () => {
    const shop = watching()
    shop.state.sales = [shop.sale(1)]
    const { said } = await shop.run({ exec: 'exit 1', attempts: 1, name: 'till' })
    expect(said.at(-1)).to.include(
      'That was the last of 1 attempt. To try again: seller transactions:watch --again 1 --name till -p q',
    )
  })

  it('delivers again only what is unknown or given up', async () => {
    const shop = watching()
    shop.state.sales = [shop.sale(1)]
    await shop.run()
    const one = (await thrown(() => shop.run({ again: [1] }))) as SellerError
    expect(one.message).to.equal('Sale 1: neither unknown nor given up in the watch "default".')
    const two = (await thrown(() => shop.run({ again: [1, 9] }))) as SellerError
    expect(two.message).to.match(/^Sales 1, 9: /)
  })

  it('warns of sales that a run was killed with, and ends with 9', async () => {
    const shop = watching()
    await shop.run()
    const watch = await shop.watch()
    watch.take([{ Id: 4, At: shop.clock.time }])
    watch.unknown(4)
    const { said, code } = await shop.run()
    expect(said[0]).to.match(/^warn: 4: a run was killed while it delivered these sales\./)
    expect(said[1]).to.equal('hint: To deliver them again: seller transactions:watch --again 4 -p q')
    expect(code, 'it was said before').to.equal(0)
  })

  it('leaves a sale whose command cannot be started to the next run', async () => {
    const shop = watching()
    shop.state.sales = [shop.sale(1)]
    expect(await thrown(() => shop.run({ exec: '["/nowhere/at-all"]' }))).to.include({ code: 'exec_not_started' })
    expect((await shop.run({ exec: 'true' })).ids).to.deep.equal([1])
  })

  it('says what it costs where it goes on, if the budget or the usual quota does not suffice', async () => {
    const begins = async (interval: number, settings: object = {}, more: FakeShopOptions = {}, keep?: number) => {
      const shop = watching({ settings: { base_url: 'https://api.example.com', ...settings } as never, ...more })
      const clock = { now: () => shop.clock.time, random: () => 0.5, sleep: () => Promise.reject(new Error('enough')) }
      await thrown(() => watchSales({ ...shop.ctx, clock } as never, flags({ once: false, interval, 'keep-calls': keep })))
      return shop.said.filter((text) => !text.startsWith('note: The watch begins'))
    }
    const every = (interval: number) => begins(interval)
    expect((await every(5 * 60_000))[0]).to.match(/^note: Checking for new sales every .*\. End with Ctrl-C\.$/)
    const calls = async (interval: number, settings: object = {}, more: FakeShopOptions = {}, keep?: number) =>
      (await begins(interval, settings, more, keep))[1]
    expect(await calls(DAY / 100)).to.equal(undefined)
    expect(await calls(DAY / 101)).to.match(/^hint: That is 101 calls in 24 hours, and a service allows 100 by default\./)
    expect(await calls(DAY / 101, {}, { embedded: true })).to.equal(undefined)
    expect(await calls(DAY / 30, { call_budget: 40 })).to.equal(undefined)
    expect(await calls(DAY / 31, { call_budget: 40 })).to.equal(
      'hint: That is 31 calls in 24 hours, and the call budget leaves 30. Checks beyond that wait.',
    )
    expect(await calls(DAY / 40, { call_budget: 40 }, {}, 0)).to.equal(undefined)
  })

  it('has an interval of a second at least, and a name of up to 40 letters', async () => {
    const parse = (flag: { parse: unknown }, text: string) =>
      (flag.parse as (text: string, context: unknown, options: unknown) => Promise<unknown>)(text, {}, { name: 'x' })
    const interval = watchIntervalFlag() as never
    expect(await parse(interval, '1s')).to.equal(1000)
    expect(await parse(interval, '5m')).to.equal(300_000)
    expect(await thrown(() => parse(interval, '0.5s'))).to.be.instanceOf(SellerError)
    expect(await thrown(() => parse(interval, '999ms'))).to.be.instanceOf(SellerError)
    const name = watchNameFlag() as never
    for (const good of ['a', 'A_b.c-1', 'x'.repeat(40)]) expect(await parse(name, good)).to.equal(good)
    for (const bad of ['', 'x'.repeat(41), 'a b', 'a/b', 'å', 'a\n']) {
      expect(await thrown(() => parse(name, bad)), bad).to.include({ code: 'wrong_usage' })
    }
  })
})
