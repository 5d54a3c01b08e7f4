/** Signs of life: when something that runs unattended was last seen, and what was shown of it. */
import type { Clock } from '../../soap/client/index.js'
import type { Store } from '../../system/sqlite.js'

/**
 * due: a run of jobs:due; schedule: what schedule:show has shown; overdue: a person was told that work is overdue; backup: the
 * newest copy, and backup schedule what was shown for it, both of no profile.
 */
export type SignName = 'due' | 'schedule' | 'overdue' | 'backup' | 'backup schedule'

export interface Sign {
  /** ms since 1970 */
  readonly at: number
  readonly detail: unknown
}

export type Signs = ReturnType<typeof openSigns>

export function openSigns(store: Store, clock: Clock) {
  return {
    /** Notes that it was seen now. Nothing is decided by it, so it flushes nothing. */
    note(profile: string, name: SignName, detail: unknown = null): void {
      store.light(() => store.put('signs', { profile, name, at: clock.now(), detail: JSON.stringify(detail) }))
    },
    /** Notes it of many profiles at once. @param detailOf from the sign before */
    noteAll(profiles: Iterable<string>, name: SignName, detailOf: (last: Sign | undefined) => unknown): void {
      store.light(() => {
        for (const profile of profiles) this.note(profile, name, detailOf(this.last(profile, name)))
      })
    },
    last(profile: string, name: SignName): Sign | undefined {
      const sql = 'SELECT at, detail FROM signs WHERE profile = ? AND name = ?'
      const sign = store.first<{ at: number; detail: string | null }>(sql, profile, name)
      return sign && { at: sign.at, detail: JSON.parse(sign.detail ?? 'null') }
    },
  }
}
