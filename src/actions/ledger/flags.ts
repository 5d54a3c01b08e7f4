/** Flags of the ledger's upkeep. */
import { Flags } from '@oclif/core'
import { SellerError } from '../../cli/errors.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'

/** The longest age, days: a thousand years, so that no sum overflows. */
const MOST_DAYS = 365_000

/**
 * An age, e.g. 400d; the value is in ms. It may be longer than any wait, and is at least a day: the calls of a day count for the
 * quota.
 */
export const ageFlag = Flags.custom<number>({
  helpValue: 'AGE',
  parse: async (text, _context, flag) => {
    const ms = parseDuration(text)
    if (ms !== undefined && ms >= DAY_MS && ms <= MOST_DAYS * DAY_MS) return ms
    throw new SellerError(
      'invalid_duration',
      `--${flag.name}: "${text}" is not an age.`,
      'Give days, at least 1d, e.g. 90d or 400d.',
    )
  },
})
