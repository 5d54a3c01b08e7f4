/** The one question of a run over several shops, with the plans of all of them. */

import type { Context } from '../../cli/context.js'
import { countOf, type ShopEnd, shopCounts, shopPlansView } from '../../format/views/index.js'
import { PLAIN_ROWS, SHOWN_ROWS } from '../jobs/confirm.js'
import type { Shop } from './shop.js'

/** Rows shown of each shop, however many shops there are. */
const LEAST_ROWS = 3

/**
 * Shows what each shop is about to send and asks for a yes, unless it is given or there is nothing to send.
 * @param plans a row for each shop, those included that have ended already
 * @throws {SellerError} guard (6) without a yes
 */
export async function askOnce(
  { output, prompts }: Context,
  plans: readonly ShopEnd[],
  shops: readonly Shop[],
  yes: boolean | undefined,
): Promise<void> {
  const sending = shops.flatMap(({ planned, finished }) => (finished === undefined && planned?.rows ? [planned] : []))
  const [first] = sending
  if (first === undefined || yes === true) return
  const rows = sending.reduce((sum, planned) => sum + planned.rows, 0)
  const lines = (): string =>
    plans.map((plan) => `${plan.Profile}: ${shopCounts(plan.Counts) || (plan.Message ?? 'nothing')}`).join('\n')
  if (!prompts.available) output.note(lines())
  else if (output.human) await output.list(shopPlansView, plans)
  else prompts.show(lines())
  if (prompts.available) {
    const count = Math.max(LEAST_ROWS, Math.floor(SHOWN_ROWS / sending.length))
    for (const { profile, planned } of shops) {
      if (planned?.shown === undefined || !sending.includes(planned)) continue
      prompts.show(`\n${profile}:\n${await planned.shown(output, count)}`)
    }
  }
  await prompts.confirm({
    message: `${first.verb} ${countOf(rows, first.noun)} in ${countOf(sending.length, 'shop')}?`,
    flag: '--yes',
    given: yes,
    typed: rows > PLAIN_ROWS ? String(rows) : undefined,
  })
}
