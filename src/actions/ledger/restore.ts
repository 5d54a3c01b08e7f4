/** ledger:restore: makes a copy of the ledger the ledger again, and shows what the seller has to look at. */
import { lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { notesIn } from '../../cli/left-files.js'
import { shellWord } from '../../cli/profiles.js'
import { toSellerError } from '../../cli/translate.js'
import { minuteOf } from '../../contract/index.js'
import type { Look } from '../../contract/ledger.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type RestoredShown, restoreView } from '../../format/views/ledger.js'
import { waitForRequests } from '../../jobs/index.js'
import { type PreparedCopy, planRestore, type RestoreOptions, restoreLedger, whatToLookAt } from '../../jobs/upkeep/index.js'
import { blank, run, say } from '../../messages/index.js'
import { durationText } from '../../system/durations.js'
import { errnoOf, errnoWords } from '../../system/errno.js'
import { isoOf } from '../../system/time.js'
import { lookAtAllQueued } from '../jobs/look.js'
import { type Result, shownList } from '../result.js'
import { working } from './upkeep.js'

export interface RestoreFlags {
  readonly 'take-over': boolean
  readonly acceptFaults: boolean
  readonly 'dry-run'?: boolean | undefined
  readonly yes?: boolean | undefined
}

const KEPT = 'The ledger is as it was.'

/**
 * Checks the copy, says what the ledger has that it lacks, asks, and puts it in the ledger's place.
 * @param file as the user gave it
 * @returns what it came to; exit code 1 for a copy with faults that were not accepted
 * @throws {SellerError} usage for a file that is no copy; guard (6) without a yes; LedgerError kind `busy` while another process
 * uses the ledger
 */
export async function restore(ctx: Context, file: string, flags: RestoreFlags): Promise<Result> {
  const { ledgerPath: path, clock, signal, output } = ctx
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new SellerError(
      'wrong_usage',
      `The ledger ${path} is a link, and a copy is not put in the place of a link.`,
      `Name the directory of the file itself: SELLER_DATA_DIR=${dirname(realpathSync(path))}`,
    )
  }
  makeDirectory(ctx.dataDir, 'SELLER_DATA_DIR')
  const options: RestoreOptions = {
    clock,
    file: requireFile(ctx, file),
    path,
    takeOver: flags['take-over'],
    signal,
    note: notesIn(ctx.dataDir),
  }
  const plan = await working(ctx, 'Checking the copy', KEPT, () => planRestore(options))
  if (plan.faults.length > 0) {
    output.warn(`The copy has ${countOf(plan.faults.length, 'fault')}: ${plan.faults[0]?.Where}: ${plan.faults[0]?.Problem}.`)
    if (!flags.acceptFaults) {
      throw new SellerError(
        'no_ledger_copy',
        `"${file}" has ${countOf(plan.faults.length, 'fault')}, so it was not restored.`,
        'Try an older copy. To restore it as it is: --accept faults',
        { path: options.file },
      )
    }
  }
  sayDifference(ctx, plan, flags)
  if (flags['dry-run'] === true) {
    output.note('Nothing was changed. This would be:')
    return result(ctx, { plan, aside: null, flags, look: plan.look, asked: false })
  }
  await ctx.prompts.confirm({
    message: say`Restore the ledger as of ${minuteOf(plan.madeAt)}, ${durationText(clock.now() - plan.madeAt)} ago? Nothing is sent; the present one is kept under another name.`,
    flag: '--yes',
    given: flags.yes,
  })
  const restoration = await working(ctx, 'Restoring the ledger', 'The ledger is as it was, or restored.', () =>
    restoreLedger(options),
  )
  const isAsked = await askForResults(ctx)
  const ledger = await ctx.ledger()
  const look = whatToLookAt(ledger, {
    madeAt: restoration.madeAt,
    replaced: restoration.replaced?.merge,
    takeOver: flags['take-over'],
  })
  return result(ctx, { plan: restoration, aside: restoration.aside, flags, look, asked: isAsked })
}

