/** The only list of operations. */
import { extendedOperations } from './extended.js'
import type { Entry, Params, Result } from './inferred.js'
import { listingOperations } from './listing.js'
import type { Operation, ServiceName } from './operation.js'
import { orderOperations } from './orders.js'
import { publicOperations } from './public.js'
import { publicExtended } from './public-extended.js'
import { restrictedOperations } from './restricted.js'
import type { Field, Struct, Type } from './vocabulary.js'

const { GetItem: PublicGetItem, GetSellerItems: PublicGetSellerItems, ...referenceOperations } = publicOperations

/**
 * Every operation by the name that calls it. Of the two that both services have, the restricted ones have the bare name and the
 * public ones are `PublicService.GetItem` and `PublicService.GetSellerItems`.
 */
export const operations = {
  ...restrictedOperations,
  ...extendedOperations,
  ...orderOperations,
  ...listingOperations,
  ...referenceOperations,
  'PublicService.GetItem': PublicGetItem,
  'PublicService.GetSellerItems': PublicGetSellerItems,
} as const

export type OperationName = keyof typeof operations
export type ParamsOf<N extends OperationName> = Params<(typeof operations)[N]>
export type ResultOf<N extends OperationName> = Result<(typeof operations)[N]>
export type EntryOf<N extends OperationName> = Entry<(typeof operations)[N]>
/** Names of the operations that answer with a list. */
export type ListOperationName = { [N in OperationName]: [EntryOf<N>] extends [never] ? never : N }[OperationName]

/**
 * The operations of one service, by their names.
 * @param which those of the document, or also those that some services offer beyond it (docs/service.md, Operations beyond the
 * document)
 */
export function operationsOf(service: ServiceName, which: 'document' | 'all' = 'document'): Readonly<Record<string, Operation>> {
  if (service === 'OrderService') return which === 'all' ? orderOperations : {}
  if (service === 'ListingService') return which === 'all' ? listingOperations : {}
  if (service === 'PublicService') return which === 'all' ? { ...publicOperations, ...publicExtended } : publicOperations
  if (service !== 'RestrictedService') return {}
  return which === 'all' ? { ...restrictedOperations, ...extendedOperations } : restrictedOperations
}

/** A type that refers to itself, unfolded once; any other as it is. */
export function resolved(type: Type): Exclude<Type, { kind: 'recursive' }> {
  return type.kind === 'recursive' ? type.resolve() : type
}

/** The struct of a value or of the entries of a list, however deep; undefined if there is none. */
export function structIn(type: Type): Struct | undefined {
  const plain = resolved(type)
  if (plain.kind === 'list') return structIn(plain.item)
  return plain.kind === 'struct' ? plain : undefined
}

/**
 * The XML Schema name of a type, which is also the root element of a result in the HTTP forms (docs/service.md, How replies are
 * written).
 */
export function typeName(type: Type): string {
  return 'name' in type ? type.name : type.kind
}

/** True if a value of the field can travel as one text, or as repeated texts. */
function travelsAsText(field: Field): boolean {
  const { type } = field
  if (type.kind === 'list') return type.item.kind !== 'struct' && type.item.kind !== 'list' && type.item.kind !== 'recursive'
  return type.kind !== 'struct' && type.kind !== 'recursive'
}

/** Names of the parameters that HTTP GET and POST cannot carry; empty if they can carry the operation. */
export function parametersBeyondText(operation: Operation): string[] {
  return Object.entries(operation.params)
    .filter(([, field]) => !travelsAsText(field))
    .map(([name]) => name)
}

/** The wrapper element of a request or a reply as a type, so that one reader and one writer handle both. */
export function wrapper(name: string, fields: Struct['fields']): Struct {
  return { kind: 'struct', name, fields }
}
