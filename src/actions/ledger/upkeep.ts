/** The upkeep of the ledger: ledger:check, ledger:backup and ledger:prune. */

import { existsSync, realpathSync, statSync } from 'node:fs'
import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.js'
import { unwritable } from '../../cli/output-file.js'
import { minuteOf } from '../../contract/index.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { backupView, countOf, type PruneShown } from '../../format/views/index.js'
import { type Ledger, LedgerError, type LedgerErrorKind } from '../../jobs/index.js'
import {
  backUpLedger,
  type Finding,
  findFaults,
  type PrunePlan,
  planPrune,
  pruneLedger,
  shrinkLedger,
} from '../../jobs/upkeep/index.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'
import { errnoOf } from '../../system/errno.js'
import { isoOf } from '../../system/time.js'
import { type Result, recordResult } from '../result.js'

/** The longest age, days: a thousand years, so that no sum overflows. */
const MOST_DAYS = 365_000

/**
 * An age, e.g. 400d; the value is in ms. It may be longer than any wait, and is at least a day: the calls of a day count for the
 * quota.
 */
export const ageFlag = Flags.custom<number>({
  helpValue: 'AGE',
  parse: async (text, _context, flag) => {
    const ms = parseDuration(text)
    if (ms !== undefined && ms >= DAY_MS && ms <= MOST_DAYS * DAY_MS) return ms
    throw new SellerError(
      'invalid_duration',
      `--${flag.name}: "${text}" is not an age.`,
      'Give days, at least 1d, e.g. 90d or 400d.',
    )
  },
})

/** @throws {SellerError} not_found if there is none; what opening it throws */
export async function existingLedger(ctx: Context): Promise<Ledger> {
  const { ledgerPath: path } = ctx
  if (existsSync(path)) return ctx.ledger()
  throw new SellerError(
    'ledger_missing',
    `There is no ledger at ${path}.`,
    'The first call creates one. If yours is in another directory, set SELLER_DATA_DIR to it.',
    { path },
  )
}

/** Does long work with progress. @param interrupted what is true if Ctrl-C comes meanwhile */
async function working<T>(ctx: Context, text: string, interrupted: string, work: () => Promise<T>): Promise<T> {
  ctx.ifInterrupted({ sent: interrupted, again: true })
  const progress = ctx.output.progress({ kind: 'spinner', text })
  try {
    return await work()
  } finally {
    progress.stop()
  }
}

/** Faults of the file itself, and not of the disk or the moment. */
const OF_THE_FILE: readonly LedgerErrorKind[] = ['damaged', 'newer', 'foreign']

/**
 * @returns the faults; none for a sound ledger
 * @throws {SellerError} not_found without a ledger; LedgerError if it cannot be opened now
 */
export async function checkLedger(ctx: Context): Promise<Finding[]> {
  try {
    const { store } = await existingLedger(ctx)
    return await working(ctx, 'Checking the ledger', 'Nothing was changed; the ledger was not checked to its end.', () =>
      findFaults(store, ctx.signal),
    )
  } catch (error) {
    if (!(error instanceof LedgerError) || !OF_THE_FILE.includes(error.kind)) throw error
    return [{ Check: 'file', Where: 'ledger', Problem: error.message }]
  }
}

/**
 * Copies the ledger to a file, mode 0600.
 * @param file as the user gave it
 * @returns what was written; exit code 1 if the copy has faults, which are those of the ledger
 * @throws {SellerError} not_found without a ledger; usage for a file that cannot be written or exists already
 */
export async function backUp(ctx: Context, file: string, force: boolean, personal: boolean): Promise<Result> {
  const ledger = await existingLedger(ctx)
  const path = ctx.path(file)
  if (isLedger(ctx, path)) {
    throw new SellerError(
      'unwritable_file',
      `The file "${file}" cannot be written: it is the ledger itself.`,
      'Name another file.',
    )
  }
  try {
    const { bytes, jobs, requests, faults } = await working(ctx, 'Copying and checking the ledger', 'No copy was written.', () =>
      backUpLedger(ledger, path, { force, people: personal, signal: ctx.signal }),
    )
    if (faults.length > 0) {
      ctx.output.warn(`The ledger has ${countOf(faults.length, 'fault')}, and so has the copy.`)
      ctx.output.hint('List them with: seller ledger:check')
    }
    const record = { File: path, Bytes: bytes, Jobs: jobs, Requests: requests, Faults: faults.length }
    return recordResult(backupView, record, faults.length > 0 ? EXIT.failure : EXIT.ok)
  } catch (error) {
    // The copy does not fit on the disk.
    const code = error instanceof LedgerError && error.kind === 'full' ? 'ENOSPC' : errnoOf(error)
    throw code === undefined ? error : unwritable(file, code)
  }
}

