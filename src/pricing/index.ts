/** The interface of pricing. It is pure: rows and live items come in, a plan goes out; no network, no clock, no disk. */

export { type AuctionRow, type AuctionRows, readAuctionRows } from '../rows/auctions.js'
export { readText } from '../rows/bytes.js'
export { type Catalogue, type CatalogueRow, readCatalogue } from '../rows/catalogue.js'
export { type CostInputs, costRowsFromArguments, readCostRows } from '../rows/costs.js'
export { FAULTS_SHOWN, faultLines, faultText, InputRefused } from '../rows/faults.js'
export { readId, readPrice } from '../rows/number.js'
export { IdIndex, IntColumn } from '../rows/packed.js'
export { type PriceRow, PriceRows } from '../rows/price-rows.js'
export { priceRowsFromArguments, readIdRows, readPriceRows } from '../rows/prices.js'
export {
  type ItemRecord,
  type ItemRecords,
  messageOf,
  type RecordOperation,
  readItemRecords,
  recordFaults,
} from '../rows/records.js'
export { type RefusedRow, refusedValues, writeRefusedRows } from '../rows/refused.js'
export { isArchive } from '../rows/start.js'
export { readStockRows, type StockRow, type StockRows, stockRowsFromArguments } from '../rows/stock.js'
export type { InputForm, RowFault, Source } from '../rows/types.js'
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
export { DEFAULT_GUARDS, type Guards, NO_GUARDS, readShare, stoppedBy } from './guards/index.js'
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
export { auctionJudge, whyUnderWay } from './plan/auction-guards.js'
export {
  type AuctionPlan,
  type AuctionPlanEntry,
  type AuctionPricesSent,
  planAuctionPrices,
  planAuctionRow,
} from './plan/auctions.js'
export { type PlanHeader, readPlan, type StoredPlan, writePlan } from './plan/file.js'
export { RowPlan } from './plan/plan.js'
export { type PlanOptions, planPrices } from './plan/prices.js'
export {
  type ExpectedStock,
  planStock,
  planStockRule,
  type StockPlan,
  type StockPlanEntry,
  type StockRule,
} from './plan/stock.js'
export { foldTitle, type NearItem, NearReferences, nearReason } from './references.js'
export { type Addition, applyRule, type CostRule, lacksUnit, type PriceRule, parseRule, type RuleFlags } from './rules/rule.js'
export { planRule, type RulePlanOptions, type Selection } from './rules/select.js'
export { ruleWords } from './rules/words.js'
export type {
  EditedCell,
  HistogramBar,
  HoldLimit,
  LiveItem,
  LiveItems,
  Outcome,
  PlanEntry,
  PlanSummary,
  PricePlan,
  Stopped,
} from './types.js'
