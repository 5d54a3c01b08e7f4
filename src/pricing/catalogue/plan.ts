/**
 * Plans what makes a shop like a catalogue, of the live list, the catalogue and what the ledger knows. Prices and stock are
 * planned from it.
 */

import { type Hold, held as heldFor } from '../../holds/index.js'
import type { CatalogueList, CatalogueRow } from '../../rows/catalogue.js'
import { IntMap, listOfPlaces, type Made } from '../../rows/stored-list.js'
import type { LiveItem } from '../types.js'
import { type FieldDifference, isCompared } from './differences.js'
import { type CatalogueMatch, ROWS_AT_ONCE, withoutReferences } from './match.js'
import type { DifferingRow } from './updates.js'

/** Facts of the ledger about an item: it comes or goes already, or nobody knows whether it does. */
export interface UnderWay {
  readonly state: 'pending' | 'held'
  readonly hold: Hold
}

export interface CatalogueKnowledge {
  /** Additions that are not in the live list, by the own reference that names the row. */
  readonly added: ReadonlyMap<string, UnderWay>
  /** Removals of items that are in the live list, by id. */
  readonly removed: ReadonlyMap<number, UnderWay>
}

export interface CatalogueWishes {
  /** True if live items that the catalogue does not have are removed. */
  readonly removeMissing: boolean
  /** True if the service sets numbers in stock. */
  readonly canRestock: boolean
  /** True if the service changes the fields of an item. */
  readonly canUpdate: boolean
  /** True if no row adds an item: those without one are held. */
  readonly addNone?: boolean
  /** The whole item of what a row gives. It is made again whenever it is asked for. */
  readonly whole: (given: CatalogueRow['given']) => Readonly<Record<string, unknown>>
  /** Fault of a whole item; undefined for none. */
  readonly whyNot: (value: Readonly<Record<string, unknown>>) => string | undefined
  /** True if it is known which images were sent for an item. */
  readonly knowsImages?: (id: number) => boolean
  /** Called now and then, to let others have their turn. */
  readonly room?: () => Promise<void>
}

/** A row for which nothing is sent now. */
export interface StoppedRow {
  readonly row: CatalogueRow
  readonly item: LiveItem | null
  readonly hold: Hold
}

/** The place of such a row. */
interface StoppedAt {
  readonly at: number
  readonly hold: Hold
}

/** A live item and the row about it. */
export interface MatchedRow {
  readonly row: CatalogueRow
  readonly item: LiveItem
}

/** A number that a row gives its item, and that is planned with what guards it. */
export type GuardedField = 'Price' | 'AbsoluteQuantity'

/** The rows that must be planned, and how many others have their number already. */
export interface RowsToPlan {
  readonly rows: Made<MatchedRow>
  readonly same: number
}

type Differing = MatchedRow & DifferingRow

/** Price and number in stock come before other fields. */
const rankOf = ({ Field }: ComparedRows): number => ['AbsoluteQuantity', 'Price'].indexOf(Field) * -1

export interface ComparedRows {
  readonly Field: string
  readonly Rows: number
}

/** Rows for which nothing is sent or held. */
export interface UnchangedRows {
  /** All that the row gives was compared with the live item, and is the same. */
  readonly same: number
  /** The row gives nothing that could be compared. */
  readonly notCompared: number
}

/**
 * Outcome of the rows. Lists with rows make their entries when they are asked for, so that a million rows are never in memory as
 * objects.
 */
export interface CataloguePlan {
  readonly additions: Made<{ readonly row: CatalogueRow; readonly value: Readonly<Record<string, unknown>> }>
  /**
   * The rows of matched items that give a number. One that is live already is left out, but for those next to a row that differs,
   * since the guards compare neighbours, and those whose item stands apart.
   * @param isApart true for an item whose row may change although it has its number
   */
  toPlan(field: GuardedField, isApart?: (id: number) => boolean): RowsToPlan
  readonly removals: Made<LiveItem>
  /** Removals that are not sent, because the catalogue does not say for certain that the items are missing. */
  readonly heldRemovals: Made<{ readonly item: LiveItem; readonly hold: Hold }>
  readonly held: Made<StoppedRow>
  /** Rows whose item comes or goes already. */
  readonly pending: Made<StoppedRow>
  /** Number of the missing items that are being removed already. */
  readonly leaving: number
  /** Rows whose items have fields that are not as the rows want them, for a service that changes them. */
  readonly differing: Made<DifferingRow>
  /** Changes that the service cannot make. */
  readonly byHand: Made<DifferingRow>
  /** Rows of items that are not live and have none in stock, so that there is nothing to add. */
  readonly soldOut: number
  /** The rows that stay as they are. @param touched ids of the matched items for which something is sent or held */
  unchanged(touched: Iterable<number>): UnchangedRows
  /** The fields that are compared, with the number of rows that give each: the field of the most rows first. */
  readonly compared: readonly ComparedRows[]
  /** The row about a matched item. */
  rowOf(id: number): CatalogueRow | undefined
}

