/**
 * Lives through a script: a seller with a shop, its computer, the service and everybody else. After every step the promises are
 * asked, against the sandbox's own file and a model of the seller's wishes.
 */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { follow } from './advice.js'
import { Chance } from './chance.js'
import { openingOf } from './closings.js'
import { type Part, partOf } from './commands.js'
import { fieldsOf } from './fields.js'
import { digestOf, rowsOf } from './ledger.js'
import type { Ended } from './machine.js'
import { Broken } from './model.js'
import { askAlways, askAtEnd, Files } from './promises.js'
import { real } from './real.js'
import type { Settings, Step } from './script.js'
import { CALM, referencesOf, Shop } from './shop.js'

/** Before both changes of the clock, by seed, and in summer. */
const STARTS = ['2026-03-23T07:00:00Z', '2026-10-18T06:00:00Z', '2026-06-01T06:00:00Z'] as const
/** Zones of the seller's computer: the service's own most. */
const ZONES = ['Europe/Stockholm', 'Europe/Stockholm', 'America/New_York', 'Europe/Stockholm', 'Pacific/Auckland'] as const

export interface Outcome {
  readonly seed: number
  readonly commands: number
  readonly crashes: number
  readonly interrupts: number
  readonly writes: number
  readonly days: number
  readonly exits: Readonly<Record<string, number>>
  readonly fates: Readonly<Record<string, number>>
  readonly checks: Readonly<Record<string, number>>
  /** In how many steps a job, row, request, discount, item of a discount or delivery was in a state. */
  readonly states: Readonly<Record<string, number>>
  readonly programs: Readonly<Record<string, number>>
  readonly digest: string
  /** Everything that a seller can see at the end, one line for each thing: no ids of jobs, no times. */
  readonly end: string
  /** The lines that were run, with their times. */
  readonly lines: readonly string[]
  readonly failure?: { readonly invariant: string; readonly step: number; readonly message: string }
}

/**
 * Lives through the steps of a script. Never throws a broken promise: it is in the outcome.
 * @param keep the directory that gets the files of a shop where a promise broke
 */
export async function live(seed: number, steps: readonly Step[], settings: Settings, keep?: string): Promise<Outcome> {
  const directory = join(real.existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `seller-simulation-${process.pid}-${randomUUID()}`)
  real.mkdirSync(join(directory, 'pc.0', 'work'), { recursive: true })
  real.symlinkSync(join(directory, 'pc.0'), join(directory, 'pc'))
  // Node reads it anew when it is set.
  process.env.TZ = ZONES[seed % ZONES.length]
  const start = Date.parse(STARTS[seed % STARTS.length]!)
  const shop = new Shop(seed, settings, new Chance(`seed ${seed}`), start, directory)
  try {
    await shop.open()
    const outcome = await liveSteps(shop, steps)
    if (keep !== undefined && outcome.failure !== undefined) real.cpSync(directory, keep, { recursive: true })
    return outcome
  } finally {
    await shop.close()
    real.rmSync(directory, { recursive: true, force: true })
  }
}

async function liveSteps(shop: Shop, steps: readonly Step[]): Promise<Outcome> {
  const { machine, chance, start } = shop
  const files = new Files(shop)
  const looks: string[] = []
  let failure: Outcome['failure']
  try {
    // Some commands need operations that not every service has: the seller looks what this one offers. The books begin with the
    // shop.
    const day = new Date(start).toISOString().slice(0, 10)
    const books = [
      '--setting',
      `books=from=${day},zero=exempt,refund=proportion`,
      '--setting',
      'company=Vasen AB',
      '--no-verify',
      '--no-input',
    ]
    await shop.run(CALM, [['auth:login', ...books]], chance.fork('books'))
    await shop.run(CALM, [['service:check', '--save']], chance.fork('first'))
    for (const step of steps) {
      shop.step = step.index
      const due = start + step.at
      if (due > shop.now) await machine.pass(due - shop.now)
      shop.sent.clear()
      await take(shop, step)
      count(shop)
      askAlways(shop, files)
      if (step.looks === true) looks.push(endOf(shop, files).replaceAll(/^/gm, 'before the end, '))
    }
    shop.step = -1
    shop.sent.clear()
    await askAtEnd(shop, files, chance.fork('calm'))
  } catch (error) {
    const invariant = error instanceof Broken ? error.invariant : 'every run ends, and nothing is thrown'
    const message = error instanceof Broken ? error.message : ((error as Error).stack ?? String(error))
    failure = { invariant, step: shop.step, message }
  }
  const { seed, settings, commands, crashes, interrupts, writes, exits, states, programs, lines, model } = shop
  return {
    ...{ seed, commands, crashes, interrupts, writes, days: settings.days, exits, states, programs, lines },
    fates: Object.fromEntries([...machine.fates].sort(([one], [other]) => (one < other ? -1 : 1))),
    checks: Object.fromEntries(model.checks),
    end: failure === undefined ? [...looks, endOf(shop, files)].join('\n') : '',
    digest: digestOf([shop.ledger, shop.sandbox.path], new RegExp(`${join(shop.directory, 'pc')}(\\.\\d+)?`, 'g')),
    ...(failure === undefined ? {} : { failure }),
  }
}

