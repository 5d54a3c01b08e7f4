/** The parts of a description that cannot be read, each listed once. */

export interface Unread {
  /** The place: an operation, `Type.Field`, or `schema` for the whole. */
  readonly where: string
  /** A clause that continues after the place. */
  readonly what: string
}

/** More than anyone reads. A description made of one unknown kind must not fill the memory. */
const MAX_NOTES = 500

export class Notes {
  readonly #noted = new Map<string, Unread>()

  add(where: string, what: string): void {
    if (this.#noted.size < MAX_NOTES) this.#noted.set(`${where}\n${what}`, { where, what })
  }

  get all(): Unread[] {
    return [...this.#noted.values()]
  }
}
