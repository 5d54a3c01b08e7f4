/** Asks for confirmation before sending. The service has no undo. */

import type { Context } from '../../cli/context.js'
import { countOf, type PlanSummaryShown } from '../../format/views/index.js'

/** Above this many rows a person types their number, because a "y" is pressed too quickly. */
export const PLAIN_ROWS = 50

export interface RowsToConfirm {
  readonly rows: number
  /** What is done, as written before the number of rows: "Send", "Remove". */
  readonly verb: string
  /** What the rows are: "new price", "item". */
  readonly noun: string
  readonly yes: boolean | undefined
  /** Whether each row was typed on the command line. A few of those need no confirmation. */
  readonly typed: boolean
  /** The plan that the rows are of, for commands that run over several shops. */
  readonly plan?: PlanSummaryShown
}

/** @throws {SellerError} guard (6) without a yes */
export async function confirmRows(
  ctx: Pick<Context, 'prompts' | 'approve'>,
  { rows, verb, noun, yes, typed, plan }: RowsToConfirm,
): Promise<void> {
  if (ctx.approve !== undefined && plan !== undefined) {
    return ctx.approve({ rows, verb, noun, counts: planCounts(plan), stopped: plan.Stopped?.Reason ?? null })
  }
  if (rows === 0 || (typed && rows <= PLAIN_ROWS && ctx.prompts.available)) return
  await ctx.prompts.confirm({
    message: `${verb} ${countOf(rows, noun)}?`,
    flag: '--yes',
    given: yes,
    typed: rows > PLAIN_ROWS ? String(rows) : undefined,
  })
}

/** The rows of a plan by what becomes of them. */
export function planCounts({ Change, Unchanged, Held, Unknown }: PlanSummaryShown): Readonly<Record<string, number>> {
  return { change: Change, unchanged: Unchanged, held: Held, skipped: Unknown }
}
