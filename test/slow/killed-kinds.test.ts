/**
 * Real processes of each kind of job, killed -9 at random moments, and gone on with as their sellers would. What a crash may leave is tried by months
 * in virtual time (test/simulation); here a kernel ends the process, and its disk is a disk.
 */
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { sequence } from '../../src/system/random.js'
import { type Home, openHome, type Run } from '../e2e/harness.js'
import { CATEGORY } from '../e2e/observed.js'
import { pricesOf, setFaults, stock } from '../e2e/shop.js'
import { closing, openedForEach } from '../opened.js'

const KILLS = 4
/** Runs that may follow one another until a job is done. */
const MOST_RUNS = 100
const LOSSES = { latency: '5ms..40ms', 'drop-before': '4%', 'drop-after': '4%' }
const NONE = { latency: '0ms..0ms', 'drop-before': '0%', 'drop-after': '0%' }

interface LiveItem {
  readonly id: number
  readonly reference: string
  readonly price: number
  readonly remaining: number
}

describe('a command killed -9 at random moments, and gone on with', function () {
  this.timeout(900_000)
  const home = openedForEach(() => openHome({ sandbox: { faults: { queueDelayMs: 0, seed: 5 }, extended: true } }))

  it('shop:stock ends with the numbers of an undisturbed run', async () => {
    const killer = new Killer(home, 3)
    const ids = await stock(
      home,
      Array.from({ length: 400 }, () => 100),
    )
    await killer.rounds(async (round) => {
      const number = (at: number): number => 1 + ((at * 7 + round * 13) % 50)
      const file = await home.file('stock.csv', `Id,Quantity\n${ids.map((id, at) => `${id},${number(at)}`).join('\n')}\n`)
      await killer.toEnd(['shop:stock', '--file', file, '--yes', '--json'])
      const live = new Map(liveItems(home).map(({ id, remaining }) => [id, remaining]))
      expect(ids.map((id) => live.get(id))).to.deep.equal(ids.map((_, at) => number(at)))
    })
  })

  it('shop:add adds each row once', async () => {
    const killer = new Killer(home, 4)
    await killer.rounds(async (round) => {
      const names = Array.from({ length: 25 }, (_, at) => `K${round}-${at}`)
      const file = await home.file('new.csv', catalogue(names.map((name) => ({ reference: name, price: 200, remaining: 3 }))))
      await killer.toEnd(['shop:add', '--file', file, '--max-added', 'off', '--yes', '--wait', '--json'])
      const live = liveItems(home).filter(({ reference }) => reference.startsWith(`K${round}-`))
      expect(live.map(({ reference }) => reference).sort()).to.deep.equal(names.sort())
    })
  })

  it('shop:sync ends with a shop like the catalogue', async () => {
    const killer = new Killer(home, 6)
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    await home.seller('service:check', '--save')
    await killer.rounds(async (round) => {
      // Each round has other prices and numbers, five new rows, and five fewer.
      const rows = Array.from({ length: 60 }, (_, at) => ({
        ...{ reference: `S${round * 5 + at}`, price: 200 + ((at + round) % 40), remaining: 1 + ((at + round) % 9) },
      }))
      const file = await home.file('catalogue.csv', catalogue(rows))
      const line = ['shop:sync', '--file', file, '--remove-missing', '--max-removed', 'off', '--yes', '--wait', '--json']
      await killer.toEnd(line)
      await home.done(...line)
      const live = liveItems(home).map(({ reference, price, remaining }) => `${reference}: ${price}, ${remaining}`)
      expect(live.sort()).to.deep.equal(
        rows.map(({ reference, price, remaining }) => `${reference}: ${price}, ${remaining}`).sort(),
      )
    })
  })

  it('shop:sync changes every field, and shop:restore brings back those of a date', async () => {
    const killer = new Killer(home, 9)
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    await home.seller('service:check', '--save')
    const guards = [
      '--max-titles',
      'off',
      '--max-added',
      'off',
      '--max-removed',
      'off',
      '--max-same-stock',
      'off',
      '--no-stock-shifted',
      '--remove-missing',
    ]
    const sync = async (round: number) => {
      const file = await home.file(`fields-${round}.json`, JSON.stringify(editedShop(round)))
      return ['shop:sync', '--file', file, ...guards, '--yes', '--wait', '--json']
    }
    await home.done(...(await sync(0)))
    await killer.rounds(async (round) => {
      const before = itemsByReference(home)
      const date = new Date().toISOString()
      const line = await sync(round + 1)
      await killer.toEnd(line)
      const again = await home.done(...line)
      expect(again.json(), again.stderr).to.include({ JobId: null, Missing: 0 })
      const edited = itemsByReference(home)
      const shown = (Title: unknown) => editedShop(round + 1).find((row) => row.Title === Title)
      for (const { title, text, category } of edited.values())
        expect(shown(title)).to.include({ Title: title, Description: text, CategoryId: category })
      await killer.toEnd(['shop:restore', '--at', date, '--yes', '--wait', '--json'])
      const restored = itemsByReference(home)
      // Items that were removed or added cannot be taken back.
      const both = [...before.keys()].filter((reference) => restored.has(reference))
      expect(both).to.have.length(SHOP_SIZE - 2)
      for (const reference of both) expect(restored.get(reference), reference).to.deep.equal(before.get(reference))
    })
  })

  it('jobs:due and discounts:end set the prices of a discount, and set them back', async () => {
    const killer = new Killer(home, 8)
    const normal = Array.from({ length: 120 }, (_, at) => 500 + at * 10)
    const ids = await stock(home, normal, { reference: (at) => `D-${at}` })
    await killer.rounds(async (round) => {
      const made = ['shop:discount', `Round ${round}`, '--reference', 'D-*', '--add', '-10%', '--from', 'now', '--until', '+5d']
      const { DiscountId } = (await home.done(...made, '--yes', '--json')).json()
      for (const [line, share] of [
        [['jobs:due', '--wait'], 0.9],
        [['discounts:end', String(DiscountId), '--yes', '--wait'], 1],
      ] as const) {
        for (let runs = 0; (await killer.run(line)).signal !== null; runs++) expect(runs).to.be.below(MOST_RUNS)
        // A start that was killed is gone on with by the next.
        await home.seller('jobs:due', '--wait')
        expect(await pricesOf(home, ids)).to.deep.equal(normal.map((price) => Math.round(price * share)))
      }
    })
  })
})

