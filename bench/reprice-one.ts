/**
 * One repricing in a separate process: `reprice-one.ts CLIENT CSV URL [CONCURRENCY] [WSDL]`. Prints its cost, from the first row
 * that is read to the last reply; for node-soap after its WSDL was read and two calls have warmed it up, for ours from a cold
 * start.
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BulkJob, createBulkJob, priceJobRows, runBulkJob } from '../src/jobs/bulk/index.js'
import { budgetObserver, type Ledger, ledgerQuota, openLedger } from '../src/jobs/index.js'
import { DEFAULT_GUARDS, planPrices } from '../src/pricing/index.js'
import { readPriceRows } from '../src/rows/index.js'
import { createClient, systemClock } from '../src/soap/client/index.js'

const [name, csv = '', url = '', concurrency = '2', wsdl = ''] = process.argv.slice(2)
const NAMESPACE = 'http://bench.example/api'
const ROWS_PER_CALL = 500

interface Measured {
  readonly cpuMs: number
  readonly rows: number
  readonly calls: number
  /** Figures of the sending alone. */
  readonly sendingMs: number
}

/** Rows and plan are released after this, as in the command. */
async function makeJob(ledger: Ledger): Promise<BulkJob> {
  const rows = await readPriceRows(createReadStream(csv))
  const plan = await planPrices({ rows, guards: { ...DEFAULT_GUARDS, max_same: null } })
  const { form } = plan
  return createBulkJob(ledger, {
    kind: 'price',
    profile: 'bench',
    title: 'bench',
    form,
    blind: true,
    rows: priceJobRows(plan),
    distinct: true,
  })
}

/** Rows from the CSV, planned, written to a ledger on disk, and sent; each call is recorded there too. */
async function seller(): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  const ledger = openLedger(join(directory, 'ledger.db'), systemClock)
  try {
    const before = process.cpuUsage()
    const { JobId, Rows } = await makeJob(ledger)
    const taker = { appId: 1, profile: 'bench' }
    const observer = budgetObserver({ ...taker, quota: ledgerQuota(ledger.calls, taker) })
    const credentials = { appId: 1, appKey: 'key', userId: 1, token: 'token' }
    const client = createClient({ baseUrl: url, namespace: NAMESPACE, credentials, observer })
    const started = performance.now()
    const outcome = await runBulkJob({ ledger, client, clock: systemClock, jobId: JobId, concurrency: Number(concurrency) })
    const sendingMs = performance.now() - started
    client.close()
    if (outcome.job.Counts.queued !== Rows) throw new Error(`not all was sent: ${JSON.stringify(outcome)}`)
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, rows: Rows, calls: observer.made, sendingMs }
  } finally {
    ledger.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The script that most people would write: read the CSV, cut it into groups of 500, call. No ledger, no checks. */
async function nodeSoap(): Promise<Measured> {
  const { createClientAsync } = await import('soap')
  const client = await createClientAsync(wsdl, { endpoint: `${url}/v3/RestrictedService.asmx` })
  const send = (SetPriceShopItem: { Id: number; Price: number }[]) =>
    client.SetPriceOnShopItemsAsync({ request: { ShopItems: { SetPriceShopItem } } })
  const warmUp = Array.from({ length: ROWS_PER_CALL }, (_, at) => ({ Id: at + 1, Price: 100 }))
  await send(warmUp)
  await send(warmUp)
  const before = process.cpuUsage()
  const started = performance.now()
  const rows = readFileSync(csv, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([id, price]) => ({ Id: Number(id), Price: Number(price) }))
  let [queued, calls] = [0, 0]
  for (let at = 0; at < rows.length; at += ROWS_PER_CALL) {
    const [{ SetPriceOnShopItemsResult: result }] = await send(rows.slice(at, at + ROWS_PER_CALL))
    queued += result.QueuedRequestResponses.QueuedRequestResponse.length
    calls++
  }
  if (queued !== rows.length) throw new Error(`${queued} of ${rows.length} rows were taken`)
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, rows: rows.length, calls, sendingMs: performance.now() - started }
}

const { cpuMs, ...note } = await (name === 'node-soap' ? nodeSoap() : seller())
console.log(JSON.stringify({ cpuMs, peakMb: process.resourceUsage().maxRSS / 1024, note: JSON.stringify(note) }))
// node-soap keeps its connections open.
process.exit(0)
