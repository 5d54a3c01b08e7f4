/**
 * Rows that put an ended auction up again, with the images of the old listing. They are sent in steps (in-steps.ts).
 */

import { MAX_IMAGE_BYTES } from '../../contract/index.js'
import { type Hold, held } from '../../holds/index.js'
import { sendable } from '../../images/index.js'
import { FetchError, fetchFile, SoapError } from '../../soap/client/index.js'
import { formatOfImage } from '../listing/images.js'
import type { Batch } from './batch.js'
import { type Client, callsInSteps, type ImageToSend, type SendOptions, sendInSteps } from './in-steps.js'
import { followRestarts } from './restarts.js'
import type { RelistToSend } from './types.js'

/** Calls that a row takes. */
export function callsOfRelist({ Images, Restarts }: Pick<RelistToSend, 'Images' | 'Restarts'>): number {
  return (Restarts ? 1 : 0) + callsInSteps(Images.length)
}

/** When a row is sent at the earliest, ms since 1970; 0 for at once. */
export function startOf({ StartsAt }: Pick<RelistToSend, 'StartsAt'>): number {
  return StartsAt === null ? 0 : Date.parse(StartsAt)
}

/** Sends a row, and puts it into the state that follows. @throws what the client throws; then the row may be sent again */
export async function sendRelist(client: Client, batch: Batch, at: number, options: SendOptions): Promise<void> {
  const row = batch.payload('relist', at)
  await sendInSteps(client, batch, at, {
    request: row.Request,
    save: options.save,
    // Another machine may have put the auction up since the plan was made, a moment ago too.
    refuse: async () => {
      const elsewhere = row.Restarts ? await restartedElsewhere(client, row, batch.itemIds?.[at]) : undefined
      return elsewhere && { state: 'held', why: elsewhere }
    },
    images: async () => {
      const images: ImageToSend[] = []
      for (const url of row.Images) {
        const image = await imageAt(url, options)
        if ('why' in image) return { state: image.again ? 'retryable' : 'failed', why: image.why }
        images.push(image)
      }
      return images
    },
  })
}

type Image = ImageToSend | { readonly why: Hold; readonly again: boolean }

const WEB: readonly string[] = ['http:', 'https:']

/** An image of the old listing. The service names the address; only the web is asked, without credentials. */
async function imageAt(url: string, { signal, pictures }: SendOptions): Promise<Image> {
  if (!URL.canParse(url) || !WEB.includes(new URL(url).protocol)) {
    return { why: held('image', { Url: url, Problem: 'no_web_address', Said: '' }), again: false }
  }
  try {
    const { userAgent, trace } = pictures
    const fetchOptions = { userAgent, trace, signal: signal ?? new AbortController().signal, maxBytes: MAX_IMAGE_BYTES }
    const { bytes } = await fetchFile('picture', url, fetchOptions)
    const format = await formatOfImage(bytes)
    if ('wrong' in format) return { why: held('image', { Url: url, Problem: 'unfit', Said: format.wrong }), again: false }
    const image = await sendable(bytes, format.format, pictures.keepMetadata ?? false)
    // The service shows it to everybody already.
    const data = 'why' in image ? bytes : image.bytes
    return { name: url, read: async () => data, format: format.format, mega: false }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.fault === 'aborted') throw new SoapError('aborted', 'Interrupted.', { operation: 'AddItem', sent: false })
    return {
      why: held('image', { Url: url, Problem: 'not_fetched', Said: error.message }),
      again: ['unreachable', 'interrupted', 'too-slow'].includes(error.fault),
    }
  }
}

/**
 * Why an auction is not put up again: the service names a listing that followed it.
 * @param own the listing of this row, if any
 */
async function restartedElsewhere(client: Client, { Request }: RelistToSend, own = 0): Promise<Hold | undefined> {
  const chain = await followRestarts(client, Request.RestartedFromItemId)
  const others = chain?.after.filter((id) => id !== own) ?? []
  return others.length === 0 ? undefined : held('restarted', { Items: others })
}
