/** Events of the books as the ledger keeps them: another version may have written them, or somebody with another program. */
import { SellerError } from '../../errors/index.js'
import { isInt, isNumber, isText, listOf, oneOf, orMissing, type Shape, shaped, shapeFault } from '../../jobs/ledger/stored.js'
import { run, say } from '../../messages/index.js'
import type { BookEvent, BookRow, Sale, SaleGroup } from './types.js'

const ROW: Shape<BookRow> = {
  account: isText,
  role: isText,
  ore: isInt,
  rate: orMissing(isText),
  country: orMissing(isText),
  base: orMissing(isNumber),
}

const GROUP: Shape<SaleGroup> = {
  kind: oneOf(['sweden', 'oss', 'export', 'eu-company', 'exempt', 'margin', 'simplified', 'unregistered']),
  rate: isText,
  country: orMissing(isText),
  goods: isNumber,
  freight: isNumber,
  names: listOf(isText),
  cost: orMissing(isNumber),
}

const SALE: Shape<Sale> = {
  method: oneOf(['invoice', 'advance', 'cash']),
  total: isNumber,
  groups: listOf(shaped(GROUP)),
  rows: listOf(shaped(ROW)),
  eu: isNumber,
}

const EVENT: Shape<BookEvent> = {
  key: isText,
  kind: oneOf(['payment', 'refund', 'reversal', 'write-off', 'fee', 'payout', 'margin']),
  date: isText,
  at: orMissing(isNumber),
  orderId: isInt,
  rows: listOf(shaped(ROW)),
  paid: orMissing(isNumber),
  sale: orMissing(shaped(SALE)),
  reduced: orMissing(listOf(isNumber)),
  of: orMissing(isText),
  margin: orMissing(
    shaped({ period: isText, sales: isNumber, purchases: isNumber, carried: isNumber } satisfies Shape<BookEvent['margin'] & {}>),
  ),
  orders: orMissing(listOf(isInt)),
}

/**
 * Reads an event that a file has.
 * @param body JSON, as the export entered it
 * @throws {SellerError} booked_unreadable
 */
export function readEvent(body: string): BookEvent {
  const event: unknown = JSON.parse(body)
  const fault = shapeFault(event, EVENT)
  if (fault === undefined) return event as BookEvent
  const { key } = (event ?? {}) as Partial<BookEvent>
  throw new SellerError(
    'booked_unreadable',
    `The event ${JSON.stringify(key ?? body.slice(0, 80))} of an earlier export cannot be read: ${fault.words}. Another version of seller wrote it.`,
    say`No file was written. Continue with the version that wrote it, or look at the ledger with: ${run('ledger:check')}`,
    { ...(typeof key === 'string' ? { event: key } : {}), ...(fault.field === undefined ? {} : { field: fault.field }) },
  )
}
