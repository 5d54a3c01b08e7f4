/** Electronic-ID sessions that were begun from here: their order references, so that another process can follow or cancel them. */

import type { Clock } from '../../soap/client/index.js'
import type { Store } from '../../system/sqlite.js'

export type EidOutcome = 'completed' | 'failed' | 'cancelled'

export interface EidSessionRow {
  readonly EidOrderRef: string
  /** ms since 1970. */
  readonly BegunAt: number
  /** What it was last seen to have come to; null while it is not known to have ended. */
  readonly Outcome: EidOutcome | null
}

/** Whose session it is. */
export interface EidOwner {
  readonly profile: string
  readonly userId: number | undefined
}

export interface EidSessions {
  /** Records a session as soon as the service has answered with its reference. */
  begin(orderRef: string, owner: EidOwner): void
  /** Records how a session has ended; nothing where it was not begun from here, or has ended already. */
  end(orderRef: string, outcome: EidOutcome): void
  /** The session that was begun last, ended or not. */
  latest(owner: EidOwner): EidSessionRow | undefined
}

export function openEidSessions(store: Store, clock: Clock): EidSessions {
  return {
    begin(orderRef, { profile, userId }) {
      store.run(
        'INSERT INTO eid_sessions (order_ref, profile, user_id, begun_at) VALUES (?, ?, ?, ?) ON CONFLICT (order_ref) DO NOTHING',
        ...[orderRef, profile, userId, clock.now()],
      )
    },
    end(orderRef, outcome) {
      store.run(
        'UPDATE eid_sessions SET ended_at = ?, outcome = ? WHERE order_ref = ? AND outcome IS NULL',
        ...[clock.now(), outcome, orderRef],
      )
    },
    latest({ profile, userId }) {
      return store.first<EidSessionRow>(
        `SELECT order_ref AS EidOrderRef, begun_at AS BegunAt, outcome AS Outcome FROM eid_sessions
         WHERE profile = ? AND user_id IS ? ORDER BY begun_at DESC, rowid DESC LIMIT 1`,
        ...[profile, userId],
      )
    },
  }
}
