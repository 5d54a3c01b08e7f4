/** Images that the rows of a file name: all are inspected before the first call, and their bytes stay in their files. */
import { resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { someOf } from '../../contract/some-of.js'
import { type StoredImage, storedImages } from '../../jobs/bulk/index.js'
import { inspectImages } from '../../jobs/index.js'
import { FaultList, type ItemRecord, isAddress } from '../../rows/index.js'
import { folderOf } from '../input/file.js'
import { photosOf } from '../input/photos.js'

/** Addresses that the warning names. */
const NAMED = 3

const FIELD = 'ItemImages'

interface RowImages {
  /** The file of the rows, at whose folder paths start. */
  readonly file: string
  /** Most images that an item takes. */
  readonly most?: number | undefined
  /** True if a row with an address sends no image at all: those that are sent replace all pictures of a live item. */
  readonly whole?: boolean
  /** Make images fit that are too large or lie on their side. */
  readonly fit?: boolean | undefined
  /** As inspectImages takes it. */
  readonly knownBytes?: ((sha256: string) => number | undefined) | undefined
}

/**
 * Inspects the images of all rows. Warns of addresses, which are not fetched, and says once which metadata is not sent.
 * @returns the images of the rows that have some, by the index of the row
 * @throws InputRefused with the faults of all images
 */
export async function imagesOfRows(
  ctx: Context,
  rows: Iterable<Pick<ItemRecord, 'line' | 'images'>>,
  { file, most = Number.POSITIVE_INFINITY, whole = false, fit, knownBytes }: RowImages,
): Promise<ReadonlyMap<number, readonly StoredImage[]>> {
  const folder = folderOf(ctx.path, file)
  const locate = (path: string) => resolve(folder, path)
  const photos = photosOf(ctx, { fit })
  const faults = new FaultList()
  const addresses: string[] = []
  let without = 0
  const imagesByRow = new Map<number, readonly StoredImage[]>()
  let at = -1
  for (const { line, images: named = [] } of rows) {
    at++
    const onWeb = named.filter(isAddress)
    if (onWeb.length > 0) without++
    addresses.push(...onWeb.map((address) => `line ${line}: ${address}`))
    const paths = whole && onWeb.length > 0 ? [] : named.filter((path) => !isAddress(path))
    if (paths.length === 0) continue
    if (paths.length > most) {
      faults.add(line, FIELD, paths.length, `images are too many; an item takes at most ${most}`)
      continue
    }
    const inspected = await inspectImages(
      paths.map((path) => ({ path })),
      { locate, knownBytes, ...photos.options },
    )
    for (const { value, message, hint } of inspected.faults) {
      const advice = hint === undefined ? '; put it next to the file, or leave the column out: --column ItemImages=' : `. ${hint}`
      faults.add(line, FIELD, value, `${message}${advice}`, message)
    }
    for (const image of inspected.images) photos.add(image.path, image)
    imagesByRow.set(at, storedImages(inspected.images))
  }
  faults.refuse()
  for (const note of photos.notes()) ctx.output.note(note)
  if (without > 0) {
    ctx.output.warn(
      `Images on the web are not fetched, so ${countOf(without, 'row')} would be sent without them (${someOf(addresses, NAMED)}).`,
    )
    ctx.output.hint('Save the images next to the file, and write their names into the column.')
  }
  return imagesByRow
}

/** Images of a row as a plan shows them: without where they are, and without their bytes. */
export function shownImages(images: readonly StoredImage[]) {
  return images.map(({ Name, Format, HasMega, Bytes }) => ({ Name, Format, HasMega, Bytes }))
}