/** Whether a path names the ledger or one of the files beside it, also through a link. */
function isLedger({ ledgerPath }: Context, path: string): boolean {
  const places = [ledgerPath, `${ledgerPath}-wal`, `${ledgerPath}-shm`]
  return places.includes(path) || places.map(realOf).includes(realOf(path))
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

interface PruneFlags {
  /** Age in ms. */
  readonly 'older-than': number
  readonly yes?: boolean
  readonly 'dry-run'?: boolean
}

/**
 * Shows what would be removed, asks, and removes it.
 * @returns what was removed, or would be
 * @throws {SellerError} not_found without a ledger; guard (6) without a yes
 */
export async function prune(ctx: Context, flags: PruneFlags): Promise<PruneShown> {
  const ledger = await existingLedger(ctx)
  const before = ctx.clock.now() - flags['older-than']
  ledger.store.foldLog()
  const BytesBefore = statSync(ctx.ledgerPath).size
  const plan = await working(ctx, 'Looking for old records', 'Nothing was removed.', () => planPrune(ledger, before, ctx.signal))
  if (flags['dry-run'] === true || isEmpty(plan)) {
    ctx.output.note(
      isEmpty(plan) ? `Nothing older than ${minuteOf(before)} can be removed.` : 'Nothing was removed. This would be:',
    )
    return { ...prunedRecord(plan, before), BytesBefore, BytesAfter: null }
  }
  if (plan.jobs.length > 0) ctx.output.note(`Jobs to remove: ${idsText(plan.jobs)}.`)
  await ctx.prompts.confirm({
    message: `Remove ${inWords(plan)} from the ledger? This cannot be undone.`,
    flag: '--yes',
    given: flags.yes,
  })
  const removed = await working(ctx, 'Removing old records', MAYBE, () => pruneLedger(ledger, before, ctx.signal))
  if (!(await working(ctx, 'Shrinking the file', SHRINKING, () => shrinkLedger(ledger, ctx.signal)))) {
    ctx.output.note('Another process is using the ledger, so its file does not shrink. New records will reuse the space.')
  }
  ledger.store.foldLog()
  return { ...prunedRecord(removed, before), BytesBefore, BytesAfter: statSync(ctx.ledgerPath).size }
}

/** They are removed in one transaction, which may have ended in this moment. */
const MAYBE = 'All of it is removed, or nothing.'
const SHRINKING = 'The old records are removed. The file is as large as before; new records will use the space.'

/** How many jobs are named before the question. */
const NAMED = 20

function idsText(ids: readonly number[]): string {
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
  return `${ids.slice(0, NAMED).join(', ')}${more}`
}

/** What is removed beside jobs, and what it is called. */
const OTHERS = [
  ['requests', 'request'],
  ['calls', 'call'],
  ['sales', 'sale'],
  ['orders', 'order'],
  ['prices', 'price move'],
  ['costs', 'old cost'],
] as const

function isEmpty(plan: PrunePlan): boolean {
  return plan.jobs.length === 0 && OTHERS.every(([what]) => plan[what] === 0)
}

function inWords(plan: PrunePlan): string {
  const jobs = plan.jobs.length > 0 ? [`${countOf(plan.jobs.length, 'job')} with ${countOf(plan.rows, 'row')}`] : []
  return [...jobs, ...OTHERS.flatMap(([what, noun]) => (plan[what] > 0 ? [countOf(plan[what], noun)] : []))].join(', ')
}

function prunedRecord(
  { jobs, rows, steps, requests, calls, sales, orders, prices, costs, kept }: PrunePlan,
  before: number,
): Omit<PruneShown, 'BytesBefore' | 'BytesAfter'> {
  return {
    Before: isoOf(before),
    Jobs: jobs,
    Rows: rows,
    Steps: steps,
    Requests: requests,
    Calls: calls,
    Sales: sales,
    Orders: orders,
    Prices: prices,
    Costs: costs,
    Kept: { Unfinished: kept.unfinished, LastPrices: kept.lastPrices, Referred: kept.referred },
  }
}
