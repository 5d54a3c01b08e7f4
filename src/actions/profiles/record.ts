/** The record of a run over several shops: before it, what it would do a second time; after a kill, what it has not begun. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import type { ManifestCommand } from '../../cli/manifest.js'
import { shellWord } from '../../cli/profiles.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import type { Ledger, LeftShop } from '../../jobs/index.js'
import { joined, type Message, run, say } from '../../messages/index.js'
import { durationText, HOUR_MS } from '../../system/durations.js'
import type { DiscountFlags } from '../discounts/create.js'
import type { Result } from '../result.js'
import type { ShopPriceFlags } from '../shop/price.js'
import { profileFlags } from './files.js'
import type { Shop } from './shop.js'
import type { RunRecord } from './types.js'

/** Errors after which a shop is still to be begun: they are about the moment. */
const PASSING: ReadonlySet<string> = new Set(['quota', 'network', 'pending'])

/** Arguments of a recorded command, as they are written down. */
interface RecordedCall {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, unknown>>
}

/** The flags of each command that is recorded. */
interface Recorded {
  'shop:price': ShopPriceFlags
  'shop:discount': DiscountFlags
}

/** Part of a run that did not begin: the command, and its arguments. */
export type LeftCall = {
  [C in keyof Recorded]: { readonly command: C; readonly args: readonly string[]; readonly flags: Recorded[C] }
}[keyof Recorded]

/** Notes on a command that would do the same once more. */
const REPEATED = {
  'shop:price': {
    done: 'moved the prices of',
    finish: (names: string) => say`Finish what was begun with: ${run('jobs:resume', { '--profiles': names })}.`,
    repeat: 'To move the prices once more',
  },
  'shop:discount': {
    done: 'made this discount in',
    finish: () => say`See it with: ${run('discounts:list', { '--all-profiles': true })}.`,
    repeat: 'To make one more of that name',
  },
} satisfies Record<keyof Recorded, { done: string; finish: (names: string) => Message; repeat: string }>

/** For how long the same is held, ms. */
const HELD_FOR_MS = HOUR_MS

export class ShopsRecord {
  readonly #record: RunRecord
  readonly #shops: readonly Shop[]
  readonly #ctx: Context
  readonly #openLedger: () => Promise<Ledger>
  #ledger: Ledger | undefined
  #runId: number | undefined

  constructor(ctx: Context, record: RunRecord, shops: readonly Shop[], openLedger: () => Promise<Ledger>) {
    this.#openLedger = openLedger
    this.#ctx = ctx
    this.#record = record
    this.#shops = shops
  }

  /**
   * Refuses what the same relative command has done to these shops within the hour; where plans are only shown, warns about it.
   * @throws {SellerError} guard (6)
   */
  async refuseAgain(): Promise<void> {
    const refusal = await this.#refusal()
    if (refusal === undefined) return
    if (this.#record.showOnly !== true) throw refusal
    this.#ctx.output.warn(`Sending this would be refused. ${refusal.message}`)
    this.#ctx.output.hint(refusal.hint)
  }

  async #refusal(): Promise<SellerError | undefined> {
    const { command, moves, again } = this.#record
    const ctx = this.#ctx
    // Without a ledger nothing was moved.
    if (moves === null || again || !existsSync(ctx.ledgerPath)) return undefined
    const { shopRuns } = await this.#ensureLedger()
    const names = this.#shops.map(({ profile }) => profile)
    const now = ctx.clock.now()
    const movedShops = shopRuns.moved(moves, names, now - HELD_FOR_MS)
    if (movedShops.length === 0) return undefined
    const shops = movedShops.map(({ profile }) => profile)
    const rest = names.filter((name) => !shops.includes(name))
    const { done, finish, repeat } = REPEATED[command]
    const newest = Math.max(...movedShops.map(({ at }) => at))
    return new SellerError(
      'moved_already',
      `This command has ${done} ${countOf(movedShops.length, 'shop')} (${shops.join(', ')}) already, the last ${durationText(now - newest)} ago. Nothing was sent.`,
      joined([
        rest.length === 0 ? undefined : `For the others: --profiles ${shellWord(rest.join(','))}.`,
        finish(shops.join(',')),
        `${repeat}, add --again.`,
      ]),
      { shops },
    )
  }

