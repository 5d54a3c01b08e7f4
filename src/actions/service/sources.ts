/** Reads a description from a file, an address, or the service of the profile. */

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Context } from '../../cli/context.js'
import { type DescriptionAddress, descriptionAddresses, descriptionsUsed } from '../../cli/descriptions/addresses.js'
import { readAddress, readSource, type Source } from '../../cli/descriptions/read.js'
import { notLoggedIn } from '../../cli/profiles.js'
import { ALL_SERVICES } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { blank, run, say } from '../../messages/index.js'
import { descriptionText, MAX_DESCRIPTION_BYTES } from '../../soap/description/index.js'
import { readInputFile } from '../input/file.js'

export interface Wanted {
  readonly urls?: readonly string[] | undefined
  readonly files?: readonly string[] | undefined
}

/**
 * Reads the named descriptions, or else those of all services of the profile.
 * @throws {SellerError} with what to try instead: usage for a file, service or network for an address
 */
export async function openSources(ctx: Context, { urls = [], files = [] }: Wanted): Promise<Source[]> {
  const sources = await readSourceFiles(ctx, files)
  const addresses = urls.flatMap((url) => descriptionAddresses(url, '--url'))
  for (const address of sources.length + addresses.length === 0 ? await ofProfile(ctx) : addresses)
    sources.push(...(await readOffered(ctx, address)))
  for (const { description, from } of sources) if (!description.ours) refuseForeign(description, from)
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

/** The description at an address; none of a service that not every host has, where this one refuses it. */
async function readOffered(ctx: Context, address: DescriptionAddress): Promise<Source[]> {
  try {
    return [await readAddress(ctx, address, profileAddress(ctx))]
  } catch (error) {
    const isRefusal = error instanceof SellerError && error.code === 'no_description'
    if (address.missing === undefined || !isRefusal) throw error
    ctx.output.note(`${address.missing} (${error.message})`)
    return []
  }
}

/** Stored as one of ours, it would decide what is sent to that. */
function refuseForeign({ serviceName, addresses }: Source['description'], from: string): never {
  const where = addresses[0] === undefined ? '' : ` at ${addresses[0].url}`
  throw new SellerError(
    'invalid_description',
    `${from} describes ${serviceName ?? 'a service without a name'}${where}, which is none of the services that this tool calls (${ALL_SERVICES.join(', ')}).`,
    say`See its operations with: ${run('service:operations', { '--file': blank('FILE') })}. If it is one of these under another name, fetch it from its address, BASE/v3/SERVICE.asmx?WSDL.`,
  )
}

/** The addresses of the profile's service. That of the sandbox is known once it runs. */
async function ofProfile(ctx: Context): Promise<DescriptionAddress[]> {
  const { embedded, settings } = ctx.profile
  if (embedded) {
    const client = await ctx.client({ user: false })
    return descriptionsUsed(new URL((await client.describe('GetUserInfo', {})).url).origin)
  }
  if (settings.base_url === undefined) throw notLoggedIn(ctx.profile, ['base_url'])
  return descriptionsUsed(settings.base_url)
}

/** Descriptions in files, of any service. */
export async function readSourceFiles(ctx: Context, files: readonly string[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const path of files) sources.push(await fromFile(ctx, path))
  return sources
}

async function fromFile(ctx: Context, path: string): Promise<Source> {
  const bytes = await readInputFile(ctx, path)
  const name = path === '-' ? 'Stdin' : `The file "${path}"`
  const file = path === '-' ? undefined : await realpath(ctx.path(path))
  const load = async (url: string) => (file === undefined ? undefined : inFolder(dirname(file), url))
  return readSource(
    bytes,
    path === '-' ? 'stdin' : path,
    { at: file && pathToFileURL(file).href, load },
    (error) =>
      new SellerError(
        'invalid_description',
        `${name} ${error.message}.`,
        'Download the page that the service shows at ….asmx?WSDL and give that file, or leave out --file to fetch it.',
      ),
  )
}

/** A file of a description in the folder of the description, also behind a link; undefined for one elsewhere. */
async function inFolder(folder: string, url: string): Promise<string | undefined> {
  if (!url.startsWith('file:')) return undefined
  try {
    const path = await realpath(fileURLToPath(url))
    if (!path.startsWith(folder + sep) || (await stat(path)).size > MAX_DESCRIPTION_BYTES) return undefined
    return descriptionText(await readFile(path))
  } catch {
    return undefined
  }
}

/** The address in the profile, for an error about another one. */
function profileAddress({ profile: { name, embedded, settings } }: Context): string {
  return embedded ? '' : `The base_url of the profile "${name}" is ${settings.base_url ?? 'not set'}.`
}
