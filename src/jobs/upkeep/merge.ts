/**
 * Rows that one ledger has and another lacks, by SQL on both files. Rows are the same where all that never changes of them is:
 * two ledgers that went on from one copy give the same ids to different jobs, and those get new ids.
 */
import type { SqlValue, Store } from '../../system/sqlite.js'
import { LedgerError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { BELONGING } from './tables.js'

/** Tables whose rows have ids of their own, with the columns that never change. */
const OWN_IDS = {
  jobs: { id: 'id', fixed: ['kind', 'profile', 'title', 'created_at'] },
  discounts: { id: 'id', fixed: ['profile', 'name', 'created_at'] },
  requests: { id: 'row', fixed: ['operation', 'profile', 'subject', 'sent_at'] },
  shop_runs: { id: 'id', fixed: ['command', 'at'] },
} as const
type Numbered = keyof typeof OWN_IDS

/** Columns that hold ids of another table. */
const REFERS: Readonly<Record<string, Numbered | 'sales_shops'>> = {
  job_id: 'jobs',
  undo_of: 'jobs',
  part_of: 'jobs',
  discount_id: 'discounts',
  run_id: 'shop_runs',
  shop_id: 'sales_shops',
}

/**
 * Tables by keys of their own, each with the column that says which of two rows of one key is later: the later one counts, and
 * without one the other's, where that ledger goes on from this. What is stored first counts in a table that is FIRST. What was
 * delivered, exported, printed or forgotten is never lost. What the service tells again (sales, orders) is read again.
 */
const FIRST = 'first'
const KEYED = {
  costs: FIRST,
  own_references: 'seen_at',
  order_marks: undefined,
  exported_orders: undefined,
  forgotten_orders: undefined,
  printed_labels: undefined,
  sale_watches: 'looked_at',
  watched_sales: 'changed_at',
  eid_sessions: undefined,
  shop_closings: 'changed_at',
  stock_shops: 'seen_at',
  bulk_settings: FIRST,
  signs: 'at',
} as const

/** The newer file of one lineage says how it is; the whole table is taken. */
const WHOLE = ['discount_prices', 'price_shops', 'price_readings', 'price_folds'] as const

/** Records that are named where only the other ledger has them, with their ids and words there. */
const NAMED = [
  ['job', 'jobs', 'id', 'title', 'part_of IS NULL'],
  ['discount', 'discounts', 'id', "name || ' (' || state || ')'", 'true'],
  ['request', 'requests', 'coalesce(request_id, row)', "operation || ' ' || subject", 'job_id IS NULL'],
] as const

/** A record that only the other ledger has. */
export interface OnlyThere {
  readonly What: 'job' | 'discount' | 'request'
  /** In the other ledger. */
  readonly Id: number
  readonly Words: string
}

export interface Merge {
  /** Rows that only the other ledger has, jobs and discounts first. */
  readonly only: readonly OnlyThere[]
  /** Records that both have, and that are newer there. */
  readonly newer: number
  /** Calls that only it has: they count for the budget. */
  readonly calls: number
  /** Parts of it that cannot be read. */
  readonly unreadable: readonly string[]
}

/** Opens the other file beside a ledger, for merging. Close it before the ledger is. */
export class OtherLedger {
  readonly #store: Store
  readonly #unreadable: string[] = []
  /** True if they have a history in common that goes on in the other one. */
  readonly #continues: boolean

  /**
   * @param path of a closed file of the same layout
   * @param lastRecords when each last recorded something, ms since 1970
   */
  constructor(ledger: Ledger, path: string, lastRecords: { readonly here: number; readonly there: number }) {
    this.#store = ledger.store
    this.#store.exec(`ATTACH '${path.replaceAll("'", "''")}' AS other`)
    for (const [table, { id, fixed }] of Object.entries(OWN_IDS)) {
      this.#read(table, () => {
        const same = fixed.map((column) => `o.${column} IS m.${column}`).join(' AND ')
        this.#store.exec(`CREATE TEMP TABLE map_${table} (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, same INTEGER NOT NULL);
          INSERT INTO map_${table} SELECT o.${id}, o.${id}, 1 FROM other.${table} o JOIN main.${table} m ON m.${id} = o.${id} AND ${same}`)
        const rowCount = this.#store.number(
          `SELECT count(*) FROM other.${table} o JOIN main.${table} m ON m.${id} = o.${id} WHERE o.${id} NOT IN (SELECT old FROM map_${table})`,
        )
        // By one step for all: a job refers to jobs with lower ids alone.
        const step = rowCount === 0 ? 0 : this.#store.number(`SELECT max(${id}) FROM main.${table}`)
        this.#store.run(
          `INSERT INTO map_${table} SELECT ${id}, ${id} + ?, 0 FROM other.${table} WHERE ${id} NOT IN (SELECT old FROM map_${table})`,
          step,
        )
      })
    }
    this.#read('sales_shops', () => {
      this.#store.exec(`INSERT INTO main.sales_shops (profile, address, user_id) SELECT profile, address, user_id FROM other.sales_shops WHERE true
          ON CONFLICT DO NOTHING;
        CREATE TEMP TABLE map_sales_shops (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        INSERT INTO map_sales_shops SELECT o.id, m.id FROM other.sales_shops o JOIN main.sales_shops m USING (profile, address, user_id)`)
    })
    const some = (where: string): boolean =>
      Object.keys(OWN_IDS).some((table) => this.#has(`map_${table}`) && this.#count(`map_${table} WHERE ${where}`) > 0)
    this.#continues = some('same = 1') && !some('old <> new') && lastRecords.there > lastRecords.here
  }

  /** Rows that exist only there. Changes nothing. */
  difference(): Omit<Merge, 'unreadable'> {
    const only = NAMED.flatMap(([What, table, id, words, where]) => {
      const own = OWN_IDS[table].id
      const rows = this.#read(table, () =>
        this.#store.all<Omit<OnlyThere, 'What'>>(`SELECT ${id} AS Id, ${words} AS Words FROM other.${table}
          WHERE ${where} AND ${own} IN (SELECT old FROM map_${table} WHERE same = 0) ORDER BY ${own}`),
      )
      return (rows ?? []).map(({ Id, Words }): OnlyThere => ({ What, Id, Words }))
    })
    const newer = this.#continues
      ? this.#read('jobs', () =>
          this.#count(`other.jobs o JOIN main.jobs m ON m.id = o.id
            WHERE o.id IN (SELECT old FROM map_jobs WHERE same = 1) AND (o.state, o.counts) IS NOT (m.state, m.counts)`),
        )
      : 0
    const calls = this.#has('map_jobs') ? this.#read('calls', () => this.#count(`other.calls o WHERE ${NEW_CALL}`)) : 0
    return { only, newer: newer ?? 0, calls: calls ?? 0 }
  }

  /**
   * Takes over what is only there, and how things stand there where it goes on from this ledger. Each part is taken whole, or not
   * at all.
   */
  take(): void {
    for (const table of Object.keys(OWN_IDS) as Numbered[]) this.#takeNumbered(table)
    for (const [table, of, column] of BELONGING) {
      this.#take(table, () => {
        const which = `SELECT old FROM map_${of}${this.#continues ? '' : ' WHERE same = 0'}`
        if (this.#continues && table !== 'bulk_batches') {
          this.#store.exec(`DELETE FROM main.${table} WHERE ${column} IN (SELECT new FROM map_${of} WHERE same = 1)`)
        }
        this.#insert(table, `WHERE ${column} IN (${which})`, 'ON CONFLICT DO NOTHING')
      })
    }
    for (const table of Object.keys(KEYED) as (keyof typeof KEYED)[]) this.#take(table, () => this.#insertKeyed(table))
    if (this.#continues) {
      for (const table of WHOLE) {
        this.#take(table, () => {
          // Their ids are those of one file.
          if (table === 'price_shops') this.#store.exec('DELETE FROM main.price_readings')
          this.#store.exec(`DELETE FROM main.${table}`)
          this.#insert(table, '', '')
        })
      }
    } else this.#take('discount_prices', () => this.#insert('discount_prices', '', 'ON CONFLICT DO NOTHING'))
    this.#take('calls', () => this.#insert('calls', `o WHERE ${NEW_CALL}`, '', ['id']))
    this.#take('jobs', () => this.#renumberDetails())
    this.#forgetAgain()
  }

  /** Keeps forgotten people forgotten, also where nothing else is taken over. */
  takeForgotten(): void {
    this.#take('forgotten_orders', () => this.#insertKeyed('forgotten_orders'))
    this.#forgetAgain()
  }

  /** Whatever has an id there never gives it to something else here: a note of the seller may name it. */
  reserveIds(): void {
    this.#read('sqlite_sequence', () =>
      this.#store.exec(`UPDATE main.sqlite_sequence SET seq = max(seq, coalesce((SELECT seq FROM other.sqlite_sequence o WHERE o.name = sqlite_sequence.name), 0));
        INSERT INTO main.sqlite_sequence SELECT name, seq FROM other.sqlite_sequence WHERE name NOT IN (SELECT name FROM main.sqlite_sequence)
          AND name IN (SELECT name FROM main.sqlite_master)`),
    )
  }

  get unreadable(): readonly string[] {
    return [...new Set(this.#unreadable)]
  }

  close(): void {
    for (const table of [...Object.keys(OWN_IDS), 'sales_shops']) this.#store.exec(`DROP TABLE IF EXISTS temp.map_${table}`)
    this.#store.exec('DETACH other')
  }

  #takeNumbered(table: Numbered): void {
    const { id } = OWN_IDS[table]
    this.#take(table, () => {
      if (this.#continues) {
        const set = this.#columns(table).filter((column) => column !== id)
        const values = set.map((column) => `${column} = ${mapped(column, 'o')}`).join(', ')
        this.#store.exec(`UPDATE main.${table} SET ${values} FROM other.${table} o, map_${table} x
          WHERE x.old = o.${id} AND x.same = 1 AND main.${table}.${id} = x.new`)
      }
      this.#insert(table, `WHERE ${id} IN (SELECT old FROM map_${table} WHERE same = 0) ORDER BY ${id}`, '', [], { [id]: table })
    })
    // Rows that belong to rows which could not be taken are not taken either.
    if (this.#unreadable.includes(table)) this.#store.exec(`DROP TABLE IF EXISTS temp.map_${table}`)
  }

  /** The later time counts of rows that both have, and what is settled: a delivery that was made stays made. */
  #insertKeyed(table: keyof typeof KEYED): void {
    const later = KEYED[table]
    if (later === FIRST || !(this.#continues || table === 'signs')) {
      this.#insert(table, '', 'ON CONFLICT DO NOTHING')
      return
    }
    const set = this.#columns(table).map((column) => `${column} = excluded.${column}`)
    const where = later === undefined ? '' : ` WHERE coalesce(excluded.${later}, 0) >= coalesce(${table}.${later}, 0)`
    this.#insert(table, 'WHERE true', `ON CONFLICT DO UPDATE SET ${set.join(', ')}${where}`)
  }

  /** Inserts rows of the other file, with the ids that they have here. */
  #insert(
    table: string,
    where: string,
    conflict: string,
    without: readonly string[] = [],
    own: Readonly<Record<string, Numbered>> = {},
  ): void {
    const columns = this.#columns(table).filter((column) => !without.includes(column))
    // Shops of the price history are taken with their ids.
    const isOwn = (column: string): boolean => table === 'price_readings' && column === 'shop_id'
    const values = columns.map((column) => (isOwn(column) ? column : mapped(column, undefined, own[column])))
    const from = where === '' && conflict !== '' ? 'WHERE true' : where
    this.#store.exec(
      `INSERT INTO main.${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM other.${table} ${from} ${conflict}`,
    )
  }

  /** The jobs that a job undoes stand in its details too. */
  #renumberDetails(): void {
    const movedIds = this.#store.rows<[number, number]>('SELECT old, new FROM map_jobs WHERE old <> new')
    if (movedIds.length === 0) return
    const news = new Map(movedIds)
    for (const { id, detail } of this.#store.all<{ id: number; detail: string }>(
      `SELECT id, detail FROM main.jobs WHERE id IN (SELECT new FROM map_jobs WHERE same = 0) AND detail LIKE '%"undoOf"%'`,
    )) {
      const jobDetail = JSON.parse(detail) as { undoOf?: readonly number[] }
      if (!Array.isArray(jobDetail.undoOf)) continue
      const undoOf = jobDetail.undoOf.map((each) => news.get(each) ?? each)
      this.#store.update('jobs', { detail: JSON.stringify({ ...jobDetail, undoOf }) }, { id })
    }
  }

  /** A copy with buyers may be older than what was forgotten. */
  #forgetAgain(): void {
    this.#store.exec(`PRAGMA secure_delete = ON;
      DELETE FROM main.order_people WHERE EXISTS (SELECT 1 FROM main.forgotten_orders f WHERE f.shop_id = order_people.shop_id AND f.id = order_people.id)`)
  }

  #columns(table: string): string[] {
    return this.#store.rows<[string]>("SELECT name FROM pragma_table_info(?, 'main')", table).map(([name]) => name)
  }

  #count(from: string, ...values: readonly SqlValue[]): number {
    return this.#store.number(`SELECT count(*) FROM ${from}`, ...values)
  }

  #has(map: string): boolean {
    return this.#store.first('SELECT 1 FROM temp.sqlite_master WHERE name = ?', map) !== undefined
  }

  #take(table: string, work: () => void): void {
    this.#read(table, () => this.#store.transaction(work))
  }

  /** Reads a part; a damaged one is left out, and named. Anything else is an error. */
  #read<T>(table: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const isNoMap = error instanceof Error && /no such table: (?:temp\.)?map_/.test(error.message)
      if (!isNoMap && !(error instanceof LedgerError && error.kind === 'damaged')) throw error
      this.#unreadable.push(table)
      return undefined
    }
  }
}

const NEW_CALL = `NOT EXISTS (SELECT 1 FROM main.calls c WHERE c.at = o.at AND c.app_id = o.app_id AND c.operation = o.operation
  AND c.profile = o.profile AND c.attempt = o.attempt)`

/** A column, or the id that it means here. */
function mapped(column: string, row?: string, own?: Numbered): string {
  const name = row === undefined ? column : `${row}.${column}`
  const of = own ?? REFERS[column]
  // Nobody here holds a lock or a claim.
  if (column === 'lock_owner' || column === 'lock_beat') return 'NULL'
  return of === undefined ? name : `(SELECT x.new FROM map_${of} x WHERE x.old = ${name})`
}
