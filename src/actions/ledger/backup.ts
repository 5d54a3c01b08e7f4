/** ledger:backup: a complete copy of the ledger, whatever else is running. */
import { realpathSync } from 'node:fs'
import type { Context } from '../../cli/context.js'
import { EXIT, SellerError } from '../../cli/errors.js'
import { unwritable } from '../../cli/output-file.js'
import { backupView, countOf } from '../../format/views/index.js'
import { LedgerError } from '../../jobs/index.js'
import { backUpLedger } from '../../jobs/upkeep/index.js'
import { errnoOf } from '../../system/errno.js'
import { type Result, recordResult } from '../result.js'
import { existingLedger, working } from './existing.js'

/**
 * Copies the ledger to a file, mode 0600.
 * @param file as the user gave it
 * @returns what was written; exit code 1 if the copy has faults, which are those of the ledger
 * @throws {SellerError} not_found without a ledger; usage for a file that cannot be written or exists already
 */
export async function backUp(ctx: Context, file: string, force: boolean, personal = false): Promise<Result> {
  const ledger = await existingLedger(ctx)
  const path = ctx.path(file)
  if (isLedger(ctx, path)) {
    throw new SellerError(
      'unwritable_file',
      `The file "${file}" cannot be written: it is the ledger itself.`,
      'Name another file.',
    )
  }
  try {
    const { bytes, jobs, requests, faults } = await working(ctx, 'Copying and checking the ledger', 'No copy was written.', () =>
      backUpLedger(ledger, path, { force, people: personal, signal: ctx.signal }),
    )
    if (faults.length > 0) {
      ctx.output.warn(`The ledger has ${countOf(faults.length, 'fault')}, and so has the copy.`)
      ctx.output.hint('List them with: seller ledger:check')
    }
    const record = { File: path, Bytes: bytes, Jobs: jobs, Requests: requests, Faults: faults.length }
    return recordResult(backupView, record, faults.length > 0 ? EXIT.failure : EXIT.ok)
  } catch (error) {
    // The copy does not fit on the disk.
    const code = error instanceof LedgerError && error.kind === 'full' ? 'ENOSPC' : errnoOf(error)
    throw code === undefined ? error : unwritable(file, code)
  }
}

/** Whether a path names the ledger or one of the files beside it, also through a link. */
function isLedger({ ledgerPath }: Context, path: string): boolean {
  const places = [ledgerPath, `${ledgerPath}-wal`, `${ledgerPath}-shm`]
  return places.includes(path) || places.map(realOf).includes(realOf(path))
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
