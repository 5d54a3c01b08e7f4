/** Titles of items beside the rows of a plan, for those who read it. */

/**
 * Titles that are kept: about 1 MB. Nobody reads a longer plan, and the titles of a million items would take more memory than everything
 * else in it.
 */
export const TITLES_KEPT = 10_000

export class Titles {
  readonly #titles = new Map<number, string>()

  /** Keeps the title of a row, unless there are enough. */
  set(index: number, title: string | undefined): void {
    if (title !== undefined && this.#titles.size < TITLES_KEPT) this.#titles.set(index, title)
  }

  get(index: number): string | undefined {
    return this.#titles.get(index)
  }
}
