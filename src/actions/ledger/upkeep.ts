/** The upkeep of the ledger: ledger:check, ledger:backup and ledger:prune. */

import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as Flags from '@oclif/core/flags'
import type { Context } from '../../cli/context.js'
import { notesIn } from '../../cli/left-files.js'
import { unwritable } from '../../cli/output-file.js'
import { minuteOf } from '../../contract/index.js'
import type { PrunePlan } from '../../contract/ledger.js'
import { countOf } from '../../contract/numbers.js'
import { someOf } from '../../contract/some-of.js'
import { EXIT, SellerError, ValueError } from '../../errors/index.js'
import { backupView, type PruneShown } from '../../format/views/ledger.js'
import { type Ledger, LedgerError, type LedgerErrorKind } from '../../jobs/index.js'
import { backUpLedger, type Finding, findFaults, planPrune, pruneLedger, shrinkLedger } from '../../jobs/upkeep/index.js'
import { run, say } from '../../messages/index.js'
import { DAY_MS, LONGEST_AGE_MS, parseDuration } from '../../system/durations.js'
import { errnoOf } from '../../system/errno.js'
import { isoOf } from '../../system/time.js'
import { type Result, recordResult } from '../result.js'

/**
 * An age, e.g. 400d; the value is in ms. It may be longer than any wait, and is at least a day: the calls of a day count for the
 * quota.
 */
export const ageFlag = Flags.custom<number>({
  helpValue: 'AGE',
  parse: async (text, _context, flag) => {
    const ms = parseDuration(text)
    if (ms !== undefined && ms >= DAY_MS && ms <= LONGEST_AGE_MS) return ms
    const why = ms === undefined ? 'is not an age' : `is not between 1d and ${LONGEST_AGE_MS / DAY_MS}d`
    throw new ValueError(
      'invalid_duration',
      { name: `--${flag.name}`, value: text, why },
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
export async function working<T>(ctx: Context, text: string, ifInterrupted: string, work: () => Promise<T>): Promise<T> {
  ctx.ifInterrupted({ sent: ifInterrupted, again: true })
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
export async function backUp(
  ctx: Context,
  givenPath: string,
  {
    force = false,
    personal = false,
    keep,
  }: { readonly force?: boolean; readonly personal?: boolean; readonly keep?: number | undefined },
): Promise<Result> {
  const ledger = await existingLedger(ctx)
  const file = keep === undefined ? givenPath : datedCopy(ctx, givenPath)
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
      backUpLedger(ledger, path, { force, people: personal, signal: ctx.signal, note: notesIn(ctx.dataDir) }),
    )
    if (faults.length > 0) {
      ctx.output.warn(`The ledger has ${countOf(faults.length, 'fault')}, and so has the copy.`)
      ctx.output.hint(say`List them with: ${run('ledger:check')}`)
    }
    ledger.signs.note('', 'backup', { File: path })
    if (keep !== undefined) removeOldCopies(ctx.path(givenPath), keep)
    const record = { File: path, Bytes: bytes, Jobs: jobs, Requests: requests, Faults: faults.length }
    return recordResult(backupView, record, faults.length > 0 ? EXIT.failure : EXIT.ok)
  } catch (error) {
    // The copy does not fit on the disk.
    const code = error instanceof LedgerError && error.kind === 'full' ? 'ENOSPC' : errnoOf(error)
    throw code === undefined ? error : unwritable(file, code)
  }
}

/** Copies that --keep makes, by their names; no other file of the folder is touched. */
const DATED_COPY = /^ledger-\d{8}T\d{6}Z(?:-\d+)?\.db$/

/** @throws {SellerError} usage for a folder that cannot be used */
function datedCopy(ctx: Context, folder: string): string {
  try {
    mkdirSync(ctx.path(folder), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unwritable(folder, errnoOf(error) ?? 'EEXIST')
  }
  const name = `ledger-${isoOf(ctx.clock.now()).replace(/[-:]|\.\d+/g, '')}`
  const free = ['', '-2', '-3'].find((end) => !existsSync(join(ctx.path(folder), `${name}${end}.db`))) ?? ''
  return join(folder, `${name}${free}.db`)
}

/** The newest stay. They are named by their time. */
function removeOldCopies(folder: string, keep: number): void {
  const copies = readdirSync(folder)
    .filter((name) => DATED_COPY.test(name))
    .sort()
  for (const name of copies.slice(0, Math.max(0, copies.length - keep))) rmSync(join(folder, name), { force: true })
}

/** True if a path names the ledger or one of the files beside it, also through a link. */
function isLedger({ ledgerPath }: Context, path: string): boolean {
  const places = [ledgerPath, `${ledgerPath}-wal`, `${ledgerPath}-shm`]
  return places.includes(path) || places.map(realPath).includes(realPath(path))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

interface PruneFlags {
  /** Age in ms. */
  readonly 'older-than': number
  readonly yes?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
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
    return { Before: isoOf(before), ...plan, BytesBefore, BytesAfter: null }
  }
  if (plan.Jobs.length > 0) ctx.output.note(`Jobs to remove: ${someOf(plan.Jobs, NAMED)}.`)
  await ctx.prompts.confirm({
    message: `Remove ${inWords(plan)}, all older than ${minuteOf(before)}, from the ledger? This cannot be undone.`,
    flag: '--yes',
    given: flags.yes,
  })
  const pruned = await working(ctx, 'Removing old records', MAYBE, () => pruneLedger(ledger, before, ctx.signal))
  if (!(await working(ctx, 'Shrinking the file', SHRINKING, () => shrinkLedger(ledger, ctx.signal)))) {
    ctx.output.note('Another process is using the ledger, so its file does not shrink. New records will reuse the space.')
  }
  ledger.store.foldLog()
  return { Before: isoOf(before), ...pruned, BytesBefore, BytesAfter: statSync(ctx.ledgerPath).size }
}

/** They are removed in one transaction, which may have ended in this moment. */
const MAYBE = 'All of it is removed, or nothing.'
const SHRINKING = 'The old records are removed. The file is as large as before; new records will use the space.'

/** Number of jobs that are named before the question. */
const NAMED = 20

/** Data removed along with jobs, and its name. */
const OTHERS = [
  ['Requests', 'request'],
  ['Calls', 'call'],
  ['Sales', 'sale'],
  ['Orders', 'order'],
  ['Prices', 'price move'],
  ['Costs', 'old cost'],
] as const

function isEmpty(plan: PrunePlan): boolean {
  return plan.Jobs.length === 0 && OTHERS.every(([what]) => plan[what] === 0)
}

function inWords(plan: PrunePlan): string {
  const jobs = plan.Jobs.length > 0 ? [`${countOf(plan.Jobs.length, 'job')} with ${countOf(plan.Rows, 'row')}`] : []
  return [...jobs, ...OTHERS.flatMap(([what, noun]) => (plan[what] > 0 ? [countOf(plan[what], noun)] : []))].join(', ')
}
