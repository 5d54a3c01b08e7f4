/** Auctions that are up again: what this ledger has put up, and what happened since a plan was made. */
import { instantOf } from '../../contract/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import type { Ledger } from '../ledger/ledger.js'
import { type Relisted, type RelistToSend, restartedReason, restartsOf, startOf } from './relist.js'
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

/** What the jobs of a shop have put up again, by the id of the auction that ended. */
export function findRelists(ledger: Ledger, shop: { profile: string; userId: number | null }): Map<number, Relist> {
  const found = new Map<number, Relist>()
  for (const { JobId, State, CreatedAt } of ledger.jobs.list({ ...shop, kind: 'relist' }).reverse()) {
    for (const row of bulkRows(ledger, JobId, PUT_UP)) {
      // A dropped job's rows are never sent.
      if (State === 'cancelled' && row.State === 'unsent') continue
      const old = oldId(row)
      const { OpeningPrice = null, StartDate } = (row.OldPayload ?? {}) as Partial<Relisted>
      const { OpeningPrice: to } = row.Payload as RelistToSend
      found.set(old, {
        ...{ jobId: JobId, state: row.State as Relist['state'], itemId: row.Id === old ? null : row.Id },
        ...{
          at: Date.parse(CreatedAt),
          from: OpeningPrice,
          to,
          startedAt: StartDate === undefined ? null : instantOf(StartDate),
        },
      })
    }
  }
  return found
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

/** Rows of a job that wait for their time: when the next is sent, ms since 1970. A row that a dead process left is sent at once. */
export function nextStart(ledger: Pick<Ledger, 'store'>, jobId: number): number | undefined {
  const times = [...bulkRows(ledger, jobId, ['unsent', 'sending'])].map(({ Payload }) => startOf(Payload))
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Why rows that are due must not be sent any more: their auction is up again by now. By BulkRow.Row. */
export async function whyUpAgain(
  ledger: Ledger,
  jobId: number,
  live: LiveItems,
  client: Pick<SoapClient, 'call'>,
): Promise<Map<number, string>> {
  const now = ledger.clock.now()
  // A row with a request may be what is live: it asks for itself.
  const rows = [...bulkRows(ledger, jobId, ['unsent'])].filter((row) => row.RequestId === null && startOf(row.Payload) <= now)
  const wanted = new Set(rows.flatMap(references))
  const found = new Map<string, number>()
  for await (const { Id, OwnReferences = [] } of live)
    for (const reference of OwnReferences.map((text) => text.trim())) if (wanted.has(reference)) found.set(reference, Id)
  const reasons = new Map<number, string>()
  for (const row of rows) {
    const reference = references(row).find((own) => found.has(own))
    if (reference !== undefined)
      reasons.set(row.Row, `its own reference "${reference}" is live as item ${found.get(reference)} now`)
    else if ((row.Payload as RelistToSend).Restarts) {
      const restarts = await restartsOf(client, oldId(row))
      if (restarts !== null && restarts.length > 0) reasons.set(row.Row, restartedReason(restarts))
    }
  }
  return reasons
}

function oldId({ Payload }: Pick<BulkRow, 'Payload'>): number {
  return (Payload as RelistToSend).Request.RestartedFromItemId ?? 0
}

function references({ Payload }: Pick<BulkRow, 'Payload'>): string[] {
  const own = (Payload as RelistToSend).Request.OwnReferences ?? []
  return own.map((text) => text.trim()).filter((text) => text !== '')
}
