import { expect } from 'chai'
import { bulkJob, checkUnknownRows, type NewBulkRow, verifyBulkJob } from '../../../src/jobs/bulk/index.js'
import { readLiveValues } from '../../../src/jobs/bulk/live-values.js'
import type { BulkKind } from '../../../src/jobs/bulk/types.js'
import type { LiveItem } from '../../../src/pricing/index.js'
import { openedForEach } from '../../opened.js'
import { because } from '../../said.js'
import { Bench, FakeService } from './support.js'

describe('the comparison of a job with the live list', () => {
  const bench = openedForEach(() => new Bench(new FakeService()))

  /** A job whose rows are in the state that the number says (the states as bytes, in hexadecimal). */
  const job = (kind: BulkKind, rows: readonly NewBulkRow[], states: string): number => {
    const jobId = bench.job(kind, rows)
    bench.ledger.store.exec(`UPDATE bulk_states SET states = x'${states}' WHERE job_id = ${jobId}`)
    return jobId
  }
  const [OK, QUEUED, FAILED, UNKNOWN] = ['03', '02', '04', '06']
  const shown = async (jobId: number, live: readonly LiveItem[]) => {
    const { Checked, Differences } = await verifyBulkJob(bench.ledger, jobId, live)
    return [Checked, Differences.map(({ Row, Id, Field, Expected, Live, State }) => [Row, Id, Field, Expected, Live, State])]
  }
  const item = (Id: number, more: Partial<LiveItem> = {}): LiveItem => ({ Id, ItemType: 'ShopItem', ...more })

  it('is of the price, where an item without one differs as much as one that is gone', async () => {
    const rows = [1, 2, 3, 4].map((id) => ({ line: id, id, price: 50, oldPrice: 40 }))
    const jobId = job('price', rows, `${OK}${QUEUED}${OK}${FAILED}`)
    expect(await shown(jobId, [item(1, { BuyItNowPrice: 50 }), item(2, { BuyItNowPrice: null }), item(4)])).to.deep.equal([
      3,
      [
        [2, 2, 'BuyItNowPrice', 50, null, 'queued'],
        [3, 3, 'Item', 'there', 'gone', 'ok'],
      ],
    ])
  })

  it('is of the number in stock, where none is a number too', async () => {
    const rows = [0, 0, 7, 7, 7].map((Quantity, at) => ({ line: at + 1, id: at + 1, payload: { Quantity } }))
    const jobId = job('stock', rows, OK.repeat(5))
    const live = [
      item(1, { RemainingQuantity: 0 }),
      item(2, { RemainingQuantity: 2 }),
      item(3, { RemainingQuantity: 7, BuyItNowPrice: 9 }),
      item(4, { RemainingQuantity: 6 }),
      item(5, { RemainingQuantity: null } as never),
    ]
    expect(await shown(jobId, live)).to.deep.equal([
      5,
      [
        [2, 2, 'RemainingQuantity', 0, 2, 'ok'],
        [4, 4, 'RemainingQuantity', 7, 6, 'ok'],
        // The list does not say it.
        [5, 5, 'RemainingQuantity', 7, null, 'ok'],
      ],
    ])
  })

  it('is of the fields that were set, where one that the list leaves out differs', async () => {
    const long = 'x'.repeat(300)
    const payload = { Title: 'New', ItemAttributes: [1], Description: long, ExternalId: 'e' }
    const oldPayload = { Title: 'Old', ItemAttributes: null, Description: 'd', ExternalId: null }
    const rows = [1, 2, 3, 4, 5].map((id) => ({ line: id, id, payload, oldPayload }))
    const jobId = job('update', rows, OK.repeat(5))
    const live = [
      { ShortDescription: 'New', ItemAttributes: [1], LongDescription: ` ${long}` },
      { ShortDescription: 'Old', ItemAttributes: [], LongDescription: long },
      { ShortDescription: 'Third', ItemAttributes: [2], LongDescription: long },
      { ShortDescription: 'New', ItemAttributes: [1] },
    ].map((fields, at) => item(at + 1, fields as Partial<LiveItem>))
    expect(await shown(jobId, live)).to.deep.equal([
      5,
      [
        [2, 2, 'Title', 'New', 'Old', 'ok'],
        [2, 2, 'ItemAttributes', '[1]', null, 'ok'],
        [3, 3, 'Title', 'New', 'Third', 'ok'],
        [3, 3, 'ItemAttributes', '[1]', '[2]', 'ok'],
        [4, 4, 'Description', `${'x'.repeat(199)}…`, null, 'ok'],
        [5, 5, 'Item', 'there', 'gone', 'ok'],
      ],
    ])
  })

  it('is of all three prices of an auction', async () => {
    const payload = { OpeningPrice: 90, ReservedPrice: null, BinPrice: 300 }
    const rows = [1, 2].map((id) => ({ line: id, id, payload }))
    const jobId = job('auction-price', rows, OK.repeat(2))
    const auction = (Id: number, OpeningBid: number, ReservePrice: number | null, BuyItNowPrice: number | null) =>
      item(Id, { ItemType: 'Auction', OpeningBid, ReservePrice, BuyItNowPrice })
    expect(await shown(jobId, [auction(1, 90, null, 300), auction(2, 91, 95, null)])).to.deep.equal([
      2,
      [
        [2, 2, 'OpeningBid', 90, 91, 'ok'],
        [2, 2, 'ReservePrice', null, 95, 'ok'],
        [2, 2, 'BuyItNowPrice', 300, null, 'ok'],
      ],
    ])
  })

  it('is of the item alone where a job removes or adds it', async () => {
    const removed = job(
      'remove',
      [1, 2].map((id) => ({ line: id, id })),
      OK.repeat(2),
    )
    expect(await shown(removed, [item(2)])).to.deep.equal([2, [[2, 2, 'Item', 'gone', 'there', 'ok']]])
    const added = job(
      'add-shop',
      [1, 2].map((line) => ({ line, id: 0, payload: { Title: 'Vas' } })),
      OK.repeat(2),
    )
    expect(await shown(added, []), 'rows whose new id is not known cannot be compared').to.deep.equal([0, []])
    bench.ledger.store.exec(`UPDATE bulk_states SET item_ids = x'0b0000000c000000' WHERE job_id = ${added}`)
    expect(await shown(added, [item(12, { BuyItNowPrice: 5 })])).to.deep.equal([2, [[1, 11, 'Item', 'there', 'gone', 'ok']]])
  })

  it('reads each item once, whatever its place in the list', async () => {
    const values = await readLiveValues(
      'auction-price',
      [5, 6, 5].map((Id) => ({ Id })),
      [item(9), item(6, { OpeningBid: 1, ReservePrice: 2, BuyItNowPrice: 3 }), item(5, { OpeningBid: 4 })],
    )
    expect(values.items).to.equal(2)
    expect([5, 6, 9].map((id) => values.of(id) && [...(values.of(id) ?? [])])).to.deep.equal([[4, 0, 0], [1, 2, 3], undefined])
  })

  it('of unknown rows leaves out the items of other rows, and keeps the reason', async () => {
    const titled = (Title: string | undefined, OwnReferences?: string[]): NewBulkRow => ({
      line: 4,
      id: 0,
      payload: { Title, OwnReferences },
    })
    const rows = [titled('Vas'), titled('Vas'), titled(undefined), titled('Vas', ['V-1'])]
    const jobId = job('add-shop', rows, `${UNKNOWN}${QUEUED}${UNKNOWN}${UNKNOWN}`)
    bench.ledger.store.exec(`UPDATE bulk_states SET item_ids = x'00000000150000000000000000000000', reasons = '{"0":"lost"}'`)
    const live = [
      item(21, { ShortDescription: 'Vas', OwnReferences: [] }),
      item(22, { ShortDescription: 'Vas' }),
      item(23),
      item(24, { ShortDescription: 'Skål', OwnReferences: ['V-0', 'V-1'] }),
    ]
    expect(await checkUnknownRows(bench.ledger, jobId, live)).to.deep.equal([
      { Row: 1, Line: 4, Title: 'Vas', OwnReferences: [], Hold: because('lost'), Candidates: [22] },
      { Row: 3, Line: 4, Title: null, OwnReferences: [], Hold: null, Candidates: [] },
      { Row: 4, Line: 4, Title: 'Vas', OwnReferences: ['V-1'], Hold: null, Candidates: [24] },
    ])
    expect(bulkJob(bench.ledger, jobId).Rows).to.equal(4)
  })
})
