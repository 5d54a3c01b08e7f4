/**
 * Combines flags, a file and answers into one request and checks it. Flags override the file; a person is asked for what is
 * missing.
 */

import { resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { type InputFault, ITEM_TYPE_IDS } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { type ImageFile, inspectImages } from '../../jobs/index.js'
import type { Words } from '../../messages/index.js'
import { defaultNotes, settingOf } from './defaults.js'
import { type InputDocument, readDocument } from './document.js'
import { folderOf, readInputFile, readWholeText } from './file.js'
import { type FlagField, type FlagTexts, type Reading, readField, valueFrom } from './flag-fields.js'
import { givenFields } from './given.js'
import { fieldsWithIds } from './ids.js'
import { faultsIn, type InputKind, topOf } from './kinds.js'
import type { Ids } from './named.js'
import { type Fitting, Photos } from './photos.js'
import { typedFields } from './typed.js'

/** Parts of the context that reading an item needs; `ids` looks up names in a file, which are refused without it. */
export interface Asking extends Pick<Context, 'stdin' | 'path' | 'prompts' | 'clock' | 'currency'> {
  readonly ids?: Ids | undefined
  /** Values of the profile where nothing else gives one, by flag. */
  readonly defaults?: FlagTexts | undefined
  /** Takes what is to be said about a file, a sentence each. */
  readonly note?: ((text: Words) => void) | undefined
  /** Send the metadata of images, too. */
  readonly keepMetadata?: boolean | undefined
  /** Waits for an image that is made to fit. */
  readonly fitting?: Fitting | undefined
}

export interface ReadRequest<T> {
  /** Accepted by the contract's checks. */
  readonly request: T
  /** The inspected files of --image and --mega-image: the images in their order, then the mega images. */
  readonly images: readonly ImageFile[]
}

/**
 * Reads an item from flags, its image files and, if `file` is among the flags, a YAML or JSON document.
 * @throws {SellerError} with every fault at once: usage (2) if a flag or the file cannot be read or a missing value cannot be
 * asked for, validation (3) if a value or an image is not allowed
 */
export async function readRequest<T>(kind: InputKind<T>, ctx: Asking, flags: FlagTexts): Promise<ReadRequest<T>> {
  const photos = new Photos(ctx.keepMetadata ?? false, flags.fit === true, ctx.fitting)
  const input = await gather(kind, ctx, flags, photos)
  const given = { values: input.values, named: input.images }
  const { images, faults: imageFaults } = await readImages(ctx, flags, given, kind.maxImages, photos)
  const missing = kind.missing(input.values)
  const faults = new InputFaults()
  input.report(faults, kind, ctx.clock.now())
  faults.add(...imageFaults)
  if (missing.length > 0 && faults.any) {
    faults.add(...missing.map(({ flag }) => ({ field: flag, value: undefined, message: 'is missing' })))
  }
  faults.throwIfAny()
  if (missing.length > 0) {
    await input.answer(ctx, missing)
    input.report(faults, kind, ctx.clock.now())
    faults.throwIfAny()
  }
  for (const note of photos.notes()) ctx.note?.(note)
  return { request: kind.complete(input.values) as T, images }
}

/** Images that a document gives beside those of flags. */
interface GivenImages {
  readonly values: Readonly<Record<string, unknown>>
  /** The files that it names. */
  readonly named?: readonly NamedImage[]
}

/** A file of an image that a document names. */
export interface NamedImage {
  /** As it is written. */
  readonly path: string
  /** The name of its field, with its place. */
  readonly field: string
  /** Folder of the document, where the path starts. */
  readonly folder: string
}

/**
 * Inspects the files that a document names, then those of --image and --mega-image.
 * @param most images that the kind of item takes
 */
export async function readImages(
  { path }: Pick<Asking, 'path'>,
  flags: FlagTexts,
  { values: { ItemImages } = {}, named = [] }: Partial<GivenImages>,
  most: number | undefined,
  photos: Photos,
): Promise<{ images: ImageFile[]; faults: InputFault[] }> {
  const filesIn = (flag: string): string[] => ((flags[flag] ?? []) as string[]).map(String)
  const files = [
    ...filesIn('image').map((file) => ({ path: file })),
    ...filesIn('mega-image').map((file) => ({ path: file, mega: true })),
  ]
  const folder = named[0]?.folder ?? ''
  const ofDocument = await inspectImages(named, { locate: (file) => resolve(folder, file), ...photos.options })
  const ofFlags = await inspectImages(files, { locate: path, ...photos.options })
  const images = [...ofDocument.images, ...ofFlags.images]
  for (const image of images) photos.add(image.path, image)
  const flagFaults = [
    ...ofDocument.faults.map((fault) => ({ ...fault, field: named[0]?.field ?? fault.field })),
    ...ofFlags.faults.map((fault) => ({ ...fault, field: `--${fault.field}` })),
  ]
  const count = named.length + files.length + (Array.isArray(ItemImages) ? ItemImages.length : 0)
  if (most !== undefined && named.length + files.length > 0 && count > most) {
    flagFaults.push({
      field: files.length > 0 ? '--image' : (named[0]?.field ?? ''),
      value: count,
      message: `must be at most ${most} images`,
    })
  }
  return { images, faults: flagFaults }
}

async function gather<T>(kind: InputKind<T>, ctx: Asking, flags: FlagTexts, photos: Photos): Promise<Gathered> {
  if (flags.file === '-' && flags['description-file'] === '-') {
    throw new SellerError(
      'stdin_twice',
      '--file - and --description-file - cannot both read stdin.',
      'Give a file for one of them.',
    )
  }
  const input = new Gathered(kind.flagFields, ctx)
  if (typeof flags.file === 'string') {
    const document = await readDocument(await readInputFile(ctx, flags.file), flags.file)
    for (const note of document.notes) ctx.note?.(note)
    input.readFile(kind, document, folderOf(ctx.path, flags.file))
    await input.typeValues(kind, ctx, flags.category, photos)
  }
  input.readFlags(flags)
  if (typeof flags['description-file'] === 'string') {
    const file = flags['description-file']
    const { text, notes } = await readWholeText(await readInputFile(ctx, file), file === '-' ? 'stdin' : file)
    for (const note of notes) ctx.note?.(note)
    input.set('Description', text.trimEnd(), '--description-file')
  }
  await input.readAttributes(ctx, flags.attribute)
  for (const note of input.readDefaults(ctx.defaults ?? {})) ctx.note?.(note)
  return input
}

/** The values collected so far, where each comes from, and which could not be read. */
class Gathered {
  values: Record<string, unknown> = {}
  /** Files of images that the document names. */
  images: readonly NamedImage[] = []
  readonly #fields: readonly FlagField[]
  readonly #run: Reading
  readonly #names = new Map<string, string>()
  /** Text as typed for a field, instead of the value read from it: an error quotes the seller. */
  readonly #typedTexts = new Map<string, string>()
  readonly #unreadable = new Set<string>()
  readonly #form = new InputFaults()
  readonly #typingFaults: InputFault[] = []
  #document: InputDocument | undefined
  /** Names of fields as the file has them. */
  #writtenNames: ReadonlyMap<string, string> = new Map()

  constructor(fields: readonly FlagField[], run: Reading) {
    this.#fields = fields
    this.#run = run
  }

  /** @param folder where the names of its images start */
  readFile<T>(kind: InputKind<T>, document: InputDocument, folder: string): void {
    const what = Array.isArray(document.value) ? 'a list' : 'a single value'
    this.#document = document
    const expected = [`${what} was found where the fields of one item are expected.`, 'See --skeleton.'] as const
    const { values, names, images } = givenFields(kind, document, expected, { run: this.#run, faults: this.#typingFaults })
    this.values = values
    this.#writtenNames = names
    this.images = images.map((path) => ({ path, field: this.#nameGiven('ItemImages'), folder }))
  }

  async typeValues<T>(kind: InputKind<T>, { path, ids }: Asking, category: unknown, photos: Photos): Promise<void> {
    if (ids !== undefined) this.values = await fieldsWithIds(this.values, ids, (field) => this.#nameGiven(field), category)
    const typedValues = await typedFields(kind.struct.fields, this.values, '', {
      faults: this.#typingFaults,
      locate: path,
      photos,
    })
    this.values = { ...(typedValues as Record<string, unknown>) }
    for (const { field } of this.#typingFaults) this.#unreadable.add(topOf(field))
  }

  readFlags(flags: FlagTexts): void {
    for (const flagField of this.#fields) {
      const { flag, field } = flagField
      if (flags[flag] === undefined) continue
      const value = readField(flagField, flags[flag], this.#run, this.#form)
      // null, because the value was given and must not be asked for.
      this.set(field, value ?? null, `--${flag}`)
      if (typeof flags[flag] === 'string') this.#typedTexts.set(field, flags[flag])
      if (value === undefined) this.#unreadable.add(field)
    }
  }

  /** Fills fields that nothing gives so far. A contact is not sent. @returns the note on it */
  readDefaults(defaults: FlagTexts): string[] {
    const { ItemType } = this.values
    const open = this.#fields.filter(({ flag, field }) => defaults[flag] !== undefined && this.values[field] === undefined)
    const usedFields = open.filter(({ flag }) => flag !== 'shipping' || ItemType !== ITEM_TYPE_IDS.ContactOnly)
    for (const each of usedFields) {
      const name = settingOf(each.flag)
      this.set(each.field, valueFrom(each, defaults[each.flag], name, this.#run), name)
    }
    const flags = usedFields.map(({ flag }) => flag)
    return defaultNotes(defaults, flags)
  }

  /** Attributes are those of the category, which a flag, the file or an answer gives. */
  async readAttributes({ ids }: Asking, attributes: unknown): Promise<void> {
    const { CategoryId: category } = this.values
    if (!Array.isArray(attributes) || attributes.length === 0 || typeof category !== 'number' || ids === undefined) return
    this.set('AttributeValues', await ids.attributes(category, attributes.map(String), '--attribute'), '--attribute')
  }

  async answer(ctx: Asking, questions: Parameters<Context['prompts']['fill']>[0]): Promise<void> {
    this.readFlags(await ctx.prompts.fill(questions))
  }

  set(field: string, value: unknown, name: string): void {
    this.values[field] = value
    this.#names.set(field, name)
    this.#unreadable.delete(field)
  }

  /** Adds the faults of everything given so far. Missing or unreadable fields do not hide faults of the others. */
  report<T>(faults: InputFaults, kind: InputKind<T>, now: number): void {
    for (const fault of this.#form.all) faults.addForm(fault)
    const untypedFaults = this.#typingFaults.filter(({ field }) => this.#unreadable.has(topOf(field)))
    faults.add(...untypedFaults.map((fault) => ({ ...fault, field: this.#nameGiven(fault.field) })))
    const readable = without(this.values, this.#unreadable)
    const inputFaults = faultsIn(kind, readable, this.#unreadable, now)
    faults.add(
      ...inputFaults.map((fault) => {
        const { field, value } = fault
        return {
          ...fault,
          field: this.#nameGiven(field),
          value: value === undefined ? value : (this.#typedTexts.get(field) ?? value),
        }
      }),
    )
  }

  /** The name of a field for the seller: the flag, or the place in the file. */
  #nameGiven(field: string): string {
    const top = topOf(field)
    const flag = this.#names.get(top)
    if (flag !== undefined) return flag
    const writtenName = field.replace(top, this.#writtenNames.get(top) ?? top)
    const place = this.#document === undefined ? undefined : placeIn(this.#document, writtenName)
    if (place !== undefined) return `${writtenName} (${place})`
    const flagField = this.#fields.find((candidate) => candidate.field === top)
    return flagField === undefined ? field : `--${flagField.flag}`
  }
}

/** The place of a field in the file; for a missing one, the place where it would belong. */
function placeIn(document: InputDocument, field: string): string | undefined {
  const path = field.split(/[.[\]]+/).filter(Boolean)
  for (let depth = path.length; depth > 0; depth--) {
    const line = document.lineOf(path.slice(0, depth).map((part) => (/^\d+$/.test(part) ? Number(part) : part)))
    if (line !== undefined) return `${document.name}, line ${line}`
  }
  return undefined
}

function without(values: Record<string, unknown>, fields: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.has(field)))
}
