/** The door of pricing: pure. Rows come in, live items beside them, a plan goes out; no network, no clock, no disk. */
export { FAULTS_SHOWN, faultText, InputRefused } from './faults.js'
export type {
  Guards,
  HistogramBar,
  HoldLimit,
  InputForm,
  LiveItem,
  LiveItems,
  Outcome,
  PlanEntry,
  PlanSummary,
  PricePlan,
  RowFault,
  Source,
} from './types.js'
// Readers (read/): readPriceRows(source), priceRowsFromArguments(args), readIdRows(source), readAuctionRows(source),
//   readItemRecords(source, operation). Rules (rules/): parseRule, planRule. Plans (plan/): planPrices, planAuctionPrices,
//   writePlan, readPlan, planFromFile. Giving back (write/): writeRefusedRows.
