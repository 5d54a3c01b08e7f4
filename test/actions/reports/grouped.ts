/** The report of sales that are in a list. */
import { type ReportInput, SalesGroups } from '../../../src/actions/reports/group.js'
import type { SalesReport } from '../../../src/format/views/index.js'
import type { KeptSale } from '../../../src/jobs/ledger/transactions.js'

export function groupSales({ sales, ...input }: ReportInput & { readonly sales: readonly KeptSale[] }): SalesReport {
  const groups = new SalesGroups(input)
  for (const sale of sales) groups.add(sale)
  return groups.report()
}
