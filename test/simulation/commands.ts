/** Commands of a seller, by kind, and deeds of others: each with what follows for the model from how it ended. */
import { join } from 'node:path'
import type { Chance } from './chance.js'
import { askOpeningNow, changeOpening, close, isClosed, open } from './closings.js'
import { fieldSync } from './fields.js'
import { rowsOf } from './ledger.js'
import type { Ended } from './machine.js'
import { Broken, discounted, type SetJob } from './model.js'
import { real } from './real.js'
import type { Deed, Kind, Step } from './script.js'
import { CALM, type Shop } from './shop.js'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** Exit codes that tell nothing of whether a discount was made. */
const MAY_BE_MADE = new Set([undefined, 0, 6, 7, 9, 130])

/** A command of a step, and what follows from its end. */
export interface Part {
  readonly argv: readonly string[]
  ended?(run: Ended, isAlone: boolean): void
  /** Next command, where it ran alone. */
  more?(step: Step, chance: Chance, ended: Ended): Promise<void>
  /** Command that its message advises, in good weather. */
  advised?(run: Run, ended: Ended): Promise<void>
}

/** Runs a line in good weather. */
export type Run = (...argv: string[]) => Promise<Ended>

/**
 * The command of a kind.
 * @param name part of the names of its files
 * @returns undefined if there is nothing to do, or if others did it
 */
