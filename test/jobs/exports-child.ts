/** A separate process that exports orders and is killed after a step, for exports.test.ts. */
import { openExports } from '../../src/jobs/ledger/exports.js'
import { openLedger } from '../../src/jobs/ledger/ledger.js'
import { type NameEntry, writeWholeFile } from '../../src/system/whole-file.js'
import { FakeClock } from './harness.js'

const [step, path = '', file = ''] = process.argv.slice(2)
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const entry = openExports(openLedger(path, new FakeClock()), { profile: 'p', address: 'a', userId: 1 }, 'rows').entry([7, 8])
const killed: NameEntry = {
  ...entry,
  made(...places) {
    entry.made(...places)
    if (step === 'made') die()
  },
  begun(...places) {
    entry.begun(...places)
    if (step === 'begun') die()
  },
  // The file has its name by then.
  named: die,
}
await writeWholeFile(file, 'rows', { force: false, entry: () => killed })
