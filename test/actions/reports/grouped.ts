/** The report of sales that are in a list. */
import { type ReportInput, SalesGroups } from '../../../src/actions/reports/group.js'
import type { SalesReport, SalesReportRow } from '../../../src/format/views/index.js'
import type { KeptSale } from '../../../src/jobs/ledger/transactions.js'

export function groupSales({ sales, ...input }: ReportInput & { readonly sales: readonly KeptSale[] }): SalesReport & {
  readonly Rows: readonly SalesReportRow[]
} {
  const groups = new SalesGroups(input)
  for (const sale of sales) groups.add(sale)
  const report = groups.report()
  return { ...report, Rows: [...report.Rows] }
}