  /** Before anything is sent. @param files flags with names of files */
  async write(flags: Readonly<Record<string, unknown>>, files: readonly string[]): Promise<void> {
    const shopsToSend = this.#shops.filter(({ planned, finished }) => finished === undefined && (planned?.rows ?? 0) > 0)
    if (this.#record.showOnly === true || shopsToSend.length === 0) return
    const { command, moves, args } = this.#record
    const { shopRuns } = await this.#ensureLedger()
    const fileFlags = files.flatMap((name) => (typeof flags[name] === 'string' ? [[name, flags[name]]] : []))
    const again = fileFlags.every(([, path]) => path !== '-')
    const paths = Object.fromEntries(fileFlags.map(([name = '', path = '']) => [name, resolve(this.#ctx.path(path))]))
    const call = again ? JSON.stringify({ args, flags: { ...flags, ...paths } } satisfies RecordedCall) : null
    const runId = shopRuns.begin(
      { command, moves, call },
      shopsToSend.map(({ profile }) => profile),
    )
    this.#runId = runId
    for (const shop of shopsToSend) shop.onMade = (ledger, change) => ledger.shopRuns.recordBegun(runId, shop.profile, change)
  }

  /** After a shop has ended. */
  async recordEnd(shop: Shop): Promise<void> {
    if (this.#runId === undefined || PASSING.has(shop.thrown?.category ?? '')) return
    const { shopRuns } = await this.#ensureLedger()
    shopRuns.ended(this.#runId, shop.profile)
  }

  async #ensureLedger(): Promise<Ledger> {
    this.#ledger ??= await this.#openLedger()
    return this.#ledger
  }
}

/** Says which shops a run has not begun. @param profile only this one */
export function sayLeft({ output, clock }: Context, { shopRuns }: Pick<Ledger, 'shopRuns'>, profile?: string): void {
  const leftShops = shopRuns.leftShops().filter((shop) => profile === undefined || shop.profile === profile)
  for (const id of new Set(leftShops.map(({ runId }) => runId))) {
    const shops = leftShops.filter(({ runId }) => runId === id)
    const [{ command, at, call } = { command: '', at: 0, call: null }] = shops
    const names = shops.map((shop) => shop.profile).join(',')
    output.warn(
      `A run of ${command} ${durationText(clock.now() - at)} ago did not begin ${countOf(shops.length, 'shop')}: ${names.replaceAll(',', ', ')}.`,
    )
    output.hint(
      call === null
        ? `Its rows came from stdin: run it again with --profiles ${shellWord(names)}`
        : say`Go on with: ${run('jobs:resume', { '--profiles': names })}`,
    )
  }
}

interface Beginning {
  readonly wait: boolean
  /** All commands, with their flags. */
  readonly commands: readonly ManifestCommand[]
}

/**
 * Reads a recorded call back. Each flag must be one of the command, with a value of its form: what another version wrote is
 * refused whole, since a flag that is left out may be a limit.
 * @throws {SellerError} run_unreadable
 */
function readCall({ command, profile, call }: LeftShop & { readonly call: string }, { wait, commands }: Beginning): LeftCall {
  const fail = (what: string): SellerError =>
    new SellerError(
      'run_unreadable',
      `The run of ${command} for ${profile} cannot be begun: ${what}. Another version of seller recorded it.`,
      `Nothing was sent. Run the command again yourself, with --profiles ${shellWord(profile)}`,
      { command, profile },
    )
  if (command !== 'shop:price' && command !== 'shop:discount') throw fail('no such command is recorded')
  const flagsByName = commands.find(({ id }) => id === command)?.flags ?? {}
  let recorded: Partial<RecordedCall>
  try {
    recorded = JSON.parse(call)
  } catch {
    throw fail('its record is not JSON')
  }
  const { args, flags: given } = recorded
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) throw fail('its arguments are not a list of texts')
  if (typeof given !== 'object' || given === null) throw fail('it has no flags')
  // An earlier version may have called a flag by what is an alias now.
  const names = new Map(
    Object.values(flagsByName).flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name] as const)),
  )
  const flags = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [flagsByName[name] === undefined ? (names.get(name) ?? name) : name, value]),
  )
  for (const [name, value] of Object.entries(flags)) {
    const flag = flagsByName[name]
    if (flag === undefined) throw fail(`it has the flag --${name}, which this version does not have`)
    if (value !== null && !isOfForm(flag, value)) throw fail(`its flag --${name} has a value of another form`)
  }
  for (const [name, { required }] of Object.entries(flagsByName))
    if (required === true && !Object.hasOwn(flags, name)) throw fail(`it lacks the flag --${name}`)
  // For one shop, which was asked about before it was recorded.
  const own: object = {
    ...profileFlags<Readonly<Record<string, unknown>>>(flags, ['file', 'plan', 'held-file', 'failed-file'], profile),
    ...{ profiles: undefined, yes: true, wait },
  }
  return command === 'shop:price'
    ? { command, args, flags: own as ShopPriceFlags }
    : { command, args, flags: own as DiscountFlags }
}

function isOfForm({ type, ...flag }: ManifestCommand['flags'][string], value: unknown): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if ('multiple' in flag && flag.multiple === true) return Array.isArray(value)
  return typeof value === 'string' || typeof value === 'number'
}

/** Begins what runs have left of the shop of this context. @param work does it @throws {SellerError} run_unreadable */
export async function* beginLeft(
  ctx: Context,
  how: Beginning,
  work: (ctx: Context, left: LeftCall) => Promise<Result>,
): AsyncGenerator<Result> {
  const ledger = await ctx.ledger()
  const all = ledger.shopRuns.leftShops().filter(({ profile }) => profile === ctx.profile.name)
  if (all.some(({ call }) => call === null)) sayLeft(ctx, ledger, ctx.profile.name)
  let firstRefusal: unknown
  for (const shop of all) {
    if (shop.call === null) continue
    let leftCall: LeftCall
    try {
      leftCall = readCall({ ...shop, call: shop.call }, how)
    } catch (error) {
      // It does not stop what can be begun.
      firstRefusal ??= error
      continue
    }
    ctx.output.note(`Beginning ${shop.profile}, which an earlier run did not begin.`)
    const onMade: Context['onMade'] = (its, change) => its.shopRuns.recordBegun(shop.runId, shop.profile, change)
    const shopContext: Context = Object.create(ctx, { onMade: { value: onMade } })
    yield await work(shopContext, leftCall)
    // Nothing was to be sent: what is begun stays begun.
    ledger.shopRuns.ended(shop.runId, shop.profile)
  }
  if (firstRefusal !== undefined) throw firstRefusal
}
