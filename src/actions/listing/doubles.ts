/**
 * Finds items that exist already: an own reference that is live, or that this ledger has added. The service does not refuse a
 * second one.
 */
import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { instantOf } from '../../contract/index.js'
import { type Addition, findAdditions } from '../../jobs/index.js'
import { liveItems, RUNNING } from '../prices/live.js'
import { type Absence, shrinkFlags } from '../prices/seen.js'

/** For commands that add items: `...againFlag`. */
export const againFlag = {
  ...shrinkFlags,
  again: Flags.boolean({
    summary: 'Add items also if their own reference is live, or was added before. Skips reading the live list.',
  }),
}

/** The live list may lack an item that was added within this time, ms: the service may answer from a cache. */
export const LIST_LAGS_MS = 60 * 60 * 1000

/** The part of an item that is compared. */
type Referred = { readonly OwnReferences?: readonly string[] | null }

/**
 * Says why each of some items would be a double; undefined for one that would not. Items without own references are not compared,
 * and if none has one, the live list is not read.
 * @returns the reasons in the order of the items, and the number of calls made
 * @throws what the client throws
 */
export async function findDoubles(
  ctx: Context,
  items: readonly Referred[],
  absence: Absence = {},
): Promise<{ reasons: (string | undefined)[]; calls: number }> {
  const wanted = new Set(items.flatMap(referencesOf))
  if (wanted.size === 0) return { reasons: items.map(() => undefined), calls: 0 }
  const live = new Map<string, number>()
  for await (const { Id, OwnReferences } of liveItems(ctx, await ctx.client(), { ...RUNNING, absence, references: true })) {
    for (const reference of referencesOf({ OwnReferences })) if (wanted.has(reference)) live.set(reference, Id)
  }
  const { name: profile, settings } = ctx.profile
  const added = findAdditions(await ctx.ledger(), { profile, userId: settings.user_id ?? null, references: wanted })
  const seen = new Map<string, number>()
  const reasons = items.map((item, at) => {
    for (const reference of referencesOf(item)) {
      const reason = whyDouble(ctx, reference, {
        live: live.get(reference),
        addition: added.get(reference),
        twin: seen.get(reference),
      })
      if (reason !== undefined) return reason
    }
    for (const reference of referencesOf(item)) seen.set(reference, at)
    return undefined
  })
  return { reasons, calls: 1 }
}

function referencesOf({ OwnReferences }: Referred): string[] {
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
  const [reason] = (await findDoubles(ctx, [item], flags)).reasons
  if (reason === undefined) return
  const said = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
  if (!ctx.prompts.available || yes === true) {
    throw new SellerError('item_held', `${said} The item was not added.`, 'To list it twice on purpose, give --again.')
  }
  await ctx.prompts.confirm({ message: `${said} Add it anyway?`, flag: '--again', given: again })
}
