/** A seller's shop, its computer, the service, and everybody who runs commands or acts next to them. */
import { join } from 'node:path'
import { SANDBOX_PROFILE, type SandboxServer } from '../../src/sandbox/index.js'
import { openMarketplace } from '../../src/sandbox/marketplace/index.js'
import type { Chance } from './chance.js'
import { openFirst } from './closings.js'
import { WRITE_BACK_MS } from './disk.js'
import { fieldsOf } from './fields.js'
import { OpenFile, rowsOf } from './ledger.js'
import { type Computer, type Ended, type Machine, theMachine } from './machine.js'
import { Broken, Model } from './model.js'
import { real } from './real.js'
import { fatesOf, type Settings, type Step } from './script.js'

/** Number of items of the shop that the model knows. */
const KNOWN = 14
/** Number of them that are worked on, by shop: few of them meet in one command after another. */
const WORKED = [4, KNOWN]
/** Runs of a step start within so many ms. */
const [CLOSE_MS, START_MS] = [30, 300]
/** Result codes of queued requests that the service makes by chance. */
const queueCodes = (tryAgain: number, error: number) => [
  { codes: 'TryAgain', probability: tryAgain },
  { codes: 'Error', probability: error },
]
/** By shop: mostly seldom. */
const QUEUE_CODES = [queueCodes(0.02, 0.01), queueCodes(0.02, 0.01), queueCodes(0.2, 0.15)]

/** Exit codes that a command may end with, by docs/scripting.md; 1 and 2 would be a fault of it or of the script. */
const ALLOWED = new Set([0, 3, 5, 6, 7, 8, 9])
/** A service that does not answer, or too seldom, ends a command with 1: "failed by the service". */
const NETWORK_CODE = 1
const INTERRUPTED = 130

/** Commands that a script of the seller may give: their errors are data. */
const AS_JSON = new Set([
  ...['shop:price', 'shop:stock', 'shop:add', 'shop:sync', 'shop:restore', 'items:relist'],
  ...['jobs:undo', 'jobs:resume', 'jobs:due', 'discounts:end'],
])

/** A step in good weather. */
export const CALM: Step = { index: -1, at: 0, kinds: [], faults: 0, skewMs: 0 }

export class Shop {
  readonly machine: Machine = theMachine()
  readonly model = new Model()
  readonly computer: Computer & { skewMs: number; host: string }
  server!: SandboxServer
  marketplace!: ReturnType<typeof openMarketplace>
  /** The file of the service. */
  sandbox!: OpenFile
  /** The step that is lived, by its index; -1 before the first and after the last. */
  step = -1
  commands = 0
  crashes = 0
  interrupts = 0
  writes = 0
  readonly worked: number
  /** Own references that were given so far. */
  numbered = 0
  /** Own references of shop items at the beginning, and how many items have each. */
  readonly given = new Map<string, number>()
  /** Jobs and requests that were in the ledger when a request left, since the start of the step. */
  readonly sent = new Set<string>()
  /** A promise that broke under a socket: thrown after the step. */
  broken: Broken | undefined
  readonly exits: Record<string, number> = {}
  readonly states: Record<string, number> = {}
  readonly lines: string[] = []
  /** Power cuts, with the number of calls whose counts may have waited to be flushed (jobs/ledger/calls.ts). */
  readonly cuts: { readonly at: number; readonly calls: number }[] = []
  /** Files of exports, by name, with when they were first seen. */
  readonly exports = new Map<string, number>()
  /** Programs that have run, by how they ended. */
  readonly programs: Record<string, number> = {}
  readonly #programs: Chance

  constructor(
    readonly seed: number,
    readonly settings: Settings,
    readonly chance: Chance,
    readonly start: number,
    readonly directory: string,
  ) {
    this.computer = { host: 'shop-pc', skewMs: 0, directory: join(directory, 'pc') }
    this.#programs = chance.fork('programs')
    this.worked = chance.fork('worked').pick(WORKED)
  }

