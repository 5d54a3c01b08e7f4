/**
 * Finds items that exist already: an own reference that is live or nearly so, that was live before, or that this ledger has
 * added; and looks at new items together. The service does not refuse a second one.
 */

import * as Flags from '@oclif/core/flags'
import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { type Hold, held, sentenceOf } from '../../holds/index.js'
import { type Addition, findAdditions, type Ledger, rememberReferences, seenReferences } from '../../jobs/index.js'
import { say } from '../../messages/index.js'
import { MANY_ROWS } from '../../pricing/guards/index.js'
import {
  foldTitle,
  type Guards,
  heldAsNear,
  heldAsSeveral,
  type LiveItem,
  type NearItem,
  NearReferences,
  NO_GUARDS,
  type Stopped,
  stoppedBy,
} from '../../pricing/index.js'
import { shopOf } from '../own.js'
import { liveItems, RUNNING } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'

/** For commands that add items: `...againFlag`. */
export const againFlag = {
  again: Flags.boolean({
    summary: 'Add items also if they look like live ones, or like earlier ones. Skips reading the live list.',
  }),
}

/** The live list may lack an item that was added within this time, ms: the service may answer from a cache. */
export const LIST_LAGS_MS = 60 * 60 * 1000

/** The part of an item that is compared. */
interface Referred {
  /** Id of an auction that is relisted. */
  readonly Id?: number
  readonly OwnReferences?: readonly string[] | null | undefined
  readonly Title?: string | null | undefined
}

export interface Doubles {
  /** Why each item would be a double, in the order of the items; undefined for one that would not. */
  readonly holds: readonly (Hold | undefined)[]
  /** The guard over all new items that is broken. Nothing is sent then. */
  readonly stopped: Stopped | null
  /** Calls made. */
  readonly calls: number
}

/**
 * Compares new items with those that are live or were, and with what the ledger has added. Of items without own references only
 * many are compared, by their titles.
 * @param guards limits over all of them
 * @throws what the client throws
 */
export async function findDoubles(
  ctx: Context,
  items: readonly Referred[],
  { guards, ...absence }: Absence & { readonly guards: Guards },
): Promise<Doubles> {
  const references = new Set(items.flatMap(referencesOf))
  if (references.size === 0 && items.length < MANY_ROWS) return { holds: items.map(() => undefined), stopped: null, calls: 0 }
  const live = new Map<string, number>()
  const near = new NearReferences(references)
  const shop = new LiveShop(items)
  for await (const item of liveItems(ctx, await ctx.client(), { ...RUNNING, absence, references: true })) {
    for (const reference of referencesOf(item)) if (references.has(reference)) live.set(reference, item.Id)
    near.see(item)
    shop.see(item)
  }
  const ledger = await ctx.ledger()
  remember(ctx, ledger, shop.referred)
  const additions = findAdditions(ledger, shopOf(ctx), references)
  const before = seenBefore(ctx, ledger, references)
  const lineByReference = new Map<string, number>()
  const holds = items.map((item, at) => {
    for (const reference of referencesOf(item)) {
      const [addition, earlier] = [additions.get(reference), before.get(reference)]
      const hold =
        whyDouble(ctx, reference, {
          live: live.get(reference),
          // That it was added, and was live, is why it is put up again.
          addition: isSame(item, addition?.itemId) ? undefined : addition,
          twin: lineByReference.get(reference),
        }) ?? whySimilar(reference, near.found.get(reference), isSame(item, earlier?.itemId) ? undefined : earlier?.hold)
      if (hold !== undefined) return hold
    }
    for (const reference of referencesOf(item)) lineByReference.set(reference, at)
    return undefined
  })
  const fresh = items.filter((_, at) => holds[at] === undefined)
  const facts = { rows: fresh.length, items: shop.items, titled: shop.titled(fresh) }
  return { holds, stopped: stoppedBy('additions', guards, facts), calls: 1 }
}

/** Facts kept of the live list while it streams by. */
class LiveShop {
  /** Shop items: auctions come and go by themselves. */
  items = 0
  readonly referred: { Id: number; OwnReferences: readonly string[] }[] = []
  readonly #wantedTitles: ReadonlySet<string>
  readonly #live = new Set<string>()

  constructor(items: readonly Referred[]) {
    this.#wantedTitles = new Set(items.map(({ Title }) => foldTitle(Title ?? '')))
  }

