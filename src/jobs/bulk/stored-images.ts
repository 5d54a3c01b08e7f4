/** Images in the rows of jobs: the ledger has where a file is and the hash of what is sent of it; its bytes are read when the row is sent. */
import type { Input, ItemImageData } from '../../contract/index.js'
import { type Hold, held } from '../../holds/index.js'
import { JobsError } from '../ledger/errors.js'
import { type ImageFile, type ImageFormatName, readImage } from '../listing/images.js'

/** An image as a row keeps it: a file, or its bytes where it came within a document. */
export interface StoredImage {
  readonly Name: string
  readonly Format: ImageFormatName
  readonly HasMega: boolean
  readonly Bytes: number
  /** Absolute path of the file. */
  readonly Path?: string
  /** Checksum of the bytes that are sent, in hexadecimal. */
  readonly Sha256?: string
  readonly Base64?: string
}

type Image = Input<typeof ItemImageData>

/** Images of files that were inspected, as a row keeps them. */
export function storedImages(images: readonly ImageFile[]): StoredImage[] {
  return images.map(({ path, format, bytes, mega, sha256 }) => {
    return { Name: path.split(/[\\/]/).at(-1) ?? path, Format: format, HasMega: mega, Bytes: bytes, Path: path, Sha256: sha256 }
  })
}

/** Images that came within a document, as a row keeps them. */
export function storedWithin(images: readonly Image[]): StoredImage[] {
  return images.map(({ Name = '', Format, HasMega, Data }) => {
    return {
      Name,
      Format: Format as ImageFormatName,
      HasMega,
      Bytes: Data?.length ?? 0,
      Base64: Buffer.from(Data ?? []).toString('base64'),
    }
  })
}

/** A payload with the bytes of its images, or why the row cannot be sent: a file has changed since the plan. */
export async function withImages(payload: unknown): Promise<{ readonly payload: unknown } | { readonly why: Hold }> {
  const { ItemImages } = (payload ?? {}) as { readonly ItemImages?: readonly StoredImage[] }
  if (ItemImages === undefined) return { payload }
  const images: Image[] = []
  for (const { Name, Format, HasMega, Path, Sha256, Base64 } of ItemImages) {
    try {
      const Data =
        Path === undefined ? Buffer.from(Base64 ?? '', 'base64') : await readImage({ path: Path, sha256: Sha256 ?? '' })
      images.push({ Name, Format, HasMega, Data })
    } catch (error) {
      if (!(error instanceof JobsError)) throw error
      return { why: held('image', { Url: Path ?? Name, Problem: 'changed', Said: error.message }) }
    }
  }
  return { payload: { ...(payload as object), ItemImages: images } }
}
