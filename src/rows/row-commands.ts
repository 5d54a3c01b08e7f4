/** Rows that are no items of an input, in any form: what a system is told to do with a row, and the notes on those left out. */
import { countOf } from '../contract/numbers.js'
import { plainName, rowCommand } from './fields.js'

/** Kinds of rows that are left out, as the note on them names them. */
const SKIPPED = {
  deleted: (columns: string) => `that ${columns} deletes`,
  ignored: (columns: string) => `that ${columns} ignores`,
  kept: (columns: string) => `that ${columns} does not delete`,
  view: () => 'of another view of the shop, such as a language,',
  parent: () => 'of products whose variants have rows of their own',
  image: () => 'without an item, such as further images,',
  sum: () => 'of sums',
  names: () => 'with the names of the columns once more',
} as const
export type Skipped = keyof typeof SKIPPED

/** The note on rows that were left out. */
export function skippedNote(kind: Skipped, rows: number, { columns, commands }: CommandColumns): string {
  const names = commands.map((at) => `"${columns[at]}"`).join(' or ')
  const advice = kind === 'deleted' ? ' With the same file, shop:remove takes only those.' : ''
  return `${countOf(rows, 'row')} ${SKIPPED[kind](names)} ${rows === 1 ? 'was' : 'were'} skipped.${advice}`
}

interface CommandColumns {
  /** Names of all columns. JSON may bring new ones in any row. */
  readonly columns: readonly string[]
  /** Places of those that say what a system does with a row. */
  readonly commands: readonly number[]
  /** True if the rows that are deleted are what the input is about. */
  readonly removes: boolean
}

/** Columns that rows of one product share. */
const PRODUCTS: ReadonlySet<string> = new Set(['id', 'handle', 'urlhandle', 'productid'])

/**
 * Makes what finds the rows that a system is told to delete or to ignore. Rows of the same product that say nothing follow the
 * row above.
 */
export function commandLook(reader: CommandColumns): (cells: readonly unknown[]) => Skipped | undefined {
  let [columns, product] = [0, -1]
  let above: { readonly of: string; readonly told: string | undefined } | undefined
  return (cells) => {
    if (reader.commands.length === 0) return undefined
    if (reader.columns.length !== columns) {
      columns = reader.columns.length
      product = reader.columns.findIndex((name) => PRODUCTS.has(plainName(name)))
    }
    const words = reader.commands.map((at) => [reader.columns[at] ?? '', String(cells[at] ?? '').trim()] as const)
    const of = product < 0 ? '' : String(cells[product] ?? '').trim()
    const says = words.some(([, word]) => word !== '')
    const told = words.map(([column, word]) => rowCommand(column, word)).find((each) => each !== undefined)
    if (says) above = { of, told }
    const command = says ? told : of !== '' && above?.of === of ? above.told : undefined
    if (reader.removes) return command === 'delete' ? undefined : 'kept'
    return command === 'delete' ? 'deleted' : command === 'ignore' ? 'ignored' : undefined
  }
}
