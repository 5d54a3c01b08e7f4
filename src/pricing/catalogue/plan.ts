/** Plans what makes a shop like a catalogue, of the live list, the catalogue and what the ledger knows. Prices and stock are planned from it. */

import { type Hold, held as heldFor } from '../../holds/index.js'
import type { BriefRow, CatalogueList, CatalogueRow } from '../../rows/catalogue.js'
import { type Made, made } from '../../rows/stored-list.js'
import type { LiveItem } from '../types.js'
import { type FieldDifference, isCompared } from './differences.js'
import { type CatalogueMatch, ROWS_AT_ONCE, type RowMatch, withoutReferences } from './match.js'
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

/** The price that a row gives its item. */
export interface MatchedPrice extends Pick<CatalogueRow, 'line' | 'allow' | 'extra' | 'net'> {
  readonly id: number
  /** Kronor. */
  readonly price: number
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

/** Outcome of the rows. Lists with rows make their entries when they are asked for, so that a million rows are never in memory as objects. */
export interface CataloguePlan {
  readonly additions: Made<{ readonly row: CatalogueRow; readonly value: Readonly<Record<string, unknown>> }>
  /** Their prices and numbers in stock are planned with what guards those. */
  readonly matched: Made<MatchedRow>
  /** The prices that the rows of matched items give. */
  readonly prices: Iterable<MatchedPrice>
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
  known: CatalogueKnowledge,
  wishes: CatalogueWishes,
): Promise<CataloguePlan> {
  const additions: number[] = []
  const matched: number[] = []
  const byHand: number[] = []
  const differing: number[] = []
  /** The first row about each matched item. */
  const rowOfItem = new Map<number, number>()
  const held: StoppedAt[] = []
  const pending: StoppedAt[] = []
  const compared = new Map<string, number>()
  const silent: number[] = []
  let soldOut = 0
  const pair = (at: number, found = match.rows.at(at)): Differing => {
    const given = rows.at(at)
    if (given === undefined || found?.kind !== 'live') throw new TypeError(`Row ${at} of the catalogue has no item.`)
    const { item, differences } = found
    const row = found.byId === true ? withoutReferences(given) : given
    return { row, item, differences }
  }
  /** Differences that the service cannot change. */
  const left = (pair: Differing, at: number): Differing => {
    const stock = stockByHand(rows.brief(at), pair.item, wishes.canRestock)
    return { ...pair, differences: wishes.canUpdate ? stock : [...pair.differences, ...stock] }
  }
  for (let at = 0; at < rows.length; at++) {
    if (at % ROWS_AT_ONCE === 0) await wishes.room?.()
    const found = match.rows.at(at)
    if (found === undefined) continue
    if (found.kind === 'held') held.push({ at, hold: found.hold })
    else if (found.kind === 'live') {
      const leaving = known.removed.get(found.item.Id)
      if (leaving !== undefined) (leaving.state === 'held' ? held : pending).push({ at, hold: leaving.hold })
      else {
        matched.push(at)
        if (!rowOfItem.has(found.item.Id)) rowOfItem.set(found.item.Id, at)
        const given = rows.brief(at).given.filter(isCompared)
        for (const field of given) compared.set(field, (compared.get(field) ?? 0) + 1)
        if (given.length === 0) silent.push(at)
        // Nearly all rows are as they should be: their texts are not read again.
        const differs = found.differences.length > 0
        if (wishes.canUpdate && differs) differing.push(at)
        const stock = stockByHand(rows.brief(at), found.item, wishes.canRestock)
        if (stock.length > 0 || (differs && !wishes.canUpdate)) byHand.push(at)
      }
    } else {
      const { given, references } = rows.at(at) as CatalogueRow
      if (wishes.addNone === true) {
        const [OwnReference = null] = references
        held.push({ at, hold: heldFor('not_live', { Id: null, OwnReference, Type: 'ShopItem' }) })
        continue
      }
      if (given.AbsoluteQuantity === 0) {
        soldOut++
        continue
      }
      const coming = known.added.get(references[0] ?? '')
      const why = coming === undefined ? wishes.whyNot(wishes.whole(given)) : undefined
      if (coming !== undefined) (coming.state === 'held' ? held : pending).push({ at, hold: coming.hold })
      else if (why === undefined) additions.push(at)
      else held.push({ at, hold: heldFor('cannot_be_added', { Said: why }) })
    }
  }
  const stopped = (all: readonly StoppedAt[]): Made<StoppedRow> =>
    made(all, ({ at, hold }) => {
      const found = match.rows.at(at)
      if (found?.kind === 'live') return { ...pair(at, found), hold }
      return { row: rows.at(at) as CatalogueRow, item: null, hold }
    })
  return {
    additions: made(additions, (at) => {
      const row = rows.at(at) as CatalogueRow
      return { row, value: wishes.whole(row.given) }
    }),
    matched: made(matched, (at) => pair(at)),
    prices: pricesOf(rows, matched, (at) => match.rows.at(at)),
    held: stopped(held),
    pending: stopped(pending),
    differing: made(differing, (at) => pair(at)),
    byHand: made(byHand, (at) => left(pair(at), at)),
    soldOut,
    ...removalsOf(rows, match, known, wishes),
    unchanged(touched) {
      const busy = new Set([...additions, ...byHand, ...differing, ...[...held, ...pending].map(({ at }) => at)])
      for (const id of touched) {
        const at = rowOfItem.get(id)
        if (at !== undefined) busy.add(at)
      }
      const notCompared = silent.filter((at) => !busy.has(at)).length
      return { same: rows.length - busy.size - notCompared, notCompared }
    },
    compared: [...compared]
      .map(([Field, Rows]) => ({ Field, Rows }))
      .sort((one, other) => other.Rows - one.Rows || rankOf(one) - rankOf(other)),
    rowOf(id) {
      const at = rowOfItem.get(id)
      return at === undefined ? undefined : rows.at(at)
    },
  }
}

function stockByHand({ quantity: wanted }: BriefRow, { RemainingQuantity }: LiveItem, canRestock: boolean): FieldDifference[] {
  if (canRestock || wanted === undefined || wanted === RemainingQuantity) return []
  return [{ field: 'AbsoluteQuantity', live: RemainingQuantity ?? null, wanted }]
}

function pricesOf(
  rows: CatalogueList,
  matched: readonly number[],
  matchAt: (at: number) => RowMatch | undefined,
): Iterable<MatchedPrice> {
  return {
    *[Symbol.iterator]() {
      for (const at of matched) {
        const [{ price, net, line, allow, hasExtra }, found] = [rows.brief(at), matchAt(at)]
        if (price === undefined || found?.kind !== 'live') continue
        yield { id: found.item.Id, price, net, line, allow, extra: hasExtra ? (rows.at(at)?.extra ?? []) : [] }
      }
    },
  }
}

function removalsOf(
  rows: CatalogueList,
  { missing }: CatalogueMatch,
  { removed }: CatalogueKnowledge,
  { removeMissing }: CatalogueWishes,
): Pick<CataloguePlan, 'removals' | 'heldRemovals' | 'leaving'> {
  const staying: number[] = []
  let place = 0
  for (const { Id } of missing) {
    if (!removed.has(Id)) staying.push(place)
    place++
  }
  const itemAt = (at: number) => missing.at(at) as LiveItem
  const leaving = missing.length - staying.length
  if (!removeMissing) return { removals: [], heldRemovals: [], leaving }
  // The item of a row whose reference was lost would look as if it were missing.
  const nameless = firstNameless(rows)
  if (nameless === undefined) return { removals: made(staying, itemAt), heldRemovals: [], leaving }
  const hold = heldFor('nameless_line', { Line: nameless.line })
  return { removals: [], heldRemovals: made(staying, (at) => ({ item: itemAt(at), hold })), leaving }
}

function firstNameless(rows: CatalogueList): BriefRow | undefined {
  for (let at = 0; at < rows.length; at++) {
    const row = rows.brief(at)
    if (row.references.length === 0) return row
  }
  return undefined
}
