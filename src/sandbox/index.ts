/**
 * The interface of the sandbox: the service on this machine. The server and the marketplace are loaded when they are first
 * started.
 */
import { dirname } from 'node:path'
import { makeDirectories } from '../system/directory.js'
import type { Marketplace } from './marketplace/index.js'
import type { EidOutcome } from './marketplace/types.js'
import type { SandboxOptions, SandboxServer } from './options.js'
import { SandboxBusy, serverOn } from './server/standing.js'

export { HOST_KINDS } from '../soap/wire/names.js'
export type { EidOutcome, QueueCodes, SandboxClock } from './marketplace/types.js'
export type { SandboxForms, SandboxOptions, SandboxServer } from './options.js'
export { SANDBOX_PROFILE } from './profile.js'
export type { FaultInjection } from './server/fault-injection.js'
export { FAULT_FLAGS, type FaultFlag, FaultSettingsError, parseFaults } from './server/fault-injection-texts.js'
export { SandboxBusy, serverOn }

/**
 * Starts the service on 127.0.0.1.
 * @throws {Error} if the port is in use or the file is not a sandbox.
 */
export async function startSandbox(options: SandboxOptions): Promise<SandboxServer> {
  const { start } = await import('./server/start.js')
  return start(options)
}

/**
 * Deletes the state of a sandbox and seeds it again.
 * @throws {SandboxBusy} if a standing server has the file
 */
export async function resetSandbox(path: string): Promise<void> {
  const url = serverOn(path)
  if (url !== undefined) throw new SandboxBusy(path, url)
  return withFile(path, (marketplace) => marketplace.control.reset())
}

/**
 * Answers for the phone of an eID session: the named one, or the latest open one. Works on the file, whether or not a server runs
 * on it.
 * @throws {Error} if no such session is open.
 */
export function completeEid(path: string, outcome: EidOutcome, orderRef?: string): Promise<{ EidOrderRef: string }> {
  return withFile(path, (marketplace) => ({ EidOrderRef: marketplace.control.completeEid(orderRef, outcome) }))
}

/**
 * Adds items to a sandbox's file from CSV text, whether or not a server runs on it.
 * @returns how many items, and their ids in the order of the rows
 * @throws {Error} that names the line that cannot be read.
 */
export function seedSandbox(path: string, csv: string): Promise<{ items: number; ids: readonly number[] }> {
  return withFile(path, async (marketplace) => {
    const ids = await marketplace.control.seedCsv(csv)
    return { items: ids.length, ids }
  })
}

async function withFile<T>(path: string, work: (marketplace: Marketplace) => T | Promise<T>): Promise<T> {
  const { openMarketplace } = await import('./marketplace/index.js')
  makeDirectories(dirname(path))
  const marketplace = openMarketplace({ path, clock: { now: Date.now } })
  try {
    return await work(marketplace)
  } finally {
    marketplace.close()
  }
}
