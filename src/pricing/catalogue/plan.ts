/** Plans what makes a shop like a catalogue, of the live list, the catalogue and what the ledger knows. Prices and stock are planned from it. */

import type { CatalogueRow } from '../../rows/catalogue.js'
import type { LiveItem } from '../types.js'
import { differencesOf, type FieldDifference, type LiveCatalogueItem } from './differences.js'
import type { CatalogueMatch } from './match.js'

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
  /** The whole item of what a row gives, or what is wrong with it. */
  readonly addition: (
    given: CatalogueRow['given'],
  ) => { readonly value: Readonly<Record<string, unknown>> } | { readonly why: string }
}

/** A row for which nothing is sent now. */
export interface StoppedRow {
  readonly row: CatalogueRow
  readonly item: LiveCatalogueItem | null
  readonly reason: string
}

/** A live item and the row about it. */
export interface MatchedRow {
  readonly row: CatalogueRow
  readonly item: LiveCatalogueItem
}

export interface CataloguePlan {
  readonly additions: readonly { readonly row: CatalogueRow; readonly value: Readonly<Record<string, unknown>> }[]
  /** Their prices and numbers in stock are planned with what guards those. */
  readonly matched: readonly MatchedRow[]
  readonly removals: readonly LiveItem[]
  /** Removals that are not sent, because the catalogue does not say for certain that the items are missing. */
  readonly heldRemovals: readonly { readonly item: LiveItem; readonly reason: string }[]
  readonly held: readonly StoppedRow[]
  /** Rows whose item comes or goes already. */
  readonly pending: readonly StoppedRow[]
  /** How many of the missing items are being removed already. */
  readonly leaving: number
  /** What the service cannot change. */
  readonly byHand: readonly (MatchedRow & { readonly differences: readonly FieldDifference[] })[]
  /** Rows of items that are not live and have none in stock, so that there is nothing to add. */
  readonly soldOut: number
}

/** Decides for each row and each missing item. Rows are in the order of the catalogue. */
export function planCatalogue(
  rows: readonly CatalogueRow[],
  match: CatalogueMatch,
  known: CatalogueKnowledge,
  wishes: CatalogueWishes,
): CataloguePlan {
  const additions: CataloguePlan['additions'][number][] = []
  const matched: MatchedRow[] = []
  const held: StoppedRow[] = []
  const pending: StoppedRow[] = []
  const byHand: CataloguePlan['byHand'][number][] = []
  let soldOut = 0
  for (const [at, given] of rows.entries()) {
    const found = match.rows[at]
    if (found === undefined) continue
    const row = found.kind === 'live' && found.byId === true ? withoutReferences(given) : given
    if (found.kind === 'held') held.push({ row, item: null, reason: found.reason })
    else if (found.kind === 'live') {
      const { item } = found
      const leaving = known.removed.get(item.Id)
      if (leaving !== undefined) (leaving.state === 'held' ? held : pending).push({ row, item, reason: leaving.reason })
      else {
        matched.push({ row, item })
        const differences = [...differencesOf(row, item), ...stockByHand(row, item, wishes.canRestock)]
        if (differences.length > 0) byHand.push({ row, item, differences })
      }
    } else if (row.given.AbsoluteQuantity === 0) soldOut++
    else {
      const coming = known.added.get(row.references[0] ?? '')
      if (coming !== undefined) (coming.state === 'held' ? held : pending).push({ row, item: null, reason: coming.reason })
      else {
        const made = wishes.addition(row.given)
        if ('value' in made) additions.push({ row, value: made.value })
        else held.push({ row, item: null, reason: `no live item has its own reference, and it cannot be added: ${made.why}` })
      }
    }
  }
  return { additions, matched, held, pending, byHand, soldOut, ...removalsOf(rows, match, known, wishes) }
}

/** A row whose reference is the id of its item says nothing about own references. */
function withoutReferences(row: CatalogueRow): CatalogueRow {
  const { OwnReferences: _, ...given } = row.given
  return { ...row, references: [], given }
}

function stockByHand({ given }: CatalogueRow, { RemainingQuantity }: LiveItem, canRestock: boolean): FieldDifference[] {
  const wanted = given.AbsoluteQuantity
  if (canRestock || wanted === undefined || wanted === RemainingQuantity) return []
  return [{ field: 'AbsoluteQuantity', live: RemainingQuantity ?? null, wanted }]
}

function removalsOf(
  rows: readonly CatalogueRow[],
  { missing }: CatalogueMatch,
  { removed }: CatalogueKnowledge,
  { removeMissing }: CatalogueWishes,
): Pick<CataloguePlan, 'removals' | 'heldRemovals' | 'leaving'> {
  const stay = missing.filter(({ Id }) => !removed.has(Id))
  const leaving = missing.length - stay.length
  if (!removeMissing) return { removals: [], heldRemovals: [], leaving }
  // The item of a row whose reference was lost would look as if it were missing.
  const nameless = rows.find(({ references }) => references.length === 0)
  if (nameless === undefined) return { removals: stay, heldRemovals: [], leaving }
  const reason = `line ${nameless.line} has no own reference and may be this item, so no item counts as missing`
  return { removals: [], heldRemovals: stay.map((item) => ({ item, reason })), leaving }
}
