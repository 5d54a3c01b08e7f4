/**
 * Finds items that exist already: an own reference that is live or nearly so, that was live before, or that this ledger has added; and looks
 * at new items together. The service does not refuse a second one.
 */

import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.js'
import { capital, instantOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { swedishTime } from '../../format/output/index.js'
import { type Addition, findAdditions, type Ledger, rememberReferences, seenReferences } from '../../jobs/index.js'
import { MANY_ROWS } from '../../pricing/guards/index.js'
import {
  foldTitle,
  type Guards,
  type LiveItem,
  type NearItem,
  NearReferences,
  NO_GUARDS,
  nearReason,
  type Stopped,
  stoppedBy,
} from '../../pricing/index.js'
import { shopOf } from '../own.js'
import { guardFlags } from '../prices/guards.js'
import { liveItems, RUNNING } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'

/** For commands that add items: `...againFlag`. */
export const againFlag = {
  ...guardFlags('list'),
  again: Flags.boolean({
    summary: 'Add items also if they look like live ones, or like earlier ones. Skips reading the live list.',
  }),
}

/** The live list may lack an item that was added within this time, ms: the service may answer from a cache. */
export const LIST_LAGS_MS = 60 * 60 * 1000

/** The part of an item that is compared. */
interface Referred {
  /** Of an auction that is put up again. */
  readonly Id?: number
  readonly OwnReferences?: readonly string[] | null
  readonly Title?: string | null
}

export interface Doubles {
  /** Why each item would be a double, in the order of the items; undefined for one that would not. */
  readonly reasons: readonly (string | undefined)[]
  /** The guard over all new items that is broken. Nothing is sent then. */
  readonly stopped: Stopped | null
  /** Calls made. */
  readonly calls: number
}

/**
 * Compares new items with those that are live or were, and with what the ledger has added. Of items without own references only many are compared,
 * by their titles.
 * @param guards limits over all of them
 * @throws what the client throws
 */
export async function findDoubles(
  ctx: Context,
  items: readonly Referred[],
  { guards, ...absence }: Absence & { readonly guards: Guards },
): Promise<Doubles> {
  const wanted = new Set(items.flatMap(referencesOf))
  if (wanted.size === 0 && items.length < MANY_ROWS) return { reasons: items.map(() => undefined), stopped: null, calls: 0 }
  const live = new Map<string, number>()
  const near = new NearReferences(wanted)
  const shop = new LiveShop(items)
  for await (const item of liveItems(ctx, await ctx.client(), { ...RUNNING, absence, references: true })) {
    for (const reference of referencesOf(item)) if (wanted.has(reference)) live.set(reference, item.Id)
    near.see(item)
    shop.see(item)
  }
  const ledger = await ctx.ledger()
  remember(ctx, ledger, shop.referred)
  const added = findAdditions(ledger, shopOf(ctx), wanted)
  const before = seenBefore(ctx, ledger, wanted)
  const seen = new Map<string, number>()
  const reasons = items.map((item, at) => {
    for (const reference of referencesOf(item)) {
      const [addition, earlier] = [added.get(reference), before.get(reference)]
      const reason =
        whyDouble(ctx, reference, {
          live: live.get(reference),
          // That it was added, and was live, is why it is put up again.
          addition: isSame(item, addition?.itemId) ? undefined : addition,
          twin: seen.get(reference),
        }) ?? whySimilar(reference, near.found.get(reference), isSame(item, earlier?.itemId) ? undefined : earlier?.reason)
      if (reason !== undefined) return reason
    }
    for (const reference of referencesOf(item)) seen.set(reference, at)
    return undefined
  })
  const fresh = items.filter((_, at) => reasons[at] === undefined)
  const facts = { rows: fresh.length, items: shop.items, titled: shop.titled(fresh) }
  return { reasons, stopped: stoppedBy('additions', guards, facts), calls: 1 }
}

/** What is kept of the live list while it streams by. */
class LiveShop {
  /** Shop items: auctions come and go by themselves. */
  items = 0
  readonly referred: { Id: number; OwnReferences: readonly string[] }[] = []
  readonly #wanted: ReadonlySet<string>
  readonly #live = new Set<string>()

  constructor(wanted: readonly Referred[]) {
    this.#wanted = new Set(wanted.map(({ Title }) => foldTitle(Title ?? '')))
  }

  see({ Id, ItemType, ShortDescription, OwnReferences }: LiveItem): void {
    if (ItemType === 'ShopItem') this.items++
    const title = foldTitle(ShortDescription ?? '')
    if (this.#wanted.has(title)) this.#live.add(title)
    const own = referencesOf({ OwnReferences })
    if (own.length > 0) this.referred.push({ Id, OwnReferences: own })
  }

  /** How many of the items have the title of a live one. */
  titled(items: readonly Referred[]): number {
    return items.filter(({ Title }) => this.#live.has(foldTitle(Title ?? ''))).length
  }
}

/** Keeps the own references of a live list, so that none is added again by mistake once its item has left. */
export function remember({ profile }: Context, ledger: Ledger, items: Iterable<Pick<LiveItem, 'Id' | 'OwnReferences'>>): void {
  const { user_id: userId } = profile.settings
  if (userId !== undefined && ledger.state !== 'copy') rememberReferences(ledger, { profile: profile.name, userId }, items)
}

/** Whether an auction that is put up again is the item that was found. */
function isSame({ Id }: Referred, itemId: number | null | undefined): boolean {
  return Id !== undefined && Id === itemId
}

/** Own references that were live when a list was last read with them, each with the reason not to add it again. */
export function seenBefore(
  { profile }: Context,
  ledger: Ledger,
  references: Iterable<string>,
): Map<string, { readonly itemId: number; readonly reason: string }> {
  const { user_id: userId } = profile.settings
  if (userId === undefined) return new Map()
  const found = seenReferences(ledger, { profile: profile.name, userId }, references)
  return new Map(
    [...found].map(([reference, { itemId, at }]) => [
      reference,
      {
        itemId,
        reason: `its own reference "${reference}" was live as item ${itemId} until ${swedishTime(at)}; to add it once more, give --again`,
      },
    ]),
  )
}

function referencesOf({ OwnReferences }: Pick<Referred, 'OwnReferences'>): string[] {
  return (OwnReferences ?? []).map((reference) => reference.trim()).filter((reference) => reference !== '')
}

interface Found {
  /** The live item that has the reference. */
  readonly live: number | undefined
  readonly addition: Addition | undefined
  /** An earlier item of the same input that has it. */
  readonly twin: number | undefined
}

function whyDouble(ctx: Context, reference: string, { live, addition, twin }: Found): string | undefined {
  const named = `its own reference "${reference}"`
  if (live !== undefined) return `${named} is live already, as item ${live}`
  if (twin !== undefined) return `an earlier row has ${named} too`
  return addition === undefined ? undefined : whyAdded(ctx, reference, addition)
}

/** Why a reference that no live item has may still be one. @param before the reason where it was live before */
function whySimilar(reference: string, near: NearItem | undefined, before: string | undefined): string | undefined {
  return near === undefined ? before : nearReason(reference, near)
}

/** Says that this ledger has added an item, or will; undefined if the item is certainly gone. */
export function whyAdded(ctx: Pick<Context, 'clock'>, reference: string, addition: Addition): string | undefined {
  if (isOver(ctx, addition)) return undefined
  const named = `its own reference "${reference}"`
  const { jobId, requestId, itemId, state, at } = addition
  const by = jobId !== null ? `job ${jobId}` : requestId !== null ? `request ${requestId}` : 'a call whose outcome is unknown'
  const item = itemId === null ? '' : ` (item ${itemId})`
  if (state === 'unsent') return `${by} has ${named}, and has not sent it yet: seller jobs:resume ${jobId}`
  return `${named} was ${state === 'added' ? 'added' : 'sent'} by ${by}${item} on ${at.slice(0, 10)}`
}

/**
 * Whether an item that was added is certainly gone: it is not in the live list, although it has started and had time to appear
 * there.
 */
function isOver(ctx: Pick<Context, 'clock'>, { state, at, starts }: Addition): boolean {
  const now = ctx.clock.now()
  if (state !== 'added' || now - Date.parse(at) < LIST_LAGS_MS) return false
  return starts === null || now - instantOf(starts) > LIST_LAGS_MS
}

/**
 * Asks about a single item that would be a double. Without a terminal, or if `yes` is false, it is held.
 * @throws {SellerError} guard (6): held, or declined; what findDoubles throws
 */
export async function refuseDouble(
  ctx: Context,
  item: Referred,
  flags: Absence & { readonly again?: boolean; readonly yes?: boolean },
): Promise<void> {
  const { again, yes } = flags
  if (again === true) return
  const [reason] = (await findDoubles(ctx, [item], { ...flags, guards: NO_GUARDS })).reasons
  if (reason === undefined) return
  const said = `${capital(reason)}.`
  if (!ctx.prompts.available || yes === true) {
    throw new SellerError('item_held', `${said} The item was not added.`, 'To list it twice on purpose, give --again.')
  }
  await ctx.prompts.confirm({ message: `${said} Add it anyway?`, flag: '--again', given: again })
}
