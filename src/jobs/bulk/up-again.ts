/** Auctions that are up again: what this ledger has put up, and what happened since a plan was made. */

import { instantOf } from '../../contract/index.js'
import { type Hold, held } from '../../holds/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { Ledger } from '../ledger/ledger.js'
import { readOldPayload, readPayload } from './payloads.js'
import { startOf } from './relist.js'
import { bulkRows } from './show.js'
import type { BulkRow, BulkRowState } from './types.js'

/** An auction that a job has put up again, or will. */
export interface Relist {
  readonly jobId: number
  readonly state: Extract<BulkRowState, 'unsent' | 'sending' | 'queued' | 'ok' | 'unknown'>
  /** Its new id; null until the service has given one. */
  readonly itemId: number | null
  /** When that was planned, ms since 1970. */
  readonly at: number
  /** The start prices, kronor. */
  readonly from: number | null
  readonly to: number
  /** When the auction that ended had started, ms. */
  readonly startedAt: number | null
}

const PUT_UP = ['unsent', 'sending', 'queued', 'ok', 'unknown'] as const satisfies readonly BulkRowState[]

/** Relists of a shop's jobs, by the id of the auction that ended. */
export function findRelists(ledger: Ledger, shop: { profile: string; userId: number | null }): Map<number, Relist> {
  const relists = new Map<number, Relist>()
  for (const { JobId, State, CreatedAt } of ledger.jobs.list({ ...shop, kind: 'relist' }).reverse()) {
    for (const row of bulkRows(ledger, JobId, PUT_UP)) {
      // A dropped job's rows are never sent.
      if (State === 'cancelled' && row.State === 'unsent') continue
      const { OpeningPrice: from = null, StartDate } = readOldPayload('relist', row.OldPayload, row) ?? {}
      const { OpeningPrice: to, Request } = readPayload('relist', row.Payload, row)
      const old = Request.RestartedFromItemId
      relists.set(old, {
        ...{ jobId: JobId, state: row.State as Relist['state'], itemId: row.Id === old ? null : row.Id },
        ...{
          at: Date.parse(CreatedAt),
          from,
          to,
          startedAt: StartDate === undefined ? null : instantOf(StartDate),
        },
      })
    }
  }
  return relists
}

/** The ids of an auction from the first time it was put up to the last, as far as the jobs tell. */
export function chainOf(relists: ReadonlyMap<number, Relist>): (itemId: number) => number[] {
  const before = new Map([...relists].flatMap(([old, { itemId }]) => (itemId === null ? [] : [[itemId, old] as const])))
  return (itemId) => {
    const ids = [itemId]
    for (let id = before.get(itemId); id !== undefined; id = before.get(id)) ids.unshift(id)
    for (let id = relists.get(itemId)?.itemId ?? null; id !== null; id = relists.get(id)?.itemId ?? null) ids.push(id)
    return ids
  }
}

/**
 * Why rows that are due must not be sent any more: their own reference is live by now. By BulkRow.Row. Each row asks the service
 * about restarts right before it is sent.
 */
export async function whyUpAgain(ledger: Ledger, jobId: number, live: LiveItems): Promise<Map<number, Hold>> {
  const now = ledger.clock.now()
  // A row with a request may be what is live: it asks for itself.
  const rows = [...bulkRows(ledger, jobId, ['unsent'])].filter(
    (row) => row.RequestId === null && startOf(readPayload('relist', row.Payload, row)) <= now,
  )
  const wantedReferences = new Set(rows.flatMap(references))
  const itemByReference = new Map<string, number>()
  for await (const { Id, OwnReferences = [] } of live)
    for (const reference of OwnReferences.map((text) => text.trim()))
      if (wantedReferences.has(reference)) itemByReference.set(reference, Id)
  const reasons = new Map<number, Hold>()
  for (const row of rows) {
    for (const OwnReference of references(row)) {
      const Item = itemByReference.get(OwnReference)
      if (Item === undefined) continue
      reasons.set(row.Row, held('reference_relisted', { OwnReference, Item }))
      break
    }
  }
  return reasons
}

function references(row: BulkRow): string[] {
  const own = readPayload('relist', row.Payload, row).Request.OwnReferences ?? []
  return own.map((text) => text.trim()).filter((text) => text !== '')
}
