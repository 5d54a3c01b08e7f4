/** The plan of a sync, or of changes of fields, as a page, with small pictures from the files of the images that it sends. */
import type { Context } from '../../../cli/context.js'
import { dateTimeOf } from '../../../contract/index.js'
import { countOf } from '../../../contract/numbers.js'
import type { SyncShown } from '../../../format/html/sync-page.js'
import type { SyncRowShown } from '../../../format/views/sync.js'
import type { StoredImage } from '../../../jobs/bulk/index.js'
import type { UpdatePlan } from '../../../pricing/index.js'
import { createPictures } from '../../listing/page.js'
import { MOST_ROWS } from '../../prices/plan-files.js'
import { writePageFile } from '../../rows/page-file.js'
import type { PlannedSync } from './plan.js'

/** The order of interest. Rows of one state stay in theirs. */
const ORDER: readonly SyncRowShown['State'][] = ['held', 'unknown', 'change', 'by-hand', 'pending']

type FirstImage = readonly [line: number, image: StoredImage | undefined]

interface ChangesToWrite extends Pick<SyncShown, 'heading' | 'summary' | 'title'> {
  readonly rows: Iterable<SyncRowShown>
  /** The first image of each row that sends some. */
  readonly images: Iterable<FirstImage>
}

/** Writes the page, and says how many rows it has. @throws {SellerError} usage for a file that cannot be written */
export async function writeChangesPage(
  ctx: Context,
  { heading, rows: all, images, summary, title }: ChangesToWrite,
  html: string,
  force?: boolean,
): Promise<void> {
  const { rows, left } = rowsOfPage(all)
  const pictures = await createPictures([...images])
  const { syncPage } = await import('../../../format/html/sync-page.js')
  const at = dateTimeOf(ctx.clock.now())
  const page = syncPage({ heading, shop: ctx.profile.name, at, title, summary, rows, left, unit: ctx.output.unit, pictures })
  const more = left === 0 ? '' : `${countOf(left, 'row')} did not fit; -o csv has all.`
  await writePageFile(ctx, page, { file: html, rows, more, force })
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

const first = (images: unknown) => (Array.isArray(images) ? (images[0] as StoredImage | undefined) : undefined)

/** The first image of each change of fields that sends some, with its line. */
export function* imagesOfUpdates({ entries }: Pick<UpdatePlan, 'entries'>): Generator<FirstImage> {
  for (const { row, differences } of entries) {
    const images = differences.find(({ field }) => field === 'ItemImages')
    if (images !== undefined) yield [row.line, first(images.wanted)]
  }
}

/** The same for all rows of a sync. */
export function* imagesOfSync({ plan, updates }: PlannedSync): Generator<FirstImage> {
  yield* imagesOfUpdates(updates)
  for (const { row, value } of plan.additions) if (value.ItemImages !== undefined) yield [row.line, first(value.ItemImages)]
}
