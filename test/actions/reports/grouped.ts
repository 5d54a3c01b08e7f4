/** The report of sales that are in a list. */
import { type ReportInput, SalesGroups } from '../../../src/actions/reports/group.js'
import type { SalesReport, SalesReportRow } from '../../../src/format/views/reports.js'
import type { KeptSale, SoldItem } from '../../../src/jobs/ledger/transactions.js'

interface Given extends Omit<ReportInput, 'salesOf' | 'startOf' | 'chargesOf'> {
  readonly sales: readonly KeptSale[]
  readonly items?: ReadonlyMap<number, SoldItem>
}

export function groupSales({
  sales,
  items,
  ...input
}: Given): Omit<SalesReport, 'Fee'> & { readonly Rows: readonly SalesReportRow[] } {
  const sold = sales
    .map((sale) => ({ ...sale, StartedAt: null, CategoryId: null, ...items?.get(sale.ItemId ?? 0), ItemId: sale.ItemId }))
    .sort((one, other) => one.At - other.At || one.Id - other.Id)
  const groups = new SalesGroups({
    ...input,
    startOf: ({ StartedAt }) => StartedAt,
    chargesOf: () => undefined,
    salesOf: (ids) => sold.filter(({ Id }) => ids.includes(Id)),
  })
  for (const sale of sold) groups.add(sale)
  const report = groups.report()
  return { ...report, Rows: [...report.Rows] }
}
