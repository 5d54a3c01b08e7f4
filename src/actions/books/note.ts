/** orders:note: what the seller knows of an order and the service does not say, for the books. */
import type { Context } from '../../cli/context.js'
import { dateTimeOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { type OrderNoteShown, orderNoteView } from '../../format/views/books.js'
import { keptOrders } from '../orders/kept.js'
import { type Result, recordResult } from '../result.js'

/** Days as `2027-02-15`, empty to take back what was said; other texts as they were given, `none` for that. */
export interface NoteFlags {
  readonly 'vat-number'?: string | undefined
  readonly 'refund-for'?: string | undefined
  readonly 'written-off'?: string | undefined
  readonly cancelled?: string | undefined
  readonly 'by-hand'?: boolean | undefined
}

/** @returns all that is noted of the order @throws {SellerError} usage for nothing to note, or a wrong date */
export async function noteOrder(ctx: Context, orderId: number, flags: NoteFlags): Promise<Result> {
  const { 'vat-number': vat, 'refund-for': refund, 'written-off': off, cancelled, 'by-hand': byHand } = flags
  const kept = await keptOrders(ctx)
  const said = {
    ...(vat === undefined ? {} : { VatNumber: vat === 'none' ? '' : vat.replace(/[\s.-]/g, '').toUpperCase() }),
    ...(refund === undefined ? {} : { RefundFor: refund === 'none' ? '' : refund }),
    ...(off === undefined ? {} : { WrittenOff: off }),
    ...(cancelled === undefined ? {} : { Cancelled: cancelled }),
    ...(byHand === undefined ? {} : { ByHand: byHand ? dateTimeOf(ctx.clock.now()) : '' }),
  }
  if (Object.keys(said).length === 0 && kept.facts().get(orderId) === undefined) {
    throw new SellerError(
      'nothing_to_do',
      `Nothing is noted of order ${orderId}.`,
      'Give --vat-number, --refund-for, --written-off, --cancelled or --by-hand.',
    )
  }
  const facts = Object.keys(said).length === 0 ? (kept.facts().get(orderId) ?? {}) : kept.note(orderId, said)
  const {
    VatNumber = null,
    RefundFor = null,
    WrittenOff = null,
    Cancelled = null,
    ByHand = null,
  } = facts as Partial<Record<string, string>>
  const row: OrderNoteShown = { OrderId: orderId, VatNumber, RefundFor, WrittenOff, Cancelled, ByHand }
  return recordResult(orderNoteView, row)
}
