import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import type { Running } from '../e2e/harness.js'
import { openObserved } from '../e2e/observed.js'
import { pricesOf, setFaults, stock } from '../e2e/shop.js'
import { opened } from '../opened.js'

const SENDING = 'SetPriceOnShopItems'

/** Runs of the built command that end in the middle, and others that look at them meanwhile. */
describe('a job', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  const shop = async (prices: readonly number[]) => {
    const ids = await stock(home, prices)
    home.calls()
    return ids
  }
  const csv = (ids: readonly number[], price: (at: number) => number) =>
    `Id,Price\n${ids.map((id, at) => `${id},${price(at)}`).join('\n')}\n`

  describe('of 2,000 rows, broken off', () => {
    let ids: number[]
    before(async () => {
      ids = await shop(Array.from({ length: 2000 }, () => 500))
    })
    beforeEach(() => setFaults(home, { latency: '500ms..500ms' }))
    afterEach(() => setFaults(home, { latency: '0ms..0ms' }))
    /** Waits until an operation was called this often. If the run ends before, the test fails with its output. */
    const reached = async (running: Running, operation: string, times: number) => {
      let ended = false
      running.done.finally(() => {
        ended = true
      })
      for (let seen = 0; seen < times && !ended; await new Promise((resolve) => setTimeout(resolve, 10)))
        seen += home.calls().filter((name) => name === operation).length
    }
    /** A run that is sending. */
    const begun = async (price: (at: number) => number) => {
      home.calls()
      // The prices of each test are higher than those of the one before, because the guards are not tested here.
      const free = ['--allow', 'max_change', '--allow', 'max_drift']
      const args = ['shop:price', '--file', '-', '--yes', '--concurrency', '1', '--json', ...free]
      const running = home.spawn(args, { stdin: csv(ids, price) })
      await reached(running, SENDING, 2)
      return running
    }
    const finish = async (price: (at: number) => number) => {
      await setFaults(home, { latency: '0ms..0ms' })
      const [job] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
      expect(job).to.include({ State: 'open', Running: false })
      const listed = await home.seller('jobs:list', '--limit', '1')
      expect(listed.stderr).to.include(`seller jobs:resume ${job.JobId}`)
      const resumed = await home.done('jobs:resume', '--json')
      expect(resumed.json()).to.include({ JobId: job.JobId })
      expect(await pricesOf(home, ids)).to.deep.equal(ids.map((_, at) => price(at)))
      expect((await home.seller('jobs:resume', String(job.JobId), '--json')).json()).to.include({ State: 'ok' })
    }

    it('by Ctrl-C: exit 130, the command that goes on, and it goes on', async () => {
      const price = (at: number) => 510 + (at % 100)
      const running = await begun(price)
      running.interrupt('SIGINT')
      const run = await running.done
      expect(run.code, run.stderr).to.equal(130)
      const { error } = run.json()
      expect(error).to.include({ code: 'interrupted', state: 'open' })
      expect(error.message).to.match(/Job \d+: [\d\u00a0 ]+ of 2.000 rows were sent/)
      expect(error.hint).to.include(`seller jobs:resume ${error.jobId}`)
      await finish(price)
    })

    it('by Ctrl-C while it waits: everything is sent, and the wait goes on later', async () => {
      await setFaults(home, { latency: '0ms..0ms', 'queue-delay': '1h' })
      home.calls()
      const rows = csv(ids, (at) => 450 + (at % 100))
      const running = home.start(['shop:price', '-f', '-', '--yes', '--wait', '--json'], { stdin: rows })
      await reached(running, 'GetRequestResults', 1)
      running.interrupt('SIGINT')
      const run = await running.done
      await setFaults(home, { 'queue-delay': '0ms' })
      expect(run.code, run.stderr).to.equal(130)
      const { error } = run.json()
      expect(error).to.include({ code: 'interrupted', state: 'waiting' })
      expect(error.hint).to.include(`seller jobs:resume ${error.jobId} --wait`)
      await controlSandbox(home.sandbox.url, 'clock', { advance: '2h' })
      expect((await home.seller('jobs:resume', '--json')).json()).to.include({ JobId: error.jobId, State: 'ok' })
    })

    it('not at all, but looked at by another process: exit 6, naming who holds it', async () => {
      const price = (at: number) => 730 + (at % 100)
      const running = await begun(price)
      await setFaults(home, { latency: '5s..5s' })
      const [job] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
      expect(job).to.include({ Running: true })
      const second = await home.seller('jobs:resume', String(job.JobId), '--json')
      expect([second.code, second.json().error.code]).to.deep.equal([6, 'job_locked'])
      expect(second.json().error.message).to.include(`process ${running.child.pid}`)
      const undo = await home.seller('jobs:undo', String(job.JobId), '--yes', '--json')
      expect([undo.code, undo.json().error.code]).to.deep.equal([6, 'job_locked'])
      // The calls after the one that hangs now.
      await setFaults(home, { latency: '0ms..0ms' })
      expect((await running.done).code).to.equal(0)
      expect(await pricesOf(home, ids)).to.deep.equal(ids.map((_, at) => price(at)))
    })
  })
})
