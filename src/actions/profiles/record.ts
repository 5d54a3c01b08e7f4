/** The record of a run over several shops: before it, what it would do a second time; after a kill, what it has not begun. */
import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import { SellerError } from '../../errors/index.js'
import { countOf } from '../../format/views/index.js'
import type { Ledger, LeftShop } from '../../jobs/index.js'
import { durationText, HOUR_MS } from '../../system/durations.js'
import type { Result } from '../result.js'
import { flagsOf } from './files.js'
import type { Shop } from './shop.js'
import type { RunRecord } from './types.js'

/** Errors after which a shop is still to be begun: they are about the moment. */
const PASSING: ReadonlySet<string> = new Set(['quota', 'network', 'pending'])

/** What a recorded command is called with. */
export interface RecordedCall {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, unknown>>
}

/** What is said of a command that would do the same once more. */
const REPEATED = {
  'shop:price': {
    done: 'moved the prices of',
    finish: (names: string) => `Finish what was begun with: seller jobs:resume --profiles ${names}.`,
    repeat: 'To move the prices once more',
  },
  'shop:discount': {
    done: 'made this discount in',
    finish: () => 'See it with: seller discounts:list --all-profiles.',
    repeat: 'To make one more of that name',
  },
} satisfies Record<RunRecord['command'], { done: string; finish: (names: string) => string; repeat: string }>

/** For how long the same is held, ms. */
const HELD_FOR_MS = HOUR_MS

export class ShopsRecord {
  readonly #record: RunRecord
  readonly #shops: readonly Shop[]
  readonly #ctx: Context
  #ledger: Ledger | undefined
  #runId: number | undefined

  constructor(ctx: Context, record: RunRecord, shops: readonly Shop[]) {
    this.#ctx = ctx
    this.#record = record
    this.#shops = shops
  }

  /** @throws {SellerError} guard (6): the same relative command has moved prices of these shops within the hour */
  async refuseAgain(): Promise<void> {
    const { command, moves, again } = this.#record
    const ctx = this.#ctx
    // Without a ledger nothing was moved.
    if (moves === null || again || !existsSync(ctx.ledgerPath)) return
    const { shopRuns } = await this.#opened()
    const names = this.#shops.map(({ profile }) => profile)
    const now = ctx.clock.now()
    const moved = shopRuns.moved(moves, names, now - HELD_FOR_MS)
    if (moved.length === 0) return
    const shops = moved.map(({ profile }) => profile)
    const rest = names.filter((name) => !shops.includes(name))
    const { done, finish, repeat } = REPEATED[command]
    const newest = Math.max(...moved.map(({ at }) => at))
    throw new SellerError(
      'moved_already',
      `This command has ${done} ${countOf(moved.length, 'shop')} (${shops.join(', ')}) already, the last ${durationText(now - newest)} ago. Nothing was sent.`,
      `${rest.length === 0 ? '' : `For the others: --profiles ${shellWord(rest.join(','))}. `}${finish(shellWord(shops.join(',')))} ${repeat}, add --again.`,
      { shops },
    )
  }

  /** Before anything is sent. @param files flags with names of files */
  async write(flags: Readonly<Record<string, unknown>>, files: readonly string[]): Promise<void> {
    const sending = this.#shops.filter(({ planned, finished }) => finished === undefined && (planned?.rows ?? 0) > 0)
    if (sending.length === 0) return
    const { command, moves, args } = this.#record
    const { shopRuns } = await this.#opened()
    const named = files.flatMap((name) => (typeof flags[name] === 'string' ? [[name, flags[name]]] : []))
    const again = named.every(([, path]) => path !== '-')
    const paths = Object.fromEntries(named.map(([name = '', path = '']) => [name, this.#ctx.path(path)]))
    const call = again ? JSON.stringify({ args, flags: { ...flags, ...paths } } satisfies RecordedCall) : null
    const runId = shopRuns.begin(
      { command, moves, call },
      sending.map(({ profile }) => profile),
    )
    this.#runId = runId
    for (const shop of sending) shop.onMade = (ledger, made) => ledger.shopRuns.begun(runId, shop.profile, made)
  }

  /** After a shop has ended. */
  async ended(shop: Shop): Promise<void> {
    if (this.#runId === undefined || PASSING.has(shop.thrown?.category ?? '')) return
    const { shopRuns } = await this.#opened()
    shopRuns.ended(this.#runId, shop.profile)
  }

  close(): void {
    this.#ledger?.close()
  }

  /** A connection of its own: those of the shops are closed as each ends. */
  async #opened(): Promise<Ledger> {
    const { openLedger } = await import('../../jobs/ledger/index.js')
    this.#ledger ??= openLedger(this.#ctx.ledgerPath, this.#ctx.clock)
    return this.#ledger
  }
}

/** Says which shops a run has not begun. @param profile only this one */
export function sayLeft({ output, clock }: Context, { shopRuns }: Pick<Ledger, 'shopRuns'>, profile?: string): void {
  const left = shopRuns.left().filter((shop) => profile === undefined || shop.profile === profile)
  for (const id of new Set(left.map(({ runId }) => runId))) {
    const shops = left.filter(({ runId }) => runId === id)
    const [{ command, at, call } = { command: '', at: 0, call: null }] = shops
    const names = shops.map((shop) => shop.profile).join(',')
    output.warn(
      `A run of ${command} ${durationText(clock.now() - at)} ago did not begin ${countOf(shops.length, 'shop')}: ${names.replaceAll(',', ', ')}.`,
    )
    output.hint(
      call === null
        ? `Its rows came from stdin: run it again with --profiles ${shellWord(names)}`
        : `Go on with: seller jobs:resume --profiles ${shellWord(names)}`,
    )
  }
}

/** Begins what runs have left of the shop of this context. @param work does it */
export async function* beginLeft(
  ctx: Context,
  { wait }: { readonly wait?: boolean },
  work: (ctx: Context, shop: LeftShop, call: RecordedCall) => Promise<Result>,
): AsyncGenerator<Result> {
  const ledger = await ctx.ledger()
  const all = ledger.shopRuns.left().filter(({ profile }) => profile === ctx.profile.name)
  if (all.some(({ call }) => call === null)) sayLeft(ctx, ledger, ctx.profile.name)
  for (const left of all) {
    if (left.call === null) continue
    const { args, flags } = JSON.parse(left.call) as RecordedCall
    const own = flagsOf<Record<string, unknown>>(flags, ['file', 'plan', 'held-file', 'failed-file'], left.profile)
    const onMade: Context['onMade'] = (its, made) => its.shopRuns.begun(left.runId, left.profile, made)
    const begun: Context = Object.create(ctx, { onMade: { value: onMade } })
    yield await work(begun, left, { args, flags: { ...own, profiles: undefined, yes: true, wait } })
    // Nothing was to be sent: what is begun stays begun.
    ledger.shopRuns.ended(left.runId, left.profile)
  }
}
