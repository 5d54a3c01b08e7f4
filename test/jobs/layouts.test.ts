/**
 * Ledgers of older versions, as those versions wrote them: `layouts/VERSION.sql`. Here their tables alone, each with one row of
 * values that all differ; test/e2e/older-ledgers.test.ts works on them as they are.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { packHold } from '../../src/holds/index.js'
import { LAYOUT_VERSION, TABLES } from '../../src/jobs/ledger/layout.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import type { SqlValue, Store } from '../../src/system/sqlite.js'
import { because } from '../said.js'
import { cleanUp, FakeClock, tablesOf, temporaryDirectory, temporaryLedger } from './harness.js'

/** Tables of version 0.2 that have another name now. */
const RENAMED: Readonly<Record<string, string>> = {
  sales: 'discounts',
  sale_items: 'discount_items',
  sale_prices: 'discount_prices',
  sale_jobs: 'discount_jobs',
  sale_changes: 'discount_changes',
  sale_claims: 'discount_claims',
}
const LAYOUTS = join(import.meta.dirname, 'layouts')

/** Tables, columns, keys and indexes, in an order that does not depend on how they were made. */
function structureOf(store: Store): object {
  const names = store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  return Object.fromEntries(
    names
      .map(({ name }) => name)
      .sort()
      .map((name) => [
        name,
        {
          columns: store.all('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY name', name),
          references: store.all('SELECT "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY "from"', name),
          rowIds: store.first('SELECT wr, strict FROM pragma_table_list WHERE name = ?', name),
          indexes: store
            .all<{ sql: string }>(
              "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql NOT NULL ORDER BY name",
              name,
            )
            .map(({ sql }) => sql.replaceAll('"', '')),
        },
      ]),
  )
}

/** One row in every table, with another value in every column, so that none can be mistaken for its neighbour. */
function fill(store: Store): Record<string, object> {
  store.exec('PRAGMA foreign_keys = OFF')
  const rows: Record<string, object> = {}
  for (const name of Object.keys(structureOf(store))) {
    const columns = store.all<{ name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)', name)
    const values = columns.map(({ name: column, type }, at): SqlValue => {
      if (column === 'at' || column === 'profile') return column === 'at' ? new FakeClock().now() : 'default'
      if (column === 'until_at') return new FakeClock().now() + 1
      return type === 'INTEGER' ? 1 : type === 'BLOB' ? new Uint8Array([at]) : `${name} ${at}`
    })
    store.run(`INSERT INTO ${name} (${columns.map((c) => c.name)}) VALUES (${columns.map(() => '?')})`, ...values)
    rows[name] = store.first(`SELECT * FROM ${name}`) as object
  }
  return rows
}

/** A row of an older version as this one keeps it: what was a text is a hold, which says that text. */
function upgraded(table: string, row: object): object {
  if ((RENAMED[table] ?? table) !== 'discount_items') return row
  const { reason } = row as { readonly reason: string }
  return { ...row, reason: packHold(because(reason)) }
}

describe('the layout of the ledger', () => {
  afterEach(cleanUp)

  for (const name of readdirSync(LAYOUTS).flatMap((file) => /^(.+)\.sql$/.exec(file)?.[1] ?? [])) {
    it(`is reached from that of version ${name}, with every record kept and a copy of the file before`, () => {
      const path = join(temporaryDirectory(), 'ledger.db')
      const older = openStore(path, 'power')
      older.exec(tablesOf(name))
      const version = older.first<{ user_version: number }>('PRAGMA user_version')?.user_version
      const rows = fill(older)
      older.close()

      const { store } = temporaryLedger(new FakeClock(), path)
      expect(structureOf(store)).to.deep.equal(structureOf(temporaryLedger().store))
      expect(store.first('PRAGMA user_version')).to.deep.equal({ user_version: LAYOUT_VERSION })
      for (const [table, row] of Object.entries(rows)) {
        const kept = store.first<object>(`SELECT * FROM ${RENAMED[table] ?? table}`)
        expect(Object.values(kept ?? {}), table).to.deep.include.members(Object.values(upgraded(table, row)))
      }
      expect(store.all('PRAGMA integrity_check')).to.deep.equal([{ integrity_check: 'ok' }])

      if (version === LAYOUT_VERSION) return
      const copy = `${path}.layout-${version}`
      expect(statSync(copy).mode & 0o777).to.equal(0o600)
      const kept = openStore(copy, 'power')
      expect(kept.first('PRAGMA user_version')).to.deep.equal({ user_version: version })
      // The copy stays for long, so it has no people.
      const { order_people: _, ...others } = rows
      for (const [table, row] of Object.entries(others)) expect(kept.first(`SELECT * FROM ${table}`), table).to.deep.equal(row)
      kept.close()
    })
  }

  for (const missing of [[], ['shop_closings', 'stock_shops', 'paced_jobs']])
    it(`is reached from layout 26, which has ${missing.length === 0 ? 'every table' : 'not every table'}`, () => {
      const path = join(temporaryDirectory(), 'ledger.db')
      const made = temporaryLedger(new FakeClock(), path)
      const older = made.store
      const rows = fill(older)
      for (const table of missing) older.exec(`DROP TABLE ${table}`)
      older.exec('PRAGMA user_version = 26')
      made.close()

      const { store } = temporaryLedger(new FakeClock(), path)
      expect(structureOf(store)).to.deep.equal(structureOf(temporaryLedger().store))
      expect(store.first('PRAGMA user_version')).to.deep.equal({ user_version: LAYOUT_VERSION })
      // The log of the file has a note of its own (jobs/ledger/log.ts).
      const noted = (table: string) => (table === 'bulk_settings' ? "WHERE name <> 'log_of_time'" : '')
      for (const [table, row] of Object.entries(rows))
        expect(store.first(`SELECT * FROM ${table} ${noted(table)}`), table).to.deep.equal(
          missing.includes(table) ? undefined : row,
        )
    })

  it('names every table by the name that it is made with', () => {
    for (const [name, sql] of Object.entries(TABLES)) expect(sql).to.match(new RegExp(`^\\s*CREATE TABLE ${name} \\(`))
  })
})
