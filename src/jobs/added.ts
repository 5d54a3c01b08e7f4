/** Own references of items that this ledger has added, or will add. They keep a file from being added twice. */
import { readPayload } from './bulk/payloads.js'
import { bulkRows } from './bulk/show.js'
import type { BulkRowState } from './bulk/types.js'
import type { JobRecord, JobState, ShopKey } from './ledger/jobs.js'
import type { Ledger } from './ledger/ledger.js'
import type { AddedItem } from './ledger/requests.js'
import { LISTING_DETAIL } from './listing/listing.js'

/** An addition in the ledger. */
export interface Addition {
  /** The job that made it, the whole one if that was a part; null for a single call. */
  readonly jobId: number | null
  /** The id of its request, if the service has given one. */
  readonly requestId: number | null
  readonly itemId: number | null
  /**
   * added: the service has carried it out; sent: it is queued, or its outcome is unknown; unsent: an unfinished job will send it.
   */
  readonly state: 'added' | 'sent' | 'unsent'
  /** When it was recorded, ISO 8601. */
  readonly at: string
  /** When the item starts, ISO 8601, if that was given. */
  readonly starts: string | null
}

const STATES: readonly BulkRowState[] = ['unsent', 'sending', 'queued', 'ok', 'unknown']
/** Listings whose item is, or may be, on sale. Failed and dropped ones were never committed. */
const LISTINGS: readonly JobState[] = ['open', 'waiting', 'unknown', 'ok']

/**
 * Finds the newest addition of each reference, among jobs of rows, listings and single calls.
 * @param wanted the references to look for, without spaces around them
 */
export function findAdditions(ledger: Ledger, shop: ShopKey, wantedReferences: ReadonlySet<string>): Map<string, Addition> {
  const additions = new Map<string, Addition>()
  const note = (references: readonly string[], addition: Addition): void => {
    for (const reference of references.map((text) => text.trim())) {
      if (!wantedReferences.has(reference)) continue
      const before = additions.get(reference)
      if (before === undefined || before.at <= addition.at) additions.set(reference, addition)
    }
  }
  for (const job of ledger.jobs.list({ ...shop, kind: ['add-shop', 'add-item', 'relist', 'listing'] })) {
    if (job.Kind === 'listing') noteListing(ledger, job, note)
    else noteRows(ledger, job, note)
  }
  noteRequests(ledger, shop, note)
  return additions
}

type Note = (references: readonly string[], addition: Addition) => void

function noteRows(ledger: Ledger, { JobId, Kind, PartOf, State, CreatedAt }: JobRecord, note: Note): void {
  for (const { Row, State: row, Payload: payload, Id, RequestId } of bulkRows(ledger, JobId, STATES)) {
    // A dropped job's rows are never sent.
    if (row === 'unsent' && State === 'cancelled') continue
    const state = row === 'ok' ? 'added' : row === 'unsent' ? 'unsent' : 'sent'
    const of = { JobId, Row }
    const relist = Kind === 'relist' ? readPayload(Kind, payload, of) : undefined
    const item: AddedItem = relist?.Request ?? readPayload('add-item', payload, of)
    note(item.OwnReferences ?? [], {
      jobId: PartOf ?? JobId,
      requestId: RequestId,
      itemId: Id,
      state,
      at: CreatedAt,
      starts: item.ActivateDate ?? relist?.StartsAt ?? null,
    })
  }
}

function noteListing(ledger: Ledger, { JobId, State, CreatedAt }: JobRecord, note: Note): void {
  if (!LISTINGS.includes(State)) return
  const { itemRequest } = ledger.jobs.detail(JobId, LISTING_DETAIL)
  if (itemRequest === undefined) return
  const request = ledger.requests.list({ jobId: JobId, operation: 'AddItem', limit: 1 })[0]
  note(itemRequest.OwnReferences ?? [], {
    jobId: JobId,
    requestId: request?.RequestId ?? null,
    itemId: request?.ItemId ?? null,
    state: State === 'ok' ? 'added' : request === undefined ? 'unsent' : 'sent',
    at: CreatedAt,
    starts: null,
  })
}

function noteRequests({ requests }: Ledger, shop: ShopKey, note: Note): void {
  for (const { RequestId, ItemId, State, SentAt, Adds } of requests.standing(shop, { adds: true }))
    note(Adds.OwnReferences ?? [], {
      jobId: null,
      requestId: RequestId,
      itemId: ItemId,
      state: State === 'ok' ? 'added' : 'sent',
      at: SentAt,
      starts: Adds.ActivateDate ?? null,
    })
}