export function partOf(shop: Shop, kind: Kind | Deed, chance: Chance, name: string): Part | undefined {
  const { model } = shop
  const worked = [...model.normal.keys()].slice(0, shop.worked)
  const some = (most: number): number[] => {
    const count = 1 + chance.int(most)
    return [...new Set(Array.from({ length: count }, () => chance.pick(worked)))]
  }
  /** Whatever an item ever cost may come back. */
  const anyPrice = (): void =>
    model.may(worked, (id) => (isDiscounted(shop, id, 2 * DAY_MS) ? model.ever : model.everNormal).get(id) ?? [])
  switch (kind) {
    case 'sale': {
      const items = shop.onSale()
      if (items.length > 0) sell(shop, chance.pick(items).id, chance)
      return undefined
    }
    case 'refund': {
      refund(shop, chance)
      return undefined
    }
    case 'website-shop': {
      changeOpening(shop, chance)
      return undefined
    }
    case 'close':
      return close(shop, chance, name)
    case 'open':
      return open(shop)
    case 'sync-fields':
      return fieldSync(shop, some(3), chance, name, anyPrice)
    case 'website': {
      changeOnWebsite(shop, chance.pick(worked), chance)
      return undefined
    }
    case 'price': {
      const wanted = new Map(some(6).map((id) => [id, shop.newPrice(id, chance)]))
      const file = shop.file(`prices-${name}.csv`, `id;price\n${[...wanted].map(([id, price]) => `${id};${price}\n`).join('')}`)
      return {
        ...pricing(shop, ['shop:price', '--file', file, '--yes', '--wait'], wanted),
        // Second thoughts.
        more: async (step, more) => {
          const undo = chance.flip(0.25) ? undoing(shop, chance) : undefined
          if (undo === undefined) return
          const [ended] = await shop.run(step, [undo.argv], more)
          undo.ended?.(ended!, true)
        },
      }
    }
    case 'due':
      return {
        argv: ['jobs:due', '--wait'],
        more: async (step, more, { code, stdout }) => {
          // Prices that may still be on their way are restored by one of the next runs; it says so.
          if (code !== 0 || step.skewMs !== 0 || /\bending\b/.test(stdout)) return
          let turn = 0
          askOpeningNow(shop)
          await askRunning(shop, async (...argv) => (await shop.run(CALM, [argv], more.fork(turn++)))[0]!)
        },
      }
    case 'discount':
      return discount(shop, some(5), chance, name)
    case 'add':
      return addition(shop, 1 + chance.int(3), name)
    case 'drill':
      return drill(shop, chance, name)
    case 'backup': {
      const copy = `copy-${name}.db`
      return {
        argv: ['ledger:backup', copy],
        ended: ({ code }) => void (code === 0 && model.copies.push({ name: copy, at: shop.now })),
      }
    }
    case 'ledger-restore': {
      const copy = model.copies.at(-1)
      if (copy === undefined) return undefined
      return restoring(shop, chance)
    }
    case 'undo':
      return undoing(shop, chance)
    case 'restore': {
      const back = chance.between(1, 6) * DAY_MS
      // Also by a clock that is hours behind.
      const at = new Date(Math.min(Math.max(shop.start + HOUR_MS, shop.now - back), shop.now - 4 * HOUR_MS)).toISOString()
      return { argv: ['shop:restore', '--at', at, '--yes', '--wait'], ended: anyPrice }
    }
    case 'stock':
      return restocking(shop, some(3), chance)
    case 'sync': {
      const wanted = new Map(some(4).map((id) => [id, shop.newPrice(id, chance)]))
      const file = `catalogue-${name}.csv`
      return {
        argv: ['shop:export', '--out', file],
        more: async (step, more, exported) => {
          if (exported.code !== 0) return
          const path = join(shop.work, file)
          const text = repriced(
            real.readFileSync(path, 'utf8'),
            new Map([...wanted].map(([id, price]) => [shop.reference(id), price])),
          )
          if (text === undefined) return
          real.writeFileSync(path, text)
          const part = pricing(shop, ['shop:sync', '--file', file, '--yes', '--wait'], wanted)
          const [ended] = await shop.run(step, [part.argv], more)
          part.ended?.(ended!, true)
          // The export's values of other items are sent back too: their prices are wanted as they were then.
          anyPrice()
        },
      }
    }
    // A workbook goes out and comes back, as the shop was then.
    case 'sync-workbook': {
      const file = `catalogue-${name}.xlsx`
      return {
        argv: ['shop:export', '--out', file],
        more: async (step, more, exported) => {
          if (exported.code !== 0) return
          const live = shop.live()
          const changed = chance.pick(worked)
          changeOnWebsite(shop, changed, chance)
          const [ended] = await shop.run(step, [['shop:sync', '--file', file, '--yes', '--wait']], more)
          anyPrice()
          // The list may have been short when the workbook was written.
          const isShort = /not in the catalogue/.test(`${ended?.stderr}`)
          if (ended?.code !== 0 || isShort || model.discounts.some(({ prices }) => prices.has(changed))) return
          askLive(shop, new Map([[changed, live.get(changed) ?? 0]]), ended)
        },
      }
    }
    // A catalogue of a few items: where the live list is not what it seems, they would be added once more.
    case 'sync-some': {
      const file = `some-${name}.csv`
      const references = some(3).map((id) => shop.reference(id))
      return {
        argv: ['shop:export', '--out', file],
        more: async (step, more, exported) => {
          if (exported.code !== 0) return
          const path = join(shop.work, file)
          const [head = '', ...rows] = real.readFileSync(path, 'utf8').split('\n')
          const left = rows.filter((row) =>
            references.some((reference) => row.startsWith(`${reference},`) || row.startsWith(`${reference}|`)),
          )
          // Somebody may have sold or removed all of them; a catalogue without rows is refused.
          if (left.length === 0) return
          real.writeFileSync(path, [head, ...left, ''].join('\n'))
          await shop.run(step, [['shop:sync', '--file', file, '--yes', '--wait']], more)
          anyPrice()
        },
      }
    }
    case 'watch':
      return { argv: [...WATCH, '--since', startOf(shop)], ended: ({ stdout }) => shop.delivered(stdout) }
    case 'watch-program':
      return { argv: [...WATCH_PROGRAM, '--since', startOf(shop)] }
    case 'orders':
      return {
        argv: ['orders:list', '--to-send', '--json', '--limit', '20'],
        more: async (step, more, { code, stdout }) => {
          const [order] = code === 0 ? (JSON.parse(stdout) as { OrderId: number }[]) : []
          if (order !== undefined) await shop.run(step, [['orders:mark', String(order.OrderId), '--sent', '--yes']], more)
        },
      }
    case 'labels':
      return {
        argv: ['orders:list', '--to-send', '--json', '--limit', '3'],
        more: async (step, more, { code, stdout }) => {
          const orders = code === 0 ? (JSON.parse(stdout) as { OrderId: number }[]).map(({ OrderId }) => String(OrderId)) : []
          if (orders.length > 0) await shop.run(step, [['orders:labels', ...orders, '--out', `labels-${name}.pdf`]], more)
        },
      }
    case 'export':
      return exporting(shop, 'rows', name)
    case 'books':
      return exporting(shop, 'sie', name)
    case 'relist':
      return { argv: ['items:relist', '--unsold', '--since', '30d', '--yes', '--wait'] }
    case 'end-discount': {
      const [running] = rowsOf<{ id: number; name: string }>(
        shop.ledger,
        "SELECT id, name FROM discounts WHERE state = 'running' ORDER BY id DESC LIMIT 1",
      )
      if (running === undefined) return undefined
      return {
        argv: ['discounts:end', String(running.id), '--yes', '--wait'],
        ended: () => {
          const found = model.discounts.find(({ title }) => title === running.name)
          if (found !== undefined) found.isSure = false
        },
      }
    }
    case 'look':
      return {
        argv: chance.pick([
          ['today'],
          ['items:list', '--type', 'shop', '--limit', '5'],
          ['jobs:list'],
          ['shop:settings'],
          ['discounts:list'],
          ['shop:diff', '--since', '2d'],
          ['sales:report', '--since', '7d'],
        ]),
      }
    case 'check':
      return { argv: chance.pick([['ledger:check'], ['ledger:prune', '--older-than', '9d', '--yes']]) }
  }
}

