/** Runs a job until it is done or stopped, in a process that may be killed at any moment: `kill-child.ts LEDGER URL JOB`. */
import { runBulkJob } from '../../src/jobs/bulk/index.js'
import { budgetObserver, ledgerQuota, openLedger } from '../../src/jobs/index.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { createClient, systemClock } from '../../src/soap/client/index.js'

const [path = '', url = '', job = ''] = process.argv.slice(2)
const ledger = openLedger(path, systemClock)
const { namespace, ...credentials } = SANDBOX_PROFILE
const taker = { appId: credentials.appId, profile: 'sandbox' }
const observer = budgetObserver({ ...taker, quota: ledgerQuota(ledger.calls, taker) })
const client = createClient({ baseUrl: url, namespace, credentials, observer })
process.stdout.write('running\n')
const outcome = await runBulkJob({ ledger, client, clock: systemClock, jobId: Number(job), wait: true, timeoutMs: 60_000 })
client.close()
ledger.close()
process.stdout.write(`${JSON.stringify({ verdict: outcome.verdict, stop: outcome.stop })}\n`)
