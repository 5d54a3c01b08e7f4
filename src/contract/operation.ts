/** An operation as the contract describes it: its kind, its parameters and result, and the rules over them. */
import type { Field, Fields } from './vocabulary.js'

/**
 * Decides that a read is retried, a repeatable write may be repeated, and a single write is never sent again
 * (docs/architecture.md, The contract).
 */
export type Kind = 'read' | 'repeatable write' | 'single write'

/**
 * The services of the marketplace. The contract has operations of those that commands use; those of the others are in their
 * descriptions.
 */
export const ALL_SERVICES = [
  'RestrictedService',
  'PublicService',
  'OrderService',
  'SearchService',
  'ListingService',
  'BuyerService',
] as const

export type ServiceName = (typeof ALL_SERVICES)[number]

/** True if the calls of a service are made for a user, unless its description says otherwise. */
export function actsForUser(service: ServiceName): boolean {
  return service === 'RestrictedService' || service === 'OrderService' || service === 'BuyerService'
}

/** The service and the operation of `Service.Operation`; the operation alone where no service is named. */
export function namedService(text: string): { readonly service: ServiceName | undefined; readonly operation: string } {
  const service = ALL_SERVICES.find((name) => text.startsWith(`${name}.`))
  return { service, operation: service === undefined ? text : text.slice(service.length + 1) }
}

export interface Operation<P extends Fields = Fields, R extends Field | undefined = Field | undefined> {
  /** Element name on the wire; SOAPAction is namespace + '/' + name. */
  readonly name: string
  /** Element name on the wire, if the service has its own name for it (names.ts). */
  readonly wireName?: string
  readonly service: ServiceName
  /** True if the call is made for a seller (AuthorizationHeader). */
  readonly user: boolean
  /** Made for the seller where one is logged in, and for anybody else too. */
  readonly asSeller?: true
  readonly kind: Kind
  /** Answers with a request id; the outcome comes from GetRequestResults. */
  readonly queued: boolean
  /** In wire order. */
  readonly params: P
  /** `<name>Result`; undefined for an operation that answers an empty `<name>Response`. */
  readonly result: R
  /**
   * Other forms of the parameters that a server understands. A client sends one only if the service's description has it
   * (docs/service.md, Choices between sources).
   */
  readonly alsoAccepts?: Fields
  /** The form that some services take instead of the parameters above, if it can say the same. */
  readonly otherForm?: OtherForm
  /** Rules over several fields, checked after each field. */
  readonly rules?: readonly InputRule[] | undefined
  /** Rule for a reply besides its relied-on fields: whether it answers the request. */
  readonly replyRule?: ReplyRule
  /** An answer without a result is one: there is nothing. Else it means that what was asked for does not exist. */
  readonly mayBeNothing?: true
  /** One line for help and pages. */
  readonly summary: string
  /**
   * Not in the document. Some services offer it, and their description says so (docs/service.md, Operations beyond the document).
   */
  readonly extended?: boolean
  /** May change at any time without notice (docs/service.md, Addresses). */
  readonly internal?: boolean
}

/** An operation without what all of its service have in common. It is not queued if it does not say so. */
export type Details<P extends Fields = Fields, R extends Field | undefined = Field | undefined> = Omit<
  Operation<P, R>,
  'name' | 'service' | 'user' | 'queued'
> & { readonly queued?: true }

/** Operations of one service, each by its name. */
export function inService<const D extends Readonly<Record<string, Details>>>(
  common: Pick<Operation, 'service' | 'user' | 'extended'>,
  details: D,
) {
  const made = Object.entries(details).map(([name, one]) => [name, { name, queued: false, ...common, ...one }])
  return Object.fromEntries(made) as { readonly [N in keyof D]: Operation<D[N]['params'], D[N]['result']> }
}

/** The details of a read. */
export function read<const P extends Fields, R extends Field>(
  summary: string,
  params: P,
  result: R,
  more: Pick<Operation, 'asSeller' | 'replyRule'> = {},
): Details<P, R> {
  return { kind: 'read', summary, params, result, ...more }
}

/** Another form of an operation's parameters, and the conversion both ways. Both work on parameters that are not checked yet. */
export interface OtherForm {
  readonly params: Fields
  /** Converts parameters to the other form. */
  of(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Converts from the other form; undefined for values that are not in it. */
  back(other: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined
}

/** One thing wrong with an input: which field, which value, what is expected, what to do. */
export interface InputFault {
  /** Dotted path of the field, e.g. `itemRequest.ShippingOptions[1].Cost`. */
  readonly field: string
  readonly value: unknown
  /** Continues the value: `must be at least 1`. */
  readonly message: string
  /** The reason, where the message says more of this one value, such as its length. */
  readonly kind?: string
  /** True if the message is about a part of the value, which it names itself. */
  readonly ofPart?: boolean
  readonly hint?: string
}

/** Fault of a reply: the element, its value (undefined if there is none), and the expectation. */
export interface ReplyFault {
  /** Dotted path of the element from the result on, e.g. `GetItemResult.Id`. */
  readonly element: string
  readonly value: unknown
  readonly message: string
  /** A whole list is absent, and nothing stands in its place. */
  readonly absent?: true
}

/** Checks a decoded result, or one entry of a list, against the parameters that it answers; undefined if it is valid. */
export type ReplyRule = (
  result: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, unknown>>,
) => ReplyFault | undefined

/** A rule over several fields of an operation's parameters. */
export interface InputRule {
  /** The fields it reads, as paths of faults with `[]` for any entry. It is checked only if each of them is valid. */
  readonly over: readonly string[]
  readonly check: (params: Readonly<Record<string, unknown>>) => readonly InputFault[]
}
