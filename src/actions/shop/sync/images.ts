/**
 * Images of a catalogue: compared by a hash of what was sent for each item, since the pictures of the service are other bytes.
 */
import type { Context } from '../../../cli/context.js'
import { MAX_SHOP_ITEM_IMAGES } from '../../../contract/index.js'
import { countOf } from '../../../contract/numbers.js'
import { someOf } from '../../../contract/some-of.js'
import type { ImagesNotCompared } from '../../../format/views/sync.js'
import { areSameImages, imagesSent, type StoredImage } from '../../../jobs/bulk/index.js'
import type { FieldDifference, LiveCatalogueItem } from '../../../pricing/index.js'
import type { Catalogue, CatalogueRow, ItemRecord } from '../../../rows/index.js'
import { imagesOfRows } from '../../listing/row-images.js'
import { shopOf } from '../../own.js'

/** Items that are named. */
const NAMED = 3

interface ImageFlags {
  readonly file: string
  readonly fit?: boolean | undefined
}

/** Inspects the images that the rows name, all before the first call. @throws InputRefused with the faults of all images */
export async function inspectCatalogueImages(
  ctx: Context,
  { rows, fields }: Catalogue,
  { file, fit }: ImageFlags,
): Promise<void> {
  if (!fields.has('ItemImages')) return
  const knownBytes = fit === true ? await sentBytes(ctx) : undefined
  const imagesByIndex = await imagesOfRows(ctx, named(rows), { file, most: MAX_SHOP_ITEM_IMAGES, whole: true, fit, knownBytes })
  rows.images = { of: (index) => imagesByIndex.get(index) ?? [] }
}

/** The size of each image that was sent, by its checksum. */
async function sentBytes(ctx: Context): Promise<(sha256: string) => number | undefined> {
  const sent = [...imagesSent(await ctx.ledger(), shopOf(ctx)).values()].flat()
  const bytes = new Map(sent.map(({ Sha256 = '', Bytes }) => [Sha256, Bytes]))
  return (sha256) => bytes.get(sha256)
}

function* named(rows: Iterable<CatalogueRow>): Generator<Pick<ItemRecord, 'line' | 'images'>> {
  for (const { line, given } of rows) yield { line, images: given.ItemImages as readonly string[] | undefined }
}

/** Compares the images of rows with those that were sent last. */
export class SentImages {
  readonly #sentImages: ReadonlyMap<number, readonly StoredImage[]>
  readonly #all: boolean
  readonly #unknown = new Map<number, ImagesNotCompared>()

  /** @param all send the images of items whose pictures are not known, too */
  constructor(sentImages: ReadonlyMap<number, readonly StoredImage[]>, all: boolean) {
    this.#sentImages = sentImages
    this.#all = all
  }

  static async of(ctx: Context, { fields }: Catalogue, all: boolean): Promise<SentImages> {
    return new SentImages(fields.has('ItemImages') ? imagesSent(await ctx.ledger(), shopOf(ctx)) : new Map(), all)
  }

  /** Items whose images were not compared, and are not sent. */
  get notCompared(): ImagesNotCompared[] {
    return [...this.#unknown.values()]
  }

  readonly knows = (id: number): boolean => !this.#unknown.has(id)

  readonly differences = ({ line, references, given }: CatalogueRow, item: LiveCatalogueItem): FieldDifference[] => {
    const wantedImages = (given.ItemImages ?? []) as readonly StoredImage[]
    if (wantedImages.length === 0) return []
    // An item without a picture has none of them, whatever was sent.
    const live = item.ImageLinks?.length === 0 ? [] : this.#sentImages.get(item.Id)
    if (live !== undefined && areSameImages(live, wantedImages)) return []
    if (live === undefined && !this.#all) {
      this.#unknown.set(item.Id, { Line: line, Id: item.Id, OwnReference: references[0] ?? null })
      return []
    }
    return [{ field: 'ItemImages', live: live ?? null, wanted: wantedImages }]
  }
}

/** Says which images were not compared. */
export function tellImages({ output }: Context, notCompared: readonly ImagesNotCompared[]): void {
  if (notCompared.length === 0) return
  const names = notCompared.map(({ OwnReference, Id }) => OwnReference ?? Id)
  output.note(
    `Images of ${countOf(notCompared.length, 'item')} are not compared, because their pictures were not sent from here: ${someOf(names, NAMED)}.`,
  )
  output.hint('If they should get the images of the catalogue, give --with all-images.')
}
