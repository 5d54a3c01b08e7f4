/** A period that ends before it begins. */
import { minuteOf } from '../contract/index.js'
import { SellerError } from '../errors/index.js'

/** @param from ms since 1970, as `to` */
export function emptyPeriod(
  from: number,
  to: number,
  [since, until] = ['--since', '--until'],
  hint = from === to ? `Give a later ${until}.` : 'Swap the two dates.',
) {
  const [begin, end] = [from, to].map((ms) => minuteOf(ms))
  return new SellerError('empty_period', `The period is empty: ${since} ${begin} is not before ${until} ${end}.`, hint)
}
