/** What each column of an input is for. */
import { nearest } from '../contract/index.js'
import type { FaultList } from './faults.js'
import { plainName, REASON_COLUMN } from './fields.js'

/** A field of the reader; `extra`: kept unchanged; `other`: not read; `ignored`: neither read nor kept. */
export type Role<F extends string> = F | 'extra' | 'other' | 'ignored'

export interface RoleOptions<F extends string> {
  /** The fields of this kind of input, by the plain names of their columns. */
  readonly names: Readonly<Record<string, F>>
  readonly faults: FaultList
  /** Why a column that is no field cannot be passed over; undefined for one that can. */
  readonly refuse?: (name: string, plain: string) => string | undefined
}

/** Columns in the order in which they came, each with its role. */
export class Roles<F extends string> {
  readonly columns: string[] = []
  readonly roles: Role<F>[] = []
  readonly #options: RoleOptions<F>
  readonly #taken = new Map<string, string>()

  constructor(options: RoleOptions<F>) {
    this.#options = options
  }

  /** Takes the next column. Adds a fault if a field has a column already, or if the column is refused. */
  add(name: string, line: number): void {
    this.columns.push(name)
    this.roles.push(this.#roleOf(name, line))
  }

  /** The column of a field, -1 if there is none. */
  indexOf(field: F): number {
    return this.roles.indexOf(field)
  }

  /** Indexes of the columns that are kept and written back. */
  get extras(): number[] {
    return this.roles.flatMap((role, index) => (role === 'extra' ? [index] : []))
  }

  /** The same, and the columns that say something of a price: `_Allow` and `_Old`. @param old the column of expected prices */
  keptBeside(allow: number, old: number): number[] {
    return this.roles.flatMap((role, index) => (role === 'extra' || index === allow || index === old ? [index] : []))
  }

  /** Names of the columns that are skipped. */
  get others(): string[] {
    return this.columns.filter((name, index) => this.roles[index] === 'other' && name.trim() !== '')
  }

  /** Of the skipped columns, the one whose name is nearest to a known one. */
  nearestOther(known: string): string | undefined {
    return this.others.find((name) => nearest(name, [known]) !== undefined)
  }

  /**
   * The columns of rows that are written back, as they were spelled, and the field of each.
   * @param fieldOf the field of a column with a role, if not the role itself; undefined for a column that does not come back
   */
  givenBack(fieldOf: (role: F, index: number) => string | undefined): { columns: string[]; fields: string[] } {
    const given = this.columns.flatMap((column, index) => {
      const role = this.roles[index] ?? 'other'
      const field = role === 'other' || role === 'ignored' ? undefined : role === 'extra' ? column : fieldOf(role as F, index)
      return field === undefined ? [] : [{ column, field }]
    })
    return { columns: given.map(({ column }) => column), fields: given.map(({ field }) => field) }
  }

  #roleOf(name: string, line: number): Role<F> {
    const { names, faults, refuse } = this.#options
    const plain = plainName(name)
    if (plain === REASON_COLUMN.toLowerCase()) return 'ignored'
    const field = Object.hasOwn(names, plain) ? names[plain] : undefined
    if (field === undefined) {
      if (plain.startsWith('_')) return 'extra'
      const why = refuse?.(name, plain)
      if (why === undefined) return 'other'
      faults.add(line, null, name, `${why} Columns of your own begin with _.`)
      return 'ignored'
    }
    const twin = this.#taken.get(field)
    if (twin !== undefined) {
      faults.add(line, null, name, `is a second column for ${field}; "${twin}" is one already. Rename one of them.`)
      return 'ignored'
    }
    this.#taken.set(field, name)
    return field
  }
}
