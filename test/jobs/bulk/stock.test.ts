/** Numbers in stock as jobs: what an answer with only a count means for each row, and the undo. */
import { expect } from 'chai'
import { planValueUndo } from '../../../src/jobs/bulk/index.js'
import { openedForEach } from '../../opened.js'
import { Bench, FakeService } from './support.js'

interface Answer {
  SuccessfulUpdates: number
  ValidationErrors: { Item?: { Id: number }; ErrorMessage?: string }[]
}

describe('jobs of numbers in stock', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop(3)))
  const sent: unknown[] = []
  beforeEach(() => {
    sent.length = 0
  })

  const create = (numbers: Record<number, [from: number, to: number]>): number => {
    const rows = Object.entries(numbers).map(([id, [from, to]], at) => ({
      line: at + 2,
      id: Number(id),
      payload: { Quantity: to },
      oldPayload: { Quantity: from },
    }))
    return bench.job('stock', rows)
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
    expect(bench.reasons(jobId)).to.deep.equal([
      ['ok', null],
      ['ok', null],
      ['ok', null],
    ])
  })

  it('fail the rows that are named, and no other', async () => {
    const jobId = create(three)
    await run(jobId, { SuccessfulUpdates: 2, ValidationErrors: [{ Item: { Id: 2 }, ErrorMessage: 'no' }, { Item: { Id: 77 } }] })
    expect(bench.reasons(jobId)).to.deep.equal([
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
    expect(bench.reasons(jobId)).to.deep.equal([
      ['retryable', why],
      ['failed', 'no'],
      ['retryable', why],
    ])
    const other = create({ 1: [1, 5] })
    await run(other, { SuccessfulUpdates: 0 })
    expect(bench.reasons(other)).to.deep.equal([['retryable', 'the service set 0 of 1 numbers and did not say which']])
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
})
