/** Fields of live items, changed by a sheet, by undo and restore, and on the website; with the promises about them. */
import type { Chance } from './chance.js'
import type { Part } from './commands.js'
import { rowsOf } from './ledger.js'
import { Broken } from './model.js'
import type { Shop } from './shop.js'

const HOUR_MS = 3600_000

interface Item {
  readonly ShortDescription?: string
  readonly LongDescription?: string
  readonly VAT?: number
  readonly PaymentOptions?: readonly number[]
  readonly ShippingOptions?: readonly { readonly Cost: number }[]
}

/** Column of a sheet, and its value as the service has it. */
const FIELDS = {
  Titel: ({ ShortDescription }: Item) => ShortDescription ?? '',
  Beskrivning: ({ LongDescription }: Item) => LongDescription ?? '',
  Moms: ({ VAT }: Item) => String(VAT ?? ''),
  Betalning: ({ PaymentOptions }: Item) => [...(PaymentOptions ?? [])].sort((one, other) => one - other).join('|'),
  Frakt: ({ ShippingOptions }: Item) => (ShippingOptions ?? []).map(({ Cost }) => `Sandbudet,cost=${Cost},weight=1`).join('|'),
} as const
type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Field[]

/** A key for each item and field, with its value, as the service has them now. */
export function fieldsOf(shop: Shop): Map<string, string> {
  const found = new Map<string, string>()
  for (const id of shop.model.normal.keys()) {
    const row = shop.sandbox.first<{ details: string }>('SELECT details FROM items WHERE id = ?', id)
    const { item } = JSON.parse(row?.details ?? '{"item":{}}') as { item: Item }
    for (const name of NAMES) found.set(`${id} ${name}`, FIELDS[name](item))
  }
  return found
}

/** Asked after every step: an item has nothing that nobody wrote. @throws {Broken} */
export function askFields(shop: Shop): void {
  for (const [key, value] of fieldsOf(shop)) {
    shop.model.checked('no field that no plan had')
    if (!shop.model.fields.get(key)?.has(value)) throw new Broken('no field that no plan had', `${key} is "${value}".`)
  }
}

/** Somebody writes another title on the website. */
function retitle(shop: Shop, id: number): void {
  const title = `Av hand ${id} i steg ${shop.step}`
  shop.model.fields.get(`${id} Titel`)?.add(title)
  shop.sandbox.change("UPDATE items SET details = json_set(details, '$.item.ShortDescription', ?) WHERE id = ?", title, id)
}

/**
 * A sheet of some fields of some items is synced; then it is undone, or the fields of before are restored, or neither.
 * @param mayCost after it, items may have any of their prices
 */
export function fieldSync(shop: Shop, items: readonly number[], chance: Chance, name: string, mayCost: () => void): Part {
  const { model } = shop
  const columns = NAMES.filter(() => chance.flip(0.5))
  if (columns.length === 0) columns.push('Titel')
  const cellOf = (column: Field, at: number): string =>
    ({
      Titel: `Vas ${name} nr ${at}`,
      Beskrivning: `${name} ${at}: ${'en vas av glas från en loppis i stan, hel och ren. '.repeat(4)}`.trim(),
      Moms: chance.pick(['6', '12', '25']),
      Betalning: chance.pick(['4096', '8', '8|4096']),
      Frakt: `Sandbudet,cost=${40 + chance.int(50)},weight=1`,
    })[column]
  const wanted = new Map<string, string>()
  const rows = items.map((id, at) => {
    const cells = columns.map((column) => cellOf(column, at))
    for (const [place, column] of columns.entries()) {
      wanted.set(`${id} ${column}`, cells[place]!)
      model.fields.get(`${id} ${column}`)?.add(cells[place]!)
    }
    return `${[shop.reference(id), ...cells].join(';')}\n`
  })
  const file = shop.file(`fields-${name}.csv`, `${['SKU', ...columns].join(';')}\n${rows.join('')}`)
  const [before, at] = [fieldsOf(shop), shop.now]
  const last = rowsOf<{ id: number | null }>(shop.ledger, 'SELECT max(id) AS id FROM jobs')[0]?.id ?? 0
  /** @throws {Broken} where a field is not as it should be */
  const ask = (promise: string, should: ReadonlyMap<string, string>, what: string): void => {
    const live = fieldsOf(shop)
    for (const key of wanted.keys()) {
      model.checked(promise)
      if (live.get(key) !== should.get(key))
        throw new Broken(promise, `${what}: ${key} is "${live.get(key)}" and not "${should.get(key)}".`)
    }
  }
  return {
    argv: ['shop:sync', '--file', file, '--yes', '--wait'],
    more: async (step, more, { code, stderr }) => {
      // A row whose item another job is changing is named, and left for the next run.
      if (code !== 0 || /\bon the way\b/.test(stderr)) return
      ask('exit 0 means that it is so', wanted, file)
      const sql = "SELECT id FROM jobs WHERE id > ? AND kind = 'update' AND undo_of IS NULL ORDER BY id DESC LIMIT 1"
      const [job] = rowsOf<{ id: number }>(shop.ledger, sql, last)
      if (job === undefined || !chance.flip(0.7)) return
      const isBack = step.skewMs === 0 && chance.flip(0.4)
      const theirs = chance.flip(0.3) ? items[0] : undefined
      if (theirs !== undefined) retitle(shop, theirs)
      const live = fieldsOf(shop)
      let argv = ['jobs:undo', String(job.id), '--yes', '--wait']
      if (isBack) {
        await shop.machine.pass(5 * HOUR_MS)
        argv = ['shop:restore', '--at', new Date(at - 60_000).toISOString(), '--yes', '--wait']
      }
      const [ended] = await shop.run(step, [argv], more)
      if (isBack) mayCost()
      const now = fieldsOf(shop)
      const title = `${theirs} Titel`
      // An undo leaves what others have written since; a restore is of all, and asks nobody.
      if (theirs !== undefined && !isBack && live.get(title) !== wanted.get(title)) {
        model.checked('undo leaves what others have changed')
        if (now.get(title) !== live.get(title))
          throw new Broken('undo leaves what others have changed', `${argv.join(' ')}: ${title} is "${now.get(title)}".`)
      }
      if (ended?.code === 0 && theirs === undefined) ask('undo brings back what was there', before, argv.join(' '))
    },
  }
}
