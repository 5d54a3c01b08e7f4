/**
 * Writes what is due of a discount, for pieces.test.ts: `step-child.ts LEDGER NOW MOMENT`, with the live prices as a message. It
 * ends as by kill -9 at the so manieth moment at which it looks at the clock (in the middle of transactions) or begins a piece,
 * if there is one.
 */
import { once } from 'node:events'
import { openLedger } from '../../../src/jobs/index.js'
import { FakeClock } from '../harness.js'
import { planned } from './support.js'

const [path = '', now = '', moment = ''] = process.argv.slice(2)

class DeadlyClock extends FakeClock {
  left = Number.POSITIVE_INFINITY
  override now(): number {
    this.moment()
    return super.now()
  }
  moment(): void {
    if (--this.left === 0) process.kill(process.pid, 'SIGKILL')
  }
}

const clock = new DeadlyClock()
clock.time = Number(now)
const ledger = openLedger(path, clock)
const [live] = (await once(process, 'message')) as [number[]]
const step = await planned(ledger, (id) => live[id - 1] ?? 0)
clock.left = Number(moment)
await step.write({ beat: () => clock.moment() })
ledger.close()
process.disconnect()
