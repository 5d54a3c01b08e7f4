/** Tracks where the quotes of a CSV open and close, so that a missing one is reported with the line where it opened. */

const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d
/** How many quotes over several lines are remembered; the wanted one is among the last. */
const KEPT = 100

export class QuoteLines {
  #line: number
  #open = false
  #openedOn = 0
  /** Whether the byte before closed a quote, unless another quote follows. */
  #closing = false
  /** Whether the last byte of the piece before was a carriage return. */
  #afterReturn = false
  /** Cells of several lines: where each was closed and opened. */
  readonly #long: { closed: number; opened: number }[] = []

  /** @param linesBefore lines before the first byte */
  constructor(linesBefore: number) {
    this.#line = linesBefore + 1
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      // Only bytes up to the quote need a look, and a byte that follows a quote.
      if (byte > QUOTE && !this.#closing) continue
      if (this.#closing && byte !== QUOTE) this.#close()
      if (byte === QUOTE) this.#quote()
      // CR LF ends one line, and so does CR alone.
      else if (byte === NEWLINE ? bytes[at - 1] !== RETURN && !(at === 0 && this.#afterReturn) : byte === RETURN) this.#line++
    }
    this.#afterReturn = bytes[bytes.length - 1] === RETURN
  }

  /** The line on which the currently open quote was opened; undefined if none is open. */
  get opened(): number | undefined {
    return this.#open && !this.#closing ? this.#openedOn : undefined
  }

  /** The line where the cell of several lines was opened that was closed on this line; undefined if there is none. */
  openedOf(closed: number): number | undefined {
    return this.#long.findLast((quote) => quote.closed === closed)?.opened
  }

  #quote(): void {
    if (this.#closing) this.#closing = false
    else if (this.#open) this.#closing = true
    else {
      this.#open = true
      this.#openedOn = this.#line
    }
  }

  #close(): void {
    this.#closing = false
    this.#open = false
    if (this.#openedOn === this.#line) return
    this.#long.push({ closed: this.#line, opened: this.#openedOn })
    if (this.#long.length > KEPT) this.#long.shift()
  }
}
