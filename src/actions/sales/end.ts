/** sales:end and sales:drop: a sale that ends before its time, and one that never begins. */

import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import type { SaleRecord } from '../../contract/index.js'
import { dropSale, endSaleNow } from '../../jobs/sales/index.js'
import { confirmRows } from '../jobs/confirm.js'
import { type DueFlags, sendDue } from './due.js'
import { ownSale } from './list.js'

export interface EndFlags extends DueFlags {
  readonly yes?: boolean
}

/**
 * Ends a sale now: its prices are restored as at its end. One that is ending, or has ended with prices that failed, is tried again.
 * @returns the sale as it is then, and the exit code
 * @throws {SellerError} usage for a sale that has not begun or is over; guard (6) without a yes; what sendDue throws
 */
export async function endSale(ctx: Context, saleId: number, flags: EndFlags): Promise<{ record: SaleRecord; code: ExitCode }> {
  const ledger = await ctx.ledger()
  const sale = ownSale(ctx, ledger, saleId)
  const { on, planned, failed } = sale.Counts
  const again = sale.State === 'ended' && failed > 0
  if (sale.State !== 'running' && sale.State !== 'ending' && !again) {
    const hint =
      sale.State === 'planned'
        ? `It has not begun. Give it up with: seller sales:drop ${saleId}${ctx.profileFlag()}`
        : `See what became of it with: seller sales:show ${saleId}${ctx.profileFlag()}`
    throw refusal(sale, `Sale ${saleId} "${sale.Name}" does not run (${sale.State}), so it cannot be ended.`, hint)
  }
  await confirmRows(ctx, {
    rows: on + planned + (again ? failed : 0),
    verb: 'End the sale and restore',
    noun: 'price',
    yes: flags.yes,
    typed: false,
  })
  endSaleNow(ledger, saleId)
  const { code } = await sendDue(ctx, flags, saleId)
  return { record: ledger.sales.show(saleId), code }
}

/**
 * Gives up a sale that has not begun. Nothing of it was ever sent.
 * @throws {SellerError} usage for a sale that has begun
 */
export async function dropPlannedSale(ctx: Context, saleId: number): Promise<SaleRecord> {
  const ledger = await ctx.ledger()
  const sale = ownSale(ctx, ledger, saleId)
  if (dropSale(ledger, saleId)) return ledger.sales.show(saleId)
  const now = ledger.sales.show(saleId)
  const hint =
    now.State === 'running' || now.State === 'ending'
      ? `End it now, which restores its prices, with: seller sales:end ${saleId}${ctx.profileFlag()}`
      : `See what became of it with: seller sales:show ${saleId}${ctx.profileFlag()}`
  throw refusal(
    now,
    `Sale ${saleId} "${sale.Name}" is ${now.State}, so it cannot be dropped: only a sale that has not begun can.`,
    hint,
  )
}

function refusal({ SaleId, State }: SaleRecord, message: string, hint: string): SellerError {
  return new SellerError('sale_state', message, hint, { saleId: SaleId, state: State })
}
