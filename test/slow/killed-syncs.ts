/**
 * The built `seller shop:sync` over a catalogue of many rows, killed -9 at random moments, with a sandbox that drops connections, and lists of the
 * shop that are missing, short or foreign now and then. Then it does what a
 * seller would do: resume the job, or give the command again, by turns; and decide about rows whose reply was lost. In the end the shop is compared
 * with the catalogue, item by item.
 */
import { join } from 'node:path'
import { openStore } from '../../src/jobs/ledger/store.js'
import { sequence } from '../../src/system/random.js'
import { someDamage, startListDamager } from '../e2e/damaged-lists.js'
import { type Home, openHome, type Run } from '../e2e/harness.js'
import { CATEGORY } from '../e2e/observed.js'
import { setFaults } from '../e2e/shop.js'

export interface KilledSyncs {
  readonly rows: number
  /** Rows that are edited before each round of kills. */
  readonly edits: number
  readonly kills: number
  readonly seed: number
  readonly say?: (text: string) => void
}

interface Wanted {
  readonly price: number
  readonly stock: number
}

interface LiveItem {
  readonly Id: number
  readonly OwnReferences: readonly string[]
  readonly BuyItNowPrice: number
  readonly RemainingQuantity: number
}

const FAULTS = { latency: '5ms..60ms', 'drop-before': '4%', 'drop-after': '4%', 'queue-delay': '30ms' }
const NO_FAULTS = { latency: '0ms..0ms', 'drop-before': '0%', 'drop-after': '0%' }
/** Runs that may follow one another until a round of edits is done. */
const MOST_RUNS = 150

interface KillFigures {
  readonly rounds: number
  readonly kills: number
  readonly decided: number
  /** Lists that were damaged. */
  readonly damaged: number
}

/** @returns how it went; throws what is wrong */
export async function killSyncs(options: KilledSyncs): Promise<KillFigures> {
  const home = await openHome({ sandbox: { faults: { seed: options.seed, queueDelayMs: 0 }, extended: true } })
  const rounds = new Rounds(home, options)
  const damager = await startListDamager(home.sandbox.url, () => rounds.damage())
  Object.assign(home.env, { SELLER_BASE_URL: damager.url })
  try {
    return await rounds.run()
  } finally {
    damager.close()
    await home.close()
  }
}

class Rounds {
  readonly #home: Home
  readonly #options: KilledSyncs
  readonly #random: () => number
  readonly #catalogue = new Map<string, Wanted>()
  #killed = 0
  #decided = 0
  #added = 0
  #damaged = 0
  #damaging = false

  constructor(home: Home, options: KilledSyncs) {
    this.#home = home
    this.#options = options
    this.#random = sequence(options.seed)
  }

