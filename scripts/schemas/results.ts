/**
 * Output of each command with --json, by the types of the records that its views take; a union where it depends on the flags or
 * the input. A command that lists the records of one view names it in `static columns`, and stands here only where it writes
 * others. scripts/schemas.ts makes the schemas of both. The keys stand in those types alone. test/e2e/json-keys.test.ts compares
 * all with real results.
 */
import type { JobRow } from '../../src/actions/jobs/show.js'
import type { ErrorDocument } from '../../src/cli/report.js'
import type { ClosingRecord } from '../../src/contract/closings.js'
import type { CategoryValue, DiscountRecord, Output, ShownJob, UserInfo } from '../../src/contract/index.js'
import type { Look } from '../../src/contract/ledger.js'
import type { HistogramBar } from '../../src/contract/plans.js'
import type { UpdateRecord } from '../../src/contract/update.js'
import type * as v from '../../src/format/views/index.js'
import type { bulkJob } from '../../src/jobs/bulk/index.js'
import type { discountJobs } from '../../src/jobs/discounts/index.js'
import type { showListing } from '../../src/jobs/index.js'
import type { CallRow } from '../../src/jobs/ledger/calls.js'
import type { RequestRow } from '../../src/jobs/ledger/requests.js'
import type { Finding } from '../../src/jobs/upkeep/tables.js'
import type { Next } from '../../src/messages/index.js'
import type { PlanSummary } from '../../src/pricing/types.js'

/** A plan; in forms other than documents only its rows. */
type Plan<Row, Beside = unknown, Summary = v.PlanSummaryShown> = {
  readonly Summary: Summary
  readonly NotRead: readonly v.NotRead[]
} & Beside & { readonly Rows: readonly Row[] }
type PriceSummary = Omit<PlanSummary, 'Stopped'> & Pick<Required<v.PlanSummaryShown>, 'Stopped'>
type PricePlan = Plan<
  v.PlanRowShown,
  { readonly Blind: boolean; readonly Largest: readonly v.PlanRowShown[]; readonly Histogram: readonly HistogramBar[] },
  PriceSummary
>
/** --profiles: a row for each shop, with what the command writes for one. */
type Shops<Result> = readonly (Omit<v.ShopEnd, 'Result' | 'Error'> & {
  readonly Result: Result | null
  readonly Error: ErrorDocument | null
})[]
type Run<Row, Beside = unknown> = Plan<Row, Beside> | v.JobRunRecord
type PriceRun = PricePlan | v.JobRunRecord
type Addition = v.DryRunRecord | RequestRow | Run<v.AdditionPlanRowShown>
type Job = ShownJob & Partial<Pick<ReturnType<typeof bulkJob>, 'Blind'>>
type Sync =
  | Plan<
      v.SyncRowShown,
      { readonly ByHand: readonly v.ByHandShown[]; readonly ImagesNotCompared?: readonly v.ImagesNotCompared[] },
      v.SyncSummaryShown
    >
  | v.SyncRunRecord
type Resumed = v.JobRunRecord | v.SyncRunRecord | v.UploadRecord | RequestRow
type Discount = Plan<
  v.DiscountItemShown,
  { readonly DiscountId: number | null; readonly StartsAt: string; readonly EndsAt: string },
  PriceSummary
>
/** Its rows are made one by one. */
type Report = Omit<v.SalesReport, 'Rows'> & { readonly Rows: readonly v.SalesReportRow[] }

/** A record of any command. */
export interface Success {
  /** The warnings of the run, a text each; absent where there was none. */
  readonly warnings: readonly string[]
  /** The commands that its messages name, to type next; absent where they name none. */
  readonly next: readonly Next[]
}

/** An error of any command. */
export interface Failure {
  readonly error: ErrorDocument
}

