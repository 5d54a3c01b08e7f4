/** The costs in the ledger, as plans and reports look them up. */
import { ItemCosts } from '../pricing/index.js'
import type { Ledger } from './ledger/ledger.js'

/** Whose costs are read. */
export interface CostScope {
  readonly profile: string
  /** null where the profile says nothing of its seller: then nothing is known. */
  readonly userId: number | null
}

/** What holds now of each item: input of a plan. @param at ms since 1970 */
export function costsAt({ costs }: Pick<Ledger, 'costs'>, { profile, userId }: CostScope, at: number): ItemCosts {
  return new ItemCosts(userId === null ? [] : costs.at({ profile, userId }, at))
}

/** All that held at any time, for what was sold earlier: `find(id, references, time of the discount)`. */
export function costHistory({ costs }: Pick<Ledger, 'costs'>, { profile, userId }: CostScope): ItemCosts {
  return new ItemCosts(userId === null ? [] : costs.history({ profile, userId }))
}
