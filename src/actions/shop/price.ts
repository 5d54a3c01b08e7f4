/** shop:price: asks a person who gave nothing what sets the prices, makes a plan, and shows, saves or sends it. */

import { stat } from 'node:fs/promises'
import type { Context } from '../../cli/context.js'
import type { Question } from '../../cli/prompts.js'
import { plainPath } from '../guided/images.js'
import { runPrices, type SendPlanFlags } from '../prices/run.js'
import { givenPrices, type PriceFlags } from '../prices/sources.js'
import type { RunRecord } from '../profiles/types.js'
import type { Result } from '../result.js'

export interface ShopPriceFlags extends PriceFlags, SendPlanFlags {}

/** What is recorded of a run over several shops: only a rule that adds to prices moves them again when it is given again. */
export function recordOfPrices(args: readonly string[], flags: ShopPriceFlags & { readonly again?: boolean }): RunRecord {
  const { add, all, category, reference } = flags
  const moves =
    add === undefined ? null : JSON.stringify([add, all ?? false, category ?? null, reference ?? null, flags['end-with'] ?? null])
  return { command: 'shop:price', args, moves, again: flags.again === true }
}

/** Plans prices, and shows, saves or sends the plan. @returns as runRows @throws {SellerError} */
export async function shopPrices(ctx: Context, args: readonly string[], flags: ShopPriceFlags): Promise<Result> {
  const prices = givenPrices(ctx, args, flags)
  return runPrices(ctx, flags, (look) => prices.plan({ look }), prices.input)
}

const WAYS: Question['choices'] = [
  { value: 'file', name: 'A file: in each row an item and its price' },
  { value: 'one', name: 'One item: its new price' },
  { value: 'all', name: 'All items: so much more or less' },
]

/** Flags that say what sets the prices, or of which items. */
const CHOOSING = [
  'file',
  'plan',
  'all',
  'category',
  'reference',
  'profiles',
  'set',
  'add',
  'margin',
  'markup',
  'recommended',
  'end-with',
  'floor',
  'ceiling',
] as const satisfies (keyof (ShopPriceFlags & { profiles?: string }))[]

/** The arguments and flags that the answers stand for; those given where anything was, or nobody can be asked. */
export async function askedPrices<F extends ShopPriceFlags & { readonly profiles?: string }>(
  ctx: Context,
  args: readonly string[],
  flags: F,
): Promise<{ readonly args: readonly string[]; readonly flags: F }> {
  const given = args.length > 0 || CHOOSING.some((flag) => flags[flag] !== undefined)
  if (given || !ctx.prompts.available) return { args, flags }
  const ask = async (message: string, flag: string, more: Partial<Question> = {}) =>
    (await ctx.prompts.fill([{ key: 'answer', flag, message, kind: 'text', ...more }])).answer ?? ''
  const way = await ask('What sets the prices?', '--file', { kind: 'select', choices: WAYS })
  if (way === 'one') {
    const item = await ask('Item, its id or own reference', 'ID=PRICE')
    return { args: [`${item}=${await ask('New price, kronor', 'ID=PRICE')}`], flags }
  }
  if (way === 'all')
    return { args, flags: { ...flags, all: true, add: await ask('How much more or less, e.g. -10% or 25kr', '--add') } }
  for (;;) {
    const typed = plainPath(await ask('File (.xlsx, CSV or JSON; columns Id and Price)', '--file'), ctx.env.HOME)
    const found = await stat(ctx.path(typed)).catch(() => undefined)
    if (found?.isFile() === true) return { args, flags: { ...flags, file: typed } }
    ctx.prompts.show(`! There is no file ${typed}.`)
  }
}
