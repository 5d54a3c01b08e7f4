/** Descriptions of the service: how it differs from what this tool knows, its operations, and one of them in full. */
import { countOf } from '../../contract/numbers.js'
import { someOf } from '../../contract/some-of.js'
import { safeLine } from '../output/safe-text.js'
import type { Paint, Tone, View } from '../output/types.js'
import { wrap } from '../output/width.js'
import { columnsOf } from './columns.js'

/** A difference, found in one or several operations. */
export interface DifferenceRecord {
  readonly Effect: 'breaks' | 'differs' | 'new' | 'only_here' | 'unread'
  /** Kind of difference; a stable word. */
  readonly Kind: string
  readonly Service: string
  readonly Operations: readonly string[]
  /** `Operation.parameter` or `Type.Field`; null if it concerns the whole service. */
  readonly Subject: string | null
  readonly Expected: string | null
  readonly Found: string | null
  /** The commands that it breaks, or that use what it concerns. */
  readonly Commands: readonly string[]
  readonly Message: string
}

const EFFECTS: Readonly<Record<DifferenceRecord['Effect'], { readonly words: string; readonly tone: Tone }>> = {
  breaks: { words: 'breaks', tone: 'red' },
  differs: { words: 'differs', tone: 'yellow' },
  new: { words: 'new', tone: 'green' },
  only_here: { words: 'only here', tone: 'dim' },
  unread: { words: 'not read', tone: 'dim' },
}

export const differencesView: View<DifferenceRecord> = {
  empty: 'No differences: every command works with this description.',
  keys: ['Kind', 'Operations', 'Expected', 'Found'],
  footer: (rows) => countOf(rows, 'difference'),
  columns: [
    {
      key: 'Effect',
      shown: ({ Effect: effect }) => EFFECTS[effect].words,
      style: ({ Effect: effect }, paint) => {
        return paint[EFFECTS[effect].tone]
      },
    },
    { key: 'Message', header: 'Difference', maxWidth: 70 },
    {
      key: 'Commands',
      kind: 'list',
      maxWidth: 40,
      shown: ({ Effect: effect, Commands: all }) => (effect === 'breaks' ? briefly(all) : ''),
    },
    { key: 'Subject', header: 'Where', maxWidth: 40 },
    { key: 'Service' },
  ],
}

/**
 * The differences as lines for a person. The whole message must be readable, and a table on a terminal has too little space for
 * it.
 * @param width columns of the terminal
 */
export function differencesText(records: readonly DifferenceRecord[], width: number, paint: Paint): string {
  const margin = Math.max(...Object.values(EFFECTS).map(({ words }) => words.length)) + 2
  const lines = records.flatMap(
    ({ Effect: effect, Message: message, Subject: subject, Commands: commands, Service: service }) => {
      const { words, tone } = EFFECTS[effect]
      const label = words.padEnd(margin)
      const about = [subject ?? service, ...(effect === 'breaks' && commands.length > 0 ? [briefly(commands)] : [])].join(': ')
      const space = Math.max(30, width - margin)
      const [first = '', ...rest] = [...wrap(safeLine(message), space), ...wrap(safeLine(about), space).map(paint.dim)]
      return [`${paint[tone](label)}${first}`, ...rest.map((line) => ' '.repeat(margin) + line)]
    },
  )
  return lines.join('\n')
}

function briefly(commands: readonly string[]): string {
  return commands.length <= 4 ? commands.join(', ') : someOf(commands, 3)
}

export interface OperationRecord {
  readonly Service: string
  readonly Operation: string
  /** read, repeatable write or single write. */
  readonly Kind: string
  readonly Parameters: number
  readonly Result: string | null
  readonly Commands: readonly string[]
  /** Who knows it: contract, description or both. */
  readonly Source: string
  readonly Summary: string
}

export const operationsView: View<OperationRecord> = {
  empty: 'No operations.',
  keys: ['Result', 'Summary'],
  footer: (rows) => countOf(rows, 'operation'),
  columns: [
    { key: 'Operation', maxWidth: 40, least: 40 },
    { key: 'Kind', style: (row, paint) => (row.Kind === 'read' ? paint.green : paint.yellow) },
    { key: 'Parameters', header: 'Params', kind: 'int' },
    { key: 'Commands', kind: 'list', maxWidth: 40, shown: (row) => briefly(row.Commands) },
    { key: 'Source', style: (row, paint) => (row.Source === 'both' ? undefined : paint.dim) },
    { key: 'Service' },
  ],
}

/** A parameter, or a field of a result. */
export interface FieldRecord {
  /** With dots; `[]` after what repeats. */
  readonly Name: string
  readonly Type: string
  readonly Required: boolean
  readonly Nillable: boolean
  /** Limits in words. */
  readonly Limits: string | null
}

export interface OperationShown extends Omit<OperationRecord, 'Parameters' | 'Result'> {
  readonly Queued: boolean
  /** True if the call is made for a seller. */
  readonly User: boolean
  readonly Parameters: readonly FieldRecord[]
  readonly Result: readonly FieldRecord[]
  /** A command line that calls it. */
  readonly Example: string
}

export const operationView: View<OperationShown> = {
  card: true,
  title: ({ Service: service, Operation: operation }) => `${service}.${operation}`,
  columns: [
    { key: 'Summary' },
    { key: 'Kind', shown: ({ Kind: kind, Queued: queued }) => (queued ? `${kind}, queued` : kind) },
    ...columnsOf({ User: 'For a seller' }, 'Commands', 'Source'),
    { key: 'Parameters', shown: ({ Parameters: fields }) => fieldLines(fields) },
    { key: 'Result', shown: ({ Result: fields }) => fieldLines(fields) },
    { key: 'Example' },
  ],
  plain: [
    ...columnsOf('Service', 'Operation', 'Kind', 'Queued', 'User', 'Summary', 'Commands', 'Source'),
    { key: 'Parameters', value: ({ Parameters: fields }) => fields.map(({ Name: name }) => name) },
    { key: 'Result', value: ({ Result: fields }) => fields.map(({ Name: name }) => name) },
    { key: 'Example' },
  ],
}

/** A line for each field, indented below the one that contains it: its name, its type, and its limits. */
function fieldLines(fields: readonly FieldRecord[]): string {
  if (fields.length === 0) return 'none'
  const names = fields.map(({ Name: path }) => '  '.repeat(path.split('.').length - 1) + path.slice(path.lastIndexOf('.') + 1))
  const width = Math.min(40, Math.max(...names.map((name) => name.length)))
  return fields
    .map(({ Type: type, Required: required, Nillable: nillable, Limits: limits }, index) => {
      const words = [
        type,
        ...(required ? ['required'] : []),
        ...(nillable ? ['may be nil'] : []),
        ...(limits === null ? [] : [limits]),
      ]
      return `${names[index]?.padEnd(width)}  ${words.join(', ')}`
    })
    .join('\n')
}
