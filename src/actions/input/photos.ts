/** Images that are sent: whether the profile keeps their metadata, whether they are made to fit, and the notes about both. */
import { basename } from 'node:path'
import type { Context } from '../../cli/context.js'
import { type Fitted, METADATA, type MetadataKind } from '../../images/index.js'
import { run, say, type Words } from '../../messages/index.js'
import { withProgress } from '../with-progress.js'

/** Images that a note names. */
const NAMED = 10

export type Fitting = <T>(work: Promise<T>, path?: string) => Promise<T>

interface Sent {
  readonly removed: readonly MetadataKind[]
  readonly bytes: number
  readonly fitted?: Omit<Fitted, 'bytes'>
}

export class Photos {
  /** Options of reading: keep metadata, make images fit. */
  readonly options: { readonly keepMetadata: boolean; readonly fit: boolean; readonly fitting: Fitting | undefined }
  readonly #cleanedNames: string[] = []
  readonly #fitted: string[] = []
  readonly #removedKinds = new Set<MetadataKind>()
  #images = 0

  /** @param fitting waits for an image that is made to fit, and shows it */
  constructor(keepMetadata: boolean, fit: boolean, fitting?: Fitting) {
    this.options = { keepMetadata, fit, fitting }
  }

  /** @param path of an image, as the seller gave it */
  add(path: string, { removed: metadata, bytes, fitted }: Sent): void {
    const name = basename(path)
    this.#images++
    if (metadata.length > 0) this.#cleanedNames.push(name)
    for (const kind of metadata) this.#removedKinds.add(kind)
    if (fitted !== undefined) this.#fitted.push(`${name}: ${fittedText(bytes, fitted)}`)
  }

  /** Says once what is left out of all images, and what each becomes that is made to fit. */
  notes(): Words[] {
    const notes: Words[] = []
    const [first] = this.#cleanedNames
    if (first !== undefined) {
      const kinds = METADATA.filter((kind) => this.#removedKinds.has(kind)).join(', ')
      const which = this.#images === 1 ? first : `${this.#cleanedNames.length} of ${this.#images} images`
      const pixels = this.#fitted.length === 0 ? '; the pixels stay the same' : ''
      notes.push(
        say`The metadata of ${which} is not sent (${kinds})${pixels}. To send it: ${run('auth:login', { '--setting': 'image_metadata=keep' })}`,
      )
    }
    for (const text of this.#fitted.slice(0, NAMED)) notes.push(say`Made to fit: ${text}.`)
    const more = this.#fitted.length - NAMED
    if (more > 0) notes.push(say`Made to fit: ${more} more.`)
    return notes
  }
}

/** `6.1 MB, 4000 x 3000, turned -> 3.2 MB, 3000 x 4000, quality 90` */
function fittedText(bytes: number, { from, width, height, quality, turned }: Omit<Fitted, 'bytes'>): string {
  const before = `${sizeText(from.bytes)}, ${from.width} x ${from.height}${turned ? ', not upright' : ''}`
  return `${before}; becomes ${sizeText(bytes)}, ${width} x ${height}, quality ${quality}`
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** As the profile and the flags say. One that is made to fit draws progress. */
export function photosOf(ctx: Pick<Context, 'profile' | 'output' | 'signal'>, { fit }: { readonly fit?: unknown } = {}): Photos {
  const fitting: Fitting = (work, path) =>
    withProgress(ctx, `Making ${path === undefined ? 'an image' : basename(path)} fit`, work)
  return new Photos(ctx.profile.settings.image_metadata === 'keep', fit === true, fitting)
}
