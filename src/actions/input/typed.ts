/**
 * Converts data from a file or a command line to values of the contract's types, as far as the types allow. The input checks
 * judge the rest.
 */

import { readFile } from 'node:fs/promises'
import { readDateTime } from '../../cli/values.js'
import { type Field, type Fields, type InputFault, LexicalError, readSimple, resolved, type Type } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { sentImage } from '../../jobs/index.js'
import type { Words } from '../../messages/index.js'
import { errnoOf, errnoWords } from '../../system/errno.js'
import { type InputDocument, WrittenNumber } from './document.js'
import { detectImageFormat } from './image-format.js'
import type { Photos } from './photos.js'

/** State that is passed along while values are read. */
export interface Reading {
  /** Receives the faults of what cannot be read. */
  readonly faults: InputFault[]
  /** Resolves the path of an `@path`. */
  readonly locate: (path: string) => string
  /** Takes part in what happens to the metadata of images. */
  readonly photos: Photos
}

/** The fields of a document that must be one object. @param expected a sentence @throws {SellerError} unreadable_input */
export function fieldsIn(
  { name, value }: Pick<InputDocument, 'name' | 'value'>,
  expected: string,
  hint: Words,
): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new SellerError('unreadable_input', `${name}: ${expected}`, hint)
}

/** The same without those that were left empty, which is null: not given. */
export function givenIn(...of: Parameters<typeof fieldsIn>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fieldsIn(...of)).filter(([, given]) => given !== null && given !== undefined))
}

/** Reads the fields of a struct from an object. Other values, and fields that the struct does not have, stay as they are. */
export async function typedFields(fields: Fields, value: unknown, path: string, context: Reading): Promise<unknown> {
  if (!isRecord(value)) return unwrapped(value)
  const result: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const where = path === '' ? name : `${path}.${name}`
    define(result, name, field === undefined ? unwrapped(entry) : await typedField(field, entry, where, context))
  }
  return result
}

async function typedField(field: Field, value: unknown, path: string, context: Reading): Promise<unknown> {
  return field.repeated ? typedEntries(field.type, value, path, context) : typedValue(field.type, value, path, context)
}

async function typedEntries(item: Type, value: unknown, path: string, context: Reading): Promise<unknown> {
  if (!Array.isArray(value)) return unwrapped(value)
  const entries: unknown[] = []
  for (const [index, entry] of value.entries()) entries.push(await typedValue(item, entry, `${path}[${index}]`, context))
  return entries
}

async function typedValue(type: Type, value: unknown, path: string, context: Reading): Promise<unknown> {
  const form = resolved(type)
  if (form.kind === 'struct') return typedFields(form.fields, value, path, context)
  if (form.kind === 'list') return typedEntries(form.item, value, path, context)
  if (form.kind === 'decimal' && value instanceof WrittenNumber) return value.number
  if (form.kind === 'dateTime' && typeof value === 'string') return zoned(value)
  if (form.kind === 'base64Binary' && typeof value === 'string') return readBytes(value, path, context)
  return unwrapped(value)
}

/** A date in any form that flags accept. Anything else stays as it is, and the checks refuse it. */
function zoned(text: string): string {
  try {
    return readDateTime(text, '')
  } catch (error) {
    if (error instanceof SellerError) return text
    throw error
  }
}

/**
 * `@path` is a file, anything else is base64 text. An unreadable file is a fault, and counts as an unset value. Images lose their
 * metadata, unless the profile keeps it.
 */
export async function readBytes(text: string, path: string, context: Reading): Promise<Uint8Array | undefined> {
  const bytes = await givenBytes(text, path, context)
  const format = bytes && detectImageFormat(bytes)
  if (bytes === undefined || format === undefined) return bytes
  const image = await sentImage(bytes, format, context.photos.options)
  if ('why' in image) {
    context.faults.push({ field: path, value: text.startsWith('@') ? text : bytes, message: image.why, hint: image.hint })
    return undefined
  }
  context.photos.add(text.startsWith('@') ? text.slice(1) : path, { ...image, bytes: image.bytes.length })
  return image.bytes
}

async function givenBytes(text: string, path: string, context: Reading): Promise<Buffer | undefined> {
  if (text.startsWith('@')) {
    const file = text.slice(1)
    try {
      return await readFile(context.locate(file))
    } catch (error) {
      context.faults.push({
        field: path,
        value: text,
        message: `cannot be read: ${errnoWords(errnoOf(error) ?? '')}`,
      })
      return undefined
    }
  }
  try {
    return readSimple({ kind: 'base64Binary' }, text) as Buffer
  } catch (error) {
    if (!(error instanceof LexicalError)) throw error
    context.faults.push({ field: path, value: text, message: 'is not base64', hint: 'Name a file instead: @photo.jpg.' })
    return undefined
  }
}

function unwrapped(value: unknown): unknown {
  if (value instanceof WrittenNumber) return value.text
  if (Array.isArray(value)) return value.map(unwrapped)
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(value)) define(copy, name, unwrapped(entry))
  return copy
}

/** Defines an own property, also for `__proto__`: names come from the input. */
export function define<T>(target: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof WrittenNumber)
  )
}
