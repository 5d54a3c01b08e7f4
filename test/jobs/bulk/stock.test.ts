/** Numbers in stock as jobs: what an answer with only a count means for each row, and the undo. */
import { expect } from 'chai'
import { bulkJob, bulkRows, createBulkJob, planValueUndo } from '../../../src/jobs/bulk/index.js'
import { Bench, FakeService, FORM, failure } from './support.js'

interface Answer {
  SuccessfulUpdates: number
  ValidationErrors: { Item?: { Id: number }; ErrorMessage?: string }[]
}

describe('jobs of numbers in stock', () => {
  let bench: Bench
  const sent: unknown[] = []
  beforeEach(() => {
    bench = new Bench(FakeService.shop(3))
    sent.length = 0
  })
  afterEach(() => bench.close())

  const create = (numbers: Record<number, [from: number, to: number]>): number => {
    const rows = Object.entries(numbers).map(([id, [from, to]], at) => ({
      line: at + 2,
      id: Number(id),
      payload: { Quantity: to },
      oldPayload: { Quantity: from },
    }))
    return createBulkJob(bench.ledger, { kind: 'stock', profile: 'shop', title: 't', form: FORM, rows }).JobId
  }
  const run = (jobId: number, answer: Partial<Answer> | Error) =>
    bench.run(jobId, {
      client: {
        call: (async (operation: string, params: unknown) => {
          sent.push([operation, params])
          if (answer instanceof Error) throw answer
          return { SuccessfulUpdates: 0, ValidationErrors: [], ...answer }
        }) as never,
      },
    })
  const rowsOf = (jobId: number) => [...bulkRows(bench.ledger, jobId)].map(({ State, Reason }) => [State, Reason])
  const three = { 1: [1, 5], 2: [2, 6], 3: [3, 7] } as Record<number, [number, number]>

  it('go in one call, and are done where the answer counts them all', async () => {
    const jobId = create(three)
    expect(await run(jobId, { SuccessfulUpdates: 3 })).to.include({ verdict: 'ok' })
    expect(sent).to.deep.equal([
      [
        'SetQuantityOnShopItems',
        {
          request: {
            ShopItems: [
              { Id: 1, Quantity: 5 },
              { Id: 2, Quantity: 6 },
              { Id: 3, Quantity: 7 },
            ],
          },
        },
      ],
    ])
    expect(rowsOf(jobId)).to.deep.equal([
      ['ok', null],
      ['ok', null],
      ['ok', null],
    ])
  })

  it('fail the rows that are named, and no other', async () => {
    const jobId = create(three)
    await run(jobId, { SuccessfulUpdates: 2, ValidationErrors: [{ Item: { Id: 2 }, ErrorMessage: 'no' }, { Item: { Id: 77 } }] })
    expect(rowsOf(jobId)).to.deep.equal([
      ['ok', null],
      ['failed', 'no'],
      ['ok', null],
    ])
  })

  it('may be sent again where the count does not add up, for nobody knows which were set', async () => {
    const jobId = create(three)
    await run(jobId, {
      SuccessfulUpdates: 1,
      ValidationErrors: [{ Item: { Id: 2 }, ErrorMessage: 'no' }, { ErrorMessage: 'busy' }],
    })
    const why = 'the service set 1 of 2 numbers and did not say which: busy'
    expect(rowsOf(jobId)).to.deep.equal([
      ['retryable', why],
      ['failed', 'no'],
      ['retryable', why],
    ])
    const other = create({ 1: [1, 5] })
    await run(other, { SuccessfulUpdates: 0 })
    expect(rowsOf(other)).to.deep.equal([['retryable', 'the service set 0 of 1 numbers and did not say which']])
  })

  const shop = (numbers: Record<number, number>) =>
    Object.entries(numbers).map(
      ([Id, RemainingQuantity]) => ({ Id: Number(Id), ItemType: 'ShopItem', RemainingQuantity }) as const,
    )
  const undoOf = async (jobIds: number[], numbers: Record<number, number>) =>
    (await planValueUndo(bench.ledger, 'stock', jobIds, shop(numbers) as never)).entries.map(({ Id, Value, State }) => [
      Id,
      Value,
      State,
    ])

  it('go back to the numbers before, but for what was sold or changed since, and what never was sent', async () => {
    const jobId = create(three)
    await run(jobId, { SuccessfulUpdates: 2, ValidationErrors: [{ Item: { Id: 3 }, ErrorMessage: 'no' }] })
    create({ 3: [3, 9] })
    expect(await undoOf([jobId], { 1: 5, 2: 4, 3: 3 })).to.deep.equal([
      [1, 1, 'change'],
      [2, 2, 'held'],
    ])
    const unsent = create({ 1: [1, 5] })
    expect(await undoOf([unsent], { 1: 5 })).to.deep.equal([])
  })

  it('go back to the number before the oldest of several jobs', async () => {
    const first = create({ 1: [1, 5] })
    await run(first, { SuccessfulUpdates: 1 })
    const second = create({ 1: [5, 8] })
    await run(second, { SuccessfulUpdates: 1 })
    expect(await undoOf([second, first], { 1: 8 })).to.deep.equal([[1, 1, 'change']])
    expect(await undoOf([second, first], { 1: 5 })).to.deep.equal([[1, 1, 'held']])
  })

  it('are held while one of the jobs was stopped in the middle of sending them, also an older one', async () => {
    const first = create({ 1: [1, 5] })
    await run(first, failure('SetQuantityOnShopItems', { kind: 'interrupted', sent: true }))
    expect(rowsOf(first)).to.deep.equal([['sending', null]])
    expect(await undoOf([first], { 1: 5 })).to.deep.equal([[1, 1, 'held']])
    const second = create({ 1: [5, 8] })
    await run(second, { SuccessfulUpdates: 1 })
    expect(await undoOf([first, second], { 1: 8 })).to.deep.equal([[1, 1, 'held']])
  })

  it('are not undone where the number before was not known', async () => {
    const rows = [
      { line: 2, id: 1, payload: { Quantity: 5 }, oldPayload: { Quantity: 1 } },
      { line: 3, id: 2, payload: { Quantity: 6 } },
    ]
    const { JobId } = createBulkJob(bench.ledger, { kind: 'stock', profile: 'shop', title: 't', form: FORM, rows })
    await run(JobId, { SuccessfulUpdates: 2 })
    const live = [1, 2].map((Id) => ({ Id, ItemType: 'ShopItem', RemainingQuantity: Id + 4 }))
    const { entries } = await planValueUndo(bench.ledger, 'stock', [JobId], live as never)
    expect(entries.map(({ Id, Value }) => [Id, Value])).to.deep.equal([[1, 1]])
  })

  it('wait for a look where the outcome of a row is not known', async () => {
    const jobId = create(three)
    bench.ledger.store.run('UPDATE bulk_states SET states = ?, unsent = 1, unknown = 2', new Uint8Array([0, 6, 6]))
    await run(jobId, { SuccessfulUpdates: 1 })
    const { State, FinishedAt, Counts } = bulkJob(bench.ledger, jobId)
    expect([State, FinishedAt, Counts.unknown]).to.deep.equal(['unknown', null, 2])
  })

  it('are done where what was live was set, and partly done where nothing of it was live', async () => {
    const make = (skipped: readonly (string | undefined)[]): number => {
      const rows = skipped.map((why, at) => ({
        line: at + 2,
        id: at + 1,
        payload: { Quantity: 5 },
        oldPayload: { Quantity: 1 },
        skipped: why,
      }))
      return createBulkJob(bench.ledger, { kind: 'stock', profile: 'shop', title: 't', form: FORM, rows }).JobId
    }
    for (const [skipped, state, counts] of [
      [[undefined, 'not live'], 'ok', { ok: 1, skipped: 1 }],
      [['not live', 'not live'], 'partial', { ok: 0, skipped: 2 }],
      [[undefined, undefined], 'ok', { ok: 2, skipped: 0 }],
    ] as const) {
      const jobId = make(skipped)
      await run(jobId, { SuccessfulUpdates: counts.ok })
      const { State, Counts } = bulkJob(bench.ledger, jobId)
      expect([State, Counts.ok, Counts.skipped]).to.deep.equal([state, counts.ok, counts.skipped])
    }
  })

  it('are not finished while rows are unsent, and not done where as many were refused as were held', async () => {
    const open = create(three)
    await run(open, failure('SetQuantityOnShopItems', { kind: 'unreachable' }))
    const stopped = bulkJob(bench.ledger, open)
    expect([stopped.State, stopped.FinishedAt]).to.deep.equal(['open', null])
    const rows = [
      { line: 2, id: 1, payload: { Quantity: 5 }, oldPayload: { Quantity: 1 } },
      { line: 3, id: 2, payload: { Quantity: 5 }, oldPayload: { Quantity: 1 }, held: 'why' },
    ]
    const { JobId } = createBulkJob(bench.ledger, { kind: 'stock', profile: 'shop', title: 't', form: FORM, rows })
    await run(JobId, { SuccessfulUpdates: 0, ValidationErrors: [{ Item: { Id: 1 }, ErrorMessage: 'no' }] })
    const { State, Counts, FinishedAt } = bulkJob(bench.ledger, JobId)
    expect([State, Counts.failed, Counts.held, FinishedAt === null]).to.deep.equal(['failed', 1, 1, false])
  })
})
