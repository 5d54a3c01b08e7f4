/** The options of a client, and what it offers; the work is in client.ts. */
import type {
  Dialect,
  EntryOf,
  Kind,
  ListOperationName,
  Operation,
  OperationName,
  ParamsOf,
  ResultOf,
  ServiceName,
} from '../../contract/index.js'
import type { Clock } from '../../system/clock.js'
import type { Credentials } from '../wire/encode.js'
import type { Replaced, UnreadValue } from '../wire/reader.js'
import type { SoapError, SoapErrorKind } from './errors.js'

export type { Credentials }

export interface CallObserver {
  /** Awaited before `begin`. Its error is passed on unchanged, and nothing is sent. */
  ready?(kind: Kind): Promise<void> | undefined
  /**
   * Called when the request of a read has been sent, or will not be. What can be written late is written while the reply is
   * awaited.
   */
  left?(): void
  /** Awaited before anything of a reply is handed on. Its error is passed on unchanged. */
  settled?(): Promise<void> | undefined
  /**
   * Awaited before each attempt is sent. It may fail to stop it (a call budget); its error is passed on unchanged. What it gives
   * is called once, when the attempt has ended.
   */
  begin(call: {
    operation: OperationName | string
    service: ServiceName
    kind: Kind
    attempt: number
  }): RecordEnd | Promise<RecordEnd>
}

/** Takes how an attempt ended. */
export type RecordEnd = (end: { outcome: 'ok' | SoapErrorKind; httpStatus?: number | undefined; ms: number }) => void

export type Binding = 'soap12' | 'soap11' | 'get' | 'post'

export interface ClientOptions {
  /** The service's own names and texts for what the contract describes; those of the contract by default. */
  dialect?: Dialect | undefined
  /** With or without a path and a final slash; `/v3/<Service>.asmx` is appended. */
  baseUrl: string
  /** The XML namespace of the service, without a final slash. */
  namespace: string
  credentials: Credentials
  /** ConfigurationHeader: 0 live (default), 1 the service's own test mode (docs/service.md, Configuration). */
  sandbox?: 0 | 1 | undefined
  /** ConfigurationHeader: maximum age of an answer from the service's cache, seconds (default 0). */
  maxResultAge?: number | undefined
  /** Default soap12. */
  binding?: Binding | undefined
  /** True if a write may be sent by `get`, with the key and the token in its address (default no). Reads are. */
  insecureAddress?: boolean | undefined
  /** Time-out of each step of connecting (name look-up, connection, TLS), ms (default 10 000). */
  connectTimeoutMs?: number | undefined
  /** Longest time without a byte in either direction, ms (default 60 000). */
  silenceTimeoutMs?: number | undefined
  /**
   * Time-out of a whole call with its retries and the pauses between them, ms (default 300 000). An upload gets more time for its
   * size.
   */
  callTimeoutMs?: number | undefined
  /** The same for `stream`, where only the time spent waiting counts, ms (default six times callTimeoutMs). */
  listTimeoutMs?: number | undefined
  /** The most that a call may take by the clock, ms, also while entries keep coming; none by default. */
  deadlineMs?: number | undefined
  /**
   * The most bytes of a reply, unpacked; 64 MiB by default, and no limit for `stream`, which keeps nothing of what it hands on.
   */
  maxReplyBytes?: number | undefined
  /** Number of retries after the first attempt (default 3). */
  retries?: number | undefined
  clock?: Clock | undefined
  /** Stops every call that has no signal of its own. */
  signal?: AbortSignal | undefined
  observer?: CallObserver | undefined
  /**
   * Says why an operation of the contract is not sent: its request or its reply is known to be another. undefined where it is
   * sent.
   */
  changed?:
    | ((
        service: ServiceName,
        operation: string,
        params: Readonly<Record<string, unknown>>,
      ) => Promise<{ readonly Message: string; readonly Binding?: string; readonly remedy?: string } | undefined>)
    | undefined
  /** Called with each request and reply. Secrets are masked before they are formatted. */
  trace?: ((text: string) => void) | undefined
  /** Called before a pause between two attempts, with its length and what failed. */
  onPause?: ((ms: number, error: SoapError, sinceMs: number) => void) | undefined
  /** Called for a reply with characters that XML forbids, which were read as U+FFFD. */
  onReplaced?: ((replaced: Replaced) => void) | undefined
  /** Called for a reply with values that could not be read and were left out. */
  onUnread?: ((values: readonly UnreadValue[]) => void) | undefined
  userAgent?: string | undefined
}

export interface CallOptions {
  /** In place of the client's. */
  signal?: AbortSignal | undefined
  /** Milliseconds after which the call must have ended, if that is sooner than the client's own time-out. */
  endsWithinMs?: number | undefined
  onUploadProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined
  /**
   * Called where the service has left out the whole list that it was asked for, which then is empty: for a caller that shows it,
   * and concludes nothing from what is not in it. Without it, such a reply is an error (docs/service.md, Absent lists).
   */
  onAbsent?: (() => void) | undefined
}

/** A field of the entries of a list. */
export type FieldOf<N extends ListOperationName> = string & keyof EntryOf<N>

export interface StreamOptions<F extends string> extends CallOptions {
  /**
   * The fields of an entry that are needed; all by default. Those that are always checked come too; the others must be
   * well-formed and are not read. A plan needs 9 of 45. `Seller.Id` is one field of a struct.
   */
  fields?: readonly (F | `${F}.${string}`)[] | undefined
}

/** An operation whose types are not known: texts, objects and arrays in, texts and objects out. */
export interface UntypedOperation {
  readonly service: ServiceName
  /** Element name. */
  readonly operation: string
  /** True if it may be sent twice; a single write by default. */
  readonly kind?: Kind
}

/** An operation of the contract by its name there, one that a description types, or any other by service and element name. */
export type OperationRef = OperationName | Operation | UntypedOperation

/** A request as it would be sent, secrets masked. */
export interface RequestDescription {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

export interface RawReply {
  readonly text: string
  readonly value: unknown
}

/** Every method that calls the service throws SoapError, or what the observer throws. */
export interface SoapClient {
  call<N extends OperationName>(name: N, params: ParamsOf<N>, options?: CallOptions): Promise<ResultOf<N>>
  /** Entries as they are read. Nothing is sent before the first one is asked for. Leaving the loop closes the connection. */
  stream<N extends ListOperationName, F extends FieldOf<N> = FieldOf<N>>(
    name: N,
    params: ParamsOf<N>,
    options?: StreamOptions<F>,
  ): AsyncGenerator<Pick<EntryOf<N>, F>, void>
  /** Calls any operation, with its parameters as data. */
  callAny(name: OperationRef, params: unknown, options?: CallOptions): Promise<unknown>
  /** The text of the reply, checked like any other, and its value. The secrets of this client are hidden in both. */
  callRaw(name: OperationRef, params: unknown, options?: CallOptions): Promise<RawReply>
  /** Describes the request; nothing is sent. Needs no credentials, and shows which ones are not set. */
  describe(name: OperationRef, params: unknown): Promise<RequestDescription>
  /** Closes the kept connections. Calls under way are not disturbed. */
  close(): void
}
