/** Writes a plan as a page, and says how many of its rows are in it. */
import type { Context } from '../../cli/context.js'
import { writeOutputFile } from '../../cli/output-file.js'
import { countOf } from '../../contract/numbers.js'
import type { Page } from '../../format/html/page.js'

/**
 * @param more what is left out, a sentence; empty for nothing
 * @throws {SellerError} usage for a file that cannot be written
 */
export async function writePageFile(
  ctx: Context,
  page: Page,
  { file, rows, more, force = false }: { file: string; rows: readonly unknown[]; more: string; force?: boolean | undefined },
): Promise<void> {
  const { writePage } = await import('../../format/html/page.js')
  await writeOutputFile(ctx, file, writePage(page), { force })
  ctx.output.note(`The page with ${countOf(rows.length, 'row')} is in ${file}.${more === '' ? '' : ` ${more}`}`)
}
