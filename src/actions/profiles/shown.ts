/** Writes the table of a run over several shops, and what can be done next. */

import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import type { View } from '../../format/output/index.js'
import type { ShopEnd } from '../../format/views/index.js'

export interface ShownShops {
  /** `--profiles`. */
  readonly profiles: string
  readonly view: View<ShopEnd>
}

/** Writes a row for each shop. */
export async function writeShops({ output }: Context, ends: readonly ShopEnd[], { profiles, view }: ShownShops): Promise<void> {
  await output.list(view, ends)
  // The error says what to do.
  if (ends.some(({ State }) => State === 'interrupted' || State === 'not_begun')) return
  const all = `--profiles ${shellWord(profiles)}`
  if (ends.some(({ SaleId }) => SaleId !== null)) {
    output.hint(`seller jobs:due sends the starts and ends. Let the system run it every minute: seller schedule:show cron ${all}`)
  }
  const held = endWith(ends, ['held', 'failed', 'retryable', 'skipped'])
  if (held !== undefined) output.hint(`See the rows of a shop with: seller jobs:show ${held.JobIds[0]} --failed`)
  const unknown = endWith(ends, ['unknown'])
  if (unknown !== undefined) {
    output.hint(`What to check: seller jobs:resume ${unknown.JobIds.at(-1)} --profile ${shellWord(unknown.Profile)}`)
  }
  if (endWith(ends, ['queued', 'unsent', 'sending']) !== undefined) {
    output.hint(`Wait for the outcome with: seller jobs:resume ${all} --wait`)
  }
  const set = endWith(ends.filter(setsPrices), ['ok', 'queued'])
  if (set !== undefined) {
    output.hint(`Restore the old prices of a shop with: seller jobs:undo ${set.JobIds[0]} --profile ${shellWord(set.Profile)}`)
  }
}

/** The first shop with a job that has rows in one of these states. */
function endWith(ends: readonly ShopEnd[], states: readonly string[]): ShopEnd | undefined {
  return ends.find(({ JobIds, Counts }) => JobIds.length > 0 && states.some((state) => (Counts[state] ?? 0) > 0))
}

/** Whether the shop's one result is a run of shop:price. */
function setsPrices({ Result }: ShopEnd): boolean {
  return typeof Result === 'object' && Result !== null && 'Kind' in Result && Result.Kind === 'price'
}
