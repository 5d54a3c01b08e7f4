/** The metadata of images that are sent: whether the profile keeps it, and the one note about what is left out. */
import type { Context } from '../../cli/context.js'
import { METADATA, type MetadataKind } from '../../images/index.js'
import { run, say, type Words } from '../../messages/index.js'

export class Photos {
  /** Send metadata, too. */
  readonly keep: boolean
  readonly #cleaned: string[] = []
  readonly #removed = new Set<MetadataKind>()
  #images = 0

  constructor(keep: boolean) {
    this.keep = keep
  }

  /** @param name of an image, as the seller gave it */
  add(name: string, removed: readonly MetadataKind[]): void {
    this.#images++
    if (removed.length > 0) this.#cleaned.push(name)
    for (const kind of removed) this.#removed.add(kind)
  }

  /** Says once what is left out of all images; undefined if nothing is. */
  note(): Words | undefined {
    const [first] = this.#cleaned
    if (first === undefined) return undefined
    const kinds = METADATA.filter((kind) => this.#removed.has(kind)).join(', ')
    const which = this.#images === 1 ? first : `${this.#cleaned.length} of ${this.#images} images`
    return say`The metadata of ${which} is not sent (${kinds}); the pixels stay the same. To send it: ${run('auth:login', { '--image-metadata': 'keep' })}`
  }
}

/** As the profile says. */
export function photosOf({ profile }: Pick<Context, 'profile'>): Photos {
  return new Photos(profile.settings.image_metadata === 'keep')
}
