/**
 * Collects everything that is wrong with an input, up to a limit: a file of a million bad rows must not produce a million
 * messages.
 */
import { countOf } from '../contract/numbers.js'
import type { RowFault } from './types.js'

/** Number of faults kept to be shown; the others are counted. */
export const FAULTS_SHOWN = 50

/** The longest piece of a value that a message quotes. */
const QUOTED_LENGTH = 60

/** From this many faults of one kind on, they are reported as one. */
const MANY_ALIKE = 4
/** Number of kinds that are listed; the others are counted. */
const KINDS_KEPT = 50
/** Number of faults that are named of a kind. */
const EXAMPLES = 3

/** The kind of faults that an item is named twice. */
export const TWICE = 'occurs twice'

/** Faults of one kind: in the same column, and for the same reason. */
export interface FaultKind {
  readonly kind: string
  readonly count: number
  /** The first of them by line. */
  readonly examples: readonly RowFault[]
}

/** An input that is refused as a whole. Nothing of it may be sent. */
export class InputRefused extends Error {
  override readonly name = 'InputRefused'

  /**
   * @param faults the first faults, at most FAULTS_SHOWN
   * @param count how many there are in all
   * @param kinds the same by kind, starting with the kind of the first line
   * @param sheet whether it is a workbook, whose faults are in rows of a sheet, not in lines of a text
   */
  constructor(
    readonly faults: readonly RowFault[],
    readonly count: number,
    readonly kinds: readonly FaultKind[],
    readonly sheet: boolean,
  ) {
    super(refusal(kinds, count))
  }
}

/** Collects faults while an input is read. */
export class FaultList {
  readonly #faults: RowFault[] = []
  readonly #kinds = new Map<string, { kind: string; count: number; examples: RowFault[] }>()
  #total = 0
  /** True if the input is a workbook. */
  sheet = false

  get count(): number {
    return this.#total
  }

  /** @param kind the reason, by which faults are told together; needed where the message quotes what differs from line to line */
  add(line: number, field: string | null, value: unknown, message: string, kind = message): this {
    this.#total++
    const fault = { Line: line, Field: field, Value: value === undefined ? null : shortened(value), Message: message }
    if (this.#faults.length < FAULTS_SHOWN) this.#faults.push(fault)
    this.#gather(fault, kind)
    return this
  }

  /** Forgets the faults: one cause of all is told instead. */
  clear(): void {
    this.#faults.length = 0
    this.#kinds.clear()
    this.#total = 0
  }

  /** Ends the reading if there are faults. @throws InputRefused with all of them */
  refuse(): void {
    if (this.#total > 0) throw this.refusal()
  }

  /**
   * All faults as an error. Doubles are found at the later line and faults of the whole input at the end, but a person reads
   * faults by line.
   */
  refusal(): InputRefused {
    const kinds = [...this.#kinds.values()].map((each) => ({ ...each, examples: byLine(each.examples) }))
    kinds.sort((one, other) => (one.examples[0]?.Line ?? 0) - (other.examples[0]?.Line ?? 0))
    return new InputRefused(byLine(this.#faults), this.#total, kinds, this.sheet)
  }

  #gather(fault: RowFault, kind: string): void {
    const key = `${fault.Field ?? ''}|${kind}`
    const alike = this.#kinds.get(key)
    if (alike !== undefined) {
      alike.count++
      if (alike.examples.length < MANY_ALIKE) alike.examples.push(fault)
    } else if (this.#kinds.size < KINDS_KEPT) this.#kinds.set(key, { kind, count: 1, examples: [fault] })
  }
}

function byLine(faults: readonly RowFault[]): RowFault[] {
  return [...faults].sort((one, other) => one.Line - other.Line)
}

/** One fault as a line of text: "line 7, Price "199,90": …". @param unit what `Line` counts */
export function faultText(fault: RowFault, unit: FaultUnit = 'line'): string {
  const place = placeOf(fault, unit)
  return place === '' ? fault.Message : `${place}: ${fault.Message}`
}

export type FaultUnit = 'line' | 'row' | 'argument'

/** Where a fault is: `line 7, Price "199,90"`. */
function placeOf(fault: RowFault, unit: FaultUnit): string {
  const where = [
    ...(fault.Line > 0 ? [`${unit} ${fault.Line}`] : []),
    ...(fault.Field === null ? [] : [fault.Field]),
    ...(fault.Value === null ? [] : [`"${fault.Value}"`]),
  ]
  return where.join(', ').replace(', "', ' "')
}

/**
 * Faults as lines of text: each on its own or, if many are of one kind, the first of them with their number and further examples.
 */
export function faultLines(kinds: readonly FaultKind[], count: number, unit: FaultUnit = 'line'): string[] {
  const text = (fault: RowFault): string => faultText(fault, unit)
  const lines = kinds.flatMap(({ count: alike, examples }) => {
    const [first, ...others] = examples
    if (first === undefined) return []
    if (alike < MANY_ALIKE) return examples.map(text)
    const also = others.slice(0, EXAMPLES - 1).map((fault) => placeOf(fault, unit))
    return [`${text(first)} (${alike} faults of this kind; also ${also.join(' and ')})`]
  })
  const remaining = count - kinds.reduce((sum, kind) => sum + kind.count, 0)
  return remaining > 0 ? [...lines, `… and ${remaining} more.`] : lines
}

function refusal(kinds: readonly FaultKind[], count: number): string {
  const head =
    count === 1
      ? 'The input is refused, nothing was sent:'
      : `The input is refused for ${countOf(count, 'fault')}, nothing was sent:`
  return [head, ...faultLines(kinds, count)].join('\n')
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text
}
