/**
 * Promises that are asked after each step, and at the end of the months, when the weather is good again and all that is due was
 * done.
 */
import { join } from 'node:path'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { readSie } from '../oracles/sie.js'
import type { Chance } from './chance.js'
import { askOpening, askOpeningAtEnd } from './closings.js'
import { exporting, isNamed, type Part, paidOrders, type Run, startOf, WATCH, WATCH_PROGRAM } from './commands.js'
import { askFields } from './fields.js'
import { rowsOf } from './ledger.js'
import type { Ended } from './machine.js'
import { Broken } from './model.js'
import { real } from './real.js'
import { CALM, type Shop } from './shop.js'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** Accounts of the money of an order: what the marketplace owes, and what it keeps. */
const MONEY = new Set(['1580', '6040'])
const ROUNDING = '3740'

/** Content of the files of a shop, so that each is read once. */
export class Files {
  /** By file: an order and when it was paid. */
  readonly #exported = new Map<string, ReadonlySet<string>>()
  /** By file: öre of the money of each order. */
  readonly #booked = new Map<string, ReadonlyMap<number, number>>()

  constructor(readonly shop: Shop) {}

  /** Orders that are in a file of the exports of what is new. @throws {Broken} */
  exported(): Set<number> {
    const { model, work, exports, now } = this.shop
    const found = new Map<string, string>()
    for (const name of names(work, /^orders-.*\.csv$/)) {
      const rows = this.#exported.get(name) ?? exportedRows(join(work, name))
      this.#exported.set(name, rows)
      if (!exports.has(name)) exports.set(name, now)
      if (model.lostFiles.has(name)) continue
      for (const row of rows) {
        model.checked('each order exported once')
        const other = found.get(row)
        if (other !== undefined) throw new Broken('each order exported once', `Order ${row} is in ${other} and in ${name}.`)
        found.set(row, name)
      }
    }
    return new Set([...this.#exported.values()].flatMap((rows) => [...rows].map((row) => Number(row.split(' ')[0]))))
  }

  /** Money of each order in the vouchers, öre. @throws {Broken} */
  booked(): Map<number, number> {
    const { model, work, exports, now } = this.shop
    const sums = new Map<number, number>()
    for (const name of names(work, /^books-.*\.si$/)) {
      const money = this.#booked.get(name) ?? bookedMoney(join(work, name))
      this.#booked.set(name, money)
      if (!exports.has(name)) exports.set(name, now)
      if (!model.lostFiles.has(name)) for (const [order, ore] of money) sums.set(order, (sums.get(order) ?? 0) + ore)
    }
    return sums
  }
}

const names = (folder: string, form: RegExp): string[] =>
  real
    .readdirSync(folder)
    .filter((name) => form.test(name))
    .sort()

/** The rows of a file of an export: the order, when it was paid, and whether the row is a refund. */
function exportedRows(path: string): Set<string> {
  const [head = '', ...rows] = real
    .readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const columns = head.split(/[,;\t]/)
  const [order, paid, kind] = ['OrderId', 'PaidDate', 'Kind'].map((column) => columns.indexOf(column)) as [number, number, number]
  return new Set(
    rows
      .filter((row) => row !== '')
      .map((row) => row.split(/[,;\t]/))
      .map((cells) => `${cells[order]} ${cells[paid]} ${cells[kind] === 'refund' ? 'refund' : ''}`),
  )
}

function bookedMoney(path: string): Map<number, number> {
  const { vouchers, faults } = readSie(real.readFileSync(path))
  if (faults.length > 0) throw new Broken('each krona in the books once', `${path}: ${faults.join('; ')}`)
  const money = new Map<number, number>()
  for (const { lines } of vouchers) {
    for (const { account, ore, text } of lines) {
      if (account === ROUNDING) throw new Broken('nothing takes the rest', `${path}: ${ore} öre on ${ROUNDING}, ${text}`)
      const order = Number(/^Order (\d+)/.exec(text)?.[1])
      if (MONEY.has(account)) money.set(order, (money.get(order) ?? 0) + ore)
    }
  }
  return money
}

/** Asked after every step. @throws {Broken} */
export function askAlways(shop: Shop, files: Files): void {
  if (shop.broken !== undefined) throw shop.broken
  askSent(shop)
  askPrices(shop)
  askAdditions(shop)
  askOpening(shop)
  askFields(shop)
  askQuota(shop)
  files.exported()
  askBooks(shop, files)
  const holder = shop.machine.holder()
  if (holder !== undefined) throw new Broken('no transaction over an await', `"${holder}" holds a transaction.`)
}

/** A row that was in the ledger when its request left is there also after a crash. */
function askSent({ sent, model, ledger }: Shop): void {
  for (const key of sent) {
    const [table = '', id] = key.split(' ')
    model.checked('what was sent is in the ledger')
    const [found] = rowsOf(ledger, `SELECT 1 FROM ${table} WHERE ${table === 'jobs' ? 'id' : 'row'} = ?`, Number(id))
    if (found === undefined)
      throw new Broken('what was sent is in the ledger', `${key} was there when its request left, and is gone.`)
  }
}

function askPrices(shop: Shop): void {
  const live = shop.live()
  for (const [id, ever] of shop.model.ever) {
    const price = live.get(id)
    if (price === undefined) continue
    shop.model.checked('no price that no plan had')
    if (!ever.has(price))
      throw new Broken('no price that no plan had', `Item ${id} is at ${price}; asked for were ${[...ever].join(', ')}.`)
  }
}

function askAdditions(shop: Shop): void {
  const { sandbox, model } = shop
  const seen = new Map<string, number>()
  // Their ids follow those of the seed.
  for (const { details } of sandbox.rows<{ details: string }>("SELECT details FROM items WHERE details LIKE '%SIM-%'")) {
    const ref = /"Ny vas (SIM-\d+-\d+)"/.exec(details)?.[1]
    if (ref === undefined) continue
    seen.set(ref, (seen.get(ref) ?? 0) + 1)
    const { images } = JSON.parse(details) as { images?: readonly (readonly [id: number])[] }
    const sent = (images ?? []).map(
      ([id]) => sandbox.first<{ hex: string }>('SELECT lower(hex(bytes)) AS hex FROM images WHERE image_id = ?', id)?.hex,
    )
    model.checked('an item has the images of its row')
    if (sent.join() !== model.images.get(ref)?.join())
      throw new Broken('an item has the images of its row', `New item ${ref} has ${sent.join(', ')}.`)
  }
  for (const [ref, isSure] of model.added) {
    model.checked('nothing added twice')
    const count = seen.get(ref) ?? 0
    if (count > 1) throw new Broken('nothing added twice', `New item ${ref} is live ${count} times.`)
    if (isSure && count === 0)
      throw new Broken('exit 0 means that it is so', `New item ${ref} was added with exit 0, and does not exist.`)
  }
  const counts = new Map<string, number>()
  for (const reference of shop.references()) counts.set(reference, (counts.get(reference) ?? 0) + 1)
  for (const [reference, count] of counts) {
    const most = Math.max(1, shop.given.get(reference) ?? 0)
    if (count > most) throw new Broken('nothing added twice', `The own reference ${reference} is live ${count} times.`)
  }
  const [twice] = sandbox.rows<{ item_id: number; count: number }>(
    'SELECT item_id, count(*) AS count FROM restarts GROUP BY item_id HAVING count > 1',
  )
  if (twice !== undefined) throw new Broken('nothing relisted twice', `Item ${twice.item_id} was relisted ${twice.count} times.`)
}

function askQuota(shop: Shop): void {
  const {
    settings: { budget, skew },
    model,
    now,
    cuts,
  } = shop
  if (budget === undefined || skew || now - model.lostAt < DAY_MS) return
  const uncounted = cuts.filter(({ at }) => at > now - DAY_MS).reduce((sum, { calls }) => sum + calls, 0)
  const made = shop.callsSince(now - DAY_MS + 1) - uncounted
  model.checked('calls at most the quota')
  if (made > budget) throw new Broken('calls at most the quota', `${made} calls in 24 hours; the quota is ${budget}.`)
}

/** The books have the payments of an order up to some time: each krona once. */
function askBooks(shop: Shop, files: Files): void {
  const booked = files.booked()
  for (const { id, payments } of paidOrders(shop)) {
    const ore = booked.get(id)
    if (ore === undefined) continue
    shop.model.checked('each krona in the books once')
    let sum = 0
    const sums = payments.map((amount) => (sum += amount * 100))
    if (ore === 0 || sums.includes(ore)) continue
    const what = `Order ${id} was paid ${payments.join(', ')} kr, and the books have ${ore / 100} kr.`
    throw new Broken('each krona in the books once', what)
  }
}

/** The weather is good again, and the seller does what each stop advises: everything must come to its end. @throws {Broken} */
export async function askAtEnd(shop: Shop, files: Files, chance: Chance): Promise<void> {
  const { model, machine } = shop
  const last = Math.max(0, ...[...model.discounts, ...model.opening.closings].map(({ until }) => until))
  if (last + HOUR_MS > shop.now) await machine.pass(last + HOUR_MS - shop.now)
  await machine.pass(DAY_MS + HOUR_MS)
  let turn = 0
  const run = async (...argv: string[]): Promise<Ended> => {
    for (let day = 0; ; day++) {
      const [ended] = await shop.run(CALM, [argv], chance.fork(turn++))
      // A quota that is spent is free again a day later.
      if (ended!.code !== 7 || day === 5) return ended!
      await machine.pass(DAY_MS)
    }
  }
  for (let round = 0; round < 3; round++) {
    await run('jobs:due', '--wait')
    await machine.pass(4 * HOUR_MS)
  }
  const open = rowsOf<{ id: number }>(
    shop.ledger,
    'SELECT id FROM jobs WHERE part_of IS NULL AND finished_at IS NULL ORDER BY id',
  )
  for (const { id } of open) {
    const ended = await run('jobs:resume', String(id), '--wait')
    model.checked('every stop names the command that goes on')
    if (![0, 3, 5, 6, 9].includes(ended.code ?? -1))
      throw new Broken('every stop names the command that goes on', `jobs:resume ${id}: exit ${ended.code}\n${ended.stderr}`)
  }
  await run('jobs:due', '--wait')
  await machine.pass(HOUR_MS)
  askAlways(shop, files)
  await askDiscounts(shop, run)
  await askOpeningAtEnd(shop, run)
  await askExports(shop, files, run)
  await askDeliveries(shop, run)
  const check = await run('ledger:check')
  model.checked('the ledger is in order')
  if (check.code !== 0) throw new Broken('the ledger is in order', check.stdout + check.stderr)
}

/** Runs a command, and what it advises. */
async function done({ argv, advised }: Part, run: Run): Promise<Ended> {
  const ended = await run(...argv)
  await advised?.(run, ended)
  return ended
}

/** Every discount is over: each item is at a normal price, or named. */
async function askDiscounts(shop: Shop, run: Run): Promise<void> {
  const { model } = shop
  const sql = "SELECT id, state FROM discounts WHERE state NOT IN ('ended', 'dropped', 'missed', 'failed')"
  const live = shop.live()
  for (const [id, normal] of model.normal) {
    const price = live.get(id)
    if (price === undefined || !model.isOver(id, shop.now)) continue
    model.checked('nothing at a discount price after its end')
    if (normal.has(price)) continue
    if (await isNamed(shop, run, id)) {
      model.checked('a price that was left is named')
      continue
    }
    throw new Broken(
      'nothing at a discount price after its end',
      `Item ${id} is at ${price}; its normal price is ${[...normal].join(' or ')}. Open discounts: ${JSON.stringify(rowsOf(shop.ledger, sql))}`,
    )
  }
}

/** Each order that was paid is in a file, and all of its money in the books, or it is named. */
async function askExports(shop: Shop, files: Files, run: Run): Promise<void> {
  const { model } = shop
  const [rows, books] = [await done(exporting(shop, 'rows', 'end'), run), await done(exporting(shop, 'sie', 'end'), run)]
  const [exported, booked] = [files.exported(), files.booked()]
  for (const { id, payments } of paidOrders(shop)) {
    model.checked('each order exported')
    if (!exported.has(id) && !rows.stderr.includes(String(id)))
      throw new Broken('each order exported', `Order ${id} is paid, in no file, and not named.\n${rows.stderr}`)
    model.checked('all of the money is booked')
    const paid = 100 * payments.reduce((sum, amount) => sum + amount, 0)
    if ((booked.get(id) ?? 0) !== paid && !`${books.stdout}${books.stderr}`.includes(String(id))) {
      const what = `Order ${id} was paid ${payments.join(', ')} kr, and the books have ${(booked.get(id) ?? 0) / 100} kr.`
      throw new Broken('all of the money is booked', `${what}\n${books.stderr}`)
    }
  }
}

/** Each sale was delivered by each watch, or it is named. */
async function askDeliveries(shop: Shop, run: Run): Promise<void> {
  const { model } = shop
  const printed = await run(...WATCH, '--since', startOf(shop))
  shop.delivered(printed.stdout)
  // A program that fails is run once more each time; after that the sale is given up, and named.
  let taken = await run(...WATCH_PROGRAM, '--since', startOf(shop))
  for (let round = 0; round < 2; round++) taken = await run(...WATCH_PROGRAM, '--since', startOf(shop))
  if (shop.broken !== undefined) throw shop.broken
  const sales = shop.sandbox.rows<{ id: number }>(
    'SELECT id FROM transactions WHERE seller_id = ? AND date >= ? AND deleted = 0',
    SANDBOX_PROFILE.userId,
    shop.start,
  )
  for (const [watch, { stderr }] of [
    ['print', printed],
    ['program', taken],
  ] as const) {
    for (const { id } of sales) {
      model.checked('each sale delivered or named')
      if (model.delivered.has(`${watch} ${id}`) || stderr.includes(String(id))) continue
      throw new Broken(
        'each sale delivered or named',
        `Sale ${id} was not delivered by the watch "${watch}", and is not named.\n${stderr}`,
      )
    }
  }
}
