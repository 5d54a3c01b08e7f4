/** One difference between what this tool knows of the service and the service's own description. */
import type { ServiceName } from '../../../contract/index.js'

/** Consequence of a difference. */
export type Effect =
  /** A command that uses it does not work as it should. */
  | 'breaks'
  /** Another edition of the service: nothing breaks. */
  | 'differs'
  /** Only the description has it. */
  | 'new'
  /** Only this tool knows it, and nothing breaks. */
  | 'only_here'
  /** The description has something that this tool cannot read. */
  | 'unread'

/** Stable words for scripts. */
export type DifferenceKind =
  | 'namespace'
  | 'address'
  | 'binding'
  | 'header_missing'
  | 'operation_missing'
  | 'operation_new'
  | 'form'
  | 'field_missing'
  | 'field_renamed'
  | 'field_nested'
  | 'field_new'
  | 'field_required'
  | 'field_order'
  | 'type'
  | 'occurrence'
  | 'nil'
  | 'value_missing'
  | 'value_new'
  | 'unread'

/** Where a field travels. */
export type Direction = 'request' | 'reply' | 'header'

export interface Difference {
  readonly effect: Effect
  readonly kind: DifferenceKind
  readonly service: ServiceName
  /** Element name of the operation; undefined if it concerns all of them. */
  readonly operation?: string
  readonly direction?: Direction
  /** `Operation.parameter` or `Type.Field`. */
  readonly subject?: string
  /** Element of this tool; undefined if it has none. */
  readonly expected?: string | undefined
  /** Element of the description. */
  readonly found?: string | undefined
  /** True if decisions rest on the field of a reply, or on something within it. */
  readonly relied?: true
  /** A sentence for a seller. */
  readonly message: string
}

/** Notes a difference. */
export type Add = (effect: Effect, kind: DifferenceKind, words: Omit<Difference, 'service' | 'kind' | 'effect'>) => void
