/** shop:remove --file: removes many shop items, one call each, after one look at the live list. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { faultDetail } from '../../cli/translate.js'
import { type ItemPlanRowShown, removalPlanView } from '../../format/views/index.js'
import { type LiveItem, type LiveItems, NumberedRows, stoppedBy } from '../../pricing/index.js'
import { type PriceRows, readIdRows } from '../../rows/index.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, SHOP } from '../prices/live.js'
import { inShort } from '../prices/plan.js'
import type { Result } from '../result.js'
import { plannedRows } from '../rows/planned.js'
import { rowsOfFile } from '../rows/read.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'

export interface RemovalFlags extends RowsFlags, GuardFlags {
  readonly file: string
  readonly sheet?: string
  /** Also send rows whose item is not listed: it may not have appeared yet. */
  readonly force?: boolean
}

interface Removal extends ItemPlanRowShown {
  readonly OwnReference: string | null
  readonly Extra: readonly unknown[]
}

/**
 * Finds the items of a file in the live list, and shows or removes them.
 * @returns as runRows
 * @throws {SellerError} validation for the file, or an own reference that several items have; what runRows throws
 */
export function removeFromFile(ctx: Context, flags: RemovalFlags): Promise<Result> {
  return runRows(ctx, { flags, input: flags.file, plan: () => removalPlan(ctx, flags) })
}

async function removalPlan(ctx: Context, flags: RemovalFlags): Promise<RowsPlan<ItemPlanRowShown>> {
  const { file } = flags
  const rows = await rowsOfFile(ctx, flags, readIdRows)
  const live = liveItems(ctx, await ctx.client(), SHOP)
  const { planned: found, items } = await planRemovals(rows, live, { file, force: flags.force === true })
  const wanted = found.filter(({ State }) => State === 'change').length
  const Stopped = stoppedBy('removals', guardsOf(flags, ctx.profile.settings), { rows: wanted, items })
  const planned = Stopped === null ? found : found.map((row) => heldBy(row, Stopped.Reason))
  const judged = planned.map(({ Extra: extra, ...shown }) => ({ shown, sent: { extra } }))
  return {
    ...plannedRows('remove', judged, Stopped),
    title: inShort(`shop:remove --file ${file}`),
    form: rows.form,
    calls: 1,
    verb: 'Remove',
    noun: 'shop item',
    toDo: 'to remove',
    shown: {
      view: removalPlanView,
      rows: () => judged.map(({ shown }) => shown),
    },
  }
}

function heldBy(row: Removal, Reason: string): Removal {
  return row.State === 'change' ? { ...row, State: 'held', Reason } : row
}

/**
 * Replaces own references by ids. An item that is not in the list is held: it does not exist, or has not appeared yet, and the
 * service says not to remove such an item (docs/service.md, Removing shop items).
 * @returns the rows, and how many items the shop has
 */
async function planRemovals(
  rows: PriceRows,
  live: LiveItems,
  options: { file: string; force: boolean },
): Promise<{ planned: Removal[]; items: number }> {
  const titles = new Map<number, string | null>()
  const owners = new Map<number, number>()
  const faults: RemovalFault[] = []
  const numbered = new NumberedRows<LiveItem>((id) => (rows.numbered ? rows.find(id) : -1))
  let items = 0
  for await (const item of live) {
    items++
    numbered.see(item)
    for (const reference of new Set(rows.hasReferences ? (item.OwnReferences ?? []) : [])) {
      const at = rows.findReference(reference.trim())
      if (at < 0) continue
      const fault = owned(rows, at, item.Id, owners)
      if (fault !== undefined) faults.push(fault)
    }
    const at = rows.find(item.Id)
    if (at >= 0) titles.set(at, item.ShortDescription ?? null)
  }
  for (const [at, meant] of [...numbered.references((row) => titles.has(row))]) {
    for (const { Id, ShortDescription } of meant) {
      const fault = owned(rows, at, Id, owners)
      if (fault !== undefined) faults.push(fault)
      titles.set(at, ShortDescription ?? null)
    }
  }
  if (faults.length > 0) {
    throw new SellerError(
      'invalid_input',
      [
        `${options.file} cannot be carried out:`,
        ...faults.map(({ line, value, message }) => `line ${line}, OwnReference "${value}": ${message}`),
      ].join('\n'),
      'Nothing was sent. Give the ids of these items.',
      { count: faults.length, faults: faults.map((fault) => faultDetail({ ...fault, field: 'OwnReference' })) },
    )
  }
  const planned = Array.from({ length: rows.length }, (_, at): Removal => {
    const id = rows.id(at)
    const reference = rows.reference(at) ?? null
    const row = {
      Line: rows.line(at),
      Id: id > 0 ? id : null,
      OwnReference: reference,
      Title: titles.get(at) ?? null,
      Extra: rows.extra(at),
    }
    if (titles.has(at) || (options.force && id > 0)) return { ...row, State: 'change', Reason: null }
    const what = id > 0 ? `id ${id}` : `the own reference "${reference ?? ''}"`
    return {
      ...row,
      State: 'held',
      Reason: `no shop item with ${what} is in the shop now; an item that is not active yet must not be removed`,
    }
  })
  return { planned, items }
}

/** What is wrong with the own reference of a row. */
interface RemovalFault {
  readonly line: number
  readonly value: string
  readonly message: string
}

/** Gives a row with an own reference its id. @returns what is wrong with the reference */
function owned(rows: PriceRows, at: number, id: number, owners: Map<number, number>): RemovalFault | undefined {
  const fault = (message: string): RemovalFault => ({ line: rows.line(at), value: rows.reference(at) ?? '', message })
  const owner = owners.get(at)
  if (owner !== undefined) return owner === id ? undefined : fault(`belongs to several items, ${owner} and ${id}`)
  owners.set(at, id)
  const twin = rows.resolve(at, id)
  return twin < 0 ? undefined : fault(`is item ${id}, which line ${rows.line(twin)} names too`)
}
