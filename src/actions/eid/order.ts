/**
 * Finds the session to use, and whether its order reference is sent: some editions of the service have a field for it, the
 * document's form has none (docs/service.md, Choices between sources).
 */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { type Fields, resolved } from '../../contract/index.js'
import type { EidOwner } from '../../jobs/ledger/index.js'
import { readSaved } from '../service/saved.js'

/** A session to follow or to cancel. */
export interface EidOrder {
  /** undefined if none was named and none was begun here. */
  readonly ref: string | undefined
  /** Parameters of GetEidVerificationProgress and CancelEidVerification. */
  readonly params: { readonly request?: { readonly EidOrderRef: string } }
}

/** No order is named: the service takes the latest of the seller. */
export const UNNAMED: EidOrder = { ref: undefined, params: {} }

export function eidOwner({ profile }: Pick<Context, 'profile'>): EidOwner {
  return { profile: profile.name, userId: profile.settings.user_id }
}

/** A session by its reference, which is sent if the service has a field for it. */
export function orderOf(ref: string, sent: boolean): EidOrder {
  return { ref, params: sent ? { request: { EidOrderRef: ref } } : {} }
}

/** Whether the service accepts an order reference, according to its saved description; undefined if none is saved. */
export async function takesOrderRef(ctx: Context): Promise<boolean | undefined> {
  const saved = await readSaved(ctx, 'RestrictedService')
  return saved === undefined
    ? undefined
    : hasPlace(saved.description.operations.get('GetEidVerificationProgress')?.operation.params)
}

/**
 * The named session, or else the last one that was begun here. A named reference is also sent if no description is saved: a
 * service without a field for it ignores it.
 * @throws {SellerError} order_ref_not_taken if the service has no field for the named reference
 */
export async function namedOrLatest(ctx: Context, named: string | undefined): Promise<EidOrder> {
  const takes = await takesOrderRef(ctx)
  if (named !== undefined) {
    if (takes === false) {
      const message =
        'According to its saved description, the service has no field for an order reference. It answers about your latest session.'
      throw new SellerError('order_ref_not_taken', message, 'Leave out --order-ref.')
    }
    return orderOf(named, true)
  }
  const { eidSessions } = await ctx.ledger()
  const latest = eidSessions.latest(eidOwner(ctx))
  return latest === undefined ? UNNAMED : orderOf(latest.EidOrderRef, takes === true)
}

function hasPlace(params: Fields | undefined): boolean {
  const type = params?.request === undefined ? undefined : resolved(params.request.type)
  return type?.kind === 'struct' && Object.hasOwn(type.fields, 'EidOrderRef')
}
