/**
 * The output of one part of a run, whose results are shown with those of all parts. What a person must see at once goes on to the
 * output of the whole run, with the part's name before it.
 */
import { type Edge, textOf, type Words } from '../../messages/index.js'
import type { Output, Paint, Progress, ProgressOptions } from './types.js'

export interface LabelledOptions {
  /** The part's name, e.g. that of a profile. */
  readonly label: string
  /** The output of the whole run. */
  readonly whole: Output
  /** Facts about the part that messages need. */
  readonly edge: () => Edge
  /** Takes a note; the others are about one part, and the result says the same. */
  readonly onNote: (text: string) => void
}

/** Its form is JSON, so that every result is complete. */
export class LabelledOutput implements Output {
  readonly form = 'json'
  readonly human = false
  readonly chosen = false
  readonly width = 80
  readonly begun = false
  readonly rows = undefined
  readonly #options: LabelledOptions

  constructor(options: LabelledOptions) {
    this.#options = options
  }

  get plain(): boolean {
    return this.#options.whole.plain
  }

  get paint(): Paint {
    return this.#options.whole.paint
  }

  get unit(): string {
    return this.#options.edge().unit?.() ?? 'kr'
  }

  get closed(): boolean {
    return this.#options.whole.closed
  }

  shows(): boolean {
    return false
  }

  fields(): undefined {}

  async settle(): Promise<void> {}

  aside(): void {}

  list(): never {
    throw new TypeError('The results of a part are shown with those of all parts.')
  }

  readonly record = this.list
  readonly records = this.list
  readonly tree = this.list
  readonly text = this.list
  readonly json = this.list

  note(words: Words): void {
    this.#options.onNote(textOf(words, this.#options.edge()))
  }

  /** Each names a command for one part. There would be as many as parts. */
  hint(): void {}

  warn(words: Words): void {
    this.#options.whole.warn(this.#labelled(words))
  }

  error(words: Words): void {
    this.#options.whole.error(this.#labelled(words))
  }

  progress(options: ProgressOptions): Progress {
    const progressLine = this.#options.whole.progress({ ...options, text: this.#labelled(options.text) })
    return {
      update: ({ text, ...state }) => progressLine.update(text === undefined ? state : { ...state, text: this.#labelled(text) }),
      stop: () => progressLine.stop(),
    }
  }

  #labelled(words: Words): string {
    return `${this.#options.label}: ${textOf(words, { ...this.#options.edge(), glue: true })}`
  }
}