const catalogue = (rows: readonly Omit<LiveItem, 'id'>[]): string =>
  `SKU,Titel,Kategori,Pris,Antal,Frakt,Betalning,Moms\n${rows
    .map(({ reference, price, remaining }) => `${reference},Vara ${reference},${CATEGORY},${price},${remaining},pickup,4096,25`)
    .join('\n')}\n`

const SHOP_SIZE = 40

/** A shop whose rows have other fields in each round: two fewer, two new, and most of the others edited. */
function editedShop(round: number): Readonly<Record<string, unknown>>[] {
  return Array.from({ length: SHOP_SIZE }, (_, at) => {
    const number = round * 2 + at
    const edit = (share: number) => (number % share === 0 ? round : 0)
    return {
      OwnReferences: [`F${number}`],
      Title: `Vara ${number}, utgåva ${edit(2)}`,
      Description: `<p>Vara nummer ${number} i utgåva ${edit(3)}, hel och ren, från ett rökfritt hem.</p>`,
      CategoryId: Number(CATEGORY),
      Price: 200 + ((number + edit(2)) % 40),
      AbsoluteQuantity: 3 + (number % 7) + edit(4),
      VAT: edit(5) % 2 === 0 ? 25 : 12,
      ShippingCondition: `Skickas inom ${1 + round} dagar.`,
      PaymentCondition: 'Swish inom tre dagar.',
      ShippingOptions: [{ ShippingProviderId: 2, Cost: 59 + round, ShippingWeight: 1, ShippingProductId: 21 }],
      PaymentOptionIds: [4096],
    }
  })
}

interface StoredItem {
  readonly price: number
  readonly remaining: number
  readonly category: number
  readonly title: string
  readonly text: string
  readonly rest: unknown
}

