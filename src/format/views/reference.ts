/** Reference data of the public service. */
import { type CategoryValue, IdDescriptionPair, type Output } from '../../contract/index.js'
import { safeLine } from '../output/safe-text.js'
import type { TreeView, View } from '../output/types.js'

export interface OfficialTime {
  /** As the service gave it. */
  readonly OfficialTime: string
  /** How far this machine's clock is ahead of the service's, ms; negative when behind. */
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
