/** The price guards: flag before profile before what holds unless told. */

import { usageError } from '../../cli/errors.js'
import type { Settings } from '../../cli/settings.js'
import { DEFAULT_GUARDS, type Guards, readShare } from '../../pricing/index.js'

/** Values of the guard flags as typed; undefined where not given. */
export interface GuardFlags {
  readonly 'max-change'?: string
  readonly 'factor-ten'?: boolean
  /** Kronor. */
  readonly 'min-price'?: number
  readonly 'max-same'?: string
}

/** @throws {SellerError} usage for a share that is none */
export function guardsOf(flags: GuardFlags, settings: Readonly<Settings>): Guards {
  const { max_change: change, factor_ten: ten, min_price: least, max_same: same } = settings
  return {
    maxChange: given(share(flags['max-change'], '--max-change'), portion(change), DEFAULT_GUARDS.maxChange),
    factorTen: flags['factor-ten'] ?? (ten === undefined ? DEFAULT_GUARDS.factorTen : ten === 'on'),
    minPrice: flags['min-price'] ?? least ?? DEFAULT_GUARDS.minPrice,
    maxSame: given(share(flags['max-same'], '--max-same'), portion(same), DEFAULT_GUARDS.maxSame),
  }
}

/** The first that is given; null is given too, and means no limit. */
function given(flag: number | null | undefined, profile: number | undefined, otherwise: number | null): number | null {
  return flag === undefined ? (profile ?? otherwise) : flag
}

function portion(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100
}

function share(text: string | undefined, flag: string): number | null | undefined {
  if (text === undefined) return undefined
  try {
    return readShare(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw usageError('invalid_percent', `${flag}: ${error.message}.`, 'Give the largest share that may pass, e.g. 80%.')
  }
}
