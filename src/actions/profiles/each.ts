/** Runs a command for one profile or, under --profiles, for each profile that matches. */

import type { Context } from '../../cli/context.js'
import type { Result } from '../result.js'
import type { ShopsCommand } from './types.js'

/**
 * Runs the work in the context of the command, or once for each profile that --profiles names.
 * @returns its result; of several shops a row for each, with the most serious exit code
 * @throws {SellerError} what the work throws; under --profiles usage for input that is wrong, and guard (6) without a yes:
 * nothing was sent then. Other errors of a shop are part of its result.
 */
export async function eachProfile<F extends { readonly profiles?: string | undefined }>(
  ctx: Context,
  flags: F,
  command: ShopsCommand<F>,
): Promise<Result> {
  if (flags.profiles === undefined) return command.work(ctx, flags)
  const { runShops } = await import('./run.js')
  return runShops(ctx, { ...flags, profiles: flags.profiles }, command)
}
