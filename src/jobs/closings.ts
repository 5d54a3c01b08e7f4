/**
 * A shop that is closed for a time and opened again: what is to be done now, from how the shop is. Each step may be done again
 * after any break: how the shop was is in the ledger before it is closed, and what is done already is not sent.
 */
import type { ShopOpening } from '../contract/closings.js'
import { MINUTE_MS } from '../system/durations.js'
import { beforeOf, type StoredClosing } from './ledger/closings.js'

/** The next step of a closing. */
export type ClosingStep =
  /** Its time is over, and it was never closed. */
  | { readonly do: 'miss' }
  /** Close the shop, unless it is. `before` is kept first. */
  | { readonly do: 'close'; readonly send: ShopOpening | null; readonly before: ShopOpening }
  /** Open it again; nothing is sent where somebody has. */
  | { readonly do: 'open'; readonly send: ShopOpening | null }
  /** Somebody has changed the message: it stays closed. */
  | { readonly do: 'hold' }

/** @param live how the shop is now @param now ms since 1970 */
export function closingStep(closing: StoredClosing, live: ShopOpening, now: number): ClosingStep {
  const before = beforeOf(closing)
  const isOurs = live.Closed && (closing.message === null || isSameText(live.Message, closing.message))
  if (now < closing.ends_at) {
    // An earlier run may have closed it, before it could say so: then the live shop is not how it was.
    const opening = live.Closed && before !== null ? before : live
    return { do: 'close', send: isOurs ? null : { Closed: true, Message: closing.message ?? live.Message }, before: opening }
  }
  if (before === null) return { do: 'miss' }
  if (!live.Closed) return { do: 'open', send: null }
  if (!isOurs) return { do: 'hold' }
  // A closing without a message of its own has left that of the shop as it was; a ledger that came from a copy does not know it.
  const back = closing.message === null ? { ...before, Message: live.Message } : before
  return { do: 'open', send: back.Closed && isSameText(live.Message, back.Message) ? null : back }
}

/** A service may keep a text without its spaces, or with other line ends. */
function isSameText(one: string | null, other: string | null): boolean {
  const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim()
  return plain(one) === plain(other)
}

/**
 * A failed try is repeated after 1, 2, 4, … minutes, an hour at most.
 * @returns ms since 1970
 * @param tries that have failed before
 */
export function nextTry(now: number, tries: number): number {
  return now + Math.min(60, 2 ** Math.min(tries, 10)) * MINUTE_MS
}
