/** Electronic-ID sessions that were begun with this ledger. Their order references let another process follow or cancel them. */

import type { Clock } from '../../soap/client/index.js'
import type { Store } from '../../system/sqlite.js'

export type EidOutcome = 'completed' | 'failed' | 'cancelled'

export interface EidSessionRow {
  readonly EidOrderRef: string
  /** ms since 1970. */
  readonly BegunAt: number
  /** The last known outcome; null while the session is not known to have ended. */
  readonly Outcome: EidOutcome | null
}

/** The owner of a session. */
export interface EidOwner {
  readonly profile: string
  readonly userId: number | undefined
}

export type EidSessions = ReturnType<typeof openEidSessions>

export function openEidSessions(store: Store, clock: Clock) {
  return {
    /** Records a session as soon as the service has answered with its reference. */
    begin(orderRef: string, { profile, userId }: EidOwner): void {
      const session = { order_ref: orderRef, profile, user_id: userId, begun_at: clock.now() }
      store.insert('eid_sessions', session, 'ON CONFLICT DO NOTHING')
    },
    /** Records how a session ended. Does nothing if it was not begun here, or has ended already. */
    end(orderRef: string, outcome: EidOutcome): void {
      store.update('eid_sessions', { ended_at: clock.now(), outcome }, { order_ref: orderRef, outcome: null })
    },
    /** The session that was begun last, whether it has ended or not. */
    latest({ profile, userId }: EidOwner): EidSessionRow | undefined {
      return store.first<EidSessionRow>(
        `SELECT order_ref AS EidOrderRef, begun_at AS BegunAt, outcome AS Outcome FROM eid_sessions
         WHERE profile = ? AND user_id IS ? ORDER BY begun_at DESC, rowid DESC LIMIT 1`,
        ...[profile, userId],
      )
    },
  }
}
