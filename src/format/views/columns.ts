/** Columns by their keys alone: the names of the service say what they hold. A view writes out what differs there. */
import type { Column, ColumnKind, Tone, View } from '../output/types.js'
import { kronor, signed, thousands } from '../output/values.js'

const KINDS: readonly (readonly [ColumnKind, RegExp])[] = [
  ['date', /(?:^|[a-z])(?:At|Date)$|^(?:Since|Expires)$/],
  ['kronor', /(?:Price|Cost|Amount|Bid|SubTotal)$|^(?:Vat|Net|After|During)$/],
  [
    'boolean',
    /^(?:Is|Show|In)[A-Z]|^(?:Attached|Committed|Ended|Left|Newer|Paid|Printed|Queued|Sent|User)$|^AcceptsPickup$|Reached$/,
  ],
  ['list', /^(?:Commands|(?:Item\.)?OwnReferences|Buyers\.Alias)$/],
  ['decimal', /(?:Factor|FeeCap|Weight|DaysToSell|Percent)$/],
  [
    'int',
    /(?:^|[a-z.])Id$|(?:Quantity|VAT|VatRate|Rating|Status|Ms|Bytes(?:Before|After)?|NumberOfValues|(?:Active|Inventory)Items)$|^(?:Items|Number|OrderNumber)$/,
  ],
  // Columns of counts.
  ['int', /^(?:Added|Attempt|Call|Calls|Changed|Costs|Empty|Faults|Forgotten|Images|Jobs|Line|Orders|Parameters|Prices)$/],
  ['int', /^(?:Relists|Removed|Requests|Restarts|Row|Rows|Sales|Step|Steps|TotalBids|Unchanged)$/],
]

/** Headers for people, where the key does not say it. */
const HEADERS: Readonly<Record<string, string>> = {
  UserId: 'Seller',
  ResultCode: 'Result',
  CountryName: 'Country',
  MobilePhoneNumber: 'Mobile',
  PhoneNumber: 'Phone',
  HeldFile: 'Held rows in',
  FailedFile: 'Failed rows in',
  IsMarkedAsPaidConfirmed: 'Marked paid',
  IsMarkedAsShipped: 'Sent',
  LastUpdatedDate: 'Last changed',
  TotalBids: 'Bids',
}

/** `OrderId` is headed Order, `SentAt` Sent, `OwnReference` Own reference. */
function headerOf(key: string): string {
  const name = key.slice(key.lastIndexOf('.') + 1)
  const words = name.replace(/(?<=[a-z])(?:Id|At|Date)$/, '').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return HEADERS[name] ?? words
}

/** Columns by their keys; those in an object with what a person calls them. */
export function columnsOf<T>(...columnNames: readonly (string | Readonly<Record<string, string>>)[]): Column<T>[] {
  const all = columnNames.flatMap((name) => (typeof name === 'string' ? [[name, headerOf(name)] as const] : Object.entries(name)))
  return all.map(([key, header]) => ({ key, header, kind: KINDS.find(([, names]) => names.test(key))?.[0] }))
}

/**
 * Makes columns whose functions read a few fields of a record, to which the compiler holds them: a list need not read the others.
 */
export function columnFrom<T>() {
  return <F extends string & keyof T>(reads: readonly F[], column: Omit<Column<Pick<T, F>>, 'reads'>): Column<T> => ({
    ...column,
    reads,
  })
}

/** The colours of states, the same for requests, rows, jobs, discounts and orders. */
const TONES: Readonly<Partial<Record<Tone, readonly string[]>>> = {
  green: ['ok', 'on', 'running', 'sent', 'new'],
  red: ['failed', 'refused', 'fault', 'gone', 'overdue'],
  magenta: ['unknown'],
  yellow: ['retryable', 'held', 'partial', 'missed', 'ending', 'note', 'unpaid'],
  cyan: ['queued', 'sending', 'waiting', 'open', 'scheduled', 'to-send'],
  dim: ['cancelled'],
}
const TONE_OF = new Map(Object.entries(TONES).flatMap(([tone, states]) => states.map((state) => [state, tone as Tone] as const)))

/** A state in its colour. @param own colours of states that mean something else here */
export function stateColumn<T extends { readonly State: string }>(own: Readonly<Record<string, Tone>> = {}): Column<T> {
  return {
    key: 'State',
    style({ State: state }, paint) {
      const tone = own[state] ?? TONE_OF.get(state)
      return tone && paint[tone]
    },
  }
}

/** Columns for scripts, which need no more than their keys. */
export function keyColumns<T>(...keys: readonly string[]): Column<T>[] {
  return keys.map((key) => ({ key }))
}

/** An item by its id or, where it has none, by its own reference. */
export const ITEM: Column<{ readonly Id: number; readonly OwnReference: string | null }> = {
  key: 'Id',
  kind: 'int',
  vital: true,
  shown: (row) => (row.Id === 0 ? (row.OwnReference ?? '') : undefined),
}

/** A pipe has the title last: its columns are known by their places. */
export function titled<T>(id: Column<T>, title: Column<T>, others: readonly Column<T>[]): Pick<View<T>, 'columns' | 'plain'> {
  return { columns: [id, title, ...others], plain: [id, ...others, title] }
}

/** Kronor more than before, with their sign. */
export const CHANGE: Column<{ readonly Change: number | null }> = {
  key: 'Change',
  kind: 'kronor',
  shown: ({ Change: change }, unit) => (change === null ? '' : signed(change, kronor(change, unit))),
}

/** Per cent more than before, with their sign. */
export const PERCENT: Column<{ readonly Percent: number | null }> = {
  key: 'Percent',
  header: '%',
  kind: 'decimal',
  shown: ({ Percent: percent }) => (percent === null ? '' : signed(percent, thousands(percent))),
}

/** `Glas > Vaser (1612)`, or only the number. */
export function withNumber(name: string | null | undefined, id: number): string {
  return (name ?? null) === null ? String(id) : `${name} (${id})`
}

export type Counts = Readonly<Record<string, number>>

/** `4 812 ok, 12 failed`, without counts of 0. @param words for names that a person would not understand */
export function countWords(counts: Counts, words: Readonly<Record<string, string>> = {}): string {
  return Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${thousands(count)} ${words[name] ?? name}`)
    .join(', ')
}

/** Counts as separate columns, for scripts: of rows, or of the steps of a listing. */
export function countColumns<T>(names: readonly string[]): Column<T>[] {
  return names.map((name) => ({ key: `Counts.${name}`, kind: 'int' }))
}

/** The same in words, for a person. */
export function countsColumn(
  header = 'Rows',
  words?: Readonly<Record<string, string>>,
): Column<{ readonly Counts: Counts | null }> {
  return { key: 'Counts', header, shown: ({ Counts }) => (Counts === null ? '' : countWords(Counts, words)), maxWidth: 40 }
}