export const WATCH = ['transactions:watch', '--once']
export const WATCH_PROGRAM = [
  ...[...WATCH, '--name', 'program', '--exec', 'post-sale', '--exec-timeout', '30s', '--attempts', '2'],
]

export const startOf = ({ start }: Shop): string => new Date(start).toISOString()
const exportedSince = ({ start }: Shop): string => new Date(start - 30 * DAY_MS).toISOString()

/** An export of what is new. Where an earlier one broke off, and its file is not there, the seller writes that again. */
export function exporting(shop: Shop, form: 'rows' | 'sie', name: string): Part {
  const [of, since, file, again] =
    form === 'rows'
      ? [[], ['--since', exportedSince(shop)], `orders-${name}.csv`, `orders-${name}-again.csv`]
      : [['--form', 'sie'], [], `books-${name}.si`, `books-${name}-again.si`]
  return {
    argv: ['orders:export', ...of, '--new', ...since, '--out', file],
    async advised(run, { code, stderr }) {
      if (code !== 9 || !stderr.includes('broke off')) return
      await run('orders:export', ...of, '--again', '--out', again)
      await run('orders:export', ...of, '--new', ...since, '--out', file)
    },
  }
}

/** Somebody buys, and most pay. */
function sell(shop: Shop, item: number, chance: Chance): void {
  if (isClosed(shop)) return
  shop.machine.asService(() => {
    shop.marketplace.control.buy(item)
    const order = shop.sandbox.first<{ id: number }>('SELECT id FROM orders WHERE paid_at IS NULL ORDER BY id DESC LIMIT 1')
    if (order !== undefined && chance.flip(0.8)) shop.marketplace.control.pay(order.id)
  })
}

/** A buyer gets all of the money back, or a part. */
function refund(shop: Shop, chance: Chance): void {
  const orders = paidOrders(shop).filter(({ payments }) => payments.every((amount) => amount > 0))
  if (orders.length === 0) return
  const { id, payments } = chance.pick(orders)
  const paid = payments.reduce((sum, amount) => sum + amount, 0)
  const back = chance.flip(0.3) ? paid : 1 + chance.int(Math.max(1, Math.floor(paid / 2)))
  shop.machine.asService(() => shop.marketplace.control.pay(id, -back))
}

/** The orders that were paid since the start, with their payments in the order of time, kronor: as the service has them. */
export function paidOrders({ sandbox, start, marketplace: _ }: Shop): { id: number; payments: number[] }[] {
  return sandbox
    .rows<{ id: number; total: number }>(
      `SELECT id, shipping_cost + (SELECT coalesce(sum(amount), 0) FROM transactions t WHERE t.order_number = orders.id AND t.deleted = 0) AS total
       FROM orders WHERE paid_at >= ? AND seller_id = (SELECT min(seller_id) FROM items WHERE type = 4) ORDER BY id`,
      start,
    )
    .map(({ id, total }) => {
      const entered = sandbox.rows<{ amount: number }>('SELECT amount FROM payments WHERE order_id = ? ORDER BY rowid', id)
      return { id, payments: entered.length === 0 ? [total] : entered.map(({ amount }) => amount) }
    })
}

