/** Turns the one input of shop:price (arguments, a file, a rule, a stored plan) and the live list into a plan. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { countOf } from '../../contract/numbers.js'
import { itemsPerCall } from '../../jobs/bulk/index.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import {
  type Guards,
  type Known,
  type LiveItem,
  type LiveItems,
  lacksUnit,
  NO_GUARDS,
  type PricePlan,
  type PriceRule,
  parseRule,
  planPrices,
  planRule,
  readPlan,
  ruleWords,
} from '../../pricing/index.js'
import { type PriceRows, priceRowsFromArguments, readPriceRows } from '../../rows/index.js'
import { openInputFile } from '../input/file.js'
import { rowsOfInput } from '../rows/read.js'
import { knownCosts, noteWithoutCost } from './costs.js'
import { knownFor, noteDiscounts, type PlanUse, shopOf, wantedPrice } from './discounts.js'
import { type GuardFlags, guardsOf } from './guards.js'
import { planWithKnown } from './ledger-prices.js'
import { type LiveLook, liveItems, SHOP, SHOP_STOCK } from './live.js'
import { type InputOrigin, refusing } from './refusal.js'
import { type Absence, ListDoubt } from './seen.js'
import { type Chosen, refuseNothingChosen, type SelectFlags, selected, selectionOf, selectionWords } from './selection.js'

export interface PriceFlags extends GuardFlags, SelectFlags {
  readonly file?: string
  readonly sheet?: string
  readonly plan?: string
  readonly blind?: boolean
  readonly set?: string
  readonly add?: string
  readonly margin?: string
  readonly markup?: string
  readonly recommended?: boolean
  readonly vat?: string
  readonly 'end-with'?: string
  readonly floor?: string
  readonly ceiling?: string
}

export interface PlannedPrices {
  readonly plan: PricePlan
  /** The command, shortened, for jobs:list. */
  readonly title: string
  /** Calls made for it: none if it is blind, else one, and more if the results of queued prices were asked for. */
  readonly calls: number
  /** Whether each price was typed on the command line. */
  readonly typed: boolean
  /** Set where items of the shop are in a discount: their rows are about the normal price. */
  readonly during?: PricesDuringDiscounts
  /** The rule that made the prices. */
  readonly rule?: PriceRule
}

const TO_SEND: PlanUse = { command: 'shop:price' }

/**
 * Reads the whole input, then the live list, and plans.
 * @param args `ID=PRICE` or `REFERENCE=PRICE`
 * @throws {SellerError} usage: no input or several, a rule or an argument that cannot be read, another shop's plan; validation:
 * rows that are not allowed; what the client throws
 */
export async function planShopPrices(
  ctx: Context,
  args: readonly string[],
  flags: PriceFlags,
  look?: LiveLook,
  use: PlanUse = TO_SEND,
): Promise<PlannedPrices> {
  const select = selectionOf(flags)
  refuseSeveral(args, flags, select)
  const guards = guardsOf(flags, ctx.profile.settings)
  if (select !== undefined) return planByRule(ctx, select, flags, { guards, look, use })
  if (flags.plan !== undefined)
    return planFromStored(ctx, flags.plan, { guards, blind: flags.blind === true, look, vat: flags.vat, absence: flags })
  const { file } = flags
  const origin: InputOrigin = file === undefined ? { kind: 'arguments' } : { kind: 'file', path: file }
  const rows = await rowsOfInput(ctx, flags, readPriceRows, () => priceRowsFromArguments(args))
  const title = file === undefined ? `${use.command} ${args.join(' ')}` : `${use.command} --file ${file}`
  const blind = flags.blind === true
  const planned = await planRows(ctx, { rows, guards, blind, origin, look, use, live: 'stays', vat: flags.vat, absence: flags })
  warnEditedValues(ctx, planned.plan)
  return { ...planned, title: inShort(title), typed: file === undefined }
}

