/** The interface of pricing. It is pure: rows and live items come in, a plan goes out; no network, no clock, no disk. */

export { type FieldDifference, fieldsToCompare, type LiveCatalogueItem } from './catalogue/differences.js'
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
export { type CostVersion, type ItemCost, ItemCosts, PlanCosts } from './costs.js'
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
export { auctionJudge, type HeldAuction, whyUnderWay } from './plan/auction-guards.js'
export {
  type AuctionPlan,
  type AuctionPlanEntry,
  type AuctionPricesSent,
  auctionPlanOf,
  planAuctionPrices,
  planAuctionRow,
  unknownAuction,
} from './plan/auctions.js'
export { type PlanHeader, readPlan, type StoredPlan, writePlan } from './plan/file.js'
export { RowPlan } from './plan/plan.js'
export { type PlanOptions, planPrices } from './plan/shop-prices.js'
export { judgeStock } from './plan/stock-guards.js'
export { countsOf } from './plan/summary.js'
export {
  type ExpectedValue,
  planValueRule,
  planValues,
  type ValuePlan,
  type ValuePlanOptions,
  type ValueRule,
} from './plan/values.js'
export { foldTitle, type NearItem, NearReferences, nearReason } from './references.js'
export { type Addition, applyRule, type CostRule, lacksUnit, type PriceRule, parseRule, type RuleTexts } from './rules/rule.js'
export { planRule, type RulePlanOptions, type Selection } from './rules/select.js'
export { ruleWords } from './rules/words.js'
export type {
  EditedCell,
  HistogramBar,
  HoldLimit,
  LiveItem,
  LiveItems,
  PlanEntry,
  PlanState,
  PlanSummary,
  PlanTerms,
  Stopped,
} from './types.js'
