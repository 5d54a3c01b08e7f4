/** The operations of the service: those of the contract, and those of the descriptions that were saved. */

import type { Context } from '../../cli/context.js'
import type { Source } from '../../cli/descriptions/read.js'
import {
  ALL_SERVICES,
  type Field,
  type Fields,
  limitWords,
  namedService,
  nearest,
  type Operation,
  operationsOf,
  type Rule,
  resolved,
  type ServiceName,
  structIn,
  type Type,
} from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { FieldRecord, OperationRecord, OperationShown } from '../../format/views/service.js'
import { run, say, textOf } from '../../messages/index.js'
import { shapeOf } from '../../soap/description/index.js'
import { dayOf, noteAge, readSaved } from './saved.js'
import { contractName, type Uses } from './uses.js'

/** An operation, and who knows it. */
interface KnownOperation {
  readonly operation: Operation
  readonly contract: Operation | undefined
  readonly source: 'contract' | 'description' | 'both'
  /** The name of a service that this tool does not call. */
  readonly foreign?: string
}

/** The most fields of one type that are shown; a description may have been made to have any number. */
const MAX_FIELDS = 500

/** A service by the first word of its name, as flags take it. */
export function serviceBy(word: string): ServiceName | undefined {
  return ALL_SERVICES.find((name) => name.toLowerCase() === `${word}service`)
}

/** The words of `--service`. */
export const SERVICE_WORDS = ALL_SERVICES.map((name) => name.replace('Service', '').toLowerCase())

/** The operations of descriptions that are not saved. */
export function operationsOfSources(sources: readonly Source[]): KnownOperation[] {
  return sources.flatMap(({ description }) => {
    const contract = description.ours ? operationsOf(description.service, 'all') : {}
    return [...description.operations.values()].map(({ operation }) => ({
      ...knownBoth(operation, contract),
      ...(description.ours ? {} : { foreign: description.serviceName ?? '' }),
    }))
  })
}

function knownBoth(operation: Operation, contract: Readonly<Record<string, Operation>>): KnownOperation {
  const contractOperation = Object.hasOwn(contract, operation.name) ? contract[operation.name] : undefined
  return { operation, contract: contractOperation, source: contractOperation === undefined ? 'description' : 'both' }
}

/** The operations of the services, from the saved description if there is one. Says on stderr where they come from. */
export async function knownOperations(ctx: Context, services: readonly ServiceName[] = ALL_SERVICES): Promise<KnownOperation[]> {
  const all: KnownOperation[] = []
  for (const service of services) {
    const saved = await readSaved(ctx, service)
    if (saved !== undefined) {
      noteAge(ctx, saved)
      ctx.output.note(`${service}: from the description saved on ${dayOf(saved)} (${saved.from}).`)
    }
    const described = saved?.description.operations
    for (const { operation } of described?.values() ?? []) all.push(knownBoth(operation, operationsOf(service, 'all')))
    for (const operation of Object.values(operationsOf(service)))
      if (described?.has(operation.name) !== true) all.push({ operation, contract: operation, source: 'contract' })
  }
  return all
}

export function operationRecord({ operation, source, foreign }: KnownOperation, uses: Uses): OperationRecord {
  const { service, name, kind, params, result, summary } = operation
  return {
    Service: foreign ?? service,
    Operation: name,
    Kind: kind,
    Parameters: Object.keys(params).length,
    Result: result === undefined ? null : shapeOf(result),
    Commands: foreign === undefined ? uses.of(service, name) : [],
    Source: source,
    Summary: summary,
  }
}

/**
 * Finds one operation by its name, or `Service.Name` if both services have it.
 * @throws {SellerError} unknown_operation, with the nearest known name
 */
export function findOperation(all: readonly KnownOperation[], name: string): KnownOperation {
  const { service, operation: bare } = namedService(name)
  const candidates = all.filter(
    ({ operation }) => operation.name === bare && (service === undefined || operation.service === service),
  )
  const [found] = candidates
  if (found !== undefined) return found
  const near = nearest(
    bare,
    all.map(({ operation }) => operation.name),
  )
  const hint = near === undefined ? say`See all operations with: ${run('service:operations')}` : `Did you mean ${near}?`
  throw new SellerError('unknown_operation', `There is no operation "${name}".`, hint)
}

export function operationShown(operationFacts: KnownOperation, uses: Uses): OperationShown {
  const { operation, contract } = operationFacts
  const { Parameters: _parameters, Result: _result, ...record } = operationRecord(operationFacts, uses)
  const { service, name, result } = operation
  return {
    ...record,
    Queued: operation.queued,
    User: operation.user,
    Parameters: fieldRecords(operation.params, contract?.params),
    Result: result === undefined ? [] : resultRecords(result, contract?.result),
    Example: exampleCall(
      contract ?? operation,
      contractName(service, name) ?? (service === 'RestrictedService' ? name : `${service}.${name}`),
    ),
  }
}

