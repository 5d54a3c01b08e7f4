/** Meaning of an answer of SetPriceOnShopItems for each row, including odd answers. */
import { expect } from 'chai'
import { bulkRows } from '../../../src/jobs/bulk/index.js'
import { openedForEach } from '../../opened.js'
import { said } from '../../said.js'
import { Bench, FakeService } from './support.js'

interface Answer {
  QueuedRequestResponses: { RequestId: number; ItemId: number }[]
  ValidationErrors: { Item?: { Id: number; Price: number }; ErrorMessage?: string }[]
}

describe('the answer to a call of prices', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop(3)))

  /** Each row's state, request id and reason after one call with this answer. */
  const rowsAfter = async (answer: Partial<Answer>) => {
    const jobId = bench.price({ 1: 150, 2: 150, 3: 150 })
    const whole = { QueuedRequestResponses: [], ValidationErrors: [], ...answer }
    await bench.run(jobId, { client: { call: (async () => whole) as never } })
    return [...bulkRows(bench.ledger, jobId)].map(({ State, RequestId, Hold }) => [State, RequestId, said({ Hold })])
  }
  const queued = (...ids: number[]) => ids.map((ItemId) => ({ ItemId, RequestId: 100 + ItemId }))
  const nothing = 'the service did not answer for this row: it may be queued or not'
  const noReason = 'refused by the service without a reason'

  it('is read by the item, in whatever order it comes', async () => {
    expect(await rowsAfter({ QueuedRequestResponses: queued(3, 1, 2) })).to.deep.equal([
      ['queued', 101, null],
      ['queued', 102, null],
      ['queued', 103, null],
    ])
  })

  it('is taken at its first word where it names an item twice', async () => {
    const [first, ...others] = await rowsAfter({
      QueuedRequestResponses: [...queued(1), { ItemId: 1, RequestId: 999 }, ...queued(3, 77)],
      ValidationErrors: [{ Item: { Id: 1, Price: 150 }, ErrorMessage: 'no' }],
    })
    expect(first).to.deep.equal(['queued', 101, null])
    expect(others).to.deep.equal([
      ['failed', null, nothing],
      ['queued', 103, null],
    ])
  })

  it('fails rows with their own words, or says that there are none', async () => {
    const ValidationErrors = [
      { Item: { Id: 1, Price: 150 }, ErrorMessage: '  too low ' },
      { Item: { Id: 2, Price: 150 }, ErrorMessage: '  ' },
      { Item: { Id: 3, Price: 150 } },
    ]
    expect(await rowsAfter({ ValidationErrors })).to.deep.equal([
      ['failed', null, 'too low'],
      ['failed', null, noReason],
      ['failed', null, noReason],
    ])
  })

  it('fails rows that it does not name with what it says in general', async () => {
    const ValidationErrors = [
      { ErrorMessage: 'The shop is closed.' },
      {},
      { Item: { Id: 77, Price: 1 }, ErrorMessage: 'not ours' },
    ]
    expect(await rowsAfter({ QueuedRequestResponses: queued(2), ValidationErrors })).to.deep.equal([
      ['failed', null, 'The shop is closed.'],
      ['queued', 102, null],
      ['failed', null, 'The shop is closed.'],
    ])
  })

  it('of an auction says in one line why it was refused, or that no reason was given', async () => {
    const rows = [1, 2, 3].map((id) => ({
      line: id,
      id,
      payload: { OpeningPrice: 90, ReservedPrice: null, BinPrice: null },
      oldPayload: { OpeningPrice: 100, ReservedPrice: null, BinPrice: null },
    }))
    const jobId = bench.job('auction-price', rows)
    const answers = [[], [{ ErrorMessage: ' It has bids. ' }, {}], [{ ErrorMessage: '' }]]
    const client = { call: (async () => ({ IsSuccessful: false, ValidationErrors: answers.shift() })) as never }
    await bench.run(jobId, { client, concurrency: 1 })
    expect(bench.reasons(jobId)).to.deep.equal([
      ['failed', noReason],
      ['failed', 'It has bids.'],
      ['failed', noReason],
    ])
  })

  it('of dates has the item and the date of each row', async () => {
    const dates = ['2026-12-01T08:00:00Z', '2026-12-02T08:00:00Z']
    const jobId = bench.job(
      'activate',
      dates.map((ActivateDate, at) => ({ line: at + 2, id: at + 1, payload: { ActivateDate } })),
    )
    const calls: unknown[] = []
    const call = async (operation: string, params: unknown) => {
      calls.push([operation, params])
      return { QueuedRequestResponses: queued(1, 2), ValidationErrors: [] }
    }
    await bench.run(jobId, { client: { call: call as never } })
    const ShopItems = dates.map((ActivateDate, at) => ({ Id: at + 1, ActivateDate }))
    expect(calls).to.deep.equal([['SetActivateDateOnShopItems', { request: { ShopItems } }]])
    expect(bench.states(jobId)).to.deep.equal(['queued', 'queued'])
  })
})
