/**
 * A separate process on a ledger, for processes.test.ts. Its service is the parent: each call is sent there as a message, and the
 * parent answers it or kills this process.
 */
import { BudgetError } from '../../src/jobs/ledger/errors.js'
import { openLedger } from '../../src/jobs/ledger/ledger.js'
import { runListing } from '../../src/jobs/listing/run.js'
import type { SoapClient } from '../../src/soap/client/index.js'
import { FakeClock } from './harness.js'

const [task, path = ''] = process.argv.slice(2)
const tell = (message: unknown) => process.send?.(message)

const answered = (): Promise<unknown> => new Promise((resolve) => process.once('message', resolve))

/** Opens a ledger that may not exist yet, when the parent says so, and writes as fast as it can. */
async function write(): Promise<void> {
  tell('ready')
  await answered()
  const ledger = openLedger(path, new FakeClock())
  let spent = 0
  let refused = 0
  for (let i = 0; i < 150; i += 1) {
    ledger.requests.begin({ operation: 'AddItem', subject: `${process.pid} ${i}`, profile: 'p' })
    try {
      await ledger.calls.begin([{ appId: 7, profile: 'p', service: 's', operation: 'GetItem', kind: 'read', attempt: 1 }], {
        budget: 200,
      })
      spent += 1
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error
      refused += 1
    }
  }
  tell({ spent, refused })
  // Stays alive until the parent has looked: what it left "sending" is not abandoned yet.
  await answered()
  ledger.close()
  process.disconnect()
}

/** Runs job 1. */
async function list(): Promise<void> {
  const client = {
    call: (name: string, params: object) => {
      const { imageData, ...rest } = params as { imageData?: Uint8Array }
      tell({ call: name, params: { ...rest, ...(imageData && { imageData: [...imageData] }) } })
      return answered()
    },
  } as unknown as Pick<SoapClient, 'call'>
  const ledger = openLedger(path, new FakeClock())
  for await (const progress of runListing({ client, ledger, jobId: 1, wait: true })) {
    if (progress.phase === 'step' && progress.step.State === 'done') {
      tell({ done: progress.step.Step })
      // Here the parent may kill this process between two steps.
      await answered()
    }
  }
  ledger.close()
  process.disconnect()
}

await (task === 'write' ? write() : list())