/** The fields of a struct or of the entries of a list. A simple result is one field without a name. */
function resultRecords(result: Field, contract: Field | undefined): FieldRecord[] {
  const inner = structIn(result.type)?.fields
  if (inner === undefined) return [fieldRecord('', result, undefined)]
  return fieldRecords(inner, contract && structIn(contract.type)?.fields, [inner])
}

/** @param contract the same fields in the contract, which alone has limits @param inside those that hold these */
function fieldRecords(fields: Fields, contract: Fields | undefined, inside: readonly Fields[] = []): FieldRecord[] {
  const records: FieldRecord[] = []
  const collect = (some: Fields, knownFields: Fields | undefined, prefix: string, around: readonly Fields[]): void => {
    for (const [name, field] of Object.entries(some)) {
      if (records.length >= MAX_FIELDS) return
      const own = knownFields !== undefined && Object.hasOwn(knownFields, name) ? knownFields[name] : undefined
      const path = `${prefix}${name}${field.repeated || field.type.kind === 'list' ? '[]' : ''}`
      records.push(fieldRecord(path, field, own?.rule))
      const inner = structIn(field.type)?.fields
      if (inner !== undefined && !around.includes(inner))
        collect(inner, own && structIn(own.type)?.fields, `${path}.`, [...around, inner])
    }
  }
  collect(fields, contract, '', inside)
  return records
}

function fieldRecord(name: string, field: Field, contractRule: Rule | undefined): FieldRecord {
  const rule = { ...field.rule, ...contractRule }
  return {
    Name: name,
    Type: shapeOf(field),
    Required: field.min === 1 && !field.nillable,
    Nillable: field.nillable,
    Limits: limitsOf(rule),
  }
}

/** `1 to 14 (why)`; null for a field without limits. */
function limitsOf(rule: Rule): string | null {
  const words = limitWords(rule).join(', ')
  const { why } = rule
  if (words === '') return why ?? null
  return why === undefined ? words : `${words} (${why})`
}

/** Depth to which structs are written out; this also ends a type that contains itself. */
const DEPTH = 4

/** @param name the name of the operation for `call` */
export function exampleCall(operation: Operation, name: string): string {
  const large = Object.values(operation.params).some(({ type }) => countFields(type) > MAX_BY_HAND)
  if (large) return textOf(say`${run('call', { operation: name, '--input': 'request.yaml' })}`)
  return textOf(say`${run('call', { operation: name, parameter: sampleArguments(operation.params, '', DEPTH) })}`)
}

/** The most fields of a struct that are given as arguments; an item is given in a file. */
const MAX_BY_HAND = 10

function countFields(type: Type): number {
  const plain = resolved(type)
  return plain.kind === 'struct' ? Object.keys(plain.fields).length : 0
}

function sampleArguments(fields: Fields, prefix: string, depth: number): string[] {
  const requiredFields = Object.entries(fields).filter(([, field]) => (prefix === '' ? !field.nillable : isRequired(field)))
  // If nothing in a struct is required, it shows one of its fields.
  const shownFields = requiredFields.length > 0 ? requiredFields : Object.entries(fields).slice(0, 1)
  return shownFields.flatMap(([name, field]) => sampleArgument(field, prefix === '' ? name : `${prefix}.${name}`, depth))
}

function isRequired({ min, nillable, type }: Field): boolean {
  return (min === 1 && !nillable) || type.kind === 'list'
}

function sampleArgument({ type, repeated, rule }: Field, path: string, depth: number): string[] {
  return typeArguments(type, repeated && resolved(type).kind === 'struct' ? `${path}.0` : path, rule, depth)
}

function typeArguments(type: Type, path: string, rule: Rule | undefined, depth: number): string[] {
  const plain = resolved(type)
  if (plain.kind === 'list') {
    return typeArguments(plain.item, resolved(plain.item).kind === 'struct' ? `${path}.0` : path, rule, depth)
  }
  if (plain.kind === 'struct') return depth === 0 ? [] : sampleArguments(plain.fields, path, depth - 1)
  return [`${path}=${sampleValue(plain, rule)}`]
}

function sampleValue(type: Type, { oneOf, min, max }: Rule = {}): string {
  switch (type.kind) {
    case 'int':
      return String(oneOf?.[0] ?? Math.min(max ?? Infinity, Math.max(min ?? 0, 1001)))
    case 'long':
      return '1001'
    case 'decimal':
      return '0.5'
    case 'boolean':
      return 'true'
    case 'dateTime':
      return '2026-12-01T18:00:00+01:00'
    case 'base64Binary':
      return '@photo.jpg'
    case 'enumeration':
    case 'flags':
      return type.values[0] ?? ''
    default:
      return 'text'
  }
}
