/** What jobs:due prints, of one shop and of several. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode } from '../../cli/errors.js'
import { dueView, type ShopEnd, shopsView } from '../../format/views/index.js'
import { type DueFlags, sendDue } from './due.js'

/** Sends what is due and writes it: nothing if nothing is due; under --json that is an empty list. @returns the exit code @throws {SellerError} as sendDue */
export async function writeDue(ctx: Context, flags: DueFlags): Promise<ExitCode> {
  const { runs, code } = await sendDue(ctx, flags)
  if (runs.length > 0 || ctx.output.form === 'json') await ctx.output.list(dueView, runs)
  return code
}

/** A row for each shop in which something was due or went wrong; under --json one for each shop. */
export async function writeDueShops({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  const all = output.form === 'json'
  const shown = all ? ends : ends.filter(({ Result, ExitCode }) => ExitCode !== EXIT.ok || isFilled(Result))
  if (all || shown.length > 0) await output.list(shopsView(), shown)
}

function isFilled(result: unknown): boolean {
  return Array.isArray(result) && result.length > 0
}