/** Warns about edited values beside the prices: they stay as they are. */
function warnEditedValues({ output }: Context, { editedCells, editedCount }: PricePlan): void {
  if (editedCount === 0) return
  const lines = editedCells.map(
    ({ Line, Id, Field, Value, Live }) => `  line ${Line}, item ${Id}: ${Field} is "${Live}", not "${Value}"`,
  )
  const more = editedCount > editedCells.length ? [`  … and ${editedCount - editedCells.length} more`] : []
  const what = `${countOf(editedCount, 'value')} beside the prices ${editedCount === 1 ? 'differs' : 'differ'}`
  output.warn([`${what} from the live item. Only prices are sent.`, ...lines, ...more].join('\n'))
  if (editedCells.some(({ Field }) => Field === 'RemainingQuantity'))
    output.hint('Numbers in stock are set with shop:stock, where the service offers it.')
}

interface Rows {
  readonly rows: PriceRows
  readonly guards: Guards
  readonly blind: boolean
  readonly origin: InputOrigin
  readonly look?: LiveLook
  /** Gives the live list in place of reading it, for the first plan; what it returns undefined for is read. */
  readonly read?: () => LiveItems | undefined
  readonly use?: PlanUse
  /** Of an item in a discount, a row with the very price that is live stays as it is: a list that was exported during the discount has it. */
  readonly live?: 'stays'
  /** The limit for a list that is short: a row whose item it lacks is not taken for one of a gone item. */
  readonly absence?: Absence
  /** The flag: VAT that the prices include. */
  readonly vat?: string
}

/** Plans rows against the live list (without it if blind), using what the ledger knows. */
export async function planRows(
  ctx: Context,
  { rows, guards, blind, origin, look, read, use = TO_SEND, live: stays, absence = {}, vat }: Rows,
): Promise<Pick<PlannedPrices, 'plan' | 'calls' | 'during'>> {
  const client = blind ? undefined : await ctx.client()
  const ledger = await ctx.ledger()
  const perCall = itemsPerCall(ledger, ctx.profile.name)
  const costs = await knownCosts(ctx, vat)
  let during: PricesDuringDiscounts | undefined
  const doubt = new ListDoubt(absence)
  const references = rows.hasReferences || rows.numbered || undefined
  const wanted = stays === undefined ? undefined : (item: LiveItem) => wantedPrice(rows, item)
  const plan = (known: Known) => {
    // Made again each time: what was asked about in between may have changed normal prices.
    during = PricesDuringDiscounts.of(ledger, shopOf(ctx))
    const reread =
      client && (() => liveItems(ctx, client, { ...(rows.hasRemaining ? SHOP_STOCK : SHOP), look, absence: doubt, references }))
    const list = read?.() ?? reread?.()
    const live = list === undefined || during === undefined ? list : during.normal(list, wanted)
    return refusing(origin, () =>
      planPrices({ rows, live, guards, known: knownFor(use, known), perCall, lowers: use.discount, costs }),
    )
  }
  const planned = await planWithKnown(ctx, guards, { plan, calls: blind ? 0 : 1 })
  doubt.refuseMissing(planned.plan.summary.Unknown)
  if (use.discount !== true) noteDiscounts(ctx, planned.plan, during)
  noteWithoutCost(ctx, planned.plan, guards)
  return { ...planned, during }
}

/** The flags that make a rule. */
const RULING = ['set', 'add', 'margin', 'markup', 'recommended', 'end-with', 'floor', 'ceiling'] as const

async function planByRule(
  ctx: Context,
  chosen: Chosen,
  flags: PriceFlags,
  { guards, look, use = TO_SEND }: Pick<Rows, 'guards' | 'look' | 'use'>,
): Promise<PlannedPrices> {
  const rule = await typedRule(ctx, flags)
  const inWords = ruleWords(rule)
  ctx.output.note(`New prices: ${inWords}.`)
  const costs = await knownCosts(ctx, flags.vat)
  const client = await ctx.client()
  const select = await selected(ctx, chosen)
  const ledger = await ctx.ledger()
  const perCall = itemsPerCall(ledger, ctx.profile.name)
  let during: PricesDuringDiscounts | undefined
  // The service filters by category, so the rest of a large shop is not read at all.
  const list = { ...SHOP, look, ...('category' in select ? { categoryId: select.category } : {}) }
  const planned = await planWithKnown(ctx, guards, {
    plan: (found) => {
      during = PricesDuringDiscounts.of(ledger, shopOf(ctx))
      const read = liveItems(ctx, client, list)
      const live = during === undefined ? read : during.normal(read)
      return planRule({ live, select, rule, guards, known: knownFor(use, found), perCall, lowers: use.discount, costs })
    },
    calls: 1,
  })
  if (planned.plan.summary.Rows === 0) refuseNothingChosen(select)
  if (use.discount !== true) noteDiscounts(ctx, planned.plan, during)
  noteWithoutCost(ctx, planned.plan, guards, rule)
  return { ...planned, during, rule, title: inShort(`${use.command} ${selectionWords(chosen)}: ${inWords}`), typed: false }
}

