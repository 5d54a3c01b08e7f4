/** The options of the sandbox, and what a started one offers. */
import type { Edition, NameMap } from '../contract/index.js'
import type { HostKind } from '../soap/server/index.js'
import type { SandboxClock } from './marketplace/types.js'
import type { FaultInjection } from './server/fault-injection.js'

export interface SandboxServer {
  /** `http://127.0.0.1:PORT`, without a final slash: a profile's base URL. */
  readonly url: string
  readonly port: number
  readonly namespace: string
  /** Stops listening, ends all connections and closes the store. May be called twice. */
  close(): Promise<void>
}

/** Differences from the document, as other editions of the service have them (docs/sandbox.md). */
export interface SandboxForms {
  /**
   * Which operations and fields it has; those of the document by default. The published editions have all that is beyond it too.
   */
  readonly edition?: Edition | undefined
  /** The kind of server that it acts like; `asmx` by default. */
  readonly host?: HostKind | undefined
  /** True if a transaction names its order, which no published edition does. */
  readonly orderIds?: boolean
  /** Its own names for words in the document's names; none by default. */
  readonly names?: NameMap | undefined
  /**
   * The form shown by its description and pages for parameters that have two; `nested` for a published edition. It reads both.
   */
  readonly shape?: 'document' | 'nested' | undefined
  /** True to serve the operations beyond the document too. */
  readonly extended?: boolean
}

/** Where the page of the login leads once the application is allowed (docs/service.md, Token login). */
export interface AcceptAddress {
  readonly url: string
  /** True if the token and its end are in the address too. */
  readonly showToken?: boolean
}

export interface SandboxOptions extends SandboxForms {
  /** SQLite file, which is created and seeded if it does not exist. */
  readonly path: string
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined
  readonly clock?: SandboxClock | undefined
  readonly faults?: Partial<FaultInjection> | undefined
  /** The namespace of its replies; that of SANDBOX_PROFILE by default. Set it to use a client made for another one. */
  readonly namespace?: string | undefined
  /** True if it refuses a new item without a condition, or without a way to the buyer, as the service does in many categories. */
  readonly strict?: boolean | undefined
  /** Where a login leads; a page that says to close the window by default. */
  readonly accept?: AcceptAddress | undefined
  /** True if it runs until somebody ends it: its file is then not reset under it. */
  readonly standing?: boolean | undefined
  /** Called with one line for each call, without credentials. */
  readonly log?: ((line: string) => void) | undefined
}
