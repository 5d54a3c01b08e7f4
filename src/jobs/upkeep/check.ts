/** Checks a ledger: it must be sound as a file and follow its own rules. */
import { aside } from '../../system/aside.js'
import { roomFor } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { LAYOUT_VERSION } from '../ledger/layout.js'
import { checkBatches } from './check-batches.js'
import { SCHEDULED_DISCOUNTS_RULES } from './discounts.js'
import { checkPriceHistory } from './price-history.js'
import { SALES_RULES } from './sales.js'
import { type Finding, quoted, type Rules } from './types.js'

/** The most problems of one kind that are listed; a damaged file may have thousands. */
const MOST_OF_A_KIND = 100

const JOB_STATES = ['open', 'waiting', 'unknown', 'ok', 'partial', 'failed', 'cancelled']
const REQUEST_STATES = ['sending', 'queued', 'ok', 'retryable', 'failed', 'refused', 'unknown']
const STEP_STATES = ['waiting', 'sending', 'done', 'failed', 'skipped', 'unknown']

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
  const room = roomFor(signal)
  for (const [check, what, rules] of RULES) {
    for (const [problem, sql] of Object.entries(rules)) {
      const broken = store.all<{ at: number }>(`${sql} LIMIT ${MOST_OF_A_KIND}`)
      findings.push(...broken.map(({ at }) => finding(check, `${what} ${at}`, problem)))
      await room()
    }
  }
  for (const found of [checkBatches(store), checkPriceHistory(store)]) {
    for (const one of found) {
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
  const broken = await aside(store, (run) => run<Broken>('PRAGMA foreign_key_check'), signal)
  return broken
    .slice(0, MOST_OF_A_KIND)
    .map(({ table, rowid, parent }) =>
      finding('references', rowid === null ? table : `${table} ${rowid}`, `it names a row of ${parent} that is not there`),
    )
}

const JOB_RULES: Rules = {
  'its state is unknown to this tool': `SELECT id AS at FROM jobs WHERE state NOT IN (${quoted(JOB_STATES)})`,
  'its details cannot be read': 'SELECT id AS at FROM jobs WHERE NOT json_valid(detail) OR NOT json_valid(counts)',
  'it is finished without a time, or unfinished with one':
    "SELECT id AS at FROM jobs WHERE (state IN ('ok', 'partial', 'failed', 'cancelled')) <> (finished_at IS NOT NULL)",
  'it is a part of a job that came after it': 'SELECT id AS at FROM jobs WHERE part_of >= id',
  'it is a sync without parts':
    "SELECT id AS at FROM jobs j WHERE kind = 'sync' AND NOT EXISTS (SELECT 1 FROM jobs WHERE part_of = j.id)",
  'it takes back a job that came after it': 'SELECT id AS at FROM jobs WHERE undo_of >= id',
  'it is finished, and has rows that are not sent or have no result': `SELECT DISTINCT j.id AS at FROM jobs j JOIN bulk_states s ON s.job_id = j.id
      WHERE j.state IN ('ok', 'partial', 'failed') AND s.unsent + s.sending + s.queued > 0`,
  'it is a listing without steps':
    "SELECT id AS at FROM jobs j WHERE kind = 'listing' AND NOT EXISTS (SELECT 1 FROM listing_steps WHERE job_id = j.id)",
}

const STEP_RULES: Rules = {
  'a step has a state that is unknown to this tool': `SELECT DISTINCT job_id AS at FROM listing_steps WHERE state NOT IN (${quoted(STEP_STATES)})`,
  'its steps are not numbered from 1 on':
    'SELECT job_id AS at FROM listing_steps GROUP BY job_id HAVING min(step) <> 1 OR max(step) <> count(*)',
}

const REQUEST_RULES: Rules = {
  'its state is unknown to this tool': `SELECT row AS at FROM requests WHERE state NOT IN (${quoted(REQUEST_STATES)})`,
  'it was taken by the service, and has no request id':
    "SELECT row AS at FROM requests WHERE state IN ('queued', 'ok', 'retryable') AND request_id IS NULL",
  'it has a result without a time, or none with one':
    "SELECT row AS at FROM requests WHERE (state NOT IN ('sending', 'queued')) <> (finished_at IS NOT NULL)",
  'it is marked as being sent, but no process sends it':
    "SELECT row AS at FROM requests WHERE state = 'sending' AND owner IS NULL",
  'it belongs to a job of another profile':
    'SELECT r.row AS at FROM requests r JOIN jobs j ON j.id = r.job_id WHERE j.profile <> r.profile',
}

const RULES: readonly (readonly [Finding['Check'], what: string, Rules])[] = [
  ['jobs', 'job', JOB_RULES],
  ['steps', 'job', STEP_RULES],
  ['requests', 'request row', REQUEST_RULES],
  ['sales', 'shop', SALES_RULES],
  ['discounts', 'discount', SCHEDULED_DISCOUNTS_RULES],
]

function finding(Check: Finding['Check'], Where: string, Problem: string): Finding {
  return { Check, Where, Problem }
}
