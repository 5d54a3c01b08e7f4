/** Shapes of what the ledger keeps as JSON: another version may have written it, or somebody with another program. */

/** True for each value that a field may have; of every field that is relied on. */
export type Shape<T> = { readonly [F in keyof T]-?: Check }

/** A shape as it is looked through. */
export type AnyShape = Readonly<Record<string, Check>>

export type Check = (value: unknown) => boolean

export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
export const isInt: Check = (value) => Number.isSafeInteger(value)
export const isBoolean: Check = (value) => typeof value === 'boolean'
export const isText: Check = (value) => typeof value === 'string'
export const isInstant: Check = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value))
export const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const orNull =
  (is: Check): Check =>
  (value) =>
    value === null || is(value)
export const orMissing =
  (is: Check): Check =>
  (value) =>
    value === undefined || is(value)
export const listOf =
  (is: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(is)

export const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
/** True for an object whose fields fit. */
export const shaped =
  (shape: AnyShape): Check =>
  (value) =>
    shapeFault(value, shape) === undefined

/** Fault of a stored value, as the rest of a sentence; undefined if it has the shape. `field` is the one that is wrong. */
export function shapeFault(value: unknown, shape: AnyShape): { readonly field?: string; readonly words: string } | undefined {
  if (!isObject(value)) return { words: 'nothing is kept of it' }
  const field = Object.keys(shape).find((name) => shape[name]?.((value as Readonly<Record<string, unknown>>)[name]) !== true)
  return field === undefined ? undefined : { field, words: `its "${field}" is missing or of another type` }
}
