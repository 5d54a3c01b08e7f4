/** Real processes that close a shop and open it again, killed -9 at each of their calls: it is never left closed. */
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { openHome } from '../e2e/harness.js'
import { closing } from '../opened.js'
import { Gate } from './gate.js'

const HOUR = 3_600_000
/** Looks at the settings, sends them, looks again. */
const CALLS = 3

describe('a closing whose run is killed -9 at each call', function () {
  this.timeout(240_000)

  it('closes the shop, opens it by itself, and brings the message of before back', async () => {
    await using home = closing(await openHome({ sandbox: { faults: { queueDelayMs: 0 }, extended: true } }))
    using gate = closing(new Gate(home.sandbox.url))
    Object.assign(home.env, { SELLER_BASE_URL: await gate.open() })
    const settings = async () => {
      const { IsTemporaryClosed, TemporaryClosedMessage } = (await home.done('shop:settings', '--json')).json()
      return [IsTemporaryClosed, TemporaryClosedMessage]
    }
    /** Lets the time of the closing come nearer. */
    const pass = (hours: number): void => {
      using store = closing(openStore(join(home.dataDir, 'ledger.db'), 'process'))
      const ms = hours * HOUR
      store.run('UPDATE shop_closings SET starts_at = starts_at - ?1, ends_at = ends_at - ?1, next_at = next_at - ?1', ms)
    }
    /** Runs jobs:due until it waits for the reply to its call of that number, and kills it there. */
    const killAt = async (call: number): Promise<void> => {
      const held = gate.arm(call - 1, true)
      const running = home.spawn(['jobs:due', '--json'])
      await held
      running.kill('SIGKILL')
      await running.done
      gate.disarm()
    }
    await home.seller('service:check', '--save', '--quiet')
    const limits = ['shopSettings.MaxActiveItems=0', 'shopSettings.MaxInventoryItems=0']
    await home.done('call', 'SetShopSettings', ...limits, 'shopSettings.TemporaryClosedMessage=Hej', '--yes')
    for (let call = 1; call <= CALLS; call++) {
      const times = ['--from', '+1h', '--until', '+1d']
      await home.done('shop:settings', '--close', ...times, '--message', `Jul ${call}`, '--yes', '--json')
      for (const [part, hours, after] of [
        ['close', 1, [true, `Jul ${call}`]],
        ['open', 24, [false, 'Hej']],
      ] as const) {
        pass(hours)
        await killAt(call)
        const again = await home.done('jobs:due', '--json')
        expect(again.json()[0], again.stderr).to.include({ Part: part, State: 'ok' })
        expect(await settings(), `${part}: killed at call ${call}`).to.deep.equal(after)
        expect((await home.done('jobs:due', '--json')).json(), 'nothing is left to do').to.deep.equal([])
      }
    }
  })
})