export interface Results {
  'account:show': Output<typeof UserInfo>
  'auth:login': v.SettingShown[]
  'auth:logout': { readonly Profile: string; readonly Removed: boolean }
  'auth:status': v.SettingShown[] | v.ProfileShown[]
  'auth:token': v.TokenRecord
  'auth:use': { readonly Profile: string; readonly InUse: boolean }
  call: unknown
  'calls:show': v.CallUsageShown | CallRow[]
  'campaigns:attach': { readonly RequestId: number; readonly CampaignCode: string; readonly Attached: boolean }
  'campaigns:validate': v.CampaignRecord
  commands: (v.CommandEntry | v.CommandRecord)[]
  'discounts:drop': DiscountRecord
  'discounts:end': DiscountRecord
  'discounts:show': DiscountRecord &
    v.DiscountPrices & {
      readonly Jobs: ReturnType<typeof discountJobs>
      readonly Rows: v.DiscountItemShown[]
    }
  'eid:cancel': v.EidRecord
  'eid:status': v.EidRecord
  'eid:verify': v.EidRecord
  'feedback:leave': v.FeedbackRecord | v.FeedbackRecord[]
  'images:upload': v.UploadRecord
  'items:add': Addition
  'items:list': v.ItemRecord[] | v.ScheduledShown[]
  'items:price': v.AuctionPriceRecord | Run<v.AuctionPlanRowShown>
  'items:relist': Run<v.RelistPlanRowShown, Pick<v.JobRunRecord, 'StartsAt' | 'EndsAt'>>
  'items:show': v.ItemRecord | v.ItemRecord[]
  'jobs:drop': Job
  'jobs:due': v.DueRun[] | Shops<v.DueRun[]>
  'jobs:list': Job[]
  'jobs:resume': Resumed | Shops<Resumed[]>
  'jobs:show':
    | (Job & { readonly Rows: readonly JobRow[] })
    | (Job & { readonly Parts: readonly v.SyncPartShown[]; readonly Rows: readonly (JobRow & Pick<Job, 'JobId' | 'Kind'>)[] })
    | ReturnType<typeof showListing>
  'jobs:undo': PriceRun | Plan<v.StockPlanRowShown> | Plan<v.AuctionPlanRowShown>
  'ledger:backup': v.BackupShown
  'ledger:check': Finding[]
  'ledger:prune': v.PruneShown
  'ledger:restore': v.RestoredShown & { readonly Look: readonly Look[] }
  'orders:export': v.ExportRowShown[] | (v.BooksShown & { readonly Held: readonly v.HeldShown[] }) | v.VatReturnShown
  'orders:forget': v.ForgottenShown
  'orders:note': v.OrderNoteShown
  'orders:mark': Run<v.OrderPlanRowShown>
  'orders:slips': v.SlipsShown
  'orders:show': v.OrderRecord | v.OrderRecord[]
  'reference:categories': CategoryValue[]
  'reference:time': v.OfficialTime
  'requests:list': RequestRow[]
  'requests:show': RequestRow
  'requests:wait': RequestRow[]
  'sales:report': Report | Shops<Report>
  'schedule:show': v.ScheduleRecord
  schema: { readonly Command: string; readonly Summary: string }[] | object
  'service:check': v.DifferenceRecord[]
  'service:show': v.OperationShown
  'shop:activate': Run<v.ActivationRowShown>
  'shop:add': Addition
  'shop:costs': v.CostShown[] | v.CostsStoredShown
  'shop:discount': Discount | Shops<Discount>
  'shop:export':
    | v.CatalogueRowShown[]
    | v.GoogleProductShown[]
    | { readonly '@context': string; readonly '@graph': readonly v.SchemaProductShown[] }
  'shop:price': PriceRun | Shops<PriceRun>
  'shop:remove': RequestRow[] | v.ItemRecord[] | Run<v.ItemPlanRowShown>
  'shop:restore': PriceRun
  'shop:settings': v.ShopSettingsShown | ClosingRecord
  'shop:stock': Run<v.StockPlanRowShown>
  'shop:sync': Sync
  'shop:update': Run<v.SyncRowShown> | Sync
  today: v.TodayShown[] | Shops<v.TodayShown[]>
  'transactions:show': v.TransactionRecord | v.TransactionRecord[]
  'update:check': UpdateRecord
}