async function take(shop: Shop, step: Step): Promise<void> {
  const chance = shop.chance.fork(`step ${step.index}`)
  const parts: Part[] = []
  for (const [at, kind] of step.kinds.entries()) {
    const part = partOf(shop, kind, chance.fork(at), at === 0 ? `${step.index}` : `${step.index}b`)
    if (part !== undefined) parts.push(part)
  }
  if (parts.length === 0) return
  const lines = parts.map(({ argv }) => argv)
  const ended = step.order === undefined ? await shop.run(step, lines, chance) : await inTurn(shop, step, lines, chance)
  if (shop.settings.calm)
    for (const [at, { code, argv }] of ended.entries()) if (code !== 0) await shop.run(CALM, [argv], chance.fork(`again ${at}`))
  for (const [at, part] of parts.entries()) part.ended?.(ended[at]!, parts.length === 1)
  for (const [at, part] of parts.entries()) {
    const advice = chance.fork(`advice ${at}`)
    let turn = 0
    await part.advised?.(async (...argv) => (await shop.run(CALM, [argv], advice.fork(turn++)))[0]!, ended[at]!)
  }
  if (parts.length !== 1) return
  await parts[0]!.more?.(step, chance.fork('more'), ended[0]!)
  const next = chance.fork('next')
  // Not always: what is left as it is must not do harm later.
  if (next.flip(0.5)) return
  let turn = 0
  await follow(shop, ended[0]!, async (...argv) => (await shop.run(CALM, [argv], next.fork(turn++)))[0]!)
}

/** One after the other. @returns how they ended, in the order of the lines */
async function inTurn(shop: Shop, step: Step, lines: readonly (readonly string[])[], chance: Chance): Promise<Ended[]> {
  const ended: Ended[] = []
  const places = [...lines.keys()]
  for (const at of step.order === 'second' ? places.reverse() : places)
    ended[at] = (await shop.run(step, [lines[at]!], chance.fork(`turn ${at}`)))[0]!
  return ended
}

/** Things that the service and the files have in the end. */
function endOf(shop: Shop, files: Files): string {
  const items = shop.sandbox
    .rows<{ id: number; price: number; remaining: number; details: string }>(
      'SELECT id, price, remaining, details FROM items WHERE seller_id = ?',
      SANDBOX_PROFILE.userId,
    )
    .map(({ id, price, remaining, details }) => {
      const [reference] = referencesOf(details)
      return `item ${reference?.startsWith('SIM-') ? reference : id}: ${price} kr, ${remaining} left`
    })
  const discounts = rowsOf<{ name: string; state: string }>(shop.ledger, 'SELECT name, state FROM discounts')
  return [
    ...items,
    ...discounts.map(({ name, state }) => `discount ${name}: ${state}`),
    `the shop: ${JSON.stringify(openingOf(shop))}`,
    ...[...fieldsOf(shop)].map(([key, value]) => `field ${key}: ${value}`),
    ...[...shop.model.delivered.keys()].map((key) => `delivered ${key}`),
    ...[...files.exported()].map((order) => `exported ${order}`),
    ...[...files.booked()].map(([order, ore]) => `booked ${order}: ${ore}`),
  ]
    .sort()
    .join('\n')
}

const ROW_STATES = ['unsent', 'sending', 'queued', 'ok', 'failed', 'retryable', 'unknown', 'held'] as const
/** All states of a ledger that are counted, as `table.state`. */
const STATES = [
  ...['jobs', 'requests', 'discounts', 'listing_steps', 'discount_items', 'watched_sales', 'shop_closings'].map(
    (table) => `SELECT '${table}.' || state AS name FROM ${table} GROUP BY state`,
  ),
  ...ROW_STATES.map((state) => `SELECT 'rows.${state}' FROM (SELECT 1 FROM bulk_states WHERE ${state} > 0 LIMIT 1)`),
].join(' UNION ALL ')

/** Counts the states of the ledger: a state that no script reaches is not tried. */
function count({ ledger, states }: Shop): void {
  for (const { name } of rowsOf<{ name: string }>(ledger, STATES)) states[name] = (states[name] ?? 0) + 1
}
