/**
 * Items that wait for their start, as far as this ledger knows: the service lists none of them before (docs/service.md, Listing
 * items).
 */
import { instantOf } from '../contract/index.js'
import type { ScheduledItem } from '../contract/scheduled.js'
import { readPayload } from './bulk/payloads.js'
import { bulkRows } from './bulk/show.js'
import type { BulkRowState } from './bulk/types.js'
import type { JobRecord, ShopKey } from './ledger/jobs.js'
import type { Ledger } from './ledger/ledger.js'
import type { AddedItem } from './ledger/requests.js'
import { findRemovals } from './removed.js'

const STATES: readonly BulkRowState[] = ['unsent', 'sending', 'queued', 'ok', 'unknown']

/** A fact about an item, and when it was recorded, ms since 1970. */
interface Noted {
  readonly at: number
  readonly item: ScheduledItem
}

/** @returns the items of a shop that start later, the next first */
export function scheduledItems(ledger: Ledger, shop: ShopKey): ScheduledItem[] {
  const now = ledger.clock.now()
  const notes = [...noteJobs(ledger, shop), ...noteRequests(ledger, shop)].sort((one, other) => one.at - other.at)
  const notedItems = new Map<number, Noted>()
  const nameless: Noted[] = []
  for (const note of notes) {
    const { Id, ShortDescription: title, OwnReference } = note.item
    if (Id === null) {
      nameless.push(note)
      continue
    }
    // A later date is set without the title.
    const before = notedItems.get(Id)?.item
    const item = { ...note.item, ShortDescription: title ?? before?.ShortDescription ?? null }
    notedItems.set(Id, { ...note, item: { ...item, OwnReference: OwnReference ?? before?.OwnReference ?? null } })
  }
  const later = [...notedItems.values(), ...nameless].filter(({ item }) => instantOf(item.StartDate) > now)
  if (later.length === 0) return []
  const removals = findRemovals(ledger, shop, Math.min(...later.map(({ at }) => at)))
  return later
    .filter(({ at, item }) => !isRemoved(item.Id === null ? undefined : removals.get(item.Id)?.at, at))
    .map(({ item }) => item)
    .sort((one, other) => instantOf(one.StartDate) - instantOf(other.StartDate) || (one.Id ?? 0) - (other.Id ?? 0))
}

/** @param removed when it was removed, ISO 8601 @param noted ms since 1970 */
function isRemoved(removedAt: string | undefined, notedAt: number): boolean {
  return removedAt !== undefined && Date.parse(removedAt) >= notedAt
}

/** A start in the rows of a batch: other batches are not read. A dateTime begins with its year. */
const HAS_START = `payloads LIKE '%"ActivateDate":"%' OR payloads LIKE '%"StartsAt":"%'`

function* noteJobs(ledger: Ledger, { profile, userId }: ShopKey): Generator<Noted> {
  const itemJobs = new Set(
    ledger.store
      .all<{ job_id: number }>(`SELECT DISTINCT job_id FROM bulk_batches WHERE ${HAS_START}`)
      .map(({ job_id: jobId }) => jobId),
  )
  if (itemJobs.size === 0) return
  for (const job of ledger.jobs.list({ profile, userId, kind: ['add-shop', 'activate', 'update', 'relist'] }))
    if (itemJobs.has(job.JobId)) yield* noteRows(ledger, job)
}

function* noteRows(ledger: Ledger, job: JobRecord): Generator<Noted> {
  const { JobId, PartOf, Kind, CreatedAt } = job
  const relists = Kind === 'relist'
  for (const row of bulkRows(ledger, JobId, relists ? ['unsent', 'sending'] : STATES)) {
    const { State, Payload, Id, Title, OwnReference, RequestId } = row
    // A dropped job's rows are never sent.
    if (State === 'unsent' && job.State === 'cancelled') continue
    const StartDate = relists
      ? readPayload('relist', Payload, row).StartsAt
      : ((Payload as AddedItem | null)?.ActivateDate ?? null)
    if (StartDate === null || !isInstant(StartDate)) continue
    const references = relists ? undefined : (Payload as AddedItem | null)?.OwnReferences
    yield {
      at: Date.parse(CreatedAt),
      item: {
        ...{ Id, ShortDescription: Title, OwnReference: OwnReference ?? references?.[0] ?? null, StartDate, RequestId },
        ItemType: relists ? 'Auction' : 'ShopItem',
        State: State === 'ok' ? 'scheduled' : State === 'unsent' ? 'unsent' : 'sent',
        JobId: PartOf ?? JobId,
      },
    }
  }
}

function* noteRequests({ requests }: Ledger, shop: ShopKey): Generator<Noted> {
  for (const { RequestId, ItemId: Id, Subject, State, SentAt, Adds } of requests.standing(shop, { adds: true })) {
    const { OwnReferences, ActivateDate: StartDate } = Adds
    if (typeof StartDate !== 'string' || !isInstant(StartDate)) continue
    const item = {
      Id,
      ShortDescription: Subject,
      OwnReference: OwnReferences?.[0] ?? null,
      ItemType: 'ShopItem',
      StartDate,
    } as const
    yield { at: Date.parse(SentAt), item: { ...item, State: State === 'ok' ? 'scheduled' : 'sent', JobId: null, RequestId } }
  }
}

function isInstant(text: string): boolean {
  return !Number.isNaN(instantOf(text))
}
