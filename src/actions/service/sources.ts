/** Reads a description from a file, an address, or the service of the profile. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { notLoggedIn } from '../../cli/profiles.js'
import type { ServiceName } from '../../contract/index.js'
import { FetchError, fetchDescription } from '../../soap/client/index.js'
import {
  type Description,
  DescriptionError,
  descriptionText,
  MAX_DESCRIPTION_BYTES,
  readDescription,
} from '../../soap/description/index.js'
import { readInputFile } from '../input/file.js'
import { type DescriptionAddress, descriptionAddresses, descriptionsBelow } from './addresses.js'

/** A description that was read, with its text. */
export interface Source {
  readonly description: Description
  readonly text: string
  /** The address or path that it came from. */
  readonly from: string
}

export interface Wanted {
  readonly urls?: readonly string[]
  readonly files?: readonly string[]
}

/**
 * Reads the named descriptions, or else those of both services of the profile.
 * @throws {SellerError} with what to try instead: usage for a file, service or network for an address
 */
export async function openSources(ctx: Context, { urls = [], files = [] }: Wanted): Promise<Source[]> {
  const sources: Source[] = []
  for (const path of files) sources.push(await fromFile(ctx, path))
  const named = urls.flatMap((url) => descriptionAddresses(url, '--url'))
  for (const address of sources.length + named.length === 0 ? await ofProfile(ctx) : named)
    sources.push(await readAddress(ctx, address, profileAddress(ctx)))
  const twice = sources.find(
    ({ description }, index) => sources.findIndex((other) => other.description.service === description.service) !== index,
  )
  if (twice !== undefined) {
    throw new SellerError(
      'description_twice',
      `${twice.from} describes ${twice.description.service}, as another one does.`,
      'Give only one description for each service.',
    )
  }
  return sources
}

/** The addresses of the profile's service. That of the sandbox is known once it runs. */
async function ofProfile(ctx: Context): Promise<DescriptionAddress[]> {
  const { embedded, settings } = ctx.profile
  if (embedded) {
    const client = await ctx.client({ user: false })
    return descriptionsBelow(new URL((await client.describe('GetUserInfo', {})).url).origin)
  }
  if (settings.base_url === undefined) throw notLoggedIn(ctx.profile, ['base_url'])
  return descriptionsBelow(settings.base_url)
}

async function fromFile(ctx: Context, path: string): Promise<Source> {
  const bytes = await readInputFile(ctx, path)
  const name = path === '-' ? 'Stdin' : `The file "${path}"`
  return read(
    bytes,
    path === '-' ? 'stdin' : path,
    {},
    (error) =>
      new SellerError(
        'invalid_description',
        `${name} ${error.message}.`,
        'Download the page that the service shows at ….asmx?WSDL and give that file, or leave out --file to fetch it.',
      ),
  )
}

/** The address in the profile, for an error about another one. */
function profileAddress({ profile: { name, embedded, settings } }: Context): string {
  return embedded ? '' : `The base_url of the profile "${name}" is ${settings.base_url ?? 'not set'}.`
}

/**
 * Reads the description at an address.
 * @param about another sentence for the error
 * @throws {SellerError} with what to try instead
 */
export async function readAddress(
  ctx: Pick<Context, 'signal' | 'userAgent' | 'trace'>,
  { url, service }: DescriptionAddress,
  about = '',
): Promise<Source> {
  const { signal, userAgent, trace } = ctx
  const fetched = await fetchDescription(url, { signal, userAgent, trace, maxBytes: MAX_DESCRIPTION_BYTES }).catch(
    (error: unknown) => {
      throw error instanceof FetchError ? notFetched(url, error, about) : error
    },
  )
  return read(fetched.bytes, url, { contentType: fetched.contentType, service }, (error) => {
    const hint = `A description is at BASE/v3/RestrictedService.asmx?WSDL. ${tryBase(url)}`
    return new SellerError('not_a_description', `${url} ${error.message}.`, hint, { url })
  })
}

function read(
  bytes: Buffer,
  from: string,
  options: { readonly contentType?: string; readonly service?: ServiceName },
  refuse: (error: DescriptionError) => SellerError,
): Source {
  try {
    if (/^\s*text\/html/i.test(options.contentType ?? '')) throw new DescriptionError('web-page', 'is a web page')
    const text = descriptionText(bytes, options.contentType)
    return { description: readDescription(text, options), text, from }
  } catch (error) {
    throw error instanceof DescriptionError ? refuse(error) : error
  }
}

function notFetched(url: string, { fault, message, httpStatus }: FetchError, about: string): SellerError {
  if (fault === 'aborted') return new SellerError('interrupted', 'Interrupted.', 'Nothing was saved.')
  const network = 'Check the address and the network. If you need a proxy, set HTTPS_PROXY.'
  if (fault === 'unreachable') return new SellerError('unreachable', message, network, { sent: false })
  if (fault === 'interrupted' || fault === 'too-slow') return new SellerError('connection_lost', message, network, { sent: true })
  return new SellerError('no_description', message, `${about}${about === '' ? '' : ' '}${tryBase(url)}`, { url, httpStatus })
}

/** The base address is the part before /v3. */
function tryBase(url: string): string {
  const { origin, pathname } = new URL(url)
  const base = pathname.replace(/(?:\/v3)*(?:\/[^/]*\.asmx.*)?\/?$/i, '')
  return `Try the base address, without /v3 and what follows: seller service:check --url ${origin}${base}`
}
