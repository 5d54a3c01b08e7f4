/** Sets fields of items back: those that jobs changed, to what they were before, and those of a shop at a time. */
import { type Hold, held } from '../../holds/index.js'
import {
  emptyValue,
  type FieldDifference,
  isSameField,
  isShownField,
  type LiveCatalogueItem,
  type LiveItem,
  liveField,
  type UpdateEntry,
  type UpdatePlan,
} from '../../pricing/index.js'
import { type Made, made, type Spill, StoredById, StoredList } from '../../rows/index.js'
import { readOldPayload, readPayload } from './payloads.js'
import type { BulkRow } from './types.js'

/** Values by field. */
export type Fields = Readonly<Record<string, unknown>>

/** Fields of an item that jobs have changed, from the oldest job on. */
interface ItemChange {
  readonly line: number
  readonly reference: string | null
  readonly title: string | null
  /** Before the oldest job. A field whose value was not read is left out. */
  readonly old: Fields
  /** As the newest job set it. */
  readonly set: Fields
  readonly hold?: Hold
}

/** Changes by item. Texts go to the spill, where there are too many. */
export class ItemChanges extends StoredById<ItemChange> {
  /** Takes the row of a later job than those before. @param why it cannot be set back yet */
  add(row: BulkRow, why: Hold | undefined): void {
    if (row.Id === null) return
    const [old, set] = [readOldPayload('update', row.OldPayload, row) ?? {}, readPayload('update', row.Payload, row)]
    const before = this.of(row.Id)
    // A field that an earlier job has set was then what that one set, whatever a later one has read.
    const first = Object.fromEntries(
      Object.entries(old).filter(([field]) => before === undefined || !Object.hasOwn(before.set, field)),
    )
    const hold = why ?? before?.hold
    const change = {
      line: row.Line,
      reference: row.OwnReference,
      title: row.Title,
      old: { ...before?.old, ...first },
      set: { ...before?.set, ...set },
      ...(hold === undefined ? {} : { hold }),
    }
    this.set(row.Id, change)
  }
}

interface Stored {
  readonly item: LiveItem
  readonly differences: readonly FieldDifference[]
  readonly hold: Hold | null
  readonly change: Pick<ItemChange, 'line' | 'reference'>
  readonly live: boolean
}

/** The plan of an undo, with the items that are not live. */
export interface UpdateUndoPlan extends UpdatePlan {
  readonly unknown: Made<{ readonly Id: number; readonly change: ItemChange }>
  readonly unchanged: number
  /** Number of items by field that stays as it is, because it cannot be set back. */
  readonly left: ReadonlyMap<string, number>
}

/**
 * Plans what sets fields back. A field that is no longer as the jobs set it is somebody else's work: its item is held.
 * @param whole reads an item by itself, where the list leaves out a field that must be compared; null where it cannot
 */
export async function planUpdateUndo(
  changes: ItemChanges,
  live: AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>,
  { spill, whole }: { readonly spill?: Spill; readonly whole?: (id: number) => Promise<LiveCatalogueItem | null> } = {},
): Promise<UpdateUndoPlan> {
  const found = new StoredList<Stored>(spill)
  const missing = new Set(changes.ids())
  const left = new Map<string, number>()
  let held = 0
  let unchanged = 0
  for await (const listed of live) {
    const change = changes.of(listed.Id)
    if (change === undefined || listed.ItemType !== 'ShopItem') continue
    missing.delete(listed.Id)
    const item = (needsWhole(change, listed) ? await whole?.(listed.Id) : undefined) ?? listed
    const { differences, lost, hold } = setBack(change, item)
    if (differences.length === 0 && hold === null) {
      unchanged++
      continue
    }
    if (hold !== null) held++
    else for (const field of lost) left.set(field, (left.get(field) ?? 0) + 1)
    const { Id, ItemType, ShortDescription } = listed
    const { line, reference } = change
    found.push({ item: { Id, ItemType, ShortDescription }, differences, hold, change: { line, reference }, live: true })
  }
  const places = [...Array(found.length).keys()]
  return {
    entries: made(places, (place): UpdateEntry => {
      const { item, differences, hold, change } = found.at(place) as Stored
      return entryOfBack(item, { line: change.line, references: change.reference?.split('|') ?? [] }, differences, hold)
    }),
    change: found.length - held,
    held,
    pending: 0,
    stopped: null,
    unknown: made([...missing], (Id) => ({ Id, change: changes.of(Id) as ItemChange })),
    unchanged,
    left,
  }
}

/** Row of a plan that sets fields of an item back. */
export function entryOfBack(
  item: LiveItem,
  { line, references }: { readonly line: number; readonly references: readonly string[] },
  differences: readonly FieldDifference[],
  hold: Hold | null,
): UpdateEntry {
  const given = Object.fromEntries(differences.map(({ field, wanted }) => [field, wanted]))
  const row = { line, references, given, extra: [] }
  return { row, item, differences, state: hold === null ? 'change' : 'held', limit: null, hold }
}

/** True if the list leaves out a field of which the job set something. */
function needsWhole({ set }: ItemChange, item: LiveCatalogueItem): boolean {
  return Object.keys(set).some((field) => isShownField(field) && liveField(item, field) === undefined)
}

interface SetBack {
  readonly differences: readonly FieldDifference[]
  /** Fields that had no value before, which the service cannot empty, or one that nobody has read. The others are set back all the same. */
  readonly lost: readonly string[]
  readonly hold: Hold | null
}

function setBack({ old, set, hold }: ItemChange, item: LiveCatalogueItem): SetBack {
  const differences: FieldDifference[] = []
  const [moved, lost]: [string[], string[]] = [[], []]
  for (const [field, value] of Object.entries(set)) {
    const now = isShownField(field) ? liveField(item, field) : value
    const [known, before] = [Object.hasOwn(old, field), old[field] ?? null]
    if (known && isSameField(field, now, before) && !isSameField(field, now, value)) continue
    const wanted = before ?? emptyValue(field)
    if (!isSameField(field, now, value)) moved.push(field)
    const isLost = !known || wanted === undefined
    if (isLost) lost.push(field)
    // A field that somebody else has set is shown with what it would become.
    if (!isLost || moved.includes(field)) differences.push({ field, live: now ?? null, wanted: wanted ?? null })
  }
  if (moved.length > 0) return { differences, lost, hold: held('fields_moved', { Fields: moved }) }
  if (differences.length > 0 || lost.length === 0) return { differences, lost, hold: hold ?? null }
  const shown = lost.map((field) => ({ field, live: liveField(item, field) ?? null, wanted: null }))
  return { differences: shown, lost, hold: held('not_set_back', { Fields: lost }) }
}
