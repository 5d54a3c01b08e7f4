/**
 * The output of one part of a run: keeps the results instead of writing them, for the code that writes those of all parts together. What a
 * person must see at once goes on to the output of the whole run, with the part's name before it.
 */
import { wholeRecord } from './personal.js'
import type { Output, Paint, Progress, ProgressOptions, View } from './types.js'

export interface KeptOptions {
  /** The part's name, e.g. that of a profile. */
  readonly label: string
  /** The output of the whole run. */
  readonly whole: Output
  /** Whether to keep the rows of lists too; otherwise only the record that they are in. */
  readonly rows: boolean
  /** Takes the secrets out of a text. */
  readonly hide: (text: string) => string
  /** Takes a note; the others are about one part, and the result says the same. */
  readonly onNote: (text: string) => void
}

/** Its form is JSON, so that every result is complete. */
export class KeptOutput implements Output {
  readonly form = 'json'
  readonly human = false
  readonly width = 80
  /** What would have been written, a value for each document. */
  readonly results: unknown[] = []
  readonly #options: KeptOptions

  constructor(options: KeptOptions) {
    this.#options = options
  }

  get paint(): Paint {
    return this.#options.whole.paint
  }

  get closed(): boolean {
    return this.#options.whole.closed
  }

  async list<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>, { limit }: { limit?: number } = {}): Promise<number> {
    const { within } = view
    const kept: unknown[] = []
    if (this.#options.rows || within === undefined) {
      const whole = wholeRecord(view)
      for await (const row of rows) {
        if (kept.length === limit) break
        kept.push(whole?.(row) ?? row)
      }
    }
    this.results.push(within === undefined ? kept : { ...within.record, [within.key]: kept })
    return kept.length
  }

  async record<T>(view: View<T>, row: T): Promise<void> {
    this.results.push(wholeRecord(view)?.(row) ?? row)
  }

  records<T>(view: View<T>, rows: AsyncIterable<T> | Iterable<T>): Promise<number> {
    return this.list(view, rows)
  }

  shows(): boolean {
    return false
  }

  async tree(): Promise<number> {
    throw new TypeError('A tree has no part of a run.')
  }

  aside(): void {}

  text(text: string): void {
    this.results.push(text)
  }

  json(value: unknown): void {
    this.results.push(value)
  }

  note(text: string): void {
    this.#options.onNote(this.#options.hide(text))
  }

  /** Each names a command for one part. There would be as many as parts. */
  hint(): void {}

  warn(text: string): void {
    this.#options.whole.warn(this.#named(text))
  }

  error(text: string): void {
    this.#options.whole.error(this.#named(text))
  }

  progress(options: ProgressOptions): Progress {
    const shown = this.#options.whole.progress({ ...options, text: this.#named(options.text) })
    return {
      update: ({ text, ...state }) => shown.update(text === undefined ? state : { ...state, text: this.#named(text) }),
      stop: () => shown.stop(),
    }
  }

  #named(text: string): string {
    return `${this.#options.label}: ${this.#options.hide(text)}`
  }
}