/** The seller's live items as the sandbox keeps them, whole, by own reference. */
function itemsByReference(home: Home): Map<string, StoredItem> {
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  const sql = 'SELECT price, remaining, category_id, details FROM items WHERE type = 4 AND starts <= ?1 AND ends > ?1'
  const rows = store.all<{ price: number; remaining: number; category_id: number; details: string }>(sql, Date.now())
  return new Map(
    rows.map(({ price, remaining, category_id: category, details }) => {
      const { item } = JSON.parse(details) as { item: Readonly<Record<string, unknown>> }
      const { ShortDescription: title, LongDescription: text, ...rest } = item
      return [ownReference(details), { price, remaining, category, title: String(title), text: String(text), rest }]
    }),
  )
}

/** The seller's items that can be bought now, from the sandbox's file. */
function liveItems(home: Home): LiveItem[] {
  using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
  const sql = 'SELECT id, price, remaining, details FROM items WHERE type = 4 AND starts <= ?1 AND ends > ?1 AND remaining > 0'
  return store
    .all<LiveItem & { details: string }>(sql, Date.now())
    .map(({ details, ...item }) => ({ ...item, reference: ownReference(details) }))
}

/** The first own reference in what the sandbox keeps of an item. */
const ownReference = (details: string): string =>
  (JSON.parse(details) as { item?: { OwnReferences?: string[] } }).item?.OwnReferences?.[0] ?? ''

class Killer {
  readonly #home: Home
  readonly #random: () => number
  #killed = 0
  /** The longest that a process lives before it is killed: that of a whole run, ms. */
  #lifeMs = 0

  constructor(home: Home, seed: number) {
    this.#home = home
    this.#random = sequence(seed)
  }

  /** Lives rounds until enough processes were killed; the first of them undisturbed, for the time that it takes. */
  async rounds(live: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; this.#killed < KILLS; round++) {
      expect(round, 'rounds').to.be.below(MOST_RUNS)
      if (round > 0) await setFaults(this.#home, LOSSES)
      await live(round)
    }
  }

  /** Runs a line, which is killed while kills are left, and not in the first round. */
  async run(line: readonly string[]): Promise<Run> {
    const began = performance.now()
    const running = this.#home.spawn(line)
    const isKilled = this.#lifeMs > 0 && this.#killed < KILLS
    const killing = isKilled ? setTimeout(() => running.kill('SIGKILL'), this.#lifeMs * this.#random()) : undefined
    const run = await running.done
    clearTimeout(killing)
    if (run.signal === 'SIGKILL') this.#killed++
    else this.#lifeMs = performance.now() - began
    return run
  }

  /** Gives a line until its job is done: goes on with the job that it has made, and decides about rows whose reply was lost. */
  async toEnd(line: readonly string[]): Promise<void> {
    const before = (await this.#newest())?.JobId ?? 0
    let [next, last] = [line, '']
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      const run = await this.run(next)
      const job = await this.#newest()
      last = `${next.join(' ')}: ${run.code} ${run.stdout}${run.stderr}`
      const isMade = job !== undefined && job.JobId > before
      if (run.code === 0 && (!isMade || job.State === 'ok')) {
        await setFaults(this.#home, NONE)
        return
      }
      if (isMade && job.State === 'unknown') await this.#decide(String(job.JobId))
      next = isMade ? ['jobs:resume', String(job.JobId), '--wait', '--json'] : line
    }
    throw new Error(`${line.join(' ')} did not end in ${MOST_RUNS} runs: ${last}`)
  }

  async #newest(): Promise<{ JobId: number; State: string } | undefined> {
    return (await this.#home.seller('jobs:list', '--limit', '1', '--json')).json()[0]
  }

  /** Looks for each row whose reply was lost, as the tool advises, and says whether it arrived. */
  async #decide(id: string): Promise<void> {
    await setFaults(this.#home, NONE)
    const shown = await this.#home.seller('jobs:resume', id, '--wait', '--json')
    for (const { Row, Candidates } of (shown.json().Unknown ?? []) as { Row: number; Candidates: number[] }[]) {
      const choice = Candidates.length > 0 ? '--assume-sent' : '--send-again'
      await this.#home.seller('jobs:resume', id, choice, '--row', String(Row), '--wait', '--json')
    }
  }
}
