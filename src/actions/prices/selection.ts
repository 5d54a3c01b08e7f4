/** Which items a rule is for, and the rule: the flags of commands that set many prices, what they choose, and its prices. */

import * as Flags from '@oclif/core/flags'
import type { Context } from '../../cli/context.js'
import { readBooks } from '../../contract/books.js'
import { unquoted } from '../../contract/glob.js'
import { unitOf } from '../../contract/numbers.js'
import { searchWords } from '../../contract/search.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
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
import { categoryId } from '../input/lazy-ids.js'
import { openNames } from '../reference/names.js'
import { refusing } from '../rows/input.js'
import { SHOP } from './live.js'
import type { PriceSource } from './plan.js'

const RULE = 'RULE'

/** The flags that choose items. */
export const CHOICES = ['all', 'category', 'reference', 'search'] as const

/** Advice for a rule without items. */
export const CHOICES_HINT = '--all, --category ID, --reference GLOB or --search TEXT'

/**
 * Which items a rule is for.
 * @param rows flags that name items row by row, and so go with none of these
 * @param noun of the items
 */
export const selectFlags = (rows: readonly string[], noun = 'shop items') => {
  const items = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`
  const exclusive = (own: (typeof CHOICES)[number]) => [...CHOICES.filter((flag) => flag !== own), ...rows]
  return {
    all: Flags.boolean({ helpGroup: RULE, exclusive: exclusive('all'), summary: `All ${noun}.` }),
    category: categoryFlag({
      helpGroup: RULE,
      exclusive: exclusive('category'),
      summary: `${items} of this category and those below it.`,
    }),
    reference: Flags.string({
      helpGroup: RULE,
      helpValue: 'GLOB',
      exclusive: exclusive('reference'),
      summary: `${items} with this own reference, e.g. '1001-*'. * and ? stand for any characters.`,
      parse: async (glob) => unquoted(glob),
    }),
    search: Flags.string({
      helpGroup: RULE,
      helpValue: 'TEXT',
      exclusive: exclusive('search'),
      summary: `${items} with each of these words in the title. In any order; ignores case; a part of a word is enough.`,
      parse: async (text) => searchText(text),
    }),
  }
}

/** Refuses a text without words: it would choose every item. @throws {SellerError} usage */
function searchText(text: string): string {
  if (searchWords(text).length > 0) return text.trim()
  throw new SellerError(
    'wrong_usage',
    '--search has no words.',
    'Give words of the title, e.g. --search "blue vase"; --all chooses every item.',
  )
}

/** Which items a rule is for, and the rule. @param rows as for selectFlags @param noun as for selectFlags */
export const ruleFlags = (rows: readonly string[], noun?: string) => ({
  ...selectFlags(rows, noun),
  set: Flags.string({ helpGroup: RULE, helpValue: 'KR', exclusive: ['add', ...rows], summary: 'Set every price to this.' }),
  add: Flags.string({
    helpGroup: RULE,
    helpValue: 'KR|PERCENT',
    exclusive: ['set', ...rows],
    summary: 'Change each price by this, e.g. 25kr or -10%. With its unit; -10pct in a batch file of Windows.',
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
  readonly all?: boolean | undefined
  /** An id, or words for one. */
  readonly category?: number | string | undefined
  readonly reference?: string | undefined
  /** Words of the title. */
  readonly search?: string | undefined
}

/** The values of the flags that make a rule. */
export interface RuleFlags extends Omit<RuleTexts, 'endWith'> {
  readonly 'end-with'?: string | undefined
}

/** The flags that make a rule. */
export const RULING = ['set', 'add', 'margin', 'markup', 'recommended', 'end-with', 'floor', 'ceiling'] as const

/** A selection whose category may still be words. */
export type Chosen = Selection | { readonly category: number | string }

export function readSelection({ all, category, reference, search }: SelectFlags): Chosen | undefined {
  if (all === true) return { all }
  if (category !== undefined) return { category }
  if (search !== undefined) return { search }
  return reference === undefined ? undefined : { reference }
}

/** The flag of a choice, for titles of jobs. */
export function selectionWords(selection: Chosen): string {
  return Object.entries(selection)
    .map(([flag, value]) => (value === true ? `--${flag}` : `--${flag} ${flag === 'search' ? `"${value}"` : value}`))
    .join('')
}

/**
 * The choice with the id of its category and of those below it.
 * @throws {SellerError} unknown_name, ambiguous_name; what a call throws
 */
export async function selected(ctx: Context, selection: Chosen): Promise<Selection> {
  if (!('category' in selection)) return selection
  const category = await categoryId(ctx, selection.category)
  const names = openNames(ctx, await ctx.client(), ['categories'])
  await names.load()
  return { category, within: names.below(category) }
}

/**
 * The filter of a live list for a choice: the service filters by a category without others below it, so the rest of a large shop
 * is not read. Nothing says what it lists for one that has some (docs/service.md): that list is read whole.
 */
export function listedFor(select: Selection): { readonly categoryId?: number } {
  return 'category' in select && (select.within ?? []).length === 0 ? { categoryId: select.category } : {}
}

/**
 * Refuses a choice without items: a mistyped one would change nothing and look like work that is done.
 * @throws {SellerError} guard (6)
 */
export function refuseNothingChosen(select: Selection, of: 'shop item' | 'auction' = 'shop item'): never {
  const [words, columns] =
    'reference' in select
      ? [`No live ${of} has an own reference like "${select.reference}".`, 'Id,OwnReferences']
      : 'search' in select
        ? [`No live ${of} has each of these words in its title: "${select.search}".`, 'Id,Title']
        : 'category' in select
          ? [`No live ${of} is in category ${select.category} or below it.`, 'Id,CategoryId,CategoryPath']
          : [of === 'auction' ? 'There is no live auction.' : 'The shop has no live items.']
  const list = run('items:list', { '--type': of === 'auction' ? 'auction' : 'shop', '--columns': columns })
  throw new SellerError('nothing_chosen', words ?? '', say`Nothing was sent. See what there is with: ${list}`)
}

/** A source that was given. */
export interface GivenSource extends PriceSource {
  /** Input named in the title, where it is not the words of the input. */
  readonly title?: string
  /** Looks at the plan. */
  checked?(plan: RowPlan): void
}

/** A rule as a source of prices. */
export async function sourceOfRule(ctx: Context, selection: Chosen, rule: PriceRule): Promise<GivenSource> {
  const inWords = ruleWords(rule, ctx.output.unit)
  ctx.output.note(`New prices: ${inWords}.`)
  const select = await selected(ctx, selection)
  return {
    list: { ...SHOP, ...listedFor(select) },
    concludes: false,
    rule,
    plan: ({ live = [], ...more }) => planRule({ ...more, live, select, rule }),
    title: `${selectionWords(selection)}: ${inWords}`,
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
  const givenRule = { set, add, margin, markup, recommended, endWith, floor, ceiling }
  const { rounding } = readBooks(ctx.profile.settings.books ?? '')
  return refusing({ kind: 'rule' }, () => parseRule(givenRule, { rounding, currency: ctx.currency }))
}

/** Asks for the unit of a change that has none, where there is somebody to ask; else the rule is refused for it. */
async function withUnit({ prompts, currency }: Context, add: string): Promise<string> {
  if (!prompts.available || !lacksUnit(add)) return add
  const [number, own] = [add.trim(), unitOf(currency)]
  const choices = [
    { name: `${number} % of each price`, value: '%' },
    { name: `${number} ${own} on each price`, value: own },
  ]
  const { unit = '' } = await prompts.fill([
    {
      key: 'unit',
      flag: '--add',
      message: `--add ${number}: per cent or ${own === 'kr' ? 'kronor' : own}?`,
      kind: 'select',
      choices,
    },
  ])
  return `${number}${unit}`
}
