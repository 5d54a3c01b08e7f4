/** What a command may touch: streams, clock, environment, prompts, and a client and a ledger that open when first used. */

import type { Output } from '../format/index.js'
import type { Ledger } from '../jobs/index.js'
import type { Clock, SoapClient } from '../soap/index.js'
import type { ResolvedProfile } from './profiles.js'
import type { Prompts } from './prompts.js'

export interface ClientNeeds {
  /** Whether a seller's user id and token must be there (default true); the public service needs none. */
  user?: boolean
}

export interface Interruption {
  /** What was already sent, one sentence. */
  readonly sent?: string
  /** The command that goes on, e.g. `seller requests:wait 17`. */
  readonly next?: string
}

export interface Context {
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  /** Somebody is there to answer: see Prompts.available. */
  readonly interactive: boolean
  readonly output: Output
  readonly prompts: Prompts
  /** flag > environment > profile, with the source of each value; read from disk when first asked for. */
  readonly profile: ResolvedProfile
  readonly configDir: string
  readonly dataDir: string
  /** The client of the profile; `sandbox` starts the service inside this process first. One per command. */
  client(needs?: ClientNeeds): Promise<SoapClient>
  /** The ledger in the data directory. One per command. */
  ledger(): Promise<Ledger>
  /** Says what to tell the user should Ctrl-C come from here on; the last call counts. */
  ifInterrupted(words: Interruption): void
  /** Closes what was opened. */
  close(): Promise<void>
}
