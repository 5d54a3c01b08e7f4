/** Whether a newer version is there: what the release file says that `npm run package` writes. Nothing is loaded but that file. */
import type { UpdateRecord } from '../contract/update.js'
import { SellerError } from '../errors/index.js'
import { FetchError, type FetchOptions, fetchFile } from '../soap/client/index.js'
import { DAY_MS } from '../system/durations.js'
import { readServiceAddress } from './address.js'
import { notFetched } from './descriptions/read.js'
import { firstIn } from './first-in.js'
import { readProduct } from './manifest.js'
import type { Settings } from './settings.js'

/** A release file has a line for each package. */
const MOST_BYTES = 1e6
/** How long a command waits for the weekly look, ms. */
const PATIENCE_MS = 2000
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

type Fetching = Omit<FetchOptions, 'maxBytes'>

/** The address of the release file: that of the setting, or the one that the package was made with; undefined for none. */
export function releaseAddress({ update_url: set }: Pick<Settings, 'update_url'>, root: string): string | undefined {
  const url: string | undefined = set ?? JSON.parse(readProduct(root, 'package.json')).release
  return url === 'none' ? undefined : url
}

/** @throws {SellerError} where the file cannot be read, or is none of this product */
export async function readUpdate(url: string, version: string, fetching: Fetching): Promise<UpdateRecord> {
  const address = readServiceAddress(url, 'update_url').href
  const { bytes } = await fetchFile('release file', address, { ...fetching, maxBytes: MOST_BYTES }).catch((error: unknown) => {
    throw error instanceof FetchError ? notFetched(error, (about) => noRelease(about.message)) : error
  })
  const { version: newest = '', files } = read(bytes.toString('utf8'))
  if (!VERSION.test(newest)) throw noRelease(`${address} is no release file: it names no version such as 1.2.3.`)
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const own = Array.isArray(files) ? files.filter(({ name }) => new RegExp(`-${system}\\.(?:zip|tar\\.xz)$`).test(name)) : []
  return {
    Version: version,
    Newest: newest,
    Newer: orderOf(newest) > orderOf(version),
    File: own[0]?.name ?? null,
    Sha256: own[0]?.sha256 ?? null,
    ReleaseFile: address,
  }
}

/** Once a week, for a person: notes that a newer version is there. Never throws. */
export async function noteUpdate(
  of: { readonly settings: Settings; readonly root: string; readonly version: string; readonly dataDir: string },
  now: number,
  note: (text: string) => void,
  fetching: Fetching,
): Promise<void> {
  if (of.settings.update_url === 'none') return
  try {
    const url = releaseAddress(of.settings, of.root)
    if (url === undefined || !(await firstIn(String(Math.floor(now / (7 * DAY_MS))), of.dataDir, 'updates', 'week'))) return
    const { Newer, Newest, Version } = await readUpdate(url, of.version, { ...fetching, deadlineMs: PATIENCE_MS })
    if (Newer) note(`Version ${Newest} is there, and this is ${Version}: seller update:check. Never ask: update_url=none.`)
  } catch {
    // It is looked for again in a week.
  }
}

function read(text: string): { version?: string; files?: { name: string; sha256: string }[] } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** A version as a number that orders it. */
function orderOf(version: string): number {
  return (VERSION.exec(version) ?? []).slice(1).reduce((sum, part) => sum * 1e5 + Number(part), 0)
}

function noRelease(message: string): SellerError {
  return new SellerError('no_release', message, 'Name the release file (release.json) with --url, or in the setting update_url.')
}
