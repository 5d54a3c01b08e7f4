/** The sandbox's door: the service on this machine. The server and the marketplace are loaded when they are first started. */

export type { EidOutcome, QueueCodes, SandboxClock } from './marketplace/types.js'
export { SANDBOX_PROFILE } from './profile.js'
export type { Weather } from './server/weather.js'
export { parseWeather, WEATHER_FLAGS, WeatherError, type WeatherFlag } from './server/weather-texts.js'

import type { EidOutcome, SandboxClock } from './marketplace/types.js'
import type { Weather } from './server/weather.js'

export interface SandboxServer {
  /** `http://127.0.0.1:PORT`, with no slash at its end: a profile's base URL. */
  readonly url: string
  readonly port: number
  readonly namespace: string
  /** Stops listening, ends every connection and closes the store. May be called twice. */
  close(): Promise<void>
}

export interface SandboxOptions {
  /** SQLite file; made and seeded when it is not there. */
  readonly path: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  readonly clock?: SandboxClock
  readonly weather?: Partial<Weather>
  /** The namespace to answer in; SANDBOX_PROFILE's unless told, so that a client made for another needs no change. */
  readonly namespace?: string
  /** Called with one line for each call, without credentials. */
  readonly log?: (line: string) => void
}

/**
 * Starts the service on 127.0.0.1.
 * @throws {Error} when the port is taken or the file is no sandbox.
 */
export async function startSandbox(options: SandboxOptions): Promise<SandboxServer> {
  const { start } = await import('./server/start.js')
  return start(options)
}

/** Throws a sandbox's state away and seeds it anew; a server that runs on the file goes on with the new state. */
export async function resetSandbox(path: string): Promise<void> {
  const { resetFile } = await import('./server/offline.js')
  await resetFile(path)
}

/** What a CSV text seeded: how many items, and their ids in the order of its rows. */
export interface Seeded {
  readonly items: number
  readonly ids: readonly number[]
}

/**
 * Answers for the phone of an eID session: the one named, or the latest that is open. Works on the file, whether or not a
 * server runs on it.
 * @throws {Error} when no such session is open.
 */
export async function completeEid(path: string, outcome: EidOutcome, orderRef?: string): Promise<{ EidOrderRef: string }> {
  const { completeEidInFile } = await import('./server/offline.js')
  return completeEidInFile(path, outcome, orderRef)
}

/** Adds items to a sandbox's file from CSV text. @throws {Error} naming the line that cannot be read. */
export async function seedSandbox(path: string, csv: string): Promise<Seeded> {
  const { seedFile } = await import('./server/offline.js')
  return seedFile(path, csv)
}

/** What `/_sandbox/` of a running server takes, with the body of each. */
export type ControlAction = 'weather' | 'clock' | 'reset' | 'seed' | 'eid' | 'buy' | 'bid'

/**
 * Sends one order to a running sandbox and gives its answer.
 * @throws {Error} with the server's own words when it refuses.
 */
export async function controlSandbox(url: string, action: ControlAction, body: object): Promise<unknown> {
  const { sendOrder } = await import('./server/orders.js')
  return sendOrder(url, action, body)
}
