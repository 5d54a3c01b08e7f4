/**
 * Checks image files before they are sent: readable, of a type and a size that the service accepts, and when resuming still the
 * same. Their metadata is taken out here, so that nothing else has to think of it.
 */

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type InputFault, MAX_IMAGE_BYTES } from '../../contract/index.js'
import { type MetadataKind, sendable } from '../../images/index.js'
import { errnoOf, errnoWords } from '../../system/errno.js'
import { JobsError } from '../ledger/errors.js'

export type ImageFormatName = 'Gif' | 'Jpeg' | 'Png'

/** An image as it was checked. Its bytes stay in the file. */
export interface ImageFile {
  /** Absolute. */
  readonly path: string
  /** Size of what is sent. */
  readonly bytes: number
  /** Checksum of the bytes that are sent, in hexadecimal. */
  readonly sha256: string
  /** Kinds of metadata in the file that are not sent. */
  readonly removed: readonly MetadataKind[]
  readonly format: ImageFormatName
  /** True if an extra-large (Mega) image is asked for (docs/service.md, Images and commit). */
  readonly mega: boolean
}

/** Decided by the first bytes of the file, never by its name. An animated PNG is a PNG. */
const FORMATS: Readonly<Record<string, ImageFormatName>> = {
  'image/gif': 'Gif',
  'image/jpeg': 'Jpeg',
  'image/png': 'Png',
  'image/apng': 'Png',
}

export interface InspectOptions {
  /** Resolves a path; by default, relative paths start at the working directory. */
  readonly locate?: ((path: string) => string) | undefined
  /** Send the metadata of images, too. */
  readonly keepMetadata?: boolean | undefined
}

/**
 * Reads and checks every image, one after the other. Reports all faults at once, so that nothing is sent before all images are
 * good.
 * @param files paths as the user gave them
 * @returns the good images in the order given, and the faults, each with its file
 */
export async function inspectImages(
  files: readonly { readonly path: string; readonly mega?: boolean }[],
  { locate = resolve, keepMetadata = false }: InspectOptions = {},
): Promise<{ images: ImageFile[]; faults: InputFault[] }> {
  const images: ImageFile[] = []
  const faults: InputFault[] = []
  for (const { path, mega } of files) {
    const image = await inspect(path, locate(path), mega ?? false, keepMetadata)
    if ('message' in image) faults.push(image)
    else images.push(image)
  }
  return { images, faults }
}

async function inspect(given: string, path: string, mega: boolean, keepMetadata: boolean): Promise<ImageFile | InputFault> {
  const refuse = (message: string, hint?: string): InputFault => ({
    field: mega ? 'mega-image' : 'image',
    value: given,
    message,
    ...(hint === undefined ? {} : { hint }),
  })
  const file = await readWhole(path)
  if (typeof file === 'string') return refuse(file)
  if (file.length === 0) return refuse('is an empty file')
  const format = await formatOfImage(file)
  if ('wrong' in format) {
    if (file.length > MAX_IMAGE_BYTES) return refuse(tooLarge(file.length), SMALLER)
    return refuse(format.wrong, 'Convert it to Jpeg or Png; renaming does not help.')
  }
  const sent = await sendable(file, format.format, keepMetadata)
  if ('why' in sent) return refuse(sent.why, sent.hint)
  const { bytes, removed } = sent
  if (bytes.length > MAX_IMAGE_BYTES) return refuse(tooLarge(bytes.length, bytes !== file), SMALLER)
  return { path: resolve(path), bytes: bytes.length, sha256: hash(bytes), removed, ...format, mega }
}

const SMALLER = 'Save it smaller or with more compression.'

function tooLarge(bytes: number, cleaned = false): string {
  const without = cleaned ? ' without its metadata' : ''
  return `is ${bytes} bytes${without}; the service takes at most ${MAX_IMAGE_BYTES} bytes (4 MB), the whole file`
}

/** The format of an image by its first bytes, or why the service would not take it. */
export async function formatOfImage(bytes: Uint8Array): Promise<{ format: ImageFormatName } | { wrong: string }> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes)
  const format = type === undefined ? undefined : FORMATS[type.mime]
  if (format !== undefined) return { format }
  const found = type === undefined ? 'does not contain an image' : `is ${type.mime} by its content`
  return { wrong: `${found}; the service takes Gif, Jpeg and Png` }
}

/** The bytes, or why there are none. A file far over the limit is not read. */
async function readWhole(path: string): Promise<Buffer | string> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'is a directory'
    if (found.size > 8 * MAX_IMAGE_BYTES) return tooLarge(found.size)
    return await readFile(path)
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    return code === 'ENOENT' ? 'does not exist' : `cannot be read: ${errnoWords(code)}`
  }
}

/**
 * Reads the bytes of an image that was inspected before, as they were to be sent then: with or without its metadata.
 * @throws JobsError code `image_changed` if the file is gone or has changed
 */
export async function readImage(image: Pick<ImageFile, 'path' | 'sha256'>): Promise<Buffer> {
  const file = await readWhole(image.path)
  if (typeof file !== 'string') {
    if (hash(file) === image.sha256) return file
    const format = await formatOfImage(file)
    const clean = 'wrong' in format ? undefined : await sendable(file, format.format, false)
    if (clean !== undefined && 'bytes' in clean && hash(clean.bytes) === image.sha256) return clean.bytes
  }
  const what = typeof file === 'string' ? `it ${file}` : 'its content is different'
  throw new JobsError(
    'image_changed',
    `The image "${image.path}" has changed since the job started: ${what}.`,
    'Put the same file back at this path and resume. To use another image, add the item again. This one is not committed and will not be shown.',
    { path: image.path },
  )
}

/**
 * Reads the image of a step as it is sent now. A job that was made to send metadata (by 0.3, or by a profile that kept it) sends
 * none unless the profile keeps it.
 * @returns its bytes, and its size and hash where they are not those of the step
 * @throws JobsError code `image_changed`, or `image_not_cleaned`
 */
export async function imageOfStep(
  {
    Subject: path,
    Sha256,
    Format,
  }: { readonly Subject: string; readonly Sha256: string | null; readonly Format: ImageFormatName | null },
  keepMetadata: boolean,
): Promise<{ readonly data: Buffer; readonly changed?: { readonly bytes: number; readonly sha256: string } }> {
  const recorded = await readImage({ path, sha256: Sha256 ?? '' })
  const sent = await sendable(recorded, Format ?? 'Jpeg', keepMetadata)
  if ('why' in sent) throw new JobsError('image_not_cleaned', `The image "${path}" ${sent.why}.`, sent.hint, { path })
  if (sent.bytes === recorded) return { data: recorded }
  return { data: sent.bytes, changed: { bytes: sent.bytes.length, sha256: hash(sent.bytes) } }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
