/** shop:remove --file: removes many shop items, one call each, after one look at the live list. */

import type { Context } from '../../cli/context.js'
import { type ItemPlanRowShown, removalPlanView } from '../../format/views/index.js'
import { matchRows, stoppedBy } from '../../pricing/index.js'
import { type PriceRows, readIdRows } from '../../rows/index.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, SHOP } from '../prices/live.js'
import { refusing } from '../prices/refusal.js'
import type { Result } from '../result.js'
import { inputFile, rowsOfFile } from '../rows/input.js'
import { plannedRows } from '../rows/planned.js'
import { type RowsFlags, runRows } from '../rows/run-rows.js'

export interface RemovalFlags extends RowsFlags, GuardFlags {
  readonly file: string
  readonly sheet?: string
  /** Also send rows whose item is not listed: it may not have appeared yet. */
  readonly force?: boolean
}

/**
 * Finds the items of a file in the live list, and shows or removes them. An item that is not in the list is held: it does not exist, or has not
 * appeared yet, and the service says not to remove such an item (docs/service.md, Removing shop items).
 * @returns as runRows
 * @throws {SellerError} validation for the file, or an own reference that several items have; what runRows throws
 */
export function removeFromFile(ctx: Context, flags: RemovalFlags): Promise<Result> {
  const input = inputFile(flags.file, flags.sheet)
  const plan = async () => {
    const rows = await rowsOfFile(ctx, flags, readIdRows)
    const titles = new Map<number, string | null>()
    let items = 0
    const live = liveItems(ctx, await ctx.client(), SHOP)
    const each = () => {
      items++
    }
    const found = (at: number, { ShortDescription }: { readonly ShortDescription?: string }) =>
      void titles.set(at, ShortDescription ?? null)
    await refusing(input.origin, () => matchRows(rows, live, { each, found }))
    const wanted = (at: number) => titles.has(at) || (flags.force === true && rows.id(at) > 0)
    const all = Array.from({ length: rows.length }, (_, at) => at)
    const stopped = stoppedBy('removals', guardsOf(flags, ctx.profile.settings), { rows: all.filter(wanted).length, items })
    const planned = all.map((at) => {
      const why = wanted(at) ? (stopped?.Reason ?? null) : whyNotRemoved(rows, at)
      const Id = rows.id(at) > 0 ? rows.id(at) : null
      const of = { Line: rows.line(at), Id, OwnReference: rows.reference(at) ?? null, Title: titles.get(at) ?? null }
      const shown = { ...of, State: why === null ? 'change' : 'held', Reason: why }
      return { shown, sent: { extra: rows.extra(at) } }
    })
    return {
      ...plannedRows('remove', planned, stopped),
      ...{ title: `shop:remove ${input.words}`, form: rows.form, calls: 1 },
      ...{ verb: 'Remove', noun: 'shop item', toDo: 'to remove' },
      shown: { view: removalPlanView, rows: () => planned.map(({ shown }) => shown) },
    }
  }
  return runRows<ItemPlanRowShown>(ctx, { flags, input, plan })
}

function whyNotRemoved(rows: PriceRows, at: number): string {
  const id = rows.id(at)
  const what = id > 0 ? `id ${id}` : `the own reference "${rows.reference(at) ?? ''}"`
  return `no shop item with ${what} is in the shop now; an item that is not active yet must not be removed`
}
