/** Signs of life: when something that runs unattended was last seen, and what was shown of it. */
import type { Clock } from '../../soap/client/index.js'
import type { Store } from '../../system/sqlite.js'

/**
 * due: a run of jobs:due; schedule: what schedule:show has shown; overdue: a person was told that work is overdue; backup: the newest copy,
 * and backup schedule what was shown for it, both of no profile.
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
    /** Notes that it was seen now. */
    note(profile: string, name: SignName, detail: unknown = null): void {
      store.put('signs', { profile, name, at: clock.now(), detail: JSON.stringify(detail) })
    },
    /** Notes that it was seen now, of many profiles at once: one flush of the disk for all. */
    noteAll(profiles: Iterable<string>, name: SignName, detail: unknown = null): void {
      store.transaction(() => {
        for (const profile of profiles) this.note(profile, name, detail)
      })
    },
    last(profile: string, name: SignName): Sign | undefined {
      const sql = 'SELECT at, detail FROM signs WHERE profile = ? AND name = ?'
      const found = store.first<{ at: number; detail: string | null }>(sql, profile, name)
      return found && { at: found.at, detail: JSON.parse(found.detail ?? 'null') }
    },
  }
}
