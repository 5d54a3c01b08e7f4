/** Everything wrong with an input at once, bounded: a file of a million bad rows must not become a million messages. */
import type { RowFault } from './types.js'

/** How many faults are kept to be shown; the rest are counted. */
export const FAULTS_SHOWN = 50

/** The longest piece of a value that a message quotes. */
const QUOTED_LENGTH = 60

/** An input that is refused as a whole: nothing of it may be sent. */
export class InputRefused extends Error {
  override readonly name = 'InputRefused'
  /** The first faults, at most FAULTS_SHOWN. */
  readonly faults: readonly RowFault[]
  /** How many there are in all. */
  readonly count: number

  constructor(faults: readonly RowFault[], count: number = faults.length) {
    super(refusal(faults, count))
    this.faults = faults
    this.count = count
  }
}

/** Collects faults while an input is read. */
export class FaultList {
  readonly #kept: RowFault[] = []
  #total = 0

  get count(): number {
    return this.#total
  }

  add(line: number, field: string | null, value: unknown, message: string): void {
    this.#total++
    if (this.#kept.length < FAULTS_SHOWN) {
      this.#kept.push({ Line: line, Field: field, Value: value === undefined ? null : shortened(value), Message: message })
    }
  }

  /** Ends the reading with everything found, if anything was. @throws InputRefused */
  refuse(): void {
    if (this.#total === 0) return
    // Twins are found at the later line, whole-input faults at the end: a person reads them by line.
    throw new InputRefused(
      [...this.#kept].sort((one, other) => one.Line - other.Line),
      this.#total,
    )
  }
}

/** One fault as a line of text: "line 7, Price "199,90": …". */
export function faultText(fault: RowFault): string {
  const where = [
    ...(fault.Line > 0 ? [`line ${fault.Line}`] : []),
    ...(fault.Field === null ? [] : [fault.Field]),
    ...(fault.Value === null ? [] : [`"${fault.Value}"`]),
  ]
  const place = where.join(', ').replace(', "', ' "')
  return place === '' ? fault.Message : `${place}: ${fault.Message}`
}

function refusal(faults: readonly RowFault[], count: number): string {
  const lines = faults.map(faultText)
  const more = count > faults.length ? [`… and ${count - faults.length} more.`] : []
  const head =
    count === 1 ? 'The input is refused, nothing was sent:' : `The input is refused for ${count} faults, nothing was sent:`
  return [head, ...lines, ...more].join('\n')
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text
}