function changeOnWebsite(shop: Shop, id: number, chance: Chance): void {
  const price = shop.newPrice(id, chance)
  // Work that is due at the service comes first.
  shop.machine.asService(() => shop.marketplace.control.advance(0))
  shop.sandbox.change('UPDATE items SET price = ? WHERE id = ?', price, id)
  shop.model.wants(new Map([[id, price]]), false)
  shop.model.foreign.set(id, shop.commands)
}

/** A discount of fixed prices, or of a share of the normal ones, by times with a zone or as the seller's clock shows them. */
function discount(shop: Shop, items: readonly number[], chance: Chance, name: string): Part {
  const { model, now } = shop
  // Half of them are for items that are in another one.
  const others = model.discounts.filter(({ until }) => until > now).flatMap(({ prices }) => [...prices.keys()])
  const chosen = others.length > 0 && chance.flip(0.5) ? [...new Set([...items, chance.pick(others)])] : items
  const lowest = (id: number): number => Math.min(...(model.normal.get(id) ?? [100]))
  const percent = chance.flip(0.3) ? 5 + chance.int(20) : undefined
  const pattern = `${shop.reference(chosen[0]!).slice(0, -1)}?`
  const ids = percent === undefined ? chosen : [...model.normal.keys()].filter((id) => isLike(shop.reference(id), pattern))
  const share = (): number => (percent === undefined ? chance.between(0.75, 0.95) : 1 - percent / 100)
  const prices = new Map(ids.map((id) => [id, Math.max(1, Math.floor(lowest(id) * share()))]))
  const hours = chance.int(30)
  const [from, fromText] = hours === 0 ? [now, 'now'] : timeOf(Math.floor(now / 60_000) * 60_000 + hours * HOUR_MS, chance)
  const [until, untilText] = timeOf(from + (2 + chance.int(90)) * HOUR_MS, chance)
  const title = `D${name}`
  return {
    argv: [
      ...['shop:discount', title],
      ...(percent === undefined
        ? [...prices].map(([id, price]) => `${id}=${price}`)
        : ['--reference', pattern, '--add', `-${percent}%`]),
      ...['--from', fromText, '--until', untilText, '--yes'],
    ],
    ended: ({ code }) => {
      if (MAY_BE_MADE.has(code))
        model.discount({
          ...{ title, from, until, prices, at: now, isSure: code === 0 },
          ...(percent !== undefined && { percent }),
        })
    },
  }
}

/** True if a reference is one of a pattern whose last character may be any. */
const isLike = (reference: string, pattern: string): boolean =>
  reference.length === pattern.length && reference.startsWith(pattern.slice(0, -1))

const SWEDISH = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', dateStyle: 'short', timeStyle: 'short' })

/**
 * A time as a seller writes it: in Swedish time without a zone, where of two hours of the same name the later one counts, or with
 * one.
 */
function timeOf(at: number, chance: Chance): [at: number, text: string] {
  if (chance.flip(0.5)) return [at, new Date(at).toISOString()]
  const text = SWEDISH.format(at)
  return [SWEDISH.format(at + HOUR_MS) === text ? at + HOUR_MS : at, text]
}

/** Items are added; those of some files have no own reference, so that nothing in the shop tells whether they are there. */
function addition(shop: Shop, count: number, name: string): Part {
  const refs = Array.from({ length: count }, () => `SIM-${shop.seed}-${++shop.numbered}`)
  const isNamed = shop.numbered % 3 > 0
  const rows = refs.map((ref, at) => {
    const images = shop.numbered % 4 > 1 ? [] : Array.from({ length: 1 + at }, (_, image) => imageOf(shop.numbered + at, image))
    shop.model.images.set(
      ref,
      images.map((bytes) => bytes.toString('hex')),
    )
    const names = images.map((bytes, image) => shop.file(`${ref}-${image}.gif`, bytes))
    const cells = [isNamed ? ref : '', `Ny vas ${ref}`, '344481', 100 + (shop.numbered % 9) * 40, 3, 'pickup', 4096, 25, 'new']
    return `${[...cells, names.join('|')].join(';')}\n`
  })
  const head = 'SKU;Titel;Kategori;Pris;Antal;Frakt;Betalning;Moms;Skick;Bilder'
  const file = shop.file(`new-${name}.csv`, `${head}\n${rows.join('')}`)
  return {
    argv: ['shop:add', '--file', file, '--yes', '--wait'],
    ended: ({ code }) => {
      for (const ref of refs) shop.model.added.set(ref, code === 0)
    },
  }
}

