/**
 * A run over several shops, some of them side by side: they share the application's quota and the ledger. Commands that send wait twice: all
 * input is read before the first call of any shop, and everything is planned before anything is sent, so that one question is enough.
 */

import type { Context, LedgerUse } from '../../cli/context.js'
import { matchingProfiles } from '../../cli/profile-names.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError, worstExitCode } from '../../errors/index.js'
import { type ShopEnd, shopsView } from '../../format/views/shops.js'
import type { Ledger } from '../../jobs/index.js'
import { run } from '../../messages/index.js'
import { readStdin } from '../input/file.js'
import type { Result } from '../result.js'
import { askOnce, endOf, hideIn, writeShops } from './ends.js'
import { flagsOf, refuseOfOne } from './files.js'
import { ShopsRecord } from './record.js'
import { codeOf, Shop } from './shop.js'
import type { ShopsCommand } from './types.js'

export interface ShopsFlags {
  readonly profiles: string
  readonly file?: string | undefined
  readonly yes?: boolean | undefined
  readonly blind?: boolean | undefined
  readonly 'at-once'?: number | undefined
}

/** Number of shops to work on in parallel, by default. */
const AT_ONCE = 8

/** @returns as eachProfile @throws {SellerError} as eachProfile */
export async function runShops<F extends ShopsFlags>(ctx: Context, flags: F, command: ShopsCommand<F>): Promise<Result> {
  const { ownFiles = [], notShared = [], together = false } = command
  refuseOfOne(flags, { own: ownFiles, notShared })
  const { view = shopsView() } = command
  // An unknown name in --columns is refused now, and not after everything was sent.
  if (command.show === undefined || command.view !== undefined) ctx.output.shows(view, 'Profile')
  const names = matchingProfiles(flags.profiles, ctx)
  const shops = shopsOf(ctx, names, together)
  const record = command.record === undefined ? undefined : new ShopsRecord(ctx, command.record, shops, () => ledgerOf(shops))
  try {
    await refuseSameShop(shops, together)
    const files: readonly (keyof F & string)[] = ['file', ...ownFiles]
    const work = (shop: Shop) => (own: Context) => command.work(own, flagsOf(flags, files, shop.profile))
    const run = new ShopsRun(ctx, { shops, many: command.many === true, atOnce: flags['at-once'] ?? AT_ONCE })
    if (together) {
      await record?.refuseAgain()
      await run.readInput(work)
      await run.inTurn((shop) => shop.next())
      await run.ask(flags.yes)
      await record?.write({ ...(flags as object) }, files)
      await run.inTurn(async (shop) => {
        await shop.next()
        await record?.ended(shop)
      })
    } else {
      const idle = await command.idle?.(ctx, { profiles: names, openLedger: (use) => ledgerOf(shops, use) }, flags)
      for (const shop of shops) if (idle?.has(shop.profile) === true) await shop.endIdle()
      await run.inTurn((shop) => shop.begin(work(shop)))
    }
    const ends = run.ends('not_begun')
    const { show = writeShops } = command
    const about = { profiles: flags.profiles, view, shops, undo: command.many !== true && flags.blind !== true }
    const shown = { write: () => show(ctx, ends, about), value: async () => ends }
    return { shown: [shown], code: worstExitCode([...shops.map(codeOf), ctx.signal.aborted ? EXIT.interrupted : EXIT.ok]) }
  } finally {
    for (const shop of shops) await shop.close()
  }
}

/** The ledger of a run, which all its shops have together. */
function ledgerOf([shop]: readonly Shop[], use?: LedgerUse): Promise<Ledger> {
  if (shop === undefined) throw new TypeError('A run has no shops.')
  return shop.ledger(use)
}

function shopsOf(ctx: Context, names: readonly string[], waits: boolean): readonly Shop[] {
  const noted = new Set<string>()
  let read: Promise<Buffer> | undefined
  const shared = {
    waits,
    whole: ctx,
    rows: ctx.output.form === 'json' || ctx.output.form === 'ndjson' || ctx.output.form === 'yaml',
    onNote: (text: string) => {
      if (!noted.has(text)) ctx.output.note(text)
      noted.add(text)
    },
    stdin: () => {
      read ??= readStdin(ctx)
      return read
    },
  }
  return names.map((profile) => new Shop({ ...shared, profile }))
}

/** Refuses two profiles of one seller: the second would change what the first has just set, or count it twice. @throws {SellerError} usage */
async function refuseSameShop(shops: readonly Shop[], together: boolean): Promise<void> {
  const known = new Map<string, string>()
  for (const shop of shops) {
    const { settings, embedded } = (await shop.open()).profile
    const { user_id: user, base_url: url } = settings
    if (!together || user === undefined) continue
    const key = embedded ? 'sandbox' : `${user} ${url}`
    const other = known.get(key)
    if (other !== undefined) {
      throw new SellerError(
        'wrong_usage',
        `The profiles "${other}" and "${shop.profile}" are the same shop (seller ${user}), so it would be done twice.`,
        'Name one of them: --profiles takes several names with commas between them.',
      )
    }
    known.set(key, shop.profile)
  }
}

