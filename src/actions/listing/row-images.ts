/** Images that the rows of a file name: all are inspected before the first call, and their bytes stay in their files. */
import { basename, dirname, resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { MAX_SHOP_ITEM_IMAGES } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { type StoredImage, storedImages } from '../../jobs/bulk/index.js'
import { inspectImages } from '../../jobs/index.js'
import { FaultList, type ItemRecord, isAddress } from '../../rows/index.js'
import { photosOf } from '../input/photos.js'

/** Addresses that the warning names. */
const NAMED = 3

const FIELD = 'ItemImages'

/**
 * Inspects the images of all rows. Warns of addresses, which are not fetched, and says once which metadata is not sent.
 * @param file the file of the rows; paths start at its folder
 * @returns the images of each row, in order
 * @throws InputRefused with the faults of all images
 */
export async function imagesOfRows(
  ctx: Context,
  records: readonly ItemRecord[],
  file: string,
): Promise<readonly (readonly StoredImage[])[]> {
  const folder = file === '-' ? ctx.path('.') : dirname(ctx.path(file))
  const locate = (path: string) => resolve(folder, path)
  const photos = photosOf(ctx)
  const faults = new FaultList()
  const addresses: string[] = []
  let without = 0
  const found: StoredImage[][] = []
  for (const { line, images: named = [] } of records) {
    const paths = named.filter((path) => !isAddress(path))
    if (paths.length < named.length) without++
    addresses.push(...named.filter(isAddress).map((address) => `line ${line}: ${address}`))
    if (paths.length > MAX_SHOP_ITEM_IMAGES) {
      faults.add(line, FIELD, paths.length, `images are too many; an item takes at most ${MAX_SHOP_ITEM_IMAGES}`)
      continue
    }
    const read = await inspectImages(
      paths.map((path) => ({ path })),
      { locate, keepMetadata: photos.keep },
    )
    for (const { value, message, hint } of read.faults)
      faults.add(line, FIELD, value, hint === undefined ? message : `${message}. ${hint}`)
    for (const { path, removed } of read.images) photos.add(basename(path), removed)
    found.push(storedImages(read.images))
  }
  faults.refuse()
  const note = photos.note()
  if (note !== undefined) ctx.output.note(note)
  if (without > 0) {
    const more = addresses.length > NAMED ? ` and ${addresses.length - NAMED} more` : ''
    ctx.output.warn(
      `Images on the web are not fetched, so ${countOf(without, 'row')} would be added without them (${addresses.slice(0, NAMED).join(', ')}${more}).`,
    )
    ctx.output.hint('Save the images next to the file, and write their names into the column.')
  }
  return found
}

/** Images of a row as a plan shows them: without their paths. */
export function shownImages(images: readonly StoredImage[]) {
  return images.map(({ Name, Format, HasMega, Bytes }) => ({ Name, Format, HasMega, Bytes }))
}
