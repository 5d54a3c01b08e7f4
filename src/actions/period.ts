/** A period that ends before it begins. */
import { SellerError } from '../errors/index.js'
import { swedishTime } from '../format/output/index.js'
import { isoOf } from '../system/time.js'

/** @param from ms since 1970, as `to` */
export function emptyPeriod(from: number, to: number, [since, until] = ['--since', '--until'], hint = 'Swap the two dates.') {
  const [begin, end] = [from, to].map((ms) => swedishTime(isoOf(ms)))
  return new SellerError('empty_period', `${since} ${begin} is not before ${until} ${end}: nothing lies between them.`, hint)
}