interface RunOptions {
  readonly shops: readonly Shop[]
  readonly many: boolean
  readonly atOnce: number
}

/** Gives the work of one shop. */
type WorkOf = (shop: Shop) => (ctx: Context) => Promise<Result>

class ShopsRun {
  readonly #ctx: Context
  readonly #options: RunOptions
  /** Shops that the run was interrupted before. */
  readonly #left = new Set<Shop>()
  readonly #working = new Set<Shop>()

  constructor(ctx: Context, options: RunOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#say()
  }

  /** Begins all of them, each until its first call. @throws {SellerError} the first error of exit 2 or 3: no call was made */
  async readInput(work: WorkOf): Promise<void> {
    const { shops } = this.#options
    for (const shop of shops) await shop.begin(work(shop))
    const wrong = shops.filter((shop) => [EXIT.usage, EXIT.validation].some((code) => code === codeOf(shop)))
    const [{ profile, thrown } = {}] = wrong
    if (thrown === undefined) {
      for (const shop of shops) this.#report(shop)
      return
    }
    const alike = wrong.length === shops.length && wrong.every((shop) => shop.thrown?.message === thrown.message)
    const more = wrong.length > 1 ? `\nThe input of ${countOf(wrong.length - 1, 'other shop')} is wrong too.` : ''
    await this.giveUp(alike ? thrown : thrown.with({ message: `${profile}: ${thrown.message}${more}` }))
  }

  /** Asks once for all of them. @throws {SellerError} without a yes: nothing was sent */
  async ask(yes: boolean | undefined): Promise<void> {
    const { signal } = this.#ctx
    // Those that wait are left: nothing of them is sent.
    if (signal.aborted) return
    await askOnce(this.#ctx, this.ends('planned'), this.#options.shops, yes).catch((error: unknown) => this.giveUp(error))
  }

  /** Ends those that wait. @throws always what is given */
  async giveUp(error: unknown): Promise<never> {
    for (const shop of this.#options.shops) await shop.end(error)
    throw error
  }

  /** @param otherwise the state of those that have not ended */
  ends(otherwise: 'planned' | 'not_begun'): readonly ShopEnd[] {
    const { shops, many } = this.#options
    return shops.map((shop) => {
      const instead = shop.finished === undefined || this.#left.has(shop) ? otherwise : undefined
      return hideIn(endOf(shop, { many, instead }), this.#ctx.hide)
    })
  }

  /** Gives each that has not ended its turn: to make its plan, to send it, or to go from its beginning to its end. */
  async inTurn(turn: (shop: Shop) => Promise<void>): Promise<void> {
    const { signal } = this.#ctx
    const { shops, atOnce } = this.#options
    const waiting = shops.filter(({ finished }) => finished === undefined).values()
    const lane = async (): Promise<void> => {
      // All lanes take from the same rest.
      for (const shop of waiting) {
        if (signal.aborted) {
          this.#left.add(shop)
          await shop.end(signal.reason)
          continue
        }
        this.#working.add(shop)
        this.#say()
        await turn(shop)
        this.#working.delete(shop)
        this.#report(shop)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    this.#say()
  }

  /** An error of one shop does not stop the others, and is printed when it comes. */
  #report({ profile, finished }: Shop): void {
    const error = finished?.error
    if (error !== undefined) this.#ctx.output.warn(`${profile}: ${error.message}\n${error.hint}`)
  }

  /** Sets what Ctrl-C prints from here on. */
  #say(): void {
    const { shops } = this.#options
    const done = shops.filter(({ finished }) => finished !== undefined && finished.error === undefined)
    const working = [...this.#working].map(({ profile }) => profile)
    const left = [...this.#left].map(({ profile }) => profile)
    const begun = shops.filter(({ finished }) => finished?.error?.jobId !== undefined).map(({ profile }) => profile)
    const words = [
      `Done: ${done.length} of ${countOf(shops.length, 'shop')}.`,
      ...(working.length === 0 ? [] : [`At work: ${working.join(', ')}.`]),
      ...(left.length === 0 ? [] : [`Not begun: ${left.join(', ')}. Run the command again with --profiles ${left.join(',')}.`]),
    ]
    const next = begun.length === 0 ? undefined : run('jobs:resume', { '--profiles': begun.join(',') })
    this.#ctx.ifInterrupted({ sent: words.join(' '), next })
  }
}
