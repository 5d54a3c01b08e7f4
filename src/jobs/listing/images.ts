/**
 * Checks image files before they are sent: readable, of a type and a size that the service accepts, and when resuming still the
 * same. Their metadata is taken out here, so that nothing else has to think of it.
 */

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type InputFault, MAX_IMAGE_BYTES } from '../../contract/index.js'
import { type Fitted, fitImage, type MetadataKind, type NotSendable, needsFit, sendable } from '../../images/index.js'
import { errnoOf, errnoWords } from '../../system/errno.js'
import { JobsError } from '../ledger/errors.js'

export type ImageFormatName = 'Gif' | 'Jpeg' | 'Png'

/** An image as it was checked. Its bytes stay in the file. */
export interface ImageFile {
  /** Absolute. */
  readonly path: string
  /** Size of what is sent. */
  readonly bytes: number
  /**
   * Checksum of the bytes that are sent, in hexadecimal. Of an image that is made to fit: `fit:` and the checksum of the bytes
   * that it is made of, since another version of the encoder makes other bytes of them.
   */
  readonly sha256: string
  /** The image that was made to fit, without its bytes; undefined if it fits as it is. */
  readonly fitted?: Omit<Fitted, 'bytes'>
  /** Bytes of the image that was made to fit: this run need not make it again. */
  readonly made?: Buffer
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
  /** Make images fit that are too large or lie on their side. */
  readonly fit?: boolean | undefined
  /** Waits for an image that is made to fit, which takes seconds. @param path as it was given; undefined for one in a document */
  readonly fitting?: (<T>(work: Promise<T>, path?: string) => Promise<T>) | undefined
  /** Finds the size of an image that was made to fit before, by its checksum: it is not made again for a plan. */
  readonly knownBytes?: ((sha256: string) => number | undefined) | undefined
}

/** Before the checksum of what a fitted image is made of. */
const FIT = 'fit:'

/**
 * Reads and checks every image, one after the other. Reports all faults at once, so that nothing is sent before all images are
 * good.
 * @param files paths as the user gave them
 * @returns the good images in the order given, and the faults, each with its file
 */
export async function inspectImages(
  files: readonly { readonly path: string; readonly mega?: boolean }[],
  { locate = resolve, ...options }: InspectOptions = {},
): Promise<{ images: ImageFile[]; faults: InputFault[] }> {
  const images: ImageFile[] = []
  const faults: InputFault[] = []
  for (const { path, mega } of files) {
    const image = await inspect(path, locate(path), mega ?? false, options)
    if ('message' in image) faults.push(image)
    else images.push(image)
  }
  return { images, faults }
}

async function inspect(
  value: string,
  path: string,
  mega: boolean,
  { knownBytes, ...options }: Omit<InspectOptions, 'locate'>,
): Promise<ImageFile | InputFault> {
  const refuse = (message: string, hint?: string): InputFault => ({
    field: mega ? 'mega-image' : 'image',
    value,
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
  const clean = await cleanOf(file, format.format, options)
  if ('why' in clean) return refuse(clean.why, clean.hint)
  const sha256 = `${clean.fits ? FIT : ''}${hash(clean.bytes)}`
  const image = { path: resolve(path), sha256, removed: clean.removed, ...format, mega }
  const known = clean.fits ? knownBytes?.(sha256) : undefined
  if (known !== undefined) return { ...image, bytes: known }
  const sent = await madeToFit(clean, options, value)
  if ('why' in sent) return refuse(sent.why, sent.hint)
  const { bytes, fitted } = sent
  if (bytes.length > MAX_IMAGE_BYTES) {
    return refuse(tooLarge(bytes.length, bytes !== file), format.format === 'Jpeg' ? FITS : SMALLER)
  }
  return { ...image, bytes: bytes.length, ...(fitted === undefined ? {} : { fitted, made: bytes }) }
}

type Treatment = Pick<InspectOptions, 'keepMetadata' | 'fit' | 'fitting'>

/** An image as it is sent. */
interface Sent {
  readonly bytes: Buffer
  readonly removed: readonly MetadataKind[]
  readonly fitted?: Omit<Fitted, 'bytes'>
}

/**
 * The bytes of an image that are sent: without its metadata, made to fit.
 * @param format by its first bytes
 */
export async function sentImage(file: Buffer, format: ImageFormatName, options: Treatment): Promise<Sent | NotSendable> {
  const clean = await cleanOf(file, format, options)
  return 'why' in clean ? clean : madeToFit(clean, options)
}

/** An image before it is made to fit. One that is made to fit keeps no metadata in any case. */
async function cleanOf(
  file: Buffer,
  format: ImageFormatName,
  { keepMetadata = false, fit: fits = false }: Treatment,
): Promise<(Sent & { readonly fits: boolean }) | NotSendable> {
  const doesFit = async (bytes: Buffer) => !fits || !(await needsFit(bytes, format, MAX_IMAGE_BYTES))
  const sent = await sendable(file, format, keepMetadata && (await doesFit(file)))
  return 'why' in sent ? sent : { ...sent, fits: !(await doesFit(sent.bytes)) }
}

async function madeToFit(
  { bytes: clean, removed, fits }: Sent & { readonly fits: boolean },
  { fitting = (work) => work }: Treatment,
  path?: string,
): Promise<Sent | NotSendable> {
  if (!fits) return { bytes: clean, removed }
  const made = await fitting(fitImage(clean, MAX_IMAGE_BYTES), path)
  if ('why' in made) return made
  const { bytes, ...fitted } = made
  return { bytes, removed, fitted }
}

const SMALLER = 'Save it smaller, or as a Jpeg, which --fit makes fit.'
const FITS = 'Give --fit to make it fit, or save it smaller.'

function tooLarge(bytes: number, isCleaned = false): string {
  const without = isCleaned ? ' without its metadata' : ''
  return `is ${bytes} bytes${without}; the service takes at most ${MAX_IMAGE_BYTES} bytes (4 MB), the whole file`
}

/** The format of an image by its first bytes, or why the service would not take it. */
export async function formatOfImage(bytes: Uint8Array): Promise<{ format: ImageFormatName } | { wrong: string }> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes)
  const format = type === undefined ? undefined : FORMATS[type.mime]
  if (format !== undefined) return { format }
  const content = type === undefined ? 'does not contain an image' : `is ${type.mime} by its content`
  return { wrong: `${content}; the service takes Gif, Jpeg and Png` }
}

