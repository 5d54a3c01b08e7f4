/**
 * Ledgers that versions 0.1 and 0.2 wrote (test/jobs/layouts), as their owner finds them after an upgrade: listed, undone,
 * resumed, checked.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { Hands } from './clock.js'
import { root } from './harness.js'
import { type ObservedHome, openObserved } from './observed.js'
import { pricesOf } from './shop.js'

const LAYOUTS = join(root, 'test', 'jobs', 'layouts')
/** Two items whose prices job 4 set, from 202 and 731 kr. */
const [HELD, PLAIN] = [600000408, 600000007]

/** Output of the older program about its own ledger. */
interface Said {
  readonly jobs: readonly {
    readonly JobId: number
    readonly Kind: string
    readonly State: string
    readonly Rows: readonly (readonly unknown[])[]
    readonly [key: string]: unknown
  }[]
  readonly requests: readonly object[]
}

for (const [version, discounted] of [
  ['0.1.0', false],
  ['0.2.0', true],
] as const) {
  describe(`a ledger of version ${version}`, () => {
    const said: Said = JSON.parse(readFileSync(join(LAYOUTS, `${version}.golden.json`), 'utf8'))
    const clock = new Hands()
    let home: ObservedHome
    const run = async (...args: string[]) => {
      const ended = await home.run([...args, '--json'], { clock })
      expect(ended.code, ended.stderr || ended.stdout).to.equal(0)
      return ended.json()
    }
    before(async () => {
      // A quarter of an hour after its last call.
      clock.time = Date.parse('2026-11-24T09:25:00Z')
      home = await openObserved({ clock, faults: { queueDelayMs: 0 } })
      mkdirSync(home.dataDir, { recursive: true })
      const ledger = openStore(join(home.dataDir, 'ledger.db'), 'power')
      ledger.exec(readFileSync(join(LAYOUTS, `${version}.sql`), 'utf8'))
      ledger.close()
      // The shop as that version left it.
      const prices = [`${HELD}=${discounted ? 150 : 210}`, `${PLAIN}=720`, '--allow', 'max_change', '--yes']
      const elsewhere = { clock, env: { SELLER_DATA_DIR: join(home.dir, 'elsewhere') } }
      expect((await home.run(['shop:price', ...prices], elsewhere)).code).to.equal(0)
      home.calls()
    })
    after(() => home?.close())

    it('tells of its jobs, their rows and its requests what that version told', async () => {
      const jobs = await run('jobs:list')
      expect(jobs.map(({ JobId, Title, State }: Said['jobs'][number]) => [JobId, Title, State])).to.deep.equal(
        said.jobs.map(({ JobId, Title, State }) => [JobId, Title, State]).reverse(),
      )
      for (const { Rows, ...job } of said.jobs) {
        const shown = await run('jobs:show', String(job.JobId))
        expect(shown).to.include(job)
        const rows = shown.Rows.map(({ Id, OldPrice, Price, State, RequestId, Reason }: Record<string, unknown>) => [
          ...[Id, OldPrice, Price, State, RequestId, Reason],
        ])
        expect(rows, `job ${job.JobId}`).to.deep.equal(Rows)
      }
      const requests: object[] = await run('requests:list')
      for (const [at, request] of said.requests.entries()) expect(requests[at]).to.include(request)
    })

    if (discounted) {
      it('ends a discount of it at the normal price', async () => {
        expect(await run('discounts:list')).to.have.lengthOf(1)
        await run('discounts:end', '1', '--yes', '--wait')
        expect(await pricesOf(home, [HELD])).to.deep.equal([210])
      })
    }

    it('brings the old prices of a job of it back', async () => {
      await run('jobs:undo', '4', '--yes', '--wait')
      expect(await pricesOf(home, [HELD, PLAIN])).to.deep.equal([202, 731])
    })

    it('goes on with a job of it that was killed, where it stood', async () => {
      const job = said.jobs.find(({ State }) => State === 'open')
      const left = job?.Rows.filter(([, , , state]) => state === 'unsent' || state === 'sending') ?? []
      home.calls()
      await run('jobs:resume', String(job?.JobId))
      expect(home.calls().filter((name) => name === 'RemoveShopItem')).to.have.lengthOf(left.length)
      expect(await run('ledger:check')).to.deep.equal([])
    })
  })
}
