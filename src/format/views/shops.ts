/** Runs over several shops (--profiles): a row for each. */
import { ROW_STATES } from '../../contract/index.js'
import type { Column, View } from '../output/types.js'
import { countColumns, countsColumn, countWords, stateColumn } from './columns.js'

/** End of a command's run for one shop. */
export interface ShopEnd {
  readonly Profile: string
  readonly State: ShopState
  /** null where the run was interrupted before this shop. */
  readonly ExitCode: number | null
  /** Rows by what became of them; empty where the command has no rows. */
  readonly Counts: Readonly<Record<string, number>>
  readonly JobIds: readonly number[]
  readonly DiscountId: number | null
  /** Reason for a failure, or for sending nothing; null otherwise. */
  readonly Message: string | null
  /** Currency of its account (ISO 4217), in which amounts are. */
  readonly Currency: string
  /** Output of the command for this shop alone; null after an error. */
  readonly Result: unknown
  /** As `error` of the command for this shop alone. */
  readonly Error: object | null
}

export type ShopState = 'planned' | 'ok' | 'waiting' | 'held' | 'failed' | 'unknown' | 'interrupted' | 'not_begun'

const KEYS = ['Profile', 'State', 'ExitCode', 'Counts', 'JobIds', 'DiscountId', 'Message', 'Currency', 'Result', 'Error']
/** Counts of plans besides the states of rows. */
const PLANNED = ['change', 'unchanged'] as const
const WORDS: Readonly<Record<string, string>> = { change: 'to change', skipped: 'not live' }

/** The rows of a plan or a run in words. */
export function shopCounts(counts: ShopEnd['Counts']): string {
  return countWords(counts, WORDS)
}

const PROFILE: Column<ShopEnd> = { key: 'Profile', maxWidth: 30 }
const STATE: Column<ShopEnd> = { ...stateColumn(), shown: ({ State }) => State.replaceAll('_', ' ') }
const EXIT_CODE: Column<ShopEnd> = { key: 'ExitCode', header: 'Exit', kind: 'int' }
const MESSAGE: Column<ShopEnd> = { key: 'Message', maxWidth: 60 }

const ROWS: Column<ShopEnd> = countsColumn('Rows', WORDS)

/** A shop that a person is asked about. */
export interface ShopAsked extends ShopEnd {
  /** The sum of what changes, from and to. */
  readonly Sum: string | null
}

/** Rows that each shop is about to send, for the question. */
export const shopPlansView: View<ShopAsked> = {
  keys: KEYS,
  columns: [PROFILE, ROWS, { key: 'Sum', header: 'Sum, or why not', value: ({ Sum, Message }) => Sum ?? Message }],
}

/** For what needs doing in each. */
export const shopsTodayView: View<ShopEnd> = { keys: KEYS, columns: [PROFILE, STATE, EXIT_CODE, { ...MESSAGE, header: 'Today' }] }

/** For commands that send rows: a job for each shop or, where they make one, a discount. */
export function shopsView(madeKind: 'job' | 'discount' = 'job'): View<ShopEnd> {
  const id: Column<ShopEnd> =
    madeKind === 'discount'
      ? { key: 'DiscountId', header: 'Discount', kind: 'int' }
      : { key: 'JobIds', header: 'Job', kind: 'list' }
  const counts = countColumns<ShopEnd>([...PLANNED, ...ROW_STATES])
  return {
    keys: KEYS,
    plain: [PROFILE, STATE, EXIT_CODE, id, ...counts, MESSAGE].map(({ key, kind }) => ({ key, kind })),
    columns: [PROFILE, STATE, ROWS, EXIT_CODE, id, MESSAGE],
  }
}
