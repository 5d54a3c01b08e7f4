/** Reads a description that a service shows, and says in a seller's words why it cannot be read. */

import type { ServiceName } from '../../contract/index.js'
import { type ErrorCode, SellerError } from '../../errors/index.js'
import { joined, type Message, run, say } from '../../messages/index.js'
import { FetchError, type FetchOptions, fetchFile } from '../../soap/client/index.js'
import {
  type Description,
  DescriptionError,
  descriptionText,
  gatherParts,
  MAX_DESCRIPTION_BYTES,
  type Parts,
  readDescription,
} from '../../soap/description/index.js'
import { ORIGINS } from '../origins.js'
import { type DescriptionAddress, descriptionsBelow } from './addresses.js'

/** A description that was read, with its text. */
export interface Source {
  readonly description: Description
  readonly text: string
  /** Its whole address, and the other files that belong to it. */
  readonly at?: string | undefined
  readonly parts?: Parts
  /** The address or path that it came from. */
  readonly from: string
}

/** Parts of the context that fetching needs. */
export type Fetching = Pick<FetchOptions, 'signal' | 'userAgent' | 'trace'>

/** A service may keep its description private, or offer only one of the two services. */
const NOT_SHOWN: readonly ErrorCode[] = ['no_description', 'not_a_description']

/**
 * Reads the descriptions that the services of a base address show.
 * @returns them, and why the first of the others is not shown
 * @throws {SellerError} where none can be reached
 */
export async function readShown(
  ctx: Fetching,
  baseUrl: string,
  services?: readonly ServiceName[],
): Promise<{ sources: Source[]; refused: SellerError | undefined }> {
  const sources: Source[] = []
  let firstError: SellerError | undefined
  for (const address of descriptionsBelow(baseUrl, services)) {
    try {
      sources.push(await readAddress(ctx, address))
    } catch (error) {
      if (!(error instanceof SellerError) || !NOT_SHOWN.includes(error.code)) throw error
      firstError ??= error
    }
  }
  return { sources, refused: firstError }
}

/**
 * Reads the description at an address.
 * @param about another sentence for the error
 * @throws {SellerError} with what to try instead
 */
export async function readAddress(ctx: Fetching, { url, service }: DescriptionAddress, about = ''): Promise<Source> {
  const file = await fetchDescription(ctx, url).catch((error: unknown) => {
    throw error instanceof FetchError
      ? notFetched(error, ({ message, httpStatus }) => {
          return new SellerError('no_description', message, joined([about, tryBase(url)]), { url, httpStatus })
        })
      : error
  })
  const load = (part: string) => onSameHost(ctx, url, part)
  return readSource(file.bytes, url, { contentType: file.contentType, service, at: url, load }, (error) => {
    const hint = say`A description is at BASE/v3/RestrictedService.asmx?WSDL. ${tryBase(url)}`
    return new SellerError('not_a_description', `${url} ${error.message}.`, hint, { url })
  })
}

function fetchDescription({ signal, userAgent, trace }: Fetching, url: string) {
  return fetchFile('description', url, { signal, userAgent, trace, maxBytes: MAX_DESCRIPTION_BYTES })
}

/** A file of a description that is at the same host; undefined for one elsewhere, or one that cannot be read. */
async function onSameHost(ctx: Fetching, from: string, url: string): Promise<string | undefined> {
  if (new URL(url).origin !== new URL(from).origin) return undefined
  try {
    const { bytes, contentType } = await fetchDescription(ctx, url)
    return descriptionText(bytes, contentType)
  } catch (error) {
    if (error instanceof DescriptionError || (error instanceof FetchError && error.fault !== 'aborted')) return undefined
    throw error
  }
}

export interface SourceOptions {
  readonly contentType?: string | undefined
  readonly service?: ServiceName | undefined
  /** Its whole address, from which it names its other files. */
  readonly at?: string | undefined
  /** Reads one of them; undefined for one that is not to be had. */
  readonly load: (url: string) => Promise<string | undefined>
}

/**
 * Reads a description with the files that it names.
 * @throws what `refuse` makes of text that is no description
 */
export async function readSource(
  bytes: Buffer,
  from: string,
  { contentType, service, at, load }: SourceOptions,
  refuse: (error: DescriptionError) => SellerError,
): Promise<Source> {
  try {
    if (/^\s*text\/html/i.test(contentType ?? '')) throw new DescriptionError('web-page', 'is a web page')
    const text = descriptionText(bytes, contentType)
    const parts = await gatherParts(text, at, load)
    const several = parts.size === 0 ? {} : { at, parts }
    return { description: readDescription(text, { contentType, service, ...several }), text, from, ...several }
  } catch (error) {
    throw error instanceof DescriptionError ? refuse(error) : error
  }
}

/** Why a file was not fetched, in a seller's words. @param refused what to say where the host answers with something else */
export function notFetched(error: FetchError, toError: (error: FetchError) => SellerError): SellerError {
  const { fault, message, origin } = error
  if (fault === 'aborted') return new SellerError('interrupted', 'Interrupted.', 'Nothing was saved.')
  const network = 'Check the address and the network. If you need a proxy, set HTTPS_PROXY.'
  if (origin !== undefined) {
    const [code, hint] = ORIGINS[origin]
    return new SellerError(code, message, hint, { sent: false })
  }
  if (fault === 'unreachable') return new SellerError('unreachable', message, network, { sent: false })
  if (fault === 'interrupted' || fault === 'too-slow') return new SellerError('connection_lost', message, network, { sent: true })
  return toError(error)
}

/** The base address is the part before /v3. */
function tryBase(url: string): Message {
  const { origin, pathname } = new URL(url)
  const base = pathname.replace(/(?:\/v3)*(?:\/[^/]*\.asmx.*)?\/?$/i, '')
  return say`Try the base address, without /v3 and what follows: ${run('service:check', { '--url': `${origin}${base}` })}`
}