  async open(): Promise<void> {
    const { machine } = this
    machine.fates.clear()
    const path = join(this.directory, 'server.db')
    this.server = await machine.begin(this.start, this.chance, path, {
      ...(this.settings.calm ? {} : { queueCodes: this.chance.fork('queue').pick(QUEUE_CODES) }),
      seed: this.seed,
    })
    this.marketplace = machine.asService(() => openMarketplace({ path, clock: { now: () => Math.floor(machine.world.now) } }))
    this.sandbox = new OpenFile(path)
    this.model.begin(
      new Map(
        this.onSale()
          .slice(0, KNOWN)
          .map(({ id, price }) => [id, price]),
      ),
    )
    openFirst(this)
    for (const [key, value] of fieldsOf(this)) this.model.fields.set(key, new Set([value]))
    for (const reference of this.references()) this.given.set(reference, (this.given.get(reference) ?? 0) + 1)
    machine.watch = { sent: (directory, bytes, argv) => machine.world.as(undefined, () => this.#sent(directory, bytes, argv)) }
    machine.programs.work = (_, input) => this.#program(input)
  }

  async close(): Promise<void> {
    this.sandbox?.close()
    this.machine.asService(() => this.marketplace?.close())
    if (this.server !== undefined) await this.machine.end(this.server)
  }

  get now(): number {
    return this.machine.world.now
  }

  get ledger(): string {
    return join(this.computer.directory, 'data', 'ledger.db')
  }

  get work(): string {
    return join(this.computer.directory, 'work')
  }

  /** Writes a file of the seller, on its computer. @returns its name */
  file(name: string, text: string | Buffer): string {
    real.writeFileSync(join(this.work, name), text)
    return name
  }

  /** The shop items that can be bought now. */
  onSale(): { id: number; price: number; remaining: number }[] {
    return this.sandbox.rows(
      'SELECT id, price, remaining FROM items WHERE type = 4 AND seller_id = ? AND starts <= ?2 AND ends > ?2 AND remaining > 0 ORDER BY id',
      SANDBOX_PROFILE.userId,
      Math.floor(this.now),
    )
  }

  /** The first own reference of an item. */
  reference(id: number): string {
    const row = this.sandbox.first<{ details: string }>('SELECT details FROM items WHERE id = ?', id)
    return referencesOf(row?.details ?? '{}')[0] ?? ''
  }

  /** The own references of shop items that are live: one for each item and reference. */
  references(): string[] {
    const rows = this.sandbox.rows<{ details: string }>(
      'SELECT details FROM items WHERE type = 4 AND seller_id = ? AND ends > ?',
      SANDBOX_PROFILE.userId,
      Math.floor(this.now),
    )
    return rows.flatMap(({ details }) => referencesOf(details))
  }

  /** Number of calls that the service has had. */
  callsSince(at: number): number {
    return this.sandbox.first<{ count: number }>('SELECT count(*) AS count FROM calls WHERE at >= ?', Math.floor(at))?.count ?? 0
  }

  /** A column of all items of the shop, at the service. */
  live(column: 'price' | 'remaining' = 'price'): Map<number, number> {
    const rows = this.sandbox.rows<{ id: number; value: number }>(
      `SELECT id, ${column} AS value FROM items WHERE type = 4 AND seller_id = ?`,
      SANDBOX_PROFILE.userId,
    )
    return new Map(rows.map(({ id, value }) => [id, value]))
  }

  /** Near the first price, so that no guard stops it. */
  newPrice(id: number, chance: Chance): number {
    const [first = 100] = this.model.ever.get(id) ?? []
    return Math.max(2, Math.round(first * chance.between(0.88, 1.12)))
  }

  /** Sales on stdout of a watch. */
  delivered(stdout: string): void {
    for (const line of stdout.split('\n')) {
      if (line.startsWith('{') && line.endsWith('}'))
        this.model.deliver('print', (JSON.parse(line) as { Id: number }).Id, this.now)
    }
  }

  /** Runs command lines, one or several at once. */
  async run(step: Step, given: readonly (readonly string[])[], chance: Chance): Promise<readonly Ended[]> {
    const lines = given.map((argv, at) =>
      AS_JSON.has(argv[0]!) && !argv.includes('--json') && chance.fork(`form ${at}`).flip(0.5) ? [...argv, '--json'] : argv,
    )
    // The driver ends a closed connection when its statements are collected, whenever that is: nobody may meet one of an earlier
    // run.
    this.machine.restart(this.computer)
    this.computer.skewMs = step.skewMs
    const [begun, at] = [this.now, new Date(this.now).toISOString()]
    for (const argv of lines)
      this.lines.push(`${at}  seller ${argv.map((word) => (/[\s;'"]/.test(word) ? `'${word}'` : word)).join(' ')}`)
    // Those that begin at nearly the same moment meet in other places.
    const startsWithin = lines.length > 1 && chance.fork('start').flip(0.5) ? CLOSE_MS : START_MS
    const ended = await this.machine.run(
      lines,
      lines.map((_, at) => ({
        computer: this.computer,
        chance: chance.fork(`run ${at}`),
        env: this.#env(),
        fates: fatesOf(chance.fork(`fates ${at}`), step.faults),
        startsWithin,
        ...(step.crash === undefined || at > 0 ? {} : { crash: step.crash }),
        ...(step.interrupt === undefined || at > 0 ? {} : { interrupt: step.interrupt }),
      })),
    )
    for (const { argv, code, stdout, stderr } of ended) {
      this.commands++
      if (argv[0] === 'jobs:resume') this.model.resumed()
      this.exits[String(code ?? 'left')] = (this.exits[String(code ?? 'left')] ?? 0) + 1
      this.lines.push(
        `    exit ${code ?? `(left before ${step.crash?.before} ${step.crash?.at}${step.crash?.power ? ', with the power' : ''})`}`,
      )
      if (code === INTERRUPTED) this.interrupts++
      if (code === undefined) {
        this.crashes++
        if (step.crash?.power === true) this.cuts.push({ at: this.now, calls: this.callsSince(begun - WRITE_BACK_MS) })
        // A machine may get another name when it starts again.
        if (chance.flip(0.3)) this.computer.host = `shop-pc-${this.crashes}`
      }
      if (/Internal error|This is a bug/.test(stdout + stderr)) {
        throw new Broken('no internal error', `seller ${argv.join(' ')}\n${stdout}${stderr}`)
      }
      // A run that was left before its first commit has made none.
      const hasNone = /There is no ledger at/.test(stdout + stderr) && !real.existsSync(this.ledger)
      const isRefused =
        code === NETWORK_CODE && (step.faults > 0 || hasNone || /knows no price of the shop/.test(stdout + stderr))
      const isInterrupted = code === INTERRUPTED && step.interrupt !== undefined
      // The list was empty when the workbook was written.
      const isEmpty = code === 2 && /The catalogue has no rows/.test(stdout + stderr)
      // By a clock that is hours ahead.
      const isPast = code === 2 && step.skewMs > 0 && /(?:--from|--until)\b.* is past/.test(stderr)
      if (code === undefined || ALLOWED.has(code) || isRefused || isInterrupted || isEmpty || isPast) continue
      throw new Broken('exit codes as promised', `seller ${argv.join(' ')}: exit ${code}\n${stdout}${stderr}`)
    }
    return ended
  }

  #env(): Record<string, string> {
    const { directory } = this.computer
    return {
      HOME: directory,
      PATH: '/usr/bin:/bin',
      XDG_CACHE_HOME: join(directory, 'cache'),
      SELLER_CONFIG_DIR: join(directory, 'config'),
      SELLER_DATA_DIR: join(directory, 'data'),
      SELLER_BASE_URL: this.server.url,
      SELLER_NAMESPACE: this.server.namespace,
      SELLER_APP_ID: String(SANDBOX_PROFILE.appId),
      SELLER_APP_KEY: SANDBOX_PROFILE.appKey,
      SELLER_USER_ID: String(SANDBOX_PROFILE.userId),
      SELLER_TOKEN: SANDBOX_PROFILE.token,
      SELLER_CALL_BUDGET: String(this.settings.budget ?? 'none'),
    }
  }

  /** The program of a watch: it does its work, fails before it, or takes too long. */
  #program(input: string): { ms: number; code: number; done(): void } {
    const { Id } = JSON.parse(input) as { Id: number }
    const chance = this.#programs.fork(this.#programs.int(1e9))
    const how = chance.flip(0.75) ? 'done' : chance.flip(0.6) ? 'failed' : 'too slow'
    const done = (): void => {
      this.programs[how] = (this.programs[how] ?? 0) + 1
      if (how === 'failed') return
      try {
        this.model.deliver('program', Id, this.now)
      } catch (error) {
        this.broken ??= error as Broken
      }
    }
    return { ms: how === 'too slow' ? 60_000 : chance.between(5, 3000), code: how === 'failed' ? 1 : 0, done }
  }

