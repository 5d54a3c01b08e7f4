/** The sources of the prices of shop items: arguments, a file, a rule or a stored plan. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../errors/index.js'
import { ownHelp, say } from '../../messages/index.js'
import { type Guards, NO_GUARDS, type PriceRule, planPrices, readPlan } from '../../pricing/index.js'
import { type PriceRows, priceRowsFromArguments, readPriceRows } from '../../rows/index.js'
import { isOwn, otherShopWords } from '../own.js'
import { chooseInput, type FileFlags, inputFile, type RowsInput, readRows, refusing } from '../rows/input.js'
import { type GuardFlags, readGuards } from './guards.js'
import { type LiveLook, SHOP, SHOP_STOCK } from './live.js'
import { type PlannedPrices, type PlanUse, type PriceSource, planShopPrices, wantedPrice, warnEditedValues } from './plan.js'
import type { Absence } from './seen.js'
import {
  CHOICES_HINT,
  type GivenSource,
  RULING,
  type RuleFlags,
  readSelection,
  type SelectFlags,
  sourceOfRule,
  typedRule,
} from './selection.js'

export interface PriceFlags extends GuardFlags, SelectFlags, RuleFlags, Absence, FileFlags {
  readonly file?: string | undefined
  readonly plan?: string | undefined
  readonly blind?: boolean | undefined
  readonly vat?: string | undefined
}

const NO_PRICES = { code: 'no_prices', message: 'No prices are given.' } as const
const NO_PRICES_HINT = say`Give ID=PRICE, --file FILE, a rule (--all --add -10%) or --plan FILE. See ${ownHelp}.`
const NO_PRICES_UNPLANNED_HINT = say`Give ID=PRICE, --file FILE or a rule (--all --add -10%). See ${ownHelp}.`

/** Prices that were planned as they were given. */
export interface PlannedGiven extends PlannedPrices {
  /** The command, for jobs:list. */
  readonly title: string
  /** The rule that made the prices. */
  readonly rule?: PriceRule | undefined
}

/** Prices as they were given. */
export interface GivenPrices {
  readonly input: RowsInput
  /** The limits of the flags and of the profile. */
  readonly guards: Guards
  /**
   * Reads the whole input, then the live list, and plans.
   * @throws {SellerError} usage: a rule or an argument that cannot be read, another shop's plan; validation: rows that are not
   * allowed; what the client throws
   */
  plan(how?: { readonly look?: LiveLook | undefined; readonly use?: PlanUse | undefined }): Promise<PlannedGiven>
}

/**
 * The one input of prices. Flags that exclude each other are declared. Oclif cannot see arguments together with flags, nor that
 * nothing was given.
 * @param args `ID=PRICE` or `REFERENCE=PRICE`
 * @param options `takesPlan`: the command has the flag --plan
 * @throws {SellerError} usage: a limit that cannot be read, no input or several, or a rule without items
 */
export function givenPrices(
  ctx: Context,
  args: readonly string[],
  flags: PriceFlags,
  { takesPlan = false }: { readonly takesPlan?: boolean } = {},
): GivenPrices {
  const { plan: stored, blind = false, vat } = flags
  const guards = readGuards(flags, ctx.profile.settings)
  const select = readSelection(flags)
  const read = async (input: RowsInput): Promise<GivenSource> => {
    if (select !== undefined) return sourceOfRule(ctx, select, await typedRule(ctx, flags))
    if (stored !== undefined) return sourceOfStored(ctx, stored, blind)
    const rows = await readRows(ctx, input, readPriceRows, () => priceRowsFromArguments(args, ctx.currency))
    return { ...sourceOfRows(rows, { blind, stays: true }), checked: (plan) => warnEditedValues(ctx, plan) }
  }
  const alone = select === undefined ? RULING.find((name) => flags[name] !== undefined) : undefined
  if (alone !== undefined) {
    const message = `--${alone} is a price rule, but no items are chosen.`
    throw new SellerError('rule_without_items', message, `Give ${CHOICES_HINT} with it.`)
  }
  const others = [...(stored === undefined ? [] : ['--plan']), ...(select === undefined ? [] : ['a rule'])]
  const nothing = { ...NO_PRICES, hint: takesPlan ? NO_PRICES_HINT : NO_PRICES_UNPLANNED_HINT }
  const rowsInput = chooseInput(args, flags, { what: 'prices', others, nothing })
  const input: RowsInput =
    stored === undefined ? rowsInput : { origin: { kind: 'file', path: stored }, words: `--plan ${stored}` }
  return {
    input,
    guards,
    async plan({ look, use = { command: 'shop:price' } } = {}) {
      const terms = { guards, look, use, absence: flags, vat }
      const source = await read(input)
      const plannedPrices = await refusing(input.origin, () => planShopPrices(ctx, source, terms))
      source.checked?.(plannedPrices.plan)
      return { ...plannedPrices, rule: source.rule, title: `${use.command} ${source.title ?? input.words}` }
    },
  }
}

/**
 * Rows as a source of prices.
 * @param options `stays`: of an item in a discount, a row with the very price that is live stays as it is, since a list that was
 * exported during the discount has it
 */
export function sourceOfRows(
  rows: PriceRows,
  { blind = false, stays = false, live }: { blind?: boolean; stays?: boolean; live?: PriceSource['live'] } = {},
): PriceSource {
  const references = rows.hasReferences || rows.numbered || undefined
  return {
    list: blind ? undefined : { ...(rows.hasRemaining ? SHOP_STOCK : SHOP), references },
    rows,
    live,
    concludes: true,
    wanted: stays ? (item) => wantedPrice(rows, item) : undefined,
    plan: (terms) => planPrices({ ...terms, rows }),
  }
}

async function sourceOfStored(ctx: Context, path: string, blind: boolean): Promise<GivenSource> {
  const storedPlan = await readRows(ctx, inputFile(path), async (pieces) => ({ ...(await readPlan(pieces)), notes: [] }))
  const { header } = storedPlan
  if (!isOwn(ctx, header)) {
    throw new SellerError(
      'plan_of_another',
      `The plan "${path}" was made for ${otherShopWords(ctx, header)}.`,
      `Send it with --profile ${header.Profile}, or make a plan for this shop.`,
    )
  }
  // The guards were applied when the plan was made, but those that compare had nothing to compare in a blind plan.
  return { ...sourceOfRows(storedPlan.rows, { blind, stays: true }), guards: storedPlan.blind ? undefined : NO_GUARDS }
}
