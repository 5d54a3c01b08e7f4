/** Sets fields of items back: those that jobs changed, to what they were before, and those of a shop at a time. */
import { without } from '../../contract/without.js'
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
import { listOf, listOfPlaces, type Made, type Spill, StoredById, StoredList } from '../../rows/index.js'
import { canBeSent } from './images-sent.js'
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
  readonly hold: Hold | undefined
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
    const change = {
      line: row.Line,
      reference: row.OwnReference,
      title: row.Title,
      old: { ...before?.old, ...first },
      set: { ...before?.set, ...set },
      hold: why ?? before?.hold,
    }
    this.set(row.Id, change)
  }
}

/** Fields of an item to set, with the row that they come from. */
export interface BackRow extends SetBack {
  readonly line: number
  readonly references: readonly string[]
}

/** The plan of an undo, with the items that are not live. */
export interface UpdateUndoPlan extends UpdatePlan {
  readonly unknown: Made<{ readonly Id: number; readonly change: ItemChange }>
  readonly unchanged: number
  /** Number of items by field that stays as it is, because it cannot be set back. */
  readonly left: ReadonlyMap<string, number>
}

type LiveList = AsyncIterable<LiveCatalogueItem> | Iterable<LiveCatalogueItem>

/**
 * Plans what gives live shop items other fields.
 * @param back what is set of an item; undefined where it is not concerned
 */
export async function planBack(
  live: LiveList,
  back: (item: LiveCatalogueItem) => Promise<BackRow | undefined>,
  spill?: Spill,
): Promise<Omit<UpdateUndoPlan, 'unknown'>> {
  const found = new StoredList<Omit<BackRow, 'lost'> & { readonly item: LiveItem }>(spill)
  const lostFields = new Map<string, number>()
  let held = 0
  let unchanged = 0
  for await (const liveItem of live) {
    const row = liveItem.ItemType === 'ShopItem' ? await back(liveItem) : undefined
    if (row === undefined) continue
    const kept = without(row, 'lost')
    if (kept.hold !== null) held++
    else for (const field of row.lost) lostFields.set(field, (lostFields.get(field) ?? 0) + 1)
    const { Id, ItemType, ShortDescription } = liveItem
    if (kept.differences.length === 0 && kept.hold === null) unchanged++
    else found.push({ ...kept, item: { Id, ItemType, ShortDescription } })
  }
  return {
    entries: listOf(found.length, (place): UpdateEntry => {
      const { item, differences, hold, line, references } = found.at(place) as BackRow & { readonly item: LiveItem }
      const fields = Object.fromEntries(differences.map(({ field, wanted }) => [field, wanted]))
      const row = { line, references, given: fields, extra: [] }
      return { row, item, differences, state: hold === null ? 'change' : 'held', limit: null, hold }
    }),
    change: found.length - held,
    held,
    pending: 0,
    stopped: null,
    unchanged,
    left: lostFields,
  }
}

/**
 * Plans what sets fields back. A field that is no longer as the jobs set it is somebody else's work: its item is held.
 * @param whole reads an item by itself, where the list leaves out a field that must be compared; null where it cannot
 */
export async function planUpdateUndo(
  changes: ItemChanges,
  live: LiveList,
  { spill, whole }: { readonly spill?: Spill; readonly whole?: ReadWhole } = {},
): Promise<UpdateUndoPlan> {
  const missing = new Set(changes.ids())
  const back = async (listed: LiveCatalogueItem): Promise<BackRow | undefined> => {
    const change = changes.of(listed.Id)
    if (change === undefined) return undefined
    missing.delete(listed.Id)
    const item = await wholeFor(Object.keys(change.set), listed, whole)
    const { line, reference } = change
    return { ...(await withoutLostImages(setBack(change, item))), line, references: reference?.split('|') ?? [] }
  }
  const plan = await planBack(live, back, spill)
  return { ...plan, unknown: listOfPlaces([...missing], (Id) => ({ Id, change: changes.of(Id) as ItemChange })) }
}

/** Reads an item by itself; null where it cannot. */
export type ReadWhole = (id: number) => Promise<LiveCatalogueItem | null>

/** The item as listed, or read by itself where the list leaves out one of the fields that must be compared. */
export async function wholeFor(
  fields: readonly string[],
  listed: LiveCatalogueItem,
  read?: ReadWhole,
): Promise<LiveCatalogueItem> {
  const leftOut = fields.some((field) => isShownField(field) && liveField(listed, field) === undefined)
  return (leftOut ? await read?.(listed.Id) : undefined) ?? listed
}

interface SetBack {
  readonly differences: readonly FieldDifference[]
  /**
   * Fields that had no value before, which the service cannot empty, or one that nobody has read. The others are set back all the
   * same.
   */
  readonly lost: readonly string[]
  readonly hold: Hold | null
}

/** Images of before are sent again from their files. Where these have changed, the others fields are set back all the same. */
async function withoutLostImages(back: SetBack): Promise<SetBack> {
  const images = back.hold === null ? back.differences.find(({ field }) => field === 'ItemImages') : undefined
  if (images === undefined || (await canBeSent(images.wanted))) return back
  const differences = back.differences.filter((each) => each !== images)
  const lostFields = [...back.lost, images.field]
  if (differences.length > 0) return { differences, lost: lostFields, hold: null }
  return { differences: [{ ...images, wanted: null }], lost: lostFields, hold: held('not_set_back', { Fields: lostFields }) }
}

function setBack({ old, set, hold }: ItemChange, item: LiveCatalogueItem): SetBack {
  const differences: FieldDifference[] = []
  const [moved, lost]: [string[], string[]] = [[], []]
  for (const [field, value] of Object.entries(set)) {
    const now = isShownField(field) ? liveField(item, field) : value
    const [known, before] = [Object.hasOwn(old, field), old[field] ?? null]
    if (known && isSameField(field, now, before) && !isSameField(field, now, value)) continue
    const valueBefore = before ?? emptyValue(field)
    if (!isSameField(field, now, value)) moved.push(field)
    const isLost = !known || valueBefore === undefined
    if (isLost) lost.push(field)
    // A field that somebody else has set is shown with what it would become.
    if (!isLost || moved.includes(field)) differences.push({ field, live: now ?? null, wanted: valueBefore ?? null })
  }
  if (moved.length > 0) return { differences, lost, hold: held('fields_moved', { Fields: moved }) }
  if (differences.length > 0 || lost.length === 0) return { differences, lost, hold: hold ?? null }
  const lostDifferences = lost.map((field) => ({ field, live: liveField(item, field) ?? null, wanted: null }))
  return { differences: lostDifferences, lost, hold: held('not_set_back', { Fields: lost }) }
}
