/** The calls made, and the rest of the budget. */
import type { View } from '../output/types.js'
import { thousands } from '../output/values.js'

/** What a view needs of the use of the budget. */
export interface CallUsageShown {
  readonly AppId: number
  readonly Used: number
  readonly Budget: number | null
  readonly Remaining: number | null
  readonly Since: string
  readonly OldestLeavesAt: string | null
  readonly ByOperation: readonly { readonly Operation: string; readonly Calls: number; readonly Failed: number }[]
}

/** The view of the use of the budget, with columns for the operations that were called. */
export function callUsageView({ ByOperation }: Pick<CallUsageShown, 'ByOperation'>): View<CallUsageShown> {
  const counts = ByOperation.flatMap(({ Operation }) =>
    (['Calls', 'Failed'] as const).map((count) => ({
      key: `ByOperation.${Operation}.${count}`,
      value: (usage: CallUsageShown) => usage.ByOperation.find((called) => called.Operation === Operation)?.[count],
    })),
  )
  const keys = ['AppId', 'Used', 'Budget', 'Remaining', 'Since', 'OldestLeavesAt']
  return { ...usageView, plain: [...keys.map((key) => ({ key })), ...counts] }
}

const usageView: View<CallUsageShown> = {
  card: true,
  keys: ['AppId', 'Used', 'Budget', 'Remaining', 'Since', 'OldestLeavesAt', 'ByOperation', 'ByHour'],
  columns: [
    { key: 'AppId', header: 'Application', kind: 'text' },
    { key: 'Used', header: 'Calls made', shown: (usage) => thousands(usage.Used) },
    { key: 'Budget', shown: (usage) => (usage.Budget === null ? 'none set' : `${thousands(usage.Budget)} in 24 hours`) },
    {
      key: 'Remaining',
      header: 'Left',
      shown: (usage) => (usage.Remaining === null ? undefined : thousands(usage.Remaining)),
      style: (usage, paint) => (usage.Remaining === 0 ? paint.red : undefined),
    },
    { key: 'Since', kind: 'date' },
    { key: 'OldestLeavesAt', header: 'Next one free', kind: 'date' },
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

/** What a view needs of a call. */
export interface CallShown {
  readonly Call: number
  readonly At: string
  readonly Operation: string
  readonly Attempt: number
  readonly Outcome: string | null
  readonly HttpStatus: number | null
  readonly Ms: number | null
}

export const callsView: View<CallShown> = {
  keys: ['Call', 'AppId', 'Profile', 'Service', 'Operation', 'Kind', 'Attempt', 'At', 'Outcome', 'HttpStatus', 'Ms'],
  empty: 'No calls.',
  columns: [
    { key: 'Call', kind: 'int' },
    { key: 'At', kind: 'date' },
    { key: 'Operation' },
    { key: 'Attempt', kind: 'int' },
    { key: 'Outcome', style: (call, paint) => (call.Outcome === 'ok' ? paint.green : paint.yellow) },
    { key: 'HttpStatus', header: 'HTTP', kind: 'int' },
    { key: 'Ms', header: 'ms', kind: 'int' },
  ],
}
