/** Writes to stdout in large pieces, waits where the reader is slow, and stops quietly where there is none (`| head`). */
import type { TextStream } from './types.js'

/** Characters gathered before they are written. */
const PIECE = 32 * 1024

export class Sink {
  #pieces: string[] = []
  #length = 0
  #scheduled = false
  #blocked = false
  #closed = false
  #failure: Error | undefined

  readonly #stream: TextStream
  readonly #beforeWrite: () => void

  constructor(stream: TextStream, beforeWrite: () => void) {
    this.#stream = stream
    this.#beforeWrite = beforeWrite

    stream.on('error', (error) => {
      this.#closed = true
      if (error.code !== 'EPIPE') this.#failure = error
    })
  }

  /** Whether the reader has gone: the rest need not be made. */
  get closed(): boolean {
    return this.#closed
  }

  /** Takes text; it is written when enough has gathered, or when the program next waits for something. */
  write(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length >= PIECE) this.#flush()
    else if (!this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.#flush())
    }
  }

  /** Whether the reader has to be waited for, by `drained`, before more is written. */
  get full(): boolean {
    return this.#blocked
  }

  async drained(): Promise<void> {
    if (!this.#blocked || this.#closed) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#stream.off('drain', done)
        this.#stream.off('close', done)
        resolve()
      }
      this.#stream.once('drain', done)
      this.#stream.once('close', done)
    })
    this.#blocked = false
  }

  /**
   * Writes what has gathered and waits until the stream took it.
   * @throws the stream's error (a full disk); a reader that went away is none.
   */
  async finish(): Promise<void> {
    this.#flush()
    await this.drained()
    // The error of a write made just now comes with the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Writes what has gathered now, without waiting. */
  flush(): void {
    this.#flush()
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#length === 0) return
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    if (this.#closed) return
    this.#beforeWrite()
    if (!this.#stream.write(text)) this.#blocked = true
  }
}
