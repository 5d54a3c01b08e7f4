/** Plans what makes a shop like a catalogue, of the live list, the catalogue and what the ledger knows. Prices and stock are planned from it. */

import type { CatalogueRow } from '../../rows/catalogue-rows.js'
import { IdInts } from '../../rows/indexes.js'
import { IntColumn, type Made, made, madeAt } from '../../rows/packed.js'
import type { LiveItem } from '../types.js'
import type { FieldDifference } from './differences.js'
import { type CatalogueMatch, ROWS_AT_ONCE, withoutReferences } from './match.js'

/** What the ledger knows of an item: it comes or goes already, or nobody knows whether it does. */
export interface UnderWay {
  readonly state: 'pending' | 'held'
  readonly reason: string
}

export interface CatalogueKnowledge {
  /** Additions that are not in the live list, by the own reference that names the row. */
  readonly added: ReadonlyMap<string, UnderWay>
  /** Removals of items that are in the live list, by id. */
  readonly removed: ReadonlyMap<number, UnderWay>
}

export interface CatalogueWishes {
  /** Whether live items that the catalogue does not have are removed. */
  readonly removeMissing: boolean
  /** Whether the service sets numbers in stock. */
  readonly canRestock: boolean
  /** The whole item of what a row gives. It is made again whenever it is asked for. */
  readonly whole: (given: CatalogueRow['given']) => Readonly<Record<string, unknown>>
  /** What is wrong with a whole item; undefined for nothing. */
  readonly whyNot: (value: Readonly<Record<string, unknown>>) => string | undefined
  /** Called now and then, to let others have their turn. */
  readonly room?: () => Promise<void>
}

/** A row for which nothing is sent now. */
export interface StoppedRow {
  readonly row: CatalogueRow
  readonly item: LiveItem | null
  readonly reason: string
}

/** A live item and the row about it. */
export interface MatchedRow {
  readonly row: CatalogueRow
  readonly item: LiveItem
}

/** What becomes of the rows. All lists make their entries when they are asked for, so that a million rows are never in memory as objects. */
export interface CataloguePlan {
  readonly additions: Made<{ readonly row: CatalogueRow; readonly value: Readonly<Record<string, unknown>> }>
  /** Their prices and numbers in stock are planned with what guards those. */
  readonly matched: Made<MatchedRow>
  readonly removals: Made<LiveItem>
  /** Removals that are not sent, because the catalogue does not say for certain that the items are missing. */
  readonly heldRemovals: Made<{ readonly item: LiveItem; readonly reason: string }>
  readonly held: Made<StoppedRow>
  /** Rows whose item comes or goes already. */
  readonly pending: Made<StoppedRow>
  /** How many of the missing items are being removed already. */
  readonly leaving: number
  /** What the service cannot change. */
  readonly byHand: Made<MatchedRow & { readonly differences: readonly FieldDifference[] }>
  /** Rows of items that are not live and have none in stock, so that there is nothing to add. */
  readonly soldOut: number
  /** How many rows are as they should be. @param touched ids of the matched items for which something is sent or held */
  unchanged(touched: Iterable<number>): number
  /** The row about a matched item. */
  rowOf(id: number): CatalogueRow | undefined
}

