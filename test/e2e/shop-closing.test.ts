/** A shop that is closed for a time, over real HTTP, with lost answers, several runs at once, and a clock that the test moves. */
import { expect } from 'chai'
import { openLedger } from '../../src/jobs/ledger/index.js'
import { FaultInjector } from '../../src/sandbox/server/fault-injection.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing } from '../opened.js'
import { Hands } from './clock.js'
import { type ObservedHome, openObserved } from './observed.js'
import { openShops } from './several-shops.js'

const HOUR = 3_600_000

/** A seed with which the first call is answered, and no answer comes to those after it, which are carried out. */
function losingSeed(): string {
  for (let seed = 1; ; seed++) {
    const station = new FaultInjector({ dropAfter: 0.5, seed })
    const endings = Array.from({ length: 7 }, () => station.next().ending)
    if (endings[0] === 'served' && endings.slice(1).every((ending) => ending === 'dropped after')) return String(seed)
  }
}

describe('shop:settings --close', function () {
  this.timeout(120_000)
  let home: ObservedHome
  let clock: Hands
  const run = (...args: string[]) => home.run(args, { clock })
  const shop = async () => {
    const { IsTemporaryClosed, TemporaryClosedMessage } = (await run('shop:settings', '--json')).json()
    return [IsTemporaryClosed, TemporaryClosedMessage]
  }
  const sent = () => home.calls().filter((name) => name === 'SetShopSettings').length
  const close = async (message: string) => {
    const made = await run('shop:settings', '--close', '--from', '+1h', '--until', '+1d', '--message', message, '--yes', '--json')
    expect([made.code, made.json().State], made.stderr).to.deep.equal([0, 'planned'])
    const { next: _, ...closing } = made.json()
    expect((await run('shop:settings', '--json')).json().Closing, 'the settings have it too').to.deep.equal(closing)
  }

  beforeEach(async () => {
    clock = new Hands()
    home = await openObserved({ clock, faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true })
    const limits = ['shopSettings.MaxActiveItems=0', 'shopSettings.MaxInventoryItems=0']
    await run('call', 'SetShopSettings', ...limits, 'shopSettings.TemporaryClosedMessage=Hej', '--yes')
    home.calls()
  })
  afterEach(() => home.close())

  it('closes once where answers are lost, and brings the message of before back', async () => {
    const logo = (await run('shop:settings', '--json')).json().LogoInformation
    await close('Jul')
    clock.time += HOUR
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '50%', seed: losingSeed() })
    const lost = await run('jobs:due', '--json')
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '0%' })
    expect(lost.json().error?.code, lost.stdout + lost.stderr).to.equal('connection_lost')
    expect(await shop()).to.deep.equal([true, 'Jul'])
    home.calls()
    const early = await run('jobs:due', '--json')
    expect([early.json(), home.calls()], 'not before its next try').to.deep.equal([[], []])
    clock.time += HOUR
    const again = await run('jobs:due', '--json')
    expect([again.code, again.json()[0]?.Part, sent()], again.stderr).to.deep.equal([0, 'close', 0])
    clock.time += 24 * HOUR
    expect((await run('jobs:due', '--json')).json()[0]?.Part).to.equal('open')
    expect(await shop()).to.deep.equal([false, 'Hej'])
    expect((await run('shop:settings', '--json')).json().LogoInformation).to.deep.equal(logo)
  })

  it('is closed and opened by one of several runs at once', async () => {
    await close('Jul')
    for (const hours of [1, 24]) {
      clock.time += hours * HOUR
      home.calls()
      const runs = await Promise.all(Array.from({ length: 4 }, () => run('jobs:due', '--json')))
      expect(runs.map(({ code }) => code).filter((code) => code !== 0 && code !== 8)).to.deep.equal([])
      expect(runs.flatMap((each) => each.json()).map(({ State }: { State: string }) => State)).to.deep.equal(['ok'])
      expect(sent()).to.equal(1)
    }
    expect(await shop()).to.deep.equal([false, 'Hej'])
  })

  it('says so where the service has taken the change, and the shop is as it was', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'bad-value': 'IsTemporaryClosed=true' })
    const open = await run('shop:settings', '--open', '--yes', '--json')
    expect([open.json().error?.code, sent()], open.stderr).to.deep.equal(['no_effect', 1])
    await controlSandbox(home.sandbox.url, 'faults', { 'bad-value': 'none' })
    clock.time += HOUR
    const again = await run('jobs:due', '--json')
    expect(again.json()[0]?.State, 'it is open: nothing is sent').to.equal('ok')
    expect(sent()).to.equal(0)
  })

  it('is planned once by two at once, and keeps how the shop was before the call', async () => {
    const args = ['shop:settings', '--close', '--from', '+1h', '--until', '+1d', '--message', 'Jul', '--yes', '--json']
    const both = await Promise.all([run(...args), run(...args)])
    expect(both.map(({ code }) => code).sort()).to.deep.equal([0, 2])
    clock.time += HOUR
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '50%', seed: losingSeed() })
    await run('jobs:due')
    await controlSandbox(home.sandbox.url, 'faults', { 'drop-after': '0%' })
    const ledger = openLedger(`${home.dataDir}/ledger.db`, clock)
    const kept = ledger.closings.latest({ profile: 'default', userId: 1001 })
    ledger.close()
    expect([kept?.state, JSON.parse(kept?.before ?? 'null')]).to.deep.equal(['closing', { Closed: false, Message: 'Hej' }])
  })
})

