/** Auctions that are put up again. */
import type { View } from '../output/index.js'
import { columnsOf } from './columns.js'

export interface RelistPlanRowShown {
  readonly Line: number
  readonly Id: number
  readonly Title: string | null
  readonly EndDate: string | null
  /** Start prices, kronor. */
  readonly OldOpeningPrice: number | null
  readonly OpeningPrice: number
  /** How many images are carried over. */
  readonly Images: number
  /** How often it was put up again before, as far as the ledger knows. */
  readonly Relists: number
  /** ISO 8601; null for at once. */
  readonly StartsAt: string | null
  readonly State: 'change' | 'held' | 'unknown'
  readonly Reason: string | null
}

export const relistPlanView: View<RelistPlanRowShown> = {
  keys: ['Line'],
  empty: 'No auction ended unsold.',
  columns: [
    { key: 'Id', kind: 'int', vital: true },
    { key: 'Title', maxWidth: 40 },
    { key: 'EndDate', header: 'Ended', kind: 'date' },
    { key: 'OldOpeningPrice', header: 'Old start', kind: 'kronor', vital: true },
    { key: 'OpeningPrice', header: 'Start', kind: 'kronor', vital: true },
    ...columnsOf('Images', { Relists: 'Before' }, 'StartsAt', 'State'),
    { key: 'Reason', maxWidth: 50 },
  ],
}
