/** ledger:prune, ledger:backup and ledger:check: what is asked, what is told, and what is refused. */
import { existsSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { backUp } from '../../../src/actions/ledger/backup.js'
import { checkLedger } from '../../../src/actions/ledger/check.js'
import { type PruneFlags, prune } from '../../../src/actions/ledger/prune.js'
import type { Context } from '../../../src/cli/context.js'
import { EXIT } from '../../../src/cli/errors.js'
import { createBulkJob } from '../../../src/jobs/bulk/index.js'
import { LedgerError } from '../../../src/jobs/index.js'
import { DAY_MS } from '../../../src/system/durations.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

describe('the upkeep of the ledger', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(3))
  })
  afterEach(() => fake.close())
  const ctx = (more: object = {}) => ({ ...fake.ctx, ledgerPath: fake.bench.path, ...more }) as unknown as Context
  const finished = (): number => {
    const rows = [{ line: 2, id: 1, price: 5, held: 'too far' }]
    const common = { kind: 'add-shop', profile: 'shop', userId: 7, title: 't', form: FORM } as const
    return createBulkJob(fake.bench.ledger, { ...common, rows: rows.map(({ line, held }) => ({ line, id: 0, held })) }).JobId
  }

  describe('by removing what is old', () => {
    const run = (flags: Partial<PruneFlags> = {}) => prune(ctx(), { 'older-than': DAY_MS, ...flags })

    it('says that nothing is old enough, and asks nothing', async () => {
      finished()
      const shown = await run()
      expect(shown).to.deep.include({ Before: '2026-01-01T03:04:05.000Z', Jobs: [], Rows: 0, Requests: 0, BytesAfter: null })
      expect(shown.BytesBefore).to.equal(statSync(fake.bench.path).size)
      expect(fake.said).to.deep.equal(['Nothing older than 2026-01-01T03:04:05.000Z can be removed.'])
      expect(fake.questions).to.deep.equal([])
    })

    it('shows with --dry-run what it would remove, and removes nothing', async () => {
      const jobId = finished()
      fake.bench.clock.time += 2 * DAY_MS
      const shown = await run({ 'dry-run': true })
      expect(shown).to.deep.include({ Jobs: [jobId], Rows: 1, BytesAfter: null })
      expect(fake.said).to.deep.equal(['Nothing was removed. This would be:'])
      expect(fake.bench.ledger.jobs.list()).to.have.length(1)
    })

    it('names the jobs, asks in numbers, and tells the size after', async () => {
      const jobs = [finished(), finished()]
      const { requests } = fake.bench.ledger
      const { Row } = requests.begin({ operation: 'AddItem', subject: 'x', profile: 'shop', userId: 7 })
      requests.markRefused(Row, { message: 'no' } as never)
      fake.bench.clock.time += 2 * DAY_MS
      const shown = await run({ yes: true })
      expect(shown).to.deep.include({ Jobs: jobs, Rows: 2, Requests: 1 })
      expect(shown.BytesAfter).to.equal(statSync(fake.bench.path).size)
      expect(fake.said[0]).to.equal(`Jobs to remove: ${jobs.join(', ')}.`)
      expect(fake.questions).to.deep.equal([
        { message: 'Remove 2 jobs with 2 rows, 1 request from the ledger? This cannot be undone.', flag: '--yes', given: true },
      ])
      expect(fake.bench.ledger.jobs.list()).to.deep.equal([])
    })

    it('removes nothing without a yes, and names no jobs where none are removed', async () => {
      const { requests } = fake.bench.ledger
      const { Row } = requests.begin({ operation: 'AddItem', subject: 'x', profile: 'shop', userId: 7 })
      requests.markRefused(Row, { message: 'no' } as never)
      fake.bench.clock.time += 2 * DAY_MS
      fake.yes = false
      await thrownBy(() => run())
      expect(fake.said).to.deep.equal([])
      expect(fake.questions[0]?.message).to.equal('Remove 1 request from the ledger? This cannot be undone.')
      expect(requests.list()).to.have.length(1)
    })

    it('names 20 jobs at most', async () => {
      for (let number = 0; number < 20; number++) finished()
      fake.bench.clock.time += 2 * DAY_MS
      fake.yes = false
      await thrownBy(() => run())
      expect(fake.said[0]).to.match(/^Jobs to remove: 1, .*, 20\.$/)
      finished()
      fake.bench.clock.time += 2 * DAY_MS
      await thrownBy(() => run())
      expect(fake.said[1]).to.match(/, 20 and 1 more\.$/)
    })
  })

  describe('by a copy', () => {
    it('tells what is in it', async () => {
      finished()
      const { record, code } = await backUp(ctx(), 'copy.db', false)
      expect(code).to.equal(EXIT.ok)
      expect(record).to.include({ File: join(fake.directory, 'copy.db'), Jobs: 1, Requests: 0, Faults: 0 })
      expect(record.Bytes).to.equal(statSync(record.File).size)
      expect(fake.said).to.deep.equal([])
    })

    it('does not overwrite a file, unless that is wanted, and names what is in the way', async () => {
      await backUp(ctx(), 'copy.db', false)
      const error = await thrownBy(() => backUp(ctx(), 'copy.db', false))
      expect(error.message).to.contain('"copy.db"')
      expect(error.exitCode).to.equal(EXIT.usage)
      expect((await backUp(ctx(), 'copy.db', true)).code).to.equal(EXIT.ok)
      expect((await thrownBy(() => backUp(ctx(), 'none/copy.db', false))).message).to.contain('"none/copy.db"')
    })

    it('is never the ledger itself, under any name', async () => {
      symlinkSync(fake.bench.path, join(fake.directory, 'link.db'))
      for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'link.db']) {
        const error = await thrownBy(() => backUp(ctx(), name, true))
        expect(error.message, name).to.equal(`The file "${name}" cannot be written: it is the ledger itself.`)
      }
      expect(existsSync(fake.bench.path)).to.equal(true)
    })

    it('says so where the ledger has faults, by the exit code too', async () => {
      const jobId = finished()
      fake.bench.ledger.store.run('UPDATE bulk_states SET held = 5 WHERE job_id = ?', jobId)
      const { record, code } = await backUp(ctx(), 'copy.db', false)
      expect(record.Faults).to.be.greaterThan(0)
      expect(code).to.equal(EXIT.failure)
      expect(fake.said[0]).to.match(/^! The ledger has \d+ faults?, and so has the copy\.$/)
      expect(fake.said[1]).to.equal('? List them with: seller ledger:check')
      expect(await checkLedger(ctx())).to.have.length(record.Faults)
    })
  })

  it('needs a ledger', async () => {
    const none = ctx({ ledgerPath: join(fake.directory, 'none.db') })
    for (const work of [() => backUp(none, 'a', false), () => checkLedger(none), () => prune(none, { 'older-than': 1 })]) {
      const error = await thrownBy(work)
      expect(error).to.include({ code: 'ledger_missing', message: `There is no ledger at ${join(fake.directory, 'none.db')}.` })
      expect(error.details).to.deep.equal({ path: join(fake.directory, 'none.db') })
    }
  })

  it('finds no faults in a sound ledger, and one where its file is none; what passes is thrown', async () => {
    expect(await checkLedger(ctx())).to.deep.equal([])
    const failing = (kind: string) =>
      ctx({
        ledger: async () => {
          throw new LedgerError(kind as never, 'ledger.db', 'It is odd.', 'Look.')
        },
      })
    for (const kind of ['damaged', 'newer', 'foreign']) {
      expect(await checkLedger(failing(kind)), kind).to.deep.equal([{ Check: 'file', Where: 'ledger', Problem: 'It is odd.' }])
    }
    for (const kind of ['busy', 'full']) expect(await thrownBy(() => checkLedger(failing(kind)))).to.be.instanceOf(LedgerError)
  })
})
