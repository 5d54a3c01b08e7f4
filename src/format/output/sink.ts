/** Writes to stdout in large pieces, waits for a slow reader, and stops quietly if there is no reader (`| head`). */
import type { TextStream } from './types.js'

/** Characters collected before they are written. */
const PIECE = 32 * 1024

export class Sink {
  #pieces: string[] = []
  #length = 0
  #scheduled = false
  /** Until the stream has taken what it has; its `drain` may come before anybody waits for it. */
  #ready: Promise<void> | undefined
  #isClosed = false
  #failure: Error | undefined
  /** Called once the stream has taken what is collected now. */
  #takers: (() => void)[] = []
  /** Ends when the stream has taken or refused what somebody asks after. */
  #last: Promise<void> | undefined
  /** Wakes who waits for a reader. */
  #wake: () => void = () => undefined

  readonly #stream: TextStream
  readonly #beforeWrite: () => void

  constructor(stream: TextStream, beforeWrite: () => void) {
    this.#stream = stream
    this.#beforeWrite = beforeWrite

    stream.on('error', (error) => this.#fail(error))
  }

  /** True if the reader has gone, so that the rest need not be made. */
  get closed(): boolean {
    return this.#isClosed
  }

  /** Takes text. It is written when enough is collected, or when the program next waits for something. */
  write(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length >= PIECE) this.flush()
    else if (!this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.flush())
    }
  }

  /** Calls back once the stream has taken all that was written so far; never where it fails or its reader has gone. */
  whenTaken(taker: () => void): void {
    this.#takers.push(taker)
  }

  /** Writes bytes at once, after what has gathered, and waits where the reader is slow. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    this.flush()
    if (this.#isClosed) return
    this.#beforeWrite()
    if (!this.#stream.write(bytes, this.#writeCallback())) this.#hold()
    await this.drained()
  }

  /** True to wait for the reader with `drained` before writing more. */
  get full(): boolean {
    return this.#ready !== undefined
  }

  async drained(): Promise<void> {
    if (!this.#isClosed) await this.#ready
  }

  #hold(): void {
    this.#ready ??= new Promise<void>((resolve) => {
      const settleWait = () => {
        this.#stream.off('drain', settleWait)
        this.#stream.off('close', settleWait)
        this.#ready = undefined
        resolve()
      }
      this.#wake = settleWait
      this.#stream.once('drain', settleWait)
      this.#stream.once('close', settleWait)
    })
  }

  /**
   * Writes what is collected and waits until the stream has taken it.
   * @throws the stream's error (a full disk); a reader that went away is not an error
   */
  async finish(): Promise<void> {
    this.flush()
    await this.drained()
    await this.#last
    // The error of a write made just now comes with the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Writes what is collected now, without waiting. Somebody may ask after what was written before, with no text since. */
  flush(): void {
    this.#scheduled = false
    if (this.#length === 0 && this.#takers.length === 0) return
    const text = this.#pieces.join('')
    const takers = this.#takers
    this.#takers = []
    this.#pieces = []
    this.#length = 0
    if (this.#isClosed) return
    this.#beforeWrite()
    if (takers.length === 0) {
      if (!this.#stream.write(text, this.#writeCallback())) this.#hold()
      return
    }
    this.#last = new Promise((resolve) => {
      if (!this.#stream.write(text, this.#writeCallback(takers, resolve))) this.#hold()
    })
  }

  /** Callback of the stream after a write. Its event `error` may not arrive: a listener before ours can throw. */
  #writeCallback(takers: readonly (() => void)[] = [], then?: () => void): (error?: NodeJS.ErrnoException | null) => void {
    return (error) => {
      if (error === undefined || error === null) for (const taker of takers) taker()
      else this.#fail(error)
      then?.()
    }
  }

  /** Later errors follow from the first one. */
  #fail(error: NodeJS.ErrnoException): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (error.code !== 'EPIPE') this.#failure = error
    this.#wake()
  }
}
