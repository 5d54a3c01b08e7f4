/** Pictures of items for a page, which must not ask for any itself: fetched once, by the command, and written into it. */

import { Buffer } from 'node:buffer'
import { isWebAddress } from '../../cli/browser.js'
import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { FetchError, fetchFile } from '../../soap/client/index.js'
import { detectImageFormat } from '../input/image-format.js'

/** Pictures of one page: more would make a file that no one can send. */
const MOST_PICTURES = 500
const MAX_PICTURE_BYTES = 200_000
const DEADLINE_MS = 15_000
const AT_ONCE = 6

const TYPES = { Png: 'image/png', Jpeg: 'image/jpeg', Gif: 'image/gif' } as const

/**
 * Fetches pictures, those of the first items where there are many. A picture that cannot be had is left out; how many were is
 * said.
 * @returns data addresses by item
 * @throws the signal's reason
 */
export async function fetchPictures(
  ctx: Context,
  links: readonly (readonly [item: number, address: string])[],
): Promise<Map<number, string>> {
  const { output, signal, userAgent, trace } = ctx
  const firstLinks = links.slice(0, MOST_PICTURES)
  const pictures = new Map<number, string>()
  const progress = output.progress({ kind: 'bar', text: 'Fetching pictures', total: firstLinks.length })
  let next = 0
  let doneCount = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < firstLinks.length; at = next++) {
      const [item, address] = firstLinks[at] ?? [0, '']
      const picture = await pictureAt(address, { signal, userAgent, trace })
      if (picture !== undefined) pictures.set(item, picture)
      progress.update({ done: ++doneCount })
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  } finally {
    progress.stop()
  }
  const missing = firstLinks.length - pictures.size
  if (missing > 0)
    output.note(`${countOf(missing, 'picture')} could not be fetched and ${missing === 1 ? 'is' : 'are'} left out.`)
  if (links.length > firstLinks.length)
    output.note(`The page has pictures of the first ${MOST_PICTURES} items of ${links.length}.`)
  return pictures
}

type Asker = Pick<Context, 'signal' | 'userAgent' | 'trace'>

/** undefined for one that is not there, too large, or no picture that browsers draw. */
async function pictureAt(address: string, { signal, userAgent, trace }: Asker): Promise<string | undefined> {
  // The service names the address; only the web is asked.
  if (!isWebAddress(address)) return undefined
  try {
    const options = { signal, userAgent, trace, maxBytes: MAX_PICTURE_BYTES, deadlineMs: DEADLINE_MS }
    const { bytes } = await fetchFile('picture', address, options)
    const format = detectImageFormat(bytes)
    return format === undefined ? undefined : `data:${TYPES[format]};base64,${Buffer.from(bytes).toString('base64')}`
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof FetchError) return undefined
    throw error
  }
}
