/**
 * Removes shop items from the shop (docs/service.md, Removing shop items): those that were typed after a look at each, those of
 * a file after one look at the live list.
 */

import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import { askedItemColumns, type ItemRecord, itemsView, togetherWords } from '../../format/views/items.js'
import { type ItemPlanRowShown, removalPlanView, shareWords } from '../../format/views/plans.js'
import { requestsView } from '../../format/views/requests.js'
import { type Hold, held } from '../../holds/index.js'
import type { RequestRow } from '../../jobs/index.js'
import { blank, joined, run, say } from '../../messages/index.js'
import { hasReference, type LiveItem, matchRows, stoppedBy } from '../../pricing/index.js'
import { type PriceRow, readIdRows } from '../../rows/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { itemsToChange } from '../items/show.js'
import { confirmOnTerminal, showAsked } from '../jobs/confirm.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { liveItemsFor, SHOP } from '../prices/live.js'
import { followRequests, type WaitFlags } from '../requests/follow.js'
import { attempt } from '../requests/send.js'
import { listResult, type Result } from '../result.js'
import { inputFile, readRows, refusing } from '../rows/input.js'
import { plannedRows, type RowsFlags, runRows } from '../rows/run-rows.js'

interface RemoveFlags extends WaitFlags {
  /** Also items that are not active yet. */
  readonly scheduled: boolean
  readonly yes?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
}

/**
 * Looks at the items, names them and asks on a terminal, and sends one RemoveShopItem for each, recorded first. If the service
 * refuses one, the others are still sent; any other error stops.
 * @returns the requests as recorded in the ledger; exit code 3 if the service refused one
 * @throws {SellerError} validation, naming every item that cannot be removed; guard (6): declined; what the client throws
 */
export async function removeShopItems(ctx: Context, ids: readonly number[], flags: RemoveFlags): Promise<Result> {
  const client = await ctx.client()
  const items = await removable(ctx, client, ids, flags.scheduled)
  if (flags['dry-run'] === true) {
    ctx.output.note('Nothing was sent. These would be removed, one call each:')
    return listResult({ view: itemsView, rows: () => items })
  }
  await showAsked(ctx, items, { columns: askedItemColumns, yes: flags.yes })
  const [first, ...others] = items
  const what = others.length === 0 ? `item ${first?.Id} "${first?.ShortDescription ?? ''}"` : countOf(items.length, 'item')
  const question = `${togetherWords(items, ctx.output.unit)}Remove ${what} from the shop? It cannot be undone.`
  await confirmOnTerminal(ctx, question, flags)
  const requests: RequestRow[] = []
  let refusalCode: ExitCode = EXIT.ok
  for (const { Id, ShortDescription } of items) {
    ctx.ifInterrupted({ sent: `${requests.length} of ${items.length} were sent.`, next: run('requests:list') })
    const subject = `${Id} ${ShortDescription ?? ''}`.trim()
    const { row, error } = await attempt(ctx, { name: 'RemoveShopItem', params: { shopItemId: Id }, subject })
    requests.push(row)
    if (error === undefined) continue
    const failure = toSellerError(error)
    if (failure.category !== 'validation') throw error
    ctx.output.warn(`Shop item ${Id}: ${failure.message}`)
    refusalCode = worseExitCode(refusalCode, failure.exitCode)
  }
  const { rows, code } = await followRequests(ctx, client, requests, flags)
  return listResult({ view: requestsView, rows: () => rows }, worseExitCode(refusalCode, code))
}

/**
 * Refuses all of them if one does not exist, is not a shop item, or is not active yet; with `scheduled`, the last case is only a
 * warning.
 */
