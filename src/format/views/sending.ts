/** Records of requests that would be sent and of uploads, of relisted auctions, and of campaign codes. */
import { type Output, type Struct, ValidateCampaignCodeResult } from '../../contract/index.js'
import type { HoldShown } from '../../holds/index.js'
import type { View } from '../output/types.js'
import { columnsOf, keyColumns, withNumber } from './columns.js'
import type { NotRead } from './not-read.js'
import type { AuctionPlanRowShown } from './plans.js'

/** A request as data, the calls that sending it would take, in their order, and the guard that would hold it. */
export interface DryRunRecord extends HoldShown {
  readonly Operation: string
  readonly Request: Readonly<Record<string, unknown>>
  /** Its category by name; null where no name is stored. */
  readonly CategoryName: string | null
  readonly Images: ReadonlyArray<{
    readonly File: string
    readonly Format: string
    readonly Bytes: number
    readonly HasMega: boolean
  }>
  readonly CampaignCode: string | null
  readonly Calls: readonly string[]
  /** Lists that it was not compared with. */
  readonly NotRead: readonly NotRead[]
}

/** The view of a dry run whose request is of this type: its fields by name; for bytes, only their number. */
export function dryRunView(request: Struct): View<DryRunRecord> {
  const fields = Object.keys(request.fields).filter((name) => name !== 'ItemImages')
  return {
    card: true,
    title: 'Nothing was sent. This would be:',
    keys: ['Operation', 'Request', 'CategoryName', 'Images', 'CampaignCode', 'Calls', 'Code', 'Values', 'Reason', 'NotRead'],
    columns: [
      ...fields.map((name) => ({
        key: `Request.${name}`,
        header: name,
        value: ({ Request }: DryRunRecord) => Request[name],
        shown: ({ Request, CategoryName: category }: DryRunRecord) => {
          const value = Request[name]
          return name === 'CategoryId' && typeof value === 'number' ? withNumber(category, value) : plain(value)
        },
      })),
      {
        key: 'Images',
        shown: ({ Images }) =>
          Images.map(({ File, Format, Bytes, HasMega }) => `${File} (${Format}, ${Bytes} bytes${HasMega ? ', mega' : ''})`).join(
            '\n',
          ),
      },
      { key: 'CampaignCode', header: 'Campaign code' },
      { key: 'Calls', shown: ({ Calls }) => `${Calls.length}: ${Calls.join(', ')}` },
    ],
  }
}