  see({ Id, ItemType, ShortDescription, OwnReferences }: LiveItem): void {
    if (ItemType === 'ShopItem') this.items++
    const title = foldTitle(ShortDescription ?? '')
    if (this.#wantedTitles.has(title)) this.#live.add(title)
    const own = referencesOf({ OwnReferences })
    if (own.length > 0) this.referred.push({ Id, OwnReferences: own })
  }

  /** Number of items with the title of a live one. */
  titled(items: readonly Referred[]): number {
    return items.filter(({ Title }) => this.#live.has(foldTitle(Title ?? ''))).length
  }
}

/** Keeps the own references of a live list, so that none is added again by mistake once its item has left. */
export function remember({ profile }: Context, ledger: Ledger, items: Iterable<Pick<LiveItem, 'Id' | 'OwnReferences'>>): void {
  const { user_id: userId } = profile.settings
  if (userId !== undefined && ledger.state !== 'copy') rememberReferences(ledger, { profile: profile.name, userId }, items)
}

/** True if an auction that is put up again is the item that was found. */
function isSame({ Id }: Referred, itemId: number | null | undefined): boolean {
  return Id !== undefined && Id === itemId
}

/** Own references that were live when a list was last read with them, each with the hold of an item that has it. */
export function seenBefore(
  { profile }: Context,
  ledger: Ledger,
  references: Iterable<string>,
): Map<string, { readonly itemId: number; readonly hold: Hold }> {
  const { user_id: userId } = profile.settings
  if (userId === undefined) return new Map()
  const seenById = seenReferences(ledger, { profile: profile.name, userId }, references)
  return new Map(
    [...seenById].map(([reference, { itemId, at }]) => [
      reference,
      { itemId, hold: held('reference_was_live', { OwnReference: reference, Item: itemId, At: at }) },
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

function whyDouble(ctx: Context, reference: string, { live, addition, twin }: Found): Hold | undefined {
  if (live !== undefined) return held('reference_live', { OwnReference: reference, Item: live })
  if (twin !== undefined) return held('reference_twin', { OwnReference: reference })
  return addition === undefined ? undefined : whyAdded(ctx, reference, addition)
}

/** Why a reference that no live item has may still be one. @param before the hold where it was live before */
function whySimilar(reference: string, near: NearItem | undefined, before: Hold | undefined): Hold | undefined {
  return near === undefined ? (before ?? heldAsSeveral(reference)) : heldAsNear(reference, near)
}

/**
 * Says that this ledger has added an item, or will; undefined if the item is certainly gone.
 * @param lost whether its reply was lost
 */
export function whyAdded(ctx: Pick<Context, 'clock'>, reference: string, addition: Addition, isLost = false): Hold | undefined {
  if (isOver(ctx, addition)) return undefined
  const { jobId: Job, requestId: Request, itemId: Item, state: State, at: At } = addition
  return held('reference_added', { Job, Request, OwnReference: reference, Item, At, State, Lost: isLost })
}

/**
 * True if an item that was added is certainly gone: it is not in the live list, although it has started and had time to appear
 * there.
 */
function isOver(ctx: Pick<Context, 'clock'>, { state, at, starts }: Addition): boolean {
  const now = ctx.clock.now()
  if (state !== 'added' || now - Date.parse(at) < LIST_LAGS_MS) return false
  return starts === null || now - instantOf(starts) > LIST_LAGS_MS
}

/** Why a single item would be a double; null for one that would not. @throws what findDoubles throws */
export async function whyHeld(ctx: Context, item: Referred, absence: Absence): Promise<Hold | null> {
  const { holds } = await findDoubles(ctx, [item], { ...absence, guards: NO_GUARDS })
  return holds[0] ?? null
}

/**
 * Asks about a single item that would be a double. Without a terminal, or if `yes` is false, it is held.
 * @throws {SellerError} guard (6): held, or declined; what findDoubles throws
 */
export async function refuseDouble(
  ctx: Context,
  item: Referred,
  flags: Absence & { readonly again?: boolean | undefined; readonly yes?: boolean | undefined },
): Promise<void> {
  const { again, yes } = flags
  if (again === true) return
  const hold = await whyHeld(ctx, item, flags)
  if (hold === null) return
  const sentence = sentenceOf(hold)
  if (!ctx.prompts.available || yes === true) {
    throw new SellerError('item_held', say`${sentence} The item was not added.`, 'To list it twice on purpose, give --again.')
  }
  await ctx.prompts.confirm({ message: say`${sentence} Add it anyway?`, flag: '--again', given: again })
}