  /** What is done to the next list: half of them while processes are killed. */
  damage(): ((xml: string) => string) | undefined {
    if (!this.#damaging || this.#random() > 0.5) return undefined
    this.#damaged++
    return someDamage(this.#random())
  }

  async run(): Promise<KillFigures> {
    await this.#home.seller('service:check', '--save')
    const store = openStore(join(this.#home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    const { rows, kills } = this.#options
    for (let at = 0; at < rows; at++) this.#add()
    await this.#first()
    const life = await this.#lifeOfRun()
    let rounds = 0
    while (this.#killed < kills) {
      rounds++
      this.#edit()
      await setFaults(this.#home, FAULTS)
      this.#damaging = true
      await this.#killedUntilDone(life)
      this.#damaging = false
      await setFaults(this.#home, NO_FAULTS)
      await this.#decide()
      await this.#settle()
      await this.#compare(`round ${rounds}`)
    }
    return { rounds, kills: this.#killed, decided: this.#decided, damaged: this.#damaged }
  }

  #add(): void {
    this.#catalogue.set(`K${++this.#added}`, { price: 200 + (this.#added % 90), stock: 1 + (this.#added % 5) })
  }

  /** Prices, numbers in stock, new rows and rows that are gone, a fourth of the edits each. */
  #edit(): void {
    const names = [...this.#catalogue.keys()]
    const some = () => names[Math.floor(this.#random() * names.length)] ?? ''
    for (let at = 0; at < this.#options.edits; at++) {
      const name = some()
      const now = this.#catalogue.get(name)
      if (at % 4 === 0) this.#add()
      else if (at % 4 === 1) this.#catalogue.delete(name)
      else if (now !== undefined && at % 4 === 2) this.#catalogue.set(name, { ...now, price: now.price + 1 + (at % 7) })
      else if (now !== undefined) this.#catalogue.set(name, { ...now, stock: now.stock + 1 })
    }
  }

  async #sync(): Promise<string[]> {
    const rows = [...this.#catalogue].map(([name, { price, stock }]) => `${name},Vara ${name},${CATEGORY},${price},${stock}`)
    const file = await this.#home.file('catalogue.csv', `SKU,Titel,Kategori,Pris,Antal\n${rows.join('\n')}\n`)
    return ['shop:sync', '--file', file, '--remove-missing', '--yes', '--wait', '--json']
  }

  /** Everything is added, and then there is nothing to do. */
  async #first(): Promise<void> {
    const args = await this.#sync()
    const first = await this.#home.seller(...args)
    if (first.code !== 0 || first.json().Added !== this.#options.rows)
      throw new Error(`first run: ${first.stdout}${first.stderr}`)
    await this.#compare('the first run')
  }

  /** How long a run takes on this machine that has nothing to send, ms. */
  async #lifeOfRun(): Promise<number> {
    const args = await this.#sync()
    // The first start of the product may build it.
    await this.#home.spawn(['--version']).done
    const began = performance.now()
    const run = await this.#home.spawn(args).done
    if (run.code !== 0 || run.json().JobId !== null) throw new Error(`second run: ${run.stdout}${run.stderr}`)
    return performance.now() - began
  }

  /** Runs until there is nothing left to send but what the seller must decide. */
  async #killedUntilDone(life: number): Promise<void> {
    const sync = await this.#sync()
    let args = sync
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      const killing = this.#killed < this.#options.kills
      const run = await this.#spawn(args, killing ? life * (0.5 + 5 * this.#random()) : undefined)
      if (run.signal === 'SIGKILL') this.#killed++
      const open = await this.#newestJob()
      this.#options.say?.(`kill ${this.#killed}: ${args[0]} ended ${run.signal ?? run.code}, newest job ${JSON.stringify(open)}`)
      // Held and unknown rows are decided below; everything else must have been carried out.
      const isShort = run.stdout.includes('"list_short"')
      if (run.signal !== 'SIGKILL' && args === sync && !isShort && [0, 6, 9].includes(run.code ?? -1)) return
      args = open?.State === 'open' && this.#random() < 0.5 ? ['jobs:resume', String(open.JobId), '--wait', '--json'] : sync
    }
    throw new Error(`a round did not end in ${MOST_RUNS} runs`)
  }

  async #spawn(args: readonly string[], killAfterMs: number | undefined): Promise<Run> {
    const running = this.#home.spawn(args)
    const killing = killAfterMs === undefined ? undefined : setTimeout(() => running.kill('SIGKILL'), killAfterMs)
    const run = await running.done
    clearTimeout(killing)
    return run
  }

  async #newestJob(): Promise<{ JobId: number; State: string } | undefined> {
    return (await this.#home.seller('jobs:list', '--limit', '1', '--json')).json()[0]
  }

  /** Looks for each row whose reply was lost, as the tool advises, and says whether it arrived. */
  async #decide(): Promise<void> {
    const unfinished: { JobId: number; State: string }[] = (await this.#home.seller('jobs:list', '--unfinished', '--json')).json()
    for (const { JobId } of unfinished) {
      const id = String(JobId)
      const shown = await this.#home.seller('jobs:resume', id, '--wait', '--json')
      for (const { Row, Candidates } of (shown.json().Unknown ?? []) as { Row: number; Candidates: number[] }[]) {
        this.#decided++
        const choice = Candidates.length > 0 ? '--assume-sent' : '--send-again'
        await this.#home.seller('jobs:resume', id, choice, '--row', String(Row), '--wait', '--json')
      }
    }
  }

  /** What is left after the decisions: rows that were held because of them. */
  async #settle(): Promise<void> {
    const run = await this.#home.seller(...(await this.#sync()))
    if (run.code !== 0) throw new Error(`the last run ended with ${run.code}: ${run.stdout}${run.stderr}`)
    const again = await this.#home.seller(...(await this.#sync()))
    if (again.code !== 0 || again.json().JobId !== null) throw new Error(`it is never done: ${again.stdout}${again.stderr}`)
  }

  async #compare(when: string): Promise<void> {
    const live: LiveItem[] = (await this.#home.seller('items:list', '--type', 'shop', '--state', 'active', '--json')).json()
    const found = new Map<string, LiveItem>()
    for (const item of live) {
      const name = item.OwnReferences[0] ?? ''
      if (found.has(name)) throw new Error(`after ${when}, ${name} is there twice`)
      if (!this.#catalogue.has(name)) throw new Error(`after ${when}, ${name} is there and should be gone`)
      found.set(name, item)
    }
    for (const [name, { price, stock }] of this.#catalogue) {
      const item = found.get(name)
      const is = item === undefined ? 'missing' : `${item.BuyItNowPrice} kr, ${item.RemainingQuantity} in stock`
      if (item?.BuyItNowPrice !== price || item.RemainingQuantity !== stock) {
        throw new Error(`after ${when}, ${name} is ${is} and should be ${price} kr, ${stock} in stock`)
      }
    }
  }
}
