/** Payloads that the ledger keeps of rows to be sent: another version's is refused before the first call. */
import { expect } from 'chai'
import { entryAt } from '../../../src/contract/entry-at.js'
import { bulkRows, findRelists } from '../../../src/jobs/bulk/index.js'
import type { BulkKind } from '../../../src/jobs/bulk/types.js'
import { openedForEach } from '../../opened.js'
import { Bench, FakeService } from './support.js'

describe('a row that another version wrote', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop(3)))
  const relist = { OpeningPrice: 10, Request: { RestartedFromItemId: 1 }, Images: [], StartsAt: null, Restarts: false }
  const kept: [kind: BulkKind, whole: object, other: unknown, field: string | undefined][] = [
    ['stock', { Quantity: 5 }, { Number: 5 }, 'Quantity'],
    ['stock', { Quantity: 5 }, { Quantity: '5' }, 'Quantity'],
    ['stock', { Quantity: 5 }, null, undefined],
    [
      'auction-price',
      { OpeningPrice: 1, ReservedPrice: null, BinPrice: 9 },
      { OpeningPrice: 1, ReservedPrice: null },
      'BinPrice',
    ],
    ['order', { Paid: true, Sent: false }, { Paid: true, Shipped: true }, 'Sent'],
    ['relist', relist, { ...relist, Request: {} }, 'Request'],
    ['relist', relist, { ...relist, StartsAt: 'soon' }, 'StartsAt'],
    ['add-shop', { Title: 'Vas' }, ['Vas'], undefined],
  ]
  for (const [kind, whole, other, field] of kept) {
    it(`is refused before the first call: ${kind} ${JSON.stringify(other)}`, async () => {
      const calls: string[] = []
      const client = {
        call: (async (operation: string) => {
          calls.push(operation)
        }) as never,
      }
      const jobId = bench.job(
        kind,
        [1, 2].map((id) => ({ line: id + 1, id, payload: whole })),
      )
      bench.ledger.store.run('UPDATE bulk_batches SET payloads = ? WHERE job_id = ?', JSON.stringify([whole, other]), jobId)
      const { error, states } = await bench.run(jobId, { client }).then(
        () => ({ error: undefined, states: [] }),
        (thrown) => ({ error: thrown, states: [...bulkRows(bench.ledger, jobId)].map(({ State }) => State) }),
      )
      expect(error).to.deep.include({ code: 'row_unreadable', exitCode: 3 })
      expect(error.details).to.deep.equal({ jobId, row: 2, ...(field === undefined ? {} : { field }) })
      expect(error.message).to.match(new RegExp(`^Row 2 of job ${jobId} .* Another version of seller wrote it\\.$`))
      expect(error.hint).to.include(`seller jobs:drop ${jobId}`)
      expect([calls, states]).to.deep.equal([[], ['unsent', 'unsent']])
    })
  }

  it('is refused by what asks what was put up again', () => {
    const jobId = bench.job('relist', [{ line: 2, id: 1, payload: relist }])
    expect([...findRelists(bench.ledger, { profile: 'p', userId: null }).keys()].length).to.be.lessThan(2)
    bench.ledger.store.run('UPDATE bulk_batches SET payloads = ? WHERE job_id = ?', JSON.stringify([{ Price: 3 }]), jobId)
    const { Profile: profile, UserId: userId } = bench.ledger.jobs.show(jobId)
    expect(() => findRelists(bench.ledger, { profile, userId })).to.throw('"OpeningPrice" is missing or of another type')
  })

  it('is refused with its job, where that says nothing of its input', async () => {
    const jobId = bench.job('stock', [{ line: 2, id: 1, payload: { Quantity: 5 } }])
    for (const [detail, why] of [
      ['null', 'nothing is kept of it'],
      ['{"blind":false}', 'its "form" is missing or of another type'],
      ['{"form":{"kind":"csv"},"blind":false,"undoOf":"3"}', 'its "undoOf" is missing or of another type'],
    ] as const) {
      bench.ledger.store.run('UPDATE jobs SET detail = ? WHERE id = ?', detail, jobId)
      const error = await bench.run(jobId).then(
        () => undefined,
        (thrown) => thrown,
      )
      expect(error).to.deep.include({ code: 'job_unreadable', exitCode: 3 })
      expect(error.message).to.equal(`Job ${jobId} cannot be read: ${why}. Another version of seller wrote it.`)
    }
  })

  it('is not taken for item 0 at price 0 where an index is wrong', () => {
    expect(entryAt([7], 0)).to.equal(7)
    expect(() => entryAt([7], 1)).to.throw(RangeError, 'A list of 1 has no entry 1.')
    expect(() => entryAt(new Int32Array(2), -1)).to.throw(RangeError)
  })
})
