/** Payloads that the ledger keeps of rows to be sent: another version's is refused before the first call. */
import { expect } from 'chai'
import { entryAt } from '../../../src/contract/entry-at.js'
import { bulkRows, findRelists } from '../../../src/jobs/bulk/index.js'
import { readLiveFields } from '../../../src/jobs/bulk/live-fields.js'
import type { BulkKind } from '../../../src/jobs/bulk/types.js'
import { JobsError } from '../../../src/jobs/ledger/errors.js'
import { openedForEach } from '../../opened.js'
import { rejectedBy } from '../../thrown.js'
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
    ['activate', { ActivateDate: '2026-12-01T08:00:00Z' }, { ActivateDate: 'soon' }, 'ActivateDate'],
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

  it('is refused by what asks what was there before', async () => {
    const before = { OpeningPrice: 9, StartDate: '2026-11-01T08:00:00Z' }
    const relistId = bench.job('relist', [{ line: 2, id: 1, payload: relist, oldPayload: before }])
    const updateId = bench.job('update', [{ line: 2, id: 1, payload: { VAT: 25 }, oldPayload: { VAT: 6 } }])
    const { Profile: profile, UserId: userId } = bench.ledger.jobs.show(relistId)
    const relists = () => findRelists(bench.ledger, { profile, userId })
    const fields = () => readLiveFields(bulkRows(bench.ledger, updateId), [{ Id: 1, VAT: 6 }] as never)
    expect(relists().get(1)).to.include({ from: 9, to: 10 })
    expect((await fields()).get(1)?.map(({ state }) => state)).to.deep.equal(['old'])
    const keep = (old: unknown) =>
      bench.ledger.store.run('UPDATE bulk_batches SET old_payloads = ?', old === null ? null : JSON.stringify([old]))
    keep(null)
    expect(relists().get(1)).to.include({ from: null, to: 10 })
    expect((await fields()).get(1)?.map(({ state }) => state)).to.deep.equal(['other'])
    keep({ OpeningPrice: '9' })
    expect(relists).to.throw(`Row 1 of job ${relistId} (AddItem) cannot be read: its "OpeningPrice" is missing`)
    keep([6])
    const error = await rejectedBy(JobsError, fields)
    expect(error.message).to.include(`Row 1 of job ${updateId} (UpdateShopItem) cannot be read`)
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