/** Asks for the unit of a change that has none, where there is somebody to ask; else the rule is refused for it. */
/** The rule of the flags. @throws {SellerError} usage */
export async function typedRule(ctx: Context, flags: Pick<PriceFlags, (typeof RULING)[number]>): Promise<PriceRule> {
  const { 'end-with': endWith, ...given } = flags
  const { set, margin, markup, recommended, floor, ceiling } = given
  const add = given.add === undefined ? undefined : await withUnit(ctx, given.add)
  const typed = { set, add, margin, markup, recommended, endWith, floor, ceiling }
  return refusing({ kind: 'rule' }, () => parseRule(typed))
}

async function withUnit({ prompts }: Context, add: string): Promise<string> {
  if (!prompts.available || !lacksUnit(add)) return add
  const number = add.trim()
  const choices = [
    { name: `${number} % of each price`, value: '%' },
    { name: `${number} kr on each price`, value: 'kr' },
  ]
  const { unit = '' } = await prompts.fill([
    { key: 'unit', flag: '--add', message: `--add ${number}: per cent or kronor?`, kind: 'select', choices },
  ])
  return `${number}${unit}`
}

async function planFromStored(
  ctx: Context,
  path: string,
  { guards, blind, look, vat, absence }: Omit<Rows, 'rows' | 'origin'>,
): Promise<PlannedPrices> {
  const origin: InputOrigin = { kind: 'file', path }
  const stored = await refusing(origin, async () => readPlan(await openInputFile(ctx, path)))
  const { Profile, UserId } = stored.header
  const user = ctx.profile.settings.user_id ?? null
  if (Profile !== ctx.profile.name || (UserId !== null && user !== null && UserId !== user)) {
    throw new SellerError(
      'plan_of_another',
      `The plan "${path}" was made for the profile "${Profile}"${UserId === null ? '' : `, seller ${UserId}`}, but the current profile is "${ctx.profile.name}"${user === null ? '' : `, seller ${user}`}.`,
      `Send it with --profile ${Profile}, or make a plan for this shop.`,
    )
  }
  // The guards were applied when the plan was made, but those that compare had nothing to compare in a blind plan.
  const planned = await planRows(ctx, {
    rows: stored.rows,
    guards: stored.blind ? guards : NO_GUARDS,
    blind,
    origin,
    look,
    live: 'stays',
    vat,
    absence,
  })
  return { ...planned, title: inShort(`shop:price --plan ${path}`), typed: false }
}

/** Flags that exclude each other are declared. Oclif cannot see arguments together with flags, nor that nothing was given. */
function refuseSeveral(args: readonly string[], flags: PriceFlags, select: Chosen | undefined): void {
  const inputs = [
    ...(args.length > 0 ? ['arguments'] : []),
    ...(flags.file === undefined ? [] : ['--file']),
    ...(flags.plan === undefined ? [] : ['--plan']),
    ...(select === undefined ? [] : ['a rule']),
  ]
  const ruled = RULING.filter((name) => flags[name] !== undefined)
  if (inputs.length > 1) {
    throw new SellerError('several_inputs', `Prices come from ${inputs.join(' and from ')} at once.`, 'Give one of them.')
  }
  if (select === undefined && ruled.length > 0) {
    throw new SellerError(
      'rule_without_items',
      `--${ruled[0]} is a price rule, but no items are chosen.`,
      'Give --all, --category ID or --reference GLOB with it.',
    )
  }
  if (inputs.length > 0) return
  throw new SellerError(
    'no_prices',
    'No prices are given.',
    'Give ID=PRICE, --file FILE, a rule (--all --add -10%) or --plan FILE. See --help.',
  )
}

const LONGEST_TITLE = 80

/** Shortens a title to fit a table. */
export function inShort(title: string): string {
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title
}
