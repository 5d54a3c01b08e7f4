/**
 * A run over several shops, some of them side by side: they share the application's quota and the ledger. Commands that send wait
 * twice: all input is read before the first call of any shop, and everything is planned before anything is sent, so that one
 * question is enough.
 */

import type { Context, LedgerUse } from '../../cli/context.js'
import { matchingProfiles } from '../../cli/profile-names.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError, worstExitCode } from '../../errors/index.js'
import { type ShopEnd, shopsView } from '../../format/views/shops.js'
import type { Ledger } from '../../jobs/index.js'
import { run } from '../../messages/index.js'
import { slowHeapGrowth } from '../../system/memory.js'
import { readStdin } from '../input/file.js'
import type { Result } from '../result.js'
import { askOnce, endOf, hideIn, writeShops } from './ends.js'
import { profileFlags, refuseOfOne } from './files.js'
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

/** More shops than this keep the heap small: what is held of them is small, what they make on the way is not. */
const MANY_SHOPS = 200

/** @returns as eachProfile @throws {SellerError} as eachProfile */
export async function runShops<F extends ShopsFlags>(ctx: Context, flags: F, command: ShopsCommand<F>): Promise<Result> {
  const { ownFiles = [], notShared = [], together = false } = command
  refuseOfOne(flags, { own: ownFiles, notShared })
  const { view = shopsView() } = command
  // An unknown name in --columns is refused now, and not after everything was sent.
  if (command.show === undefined || command.view !== undefined) ctx.output.shows(view, 'Profile')
  const names = matchingProfiles(flags.profiles, ctx)
  if (names.length > MANY_SHOPS) slowHeapGrowth()
  const shops = openShops(ctx, names, together)
  const record =
    command.record === undefined ? undefined : new ShopsRecord(ctx, command.record, shops, () => openShopLedger(shops))
  try {
    await refuseSameShop(shops, together)
    const files: readonly (keyof F & string)[] = ['file', ...ownFiles]
    const work = (shop: Shop) => (own: Context) => command.work(own, profileFlags(flags, files, shop.profile))
    const run = new ShopsRun(ctx, { shops, many: command.many === true, atOnce: flags['at-once'] ?? AT_ONCE })
    if (together) {
      await record?.refuseAgain()
      await run.readInput(work)
      await run.inTurn((shop) => shop.next())
      await run.ask(flags.yes)
      await record?.write({ ...(flags as object) }, files)
      await run.inTurn(async (shop) => {
        await shop.next()
        await record?.recordEnd(shop)
      })
    } else {
      const idle = await command.idle?.(ctx, { profiles: names, openLedger: (use) => openShopLedger(shops, use) }, flags)
      for (const shop of shops) if (idle?.has(shop.profile) === true) await shop.endIdle()
      await run.inTurn((shop) => shop.begin(work(shop)))
    }
    const ends = run.ends('not_begun')
    const { show = writeShops } = command
    const about = { profiles: flags.profiles, view, shops, undo: command.many !== true && flags.blind !== true }
    const shopsShown = { write: () => show(ctx, ends, about), value: async () => ends }
    return { shown: [shopsShown], code: worstExitCode([...shops.map(codeOf), ctx.signal.aborted ? EXIT.interrupted : EXIT.ok]) }
  } finally {
    for (const shop of shops) await shop.close()
  }
}

/** The ledger of a run, which all its shops have together. */
function openShopLedger([shop]: readonly Shop[], use?: LedgerUse): Promise<Ledger> {
  if (shop === undefined) throw new TypeError('A run has no shops.')
  return shop.ledger(use)
}

function openShops(ctx: Context, names: readonly string[], waits: boolean): readonly Shop[] {
  const notes = new Set<string>()
  let stdin: Promise<Buffer> | undefined
  const shared = {
    waits,
    whole: ctx,
    rows: ctx.output.form === 'json' || ctx.output.form === 'ndjson' || ctx.output.form === 'yaml',
    onNote: (text: string) => {
      if (!notes.has(text)) ctx.output.note(text)
      notes.add(text)
    },
    stdin: () => {
      stdin ??= readStdin(ctx)
      return stdin
    },
  }
  return names.map((profile) => new Shop({ ...shared, profile }))
}

/**
 * Refuses two profiles of one seller: the second would change what the first has just set, or count it twice.
 * @throws {SellerError} usage
 */
async function refuseSameShop(shops: readonly Shop[], together: boolean): Promise<void> {
  const profileByKey = new Map<string, string>()
  for (const shop of shops) {
    const { settings, embedded } = (await shop.open()).profile
    const { user_id: user, base_url: url } = settings
    if (!together || user === undefined) continue
    const key = embedded ? 'sandbox' : `${user} ${url}`
    const other = profileByKey.get(key)
    if (other !== undefined) {
      throw new SellerError(
        'wrong_usage',
        `The profiles "${other}" and "${shop.profile}" are the same shop (seller ${user}), so it would be done twice.`,
        'Name one of them: --profiles takes several names with commas between them.',
      )
    }
    profileByKey.set(key, shop.profile)
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
  readonly #leftShops = new Set<Shop>()
  readonly #workingShops = new Set<Shop>()

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
    const { hide } = this.#ctx
    return shops.map((shop) => {
      const instead = shop.finished === undefined || this.#leftShops.has(shop) ? otherwise : undefined
      const end = endOf(shop, { many, instead })
      // A copy of all results at once would be as large as they are.
      return {
        ...hideIn({ ...end, Result: null }, hide),
        get Result() {
          return hideIn(end.Result, hide)
        },
      }
    })
  }

  /** Gives each that has not ended its turn: to make its plan, to send it, or to go from its beginning to its end. */
  async inTurn(turn: (shop: Shop) => Promise<void>): Promise<void> {
    const { signal } = this.#ctx
    const { shops, atOnce } = this.#options
    const waitingShops = shops.filter(({ finished }) => finished === undefined).values()
    const lane = async (): Promise<void> => {
      // All lanes take from the same rest.
      for (const shop of waitingShops) {
        if (signal.aborted) {
          this.#leftShops.add(shop)
          await shop.end(signal.reason)
          continue
        }
        this.#workingShops.add(shop)
        this.#say()
        await turn(shop)
        this.#workingShops.delete(shop)
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
    const doneShops = shops.filter(({ finished }) => finished !== undefined && finished.error === undefined)
    const workingProfiles = [...this.#workingShops].map(({ profile }) => profile)
    const unbegunProfiles = [...this.#leftShops].map(({ profile }) => profile)
    const begunProfiles = shops.filter(({ finished }) => finished?.error?.jobId !== undefined).map(({ profile }) => profile)
    const words = [
      `Done: ${doneShops.length} of ${countOf(shops.length, 'shop')}.`,
      ...(workingProfiles.length === 0 ? [] : [`At work: ${workingProfiles.join(', ')}.`]),
      ...(unbegunProfiles.length === 0
        ? []
        : [`Not begun: ${unbegunProfiles.join(', ')}. Run the command again with --profiles ${unbegunProfiles.join(',')}.`]),
    ]
    const next = begunProfiles.length === 0 ? undefined : run('jobs:resume', { '--profiles': begunProfiles.join(',') })
    this.#ctx.ifInterrupted({ sent: words.join(' '), next })
  }
}
