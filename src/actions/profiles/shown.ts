/** Writes the table of a run over several shops, and what can be done next. */

import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import { type ShopEnd, shopsView } from '../../format/views/index.js'

export interface ShownShops {
  /** `--profiles`. */
  readonly profiles: string
  /** Whether a sale was made for each. */
  readonly sale: boolean
}

/** Writes a row for each shop. */
export async function writeShops({ output }: Context, ends: readonly ShopEnd[], { profiles, sale }: ShownShops): Promise<void> {
  await output.list(shopsView(sale ? 'sale' : 'job'), ends)
  // The error says what to do.
  if (ends.some(({ State }) => State === 'interrupted' || State === 'not_begun')) return
  const all = `--profiles ${shellWord(profiles)}`
  if (ends.some(({ SaleId }) => SaleId !== null)) {
    output.hint(`seller jobs:due sends the starts and ends. Let the system run it every minute: seller schedule:show cron ${all}`)
  }
  const held = jobWith(ends, ['held', 'failed', 'retryable', 'skipped'])
  if (held !== undefined) output.hint(`See the rows of a shop with: seller jobs:show ${held} --failed`)
  if (jobWith(ends, ['queued', 'unsent', 'sending']) !== undefined) {
    output.hint(`Wait for the outcome with: seller jobs:resume ${all} --wait`)
  }
}

/** The first job with rows in one of these states. */
function jobWith(ends: readonly ShopEnd[], states: readonly string[]): number | undefined {
  return ends.find(({ JobIds, Counts }) => JobIds.length > 0 && states.some((state) => (Counts[state] ?? 0) > 0))?.JobIds[0]
}
