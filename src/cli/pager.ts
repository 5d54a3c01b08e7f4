/**
 * A pager between long results and the terminal, as in git and gh: `less -FRX`, or the command in PAGER. Never without a
 * terminal. A pager that cannot be started, or that ends with an error before it has read what a pipe holds, costs nothing: the
 * terminal gets all of it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Writable } from 'node:stream'
import type { Environment, OutputStream } from './host.js'

/** F ends at once if everything fits the screen, R lets colours through, X leaves the text on the screen. */
const LESS = 'FRX'

/**
 * Characters that a pager gets before it has certainly read some: what a pipe or a pair of sockets holds unread, and more (Linux:
 * 64 and 208 KiB).
 */
const UNREAD_AT_MOST = 512 * 1024

export interface Pager {
  /** Replaces stdout. The pager starts at the first write. */
  readonly stdout: OutputStream
  /** Replaces stderr: what is written while the pager has the terminal is shown when it has ended. */
  readonly stderr: OutputStream
  /** Waits until the user has left the pager. */
  close(): Promise<void>
}

export interface PagerOptions {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Environment
  /** Aborted by Ctrl-C: then the pager ends too. */
  readonly signal: AbortSignal
}

/** @returns undefined if PAGER is empty or `cat`, or the terminal cannot be paged */
export function openPager(options: PagerOptions): Pager | undefined {
  const { stdout, stderr, env } = options
  const pagerCommand = env.PAGER?.trim()
  if (stdout.isTTY !== true || env.TERM === 'dumb' || pagerCommand === '' || pagerCommand === 'cat') return undefined
  const pager = new Paged(options, pagerCommand)
  const later: (string | Uint8Array)[] = []
  const heldOutput = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, callback) {
      if (pager.running) later.push(chunk)
      else stderr.write(chunk)
      callback()
    },
  })
  return {
    stdout: pager,
    stderr: Object.assign(heldOutput, { isTTY: stderr.isTTY, columns: stderr.columns }),
    async close() {
      await pager.waitForReader()
      for (const text of later.splice(0)) stderr.write(text)
    },
  }
}

class Paged extends Writable {
  readonly isTTY = true
  readonly columns: number | undefined
  readonly #options: PagerOptions
  readonly #command: string | undefined
  #child: ChildProcess | undefined
  /** Resolves when it has ended: true if with an error, which it was not told to do. */
  #failure: Promise<boolean> = Promise.resolve(false)
  /** There is no such pager, so write to the terminal. */
  #direct = false
  /** All that it got, as long as it may not have read any of it. */
  #unread: (string | Buffer)[] | undefined = []
  #givenBytes = 0

  constructor(options: PagerOptions, pagerCommand: string | undefined) {
    super({ decodeStrings: false })
    this.#options = options
    this.#command = pagerCommand
    this.columns = options.stdout.columns
  }

  get running(): boolean {
    return this.#child !== undefined && !this.#direct
  }

  override _write(chunk: string | Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    void this.#started().then(() => {
      const input = this.#child?.stdin
      if (this.#direct || input === null || input === undefined) {
        this.#options.stdout.write(chunk, () => callback())
        return
      }
      this.#note(chunk)
      input.write(chunk, (error) => {
        if (!error) callback()
        // Node closes the stream of a program that has ended, and says so by another code than that of a broken pipe.
        else void this.#isReplaced().then((isReplaced) => callback(isReplaced ? null : Object.assign(error, { code: 'EPIPE' })))
      })
    })
  }

  #note(chunk: string | Buffer): void {
    this.#givenBytes += chunk.length
    if (this.#givenBytes > UNREAD_AT_MOST) this.#unread = undefined
    this.#unread?.push(chunk)
  }

  /** Waits for the end of the pager. If it was an error, the terminal gets all that went to it, and what comes from then on. */
  async #isReplaced(): Promise<boolean> {
    const hasFailed = await this.#failure
    if (!hasFailed || this.#unread === undefined) return false
    const { stdout, stderr } = this.#options
    this.#direct = true
    stderr.write(
      `Warning: The pager "${this.#command ?? 'less'}" ended with an error. Choose another with PAGER, or none with PAGER=cat.\n`,
    )
    for (const chunk of this.#unread.splice(0)) await new Promise<void>((resolve) => void stdout.write(chunk, () => resolve()))
    return true
  }

  /** Resolves when the pager runs, or is known not to run. */
  #started(): Promise<void> {
    if (this.#child !== undefined) return Promise.resolve()
    const { env, signal } = this.#options
    const settings = { stdio: ['pipe', 'inherit', 'inherit'] as ['pipe', 'inherit', 'inherit'], env: { LESS, LV: '-c', ...env } }
    // PAGER is the user's own command line; less is started by its name.
    const child = this.#command === undefined ? spawn('less', settings) : spawn(this.#command, { ...settings, shell: true })
    this.#child = child
    // The write reports it if the user leaves early.
    child.stdin.on('error', () => undefined)
    const stop = () => child.kill()
    signal.addEventListener('abort', stop, { once: true })
    this.#failure = new Promise((resolve) => {
      child.once('close', (code) => {
        signal.removeEventListener('abort', stop)
        resolve(code !== 0 && !signal.aborted)
      })
    })
    return new Promise((resolve) => {
      child.once('spawn', resolve)
      child.once('error', () => {
        this.#direct = true
        resolve()
      })
    })
  }

  async waitForReader(): Promise<void> {
    if (this.#child === undefined || this.#direct) return
    this.#child.stdin?.end()
    await this.#isReplaced()
    this.#child = undefined
  }
}
