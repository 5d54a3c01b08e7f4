/** What each column of an input is for. */
import { nearest } from '../contract/index.js'
import type { FaultList } from './faults.js'

/** The column with the reason of failed rows. It is ignored when they are used as input again. */
export const REASON_COLUMN = '_Reason'
export const ALLOW_COLUMN = '_Allow'
/** The live price that the row expects. */
export const OLD_COLUMN = '_Old'

/** A field of the reader; `extra`: kept unchanged; `other`: not read; `ignored`: neither read nor kept. */
export type Role<F extends string> = F | 'extra' | 'other' | 'ignored'

export interface RoleOptions<F extends string> {
  /** The fields of this kind of input, by their names and other spellings as `plain` returns them. */
  readonly names: Readonly<Record<string, F>>
  /** Names to suggest for a mistyped one. */
  readonly known: readonly string[]
  readonly faults: FaultList
  /** How a name is read; as lower case by default. */
  readonly plain?: (name: string) => string
  /** What happens to unknown columns: refused with the nearest known name (the default), or skipped. */
  readonly others?: 'refused' | 'passed over'
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

  /**
   * Takes the next column. Adds a fault if a field has a column already, or if the column is unknown and unknown ones are
   * refused.
   */
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

  /** Names of the columns that are skipped. */
  get others(): string[] {
    return this.columns.filter((name, index) => this.roles[index] === 'other' && name !== '')
  }

  /** Of the skipped columns, the one whose name is nearest to a known one. */
  nearestOther(known: string): string | undefined {
    return this.others.find((name) => nearest(name, [known]) !== undefined)
  }

  #roleOf(name: string, line: number): Role<F> {
    const { names, known, faults, others = 'refused' } = this.#options
    const plain = this.#options.plain?.(name) ?? name.trim().toLowerCase()
    if (plain === REASON_COLUMN.toLowerCase()) return 'ignored'
    const field = Object.hasOwn(names, plain) ? names[plain] : undefined
    if (field === undefined) {
      if (plain.startsWith('_')) return 'extra'
      if (others === 'passed over') return 'other'
      const near = nearest(name.trim(), known)
      const advice = near === undefined ? `Known columns: ${known.join(', ')}` : `Did you mean ${near}?`
      const what = plain === '' ? 'is a column without a name' : 'is not a column of this input'
      faults.add(line, null, name, `${what}. ${advice}${near === undefined ? '.' : ''} Columns of your own begin with _.`)
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
