/** How the sandbox is started, and what a started one offers. */
import type { NameMap } from '../contract/index.js'
import type { SandboxClock } from './marketplace/types.js'
import type { FaultInjection } from './server/fault-injection.js'

export interface SandboxServer {
  /** `http://127.0.0.1:PORT`, with no slash at its end: a profile's base URL. */
  readonly url: string
  readonly port: number
  readonly namespace: string
  /** Stops listening, ends every connection and closes the store. May be called twice. */
  close(): Promise<void>
}

/** How it differs from the document, as services of another age or make do (docs/sandbox.md). */
export interface SandboxForms {
  /** Names of its own for words of the document's names; none by default. */
  readonly names?: NameMap
  /** The form that its description and pages show of parameters that have two; it reads both. */
  readonly shape?: 'document' | 'nested'
  /** Serve the operations beyond the document too. */
  readonly extended?: boolean
}

export interface SandboxOptions extends SandboxForms {
  /** SQLite file; made and seeded when it is not there. */
  readonly path: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  readonly clock?: SandboxClock
  readonly faults?: Partial<FaultInjection>
  /** The namespace to answer in; SANDBOX_PROFILE's by default. Set it so that a client made for another needs no change. */
  readonly namespace?: string
  /** Called with one line for each call, without credentials. */
  readonly log?: (line: string) => void
}