function plain(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The outcome of images for a request. */
export interface UploadRecord {
  readonly JobId: number
  readonly RequestId: number | null
  readonly ItemId: number | null
  readonly Images: number
  readonly Committed: boolean
  readonly State: string
  readonly ResultCode: string | null
  readonly Message: string | null
}

export const uploadView: View<UploadRecord> = {
  card: true,
  columns: columnsOf('RequestId', 'ItemId', { Images: 'Images sent' }, 'Committed', 'State', 'ResultCode', 'Message', 'JobId'),
}

/** The prices of one auction before and after, kronor; null means none. */
export interface AuctionPriceRecord extends Omit<AuctionPlanRowShown, 'Line' | 'Id' | 'State'> {
  readonly ItemId: number
  /** True if the service has set them; false in a dry run. */
  readonly IsSuccessful: boolean
  /** The job that jobs:undo takes back; null in a dry run. */
  readonly JobId: number | null
}

const money = { kind: 'kronor' } as const

export const auctionPriceView: View<AuctionPriceRecord> = {
  card: true,
  title: (row) => (row.IsSuccessful ? 'The prices are set.' : 'Nothing was sent. This would be:'),
  columns: [
    ...columnsOf('ItemId', 'Title'),
    { key: 'OldOpeningPrice', header: 'Opening price, old', ...money },
    { key: 'OpeningPrice', header: 'Opening price, new', ...money },
    { key: 'OldReservedPrice', header: 'Reserve price, old', ...money },
    { key: 'ReservedPrice', header: 'Reserve price, new', ...money },
    { key: 'OldBinPrice', header: 'Buy-now price, old', ...money },
    { key: 'BinPrice', header: 'Buy-now price, new', ...money },
    { key: 'Fee', ...money },
    ...columnsOf({ JobId: 'Job' }),
  ],
}

/** A campaign code that the service accepted. */
export const attachedView: View<{ readonly RequestId: number; readonly CampaignCode: string; readonly Attached: boolean }> = {
  card: true,
  columns: columnsOf('RequestId', 'CampaignCode', 'Attached'),
}

export interface RelistPlanRowShown extends HoldShown {
  readonly Line: number
  readonly Id: number
  readonly Title: string | null
  readonly EndDate: string | null
  /** Start prices, kronor. */
  readonly OldOpeningPrice: number | null
  readonly OpeningPrice: number
  /** Reserve prices, kronor; null for none. */
  readonly OldReservedPrice: number | null
  readonly ReservedPrice: number | null
  /** Number of images carried over. */
  readonly Images: number
  /** Number of earlier relists, as far as the ledger knows. */
  readonly Relists: number
  /** ISO 8601; null for at once. */
  readonly StartsAt: string | null
  /** ISO 8601; of one that starts at once as if it started now. null for one that is not sent. */
  readonly EndsAt: string | null
  readonly State: 'change' | 'held' | 'unknown'
}

export const relistPlanView: View<RelistPlanRowShown> = {
  keys: ['Line', 'OldReservedPrice', 'Code', 'Values'],
  empty: 'No auction ended unsold.',
  columns: [
    { key: 'Id', kind: 'int', vital: true },
    { key: 'Title', maxWidth: 40 },
    { key: 'EndDate', header: 'Ended', kind: 'date' },
    { key: 'OldOpeningPrice', header: 'Old start', kind: 'kronor', vital: true },
    { key: 'OpeningPrice', header: 'Start', kind: 'kronor', vital: true },
    {
      key: 'ReservedPrice',
      header: 'Reserve',
      kind: 'kronor',
      shown: ({ ReservedPrice }) => (ReservedPrice === null ? 'none' : undefined),
    },
    { key: 'State', vital: true },
    { key: 'Reason', maxWidth: 50, vital: true, unlessEmpty: true },
    ...columnsOf({ StartsAt: 'Begins', EndsAt: 'Ends' }, 'Images', { Relists: 'Before' }),
  ],
  plain: [
    ...keyColumns(
      'Id',
      'Title',
      'EndDate',
      'OldOpeningPrice',
      'OpeningPrice',
      'Images',
      'Relists',
      'StartsAt',
      'State',
      'Reason',
      'EndsAt',
      'ReservedPrice',
    ),
  ],
}

export type CampaignRecord = Output<typeof ValidateCampaignCodeResult>

const REASONS: readonly (readonly [keyof CampaignRecord, string])[] = [
  ['IsInvalidBecauseDoesNotExist', 'the code does not exist'],
  ['IsInvalidBecauseHasNotStarted', 'the campaign has not started'],
  ['IsInvalidBecauseHasEnded', 'the campaign has ended'],
  ['IsInvalidBecauseCategoryIsNotAllowed', 'it is not valid for this category'],
  ['IsInvalidBecauseAlreadyUsed', 'it is already used'],
  ['IsInvalidBecauseUserIsNotAllowed', 'it is not for this seller'],
]

/** Why a code is not valid, in words; empty if it is, or if the service gave no reason. */
export function campaignFaults(result: CampaignRecord): string[] {
  return REASONS.filter(([key]) => result[key] === true).map(([, words]) => words)
}

export const campaignView: View<CampaignRecord> = {
  type: ValidateCampaignCodeResult,
  card: true,
  columns: [
    {
      key: 'IsValid',
      header: 'Valid',
      kind: 'boolean',
      shown: (result) => (result.IsValid ? 'yes' : ['no', campaignFaults(result).join(', ')].filter(Boolean).join(': ')),
      style: (result, paint) => (result.IsValid ? paint.green : paint.red),
    },
    ...columnsOf('Description', 'DiscountFactor', 'ProvisionFactor', { MaxFeeCap: 'Highest fee' }),
    ...columnsOf({ IsCustomLengthFeeFree: 'Own length free', IsUnsoldFeeFree: 'Unsold free' }),
  ],
}
