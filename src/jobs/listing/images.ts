/**
 * Checks image files before they are sent: readable, of a type and a size that the service accepts, and when resuming still the
 * same.
 */

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type InputFault, MAX_IMAGE_BYTES } from '../../contract/index.js'
import { errnoOf, errnoWords } from '../../system/errno.js'
import { JobsError } from '../ledger/errors.js'

export type ImageFormatName = 'Gif' | 'Jpeg' | 'Png'

/** An image as it was checked. Its bytes stay in the file. */
export interface ImageFile {
  /** Absolute. */
  readonly path: string
  readonly bytes: number
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string
  readonly format: ImageFormatName
  /** Whether an extra-large (Mega) image is asked for (docs/service.md, Images and commit). */
  readonly mega: boolean
}

/** Decided by the first bytes of the file, never by its name. An animated PNG is a PNG. */
const FORMATS: Readonly<Record<string, ImageFormatName>> = {
  'image/gif': 'Gif',
  'image/jpeg': 'Jpeg',
  'image/png': 'Png',
  'image/apng': 'Png',
}

/**
 * Reads and checks every image, one after the other. Reports all faults at once, so that nothing is sent before all images are
 * good.
 * @param files paths as the user gave them
 * @param locate where a path leads; by default, relative paths start at the working directory
 * @returns the good images in the order given, and the faults, each with its file
 */
export async function inspectImages(
  files: readonly { readonly path: string; readonly mega?: boolean }[],
  locate: (path: string) => string = resolve,
): Promise<{ images: ImageFile[]; faults: InputFault[] }> {
  const images: ImageFile[] = []
  const faults: InputFault[] = []
  for (const { path, mega } of files) {
    const image = await inspect(path, locate(path), mega ?? false)
    if ('message' in image) faults.push(image)
    else images.push(image)
  }
  return { images, faults }
}

async function inspect(given: string, path: string, mega: boolean): Promise<ImageFile | InputFault> {
  const refuse = (message: string, hint?: string): InputFault => ({
    field: mega ? 'mega-image' : 'image',
    value: given,
    message,
    ...(hint === undefined ? {} : { hint }),
  })
  const file = await readWhole(path)
  if (typeof file === 'string') return refuse(file)
  if (file.length === 0) return refuse('is an empty file')
  if (file.length > MAX_IMAGE_BYTES) {
    return refuse(
      `is ${file.length} bytes; the service takes at most ${MAX_IMAGE_BYTES} bytes (4 MB), the whole file`,
      'Save it smaller or with more compression.',
    )
  }
  const format = await formatOfImage(file)
  if ('wrong' in format) return refuse(format.wrong, 'Convert it to Jpeg or Png; renaming does not help.')
  return { path: resolve(path), bytes: file.length, sha256: hash(file), ...format, mega }
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
    if (found.size > 8 * MAX_IMAGE_BYTES) {
      return `is ${found.size} bytes; the service takes at most ${MAX_IMAGE_BYTES} bytes (4 MB), the whole file`
    }
    return await readFile(path)
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    return code === 'ENOENT' ? 'does not exist' : `cannot be read: ${errnoWords(code)}`
  }
}

/**
 * Reads the bytes of an image that was inspected before.
 * @throws JobsError code `image_changed` if the file is gone or has changed
 */
export async function readImage(image: Pick<ImageFile, 'path' | 'sha256'>): Promise<Buffer> {
  const file = await readWhole(image.path)
  if (typeof file !== 'string' && hash(file) === image.sha256) return file
  const what = typeof file === 'string' ? `it ${file}` : 'its content is different'
  throw new JobsError(
    'image_changed',
    `The image "${image.path}" has changed since the job started: ${what}.`,
    'Put the same file back at this path and resume. To use another image, add the item again. This one is not committed and will not be shown.',
    { path: image.path },
  )
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