/** Decides for each row and each missing item. Rows are in the order of the catalogue. */
export async function planCatalogue(
  rows: CatalogueList,
  match: CatalogueMatch,
  knowledge: CatalogueKnowledge,
  wishes: CatalogueWishes,
): Promise<CataloguePlan> {
  const additions: number[] = []
  const matchedRows: number[] = []
  const byHand: number[] = []
  const differingRows: number[] = []
  /** The first row about each matched item. */
  const rowOfItem = new IntMap()
  const heldRows: StoppedAt[] = []
  const pending: StoppedAt[] = []
  /** Items that several rows are about, of which the first counts. */
  const several = new Set<number>()
  /** Rows by the fields that are compared: nearly all have one list. */
  const comparedCounts = new Map<readonly string[], number>()
  const comparedFields = comparedOf()
  const silent: number[] = []
  const soldOut: number[] = []
  const pair = (at: number, rowMatch = match.rows.at(at)): Differing => {
    const catalogueRow = rows.at(at)
    if (catalogueRow === undefined || rowMatch?.kind !== 'live') throw new TypeError(`Row ${at} of the catalogue has no item.`)
    const { item, differences } = rowMatch
    const row = rowMatch.byId ? withoutReferences(catalogueRow) : catalogueRow
    return { row, item, differences }
  }
  /** Differences that the service cannot change. */
  const withByHand = (pair: Differing, at: number): Differing => {
    const stock = stockByHand(rows.quantityAt(at), pair.item.RemainingQuantity, wishes.canRestock)
    return { ...pair, differences: wishes.canUpdate ? stock : [...pair.differences, ...stock] }
  }
  for (let at = 0; at < rows.length; at++) {
    if (at % ROWS_AT_ONCE === 0) await wishes.room?.()
    const rowMatch = match.rows.at(at)
    if (rowMatch === undefined) continue
    if (rowMatch.kind === 'held') heldRows.push({ at, hold: rowMatch.hold })
    else if (rowMatch.kind === 'live') {
      const { id } = rowMatch
      const removal = knowledge.removed.get(id)
      if (removal !== undefined) (removal.state === 'held' ? heldRows : pending).push({ at, hold: removal.hold })
      else {
        matchedRows.push(at)
        if (rowOfItem.has(id)) several.add(id)
        else rowOfItem.set(id, at)
        const fields = comparedFields(rows.fieldsAt(at), wishes.knowsImages?.(id) === true)
        comparedCounts.set(fields, (comparedCounts.get(fields) ?? 0) + 1)
        if (fields.length === 0) silent.push(at)
        const { differs } = rowMatch
        if (wishes.canUpdate && differs) differingRows.push(at)
        const stock = stockByHand(rows.quantityAt(at), rowMatch.number('RemainingQuantity'), wishes.canRestock)
        if (stock.length > 0 || (differs && !wishes.canUpdate)) byHand.push(at)
      }
    } else {
      const { given, references } = rows.at(at) as CatalogueRow
      if (wishes.addNone === true) {
        const [OwnReference = null] = references
        heldRows.push({ at, hold: heldFor('not_live', { Id: null, OwnReference, Type: 'ShopItem' }) })
        continue
      }
      if (given.AbsoluteQuantity === 0) {
        soldOut.push(at)
        continue
      }
      const addition = knowledge.added.get(references[0] ?? '')
      const why = addition === undefined ? wishes.whyNot(wishes.whole(given)) : undefined
      if (addition !== undefined) (addition.state === 'held' ? heldRows : pending).push({ at, hold: addition.hold })
      else if (why === undefined) additions.push(at)
      else heldRows.push({ at, hold: heldFor('cannot_be_added', { Said: why }) })
    }
  }
  const stoppedRows = (all: readonly StoppedAt[]): Made<StoppedRow> =>
    listOfPlaces(all, ({ at, hold }) => {
      const rowMatch = match.rows.at(at)
      if (rowMatch?.kind === 'live') return { ...pair(at, rowMatch), hold }
      return { row: rows.at(at) as CatalogueRow, item: null, hold }
    })
  return {
    additions: listOfPlaces(additions, (at) => {
      const row = rows.at(at) as CatalogueRow
      return { row, value: wishes.whole(row.given) }
    }),
    toPlan(field, isApart = () => false) {
      const stays = (at: number): boolean => {
        const rowMatch = match.rows.at(at)
        if (rowMatch?.kind !== 'live' || rowMatch.isUnread || several.has(rowMatch.id) || isApart(rowMatch.id)) return false
        // An item without a price may have 0.
        const live = field === 'Price' ? rowMatch.number('BuyItNowPrice') || undefined : rowMatch.number('RemainingQuantity')
        return rows.isPlain(at) && numberGiven(rows, field, at) === live
      }
      const giving = matchedRows.filter((at) => numberGiven(rows, field, at) !== undefined)
      const places = withNeighbours(giving, stays, field)
      return { rows: listOfPlaces(places, (at) => pair(at)), same: giving.length - places.length }
    },
    held: stoppedRows(heldRows),
    pending: stoppedRows(pending),
    differing: listOfPlaces(differingRows, (at) => pair(at)),
    byHand: listOfPlaces(byHand, (at) => withByHand(pair(at), at)),
    soldOut: soldOut.length,
    ...planRemovals(rows, match, knowledge, wishes),
    unchanged(touched) {
      const busy = new Set([...additions, ...byHand, ...differingRows, ...[...heldRows, ...pending].map(({ at }) => at)])
      for (const id of touched) {
        const at = rowOfItem.get(id)
        if (at !== undefined) busy.add(at)
      }
      const notCompared = [...silent, ...soldOut].filter((at) => !busy.has(at)).length
      return { same: rows.length - busy.size - notCompared, notCompared }
    },
    compared: [...countFields(comparedCounts)]
      .map(([Field, Rows]) => ({ Field, Rows }))
      .sort((one, other) => other.Rows - one.Rows || rankOf(one) - rankOf(other)),
    rowOf(id) {
      const at = rowOfItem.get(id)
      return at === undefined ? undefined : rows.at(at)
    },
  }
}

