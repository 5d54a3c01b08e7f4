/** The plan of a sync as a page, with small pictures from the files of the images that it sends. */
import type { Context } from '../../../cli/context.js'
import { writeOutputFile } from '../../../cli/output-file.js'
import { dateTimeOf } from '../../../contract/index.js'
import { countOf } from '../../../contract/numbers.js'
import type { SyncRowShown, SyncSummaryShown } from '../../../format/views/sync.js'
import type { StoredImage } from '../../../jobs/bulk/index.js'
import { createPictures } from '../../listing/page.js'
import { MOST_ROWS } from '../../prices/plan-files.js'
import type { PlannedSync } from './plan.js'
import { syncRows } from './rows.js'

/** The order of interest. Rows of one state stay in theirs. */
const ORDER: readonly SyncRowShown['State'][] = ['held', 'unknown', 'change', 'by-hand', 'pending']

interface SyncToWrite {
  readonly sync: PlannedSync
  readonly summary: SyncSummaryShown
  readonly title: string
}

/** Writes the page, and says how many rows it has. @throws {SellerError} usage for a file that cannot be written */
export async function writeSyncPage(
  ctx: Context,
  { sync, summary, title }: SyncToWrite,
  { html, force = false }: { readonly html: string; readonly force?: boolean | undefined },
): Promise<void> {
  const { rows, left } = rowsOfPage(syncRows(ctx, sync))
  const pictures = await createPictures([...firstImages(sync)])
  const [{ writePage }, { syncPage }] = await Promise.all([
    import('../../../format/html/page.js'),
    import('../../../format/html/sync-page.js'),
  ])
  const at = dateTimeOf(ctx.clock.now())
  const page = syncPage({ shop: ctx.profile.name, at, title, summary, rows, left, unit: ctx.output.unit, pictures })
  await writeOutputFile(ctx, html, writePage(page), { force })
  const more = left === 0 ? '' : ` ${countOf(left, 'row')} did not fit; -o csv has all.`
  ctx.output.note(`The page with ${countOf(rows.length, 'row')} is in ${html}.${more}`)
}

function rowsOfPage(differences: Iterable<SyncRowShown>, most = MOST_ROWS): { rows: SyncRowShown[]; left: number } {
  const byState = new Map<SyncRowShown['State'], SyncRowShown[]>(ORDER.map((state) => [state, []]))
  let count = 0
  for (const row of differences) {
    const rows = byState.get(row.State) ?? []
    if (rows.length < most) rows.push(row)
    count++
  }
  const rows = [...byState.values()].flat().slice(0, most)
  return { rows, left: count - rows.length }
}

/** The first image of each row that sends some, with its line. */
function* firstImages({ plan, updates }: PlannedSync): Generator<readonly [line: number, image: StoredImage | undefined]> {
  const first = (images: unknown) => (Array.isArray(images) ? (images[0] as StoredImage | undefined) : undefined)
  for (const { row, differences } of updates.entries) {
    const images = differences.find(({ field }) => field === 'ItemImages')
    if (images !== undefined) yield [row.line, first(images.wanted)]
  }
  for (const { row, value } of plan.additions) if (value.ItemImages !== undefined) yield [row.line, first(value.ItemImages)]
}
