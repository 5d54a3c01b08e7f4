/** Writes the table of a run over several shops, and what can be done next. */

import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import type { View } from '../../format/output/index.js'
import type { ShopEnd } from '../../format/views/index.js'
import type { Shop } from './shop.js'

export interface ShownShops {
  /** `--profiles`. */
  readonly profiles: string
  readonly view: View<ShopEnd>
  readonly shops: readonly Shop[]
  /** Whether they were resumed, among them perhaps those of discounts, which jobs:undo does not take back. */
  readonly resumed: boolean
}

/** Writes a row for each shop. */
export async function writeShops(
  { output }: Context,
  ends: readonly ShopEnd[],
  { profiles, view, shops, resumed }: ShownShops,
): Promise<void> {
  await output.list(view, ends)
  // The error says what to do.
  if (ends.some(({ State }) => State === 'interrupted' || State === 'not_begun')) return
  const all = `--profiles ${shellWord(profiles)}`
  if (ends.some(({ DiscountId }) => DiscountId !== null)) {
    output.hint(`seller jobs:due sends the starts and ends. Let the system run it every minute: seller schedule:show cron ${all}`)
  }
  const held = jobWith(shops, ['held', 'failed', 'retryable', 'skipped'])
  if (held !== undefined) output.hint(`See the rows of a shop with: seller jobs:show ${held.id} --failed`)
  const unknown = jobWith(shops, ['unknown'])
  if (unknown !== undefined) output.hint(`What to check: seller jobs:resume ${unknown.id}${unknown.flag}`)
  if (jobWith(shops, ['queued', 'unsent', 'sending']) !== undefined) {
    output.hint(`Wait for the outcome with: seller jobs:resume ${all} --wait`)
  }
  const set = resumed ? undefined : jobWith(shops, ['ok', 'queued'], 'price')
  if (set !== undefined) output.hint(`Restore the old prices of a shop with: seller jobs:undo ${set.id}${set.flag}`)
}

/** The first job that has rows in one of these states, and the flag for its shop. */
function jobWith(shops: readonly Shop[], states: readonly string[], kind?: string): { id: number; flag: string } | undefined {
  for (const { profile, finished } of shops) {
    const found = finished?.result.jobs?.find(
      ({ Kind, Counts }) => (kind === undefined || Kind === kind) && states.some((state) => (Counts?.[state] ?? 0) > 0),
    )
    if (typeof found?.JobId === 'number') return { id: found.JobId, flag: ` --profile ${shellWord(profile)}` }
  }
  return undefined
}
