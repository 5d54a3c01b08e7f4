/**
 * Payloads that the ledger keeps of rows to send, by the kind of the job, and their readers, which refuse those of another
 * version.
 */
import { BULK_KINDS, type BulkKind } from '../../contract/jobs.js'
import { run, say } from '../../messages/index.js'
import type { AuctionPricesSent } from '../../pricing/index.js'
import { JobsError } from '../ledger/errors.js'
import {
  type AnyShape,
  isBoolean,
  isInstant,
  isInt,
  isObject,
  isText,
  listOf,
  orNull,
  type Shape,
  shapeFault,
} from '../ledger/stored.js'
import type { MarksToSend, Relisted, RelistToSend } from './types.js'

/** The parameter of an operation, by the contract's own names: the client checks it before each call, all faults at once. */
type Request = Readonly<Record<string, unknown>>

interface Payloads {
  /** Its prices are columns of the batch. */
  price: null
  remove: null
  stock: { readonly Quantity: number }
  /** ISO 8601, with its zone. */
  activate: { readonly ActivateDate: string }
  /** Fields of ShopItemData. */
  update: Request
  'auction-price': AuctionPricesSent
  'add-shop': Request
  'add-item': Request
  relist: RelistToSend
  order: MarksToSend
}

/** Payload of a row of a kind. */
export type Payload<K extends BulkKind = BulkKind> = Payloads[K]

/** Where a value stands. */
interface OfRow {
  readonly JobId: number
  readonly Row: number
}

/** An auction that is put up again names the one that ended. */
const isRestart = (value: unknown): boolean => isObject(value) && isInt((value as Request).RestartedFromItemId)

const SHAPES: { readonly [K in BulkKind]: Payloads[K] extends null ? null : Shape<Payloads[K]> | Record<never, never> } = {
  price: null,
  remove: null,
  stock: { Quantity: isInt } satisfies Shape<Payloads['stock']>,
  activate: { ActivateDate: isInstant } satisfies Shape<Payloads['activate']>,
  'auction-price': {
    OpeningPrice: isInt,
    ReservedPrice: orNull(isInt),
    BinPrice: orNull(isInt),
  } satisfies Shape<AuctionPricesSent>,
  update: {},
  'add-shop': {},
  'add-item': {},
  relist: {
    OpeningPrice: isInt,
    Request: isRestart,
    Images: listOf(isText),
    StartsAt: orNull(isInstant),
    Restarts: isBoolean,
  } satisfies Shape<RelistToSend>,
  order: { Paid: isBoolean, Sent: isBoolean } satisfies Shape<MarksToSend>,
}

/** False for kinds whose rows are columns of numbers. */
export const hasPayload = (kind: BulkKind): boolean => SHAPES[kind] !== null

/**
 * Reads what a row sends.
 * @throws JobsError code `row_unreadable` for what another version wrote, or somebody changed
 */
export function readPayload<K extends BulkKind>(kind: K, payload: unknown, of: OfRow): Payload<K> {
  const shape: AnyShape | null = SHAPES[kind]
  if (shape === null) return null as Payload<K>
  return checked(kind, shape, payload, of) as Payload<K>
}

function checked(kind: BulkKind, shape: AnyShape, payload: unknown, of: OfRow): Request {
  const fault = shapeFault(payload, shape)
  if (fault !== undefined) throw unreadable(kind, of, fault)
  return payload as Request
}

/** Shapes of what an item had before, where it is another one than what is sent. */
const OLD_SHAPES = {
  relist: { OpeningPrice: orNull(isInt), StartDate: isText } satisfies Shape<Relisted>,
  update: {},
}

interface OldPayloads {
  relist: Relisted
  /** The fields that the row sets, as they were; null for none. A field that was not read is left out. */
  update: Request
}

/** Earlier values of an item for an undo or a comparison: null where they were not read. @throws JobsError as readPayload */
export function readOldPayload<K extends keyof OldPayloads>(kind: K, payload: unknown, of: OfRow): OldPayloads[K] | null {
  return payload === null ? null : (checked(kind, OLD_SHAPES[kind], payload, of) as unknown as OldPayloads[K])
}

function unreadable(
  kind: BulkKind,
  { JobId, Row }: OfRow,
  { field, words }: { readonly field?: string; readonly words: string },
): JobsError {
  return new JobsError(
    'row_unreadable',
    `Row ${Row} of job ${JobId} (${BULK_KINDS[kind].operation}) cannot be read: ${words}. Another version of seller wrote it.`,
    say`Nothing of it was sent. Continue with the version that made the job, or drop what is left with: ${run('jobs:drop', { id: JobId })}`,
    { jobId: JobId, row: Row, ...(field === undefined ? {} : { field }) },
  )
}
