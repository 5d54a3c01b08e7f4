/** Which items a rule is for, and the rule: the flags of commands that set many prices, what they choose, and its prices. */
import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.js'
import { unquoted } from '../../contract/glob.js'
import { SellerError } from '../../errors/index.js'
import {
  lacksUnit,
  type PriceRule,
  parseRule,
  planRule,
  type RowPlan,
  type RuleTexts,
  ruleWords,
  type Selection,
} from '../../pricing/index.js'
import { categoryFlag } from '../input/flags.js'
import { categoryId } from '../input/ids.js'
import { refusing } from '../rows/input.js'
import { SHOP } from './live.js'
import type { PriceSource } from './plan.js'

const RULE = 'RULE'

/** Which items a rule is for. @param rows flags that name items row by row, and so go with none of these */
export const selectFlags = (rows: readonly string[]) => ({
  all: Flags.boolean({
    helpGroup: RULE,
    exclusive: ['category', 'reference', ...rows],
    summary: 'For every shop item.',
  }),
  category: categoryFlag({
    helpGroup: RULE,
    exclusive: ['all', 'reference', ...rows],
    summary: 'For the shop items of this category.',
  }),
  reference: Flags.string({
    helpGroup: RULE,
    helpValue: 'GLOB',
    exclusive: ['all', 'category', ...rows],
    summary: 'For the shop items with such an own reference; * and ? stand for any characters.',
    parse: async (glob) => unquoted(glob),
  }),
})

/** Which items a rule is for, and the rule. @param rows as for selectFlags */
export const ruleFlags = (rows: readonly string[]) => ({
  ...selectFlags(rows),
  set: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: ['add', ...rows], summary: 'This price.' }),
  add: Flags.string({
    helpGroup: RULE,
    helpValue: 'KR|PERCENT',
    exclusive: ['set', ...rows],
    summary: 'So much more or less, with its unit, e.g. 25kr, -10% or -10pct (in a batch file of Windows).',
  }),
  'end-with': Flags.string({
    helpGroup: RULE,
    helpValue: 'DIGITS',
    exclusive: [...rows],
    summary: 'Then the nearest price that ends so, e.g. 9 or 95.',
  }),
  floor: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: [...rows], summary: 'Never below this.' }),
  ceiling: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: [...rows], summary: 'Never above this.' }),
})

/** The values of selectFlags. */
export interface SelectFlags {
  readonly all?: boolean
  /** An id, or words for one. */
  readonly category?: number | string
  readonly reference?: string
}

/** The values of the flags that make a rule. */
export interface RuleFlags extends Omit<RuleTexts, 'endWith'> {
  readonly 'end-with'?: string
}

/** The flags that make a rule. */
export const RULING = ['set', 'add', 'margin', 'markup', 'recommended', 'end-with', 'floor', 'ceiling'] as const

/** A selection whose category may still be words. */
export type Chosen = Selection | { readonly category: number | string }

export function selectionOf({ all, category, reference }: SelectFlags): Chosen | undefined {
  if (all === true) return { all }
  if (category !== undefined) return { category }
  return reference === undefined ? undefined : { reference }
}

/** The flag of a choice, for titles of jobs. */
export function selectionWords(chosen: Chosen): string {
  return Object.entries(chosen)
    .map(([flag, value]) => (value === true ? `--${flag}` : `--${flag} ${value}`))
    .join('')
}

/** The choice with the id of its category. @throws {SellerError} unknown_name, ambiguous_name; what a call throws */
export async function selected(ctx: Context, chosen: Chosen): Promise<Selection> {
  return 'category' in chosen ? { category: await categoryId(ctx, chosen.category) } : chosen
}

/** Refuses a choice without items: a mistyped one would change nothing and look like work that is done. @throws {SellerError} guard (6) */
export function refuseNothingChosen(select: Selection): never {
  const [words, hint] =
    'reference' in select
      ? [`No live shop item has an own reference like "${select.reference}".`, '--type shop --columns Id,OwnReferences']
      : 'category' in select
        ? [`No live shop item is in category ${select.category} or below it.`, '--type shop --columns Id,CategoryId,CategoryPath']
        : ['The shop has no live items.', '--type shop']
  throw new SellerError('nothing_chosen', words, `Nothing was sent. See what there is with: seller items:list ${hint}`)
}

/** A source that was given. */
export interface GivenSource extends PriceSource {
  /** What was given, in the title, where it is not the words of the input. */
  readonly title?: string
  /** Looks at the plan. */
  checked?(plan: RowPlan): void
}

/** A rule as a source of prices. */
export async function sourceOfRule(ctx: Context, chosen: Chosen, rule: PriceRule): Promise<GivenSource> {
  const inWords = ruleWords(rule)
  ctx.output.note(`New prices: ${inWords}.`)
  const select = await selected(ctx, chosen)
  return {
    // The service filters by category, so the rest of a large shop is not read at all.
    list: { ...SHOP, ...('category' in select ? { categoryId: select.category } : {}) },
    concludes: false,
    rule,
    plan: ({ live = [], ...more }) => planRule({ ...more, live, select, rule }),
    title: `${selectionWords(chosen)}: ${inWords}`,
    checked: ({ summary }) => {
      if (summary.Rows === 0) refuseNothingChosen(select)
    },
  }
}

/** The rule of the flags. @throws {SellerError} usage */
export async function typedRule(ctx: Context, flags: RuleFlags): Promise<PriceRule> {
  const { 'end-with': endWith, ...given } = flags
  const { set, margin, markup, recommended, floor, ceiling } = given
  const add = given.add === undefined ? undefined : await withUnit(ctx, given.add)
  const typed = { set, add, margin, markup, recommended, endWith, floor, ceiling }
  return refusing({ kind: 'rule' }, () => parseRule(typed))
}

/** Asks for the unit of a change that has none, where there is somebody to ask; else the rule is refused for it. */
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
