/**
 * Every command that decides by the live list, over a list that is damaged in every way: it ends with the code that is promised,
 * sends nothing, and the shop is afterwards as it was. Then the list is whole again, and everything is done as if nothing had
 * happened.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { Hands } from './clock.js'
import { LIST_DAMAGES, type ListDamage, startListDamager, without } from './damaged-lists.js'
import type { Run } from './harness.js'
import { words } from './harness.js'
import { CATEGORY, type ObservedHome, openObserved } from './observed.js'
import { pricesOf, stock } from './shop.js'

const ITEMS = 30
const HOUR = 3_600_000
/** Two of them are digits, which could be ids. */
const reference = (at: number): string => (at === 28 || at === 5 ? `${7000 + at}` : `R${at}`)
const WRITES = /^(Set|Add|Remove|Update|End)/

/** Conclusions of a command from the list: from what is absent, from own references that are absent, or nothing. */
type Rests = 'absence' | 'references' | 'nothing'

interface Row {
  readonly args: readonly string[]
  readonly rests: Rests
  /** Where it concludes nothing: its code over a list that does not have the item. */
  readonly short?: number
}

describe('a list of items that is wrong', function () {
  this.timeout(180_000)
  let home: ObservedHome
  let clock: Hands
  let ids: number[]
  let damage: ((xml: string) => string) | undefined
  let damager: Awaited<ReturnType<typeof startListDamager>>
  let rows: readonly Row[]

  const run = async (...args: string[]): Promise<Run> => home.run(args, { clock })
  const good = async (...args: string[]): Promise<Run> => {
    const ran = await run(...args)
    expect(ran.code, ran.stdout + ran.stderr).to.equal(EXIT.ok)
    return ran
  }
  const shop = async () => {
    const kept = damage
    damage = undefined
    const live = await pricesOf(home, ids)
    const count = (await good('items:list', '--type', 'shop', '--columns', 'Id', '--json')).json().length
    damage = kept
    return { live, count }
  }

  const open = async () => {
    damage = undefined
    clock = new Hands()
    home = await openObserved({ clock, faults: { queueDelayMs: 0 }, extended: true })
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    const prices = Array.from({ length: ITEMS }, (_, at) => 200 + at)
    ids = await stock(home, prices, { reference })
    damager = await startListDamager(home.sandbox.url, () => damage)
    Object.assign(home.env, { SELLER_BASE_URL: damager.url })
    await good('service:check', '--save')
    await good('shop:price', `${ids[1]}=222`, '--yes', '--wait')
    await good(
      ...words`shop:discount Rea ${ids[0]}=190 ${ids[2]}=191 ${ids[20]}=192 --from 2026-11-22T09:00 --until 2026-11-22T12:00
        --yes`,
    )
    await good('jobs:due', '--wait')
    expect(await pricesOf(home, [ids[0] ?? 0, ids[20] ?? 0])).to.deep.equal([190, 192])
    // A job that an earlier run did not send: it is compared with the live list before it goes on.
    const stopped = await run('shop:price', `${ids[4]}=210`, '--yes', '--max-calls', '1', '--json')
    expect(stopped.code, stopped.stdout + stopped.stderr).to.equal(EXIT.quota)
    const { jobId } = stopped.json().error
    // The discount is over.
    clock.time += 4 * HOUR
    const names = Array.from({ length: ITEMS }, (_, at) => `${reference(at)},,,,`)
    const catalogue = ['OwnReferences,Title,CategoryId,Price,AbsoluteQuantity', ...names, `N1,Vas,${CATEGORY},149,3`]
    const file = await home.file('catalogue.csv', `${catalogue.join('\n')}\n`)
    const removed = await home.file('removed.csv', `Id\n${ids[0]}\n`)
    const add = ['--title', 'Vas', '--category', CATEGORY, '--reference', 'R3', '--shipping', 'pickup']
    const additions = await home.file('additions.csv', `OwnReferences,Title,CategoryId,Price\nR3,Vas,${CATEGORY},149\n`)
    const auctions = await home.file('auctions.csv', `Id,OpeningPrice\n${ids[0]},100\n`)
    const numbered = await home.file('numbered.csv', 'Artikelnr,Price\n7028,231\n7005,206\n')
    const first = String(ids[0])
    rows = [
      { args: ['shop:sync', '--file', file, '--yes'], rests: 'references' },
      { args: ['shop:sync', '--file', file, '--remove-missing', '--yes'], rests: 'references' },
      { args: ['shop:add', ...add, '--price', '149'], rests: 'references' },
      { args: ['shop:add', '--file', additions, '--yes'], rests: 'references' },
      { args: ['items:add', ...add, '--opening', '100'], rests: 'references' },
      { args: ['jobs:resume', String(jobId), '--wait'], rests: 'absence' },
      { args: ['prices:history', 'R3'], rests: 'references' },
      { args: ['shop:restore', '--at', '2026-11-22T10:30', '--yes'], rests: 'absence' },
      { args: ['jobs:undo', '1', '--yes'], rests: 'absence' },
      { args: ['shop:diff', '--since', '2026-11-22'], rests: 'absence' },
      { args: ['jobs:due'], rests: 'absence' },
      { args: ['discounts:end', '1', '--yes'], rests: 'absence' },
      { args: ['shop:price', `${first}=201`, `${ids[29]}=230`, '--yes'], rests: 'absence' },
      { args: ['shop:price', '--file', numbered, '--yes'], rests: 'references' },
      { args: ['shop:stock', `${first}=7`, `${ids[29]}=7`, '--yes'], rests: 'absence' },
      { args: ['shop:remove', '--file', removed, '--yes'], rests: 'nothing', short: EXIT.held },
      {
        args: ['shop:discount', 'Ny', `${first}=180`, '--from', '2026-12-01', '--until', '2026-12-02', '--dry-run'],
        rests: 'absence',
      },
      { args: ['items:price', '--file', auctions, '--yes'], rests: 'absence' },
      { args: ['shop:export'], rests: 'nothing', short: EXIT.ok },
      { args: ['items:list'], rests: 'nothing', short: EXIT.ok },
    ]
  }
  const close = async () => {
    damager.close()
    await home.close()
  }

  describe('in any way', () => {
    let untouched: Awaited<ReturnType<typeof shop>>
    before(async () => {
      await open()
      untouched = await shop()
    })
    after(close)

    for (const way of Object.keys(LIST_DAMAGES) as ListDamage[]) {
      const kind = /^no |^nil|^of |^twice/.test(way) ? 'broken' : way === 'without references' ? 'references' : 'short'
      it(`${way}: nothing is sent, and nothing is concluded`, async () => {
        damage = LIST_DAMAGES[way]
        // A discount that failed before is due again.
        clock.time += 2 * HOUR
        for (const { args, rests, short } of rows) {
          // A command that only names its items by id needs no references: it would be carried out.
          if (kind === 'references' && rests !== 'references') continue
          home.calls()
          const ran = await run(...args, '--json')
          const said = `${args.join(' ')}\n${ran.stdout}\n${ran.stderr}`
          const sent = home.calls().filter((name) => WRITES.test(name))
          expect(sent, said).to.deep.equal([])
          // A command that only lists the items shows none where the list is left out, with a warning.
          const none = args[0] === 'items:list' && /^no result|^nil/.test(way)
          const code = none ? EXIT.ok : kind === 'broken' ? EXIT.failure : rests === 'nothing' ? short : EXIT.held
          expect(ran.code, said).to.equal(code)
          if (none) expect(ran.stderr, said).to.match(/has 0 of the \d+ shop items/)
          else if (kind === 'broken') expect(ran.stdout, said).to.include('broken_contract')
          else if (rests !== 'nothing') expect(ran.json().error, said).to.include({ code: 'list_short' })
        }
        expect(await shop()).to.deep.equal(untouched)
      })
    }

    it('leaves all to be done when the list is whole again', async () => {
      damage = undefined
      clock.time += 2 * HOUR
      await good('jobs:due', '--wait')
      await good('jobs:resume', '--wait')
      expect(await pricesOf(home, ids)).to.deep.equal(ids.map((_, at) => (at === 1 ? 222 : at === 4 ? 210 : 200 + at)))
      const catalogue = join(home.dir, 'catalogue.csv')
      const synced = await good('shop:sync', '--file', catalogue, '--remove-missing', '--yes', '--wait', '--json')
      expect(synced.json()).to.include({ Added: 1, Removed: 0 })
    })
  })

  describe('now and then', () => {
    beforeEach(open)
    afterEach(close)

    it('has a title with a character that XML forbids: every command does what it does over any other list', async () => {
      const outcome = async (how: typeof damage) => {
        damage = how
        const done: unknown[] = []
        for (const { args } of rows) {
          home.calls()
          const ran = await run(...args, '--json')
          done.push({ command: args[0], code: ran.code, sent: home.calls().filter((name) => WRITES.test(name)) })
        }
        return { done, ...(await shop()) }
      }
      const plain = await outcome(undefined)
      await close()
      await open()
      const marked = await outcome((xml) => xml.replaceAll('<ShortDescription>', '<ShortDescription>&#x2;'))
      // The sheet of a sync has the title without the character, so the live one differs: that is all that it may send more.
      const title = { command: 'shop:sync', code: 0, sent: ['UpdateShopItem'] }
      expect(marked.done).to.deep.include(title)
      const others = marked.done.map((one) => (isDeepStrictEqual(one, title) ? { ...title, sent: [] } : one))
      expect({ ...marked, done: others }).to.deep.equal(plain)
      expect(plain.done.filter((one) => (one as { sent: string[] }).sent.length > 0)).to.not.have.length(0)
    })

    it('lacks an item at the end of its discount: it is tried again for a day, then given up, and discounts:end restores it', async () => {
      const lost = ids[20] ?? 0
      damage = without(lost)
      const due = async (said: string) => {
        const ran = await run('jobs:due', '--wait', '--json')
        expect(ran.code, ran.stdout + ran.stderr).to.equal(EXIT.someRowsFailed)
        expect(ran.stderr).to.include(`1 item is not in the live list, so the discounted price is not restored${said}`)
        return (await run('discounts:show', '1', '--json')).json() as { State: string; Rows: { Id: number }[] }
      }
      expect((await due(' yet. It is tried again.')).State).to.equal('ending')
      // Half an hour and then every hour: the last try of a day.
      const ledger = openStore(join(home.dataDir, 'ledger.db'), 'power')
      ledger.run('UPDATE discounts SET tries = 30')
      ledger.close()
      clock.time += HOUR
      const { State, Rows } = await due(', and this was the last try. Try again with: seller discounts:end 1')
      expect(State).to.equal('ended')
      const row = Rows.find(({ Id }) => Id === lost)
      expect(row).to.include({ State: 'failed', Reason: 'not restored: it was not in the live list' })
      damage = undefined
      expect(await pricesOf(home, [ids[0] ?? 0, ids[2] ?? 0, lost])).to.deep.equal([200, 202, 192])
      await good('discounts:end', '1', '--yes', '--wait')
      expect(await pricesOf(home, [lost])).to.deep.equal([220])
    })

    it('lacks an item when an interrupted end goes on: that price is not held for good', async () => {
      const lost = ids[20] ?? 0
      expect((await run('jobs:due', '--max-calls', '1')).code).to.equal(EXIT.quota)
      clock.time += HOUR
      damage = without(lost)
      expect((await run('jobs:due', '--wait')).code).to.equal(EXIT.someRowsFailed)
      expect(await pricesOf(home, [ids[0] ?? 0, lost])).to.deep.equal([200, 192])
      damage = undefined
      clock.time += HOUR
      await good('jobs:due', '--wait')
      expect(await pricesOf(home, [ids[0] ?? 0, lost])).to.deep.equal([200, 220])
    })

    it('says itself that an item of a discount has ended: there is nothing to restore', async () => {
      await good('shop:remove', String(ids[2]), '--yes', '--wait')
      await good('jobs:due', '--wait')
      const { State, Rows } = (await run('discounts:show', '1', '--json')).json()
      expect(State).to.equal('ended')
      expect(Rows.map((row: { State: string }) => row.State)).to.have.members(['done', 'done', 'skipped'])
    })

    it('is accepted with --allow max_shrink where the shop really is that small, and is what counts from then on', async () => {
      damage = LIST_DAMAGES.half
      const refused = await run('shop:diff', '--since', '2026-11-22')
      expect(refused.code).to.equal(EXIT.held)
      expect(refused.stderr).to.match(
        /has 15 of the 30 shop items that were live at the last reading, of 2026-11-22 09:00.*--allow max_shrink/s,
      )
      expect((await run('shop:diff', '--since', '2026-11-22', '--allow', 'max_shrink=40%')).code).to.equal(EXIT.held)
      const { length } = (await good('shop:diff', '--since', '2026-11-22', '--allow', 'max_shrink=50%', '--json')).json()
      expect(length).to.be.at.least(15)
      await good('shop:diff', '--since', '2026-11-22')
    })
  })
})
