/** Plans changes of the fields of live items: what differs, field by field, judged by the guards. */
import { type Hold, held } from '../../holds/index.js'
import type { CatalogueRow } from '../../rows/catalogue.js'
import { listOf, type Made } from '../../rows/stored-list.js'
import { type FieldFacts, type Guards, guardsOver, holdBy, stoppedBy } from '../guards/index.js'
import { countEach, mostOf } from '../plan/spread.js'
import { foldTitle } from '../references.js'
import type { HoldLimit, LiveItem, Stopped } from '../types.js'
import { type FieldDifference, isTextField } from './differences.js'

/** A row whose item is not as the row wants it. */
export interface DifferingRow {
  readonly row: Pick<CatalogueRow, 'line' | 'references' | 'given' | 'extra'>
  readonly item: LiveItem
  readonly differences: readonly FieldDifference[]
}

/** An item whose fields change. */
export interface UpdateEntry extends DifferingRow {
  /** pending: an earlier change of the item is on its way. */
  readonly state: 'change' | 'held' | 'pending'
  /** The guard that holds it. */
  readonly limit: HoldLimit | null
  readonly hold: Hold | null
}

export interface UpdatePlan {
  /** In the order of the rows, made when they are asked for. */
  readonly entries: Made<UpdateEntry>
  readonly change: number
  readonly held: number
  readonly pending: number
  /** The guard over all of them that is broken. Nothing at all is sent. */
  readonly stopped: Stopped | null
}

export interface UpdateTerms {
  readonly guards: Guards
  /** The live shop items. */
  readonly shop: Made<LiveItem>
  /** Name of the top category that a category is below; undefined where it is not known. */
  readonly branchOf?: ((category: number) => string | undefined) | undefined
  /** Holds of items with an earlier change that is on its way. */
  readonly underWay?: ReadonlyMap<number, Hold>
  /** ms since 1970: an item that starts later may get another start. By default all are live. */
  readonly now?: number
  /** Called now and then, to let others have their turn. */
  readonly room?: () => Promise<void>
}

interface Judged {
  readonly state: 'held' | 'pending'
  readonly limit: HoldLimit | null
  readonly hold: Hold
}

const ROWS_AT_ONCE = 64
/** Among few different titles other items have the same ones by chance. */
const FEW_TITLES = 3

/** @param rows are made several times, and not kept */
export async function planUpdates(rows: Made<DifferingRow>, terms: UpdateTerms): Promise<UpdatePlan> {
  const { guards, shop, underWay, branchOf = () => undefined, room, now = Number.POSITIVE_INFINITY } = terms
  const judgements = new Map<number, Judged>()
  const titles: (readonly [id: number, title: string])[] = []
  const images = new ImageFacts()
  let at = -1
  for (const { item, differences } of rows) {
    at++
    if (at % ROWS_AT_ONCE === 0) await room?.()
    const waits = underWay?.get(item.Id)
    const judgement =
      waits === undefined
        ? judge(differences, guards, { branchOf, now })
        : ({ state: 'pending', limit: null, hold: waits } as const)
    if (judgement !== undefined) judgements.set(at, judgement)
    const title = differences.find(({ field }) => field === 'Title')?.wanted
    if (typeof title === 'string') titles.push([item.Id, title])
    for (const difference of differences) if (difference.field === 'ItemImages') images.add(difference)
  }
  const count = (state: Judged['state']) => [...judgements.values()].filter((each) => each.state === state).length
  return {
    entries: listOf(rows.length, (place) => {
      const row = rows.at(place) as DifferingRow
      return { ...row, ...(judgements.get(place) ?? { state: 'change', limit: null, hold: null }) }
    }),
    change: rows.length - judgements.size,
    held: count('held'),
    pending: count('pending'),
    stopped:
      titles.length + images.images === 0
        ? null
        : stoppedBy('updates', guards, { ...titleFacts(titles, shop), ...images.facts() }),
  }
}

/** Why an item is held: the first field that breaks a guard. */
function judge(
  differences: readonly FieldDifference[],
  guards: Guards,
  { branchOf, now }: { readonly branchOf: (category: number) => string | undefined; readonly now: number },
): Judged | undefined {
  for (const { field, live, wanted, unread } of differences) {
    if (unread === true) return { state: 'held', limit: null, hold: held('left_out', { What: field }) }
    if (field === 'ActivateDate' && !(Date.parse(String(live)) > now))
      return { state: 'held', limit: null, hold: held('takes_off', { At: String(wanted) }) }
    const facts = fieldFacts(field, live, wanted, branchOf)
    const guardHit = guardsOver('field', guards).find(({ guard, limit }) => guard.holds(limit, facts))
    if (guardHit === undefined) continue
    const hold = holdBy(guardHit.guard as Parameters<typeof holdBy>[0], guardHit.limit, facts)
    return { state: 'held', limit: hold.Code, hold }
  }
  return undefined
}

function fieldFacts(
  field: string,
  live: unknown,
  newValue: unknown,
  branchOf: (category: number) => string | undefined,
): FieldFacts {
  const text = isTextField(field)
  const branch = (id: unknown) => (field === 'CategoryId' && typeof id === 'number' ? (branchOf(id) ?? null) : null)
  return {
    field,
    before: text ? readable(live) : null,
    after: text ? readable(newValue) : null,
    branch: branch(live),
    newBranch: branch(newValue),
  }
}

/** Number of characters that a buyer reads. */
function readable(text: unknown): number {
  if (typeof text !== 'string') return 0
  return text.replace(/<[^>]*>|&nbsp;|\s/g, '').length
}

/** Counts items whose images change. */
class ImageFacts {
  images = 0
  #replacedImages = 0
  readonly #first = new Map<string, { count: number; readonly name: string }>()

  add({ live, wanted }: FieldDifference): void {
    this.images++
    // Where nobody knows what was sent before, the seller has asked for it.
    if (Array.isArray(live) && live.length > 0) this.#replacedImages++
    const [first] = wanted as readonly { readonly Name: string; readonly Sha256?: string }[]
    const key = first?.Sha256 ?? ''
    const image = this.#first.get(key) ?? { count: 0, name: first?.Name ?? '' }
    image.count++
    this.#first.set(key, image)
  }

  facts() {
    const [most] = [...this.#first.values()].sort((one, other) => other.count - one.count)
    return { images: this.images, replaced: this.#replacedImages, sameImage: most?.count ?? 0, image: most?.name ?? '' }
  }
}

function titleFacts(titles: readonly (readonly [id: number, title: string])[], shop: Iterable<LiveItem>) {
  const counts = countEach(titles.map(([, title]) => foldTitle(title)))
  // The items that have a wanted title now; at most two of each tell whether one of them is another item.
  const owners = new Map<string, number[]>()
  let items = 0
  for (const { Id, ShortDescription } of shop) {
    items++
    const plain = foldTitle(ShortDescription ?? '')
    if (!counts.has(plain)) continue
    const itemIds = owners.get(plain) ?? []
    if (itemIds.length < 2) owners.set(plain, [...itemIds, Id])
  }
  const others = titles.filter(([id, title]) => owners.get(foldTitle(title))?.some((owner) => owner !== id) === true)
  // Many items of one title, such as coins, say nothing about a column that has slipped.
  const movedCount = new Set(others.map(([, title]) => foldTitle(title))).size < FEW_TITLES ? 0 : others.length
  const [most = '', same = 0] = mostOf(counts) ?? []
  return {
    items,
    titles: titles.length,
    moved: movedCount,
    same,
    title: titles.find(([, title]) => foldTitle(title) === most)?.[1] ?? most,
  }
}
