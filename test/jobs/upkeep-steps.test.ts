/** Backing up, checking and pruning, in order. */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { chooseForImage, chooseForItem, jobIsOver } from '../../src/jobs/listing/errors.js'
import { createListing, removeListing, showListing } from '../../src/jobs/listing/listing.js'
import { backUpLedger, findFaults, planPrune, shrinkLedger } from '../../src/jobs/upkeep/index.js'
import { openedForEach } from '../opened.js'
import { Bench, FakeService } from './bulk/support.js'
import { thrown } from './harness.js'
import { LAMP } from './service.js'

const DAY = 24 * 60 * 60 * 1000

describe('the upkeep of a ledger, step by step', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop({ 1: 100, 2: 200, 3: 300 })))

  const exec = (sql: string) => bench.ledger.store.exec(sql)

  it('copies all of it into one private file, with what is wrong in it, and replaces a file only when told', async () => {
    bench.price({ 1: 110 })
    bench.ledger.requests.begin({ operation: 'AddItem', subject: 'x', profile: 'shop' })
    const path = join(bench.directory, 'copy.db')
    const backup = await backUpLedger(bench.ledger, path, { force: false })
    expect(backup).to.deep.equal({ bytes: statSync(path).size, jobs: 1, requests: 1, faults: [] })
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    exec('UPDATE bulk_batches SET prices = NULL')
    expect(await thrown(() => backUpLedger(bench.ledger, path, { force: false }))).to.have.property('code', 'EEXIST')
    writeFileSync(path, 'older')
    const again = await backUpLedger(bench.ledger, path, { force: true })
    expect(again.faults.map(({ Problem }) => Problem)).to.deep.equal(['its prices are missing'])
    expect(again.bytes).to.be.greaterThan(5)
  })

  it('leaves nothing beside the ledger of a copy that is broken off', async () => {
    bench.price({ 1: 110 })
    exec('UPDATE jobs SET title = hex(zeroblob(6000000))')
    const files = () => readdirSync(bench.directory).filter((name) => name.startsWith('copy'))
    const stop = new AbortController()
    const copying = thrown(() =>
      backUpLedger(bench.ledger, join(bench.directory, 'copy.db'), { force: false, signal: stop.signal }),
    )
    while (!files().some((name) => name.endsWith('-journal'))) await new Promise((resolve) => setTimeout(resolve, 1))
    stop.abort(new Error('stopped'))
    expect(await copying).to.have.property('message', 'stopped')
    expect(files()).to.deep.equal([])
  })

  it('gives space back unless another process uses the ledger, and hides no other error', async () => {
    expect(await shrinkLedger(bench.ledger)).to.equal(true)
    writeFileSync(bench.ledger.path, 'x'.repeat(9000))
    expect(await thrown(() => shrinkLedger(bench.ledger))).to.have.property('kind', 'damaged')
  })

  it('checks the batches of every job by themselves', async () => {
    const jobs = [bench.price({ 1: 110, 2: 210 }), bench.price({ 3: 310 })]
    expect(await findFaults(bench.ledger.store)).to.deep.equal([])
    const problems = async (sql: string) => {
      exec('SAVEPOINT here')
      exec(sql)
      const found = (await findFaults(bench.ledger.store)).map(({ Check, Where, Problem }) => [Check, Where, Problem])
      exec('ROLLBACK TO here; RELEASE here')
      return found
    }
    const [first, second] = jobs
    expect(await problems(`UPDATE bulk_batches SET first_row = 3 WHERE job_id = ${second}`)).to.deep.equal([
      ['rows', `job ${second}, batch 1`, 'it begins at row 3, not 1'],
    ])
    expect(await problems(`UPDATE bulk_states SET states = x'0009' WHERE job_id = ${first}`)).to.deep.equal([
      ['rows', `job ${first}, batch 1`, '1 rows have a state that is unknown to this tool'],
      ['rows', `job ${first}, batch 1`, 'it counts 2 rows as unsent, and has 1'],
    ])
    for (const column of ['lines', 'ids', 'prices', 'old_prices']) {
      expect(await problems(`UPDATE bulk_batches SET ${column} = x'01000000' WHERE job_id = ${first}`)).to.deep.equal([
        ['rows', `job ${first}, batch 1`, `${column} holds 1 values for 2 rows`],
      ])
    }
    expect(await problems(`UPDATE bulk_states SET reasons = 'null' WHERE job_id = ${first}`)).to.deep.equal([
      ['rows', `job ${first}, batch 1`, 'its reasons cannot be read'],
    ])
    expect(await problems(`UPDATE bulk_states SET reasons = '{"0":"x","2":"y"}' WHERE job_id = ${first}`)).to.deep.equal([
      ['rows', `job ${first}, batch 1`, 'its reasons cannot be read'],
    ])
  })

  it('names what it keeps and removes in ascending order', async () => {
    const jobs: number[] = []
    for (let at = 0; at < 12; at++) {
      const id = bench.price({ 1: 110 + at })
      await bench.run(id, { wait: true })
      jobs.push(id)
    }
    for (const [undone, by] of [
      [11, 12],
      [2, 12],
    ] as const) {
      exec(`UPDATE jobs SET undo_of = ${undone}, detail = '{"undoOf":[${undone},9,10]}' WHERE id = ${by}`)
    }
    exec('UPDATE bulk_states SET unknown = 1, ok = 0 WHERE job_id IN (3, 1)')
    exec("INSERT INTO requests (job_id, operation, subject, profile, state, sent_at) VALUES (4, 'x', 'x', 'shop', 'unknown', 0)")
    bench.clock.time += 10 * DAY
    const { Jobs: removed, Kept: kept } = await planPrune(bench.ledger, bench.clock.time)
    expect(kept).to.deep.equal({ Unfinished: [1, 3, 4], LastPrices: [12], Referred: [2, 9, 10] })
    expect(removed).to.deep.equal([5, 6, 7, 8, 11])
  })

  it('removes a listing of which nothing was carried out, and says of any other what to choose', async () => {
    const { ledger } = bench
    const list = () => createListing({ ledger, profile: 'shop', itemRequest: LAMP, images: [] })
    const [one, other] = [list(), list()]
    removeListing(ledger, one.JobId)
    expect(ledger.jobs.list().map(({ JobId }) => JobId)).to.deep.equal([other.JobId])
    expect(ledger.store.rows('SELECT DISTINCT job_id FROM listing_steps')).to.deep.equal([[other.JobId]])
    expect(await findFaults(ledger.store)).to.deep.equal([])
    const [step] = showListing(ledger, other.JobId).Steps
    if (step === undefined) throw new Error('no step')
    const jobId = other.JobId
    const never = chooseForItem(jobId, step)
    expect(never.message).to.equal(
      'Whether the service took the item "Lampa" is unknown, because the reply was lost. It is not sent again automatically.',
    )
    expect(never.details).to.deep.equal({ jobId, step: 1, title: 'Lampa', sentAt: null })
    expect(chooseForItem(jobId, { ...step, StartedAt: '2026-11-22T08:00:00.123Z' }).message).to.include(
      '"Lampa", sent 2026-11-22 09:00, is unknown',
    )
    expect(chooseForImage(jobId, step).details).to.deep.equal({ jobId, step: 1, path: 'Lampa', sentAt: null })
    for (const [state, hint] of [
      ['cancelled', 'You dropped it.'],
      ['failed', 'Correct what was refused'],
    ] as const) {
      const over = jobIsOver({ ...other, State: state, Message: 'because' })
      expect(over.details).to.deep.equal({ jobId, state })
      expect(over.hint).to.include(hint)
      expect(over.message).to.match(/resumed\. because\.$/)
    }
    expect(existsSync(bench.path)).to.equal(true)
  })
})