/** An image of one pixel, of colours that only it has. */
function imageOf(number: number, at: number): Buffer {
  const bytes = Buffer.from('R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64')
  bytes.writeUInt16BE(number, 13)
  bytes[15] = at
  return bytes
}

/**
 * An unfinished job is copied and gone on with; then the ledger is lost, and the copy takes its place: what was sent since is not
 * sent again.
 */
function drill(shop: Shop, chance: Chance, name: string): Part {
  const part = addition(shop, 3, name)
  return {
    ...part,
    argv: [...part.argv.filter((word) => word !== '--wait'), '--concurrency', '1', '--max-calls', String(1 + chance.int(3))],
    // Queued rows may still fail.
    ended: (ended) => part.ended?.({ ...ended, code: undefined }, true),
    more: async (step, more) => {
      let turn = 0
      const run = async (at: Step, ...argv: string[]): Promise<Ended> => (await shop.run(at, [argv], more.fork(turn++)))[0]!
      const copy = `copy-${name}.db`
      const copied = await run(CALM, 'ledger:backup', copy)
      if (copied.code !== 0) return
      shop.model.copies.push({ name: copy, at: shop.now })
      await run(step, 'jobs:resume', '--wait')
      const restore = restoring(shop, chance)
      const [ended] = await shop.run(step, [restore.argv], more.fork('restore'))
      restore.ended?.(ended!, true)
      await restore.more?.(step, more.fork('again'), ended!)
      await run(step, 'jobs:resume', '--wait')
    },
  }
}

/** The newest copy becomes the ledger, which is lost first, or damaged, or neither. */
function restoring(shop: Shop, chance: Chance): Part {
  const { model } = shop
  const copy = model.copies.at(-1)!
  const loss = chance.pick(['gone', 'gone', 'damaged', 'none', 'none'] as const)
  const argv = ['ledger:restore', copy.name, '--yes', '--json']
  if (loss === 'damaged' && real.existsSync(shop.ledger)) real.writeFileSync(shop.ledger, Buffer.alloc(20_000, 0x55))
  if (loss !== 'none')
    for (const end of ['', '-wal', '-shm'])
      if (end !== '' || loss === 'gone') real.rmSync(`${shop.ledger}${end}`, { force: true })
  shop.sent.clear()
  return {
    argv,
    ended: () => model.restored(copy, loss !== 'none', shop.now, shop.exports),
    more: async (_step, more, { code }) => {
      if (code === 0) return
      // It was left in the middle: the seller gives the line again, once nobody can be thought to be at it, also where its clock
      // was hours ahead.
      await shop.machine.pass(9 * HOUR_MS)
      const [again] = await shop.run(CALM, [argv], more)
      model.checked('a copy becomes the ledger')
      if (again?.code !== 0)
        throw new Broken('a copy becomes the ledger', `${argv.join(' ')}: exit ${again?.code}\n${again?.stdout}${again?.stderr}`)
    },
  }
}

