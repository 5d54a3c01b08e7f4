/** The calls made and the rest of the budget, a request as it would be sent, and values of any type of the contract. */
import { structIn, type Type } from '../../contract/index.js'
import type { CallCounts } from '../../contract/ledger.js'
import { kindOf } from '../output/columns.js'
import type { Column, View } from '../output/types.js'
import { thousands } from '../output/values.js'
import { columnsOf, keyColumns } from './columns.js'

/** Use of the budget, for a view. */
export interface CallUsageShown extends Omit<CallCounts, 'ByHour'>, Partial<Pick<CallCounts, 'ByHour'>> {
  readonly AppId: number
  /** Calls in the window that reached, or may have reached, the service. */
  readonly Used: number
  /** The budget, and what is left of it; null without one. */
  readonly Budget: number | null
  readonly Remaining: number | null
  /** When the oldest counted call leaves the window; null if there is none. */
  readonly OldestLeavesAt: string | null
  /** The quota server that counts, without its password; null if the ledger does. */
  readonly Quota: string | null
  /** Calls made from this machine. */
  readonly UsedHere: number
  /** The profile's share, per cent; null if it has none. */
  readonly Share: number | null
  /** Calls that the share allows, or that the shares of others leave, and how many of them are used; null without shares. */
  readonly ShareAllowed: number | null
  readonly ShareUsed: number | null
}

/** The view of the use of the budget, with columns for the operations that were called. */
export function callUsageView({ ByOperation }: Pick<CallUsageShown, 'ByOperation'>): View<CallUsageShown> {
  const counts = ByOperation.flatMap(({ Operation }) =>
    (['Calls', 'Failed'] as const).map((count) => ({
      key: `ByOperation.${Operation}.${count}`,
      value: (usage: CallUsageShown) =>
        usage.ByOperation.find((operationCalls) => operationCalls.Operation === Operation)?.[count],
    })),
  )
  return { ...usageView, plain: [...keyColumns<CallUsageShown>(...KEYS), ...counts] }
}

const KEYS = [
  'AppId',
  'Used',
  'Budget',
  'Remaining',
  'Since',
  'OldestLeavesAt',
  'Quota',
  'UsedHere',
  'Share',
  'ShareAllowed',
  'ShareUsed',
]

const usageView: View<CallUsageShown> = {
  card: true,
  keys: [...KEYS, 'ByOperation', 'ByHour'],
  columns: [
    { key: 'AppId', header: 'Application', kind: 'text' },
    { key: 'Used', header: 'Calls made', shown: (usage) => thousands(usage.Used) },
    { key: 'Quota', header: 'Counted at', shown: (usage) => usage.Quota ?? undefined },
    // Without a server it is the same as the calls made.
    { key: 'UsedHere', header: 'Made here', value: (usage) => (usage.Quota === null ? null : thousands(usage.UsedHere)) },
    { key: 'Budget', shown: (usage) => (usage.Budget === null ? 'none set' : `${thousands(usage.Budget)} in 24 hours`) },
    {
      key: 'Remaining',
      header: 'Left',
      shown: (usage) => (usage.Remaining === null ? undefined : thousands(usage.Remaining)),
      style: (usage, paint) => (usage.Remaining === 0 ? paint.red : undefined),
    },
    { key: 'Share', shown: shareText },
    ...columnsOf('Since'),
    // Without a budget every call is free.
    {
      key: 'OldestLeavesAt',
      header: 'Next one free',
      kind: 'date',
      value: (usage) => (usage.Budget === null ? null : usage.OldestLeavesAt),
    },
    {
      key: 'ByOperation',
      header: 'By operation',
      shown: (usage) =>
        usage.ByOperation.map(({ Operation, Calls, Failed }) => {
          return `${Operation} ${thousands(Calls)}${Failed === 0 ? '' : ` (${thousands(Failed)} failed)`}`
        }).join('\n'),
    },
  ],
}

function shareText({ Share, ShareAllowed, ShareUsed }: CallUsageShown): string | undefined {
  if (ShareAllowed === null) return undefined
  const usedText = `${thousands(ShareUsed ?? 0)} of ${thousands(ShareAllowed)} used`
  return Share === null ? `none of its own; others leave ${thousands(ShareAllowed)}: ${usedText}` : `${Share}%: ${usedText}`
}

export const callsView: View<{ readonly Outcome: string | null }> = {
  keys: ['AppId', 'Profile', 'Service', 'Kind'],
  empty: 'No calls.',
  columns: [
    ...columnsOf('Call', 'At', 'Operation', 'Attempt'),
    { key: 'Outcome', style: (call, paint) => (call.Outcome === 'ok' ? paint.green : paint.yellow) },
    ...columnsOf({ HttpStatus: 'HTTP', Ms: 'ms' }),
  ],
}

/** A request as data. */
export interface RequestShape {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export const describedView: View<RequestShape> = {
  card: true,
  columns: [
    ...columnsOf('method', 'url'),
    {
      key: 'headers',
      shown: ({ headers }) =>
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
    },
    { key: 'body' },
  ],
}

function columnsIn(row: unknown): Column<unknown>[] {
  return typeof row === 'object' && row !== null ? keyColumns(...Object.keys(row)) : []
}

/** A view made from a type: its fields in their order. Without a type, it takes the names in the value. */
export function valueView(type: Type | undefined, value: unknown): View<unknown> {
  const struct = type && structIn(type)
  const [row] = [value].flat()
  const columns =
    struct === undefined ? columnsIn(row) : Object.entries(struct.fields).map(([key, field]) => ({ key, kind: kindOf(field) }))
  return { type: struct, card: true, empty: 'Nothing.', columns }
}
