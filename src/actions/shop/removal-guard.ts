/** The guard for a file of removals: how much of the shop it may remove. */
import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { readSetting } from '../../cli/settings.js'
import { thousands } from '../../format/output/index.js'
import { countOf } from '../../format/views/index.js'
import { MANY_ROWS, percentText } from '../../pricing/guards/index.js'

/** A file that removes more than half of the shop is more often the wrong file, or a reversed filter, than a clearance. */
const DEFAULT_SHARE = 50

/** `...removalGuardFlags`. */
export const removalGuardFlags = {
  'max-removed': Flags.string({
    helpGroup: 'GUARD',
    helpValue: 'PERCENT|off',
    summary: `Send nothing if ${MANY_ROWS} rows or more would remove more than this share of the shop. By default the max_removed of the profile, else ${DEFAULT_SHARE}%.`,
  }),
}

export interface Removals {
  readonly file: string
  /** Rows that would be sent. */
  readonly rows: number
  /** Items in the shop now. */
  readonly items: number
}

/**
 * Refuses a file that would remove too much of the shop.
 * @param typed the flag
 * @throws {SellerError} guard (6); usage for a flag that cannot be read
 */
export function refuseLargeRemoval(ctx: Pick<Context, 'profile'>, typed: string | undefined, removals: Removals): void {
  const refusal = refusalOfLargeRemoval(ctx, typed, removals)
  if (refusal !== undefined) throw refusal
}

/** The same for a plan that is shown: what it would be refused with; undefined if it would be sent. @throws {SellerError} usage */
export function refusalOfLargeRemoval(
  ctx: Pick<Context, 'profile'>,
  typed: string | undefined,
  { file, rows, items }: Removals,
): SellerError | undefined {
  const read = typed === undefined ? undefined : readSetting('max_removed', typed, '--max-removed')
  const limit = read ?? ctx.profile.settings.max_removed ?? DEFAULT_SHARE
  if (typeof limit !== 'number' || rows < MANY_ROWS || rows * 100 <= limit * items) return undefined
  return new SellerError(
    'removals_held',
    `${file === '-' ? 'Stdin' : file} would remove ${thousands(rows)} of ${countOf(items, 'shop item')} (${percentText(rows / items)}), over the limit of ${percentText(limit / 100)}. Nothing was sent.`,
    'See the rows with --dry-run. If all are right, give a larger --max-removed, e.g. 100%, or off.',
    { rows, items, limit },
  )
}
