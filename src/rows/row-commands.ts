/** Rows that another system is told to delete or to ignore, in any form: which they are, and the notes on them. */
import { countOf } from '../contract/numbers.js'
import { plainName, rowCommand } from './fields.js'

/** Kinds of rows that their commands leave out, with the note on them. */
export const COMMANDED = {
  deleted: (rows: number, columns: string) =>
    `${countOf(rows, 'row')} that ${columns} deletes ${rows === 1 ? 'was' : 'were'} skipped. With the same file, shop:remove takes only those.`,
  ignored: (rows: number, columns: string) =>
    `${countOf(rows, 'row')} that ${columns} ignores ${rows === 1 ? 'was' : 'were'} skipped.`,
  kept: (rows: number, columns: string) =>
    `${countOf(rows, 'row')} that ${columns} does not delete ${rows === 1 ? 'was' : 'were'} skipped.`,
} as const
export type Commanded = keyof typeof COMMANDED

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
export function commandLook(reader: CommandColumns): (cells: readonly unknown[]) => Commanded | undefined {
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

/** The columns of the commands as a note names them. */
export function commandNames({ columns, commands }: CommandColumns): string {
  return commands.map((at) => `"${columns[at]}"`).join(' or ')
}
