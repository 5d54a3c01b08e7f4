/** Asks for confirmation before sending. The service has no undo. */

import type { Context } from '../../cli/context.js'
import type { RowsShown } from '../../cli/shop-parts.js'
import { countOf, type PlanSummaryShown } from '../../format/views/index.js'

/** Above this many rows a person types their number, because a "y" is pressed too quickly. */
export const PLAIN_ROWS = 50

/** Rows shown before a question; --dry-run shows all. */
export const SHOWN_ROWS = 20

export interface RowsToConfirm {
  readonly rows: number
  /** What is done, as written before the number of rows: "Send", "Remove". */
  readonly verb: string
  /** What the rows are: "new price", "item". */
  readonly noun: string
  /** The rows in words, where they are of several kinds. */
  readonly counted?: string
  readonly yes: boolean | undefined
  /** Whether each row was typed on the command line. A few of those need no confirmation. */
  readonly typed: boolean
  /** The plan that the rows are of, for commands that run over several shops. */
  readonly plan?: PlanSummaryShown
  /** What is shown of them before the question. */
  readonly shown?: RowsShown
}

/** @throws {SellerError} guard (6) without a yes */
export async function confirmRows(
  ctx: Pick<Context, 'prompts' | 'approve' | 'output'>,
  { rows, verb, noun, counted = countOf(rows, noun), yes, typed, plan, shown }: RowsToConfirm,
): Promise<void> {
  if (ctx.approve !== undefined && plan !== undefined) {
    return ctx.approve({ rows, verb, noun, counts: planCounts(plan), stopped: plan.Stopped?.Reason ?? null, shown })
  }
  if (rows === 0 || (typed && rows <= PLAIN_ROWS && ctx.prompts.available)) return
  const { prompts, output } = ctx
  if (prompts.available && yes !== true && shown !== undefined) {
    prompts.show(await shown(output, SHOWN_ROWS))
  }
  await prompts.confirm({
    message: `${verb} ${counted}?`,
    flag: '--yes',
    given: yes,
    typed: rows > PLAIN_ROWS ? String(rows) : undefined,
  })
}

/**
 * Asks before a single action that cannot be undone, on a terminal. Elsewhere it runs as it was typed.
 * @throws {SellerError} guard (6): declined
 */
export async function confirmOnTerminal(
  { prompts }: Pick<Context, 'prompts'>,
  message: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  if (prompts.available) await prompts.confirm({ message, flag: '--yes', given: yes })
}

/** The rows of a plan by what becomes of them. */
export function planCounts({ Change, Unchanged, Held, Unknown }: PlanSummaryShown): Readonly<Record<string, number>> {
  return { change: Change, unchanged: Unchanged, held: Held, skipped: Unknown }
}