function stockByHand(wanted: number | undefined, live: number | undefined, canRestock: boolean): FieldDifference[] {
  if (canRestock || wanted === undefined || wanted === live) return []
  return [{ field: 'AbsoluteQuantity', live: live ?? null, wanted }]
}

function numberGiven(rows: CatalogueList, field: GuardedField, at: number): number | undefined {
  return field === 'Price' ? rows.priceAt(at) : rows.quantityAt(at)
}

/**
 * The rows that do not stay as they are, and those next to them. Of prices the one after is enough, which keeps two rows apart
 * that are no neighbours: a row that stays has the number of its item, and no other row has slipped onto that.
 */
function withNeighbours(places: readonly number[], stays: (at: number) => boolean, field: GuardedField): number[] {
  const found: number[] = []
  let before: number | undefined
  let isAfter = false
  for (const at of places) {
    const isStill = stays(at)
    if (!isStill && before !== undefined && field !== 'Price') found.push(before)
    if (!isStill || isAfter) found.push(at)
    before = isStill && !isAfter ? at : undefined
    isAfter = !isStill
  }
  return found
}

/** The fields of a row that are compared, one list for each list of fields. @param images true if its images are compared */
function comparedOf(): (fields: readonly string[], images: boolean) => readonly string[] {
  const lists = { true: new Map<readonly string[], readonly string[]>(), false: new Map<readonly string[], readonly string[]>() }
  return (fields, images) => {
    const known = lists[`${images}`]
    const list = known.get(fields) ?? fields.filter((field) => isCompared(field) || (images && field === 'ItemImages'))
    known.set(fields, list)
    return list
  }
}

function countFields(rows: ReadonlyMap<readonly string[], number>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [fields, count] of rows) for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + count)
  return counts
}

function planRemovals(
  rows: CatalogueList,
  { missing }: CatalogueMatch,
  { removed }: CatalogueKnowledge,
  { removeMissing }: CatalogueWishes,
): Pick<CataloguePlan, 'removals' | 'heldRemovals' | 'leaving'> {
  const remainingItems: number[] = []
  let place = 0
  for (const { Id } of missing) {
    if (!removed.has(Id)) remainingItems.push(place)
    place++
  }
  const itemAt = (at: number) => missing.at(at) as LiveItem
  const removalCount = missing.length - remainingItems.length
  if (!removeMissing) return { removals: [], heldRemovals: [], leaving: removalCount }
  // The item of a row whose reference was lost would look as if it were missing.
  const nameless = firstNameless(rows)
  if (nameless === undefined) return { removals: listOfPlaces(remainingItems, itemAt), heldRemovals: [], leaving: removalCount }
  const hold = heldFor('nameless_line', { Line: nameless.line })
  return { removals: [], heldRemovals: listOfPlaces(remainingItems, (at) => ({ item: itemAt(at), hold })), leaving: removalCount }
}

function firstNameless(rows: CatalogueList): CatalogueRow | undefined {
  for (let at = 0; at < rows.length; at++) if (rows.referenceAt(at) === undefined) return rows.at(at)
  return undefined
}
