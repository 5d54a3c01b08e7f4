/** A command of the seller's: transactions:watch --exec with a sale as JSON on its stdin, orders:labels --print with a PDF. */
import { access, constants } from 'node:fs/promises'
import type { Context } from '../../cli/context.js'
import { commandWords, withoutSecrets } from '../../cli/settings.js'
import { SellerError } from '../../errors/index.js'
import { type ChildEnd, startChild, waitForEnd } from '../../system/child.js'

/** The most that is kept of what a command prints, characters: it is a note about the sale, not a result. */
const MOST_SAID = 16_000
/** Time that a command may continue after Ctrl-C, ms; the run ends 5 s after it. */
const GRACE_MS = 4000

export interface Handled {
  /** Exit code; null where it was killed, so that nobody knows how far it came. */
  readonly code: number | null
  /** In words, for a command that was not well: `ended with exit code 3`. */
  readonly how: string
  /** Output of the program, stdout and stderr as they came. */
  readonly said: string
}

export interface HandlerOptions {
  /** A JSON array of words, or a line for the shell. */
  readonly command: string
  /** ms one run may take. */
  readonly timeoutMs: number
  /** The flag that names it. */
  readonly flag: string
  /** Consequence if it cannot be started, a sentence. */
  readonly left?: string | undefined
}

/**
 * Runs the command to its end. After an interruption it has four more seconds.
 * @throws {SellerError} exec_not_started where it cannot be started, or its shell says that by exit 126 or 127 (POSIX, Shell
 * Command Language 2.8.2)
 */
export async function runHandler(
  ctx: Pick<Context, 'env' | 'path' | 'signal'>,
  { command, timeoutMs, flag, left = '' }: HandlerOptions,
  input: string | Uint8Array,
): Promise<Handled> {
  const child = startChild({
    command: commandWords(command) ?? command,
    env: withoutSecrets(ctx.env),
    cwd: ctx.path('.'),
    stdin: 'pipe',
    apart: true,
  })
  let outputText = ''
  // A command need not read its stdin.
  child.child.stdin.on('error', () => undefined)
  child.child.stdin.end(typeof input === 'string' ? `${input}\n` : input)
  const { how, why, code } = await waitForEnd(child, {
    signal: ctx.signal,
    graceMs: GRACE_MS,
    timeoutMs,
    take(text) {
      outputText = `${outputText}${text}`.slice(0, MOST_SAID)
      return true
    },
  })
  const missing =
    code === 127 ? 'it was not found (exit code 127)' : code === 126 ? 'it cannot be run (exit code 126)' : undefined
  const reason =
    how === 'not started'
      ? why
      : missing === undefined
        ? undefined
        : [missing, outputText.trim()].filter((text) => text !== '').join(': ')
  if (reason !== undefined) {
    throw notStarted({ command, flag, left }, reason)
  }
  return { code, how: endWords({ how, why, code }, timeoutMs), said: outputText }
}

/**
 * Refuses a command whose program is a path where none is, before the work that it is to get. A name without a path is found by
 * the shell alone.
 * @throws {SellerError} exec_not_started
 */
export async function requireProgram(ctx: Pick<Context, 'path'>, { command, flag }: Pick<HandlerOptions, 'command' | 'flag'>) {
  const program = commandWords(command)?.[0] ?? /^\s*([\w.@%+=:,/\\-]+)(?=\s|$)/.exec(command)?.[1] ?? ''
  if (!/[\\/]/.test(program)) return
  await access(ctx.path(program), constants.X_OK).catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'ENOENT' ? `there is no file ${program}` : code === 'EACCES' ? `${program} cannot be run` : undefined
    if (reason !== undefined) throw notStarted({ command, flag, left: 'Nothing was asked of the service.' }, reason)
  })
}

function notStarted({ command, flag, left }: Omit<HandlerOptions, 'timeoutMs'>, reason: string): SellerError {
  return new SellerError(
    'exec_not_started',
    `The command of ${flag} cannot be started: ${reason.replace(/\.$/, '')}.`,
    `Check its path and permissions. ${left}`.trim(),
    { command },
  )
}

function endWords({ how, why, code }: ChildEnd, timeoutMs: number): string {
  if (how === 'aborted') return 'was stopped because the run ended'
  if (how === 'too slow') return `did not end within ${timeoutMs / 1000} s and was stopped`
  return code === null ? `was ended by ${why}` : `ended with exit code ${code}`
}
