/** shop:price: asks a person who gave nothing what sets the prices, makes a plan, and shows, saves or sends it. */

import { stat } from 'node:fs/promises'
import type { Context } from '../../cli/context.js'
import { inOrder, type Question } from '../../cli/prompts.js'
import { searchWords } from '../../contract/search.js'
import { movesOfPrices } from '../../jobs/index.js'
import { parseRule } from '../../pricing/index.js'
import { plainPath } from '../guided/images.js'
import { runPrices, type SendPlanFlags } from '../prices/run.js'
import { CHOICES, RULING, type SelectFlags } from '../prices/selection.js'
import { givenPrices, type PriceFlags } from '../prices/sources.js'
import type { RunRecord } from '../profiles/types.js'
import type { Result } from '../result.js'

export interface ShopPriceFlags extends PriceFlags, SendPlanFlags {}

/** Record of a run over several shops: only a rule that adds to prices moves them again when it is given again. */
export function recordOfPrices(args: readonly string[], flags: ShopPriceFlags & { readonly again?: boolean }): RunRecord {
  const { add, all, category, reference, search, 'dry-run': dryRun, 'save-plan': save } = flags
  const moves = add === undefined ? null : movesOf(add, { all, category, reference, search })
  const showOnly = dryRun === true || save !== undefined
  return { command: 'shop:price', args, moves, again: flags.again === true, showOnly }
}

function parseAddition(add: string): { readonly kind: string; readonly amount: number } | undefined {
  try {
    return parseRule({ add }).add
  } catch {
    return undefined
  }
}

/**
 * The rule as it is read, and the items as they are chosen: `7kr` and `+7 SEK` are the same, and so are --all and --reference
 * '*'.
 */
function movesOf(add: string, { all, category, reference, search }: SelectFlags): string | null {
  const by = parseAddition(add)
  // Values that cannot be read are refused before anything is sent.
  if (by === undefined) return null
  const list = (value: unknown): string[] => [value ?? []].flat().map((each) => String(each).trim())
  const references = list(reference)
  const everything = all === true || references.some((pattern) => /^\*+$/.test(pattern))
  const selection = { categories: list(category).sort(), references: references.sort() }
  // Left out where there is none: records of earlier versions are compared with it.
  const words = search === undefined ? {} : { words: searchWords(search).sort() }
  return movesOfPrices(by, everything ? null : { ...selection, ...words })
}

/** Plans prices, and shows, saves or sends the plan. @returns as runRows @throws {SellerError} */
export async function shopPrices(ctx: Context, args: readonly string[], flags: ShopPriceFlags): Promise<Result> {
  const prices = givenPrices(ctx, args, flags, { takesPlan: true })
  return runPrices(ctx, flags, (look) => prices.plan({ look }), prices.input)
}

const WAYS: Question['choices'] = [
  { value: 'file', name: 'A file: in each row an item and its price' },
  { value: 'one', name: 'One item: its new price' },
  { value: 'all', name: 'All items: so much more or less' },
]

/** Flags that say what sets the prices, or of which items. */
const CHOOSING = ['file', 'plan', 'profiles', ...CHOICES, ...RULING] as const

/** The arguments and flags that the answers stand for; those given where anything was, or nobody can be asked. */
export async function askedPrices<F extends ShopPriceFlags & { readonly profiles?: string | undefined }>(
  ctx: Context,
  args: readonly string[],
  flags: F,
): Promise<{ readonly args: readonly string[]; readonly flags: F }> {
  const hasChoice = args.length > 0 || CHOOSING.some((flag) => flags[flag] !== undefined)
  if (hasChoice || !ctx.prompts.available) return { args, flags }
  const answers = { way: '', item: '', price: '', add: '', file: '' }
  const step =
    (
      key: keyof typeof answers,
      message: string,
      flag: string,
      { of, ...more }: Partial<Question> & { readonly of?: string } = {},
    ) =>
    async (): Promise<boolean> => {
      if (of !== undefined && answers.way !== of) return false
      const prompts = key === 'way' ? ctx.prompts : ctx.prompts.returning
      answers[key] = (await prompts.fill([{ key: 'answer', flag, message, kind: 'text', ...more }])).answer ?? ''
      return true
    }
  await inOrder([
    step('way', 'What sets the prices?', '--file', { kind: 'select', choices: WAYS }),
    step('item', 'Item, its id or own reference', 'ID=PRICE', { of: 'one' }),
    step('price', 'New price, kronor', 'ID=PRICE', { of: 'one' }),
    step('add', 'How much more or less, e.g. -10% or 25kr', '--add', { of: 'all' }),
    async () => {
      const ask = step('file', 'File (.xlsx, .ods, CSV or JSON; columns Id and Price)', '--file', { of: 'file' })
      while (await ask()) {
        answers.file = plainPath(answers.file, ctx.env.HOME)
        const stats = await stat(ctx.path(answers.file)).catch(() => undefined)
        if (stats?.isFile() === true) return true
        ctx.prompts.show(`! There is no file ${answers.file}.`)
      }
      return false
    },
  ])
  const { way, item, price, add, file } = answers
  if (way === 'one') return { args: [`${item}=${price}`], flags }
  return { args, flags: way === 'all' ? { ...flags, all: true, add } : { ...flags, file } }
}
