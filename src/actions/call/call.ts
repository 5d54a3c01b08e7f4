/** `call`: finds the operation, sends it (recorded in the ledger if it is queued), and returns its answer as a document. */

import type { Context } from '../../cli/context.js'
import {
  actsForUser,
  type Kind,
  kindByName,
  namedService,
  nearest,
  type Operation,
  type OperationName,
  operations,
  operationsOf,
  type ServiceName,
} from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { type RequestRow, recordQueued } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import type { OperationRef, SoapClient } from '../../soap/client/index.js'
import { queuesMany, sendMany } from '../requests/send.js'
import { waitCommand } from '../requests/waiting.js'
import { serviceBy } from '../service/operations.js'

export interface NamedOperation {
  /** The operation for the client. */
  readonly ref: OperationRef
  /** Element name. */
  readonly name: string
  /** From the contract or a description; undefined for an operation whose types are not known. */
  readonly known?: Operation
  /** Its name in the contract; undefined if it is not in the contract. */
  readonly knownName?: OperationName
  readonly user: boolean
}

export interface Naming {
  /** `--service`: its first word. */
  readonly service?: string | undefined
  /** `--kind`: the kind of an operation that the contract does not have. */
  readonly kind?: Kind | undefined
}

/**
 * `GetItem`, `PublicService.GetItem`, an operation of the profile's saved description, or any name with `--service`.
 * @throws {SellerError} usage for an unknown name, with the nearest known one, unless the named service has no saved description
 */
export async function namedOperation(ctx: Context, text: string, { service, kind }: Naming): Promise<NamedOperation> {
  const { service: prefix, operation: bare } = namedService(text)
  const wantedService = service === undefined ? prefix : serviceBy(service)
  if (prefix !== undefined && wantedService !== prefix) {
    throw new SellerError(
      'service_contradicts',
      `"${text}" belongs to ${prefix}, but --service is ${service}.`,
      'Leave out --service, or the name of the service before the operation.',
    )
  }
  const known = knownOperation(bare, wantedService)
  if (known !== undefined) return kind === undefined ? known : refuseKind(known, kind)
  if (!/^[A-Za-z_][\w.-]*$/.test(bare))
    throw new SellerError(
      'invalid_operation',
      `"${bare}" is not a valid operation name.`,
      'A name is letters, digits and _, e.g. GetItem.',
    )
  const { describedOperation } = await import('./described.js')
  const { operation, names, saved } = await describedOperation(ctx, bare, wantedService)
  if (operation !== undefined) {
    const typedOperation = kind === undefined ? operation : { ...operation, kind }
    return { ref: typedOperation, name: bare, known: typedOperation, user: typedOperation.user }
  }
  const near = nearest(text, [...Object.keys(operations), ...names]) ?? nearest(bare, [...Object.keys(operations), ...names])
  const suggestion = near === undefined ? '' : `Did you mean ${near}? `
  if (saved) {
    const hint = say`${suggestion}${run('service:operations')} lists all. If the service is newer, save its description again: ${run('service:check', { '--save': true })}`
    throw new SellerError(
      'unknown_operation',
      `There is no operation "${text}", neither in the contract nor in the saved description.`,
      hint,
    )
  }
  if (wantedService !== undefined && service !== undefined) return untypedOperation(bare, wantedService, kind)
  throw new SellerError(
    'unknown_operation',
    `There is no operation "${text}" in the contract.`,
    say`${suggestion}See all with: ${run('service:operations')}. To call an operation that this tool does not know, save the description of the service (${run('service:check', { '--save': true })}), or give --service: its description is then read.`,
  )
}

function refuseKind({ name, known }: NamedOperation, kind: Kind): never {
  throw new SellerError(
    'stray_flag',
    `--kind ${kind === 'read' ? 'read' : 'write'} does not apply to ${name}, which is known as a ${known?.kind}.`,
    'Leave it out. --kind is for operations that this tool does not know.',
  )
}

function untypedOperation(name: string, service: ServiceName, kind: Kind = kindByName(name)): NamedOperation {
  return { ref: { service, operation: name, kind }, name, user: actsForUser(service) }
}