/** Numbers in stock are set, something may be sold, and some of it is undone. */
function restocking(shop: Shop, items: readonly number[], chance: Chance): Part {
  const { model } = shop
  const wanted = new Map(items.map((id) => [id, 3 + chance.int(40)]))
  const before = shop.live('remaining')
  const last = lastJob(shop)
  return {
    argv: ['shop:stock', ...[...wanted].map(([id, count]) => `${id}=${count}`), '--yes'],
    more: async (step, more, { code }) => {
      const job = newJob(shop, last, 'stock')
      if (job === undefined || !chance.flip(0.6)) return
      const sold = chance.pick(items)
      const isOnSale = shop.onSale().some(({ id }) => id === sold)
      if (isOnSale && chance.flip(0.7)) sell(shop, sold, chance)
      const live = shop.live('remaining')
      const [ended] = await shop.run(step, [['jobs:undo', String(job), '--yes', '--wait']], more)
      const after = shop.live('remaining')
      for (const [id, count] of wanted) {
        if (code !== 0) continue
        const [was, now] = [live.get(id), after.get(id)]
        if (was !== count) {
          model.checked('sold stock is not put back')
          if (now !== was)
            throw new Broken(
              'sold stock is not put back',
              `jobs:undo ${job}: of item ${id}, ${was} were left after a sale, and ${now} are now.`,
            )
        } else if (ended?.code === 0) {
          model.checked('undo brings back what was there')
          if (now !== before.get(id))
            throw new Broken(
              'undo brings back what was there',
              `jobs:undo ${job}: item ${id} has ${now} in stock and not ${before.get(id)}.`,
            )
        }
      }
    },
  }
}

function lastJob(shop: Shop): number {
  return rowsOf<{ id: number | null }>(shop.ledger, 'SELECT max(id) AS id FROM jobs')[0]?.id ?? 0
}

/** The newest job of a kind after another one. */
function newJob(shop: Shop, after: number, kind: string): number | undefined {
  const sql = 'SELECT id FROM jobs WHERE id > ? AND kind = ? AND undo_of IS NULL ORDER BY id DESC LIMIT 1'
  return rowsOf<{ id: number }>(shop.ledger, sql, after, kind)[0]?.id
}

/** True if a discount may decide the price of an item about now. An end waits for jobs:due, however long that is. */
function isDiscounted(shop: Shop, id: number, patienceMs = DAY_MS): boolean {
  if (shop.model.begun(id, shop.now, patienceMs).length > 0) return true
  return rowsOf(shop.ledger, 'SELECT 1 FROM discount_prices WHERE item_id = ?', id).length > 0
}

/** The newest job is undone; somebody else may have changed one of its prices since. */
function undoing(shop: Shop, chance: Chance): Part | undefined {
  const { model } = shop
  const job = model.jobs.at(-1)
  if (job === undefined) return undefined
  if (chance.flip(0.35)) changeOnWebsite(shop, chance.pick([...job.wanted.keys()]), chance)
  const live = shop.live()
  return {
    argv: ['jobs:undo', String(job.id), '--yes', '--wait'],
    ended: ({ code }, isAlone) => {
      if (isAlone) askUndone(shop, job, live, code === 0)
      model.may(job.before.keys(), (id) => job.before.get(id) ?? [])
      model.jobs.pop()
    },
  }
}

/** A command that sets prices: by a job whose id is looked up. */
function pricing(shop: Shop, argv: readonly string[], wanted: ReadonlyMap<number, number>): Part {
  const { model } = shop
  const before = new Map([...wanted.keys()].map((id) => [id, new Set(model.normal.get(id))]))
  const last = lastJob(shop)
  return {
    argv,
    ended: (ended, isAlone) => {
      const isSure = ended.code === 0 && isAlone
      if (!isSure) model.unfinished.push(wanted)
      model.wants(wanted, isSure && ![...wanted.keys()].some((id) => isDiscounted(shop, id)))
      const id = newJob(shop, last, 'price')
      if (id !== undefined && isAlone) model.jobs.push({ id, before, wanted, at: shop.commands })
      if (isSure) askLive(shop, new Map([...wanted].filter(([id]) => !isDiscounted(shop, id))), ended)
    },
  }
}

function askLive(shop: Shop, wanted: ReadonlyMap<number, number>, { argv, stderr }: Ended): void {
  const live = shop.live()
  for (const [id, price] of wanted) {
    shop.model.checked('exit 0 means that it is so')
    if (live.get(id) === price) continue
    const what = `${argv.join(' ')}: item ${id} is at ${live.get(id)} and not ${price}.\n${stderr}`
    throw new Broken('exit 0 means that it is so', what)
  }
}

