/** Discounts with a start and an end: lists, a discount with its items, and what jobs:due did. */
import { DISCOUNT_ITEM_STATES, DISCOUNT_KEYS, type DiscountRecord } from '../../contract/index.js'
import type { HoldShown } from '../../holds/index.js'
import type { Next } from '../../messages/index.js'
import type { Column, View } from '../output/types.js'
import { columnsOf, countColumns, countsColumn, ITEM, keyColumns, stateColumn, titled } from './columns.js'

const state: Column<DiscountRecord> = stateColumn()

export const discountsView: View<DiscountRecord> = {
  keys: DISCOUNT_KEYS,
  plain: [
    ...keyColumns('DiscountId', 'State', 'Name', 'StartsAt', 'EndsAt', 'NextAt'),
    ...countColumns<DiscountRecord>(DISCOUNT_ITEM_STATES),
  ],
  empty: 'No discounts.',
  columns: [
    { key: 'DiscountId', header: 'Discount', kind: 'int' },
    state,
    { key: 'Name', maxWidth: 30 },
    ...columnsOf({ StartsAt: 'Begins' }, 'EndsAt'),
    countsColumn('Items'),
  ],
}

/** A discount as a card, above its items. */
export const discountView: View<DiscountRecord> = {
  keys: DISCOUNT_KEYS,
  card: true,
  columns: [
    ...columnsOf('DiscountId', 'Name'),
    state,
    ...columnsOf({ StartsAt: 'Begins' }, 'EndsAt'),
    countsColumn('Items'),
    ...columnsOf({ Title: 'Made by', StartedAt: 'Began' }, 'EndedAt', { NextAt: 'Due next' }, 'Profile', 'UserId'),
  ],
}

/** From when the prices of the items are, in JSON. */
export interface DiscountPrices {
  /** When they were planned, ISO 8601; null once the discount has begun: then they are those that its items really have. */
  readonly PricesAt: string | null
}

/** An item of a discount. Prices in kronor. */
export interface DiscountItemShown extends HoldShown {
  readonly Line: number
  readonly Id: number
  readonly OwnReference: string | null
  readonly Title: string | null
  /** Just before the discount begins; null if it has no price. */
  readonly Before: number | null
  /** When it begins, other discounts of the item included: the lowest price. */
  readonly During: number
  /** When it ends: the normal price, or that of another discount that still runs. */
  readonly After: number | null
  /** The price of this discount alone. */
  readonly DiscountPrice: number
  readonly State: string
  readonly Limit: string | null
}

const DISCOUNT_ITEM_COLUMNS: readonly Column<DiscountItemShown>[] = [
  { key: 'Before', kind: 'kronor', vital: true },
  { key: 'During', kind: 'kronor', vital: true },
  { key: 'After', kind: 'kronor' },
  stateColumn({ skipped: 'yellow' }),
  { key: 'Reason', maxWidth: 60, unlessEmpty: true },
]

export const discountItemsView: View<DiscountItemShown> = {
  keys: ['Line', 'OwnReference', 'DiscountPrice', 'Limit', 'Code', 'Values'],
  empty: 'No items.',
  ...titled<DiscountItemShown>(ITEM, { key: 'Title', maxWidth: 40 }, DISCOUNT_ITEM_COLUMNS),
}

/** Run of jobs:due for a discount, for auctions that start later, or for a shop that is closed for a time, done or planned. */
export interface DueRun {
  /** null for auctions and closings. */
  readonly DiscountId: number | null
  readonly Discount: string | null
  readonly Part: 'start' | 'end' | 'missed' | 'relist' | 'rows' | 'close' | 'open'
  /** null if nothing had to be sent. */
  readonly JobId: number | null
  readonly State: string
  readonly Counts: Readonly<Record<string, number>> | null
  /** When it was due, ISO 8601; null if it was sent now. */
  readonly DueAt: string | null
  /** Commands for a job that waits, or whose rows were not all carried out. */
  readonly next: readonly Next[]
}

export const dueView: View<DueRun> = {
  keys: ['next'],
  plain: [{ key: 'DiscountId' }, { key: 'Discount' }, { key: 'Part' }, { key: 'JobId' }, { key: 'State' }, { key: 'DueAt' }],
  columns: [
    { key: 'DiscountId', header: 'Discount', kind: 'int' },
    { key: 'Discount', header: 'Name', maxWidth: 30 },
    ...columnsOf('Part', 'JobId'),
    stateColumn({ skipped: 'yellow' }),
    countsColumn(),
    { key: 'DueAt', header: 'Due', kind: 'date' },
  ],
}

/** A file for the timer of the system. */
export interface ScheduleFile {
  /** null for lines of a crontab; a name of one's choice for the Task Scheduler. */
  readonly Path: string | null
  readonly Text: string
}

export interface ScheduleRecord {
  readonly Timer: string
  readonly Command: readonly string[]
  readonly Environment: Readonly<Record<string, string>>
  readonly Files: readonly ScheduleFile[]
  /** Instructions, a sentence each. */
  readonly Install: readonly string[]
}

export const scheduleView: View<ScheduleRecord> = {
  keys: ['Environment', 'Files', 'Install'],
  columns: [{ key: 'Timer' }, { key: 'Command', shown: ({ Command }) => Command.join(' ') }],
}