/** Decides for each row and each missing item. Rows are in the order of the catalogue. */
export async function planCatalogue(
  rows: Made<CatalogueRow>,
  match: CatalogueMatch,
  known: CatalogueKnowledge,
  wishes: CatalogueWishes,
): Promise<CataloguePlan> {
  const [additions, matched, byHand] = [new IntColumn(), new IntColumn(), new IntColumn()]
  /** The first row about each matched item. */
  const rowOfItem = new IdInts()
  const held: { readonly at: number; readonly reason: string }[] = []
  const pending: typeof held = []
  let soldOut = 0
  const pair = (at: number): MatchedRow => {
    const [row, found] = [rows.at(at), match.rows.at(at)]
    if (row === undefined || found?.kind !== 'live') throw new TypeError(`Row ${at} of the catalogue has no item.`)
    return { row: found.byId === true ? withoutReferences(row) : row, item: found.item }
  }
  const differing = (at: number, { row, item }: MatchedRow): readonly FieldDifference[] => {
    const found = match.rows.at(at)
    return [...(found?.kind === 'live' ? found.differences : []), ...stockByHand(row, item, wishes.canRestock)]
  }
  for (let at = 0; at < rows.length; at++) {
    if (at % ROWS_AT_ONCE === 0) await wishes.room?.()
    const found = match.rows.at(at)
    if (found === undefined) continue
    if (found.kind === 'held') held.push({ at, reason: found.reason })
    else if (found.kind === 'live') {
      const leaving = known.removed.get(found.item.Id)
      if (leaving !== undefined) (leaving.state === 'held' ? held : pending).push({ at, reason: leaving.reason })
      else {
        matched.push(at)
        rowOfItem.add(found.item.Id, at)
        if (differing(at, pair(at)).length > 0) byHand.push(at)
      }
    } else {
      const { given, references } = rows.at(at) as CatalogueRow
      if (given.AbsoluteQuantity === 0) {
        soldOut++
        continue
      }
      const coming = known.added.get(references[0] ?? '')
      const why = coming === undefined ? wishes.whyNot(wishes.whole(given)) : undefined
      if (coming !== undefined) (coming.state === 'held' ? held : pending).push({ at, reason: coming.reason })
      else if (why === undefined) additions.push(at)
      else held.push({ at, reason: `no live item has its own reference, and it cannot be added: ${why}` })
    }
  }
  const stopped = (all: typeof held): Made<StoppedRow> =>
    made(all.length, (index) => {
      const { at, reason } = all[index] ?? { at: 0, reason: '' }
      if (match.rows.at(at)?.kind === 'live') return { ...pair(at), reason }
      return { row: rows.at(at) as CatalogueRow, item: null, reason }
    })
  return {
    additions: madeAt(additions, (at) => {
      const row = rows.at(at) as CatalogueRow
      return { row, value: wishes.whole(row.given) }
    }),
    matched: madeAt(matched, pair),
    held: stopped(held),
    pending: stopped(pending),
    byHand: madeAt(byHand, (at) => {
      const found = pair(at)
      return { ...found, differences: differing(at, found) }
    }),
    soldOut,
    ...removalsOf(rows, match, known, wishes),
    unchanged(touched) {
      const busy = new Uint8Array(rows.length)
      // A place beyond the array is written nowhere.
      for (const id of touched) busy[rowOfItem.get(id) ?? -1] = 1
      for (const { at } of [...held, ...pending]) busy[at] = 1
      for (const column of [additions, byHand]) for (let at = 0; at < column.length; at++) busy[column.get(at)] = 1
      return busy.reduce((count, each) => count - each, rows.length)
    },
    rowOf(id) {
      const at = rowOfItem.get(id)
      return at === undefined ? undefined : rows.at(at)
    },
  }
}

function stockByHand({ given }: CatalogueRow, { RemainingQuantity }: LiveItem, canRestock: boolean): FieldDifference[] {
  const wanted = given.AbsoluteQuantity
  if (canRestock || wanted === undefined || wanted === RemainingQuantity) return []
  return [{ field: 'AbsoluteQuantity', live: RemainingQuantity ?? null, wanted }]
}

function removalsOf(
  rows: Made<CatalogueRow>,
  { missing }: CatalogueMatch,
  { removed }: CatalogueKnowledge,
  { removeMissing }: CatalogueWishes,
): Pick<CataloguePlan, 'removals' | 'heldRemovals' | 'leaving'> {
  const staying = new IntColumn()
  let place = 0
  for (const { Id } of missing) {
    if (!removed.has(Id)) staying.push(place)
    place++
  }
  const stay = madeAt(staying, (at) => missing.at(at) as LiveItem)
  const leaving = missing.length - stay.length
  const none = made(0, (): never => {
    throw new RangeError('The list is empty.')
  })
  if (!removeMissing) return { removals: none, heldRemovals: none, leaving }
  // The item of a row whose reference was lost would look as if it were missing.
  const nameless = firstNameless(rows)
  if (nameless === undefined) return { removals: stay, heldRemovals: none, leaving }
  const reason = `line ${nameless.line} has no own reference and may be this item, so no item counts as missing`
  return {
    removals: none,
    heldRemovals: made(stay.length, (at) => ({ item: stay.at(at) as LiveItem, reason })),
    leaving,
  }
}

function firstNameless(rows: Made<CatalogueRow>): CatalogueRow | undefined {
  for (const row of rows) if (row.references.length === 0) return row
  return undefined
}
