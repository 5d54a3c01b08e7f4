/**
 * Orders, or events of the books, in exports of new ones, so that nothing is in two files. They are entered when the file is
 * whole on the disk and before it gets its name; what a killed process left is decided by the file itself.
 */
import { rmSync, statSync } from 'node:fs'
import type { Clock } from '../../soap/client/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import { isAtWork, thisProcess } from '../../system/process-owner.js'
import type { Store } from '../../system/sqlite.js'
import type { NameEntry } from '../../system/whole-file.js'
import { JobsError } from './errors.js'
import { type SalesOwner, shopNumber } from './transactions.js'

/** A process that cannot be judged, and has been silent for so long, no longer writes its file, ms. */
const ABANDONED_AFTER_MS = 15 * MINUTE_MS

/** An order, or one event of the books with what was booked. */
export interface Exported {
  /** Id of the order; 0 if it has none. */
  readonly id: number
  /** Empty for an order as a whole. */
  readonly event: string
  /** JSON; null for an order as a whole. */
  readonly body: string | null
  /** When it was exported, ms since 1970. */
  readonly at: number
}

/** Mark of the first export for its begin; it is in no file. */
const BEGIN = { id: 0, event: 'begin' } as const
/** Id of the mark of a file that is whole, and of which nothing is entered yet. */
const MADE = -1

/** An export whose file may have been taken away, or may never have had its name. */
export interface UnsureExport {
  readonly file: string
  /** Where the file was made. */
  readonly half: string
  readonly orders: number
  /** ms since 1970. */
  readonly at: number
}

export type Exports = ReturnType<typeof openExports>

/** @param form of the export: each has its own record */
export function openExports({ store, clock }: { readonly store: Store; readonly clock: Clock }, owner: SalesOwner, form: string) {
  const key = { shop_id: shopNumber(store, owner), form }
  const where = 'shop_id = ?1 AND form = ?2'
  const finish = (half: string): void => {
    store.update('exported_orders', { half: null, inode: null, owner: null }, { ...key, half })
  }
  const forget = (half: string, more = ''): void => {
    store.run(`DELETE FROM exported_orders WHERE ${where} AND half = ?3 ${more}`, ...Object.values(key), half)
  }
  const markMade = (made: typeof key & { at: number; file: string; half: string; inode: string; owner: string }): void =>
    store.transaction(() => {
      forget(made.half)
      store.put('exported_orders', { ...made, id: MADE, event: made.half, body: null })
    })
  const rows = <T>(columns: string, more: string): T[] =>
    store.all<T>(`SELECT ${columns} FROM exported_orders WHERE ${where} ${more}`, ...Object.values(key))
  const isEntry = `AND id > ${MADE} AND NOT (id = 0 AND event = 'begin')`
  return {
    /** The orders that were exported. */
    ids(): ReadonlySet<number> {
      return new Set(rows<{ id: number }>('DISTINCT id', isEntry).map(({ id }) => id))
    },
    /** Everything that was exported, in the order of the exports. */
    all(): Exported[] {
      return rows<Exported>('id, event, body, at', `${isEntry} ORDER BY at, id, event`)
    },
    /** The last export: when, ms, and its orders; undefined before the first. @param unsure then these, if there are any */
    last(
      unsure: readonly UnsureExport[] = [],
    ): { readonly at: number; readonly ids: readonly number[]; readonly entries: readonly Exported[] } | undefined {
      const times = unsure.map(({ at }) => at).join(', ') || `SELECT max(at) FROM exported_orders WHERE ${where} ${isEntry}`
      const entries = rows<Exported>('id, event, body, at', `${isEntry} AND at IN (${times}) ORDER BY id, event`)
      return entries[0] && { at: entries[0].at, ids: [...new Set(entries.map(({ id }) => id))], entries }
    },
    /** The day on which the books begin, as the first export said; undefined before it. */
    begin(): string | undefined {
      return rows<{ body: string }>('body', `AND id = 0 AND event = 'begin'`)[0]?.body
    },
    /**
     * Enters orders or events while a file gets its name.
     * @param begin the day on which the books begin
     * @throws {JobsError} export_taken if another process has entered one of them
     */
    entry(
      entries: readonly (number | Omit<Exported, 'at'>)[],
      { at, begin }: { readonly at?: number; readonly begin?: string | undefined } = {},
    ): NameEntry {
      let half = ''
      const making = (file: string, beside: string) => {
        half = beside
        return { ...key, at: at ?? clock.now(), file, half, inode: readInode(beside) ?? '', owner: thisProcess() }
      }
      return {
        made: (file, beside) => markMade(making(file, beside)),
        begun(file, beside) {
          const made = making(file, beside)
          store.transaction(() => {
            forget(half, `AND id = ${MADE}`)
            for (const entry of entries) {
              const { id, event, body } = typeof entry === 'number' ? { id: entry, event: '', body: null } : entry
              if (store.insert('exported_orders', { ...made, id, event, body }, 'ON CONFLICT DO NOTHING').changes === 0)
                throw takenError(id)
            }
            if (begin !== undefined) store.put('exported_orders', { ...key, ...BEGIN, body: begin, at: made.at, file })
          })
        },
        named: () => finish(half),
        undone: () => forget(half),
      }
    },
    /**
     * Decides what killed processes have left: orders of a file without its name are new again, those of one that has it are
     * exported. Where neither file is there, they count as exported, and every run returns them until `settle` is called: a
     * process that is killed before the seller has read of them changes nothing.
     */
    recover(): UnsureExport[] {
      const open = rows<UnsureExport & { inode: string; owner: string; isMade: number }>(
        `file, half, inode, owner, at, count(DISTINCT id) AS orders, max(id) = ${MADE} AS isMade`,
        'AND half IS NOT NULL GROUP BY half',
      )
      return open.filter(({ file, half, inode, owner: by, at, isMade }) => {
        if (isAtWork(by, { silentMs: clock.now() - at, patienceMs: ABANDONED_AFTER_MS })) return false
        if (readInode(file) === inode) {
          finish(half)
          return false
        }
        const isHalf = readInode(half) === inode
        if (!isHalf && isMade === 0) return true
        // In this order also a process that is killed here leaves neither orders in doubt nor a file that nobody knows of.
        if (isMade === 0) markMade({ ...key, at, file, half, inode, owner: by })
        if (isHalf) rmSync(half, { force: true })
        forget(half)
        return false
      })
    },
    /** The seller has what exports that are unsure had, in a file of --again. */
    settle(unsure: readonly UnsureExport[]): void {
      for (const { half } of unsure) finish(half)
    },
  }
}

function takenError(orderId: number): JobsError {
  return new JobsError(
    'export_taken',
    `Another process exports order ${orderId} at this moment.`,
    'Nothing was written. Run one export with --new at a time.',
    { orderId },
  )
}

/** Identity of a file, under any name; undefined if it does not exist. */
function readInode(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}
