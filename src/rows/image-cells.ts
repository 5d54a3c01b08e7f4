/** Cells that name images: paths of files, several in one cell. */
import type { CellRead } from './named.js'

/** A file name ends so. An address counts as a name, whatever it ends with. */
const FILE_NAME = /\.[a-z0-9]{2,5}$/i
const ADDRESS = /^https?:\/\//i

/** True for the address of an image on the web, as sheets of other systems have them. */
export function isAddress(path: string): boolean {
  return ADDRESS.test(path)
}

/**
 * Reads the images of a row: text with names, a list of names, or images as a file of failed rows has them.
 * @returns their paths and addresses in order; undefined for none
 */
export function readImages(cell: unknown): CellRead {
  const value = typeof cell === 'string' ? namesIn(cell.trim()) : cell
  if (!Array.isArray(value)) return { why: NO_PATHS }
  const paths = value.map((image: unknown) => (isStored(image) ? image.Path : image))
  if (!paths.every((path) => typeof path === 'string')) return { why: NO_PATHS }
  const names = (paths as string[]).map((path) => path.trim()).filter((path) => path !== '')
  return { value: names.length === 0 ? undefined : names }
}

const NO_PATHS = 'does not name image files; write their paths, with | between them, such as a.jpg|b.jpg'

function isStored(image: unknown): image is { readonly Path: unknown } {
  return typeof image === 'object' && image !== null && 'Path' in image
}

/** A comma or a blank may be part of a file name, so it separates only where every part is a name of its own. */
function namesIn(text: string): unknown {
  if (text.startsWith('[')) return jsonIn(text)
  if (/[|;\n]/.test(text)) return text.split(/[|;\n]/)
  const byComma = text.split(/,\s*(?=https?:)|,/i).map((part) => part.trim())
  if (byComma.length > 1 && byComma.every((part) => isAddress(part) || FILE_NAME.test(part))) return byComma
  const byBlank = text.split(/\s+/)
  return byBlank.every(isAddress) ? byBlank : [text]
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return [text]
  }
}
