/**
 * Finds out whether a request still accepts images: a committed item is on sale as it is, and adding it again would list it
 * twice.
 */

import type { Context } from '../../cli/context.js'
import { isUncommitted, requestState } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import { type SoapClient, SoapError } from '../../soap/client/index.js'

/**
 * Checks a request before images are sent for it.
 * @param requestId as the seller gave it; it may be the id of an item
 * @param commitOnly no images are sent: committing again changes nothing, and is allowed
 * @throws {SellerError} validation: the request is committed, or it is an item; what the client throws
 */
export async function refuseCommitted(
  ctx: Context,
  client: SoapClient,
  requestId: number,
  { commitOnly }: { readonly commitOnly: boolean },
): Promise<void> {
  const answer = await client.call('GetRequestResults', { requestIds: [requestId] })
  const result = answer.find(({ RequestId }) => RequestId === requestId)
  const { requests } = await ctx.ledger()
  const row = requests.byRequestId(requestId, ctx.profile.name)
  if (result !== undefined) {
    if (commitOnly || isUncommitted(result.ResultCode)) return
    const state = requestState(result.ResultCode)
    throw committed({
      requestId,
      itemId: row?.ItemId ?? null,
      isOver: state === 'failed' || state === 'retryable',
      tried: false,
    })
  }
  // The service says nothing about a queued request, one that was added a moment ago, or the id of an item.
  if (row !== undefined) return
  const item = await client.call('GetItem', { itemId: requestId }).catch((error: unknown) => {
    // A service that refuses unknown item ids means the same as null.
    if (error instanceof SoapError && error.kind === 'fault') return null
    throw error
  })
  if (item !== null) throw isItem(requestId)
}

/**
 * Called after an image or a code was refused: finds out whether the reason is that the request is committed. If the service says
 * nothing about the request, the words of the refusal decide: it may be queued, or not listed yet.
 * @param refusal the service's words
 * @returns the error to report; undefined if the request still accepts images, or if that cannot be found out
 * @throws what the client throws where the command was interrupted
 */
export async function committedSince(
  ctx: Context,
  client: SoapClient,
  requestId: number,
  refusal: string,
): Promise<SellerError | undefined> {
  try {
    const answer = await client.call('GetRequestResults', { requestIds: [requestId] })
    const result = answer.find(({ RequestId }) => RequestId === requestId)
    const isCommitted = result === undefined ? /commit/i.test(refusal) : !isUncommitted(result.ResultCode)
    if (!isCommitted) return undefined
    const { requests } = await ctx.ledger()
    const itemId = requests.byRequestId(requestId, ctx.profile.name)?.ItemId ?? null
    return committed({ requestId, itemId, isOver: false, tried: true })
  } catch (error) {
    if (ctx.signal.aborted) throw error
    return undefined
  }
}

interface Closed {
  readonly requestId: number
  readonly itemId: number | null
  /** It was processed, and failed. */
  readonly isOver: boolean
  /** An image was sent, and refused. */
  readonly tried: boolean
}

function committed({ requestId, itemId, isOver, tried }: Closed): SellerError {
  const item = itemId === null ? 'its item' : `item ${itemId}`
  if (isOver) {
    return new SellerError(
      'request_committed',
      `Request ${requestId} is finished and failed: it takes no more images. Nothing was sent.`,
      say`See why with: ${run('requests:show', { id: requestId })}`,
      { requestId, itemId },
    )
  }
  return new SellerError(
    'request_committed',
    `Request ${requestId} is committed: ${item} is on sale, or will be soon, and takes no more images.${tried ? '' : ' Nothing was sent.'}`,
    say`Do not add it again: that would list it twice. See it with: ${run('requests:show', { id: requestId })}`,
    { requestId, itemId },
  )
}

function isItem(itemId: number): SellerError {
  return new SellerError(
    'request_committed',
    `${itemId} is the id of an item, not of a request: it is on sale and takes no more images. Nothing was sent.`,
    'Images are for items that are not committed yet, by their request id from items:add. Do not add it again: that would list it twice.',
    { itemId },
  )
}