/** The bytes, or why there are none. A file far over the limit is not read. */
async function readWhole(path: string): Promise<Buffer | string> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return 'is a directory'
    if (stats.size > 8 * MAX_IMAGE_BYTES) return tooLarge(stats.size)
    return await readFile(path)
  } catch (error) {
    const code = errnoOf(error)
    if (code === undefined) throw error
    return code === 'ENOENT' ? 'does not exist' : `cannot be read: ${errnoWords(code)}`
  }
}

/**
 * Reads the bytes of an image that was inspected before, as they were to be sent then: with or without its metadata, or made to
 * fit.
 * @throws JobsError code `image_changed` if the file is gone or has changed
 */
export async function readImage(image: Pick<ImageFile, 'path' | 'sha256' | 'made'>): Promise<Buffer> {
  const source = await readSource(image)
  if (!image.sha256.startsWith(FIT)) return source
  if (image.made !== undefined) return image.made
  const made = await fitImage(source, MAX_IMAGE_BYTES)
  if ('why' in made) throw new Error(`The image "${image.path}" was made to fit before, and now ${made.why}.`)
  return made.bytes
}

/** The bytes that are sent, or that are made to fit before. @throws as readImage */
export async function readSource({ path, sha256 }: Pick<ImageFile, 'path' | 'sha256'>): Promise<Buffer> {
  const file = await readWhole(path)
  const source = typeof file === 'string' ? undefined : await withHash(file, sha256.replace(FIT, ''))
  if (source !== undefined) return source
  const what = typeof file === 'string' ? `it ${file}` : 'its content is different'
  throw new JobsError(
    'image_changed',
    `The image "${path}" has changed since the job started: ${what}.`,
    'Put the same file back at this path and resume. To use another image, add the item again. This one is not committed and will not be shown.',
    { path },
  )
}

/** The bytes that have a checksum: those of the file, or those without its metadata. */
async function withHash(file: Buffer, sha256: string): Promise<Buffer | undefined> {
  if (hash(file) === sha256) return file
  const format = await formatOfImage(file)
  const clean = 'wrong' in format ? undefined : await sendable(file, format.format, false)
  return clean !== undefined && 'bytes' in clean && hash(clean.bytes) === sha256 ? clean.bytes : undefined
}

/**
 * Reads the image of a step as it is sent now. A job that was made to send metadata (by 0.3, or by a profile that kept it) sends
 * none unless the profile keeps it.
 * @param onlyCheck an image that is to fit is not made again, which takes seconds: the bytes are those that it is made of
 * @param images those that this run has inspected, of which some were made to fit
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
  { onlyCheck = false, images = [] }: { readonly onlyCheck?: boolean; readonly images?: readonly ImageFile[] | undefined } = {},
): Promise<{ readonly data: Buffer; readonly changed?: { readonly bytes: number; readonly sha256: string } }> {
  const sha256 = Sha256 ?? ''
  if (sha256.startsWith(FIT)) {
    const made = images.find((image) => image.sha256 === sha256)?.made
    return { data: await (onlyCheck ? readSource({ path, sha256 }) : readImage({ path, sha256, ...(made && { made }) })) }
  }
  const bytes = await readImage({ path, sha256 })
  const image = await sendable(bytes, Format ?? 'Jpeg', keepMetadata)
  if ('why' in image) throw new JobsError('image_not_cleaned', `The image "${path}" ${image.why}.`, image.hint, { path })
  if (image.bytes === bytes) return { data: bytes }
  return { data: image.bytes, changed: { bytes: image.bytes.length, sha256: hash(image.bytes) } }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
