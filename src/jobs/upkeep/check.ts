/** Checks a ledger: it must be sound as a file and follow its own rules. */
import { aside } from '../../system/aside.js'
import { roomFor } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { LAYOUT_VERSION } from '../ledger/layout.js'
import { checkBatches } from './check-batches.js'
import { SCHEDULED_DISCOUNTS_RULES } from './discounts.js'
import { checkPriceHistory } from './price-history.js'
import { SALES_RULES } from './sales.js'
import type { Finding } from './types.js'

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
    for (const rule of rules) {
      findings.push(...findBroken(store, rule, check, what))
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
  const version = store.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
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

/** A rule in SQL. The rows that it selects break it. */
interface Rule {
  readonly problem: string
  /** The text after `SELECT id FROM …`, with the id named `at`. */
  readonly sql: string
}

const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

const JOB_RULES: readonly Rule[] = [
  { problem: 'its state is unknown to this tool', sql: `SELECT id AS at FROM jobs WHERE state NOT IN (${list(JOB_STATES)})` },
  {
    problem: 'its details cannot be read',
    sql: 'SELECT id AS at FROM jobs WHERE NOT json_valid(detail) OR NOT json_valid(counts)',
  },
  {
    problem: 'it is finished without a time, or unfinished with one',
    sql: "SELECT id AS at FROM jobs WHERE (state IN ('ok', 'partial', 'failed', 'cancelled')) <> (finished_at IS NOT NULL)",
  },
  { problem: 'it is a part of a job that came after it', sql: 'SELECT id AS at FROM jobs WHERE part_of >= id' },
  {
    problem: 'it is a sync without parts',
    sql: "SELECT id AS at FROM jobs j WHERE kind = 'sync' AND NOT EXISTS (SELECT 1 FROM jobs WHERE part_of = j.id)",
  },
  { problem: 'it takes back a job that came after it', sql: 'SELECT id AS at FROM jobs WHERE undo_of >= id' },
  {
    problem: 'it is finished, and has rows that are not sent or have no result',
    sql: `SELECT DISTINCT j.id AS at FROM jobs j JOIN bulk_states s ON s.job_id = j.id
      WHERE j.state IN ('ok', 'partial', 'failed') AND s.unsent + s.sending + s.queued > 0`,
  },
  {
    problem: 'it is a listing without steps',
    sql: "SELECT id AS at FROM jobs j WHERE kind = 'listing' AND NOT EXISTS (SELECT 1 FROM listing_steps WHERE job_id = j.id)",
  },
]

const STEP_RULES: readonly Rule[] = [
  {
    problem: 'a step has a state that is unknown to this tool',
    sql: `SELECT DISTINCT job_id AS at FROM listing_steps WHERE state NOT IN (${list(STEP_STATES)})`,
  },
  {
    problem: 'its steps are not numbered from 1 on',
    sql: 'SELECT job_id AS at FROM listing_steps GROUP BY job_id HAVING min(step) <> 1 OR max(step) <> count(*)',
  },
]

const REQUEST_RULES: readonly Rule[] = [
  {
    problem: 'its state is unknown to this tool',
    sql: `SELECT row AS at FROM requests WHERE state NOT IN (${list(REQUEST_STATES)})`,
  },
  {
    problem: 'it was taken by the service, and has no request id',
    sql: "SELECT row AS at FROM requests WHERE state IN ('queued', 'ok', 'retryable') AND request_id IS NULL",
  },
  {
    problem: 'it has a result without a time, or none with one',
    sql: "SELECT row AS at FROM requests WHERE (state NOT IN ('sending', 'queued')) <> (finished_at IS NOT NULL)",
  },
  {
    problem: 'it is marked as being sent, but no process sends it',
    sql: "SELECT row AS at FROM requests WHERE state = 'sending' AND owner IS NULL",
  },
  {
    problem: 'it belongs to a job of another profile',
    sql: 'SELECT r.row AS at FROM requests r JOIN jobs j ON j.id = r.job_id WHERE j.profile <> r.profile',
  },
]

const RULES: readonly (readonly [Finding['Check'], what: string, readonly Rule[]])[] = [
  ['jobs', 'job', JOB_RULES],
  ['steps', 'job', STEP_RULES],
  ['requests', 'request row', REQUEST_RULES],
  ['sales', 'shop', SALES_RULES],
  ['discounts', 'discount', SCHEDULED_DISCOUNTS_RULES],
]

function findBroken(store: Store, { problem, sql }: Rule, check: Finding['Check'], what: string): Finding[] {
  return store.all<{ at: number }>(`${sql} LIMIT ${MOST_OF_A_KIND}`).map(({ at }) => finding(check, `${what} ${at}`, problem))
}

function finding(Check: Finding['Check'], Where: string, Problem: string): Finding {
  return { Check, Where, Problem }
}