function requireFile(ctx: Context, file: string): string {
  const path = ctx.path(file)
  try {
    if (!lstatSync(realpathSync(path)).isFile()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw new SellerError(
      'unreadable_file',
      `The file "${file}" cannot be read: ${errnoWords(errnoOf(error) ?? 'ENOENT')}.`,
      'Correct the path.',
    )
  }
  if (realpathSync(path) !== ctx.ledgerPath) return path
  throw new SellerError(
    'no_ledger_copy',
    `"${file}" is the ledger itself.`,
    say`Name a file that ${run('ledger:backup', { file: blank('FILE') })} has written.`,
    {
      path,
    },
  )
}

function sayDifference({ output }: Context, { replaced, madeAt }: PreparedCopy, flags: RestoreFlags): void {
  if (replaced === undefined) return
  if (replaced.unreadable !== undefined) {
    output.warn(
      `The present ledger cannot be read, so what it recorded since ${minuteOf(madeAt)} is not known. ${replaced.unreadable}`,
    )
    return
  }
  const { only, newer, unreadable: parts } = replaced.merge
  if (parts.length > 0) output.warn(`Parts of the present ledger cannot be read: ${parts.join(', ')}.`)
  if (only.length + newer === 0) return
  const counts = (['job', 'discount', 'request'] as const).flatMap((what) => {
    const count = only.filter(({ What }) => What === what).length
    return count === 0 ? [] : [countOf(count, what)]
  })
  const lacks = [...counts, ...(newer === 0 ? [] : [`a later state of ${countOf(newer, 'job')}`])].join(', ')
  const they = only.length + newer === 1 ? 'It is' : 'They are'
  output.note(
    flags['take-over']
      ? `The copy lacks ${lacks}. ${they} taken over from the present ledger; --no-take-over leaves them out.`
      : `The copy lacks ${lacks}, which the present ledger has and --no-take-over leaves out.`,
  )
}

/**
 * Asks for what was queued when the copy was made. The ledger is restored by then, so a failure is a note.
 * @returns whether it was asked
 */
async function askForResults(ctx: Context): Promise<boolean> {
  const { profile, output, clock, signal } = ctx
  try {
    const ledger = await ctx.ledger()
    await lookAtAllQueued(ctx, ['price', 'stock', 'remove', 'add-shop', 'add-item', 'relist', 'auction-price'])
    const ids = ledger.requests.pending(profile.name).flatMap(({ RequestId }) => (RequestId === null ? [] : [RequestId]))
    if (ids.length === 0) return true
    const client = await ctx.client()
    const looks = waitForRequests({ client, ledger, requestIds: ids, timeoutMs: 0, clock, signal, profile: profile.name })
    for (let look = await looks.next(); look.done !== true; ) look = await looks.next()
    return true
  } catch (error) {
    if (signal.aborted) return false
    const { message } = toSellerError(error)
    output.note(`The ledger is restored. The results of what was queued could not be asked for: ${message}`)
    return false
  }
}

interface Came {
  readonly plan: PreparedCopy
  readonly aside: string | null
  readonly flags: RestoreFlags
  readonly look: readonly Look[]
  readonly asked: boolean
}

function result(ctx: Context, { plan, aside, flags, look, asked }: Came): Result {
  const { replaced } = plan
  const { only = [], newer = 0, calls = 0 } = replaced?.merge ?? {}
  const count = (what: string): number => only.filter(({ What }) => What === what).length
  const record: RestoredShown = {
    Ledger: ctx.ledgerPath,
    MadeAt: isoOf(plan.madeAt),
    KeptAs: aside,
    Jobs: plan.jobs,
    Requests: plan.requests,
    Faults: plan.faults.length,
    ReplacedReadable: replaced === undefined ? null : replaced.unreadable === undefined,
    TakenOver:
      flags['take-over'] && replaced !== undefined && replaced.unreadable === undefined
        ? { Jobs: count('job'), Discounts: count('discount'), Requests: count('request'), Newer: newer, Calls: calls }
        : null,
    ResultsAsked: asked,
  }
  const rows = look.map((each): Look => ({ ...each, Command: commandOf(ctx, each) }))
  return {
    shown: [
      shownList({
        view: { ...restoreView, within: { key: 'Look', record } },
        rows: () => rows,
        above: async (output) => {
          output.note(
            aside === null
              ? `The copy is of ${minuteOf(plan.madeAt)}.`
              : `The ledger is restored as of ${minuteOf(plan.madeAt)}. The old one is ${aside}.`,
          )
          if (rows.length > 0) output.note('What was done since is not in it. Look at this before you continue:')
        },
        below: (output) => {
          if (output.human) for (const { Words, Command } of rows) if (Command !== null) output.hint(`${Words}: ${Command}`)
        },
      }),
    ],
    code: EXIT.ok,
  }
}

function commandOf(ctx: Context, { Command, Profile }: Look): string | null {
  if (Command === null) return null
  const flag =
    Profile === null || (Profile === ctx.profile.name && ctx.profile.chosen.from !== 'flag')
      ? ''
      : ` --profile ${shellWord(Profile)}`
  return `seller ${Command}${flag}`
}
