/** Reference data of the public service. */
import {
  AttributeDefinition,
  type CategoryValue,
  IdDescriptionPair,
  type Output,
  SHIPPING_OPTIONS,
} from '../../contract/index.js'
import { safeLine } from '../output/safe-text.js'
import type { TreeView, View } from '../output/types.js'
import { columnsOf } from './columns.js'

export interface OfficialTime {
  /** As the service gave it. */
  readonly OfficialTime: string
  /** Time by which this machine's clock is ahead of the service's, ms; negative when behind. */
  readonly ClockAheadMs: number
}

export const officialTimeView: View<OfficialTime> = {
  card: true,
  columns: [
    { key: 'OfficialTime', header: 'Official time', kind: 'date', shown: (time) => time.OfficialTime.replace('T', ' ') },
    {
      key: 'ClockAheadMs',
      header: 'This clock',
      shown: ({ ClockAheadMs: ahead }) => {
        const seconds = Math.round(Math.abs(ahead) / 1000)
        return seconds === 0 ? 'agrees' : `${seconds} s ${ahead > 0 ? 'ahead' : 'behind'}`
      },
      style: ({ ClockAheadMs: ahead }, paint) => (Math.abs(ahead) > 60_000 ? paint.yellow : undefined),
    },
  ],
}

export type PairRecord = Output<typeof IdDescriptionPair>

export const pairsView: View<PairRecord> = {
  type: IdDescriptionPair,
  empty: 'The list is empty.',
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'Description', maxWidth: 60 },
    { key: 'Value', maxWidth: 30 },
  ],
}

const nameOf = (category: CategoryValue): string => category.Name ?? ''

export type AttributeRecord = Output<typeof AttributeDefinition>

export const attributesView: View<AttributeRecord> = {
  type: AttributeDefinition,
  empty: 'The category has no attributes.',
  columns: [
    { key: 'Name', value: ({ Name = '' }) => Name, maxWidth: 40 },
    {
      key: 'MinNumberOfValues',
      header: 'Required',
      kind: 'int',
      shown: ({ MinNumberOfValues: least }) => (least > 0 ? 'yes' : ''),
    },
    { key: 'MaxNumberOfValues', header: 'At most', kind: 'int' },
    {
      key: 'PossibleTermValues',
      header: 'Values',
      value: ({ PossibleTermValues: values = [] }) => values.join(', '),
      maxWidth: 80,
    },
    { key: 'Id', kind: 'int' },
  ],
}

/** A way of sending an item; what is not known is null. */
export interface ShippingRecord {
  readonly Name: string | null
  readonly ShippingProviderId: number | null
  readonly ShippingOptionId: number | null
  readonly ShippingProductId: number | null
  /** Kilograms, the most that may be sent. */
  readonly Weight: number | null
  /** Kronor: the price of the list, or what most own items ask. */
  readonly Cost: number | null
  /** Own items that are sent so; null where they were not read. */
  readonly Items: number | null
  /** Who says so: the service's list, own items, or what every service of this kind has. */
  readonly From: 'service' | 'items' | 'known'
}

/** Words for options that every service has. */
const OPTION_NAMES: ReadonlyMap<number | null, string> = new Map(Object.entries(SHIPPING_OPTIONS).map(([name, id]) => [id, name]))

/** Value of `--shipping` for it. */
export function shippingFlag({ ShippingProviderId, ShippingOptionId, ShippingProductId }: ShippingRecord): string {
  if (ShippingProviderId === null)
    return OPTION_NAMES.get(ShippingOptionId) ?? (ShippingOptionId === null ? '' : `option=${ShippingOptionId}`)
  return `provider=${ShippingProviderId}${ShippingProductId === null ? '' : `,product=${ShippingProductId}`}`
}

/** `Carrier, parcel`, or `provider 2` where no name is known. */
export function shippingTitle({ Name, ShippingProviderId, ShippingOptionId }: ShippingRecord): string {
  if (Name !== null) return Name
  return ShippingProviderId === null ? `option ${ShippingOptionId}` : `provider ${ShippingProviderId}`
}

const FROM: Readonly<Record<ShippingRecord['From'], string>> = {
  service: 'the service',
  items: 'your items',
  known: 'every service',
}

export const shippingView: View<ShippingRecord> = {
  keys: ['ShippingProviderId', 'ShippingOptionId', 'ShippingProductId'],
  empty: 'No shipping is known.',
  columns: [
    // It is to be typed, and half of it says nothing.
    { key: 'Flag', header: '--shipping', value: shippingFlag, least: 40 },
    { key: 'Name', shown: shippingTitle, maxWidth: 40 },
    { key: 'Weight', header: 'Max kg' },
    ...columnsOf('Cost', { Items: 'Your items' }),
    { key: 'From', header: 'Known from', shown: ({ From }) => FROM[From] },
  ],
}

export const categoriesView: TreeView<CategoryValue> = {
  label: (category, paint) => `${safeLine(nameOf(category))} ${paint.dim(String(category.Id))}`,
  children: (category) => category.Category,
  empty: 'No categories.',
  flat: {
    empty: 'No categories.',
    columns: [
      { key: 'Id', kind: 'int', value: ({ node }) => node.Id },
      { key: 'ParentId', kind: 'int', value: ({ parent }) => parent?.Id },
      { key: 'Depth', kind: 'int', value: ({ depth }) => depth },
      { key: 'Name', value: ({ node }) => node.Name },
      { key: 'Path', value: ({ path }) => path.map(nameOf).join(' > ') },
    ],
  },
}
