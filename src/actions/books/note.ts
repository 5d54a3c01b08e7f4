/** orders:note: what the seller knows of an order and the service does not say, for the books. */
import type { Context } from '../../cli/context.js'
import { readDateTime } from '../../cli/values.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { SellerError, ValueError } from '../../errors/index.js'
import { type OrderNoteShown, orderNoteView } from '../../format/views/books.js'
import { keptOrders } from '../orders/kept.js'
import { type Result, recordResult } from '../result.js'

/** The facts of an order as they were typed, by name; `none` takes back what was said. */
export type Facts = Readonly<
  Partial<Record<'vat-number' | 'refund-for' | 'written-off' | 'cancelled' | 'by-hand', string | undefined>>
>

/** @returns all that is noted of the order @throws {SellerError} usage for nothing to note, or a wrong date */
export async function noteOrder(ctx: Context, orderId: number, given: Facts): Promise<Result> {
  const { 'vat-number': vat, 'refund-for': refund, 'written-off': off, cancelled, 'by-hand': byHand } = given
  const storedOrders = await keptOrders(ctx)
  const newFacts = {
    ...(vat === undefined ? {} : { VatNumber: vat === 'none' ? '' : vat.replace(/[\s.-]/g, '').toUpperCase() }),
    ...(refund === undefined ? {} : { RefundFor: refund === 'none' ? '' : refund }),
    ...(off === undefined ? {} : { WrittenOff: readDay(ctx, off, '--set written-off') }),
    ...(cancelled === undefined ? {} : { Cancelled: readDay(ctx, cancelled, '--set cancelled') }),
    ...('by-hand' in given ? { ByHand: byHandAt(ctx, byHand) } : {}),
  }
  if (Object.keys(newFacts).length === 0 && storedOrders.facts().get(orderId) === undefined) {
    throw new SellerError(
      'nothing_to_do',
      `Nothing is noted about order ${orderId}.`,
      'Give --set vat-number=NUMBER, refund-for=ITEM, written-off=DATE, cancelled=DATE or by-hand.',
    )
  }
  const facts =
    Object.keys(newFacts).length === 0 ? (storedOrders.facts().get(orderId) ?? {}) : storedOrders.note(orderId, newFacts)
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

/** A Swedish day, e.g. `2027-02-15`; `none` is an empty text. @throws {ValueError} invalid_date */
function readDay({ clock }: Context, text: string, name: string): string {
  if (text.trim() === 'none') return ''
  return dateTimeOf(instantOf(readDateTime(text, name, { now: clock.now(), direction: 'past' }))).slice(0, 10)
}

/** @throws {ValueError} wrong_usage for a value other than `none` */
function byHandAt({ clock }: Context, text: string | undefined): string {
  if (text === undefined) return dateTimeOf(clock.now())
  if (text.trim() === 'none') return ''
  const hint = 'Give --set by-hand, or --set by-hand=none to take it back.'
  throw new ValueError('wrong_usage', { name: '--set by-hand', value: text, why: 'is not none' }, hint)
}
