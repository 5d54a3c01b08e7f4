/**
 * A year of a shop with discounts, by a clock that the simulation moves: discounts that overlap, starts that are missed, prices changed by the seller and by
 * others, runs of jobs:due that stop at any call or are killed, live lists that are missing, short or foreign. A model beside it knows the normal price of each item. Shared by the test with
 * some discounts and by `npm run soak` with a whole year and real kills.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DiscountTerms, lowestPrice, parseRule } from '../../src/pricing/index.js'
import type { Clock } from '../../src/system/clock.js'
import { sequence } from '../../src/system/random.js'
import { someDamage, startListDamager } from './damaged-lists.js'
import { type Home, openHome, type Run } from './harness.js'
import { livePrices, pricesOf, setFaults, stock } from './shop.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface YearOptions {
  readonly seed: number
  readonly discounts: number
  readonly items: number
  readonly days: number
  /** How runs of jobs:due are disturbed: they stop after a few calls or lose connections; or the process is killed -9. */
  readonly disturbance: 'stops' | 'kills'
  readonly say?: (text: string) => void
}

export interface YearFigures {
  runs: number
  /** Runs that stopped at a call, or lost a connection, or were killed. */
  disturbed: number
  /** Runs over a live list that was damaged. */
  damaged: number
  jobs: number
  overlaps: number
  /** Normal prices changed by shop:price, of these during a discount, and prices changed by others. */
  changes: number
  changesDuring: number
  elsewhere: number
  /** Times at which all prices were compared with the model on the way. */
  compared: number
  /** Discounts by their state at the end. */
  states: Record<string, number>
  /** Items held, failed or skipped in some discount, by the reason, numbers left out. */
  held: Record<string, number>
}

/** Time that only the simulation moves; with real processes it also runs on by itself. */
class YearClock implements Clock {
  #offset: number
  readonly #running: boolean
  constructor(start: number, running: boolean) {
    this.#running = running
    this.#offset = running ? start - Date.now() : start
  }
  now = (): number => (this.#running ? Date.now() : 0) + this.#offset
  random = (): number => 0.5
  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    this.#offset += ms
  }
  moveTo(time: number): void {
    this.#offset += Math.max(0, time - this.now())
  }
  /** ms that a process must add to its own clock. */
  get ahead(): number {
    return this.now() - Date.now()
  }
}

interface PlannedDiscount {
  readonly name: string
  readonly starts: number
  readonly ends: number
  readonly args: readonly string[]
  /** By item, from 0 on. */
  readonly terms: ReadonlyMap<number, DiscountTerms>
  id: number
}

/** Runs the simulation. @throws {Error} where a price is not what the model says and no row says why */
export async function simulateYear(options: YearOptions): Promise<YearFigures> {
  const year = new Year(options)
  try {
    return await year.run()
  } finally {
    await year.close()
  }
}