function knownOperation(name: string, service: ServiceName | undefined): NamedOperation | undefined {
  const names = Object.keys(operations) as OperationName[]
  const key = names.find((candidate) => {
    const operation: Operation = operations[candidate]
    if (operation.name !== name) return false
    return service === undefined
      ? candidate === name
      : operation.service === service && operationsOf(service, 'all')[name] === operation
  })
  if (key === undefined) return undefined
  const contractOperation: Operation = operations[key]
  return { ref: key, name: contractOperation.name, known: contractOperation, knownName: key, user: contractOperation.user }
}

/**
 * Asks before an auction is ended, as items:end does: nothing brings it back.
 * @throws {SellerError} guard where nobody says yes
 */
export async function confirmEnd(
  ctx: Context,
  { knownName }: NamedOperation,
  { itemId }: Readonly<Record<string, unknown>>,
  isGiven: boolean,
): Promise<void> {
  if (knownName !== 'EndItem') return
  await ctx.prompts.confirm({ message: `End item ${itemId} now? It cannot be undone.`, flag: '--yes', given: isGiven })
}

/** Only shown: a list that the service leaves out is empty. */
const SHOWN = { onAbsent: () => undefined }

/**
 * Calls the operation. If the service queues it, it is recorded in the ledger before it is sent.
 * @returns its answer as one document: the value itself, or an object with the element's name if the value is not an object or
 * there is none
 * @throws {SellerError} not_found if a read was answered without a result; what the client throws
 */
export async function callOperation(
  ctx: Context,
  client: SoapClient,
  operation: NamedOperation,
  params: Record<string, unknown>,
): Promise<unknown> {
  const { ref, name, known } = operation
  const value = await sendAndRecord(ctx, operation, params, () => client.callAny(ref, params, SHOWN))
  const isAnswered = known?.kind !== 'read' || known.result === undefined || known.mayBeNothing === true
  if ((value === null || value === undefined) && !isAnswered) {
    throw new SellerError(
      'no_result',
      `${name} returned no result: what you asked for does not exist.`,
      'Check the ids among the parameters.',
    )
  }
  return asDocument(value, name)
}

/** The text of the reply, with the same record in the ledger. */
export async function callRaw(
  ctx: Context,
  client: SoapClient,
  operation: NamedOperation,
  params: Record<string, unknown>,
): Promise<string> {
  let text = ''
  await sendAndRecord(ctx, operation, params, async () => {
    const reply = await client.callRaw(operation.ref, params, SHOWN)
    text = reply.text
    return reply.value
  })
  return text
}

/** Sends it, with a row in the ledger if the service queues it. */
async function sendAndRecord(
  ctx: Context,
  { name, known, knownName }: NamedOperation,
  params: Record<string, unknown>,
  send: () => Promise<unknown>,
): Promise<unknown> {
  if (known?.queued !== true) return send()
  if (knownName !== undefined && queuesMany(knownName)) {
    const entries = (params.request as { ShopItems?: { Id: number }[] } | undefined)?.ShopItems ?? []
    const ids = entries.map(({ Id }) => Id)
    const many = await sendMany(ctx, knownName, ids, send)
    hintWait(ctx, many.rows)
    return many.answer
  }
  const { name: profile, settings } = ctx.profile
  const request = { operation: name, subject: subjectOf(params), profile, userId: settings.user_id }
  const { row, answer, error } = await recordQueued(await ctx.ledger(), request, send)
  if (error !== undefined) throw error
  hintWait(ctx, [row])
  return answer
}

/** An object or an array as it is; anything else inside an object, so that the output is always a document. */
function asDocument(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return { [`${name}Response`]: null }
  return typeof value === 'object' && !(value instanceof Uint8Array) ? value : { [`${name}Result`]: value }
}

function hintWait(ctx: Context, rows: readonly RequestRow[]): void {
  const ids = rows.flatMap(({ RequestId }) => RequestId ?? [])
  if (ids.length === 0) return
  ctx.output.hint(say`Queued. Wait for the outcome with: ${waitCommand(ids)}`)
}

/** The subject of the request, for the ledger. */
function subjectOf(params: Record<string, unknown>): string {
  const { itemRequest, shopItemData, shopItemId, updateData } = params as {
    itemRequest?: { Title?: string }
    shopItemData?: { Title?: string }
    shopItemId?: number
    updateData?: { ItemId?: number }
  }
  const id = shopItemId ?? updateData?.ItemId
  return itemRequest?.Title ?? shopItemData?.Title ?? (id === undefined ? '' : `item ${id}`)
}
