/** The interface of pricing. It is pure: rows and live items come in, a plan goes out; no network, no clock, no disk. */

export {
  changedFields,
  emptyValue,
  type FieldDifference,
  fieldsToCompare,
  isSameField,
  isShownField,
  isTextField,
  type LiveCatalogueItem,
  liveField,
  plainField,
} from './catalogue/differences.js'
export { type CatalogueMatch, matchCatalogue } from './catalogue/match.js'
export {
  type CatalogueKnowledge,
  type CataloguePlan,
  type CatalogueWishes,
  type MatchedRow,
  planCatalogue,
  type StoppedRow,
  type UnderWay,
} from './catalogue/plan.js'
export { type DifferingRow, planUpdates, type UpdateEntry, type UpdatePlan } from './catalogue/updates.js'
export { type ItemCost, ItemCosts, PlanCosts, type PriceVats } from './costs.js'
export { type DiscountTerms, discountPrice, type ItemDiscount, lowestPrice, priceAt, runsAt } from './discounts.js'
export { DEFAULT_GUARDS, type Guards, NO_GUARDS, stoppedBy } from './guards/index.js'
export {
  AUCTION_FIELDS,
  type Known,
  type KnownAuction,
  KnownAuctionPrices,
  type KnownOfAuctions,
  type KnownPrice,
  KnownPrices,
  type PendingPrice,
} from './known.js'
export { matchRows } from './match.js'
export { auctionJudge, whyUnderWay } from './plan/auction-guards.js'
export {
  type AuctionPlan,
  type AuctionPlanEntry,
  type AuctionPlanOptions,
  type AuctionPricesSent,
  type AuctionRulePlan,
  buildAuctionPlan,
  planAuctionPrices,
  planAuctionRow,
  planAuctionRule,
  unknownAuction,
} from './plan/auctions.js'
export { type PlanHeader, readPlan, type StoredPlan, writePlan } from './plan/file.js'
export { RowPlan } from './plan/plan.js'
export { type PlanOptions, planPrices } from './plan/shop-prices.js'
export { judgeStock } from './plan/stock-guards.js'
export { countRows } from './plan/summary.js'
export {
  type ExpectedValue,
  hasReference,
  planValueRule,
  planValues,
  type ValuePlan,
  type ValuePlanOptions,
  type ValueRule,
} from './plan/values.js'
export { foldTitle, heldAsMistyped, heldAsNear, heldAsSeveral, type NearItem, NearReferences } from './references.js'
export { type Addition, applyRule, type CostRule, lacksUnit, type PriceRule, parseRule, type RuleTexts } from './rules/rule.js'
export { planRule, type RulePlanOptions, type Selection, selector } from './rules/select.js'
export { ruleWords } from './rules/words.js'
export type {
  EditedCell,
  HoldLimit,
  LiveItem,
  LiveItems,
  PlanEntry,
  PlanSummary,
  PlanTerms,
  Stopped,
} from './types.js'
