/** Orders that jobs have marked: entered beside the kept orders, so that none is marked twice. */
import { bulkRows } from './bulk/index.js'
import { readPayload } from './bulk/payloads.js'
import type { Ledger } from './ledger/ledger.js'
import type { KeptOrders } from './ledger/orders.js'

/** Enters what jobs have marked since this was last done. Doing it again changes nothing, so a process may die anywhere in it. */
export function enterMarks(ledger: Ledger, orders: KeptOrders, profile: string): void {
  const since = orders.markedAt()
  for (const { JobId, FinishedAt } of ledger.jobs.list({ kind: 'order', profile })) {
    if (FinishedAt !== null && Date.parse(FinishedAt) < since) continue
    const rows = [...bulkRows(ledger, JobId, ['ok'])]
    for (const [mark, sent] of [
      ['paid', 'Paid'],
      ['sent', 'Sent'],
    ] as const) {
      const ids = rows.flatMap((row) => (row.Id !== null && readPayload('order', row.Payload, row)[sent] ? [row.Id] : []))
      if (ids.length > 0) orders.mark(ids, mark)
    }
  }
}
