/** A command of the seller's: transactions:watch --exec with a sale as JSON on its stdin, orders:labels --print with a PDF. */
import type { ChildProcess } from 'node:child_process'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { commandWords, withoutSecrets } from '../../cli/settings.js'
import { type Started, startChild } from '../../system/child.js'
import { errnoOf, errnoWords } from '../../system/errno.js'

/** The most that is kept of what a command prints, characters: it is a note about the sale, not a result. */
const MOST_SAID = 16_000
/** How long a command may continue after Ctrl-C, ms; the run ends 5 s after it. */
const GRACE_MS = 4000

export interface Handled {
  /** Exit code; null where it was killed, so that nobody knows how far it came. */
  readonly code: number | null
  /** In words, for a command that was not well: `ended with exit code 3`. */
  readonly how: string
  /** What it printed, stdout and stderr as they came. */
  readonly said: string
}

export interface HandlerOptions {
  /** A JSON array of words, or a line for the shell. */
  readonly command: string
  /** ms one run may take. */
  readonly timeoutMs: number
  /** The flag that names it. */
  readonly flag: string
  /** What has not happened where it cannot be started, a sentence. */
  readonly left?: string
}

/**
 * Runs the command to its end. After an interruption it has four more seconds.
 * @throws {SellerError} exec_not_started where it cannot be started, or its shell says that by exit 126 or 127 (POSIX, Shell Command Language 2.8.2)
 */
export async function runHandler(
  ctx: Pick<Context, 'env' | 'path' | 'signal'>,
  { command, timeoutMs, flag, left = '' }: HandlerOptions,
  input: string | Uint8Array,
): Promise<Handled> {
  const started = startChild({
    command: commandWords(command) ?? command,
    env: withoutSecrets(ctx.env),
    cwd: ctx.path('.'),
    stdin: 'pipe',
    apart: true,
  })
  const { child } = started
  let said = ''
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, MOST_SAID)
    })
  }
  // A command need not read its stdin.
  child.stdin.on('error', () => undefined)
  child.stdin.end(typeof input === 'string' ? `${input}\n` : input)
  const { code, why, by, error } = await ended(started, ctx.signal, timeoutMs)
  const missing =
    code === 127 ? 'it was not found (exit code 127)' : code === 126 ? 'it cannot be run (exit code 126)' : undefined
  const reason = error ?? (missing === undefined ? undefined : [missing, said.trim()].filter((text) => text !== '').join(': '))
  if (reason !== undefined) {
    throw new SellerError(
      'exec_not_started',
      `The command of ${flag} cannot be started: ${reason.replace(/\.$/, '')}.`,
      `Check its path and permissions. ${left}`.trim(),
      { command },
    )
  }
  const how = why ?? (code === null ? `was ended by ${by}` : `ended with exit code ${code}`)
  return { code, how, said }
}

const CUT_OFF = 'was stopped because the run ended'

interface Ended {
  readonly code: number | null
  readonly by?: string
  readonly why?: string
  readonly error?: string
}

function ended(
  { child, end }: { readonly child: ChildProcess } & Pick<Started<null>, 'end'>,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Ended> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = []
    const finish = (outcome: Ended): void => {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve(outcome)
    }
    const stop = (why: string): void => {
      end()
      // Something it started may hold its streams open for ever.
      child.stdout?.destroy()
      child.stderr?.destroy()
      finish({ code: null, why })
    }
    const abort = (): void => void timers.push(setTimeout(stop, GRACE_MS, CUT_OFF))
    timers.push(setTimeout(stop, timeoutMs, `did not end within ${timeoutMs / 1000} s and was stopped`))
    child.once('error', (error) => {
      const code = errnoOf(error)
      finish({ code: null, error: code === undefined ? error.name : errnoWords(code) })
    })
    child.once('close', (code, by) => finish({ code, by: by ?? undefined }))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
