/** The plan of new items as a page, with small pictures from the files of their images. */
import type { Context } from '../../cli/context.js'
import { dateTimeOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import type { AdditionPlanRowShown } from '../../format/views/plans.js'
import type { StoredImage } from '../../jobs/bulk/index.js'
import { writePageFile } from '../rows/page-file.js'

/** Bounds of a page that can be sent: rows whose picture is looked for, and bytes of all pictures, as text. */
const MOST_PICTURES = 200
const MOST_BYTES = 3_000_000

interface AdditionsToWrite {
  readonly title: string
  readonly stopped: string | undefined
  readonly calls: number
  readonly rows: readonly AdditionPlanRowShown[]
  /** By the index of a row. */
  readonly images: ReadonlyMap<number, readonly StoredImage[]>
}

/** Writes the page, and says how many pictures it has. */
export async function writeAdditionsPage(
  ctx: Context,
  { title, stopped, calls, rows, images }: AdditionsToWrite,
  { html, force }: { readonly html: string; readonly force?: boolean | undefined },
): Promise<void> {
  const firstImages = [...images].map(([at, [first]]) => [rows[at]?.Line ?? 0, first] as const)
  const pictures = await createPictures(firstImages)
  const { additionsPage } = await import('../../format/html/additions-page.js')
  const at = dateTimeOf(ctx.clock.now())
  const page = additionsPage({ shop: ctx.profile.name, at, title, stopped, rows, calls, unit: ctx.output.unit, pictures })
  const without = images.size - pictures.size
  const more = without === 0 ? '' : `${countOf(without, 'item')} with images have no small picture there.`
  await writePageFile(ctx, page, { file: html, rows, more, force })
}

/** Small pictures of the first rows, by line. @param images the first image of each row, with its line */
export async function createPictures(
  images: readonly (readonly [line: number, image: StoredImage | undefined])[],
): Promise<ReadonlyMap<number, string>> {
  const pictureByLine = new Map<number, string>()
  if (images.length === 0) return pictureByLine
  const { createThumbnail: thumbnailOf } = await import('../../images/thumbnail.js')
  let bytes = 0
  for (const [line, image] of images.slice(0, MOST_PICTURES)) {
    const picture = image?.Path === undefined ? undefined : await thumbnailOf(image.Path, image.Format)
    if (picture === undefined || bytes + picture.length > MOST_BYTES) continue
    bytes += picture.length
    pictureByLine.set(line, picture)
  }
  return pictureByLine
}