/** An undo without a word has set back all prices; what somebody else has changed since stays. */
function askUndone(
  shop: Shop,
  { before, wanted, id: job, at }: SetJob,
  live: ReadonlyMap<number, number>,
  isDone: boolean,
): void {
  const { model } = shop
  const after = shop.live()
  for (const [id, price] of wanted) {
    if (isDiscounted(shop, id)) continue
    const changed = model.foreign.get(id)
    if (changed !== undefined && changed >= at && live.get(id) !== price) {
      model.checked('undo leaves what others have changed')
      if (after.get(id) === live.get(id)) continue
      throw new Broken(
        'undo leaves what others have changed',
        `jobs:undo ${job}: item ${id} was at ${live.get(id)}, which the job has not set, and is at ${after.get(id)}.`,
      )
    }
    const [was, now] = [[...(before.get(id) ?? [])], [...(model.normal.get(id) ?? [])]]
    const isOurs = was.length === 1 && now.length === 1 && now[0] === price && changed === undefined
    if (!isOurs || !isDone) continue
    model.checked('undo brings back what was there')
    if (after.get(id) !== was[0]) {
      throw new Broken(
        'undo brings back what was there',
        `jobs:undo ${job}: item ${id} is at ${after.get(id)} and not ${was[0]}.`,
      )
    }
  }
}

/** After all that is due was done: each price is the lowest of the normal price and of the discounts that run. */
async function askRunning(shop: Shop, run: (...argv: string[]) => Promise<Ended>): Promise<void> {
  const { model, now } = shop
  const [open] = rowsOf<{ count: number }>(
    shop.ledger,
    "SELECT count(*) AS count FROM jobs WHERE finished_at IS NULL AND kind = 'price'",
  )
  if ((open?.count ?? 0) > 0) return
  const live = shop.live()
  for (const [id, normal] of model.normal) {
    const [price, more] = normal
    const running = model.discounts.filter(({ prices, from, until }) => prices.has(id) && from <= now && until > now)
    if (price === undefined || more !== undefined || running.length === 0 || model.foreign.has(id)) continue
    if (model.discounts.some(({ isSure, prices }) => !isSure && prices.has(id))) continue
    const both = running.map((discount) => discounted(discount, id, price))
    const [wanted, most] = [Math.min(price, ...both.map(([low]) => low)), Math.min(price, ...both.map(([, high]) => high))]
    model.checked('the lowest of the normal price and of discounts that run')
    const costs = live.get(id) ?? 0
    if ((wanted <= costs && costs <= most) || (await isNamed(shop, run, id))) continue
    throw new Broken(
      'the lowest of the normal price and of discounts that run',
      `Item ${id} is at ${live.get(id)} and not ${wanted}: normal ${price}, discounts ${running.map(({ title }) => title).join(', ')}.`,
    )
  }
}

/** True if a discount says of an item that its price was not set, or not set back. */
export async function isNamed(shop: Shop, run: (...argv: string[]) => Promise<Ended>, item: number): Promise<boolean> {
  const discounts = rowsOf<{ id: number }>(
    shop.ledger,
    'SELECT DISTINCT discount_id AS id FROM discount_items WHERE item_id = ?',
    item,
  )
  for (const { id } of discounts) {
    const { stdout, code } = await run('discounts:show', String(id), '--json')
    if (code !== 0) continue
    const { Rows } = JSON.parse(stdout) as { Rows: readonly { Id: number; State: string; Reason: string | null }[] }
    // One that is done may say that its normal price has changed: that is no reason for another price.
    if (Rows.some(({ Id, State, Reason }) => Id === item && State !== 'done' && (Reason ?? '') !== '')) return true
  }
  return false
}

/**
 * The catalogue with other prices in the rows of some items: own references, title, category, price.
 * @returns undefined if it lacks one of them: the list was short
 */
function repriced(text: string, wanted: ReadonlyMap<string, number>): string | undefined {
  let changed = 0
  const rows = text.split('\n').map((row) =>
    row.replace(/^([^,|]+)([^,]*,(?:"(?:[^"]|"")*"|[^,]*),[^,]*,)(\d+)/, (whole, reference: string, between: string) => {
      const price = wanted.get(reference)
      if (price === undefined) return whole
      changed++
      return `${reference}${between}${price}`
    }),
  )
  return changed === wanted.size ? rows.join('\n') : undefined
}
