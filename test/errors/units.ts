/** Errors that no command line can bring about in a test: a lost reply, another process, a file that changed. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { leaveFeedback } from '../../src/actions/feedback/leave.js'
import { readStdin } from '../../src/actions/input/file.js'
import type { ErrorCode } from '../../src/errors/index.js'
import { createBulkJob, dropJob } from '../../src/jobs/bulk/index.js'
import { openExports } from '../../src/jobs/ledger/exports.js'
import type { Ledger } from '../../src/jobs/ledger/index.js'
import { openLedger } from '../../src/jobs/ledger/ledger.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { chooseForImage, chooseForItem } from '../../src/jobs/listing/errors.js'
import { imageOfStep, readImage } from '../../src/jobs/listing/images.js'
import { showListing } from '../../src/jobs/listing/listing.js'
import type { ListingStep } from '../../src/jobs/listing/steps.js'
import { systemClock } from '../../src/system/clock.js'
import { FakeClock, temporaryDirectory, temporaryLedger } from '../jobs/harness.js'

const SENT_AT = '2026-11-22T08:00:00.000Z'

const step = (Subject: string): ListingStep => ({ Step: 1, Subject, StartedAt: SENT_AT }) as ListingStep

function ledgerWithJob(clock = new FakeClock()): Ledger {
  const ledger = temporaryLedger(clock)
  ledger.jobs.create({ profile: 'shop', kind: 'price', title: 'shop:price', detail: {} })
  return ledger
}

/** The row of a job whose lock another process of another machine has taken. */
function takeOver({ store }: Ledger): void {
  store.run('UPDATE jobs SET lock_owner = ?', JSON.stringify({ host: 'elsewhere', pid: 1, started: 'x' }))
}

function lockTaken(): void {
  const clock = new FakeClock()
  const ledger = ledgerWithJob(clock)
  ledger.jobs.lock(1).release()
  ledger.store.run('UPDATE jobs SET lock_beat = ?', clock.time)
  takeOver(ledger)
  ledger.jobs.lock(1)
}

function lockLost(): void {
  const clock = new FakeClock()
  const ledger = ledgerWithJob(clock)
  const lock = ledger.jobs.lock(1)
  takeOver(ledger)
  clock.time += 15_000
  lock.beat()
}

/** Two exports at once: both begin before either file has its name. */
function exportedTwice(): void {
  const ledger = temporaryLedger()
  const exports = openExports(ledger, { profile: 'shop', address: 'sandbox', userId: 1 }, 'rows')
  const file = join(temporaryDirectory(), 'new.csv')
  writeFileSync(file, '')
  exports.entry([7]).begun(file, file)
  exports.entry([7]).begun(file, file)
}

function dropWaiting(): void {
  const ledger = temporaryLedger()
  ledger.jobs.create({ profile: 'shop', kind: 'listing', title: 'Vas', detail: {} })
  ledger.jobs.update(1, { state: 'waiting' })
  dropJob(ledger, 1, { certain: false })
}

function newerLedger(): void {
  const path = join(temporaryDirectory(), 'ledger.db')
  const ledger = openLedger(path, systemClock)
  ledger.store.exec('PRAGMA user_version = 9999')
  ledger.close()
  openLedger(path, systemClock)
}

function foreignLedger(): void {
  const path = join(temporaryDirectory(), 'ledger.db')
  const store = openStore(path, 'power')
  store.exec('CREATE TABLE cookies (name TEXT)')
  store.close()
  openLedger(path, systemClock)
}

function twoRows(): void {
  const rows = [1, 2, 1].map((id, at) => ({ line: at + 2, id, price: 5 }))
  createBulkJob(temporaryLedger(), {
    kind: 'price',
    profile: 'shop',
    title: 'shop:price',
    form: { kind: 'arguments', columns: [] },
    rows,
  })
}

async function changedImage(): Promise<void> {
  const path = join(temporaryDirectory(), 'photo.png')
  writeFileSync(path, 'another file')
  await readImage({ path, sha256: 'x' })
}

/** A step of 0.3, whose image is not understood. */
async function unreadableImage(): Promise<void> {
  const path = join(temporaryDirectory(), 'photo.gif')
  const bytes = Buffer.from('GIF89a, which is of no kind')
  writeFileSync(path, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await imageOfStep({ Subject: path, Sha256: sha256, Format: 'Gif' }, false)
}

async function unratedOrder(): Promise<void> {
  const client = { call: async () => false } as unknown as Parameters<typeof leaveFeedback>[0]
  const feedback = { orderNumber: 70_001, comment: 'Tack', type: 'Positive' } as Parameters<typeof leaveFeedback>[1]
  await leaveFeedback(client, feedback)
}

/** Each throws, or returns, the error of its code. */
export const UNPROVOKED: Partial<Record<ErrorCode, () => unknown>> = {
  stdin_is_terminal: () => readStdin({ stdin: Object.assign(new PassThrough(), { isTTY: true }) as never }),
  image_changed: changedImage,
  image_not_cleaned: unreadableImage,
  item_twice: twoRows,
  feedback_not_left: unratedOrder,
  job_of_another_kind: () => showListing(ledgerWithJob(), 1),
  job_in_flight: dropWaiting,
  job_locked: lockTaken,
  job_lock_lost: lockLost,
  item_outcome_unknown: () => chooseForItem(1, step('Vas')),
  image_outcome_unknown: () => chooseForImage(1, step('photo.png')),
  export_taken: exportedTwice,
  ledger_newer: newerLedger,
  ledger_foreign: foreignLedger,
}