class Year {
  readonly #options: YearOptions
  readonly #random: () => number
  readonly #clock: YearClock
  readonly #start = Date.parse('2026-01-05T08:00:00+01:00')
  /** About how long a run takes on this machine, ms: as long as the last one that came to its end. */
  #wholeRunMs = 500
  readonly #figures: YearFigures = {
    runs: 0,
    disturbed: 0,
    damaged: 0,
    jobs: 0,
    overlaps: 0,
    changes: 0,
    changesDuring: 0,
    elsewhere: 0,
    compared: 0,
    states: {},
    held: {},
  }
  #home: Home | undefined
  #damager: Awaited<ReturnType<typeof startListDamager>> | undefined
  /** What is done to the next live list. */
  #damage: ((xml: string) => string) | undefined
  #ids: number[] = []
  /** The normal price of each item: what is live when no discount runs. */
  #normal: number[] = []
  /** Items whose price was changed by others during a discount: what is live stays. */
  readonly #changed = new Set<number>()
  readonly #discounts: PlannedDiscount[] = []
  /** All prices of the shop at the beginning, those of items that nobody but discounts touches among them. */
  #atFirst = new Map<number, number>()
  #shim = ''

  constructor(options: YearOptions) {
    this.#options = options
    this.#random = sequence(options.seed)
    this.#clock = new YearClock(this.#start, options.disturbance === 'kills')
  }

  get #shop(): Home {
    if (this.#home === undefined) throw new Error('not open')
    return this.#home
  }

  async close(): Promise<void> {
    this.#damager?.close()
    await this.#home?.close()
  }

  async run(): Promise<YearFigures> {
    const { items, discounts, days, say } = this.#options
    this.#home = await openHome({ sandbox: { clock: this.#clock, faults: { queueDelayMs: 20_000, seed: this.#options.seed } } })
    this.#damager = await startListDamager(this.#home.sandbox.url, () => this.#damage)
    Object.assign(this.#home.env, { SELLER_BASE_URL: this.#damager.url })
    this.#normal = Array.from({ length: items }, () => 200 + this.#below(800))
    this.#ids = await stock(this.#shop, this.#normal, { reference: (at) => `${at % 2 === 0 ? 'EX' : 'OX'}-${at}` })
    this.#shim = join(this.#shop.dir, 'clock.cjs')
    writeFileSync(
      this.#shim,
      'const ahead = Number(process.env.CLOCK_AHEAD); const now = Date.now; Date.now = () => now() + ahead\n',
    )
    this.#atFirst = await livePrices(this.#shop)
    const plans = this.#plans(discounts, days)
    for (const event of this.#events(plans, days)) {
      this.#clock.moveTo(event.at)
      await event.work()
      say?.(`${new Date(event.at).toISOString().slice(0, 16)} ${event.what}`)
    }
    await this.#finish()
    return this.#figures
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n)
  }

  /** Discounts over the year: by a rule for a part of the shop or for all of it, or with prices of their own. */
  #plans(count: number, days: number): PlannedDiscount[] {
    const plans = Array.from({ length: count }, (_, at): PlannedDiscount => {
      const starts = this.#start + 2 * DAY + Math.floor(((days - 25) * DAY * at) / count) + this.#below(5 * DAY)
      const ends = starts + 12 * HOUR + this.#below(14 * DAY)
      return { name: `Discount ${at + 1}`, starts, ends, id: 0, ...this.#terms() }
    })
    for (const one of plans)
      for (const other of plans) if (one.starts < other.starts && other.starts < one.ends) this.#figures.overlaps++
    return plans
  }

  #terms(): Pick<PlannedDiscount, 'args' | 'terms'> {
    const kind = this.#below(4)
    const percent = 5 + this.#below(24)
    if (kind < 3) {
      const prefix = ['', 'EX', 'OX'][kind] ?? ''
      const terms: DiscountTerms = { rule: parseRule({ add: `-${percent}%` }) }
      const which = this.#normal.flatMap((_, at) => (kind === 0 || (at % 2 === 0) === (kind === 1) ? [at] : []))
      return {
        args: [...(kind === 0 ? ['--all'] : ['--reference', `${prefix}-*`]), '--add', `-${percent}%`],
        terms: new Map(which.map((at) => [at, terms])),
      }
    }
    const which = [...new Set(Array.from({ length: 4 }, () => this.#below(this.#normal.length)))]
    const priced = which.map((at): [number, DiscountTerms] => [
      at,
      { kronor: Math.max(20, Math.round((this.#normal[at] ?? 0) * (0.6 + this.#random() * 0.35))) },
    ])
    const args = priced.map(([at, terms]) => `${this.#ids[at]}=${'kronor' in terms ? terms.kronor : 0}`)
    return { args, terms: new Map(priced) }
  }

  /** What happens, in order: discounts are made days before, jobs:due runs around each turn, now and then nobody is there. */
  #events(plans: readonly PlannedDiscount[], days: number): { at: number; what: string; work: () => Promise<unknown> }[] {
    const events: { at: number; what: string; work: () => Promise<unknown> }[] = []
    const add = (at: number, what: string, work: () => Promise<unknown>): void => void events.push({ at, what, work })
    for (const plan of plans) {
      add(plan.starts - HOUR - this.#below(2 * DAY), `${plan.name} is made`, () => this.#make(plan))
      // One in eight is dropped, one in eight ended early.
      const fate = this.#below(8)
      if (fate === 0) add(plan.starts - 30 * MINUTE, `${plan.name} is dropped`, () => this.#drop(plan))
      if (fate === 1) add(plan.starts + (plan.ends - plan.starts) / 2, `${plan.name} is ended`, () => this.#end(plan))
      for (const turn of [plan.starts, plan.ends]) {
        // One turn in six finds the machine off for hours, or for longer than the discount.
        const late = this.#below(6) === 0 ? this.#below(3 * DAY) : 0
        for (const minute of [0, 1, 2, 5, 12, 40]) add(turn + late + minute * MINUTE, 'jobs:due', () => this.#due(minute === 0))
        add(turn + late + 4 * HOUR, 'compare', () => this.#compare())
      }
    }
    for (let day = 1; day < days; day += 3) {
      const at = this.#start + day * DAY + this.#below(DAY)
      if (this.#below(3) === 0) add(at, 'price changed elsewhere', () => this.#elsewhere())
      else add(at, 'price changed', () => this.#change())
    }
    return events.filter(({ at }) => at >= this.#start).sort((one, other) => one.at - other.at)
  }

  #seller(...args: string[]): Promise<Run> {
    return this.#shop.run(args, { clock: this.#clock })
  }

  async #make(plan: PlannedDiscount): Promise<void> {
    if (this.#clock.now() >= plan.ends) return
    const from = new Date(Math.max(plan.starts, this.#clock.now())).toISOString()
    const times = ['--from', from, '--until', new Date(plan.ends).toISOString()]
    const run = await this.#seller('shop:discount', plan.name, ...plan.args, ...times, '--max-drift', 'off', '--yes', '--json')
    if (run.code !== 0 && run.code !== 6) throw new Error(`${plan.name} was not made: ${run.stdout}${run.stderr}`)
    plan.id = run.json().DiscountId ?? 0
    if (plan.id > 0) this.#discounts.push(plan)
  }

  async #drop({ id }: PlannedDiscount): Promise<void> {
    if (id > 0) await this.#seller('discounts:drop', String(id))
  }

  async #end({ id }: PlannedDiscount): Promise<void> {
    if (id > 0) await this.#seller('discounts:end', String(id), '--yes')
  }

  /** One run of jobs:due; the first at a turn is disturbed, and every other one later. */
  async #due(first: boolean): Promise<void> {
    this.#figures.runs++
    if (this.#below(3) === 0) {
      this.#figures.damaged++
      this.#damage = someDamage(this.#random())
    }
    try {
      await (first || this.#below(2) === 0 ? this.#disturbed() : this.#seller('jobs:due'))
    } finally {
      this.#damage = undefined
    }
  }

  async #disturbed(): Promise<void> {
    if (this.#options.disturbance === 'kills') {
      await this.#killed()
      return
    }
    const lossy = this.#below(2) === 0
    if (lossy) await setFaults(this.#shop, { 'drop-before': '30%', 'drop-after': '30%' })
    const run = await this.#seller('jobs:due', ...(lossy ? [] : ['--max-calls', String(1 + this.#below(3))]))
    if (lossy) await setFaults(this.#shop, { 'drop-before': '0%', 'drop-after': '0%' })
    if (run.code !== 0) this.#figures.disturbed++
  }

  /** The built program, killed at a random moment of its run. */
  async #killed(): Promise<void> {
    const env = { CLOCK_AHEAD: String(this.#clock.ahead), NODE_OPTIONS: `--require ${this.#shim}` }
    const began = performance.now()
    const running = this.#shop.spawn(['jobs:due'], { env })
    const timer = setTimeout(() => running.kill('SIGKILL'), this.#wholeRunMs * (0.2 + this.#random()))
    const { signal } = await running.done
    clearTimeout(timer)
    if (signal === 'SIGKILL') {
      this.#figures.disturbed++
      // Never killed again and again before its end, on a machine that has become slower.
      this.#wholeRunMs *= 1.1
    } else this.#wholeRunMs = performance.now() - began
  }

  /** Lets everything that is due come, so that what somebody else changes meets no price on its way. */
  async #calm(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      this.#figures.runs++
      await this.#seller('jobs:due')
      this.#clock.moveTo(this.#clock.now() + 2 * MINUTE)
    }
  }

  async #change(): Promise<void> {
    const at = this.#below(this.#ids.length)
    const kronor = Math.max(50, Math.round((this.#normal[at] ?? 0) * (0.85 + this.#random() * 0.3)))
    await this.#calm()
    const inDiscount = await this.#isOn(at)
    const off = ['--max-change', 'off', '--max-drift', 'off']
    const run = await this.#seller('shop:price', `${this.#ids[at]}=${kronor}`, ...off, '--yes', '--wait', '--json')
    if (run.code !== 0 || run.json().Counts.ok !== 1) return
    this.#normal[at] = kronor
    this.#changed.delete(at)
    this.#figures.changes++
    if (inDiscount) this.#figures.changesDuring++
  }

  async #elsewhere(): Promise<void> {
    const at = this.#below(this.#ids.length)
    await this.#calm()
    const [live] = await this.#live([at])
    const kronor = 150 + this.#below(900)
    if (kronor === live) return
    const place = 'request.ShopItems.0'
    const run = await this.#seller('call', 'SetPriceOnShopItems', `${place}.Id=${this.#ids[at]}`, `${place}.Price=${kronor}`)
    if (run.code !== 0) throw new Error(run.stderr)
    this.#clock.moveTo(this.#clock.now() + 2 * MINUTE)
    if (await this.#isOn(at)) this.#changed.add(at)
    // In a discount or not: nobody takes it back, so it is the normal price from here on.
    this.#normal[at] = kronor
    this.#figures.elsewhere++
  }

  async #live(places: readonly number[]): Promise<(number | undefined)[]> {
    return pricesOf(
      this.#shop,
      places.map((at) => this.#ids[at] ?? 0),
    )
  }

  async #open(): Promise<{ discount: PlannedDiscount; rows: { Id: number; State: string }[]; state: string }[]> {
    const found = []
    for (const { DiscountId, State } of (await this.#seller('discounts:list', '--open', '--json')).json()) {
      const discount = this.#discounts.find(({ id }) => id === DiscountId)
      if (discount === undefined) throw new Error(`discount ${DiscountId} is not known`)
      found.push({
        discount,
        state: State,
        rows: (await this.#seller('discounts:show', String(DiscountId), '--json')).json().Rows,
      })
    }
    return found
  }

  async #isOn(at: number): Promise<boolean> {
    return (await this.#open()).some(({ rows }) => rows.some(({ Id, State }) => Id === this.#ids[at] && State === 'on'))
  }

  /** In a calm moment every price is the lowest of the normal one and those of the discounts that have the item. */
  async #compare(): Promise<void> {
    for (let round = 0; round < 4; round++) await this.#calm()
    const open = await this.#open()
    const live = await this.#live(this.#ids.map((_, at) => at))
    for (const [at, normal] of this.#normal.entries()) {
      if (this.#changed.has(at)) continue
      const terms = open.flatMap(({ discount, rows }) => {
        const on = rows.some(({ Id, State }) => Id === this.#ids[at] && State === 'on')
        const its = discount.terms.get(at)
        return on && its !== undefined ? [its] : []
      })
      const expected = lowestPrice(normal, terms)
      const waits = open.some(
        ({ state, rows }) => state === 'ending' || rows.some(({ Id, State }) => Id === this.#ids[at] && State === 'planned'),
      )
      if (live[at] === expected || waits) continue
      const when = new Date(this.#clock.now()).toISOString()
      throw new Error(
        `seed ${this.#options.seed}: item ${this.#ids[at]} costs ${live[at]} kr at ${when}, not ${expected} kr (normal ${normal} kr)`,
      )
    }
    this.#figures.compared++
  }

  /** Lets all discounts end, and compares every price with the model. */
  async #finish(): Promise<void> {
    const last = Math.max(...this.#discounts.map(({ ends }) => ends))
    this.#clock.moveTo(last + HOUR)
    for (let round = 0; (await this.#open()).length > 0; round++) {
      if (round === 60) throw new Error('discounts do not end')
      await this.#seller('jobs:due')
      this.#clock.moveTo(this.#clock.now() + HOUR)
    }
    const live = await this.#live(this.#ids.map((_, at) => at))
    for (const { State, DiscountId } of (await this.#seller('discounts:list', '--limit', '1000', '--json')).json()) {
      this.#figures.states[State] = (this.#figures.states[State] ?? 0) + 1
      const { Rows } = (await this.#seller('discounts:show', String(DiscountId), '--json')).json()
      for (const row of Rows as { State: string; Reason: string | null }[]) {
        if (row.State !== 'held' && row.State !== 'failed' && row.State !== 'skipped') continue
        if (row.Reason === null) throw new Error(`an item of discount ${DiscountId} is ${row.State} and does not say why`)
        const reason = row.Reason.replace(/\d+/g, 'N')
        this.#figures.held[reason] = (this.#figures.held[reason] ?? 0) + 1
      }
    }
    this.#figures.jobs = (await this.#seller('jobs:list', '--limit', '100000', '--json')).json().length
    const wrong = this.#normal.flatMap((normal, at) =>
      live[at] === normal ? [] : [`item ${this.#ids[at]} costs ${live[at]} kr, not ${normal} kr`],
    )
    const all = await livePrices(this.#shop)
    for (const [id, price] of this.#atFirst) {
      const now = all.get(id)
      if (!this.#ids.includes(id) && now !== undefined && now !== price) wrong.push(`item ${id} costs ${now} kr, not ${price} kr`)
    }
    if (wrong.length > 0) throw new Error(`seed ${this.#options.seed}: ${wrong.join('; ')}`)
    const check = await this.#seller('ledger:check', '--json')
    if (check.code !== 0) throw new Error(check.stdout)
    const left = await this.#seller('jobs:due')
    if (left.stdout + left.stderr !== '') throw new Error(`jobs:due is not quiet at the end: ${left.stdout}${left.stderr}`)
  }
}
