/**
 * Removes shop items from the shop (docs/service.md, Removing shop items): those that were typed after a look at each, those of
 * a file after one look at the live list.
 */
import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { instantOf } from '../../contract/index.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import {
  countOf,
  type ItemPlanRowShown,
  type ItemRecord,
  itemsView,
  removalPlanView,
  requestsView,
} from '../../format/views/index.js'
import type { RequestRow } from '../../jobs/index.js'
import { matchRows, stoppedBy } from '../../pricing/index.js'
import { type PriceRows, readIdRows } from '../../rows/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { itemsToChange } from '../items/show.js'
import { confirmOnTerminal } from '../jobs/confirm.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, SHOP } from '../prices/live.js'
import { followRequests, type WaitFlags } from '../requests/follow.js'
import { attempt } from '../requests/send.js'
import { listResult, type Result } from '../result.js'
import { inputFile, refusing, rowsOf } from '../rows/input.js'
import { plannedRows, type RowsFlags, runRows } from '../rows/run-rows.js'

interface RemoveFlags extends WaitFlags {
  /** Also items that are not active yet. */
  readonly force: boolean
  readonly yes?: boolean
  readonly 'dry-run'?: boolean
}

/** How many items the question names. */
const NAMED = 5

/**
 * Looks at the items, names them and asks on a terminal, and sends one RemoveShopItem for each, recorded first. If the service refuses one,
 * the others are still sent; any other error stops.
 * @returns the requests as recorded in the ledger; exit code 3 if the service refused one
 * @throws {SellerError} validation, naming every item that cannot be removed; guard (6): declined; what the client throws
 */
export async function removeShopItems(ctx: Context, ids: readonly number[], flags: RemoveFlags): Promise<Result> {
  const client = await ctx.client()
  const items = await removable(ctx, client, ids, flags.force)
  if (flags['dry-run'] === true) {
    ctx.output.note('Nothing was sent. These would be removed, one call each:')
    return listResult({ view: itemsView, rows: () => items })
  }
  const names = items.slice(0, NAMED).map(({ Id, ShortDescription }) => `${Id} "${ShortDescription ?? ''}"`)
  const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : ''
  const question = `Remove ${countOf(items.length, 'item')} from the shop: ${names.join(', ')}${more}?`
  await confirmOnTerminal(ctx, question, flags)
  const sent: RequestRow[] = []
  let refused: ExitCode = EXIT.ok
  for (const { Id, ShortDescription } of items) {
    ctx.ifInterrupted({ sent: `${sent.length} of ${items.length} were sent.`, next: 'seller requests:list' })
    const subject = `${Id} ${ShortDescription ?? ''}`.trim()
    const { row, error } = await attempt(ctx, { name: 'RemoveShopItem', params: { shopItemId: Id }, subject })
    sent.push(row)
    if (error === undefined) continue
    const judged = toSellerError(error)
    if (judged.category !== 'validation') throw error
    ctx.output.warn(`Shop item ${Id}: ${judged.message}`)
    refused = worseExitCode(refused, judged.exitCode)
  }
  const { rows, code } = await followRequests(ctx, client, sent, flags)
  return listResult({ view: requestsView, rows: () => rows }, worseExitCode(refused, code))
}

/** Refuses all of them if one does not exist, is not a shop item, or is not active yet; with `force`, the last case is only a warning. */
async function removable(ctx: Context, client: SoapClient, ids: readonly number[], force: boolean): Promise<ItemRecord[]> {
  let future = false
  const { items, faults } = await itemsToChange(client, ids, ({ Id, ItemType, StartDate }) => {
    if (ItemType !== 'ShopItem') return `Item ${Id} is not a shop item; its type is ${ItemType}.`
    if (!(instantOf(StartDate) > ctx.clock.now())) return undefined
    const message = `Shop item ${Id} is not active yet (ActivateDate ${StartDate}). The service says not to remove such an item.`
    if (force) ctx.output.warn(message)
    future ||= !force
    return force ? undefined : message
  })
  if (faults.length === 0) return items
  throw new SellerError(
    future ? 'not_active_yet' : 'cannot_be_removed',
    faults.join('\n'),
    future
      ? 'Nothing was sent. Set its quantity to 0 instead, which hides it (seller shop:stock ID=0), wait until it is active, or give --force.'
      : 'Nothing was sent. See your shop items with: seller items:list --type shop',
  )
}

interface RemovalFlags extends RowsFlags, GuardFlags {
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
    const rows = await rowsOf(ctx, input, readIdRows)
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
