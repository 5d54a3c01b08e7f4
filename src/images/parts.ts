/** The parts of an image while it is gone through: those that stay, and the kinds of what is left out. */

/** Kinds of metadata, by the words that a seller reads, in the order in which they are listed. */
export const METADATA = [
  'GPS position',
  'Exif',
  'XMP',
  'IPTC',
  'thumbnail',
  'comment',
  'text',
  'time',
  'data after the image',
  'other data',
] as const

export type MetadataKind = (typeof METADATA)[number]

/** The structure of an image is not understood, so nobody can say what else is in it. The message continues "is … ". */
export class UnreadableImageError extends Error {
  override readonly name = 'UnreadableImageError'
}

export class ImageParts {
  readonly #parts: Buffer[] = []
  readonly #removedKinds = new Set<MetadataKind>()
  /** Number of parts that orientation data comes after. */
  #head = 0

  keep(part: Buffer): void {
    this.#parts.push(part)
  }

  /** Keeps a part that the orientation must come after. */
  keepHead(part: Buffer): void {
    this.#parts.push(part)
    this.#head = this.#parts.length
  }

  remove(...kinds: readonly MetadataKind[]): void {
    for (const kind of kinds) this.#removedKinds.add(kind)
  }

  /** Puts the part that holds the orientation behind the head. */
  addOrientation(part: Buffer): void {
    this.#parts.splice(this.#head, 0, part)
  }

  /** Number of parts that are kept. */
  get size(): number {
    return this.#parts.length
  }

  /** Removes the kept parts from this number on. */
  cutTo(size: number): void {
    this.#parts.splice(size)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  removedKinds(): MetadataKind[] {
    return METADATA.filter((kind) => this.#removedKinds.has(kind))
  }
}
