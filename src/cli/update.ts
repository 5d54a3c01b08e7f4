/** Looks for a newer version in the release file that `npm run package` writes. Nothing is loaded but that file. */

import type { UpdateRecord } from '../contract/update.js'
import { SellerError } from '../errors/index.js'
import { run, say, type Words } from '../messages/index.js'
import { FetchError, type FetchOptions, fetchFile } from '../soap/client/index.js'
import { DAY_MS } from '../system/durations.js'
import { readServiceAddress } from './address.js'
import { notFetched } from './descriptions/read.js'
import { firstIn } from './first-in.js'
import { readProduct } from './manifest.js'
import type { Settings } from './settings.js'

/** A release file has a line for each package. */
const MOST_BYTES = 1e6
/** Time for which a command waits for the weekly look, ms. */
const PATIENCE_MS = 2000
const VERSION = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/

type Fetching = Omit<FetchOptions, 'maxBytes'>

/** The address of the release file: that of the setting, or the one that the package was made with; undefined for none. */
export function releaseAddress({ update_url: set }: Pick<Settings, 'update_url'>, root: string): string | undefined {
  const url: string | undefined = set ?? JSON.parse(readProduct(root, 'package.json')).release
  return url === 'none' ? undefined : url
}

/** @throws {SellerError} where the file cannot be read, or is none of this product */
export async function readUpdate(url: string, ownVersion: string, fetchOptions: Fetching): Promise<UpdateRecord> {
  const address = readServiceAddress(url, 'update_url').href
  const { bytes } = await fetchFile('release file', address, { ...fetchOptions, maxBytes: MOST_BYTES }).catch(
    (error: unknown) => {
      throw error instanceof FetchError ? notFetched(error, (about) => noRelease(about.message)) : error
    },
  )
  const { version, files } = read(bytes.toString('utf8'))
  const newest = typeof version === 'string' && VERSION.test(version) ? version : undefined
  if (newest === undefined) throw noRelease(`${address} is not a release file: it names no version such as 1.2.3.`)
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const own = (Array.isArray(files) ? files : [])
    .map(readFile)
    .find(({ name = '' }) => name.endsWith(`-${system}.zip`) || name.endsWith(`-${system}.tar.xz`))
  return {
    Version: ownVersion,
    Newest: newest,
    Newer: orderOf(newest) > orderOf(ownVersion),
    File: own?.name ?? null,
    Sha256: own?.sha256 ?? null,
    ReleaseFile: address,
  }
}

/** Once a week, for a person: notes that a newer version is available. Never throws. */
export async function noteUpdate(
  of: { readonly settings: Settings; readonly root: string; readonly version: string; readonly dataDir: string },
  now: number,
  note: (words: Words) => void,
  fetchOptions: Fetching,
): Promise<void> {
  if (of.settings.update_url === 'none') return
  try {
    const url = releaseAddress(of.settings, of.root)
    if (url === undefined || !(await firstIn(String(Math.floor(now / (7 * DAY_MS))), of.dataDir, 'updates', 'week'))) return
    const { Newer, Newest, Version } = await readUpdate(url, of.version, { ...fetchOptions, deadlineMs: PATIENCE_MS })
    if (Newer)
      note(
        say`Version ${Newest} is available (you have ${Version}). See ${run('update:check')}. To stop these notes: update_url=none.`,
      )
  } catch {
    // It is looked for again in a week.
  }
}

/** The file is another machine's: nothing of its shape is known. */
function read(text: string): { readonly version?: unknown; readonly files?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

function readFile(entry: unknown): { readonly name?: string; readonly sha256?: string | undefined } {
  const { name, sha256 } = (entry ?? {}) as Readonly<Record<string, unknown>>
  return typeof name === 'string' ? { name, sha256: typeof sha256 === 'string' ? sha256 : undefined } : {}
}

/** A version as a number that orders it. */
function orderOf(version: string): number {
  return (VERSION.exec(version) ?? []).slice(1).reduce((sum, part) => sum * 1e5 + Number(part), 0)
}

function noRelease(message: string): SellerError {
  return new SellerError('no_release', message, 'Name the release file (release.json) with --url, or in the setting update_url.')
}