async function removable(ctx: Context, client: SoapClient, ids: readonly number[], scheduled: boolean): Promise<ItemRecord[]> {
  let future = false
  const { items, faults } = await itemsToChange(client, ids, ({ Id, ItemType, StartDate }) => {
    if (ItemType !== 'ShopItem') return `Item ${Id} is not a shop item; its type is ${ItemType}.`
    if (!(instantOf(StartDate) > ctx.clock.now())) return undefined
    const message = `Shop item ${Id} is not active yet (ActivateDate ${StartDate}). The service says not to remove such an item.`
    if (scheduled) ctx.output.warn(message)
    future ||= !scheduled
    return scheduled ? undefined : message
  })
  if (faults.length === 0) return items
  throw new SellerError(
    future ? 'not_active_yet' : 'cannot_be_removed',
    joined(faults, '\n'),
    future
      ? say`Nothing was sent. Set its quantity to 0 instead, which hides it (${run('shop:stock', { stock: blank('ID=0') })}), wait until it is active, or remove it anyway: --with scheduled.`
      : say`Nothing was sent. See your shop items with: ${run('items:list', { '--type': 'shop' })}`,
  )
}

interface RemovalFlags extends RowsFlags, GuardFlags {
  readonly file: string
  readonly sheet?: string | undefined
  /** Also send rows whose item is not listed: it may not have appeared yet. */
  readonly scheduled?: boolean | undefined
}

/**
 * Finds the items of a file in the live list, and shows or removes them. An item that is not in the list is held: it does not
 * exist, or has not appeared yet, and the service says not to remove such an item (docs/service.md, Removing shop items).
 * @returns as runRows
 * @throws {SellerError} validation for the file, or an own reference that several items have; what runRows throws
 */
export function removeFromFile(ctx: Context, flags: RemovalFlags): Promise<Result> {
  const input = inputFile(flags.file, flags)
  const plan = async () => {
    const rows = await readRows(ctx, input, readIdRows)
    const titles = new Map<number, string | null>()
    let items = 0
    const { items: live, calls } = await liveItemsFor(ctx, await ctx.client(), SHOP, rows)
    const each = () => {
      items++
    }
    const others = new Set<number>()
    const keepTitle = (at: number, { Id, ShortDescription, OwnReferences }: LiveItem) => {
      titles.set(at, ShortDescription ?? null)
      const { id, reference } = rows.at(at)
      // The id of another system may be that of an item here.
      if (id === Id && reference !== undefined && !hasReference({ OwnReferences }, reference)) others.add(at)
      else others.delete(at)
    }
    await refusing(input.origin, () => matchRows(rows, live, { each, found: keepTitle }))
    const isWanted = ({ id }: PriceRow, at: number) => !others.has(at) && (titles.has(at) || (flags.scheduled === true && id > 0))
    const all = [...rows]
    const stop = stoppedBy('removals', readGuards(flags, ctx.profile.settings), { rows: all.filter(isWanted).length, items })
    const plannedRemovals = all.map((row, at) => {
      const hold = isWanted(row, at) ? null : others.has(at) ? held('other_reference') : whyNotRemoved(row)
      const { line: Line, id, reference, extra = [] } = row
      const of = {
        Line,
        Id: id > 0 && !others.has(at) ? id : null,
        OwnReference: reference ?? null,
        Title: titles.get(at) ?? null,
      }
      return { shown: { ...of, State: hold === null ? 'change' : 'held' }, hold, sent: { extra } }
    })
    const { shownRows, ...judged } = plannedRows<ItemPlanRowShown>(ctx, 'remove', plannedRemovals, stop)
    return {
      ...judged,
      ...{ title: `shop:remove ${input.words}`, form: rows.form, calls },
      ...{ verb: 'Remove', noun: 'shop item', toDo: 'to remove' },
      shown: {
        view: removalPlanView,
        rows: () => shownRows,
        facts: () => [`That is ${shareWords(judged.summary.Change, items)}.`],
      },
    }
  }
  return runRows<ItemPlanRowShown>(ctx, { flags, input, plan })
}

function whyNotRemoved({ id, reference = '' }: PriceRow): Hold {
  return held('not_active', { Id: id || null, OwnReference: id > 0 ? null : reference })
}
