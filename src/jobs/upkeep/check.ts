/** Checks a ledger: it must be sound as a file and follow its own rules. */
import { aside } from '../../system/aside.js'
import { yieldToEventLoop } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { LAYOUT_VERSION } from '../ledger/layout.js'
import { checkBatches } from './check-batches.js'
import { checkPriceHistory } from './price-history.js'
import { type Finding, finding, RULES } from './tables.js'

/** The most problems of one kind that are listed; a damaged file may have thousands. */
const MOST_OF_A_KIND = 100

/**
 * Checks the file and its contents. It reads everything: about a second for 100 MB.
 * @returns what is wrong; nothing for a sound ledger
 * @throws LedgerError if the file is too damaged to be read at all; the reason of the signal
 */
export async function findFaults(store: Store, signal?: AbortSignal): Promise<Finding[]> {
  const file = await fileFaults(store, signal)
  // In a damaged file, the other checks would repeat this or read nonsense.
  if (file.length > 0) return file
  const findings = await referenceFaults(store, signal)
  const room = yieldToEventLoop(signal)
  for (const { check, what, must } of RULES) {
    for (const [problem, sql] of Object.entries(must)) {
      const brokenRows = store.all<{ at: number }>(`${sql} LIMIT ${MOST_OF_A_KIND}`)
      findings.push(...brokenRows.map(({ at }) => finding(check, `${what} ${at}`, problem)))
      await room()
    }
  }
  for (const problems of [checkBatches(store), checkPriceHistory(store)]) {
    for (const one of problems) {
      if (one !== undefined) findings.push(one)
      await room()
    }
  }
  return findings
}

async function fileFaults(store: Store, signal?: AbortSignal): Promise<Finding[]> {
  const version = store.number('PRAGMA user_version')
  const check = `PRAGMA integrity_check(${MOST_OF_A_KIND})`
  const rows = await aside(store, (run) => run<{ integrity_check: string }>(check), signal)
  const faults = rows.filter((row) => row.integrity_check !== 'ok').map((row) => finding('file', 'ledger', row.integrity_check))
  if (version !== LAYOUT_VERSION) {
    faults.push(finding('file', 'ledger', `its layout is ${version}, and this version of the tool works with ${LAYOUT_VERSION}`))
  }
  return faults
}

async function referenceFaults(store: Store, signal?: AbortSignal): Promise<Finding[]> {
  type Broken = { table: string; rowid: number | null; parent: string }
  const brokenRows = await aside(store, (run) => run<Broken>('PRAGMA foreign_key_check'), signal)
  return brokenRows
    .slice(0, MOST_OF_A_KIND)
    .map(({ table, rowid, parent }) =>
      finding('references', rowid === null ? table : `${table} ${rowid}`, `it names a row of ${parent} that is not there`),
    )
}