describe('shop:settings --close of several shops', () => {
  it('asks once, plans the same in each, and is typed again where it stopped midway', async () => {
    const clock = new Hands()
    await using shops = closing(await openShops({ clock, faults: { queueDelayMs: 0 }, emptyShops: true, extended: true }))
    const names = ['shop-a', 'shop-b', 'shop-d']
    const run = (...args: string[]) => shops.run(args, { clock })
    for (const name of names) {
      const saved = await run('service:check', '--save', '--quiet', '--profile', name)
      expect(saved.code, saved.stderr).to.equal(0)
    }
    const closed = async () => {
      const all = await Promise.all(names.map((name) => run('shop:settings', '--json', '--profile', name)))
      return all.map((each) => each.json().IsTemporaryClosed)
    }
    // One of them is closed for good, and stays so.
    const earlier = await closed()
    const args = ['shop:settings', '--close', '--from', '2099-12-20', '--until', '2099-12-31', '--message', 'Jul']
    const several = (...more: string[]) => run(...args, '--profiles', names.join(','), ...more)
    shops.home.calls()
    const dry = await several('--dry-run', '--json')
    expect(
      dry.json().map(({ State }: { State: string }) => State),
      dry.stderr,
    ).to.deep.equal(['planned', 'planned', 'planned'])
    const refused = await several('--json')
    expect([refused.code, refused.json().error.code], refused.stderr).to.deep.equal([6, 'confirmation_missing'])
    const listed = await run('jobs:due', '--profiles', names.join(','), '--dry-run', '--json')
    expect(listed.stdout).to.not.include('"close"')
    // One has it already, as where a run was killed midway.
    const first = await run(...args, '--profile', 'shop-b', '--yes', '--json')
    expect(first.code, first.stderr).to.equal(0)
    const done = await several('--yes', '--json')
    expect(done.code, done.stderr).to.equal(0)
    expect(
      done.json().map(({ State, Result }: { State: string; Result: { State: string } }) => [State, Result.State]),
    ).to.deep.equal(names.map(() => ['planned', 'planned']))
    expect(shops.home.calls()).to.not.include('SetShopSettings')
    clock.time = Date.UTC(2099, 11, 20, 12)
    const due = await run('jobs:due', '--profiles', names.join(','), '--json')
    expect(due.code, due.stderr).to.equal(0)
    expect(await closed()).to.deep.equal([true, true, true])
    clock.time = Date.UTC(2100, 0, 1, 12)
    expect((await run('jobs:due', '--profiles', names.join(','), '--json')).code).to.equal(0)
    expect(await closed()).to.deep.equal(earlier)
  })
})
