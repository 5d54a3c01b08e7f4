/**
 * The interface of the sandbox: the service on this machine. The server and the marketplace are loaded when they are first
 * started.
 */

export type { EidOutcome, QueueCodes, SandboxClock } from './marketplace/types.js'
export type { SandboxForms, SandboxOptions, SandboxServer } from './options.js'
export { SANDBOX_PROFILE } from './profile.js'
export type { FaultInjection } from './server/fault-injection.js'
export { FAULT_FLAGS, type FaultFlag, FaultSettingsError, parseFaults } from './server/fault-injection-texts.js'
export { SandboxBusy, serverOn } from './server/standing.js'

import type { EidOutcome } from './marketplace/types.js'
import type { SandboxOptions, SandboxServer } from './options.js'

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
  const { resetFile } = await import('./server/offline.js')
  await resetFile(path)
}

/** The result of seeding from a CSV text: how many items, and their ids in the order of the rows. */
export interface Seeded {
  readonly items: number
  readonly ids: readonly number[]
}

/**
 * Answers for the phone of an eID session: the named one, or the latest open one. Works on the file, whether or not a server runs
 * on it.
 * @throws {Error} if no such session is open.
 */
export async function completeEid(path: string, outcome: EidOutcome, orderRef?: string): Promise<{ EidOrderRef: string }> {
  const { completeEidInFile } = await import('./server/offline.js')
  return completeEidInFile(path, outcome, orderRef)
}

/** Adds items to a sandbox's file from CSV text. @throws {Error} that names the line that cannot be read. */
export async function seedSandbox(path: string, csv: string): Promise<Seeded> {
  const { seedFile } = await import('./server/offline.js')
  return seedFile(path, csv)
}

/** The commands of `/_sandbox/` in a running server, with the body of each. */
export type ControlAction = 'faults' | 'clock' | 'reset' | 'seed' | 'eid' | 'buy' | 'bid' | 'pay' | 'cancel'

/**
 * Sends one command to a running sandbox and returns its answer.
 * @throws {Error} with the server's own message if it refuses.
 */
export async function controlSandbox(url: string, action: ControlAction, body: object): Promise<unknown> {
  const { sendOrder } = await import('./server/orders.js')
  return sendOrder(url, action, body)
}
