/** One difference between what this tool knows of the service and what the service says of itself. */
import type { ServiceName } from '../../../contract/index.js'

/** What a difference does. */
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
  /** Element name of the operation it was found in; undefined where it concerns them all. */
  readonly operation?: string
  readonly direction?: Direction
  /** `Operation.parameter` or `Type.Field`. */
  readonly subject?: string
  /** What this tool has; undefined where it has nothing. */
  readonly expected?: string
  /** What the description has. */
  readonly found?: string
  /** A sentence for a seller. */
  readonly message: string
}
