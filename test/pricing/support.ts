import type { LiveItem } from '../../src/pricing/index.js'
import { type InputRefused, type PriceRows, readPriceRows } from '../../src/rows/index.js'

/** A shop item of the live list. */
export function shopItem(Id: number, price: number | null, more: Partial<LiveItem> = {}): LiveItem {
  return { Id, ItemType: 'ShopItem', BuyItNowPrice: price, OwnReferences: [], CategoryId: 1, ...more }
}

/** Rows of a price file as plain records. */
export function records(rows: PriceRows): { line: number; id: number; price: number }[] {
  return Array.from(rows, ({ line, id, price }) => ({ line, id, price }))
}

/** Reads text that is cut into pieces of so many bytes. */
export function readCut(text: string, bytes = 1 << 16): Promise<PriceRows> {
  const whole = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < whole.length; at += bytes) pieces.push(whole.subarray(at, at + bytes))
  return readPriceRows(pieces)
}

/** The text of a refusal, one fault per line: "line|field|value|message". */
export async function faultsOf(work: Promise<unknown> | (() => unknown)): Promise<string[]> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    const refused = error as InputRefused
    if (refused.name !== 'InputRefused') throw error
    return refused.faults.map((fault) => `${fault.Line}|${fault.Field ?? ''}|${fault.Value ?? ''}|${fault.Message}`)
  }
  throw new Error('nothing was refused')
}