  /** A request leaves: what it writes must be in the ledger already. */
  #sent(directory: string, bytes: Buffer, argv: readonly string[]): boolean {
    const operation = /<(?:\w+:)?Body>\s*<(?:\w+:)?(\w+)/.exec(bytes.toString('latin1'))?.[1]
    if (operation === undefined || !WRITES.has(operation)) return false
    this.writes++
    this.model.checked('a row before each write')
    const found = rowsOf<{ key: string }>(
      join(directory, 'data', 'ledger.db'),
      `SELECT 'jobs ' || job_id AS key FROM bulk_states WHERE sending > 0
       UNION SELECT 'requests ' || row FROM requests WHERE state = 'sending'
       UNION SELECT 'jobs ' || job_id FROM listing_steps WHERE state = 'sending'
       UNION SELECT 'closing' FROM shop_closings WHERE state IN ('closing', 'closed')`,
    )
    for (const { key } of found) if (key !== 'closing') this.sent.add(key)
    // Not thrown here, under the socket that it leaves by: asked after the step.
    if (found.length === 0)
      this.broken ??= new Broken('a row before each write', `${operation} of "${argv.join(' ')}" left before a row said so.`)
    return true
  }
}

const WRITES = new Set([
  'AddItem',
  'AddShopItem',
  'AddItemImage',
  'AddItemCommit',
  'UpdateShopItem',
  'RemoveShopItem',
  'SetPriceOnShopItems',
  'SetQuantityOnShopItems',
  'SetActivateDateOnShopItems',
  'SetPricesOnNonShopItems',
  'SetSellerOrderAsShipped',
  'SetSellerOrderAsPaid',
  'SetShopSettings',
])

/** Own references in what the sandbox keeps of an item. */
export const referencesOf = (details: string): readonly string[] =>
  (JSON.parse(details) as { item?: { OwnReferences?: string[] } }).item?.OwnReferences ?? []
