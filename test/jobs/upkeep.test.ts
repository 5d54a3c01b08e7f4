/** Checking and pruning the tables of jobs and requests. Prices, costs and sales: history/upkeep.test.ts, sales/sales.test.ts. */
import { expect } from 'chai'
import { createBulkJob } from '../../src/jobs/bulk/index.js'
import { packInts } from '../../src/jobs/bulk/pack.js'
import { findFaults, planPrune, pruneLedger, shrinkLedger } from '../../src/jobs/upkeep/index.js'
import { openedForEach } from '../opened.js'
import { Bench, FakeService, FORM } from './bulk/support.js'

const DAY = 24 * 60 * 60 * 1000

const hex = (bytes: Uint8Array): string => `x'${Buffer.from(bytes).toString('hex')}'`
const ints = (...values: number[]): string => hex(new Uint8Array(packInts(values)))

describe('the upkeep of a ledger', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop({ 1: 100, 2: 200, 3: 300 })))

  const exec = (sql: string) => bench.ledger.store.exec(sql)
  const done = async (prices: Record<number, number>, more = {}): Promise<number> => {
    const id = bench.price(prices, more)
    await bench.run(id, { wait: true })
    return id
  }
  const age = (days: number) => {
    bench.clock.time += days * DAY
  }
  const request = (columns: Record<string, string | number | null>): void => {
    const all = {
      operation: "'AddItem'",
      subject: "'x'",
      profile: "'shop'",
      state: "'ok'",
      sent_at: bench.clock.time,
      finished_at: bench.clock.time,
      request_id: 900,
      ...columns,
    }
    exec(
      `INSERT INTO requests (${Object.keys(all).join()}) VALUES (${Object.values(all)
        .map((value) => value ?? 'NULL')
        .join()})`,
    )
  }
  const count = (table: string): number => bench.ledger.store.first<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? -1

  describe('finds', () => {
    for (const [what, sql, check, ...problems] of [
      [
        'a state of a job that it does not know',
        "UPDATE jobs SET state = 'odd', finished_at = NULL",
        'jobs',
        'its state is unknown to this tool',
      ],
      ['details that are not JSON', "UPDATE jobs SET detail = '{'", 'jobs', 'its details cannot be read'],
      [
        'a finished job without a time',
        'UPDATE jobs SET finished_at = NULL',
        'jobs',
        'it is finished without a time, or unfinished with one',
      ],
      [
        'an open job with a time',
        "UPDATE jobs SET state = 'open'",
        'jobs',
        'it is finished without a time, or unfinished with one',
      ],
      ['a job that takes back itself', 'UPDATE jobs SET undo_of = 1', 'jobs', 'it takes back a job that came after it'],
      [
        'a finished job with rows that are not sent',
        "UPDATE bulk_states SET unsent = 1, ok = 1, states = x'0003'",
        'jobs',
        'it is finished, and has rows that are not sent or have no result',
      ],
      ['a listing without steps', "UPDATE jobs SET kind = 'listing'", 'jobs', 'it is a listing without steps'],
      [
        'a step in a state that it does not know, and one that is missing',
        `INSERT INTO listing_steps (job_id, step, operation, subject, state) VALUES (1, 2, 'AddItem', 'x', 'odd')`,
        'steps',
        'a step has a state that is unknown to this tool',
        'its steps are not numbered from 1 on',
      ],
      ['states without rows', 'DELETE FROM bulk_batches', 'rows', 'its rows have no states, or its states no rows'],
      ['rows without states', 'DELETE FROM bulk_states', 'rows', 'its rows have no states, or its states no rows'],
      ['prices that are missing', 'UPDATE bulk_batches SET prices = NULL', 'rows', 'its prices are missing'],
      ['states that are too few', "UPDATE bulk_states SET states = x'03', ok = 1", 'rows', 'states holds 1 values for 2 rows'],
      [
        'queued rows without a request id',
        `UPDATE bulk_states SET states = x'0203', queued = 1, ok = 1, request_ids = ${ints(0, 5)}; UPDATE jobs SET state = 'waiting', finished_at = NULL`,
        'rows',
        '1 rows are queued without a request id',
      ],
      ['extras that are no list', "UPDATE bulk_batches SET extras = '{}'", 'rows', 'extras is not a list of 2 values'],
      ['payloads that are too few', "UPDATE bulk_batches SET payloads = '[1]'", 'rows', 'payloads is not a list of 2 values'],
      ['reasons that are no JSON', "UPDATE bulk_states SET reasons = '{'", 'rows', 'its reasons cannot be read'],
    ] as const) {
      it(what, async () => {
        await done({ 1: 110, 2: 210 })
        expect(await findFaults(bench.ledger.store)).to.deep.equal([])
        exec(sql)
        expect((await findFaults(bench.ledger.store)).map(({ Check, Where, Problem }) => [Check, Where, Problem])).to.deep.equal(
          problems.map((problem) => [check, check === 'rows' ? 'job 1, batch 1' : 'job 1', problem]),
        )
      })
    }

    for (const [what, columns, problem] of [
      ['a state of a request that it does not know', { state: "'odd'" }, 'its state is unknown to this tool'],
      ['a request that was taken, without an id', { request_id: null }, 'it was taken by the service, and has no request id'],
      ['a result without a time', { finished_at: null }, 'it has a result without a time, or none with one'],
      ['a queued request with a time', { state: "'queued'" }, 'it has a result without a time, or none with one'],
      ['one that nobody sends', { state: "'sending'", finished_at: null }, 'it is marked as being sent, but no process sends it'],
      ['one of a job of another profile', { job_id: 1, profile: "'other'" }, 'it belongs to a job of another profile'],
    ] as const) {
      it(what, async () => {
        await done({ 1: 110 })
        request({})
        expect(await findFaults(bench.ledger.store)).to.deep.equal([])
        exec('DELETE FROM requests')
        request(columns)
        expect(await findFaults(bench.ledger.store)).to.deep.equal([
          { Check: 'requests', Where: 'request row 2', Problem: problem },
        ])
      })
    }

    it('no fault in rows that have no prices because their job sets none', async () => {
      createBulkJob(bench.ledger, { kind: 'remove', profile: 'shop', title: 't', form: FORM, rows: [{ line: 1, id: 1 }] })
      exec('UPDATE bulk_batches SET prices = NULL')
      expect(await findFaults(bench.ledger.store)).to.deep.equal([])
    })

    it('no fault in a reason of the last row, and a hundred problems of a kind at most', async () => {
      await done({ 1: 110, 2: 210 })
      exec(`UPDATE bulk_states SET reasons = '{"1":"x"}'`)
      expect(await findFaults(bench.ledger.store)).to.deep.equal([])
      for (let at = 0; at < 101; at++) request({ request_id: null })
      expect(await findFaults(bench.ledger.store)).to.have.length(100)
    })

    it('a ledger of another layout, and looks no further', async () => {
      await done({ 1: 110 })
      exec("UPDATE jobs SET state = 'odd'; PRAGMA user_version = 1")
      const found = await findFaults(bench.ledger.store)
      expect(found.map(({ Check, Where }) => [Check, Where])).to.deep.equal([['file', 'ledger']])
      expect(found[0]?.Problem).to.match(/^its layout is 1, and this version of the tool works with \d+$/)
    })

    it('rows that name a job that is not there', async () => {
      await done({ 1: 110 })
      exec('PRAGMA foreign_keys = OFF')
      request({ job_id: 77 })
      expect(await findFaults(bench.ledger.store)).to.deep.include({
        Check: 'references',
        Where: 'requests 1',
        Problem: 'it names a row of jobs that is not there',
      })
    })
  })

  describe('prunes', () => {
    it('jobs of which each item has a newer price, with their rows', async () => {
      const first = await done({ 1: 110, 2: 210 })
      const second = await done({ 1: 120 })
      const third = await done({ 2: 220 })
      age(10)
      const plan = await planPrune(bench.ledger, bench.clock.time)
      expect(plan).to.deep.include({ Jobs: [first], Rows: 2, Steps: 0 })
      expect(plan.Kept).to.deep.equal({ Unfinished: [], LastPrices: [second, third], Referred: [] })
      expect(await pruneLedger(bench.ledger, bench.clock.time)).to.deep.equal(plan)
      expect([count('jobs'), count('bulk_batches'), count('bulk_states')]).to.deep.equal([2, 2, 2])
      expect((await planPrune(bench.ledger, bench.clock.time)).Jobs).to.deep.equal([])
      expect(await findFaults(bench.ledger.store)).to.deep.equal([])
    })

    it('no job of another shop for a newer price of the same item', async () => {
      const mine = await done({ 1: 110 })
      const other = await done({ 1: 120 }, { userId: 8 })
      age(10)
      expect((await planPrune(bench.ledger, bench.clock.time)).Kept.LastPrices).to.have.members([mine, other])
      const again = await done({ 1: 130 }, { userId: 8 })
      age(10)
      expect(await planPrune(bench.ledger, bench.clock.time)).to.deep.include({ Jobs: [other] })
      expect((await planPrune(bench.ledger, bench.clock.time)).Kept.LastPrices).to.have.members([mine, again])
    })

    it('no last price for a row that was not sent or was refused: the price before it counts', async () => {
      const set = await done({ 1: 110, 2: 210 })
      bench.service.code = () => 'Error'
      const failed = await done({ 1: 120, 2: 220 })
      age(10)
      const plan = await planPrune(bench.ledger, bench.clock.time)
      expect(plan.Jobs).to.deep.equal([failed])
      expect(plan.Kept.LastPrices).to.deep.equal([set])
    })

    it('nothing that ended later, is open, or is worked on', async () => {
      const first = await done({ 1: 110 })
      await done({ 1: 120 })
      age(10)
      const at = bench.ledger.jobs.show(first).FinishedAt
      expect((await planPrune(bench.ledger, Date.parse(at ?? ''))).Jobs, 'it ended at that time').to.deep.equal([])
      expect((await planPrune(bench.ledger, Date.parse(at ?? '') + 1)).Jobs).to.deep.equal([first])
      exec("UPDATE jobs SET lock_owner = 'x'")
      expect((await planPrune(bench.ledger, bench.clock.time)).Jobs).to.deep.equal([])
      exec("UPDATE jobs SET lock_owner = NULL, state = 'open', finished_at = NULL")
      expect((await planPrune(bench.ledger, bench.clock.time)).Jobs).to.deep.equal([])
    })

    it('no job with rows or requests whose outcome is open', async () => {
      const jobs = [await done({ 1: 110 }), await done({ 1: 120 }), await done({ 1: 130 }), await done({ 1: 140 })]
      await done({ 1: 150 })
      age(10)
      exec(`UPDATE bulk_states SET ok = 0, unknown = 1 WHERE job_id = ${jobs[0]}`)
      request({ job_id: jobs[1] ?? 0, state: "'unknown'" })
      exec(
        `INSERT INTO listing_steps (job_id, step, operation, subject, state) VALUES (${jobs[2]}, 1, 'AddItem', 'x', 'unknown')`,
      )
      const plan = await planPrune(bench.ledger, bench.clock.time)
      expect(plan.Kept.Unfinished).to.deep.equal(jobs.slice(0, 3))
      expect(plan.Jobs).to.deep.equal([jobs[3]])
    })

    it('no job that a job which stays takes back, one or several', async () => {
      const jobs = [await done({ 1: 110 }), await done({ 1: 120 }), await done({ 1: 130 })]
      age(10)
      const undo = await done({ 1: 100 }, { undoOf: jobs.slice(0, 2) })
      const plan = await planPrune(bench.ledger, bench.clock.time - DAY)
      expect(plan.Kept.Referred).to.deep.equal(jobs.slice(0, 2))
      expect(plan.Jobs).to.deep.equal([jobs[2]])
      exec(`UPDATE jobs SET detail = 'null', undo_of = ${jobs[1]} WHERE id = ${undo}`)
      const single = await planPrune(bench.ledger, bench.clock.time - DAY)
      expect(single.Kept.Referred).to.deep.equal([jobs[1]])
      expect(single.Jobs).to.deep.equal([jobs[0], jobs[2]])
    })

    it('requests that ended before, and none that a kept listing is about', async () => {
      request({ request_id: 901 })
      request({ request_id: 902, state: "'queued'", finished_at: null })
      request({ request_id: 903 })
      request({ request_id: null, state: "'refused'" })
      exec(
        `INSERT INTO jobs (kind, profile, title, state, created_at, detail) VALUES ('listing', 'shop', 'x', 'open', 0, '{"requestId":903}')`,
      )
      exec(
        `INSERT INTO jobs (kind, profile, title, state, created_at, detail) VALUES ('listing', 'shop', 'x', 'open', 0, '{"itemRequest":{}}')`,
      )
      age(10)
      request({ request_id: 904 })
      expect((await planPrune(bench.ledger, bench.clock.time)).Requests).to.equal(2)
      await pruneLedger(bench.ledger, bench.clock.time)
      const left = bench.ledger.store.all<{ id: number }>('SELECT request_id AS id FROM requests ORDER BY id').map(({ id }) => id)
      expect(left).to.deep.equal([902, 903, 904])
    })

    it('calls, but none of the last 24 hours, which count for the quota', async () => {
      for (const hours of [0, 23, 25, 100]) {
        exec(
          `INSERT INTO calls (app_id, profile, service, operation, kind, attempt, at) VALUES (1, 'shop', 'x', 'x', 'read', 1, ${bench.clock.time - (hours * DAY) / 24})`,
        )
      }
      expect((await planPrune(bench.ledger, bench.clock.time)).Calls).to.equal(2)
      expect((await planPrune(bench.ledger, bench.clock.time - 2 * DAY)).Calls).to.equal(1)
      await pruneLedger(bench.ledger, bench.clock.time)
      expect(count('calls')).to.equal(2)
      expect(await shrinkLedger(bench.ledger)).to.equal(true)
    })
  })
})
