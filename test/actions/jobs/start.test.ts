/** From a plan to a job and its run: what is said, asked and written before the first call. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type JobStart, startJob } from '../../../src/actions/jobs/start.js'
import { EXIT } from '../../../src/cli/errors.js'
import type { PlannedRows } from '../../../src/cli/shop-parts.js'
import type { NewBulkRow } from '../../../src/jobs/bulk/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

describe('the start of a job', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(3))
  })
  afterEach(() => fake.close())

  const row = (id: number, more: Partial<NewBulkRow> = {}): NewBulkRow => ({
    line: id + 1,
    id,
    price: 150,
    oldPrice: 100,
    ...more,
  })
  const start = (rows: readonly NewBulkRow[], more: Partial<JobStart> = {}, summary: Partial<JobStart['summary']> = {}) => {
    const Held = rows.filter(({ held }) => held !== undefined).length
    const Unknown = rows.filter(({ skipped }) => skipped !== undefined).length
    const Change = rows.length - Held - Unknown
    return startJob(fake.ctx, {
      kind: 'price',
      title: 'a title',
      form: FORM,
      rows,
      calls: 1,
      verb: 'Send',
      shown: async () => '',
      noun: 'new price',
      flags: { wait: false, timeout: 60_000, yes: true },
      summary: { Rows: rows.length, Change, Held, Unknown, Unchanged: 0, Calls: Change > 0 ? 1 : 0, ...summary },
      ...more,
    })
  }
  const jobs = () => fake.bench.ledger.jobs.list()

  it('says the totals and the calls, asks, writes the job, and sends', async () => {
    const { record, code } = await start([row(1), row(2)], {}, { Unchanged: 4, Fees: 40 })
    expect(code).to.equal(EXIT.ok)
    expect(fake.said[0]).to.match(/^2 rows: 2 to change, 4 unchanged\./)
    expect(fake.said[1]).to.equal('Sending takes 1 call. Made in the last 24 hours: 4.')
    expect(fake.questions).to.deep.equal([{ message: 'Send 2 new prices?', flag: '--yes', given: true, typed: undefined }])
    expect(record).to.include({ JobId: 1, Kind: 'price', Title: 'a title', Calls: 2, Unchanged: 4, Fees: 40, HeldFile: null })
    expect(jobs()[0]).to.include({ Profile: 'shop', UserId: 7, Title: 'a title', UndoOf: null })
  })

  it('takes the words for what happens to the rows, and the jobs that it undoes', async () => {
    const undoOf = [fake.bench.price({ 2: 150 }), fake.bench.price({ 3: 150 })]
    const { record } = await start([row(1)], { toDo: 'to be put back', undoOf })
    expect(fake.said[0]).to.contain('1 to be put back')
    expect(record.UndoOf).to.equal(undoOf[1])
    expect(fake.said.join('\n')).to.not.contain('seller jobs:undo')
  })

  it('sends nothing without a yes, and writes no job', async () => {
    fake.yes = false
    const flags = { wait: false, timeout: 1 }
    expect(await thrownBy(() => start([row(1)], { flags }))).to.have.property('exitCode', EXIT.held)
    expect(jobs()).to.deep.equal([])
    expect(fake.bench.service.calls).to.deep.equal([])
  })

  it('makes no job where nothing is to be sent and nothing is held', async () => {
    const { record, code } = await start([], { calls: 3 }, { Rows: 5, Unchanged: 5 })
    expect(code).to.equal(EXIT.ok)
    expect(record).to.include({ JobId: null, Kind: 'price', Title: 'a title', Calls: 3, Unchanged: 5 })
    expect(fake.said).to.deep.equal(['5 rows: 0 to change, 5 unchanged.', 'There is nothing to send.'])
    expect(fake.questions).to.deep.equal([])
    expect(jobs()).to.deep.equal([])
  })

  it('makes one of held rows alone, with their file, and makes no call', async () => {
    const { record, code } = await start([row(1, { held: 'too far up' })])
    expect(code).to.equal(EXIT.held)
    expect(record.HeldFile).to.equal('held-1.csv')
    expect(await readFile(join(fake.directory, 'held-1.csv'), 'utf8')).to.equal('Id,Price,_Reason\n1,150,too far up\n')
    expect(fake.said.join('\n')).to.not.contain('Sending takes')
    expect(fake.said).to.deep.include(
      '! 1 row held, not sent. See held-1.csv, with the reason beside each.\n  line 2, item 1: too far up',
    )
    expect(fake.bench.service.calls).to.deep.equal([])
  })

  it('writes held rows where it was told to, or with the failed ones', async () => {
    const flags = { wait: false, timeout: 1, yes: true }
    const held = await start([row(1, { held: 'too far up' })], { flags: { ...flags, 'held-file': 'mine.csv' } })
    expect(held.record.HeldFile).to.equal('mine.csv')
    const failed = await start([row(1, { held: 'too far up' })], { flags: { ...flags, 'failed-file': 'failed.csv' } })
    expect(failed.record).to.include({ HeldFile: null, FailedFile: 'failed.csv' })
    expect((await readdir(fake.directory)).filter((name) => name.endsWith('.csv')).sort()).to.deep.equal([
      'failed.csv',
      'mine.csv',
    ])
  })

  it('says once why a plan is stopped as a whole', async () => {
    const Stopped = { Limit: 'max_held', Reason: 'too many rows are held' }
    await start([row(1, { held: 'too many rows are held' })], {}, { Stopped })
    expect(fake.said.filter((line) => /too many rows are held/i.test(line))).to.have.length(1)
    expect(fake.said[1]).to.equal('! Too many rows are held.')
  })

  describe('with rows whose items are not live', () => {
    const gone = (id: number) => row(id, { skipped: 'it is not live' })
    const strict = { wait: false, timeout: 1, yes: true, strict: true }
    for (const [name, rows, more, summary, code] of [
      ['ends well where others were sent', [row(1), gone(9)], {}, {}, EXIT.ok],
      ['fails with --strict', [row(1), gone(9)], { flags: strict }, {}, EXIT.someRowsFailed],
      ['ends well with --strict where all are live', [row(1)], { flags: strict }, {}, EXIT.ok],
      ['is held where no item is live', [gone(8), gone(9)], {}, {}, EXIT.held],
      ['ends well where an item is as it should be', [gone(9)], {}, { Unchanged: 1 }, EXIT.ok],
      ['is held by its held rows', [gone(9), row(1, { held: 'too far' })], {}, {}, EXIT.held],
    ] as const) {
      it(name, async () => {
        expect((await start(rows, more as Partial<JobStart>, summary)).code).to.equal(code)
        const said = fake.said.some((line) => line.includes('not live; nothing was sent'))
        expect(said).to.equal(rows.some(({ skipped }) => skipped !== undefined))
      })
    }
  })

  it('says that results are looked for where it waits or verifies', async () => {
    for (const flags of [{ wait: true }, { wait: false, verify: true }, { wait: false }]) {
      fake.said = []
      await start([row(1)], { flags: { timeout: 60_000, yes: true, ...flags } })
      const looks = fake.said.some((line) => line.includes('one for each look at the results'))
      expect(looks, JSON.stringify(flags)).to.equal(flags.wait || 'verify' in flags)
    }
  })

  it('warns where --max-calls will not do, with the calls of the plan', async () => {
    const flags = { wait: false, timeout: 1, yes: true, 'max-calls': 2 }
    await start([row(1)], { calls: 2, flags })
    expect(fake.said.some((line) => line.startsWith('! --max-calls leaves 0 calls'))).to.equal(true)
  })

  it('asks nobody of a few typed rows at a terminal', async () => {
    const { ctx } = fake
    const typing = { ...ctx, prompts: { ...ctx.prompts, show: () => undefined, available: true } }
    const flags = { wait: false, timeout: 1 }
    const common = {
      kind: 'price',
      title: 't',
      form: FORM,
      rows: [row(1)],
      calls: 0,
      verb: 'Send',
      shown: async () => '',
      noun: 'price',
      flags,
    } as const
    const summary = { Rows: 1, Change: 1, Held: 0, Unknown: 0, Unchanged: 0, Calls: 1 }
    await startJob(typing, { ...common, summary, typed: true })
    expect(fake.questions).to.have.length(0)
    await startJob(typing, { ...common, summary })
    expect(fake.questions).to.have.length(1)
  })

  it('gives the plan to whoever approves for several shops', async () => {
    const approved: unknown[] = []
    const ctx = { ...fake.ctx, approve: async ({ shown: _, ...rows }: PlannedRows) => void approved.push(rows) }
    const summary = { Rows: 2, Change: 1, Held: 1, Unknown: 0, Unchanged: 3, Calls: 1 }
    const rows = [row(1), row(2, { held: 'no' })]
    const flags = { wait: false, timeout: 1 }
    await startJob(ctx, {
      kind: 'price',
      title: 't',
      form: FORM,
      rows,
      calls: 0,
      verb: 'Send',
      shown: async () => '',
      noun: 'price',
      summary,
      flags,
    })
    const counts = { change: 1, unchanged: 3, held: 1, skipped: 0 }
    expect(approved).to.deep.equal([{ rows: 1, verb: 'Send', noun: 'price', counts, stopped: null }])
    expect(fake.questions).to.deep.equal([])
  })

  it('refuses a binding that cannot carry the rows before it asks', async () => {
    fake.profile.settings.binding = 'get'
    expect(await thrownBy(() => start([row(1)]))).to.have.property('code', 'binding_too_narrow')
    expect(fake.questions).to.deep.equal([])
    expect((await start([])).code).to.equal(EXIT.ok)
  })

  it('refuses the same item twice, of any kind but prices, which their plan has seen to', async () => {
    const twice = [row(1), row(1)].map(({ line, id }) => ({ line, id }))
    expect(await thrownBy(() => start(twice, { kind: 'remove' }))).to.have.property('code', 'item_twice')
    expect(jobs()).to.deep.equal([])
  })

  it('says the job in the transaction that writes it', async () => {
    const recorded: unknown[] = []
    await start([row(1)], { recorded: (jobId) => void recorded.push(jobId, fake.bench.ledger.jobs.show(jobId).State) })
    expect(recorded).to.deep.equal([1, 'open'])
  })

  it('has no old prices to restore where it was planned blind', async () => {
    await start([row(1)], { blind: true })
    expect(fake.said.join('\n')).to.not.contain('jobs:undo')
    fake.said = []
    await start([row(1)])
    expect(fake.said.join('\n')).to.contain('jobs:undo 2')
  })
})
