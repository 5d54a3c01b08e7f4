/**
 * Images in the rows of jobs: the ledger has where a file is and the hash of what is sent of it; its bytes are read when the row
 * is sent.
 */
import type { Input, ItemImageData } from '../../contract/index.js'
import { without } from '../../contract/without.js'
import { held } from '../../holds/index.js'
import { JobsError } from '../ledger/errors.js'
import { type ImageFile, type ImageFormatName, readImage, readSource } from '../listing/images.js'
import type { Batch } from './batch.js'
import { type Client, type ImageToSend, type NotSent, type SendOptions, sendInSteps } from './in-steps.js'

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

/** The images that the payload of a row names. */
export function imagesIn(payload: unknown): readonly StoredImage[] {
  return (payload as { readonly ItemImages?: readonly StoredImage[] } | null)?.ItemImages ?? []
}

/** A payload with the bytes of its images, or why the row cannot be sent: a file has changed since the plan. */
export async function withImages(payload: unknown): Promise<{ readonly payload: unknown } | NotSent> {
  const imagesOfRow = imagesIn(payload)
  if (imagesOfRow.length === 0) return { payload }
  const images: Image[] = []
  for (const image of imagesOfRow) {
    const Data = await readImageBytes(image)
    if ('why' in Data) return Data
    images.push({ Name: image.Name, Format: image.Format, HasMega: image.HasMega, Data })
  }
  return { payload: { ...(payload as object), ItemImages: images } }
}

/** Sends an auction with its images. @throws as sendInSteps */
export async function sendWithImages(client: Client, batch: Batch, at: number, { save }: SendOptions): Promise<void> {
  await sendInSteps(client, batch, at, {
    request: without(batch.payload('add-item', at), 'ItemImages'),
    save,
    images: async () => {
      const images: ImageToSend[] = []
      for (const image of imagesIn(batch.payload('add-item', at))) {
        // All are checked before the first call, and read again one at a time: those of a row may be 160 MB.
        const bytes = await readImageBytes(image, readSource)
        if ('why' in bytes) return bytes
        images.push({ name: image.Path ?? image.Name, format: image.Format, mega: image.HasMega, read: () => read(image) })
      }
      return images
    },
  })
}

async function readImageBytes(image: StoredImage, readFile = readImage): Promise<Uint8Array | NotSent> {
  try {
    return await read(image, readFile)
  } catch (error) {
    if (!(error instanceof JobsError)) throw error
    const why = held('image', { Url: image.Path ?? image.Name, Problem: 'changed', Said: error.message })
    return { state: 'failed', why }
  }
}

async function read({ Path, Sha256, Base64 }: StoredImage, readFile = readImage): Promise<Uint8Array> {
  return Path === undefined ? Buffer.from(Base64 ?? '', 'base64') : readFile({ path: Path, sha256: Sha256 ?? '' })
}
