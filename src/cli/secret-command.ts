/**
 * Runs the command that prints a secret (app_key_command, token_command), so that a password manager can hold it. Loaded only for
 * profiles that name one.
 */
import { type Started, startChild } from '../system/child.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import { SellerError } from './errors.js'
import type { Host } from './host.js'
import { readSecret } from './setting-readers.js'
import { commandWords, type SettingName } from './settings.js'

/** Long enough to unlock a password manager by hand, ms. */
const TIMEOUT_MS = 30_000
/** No secret is longer. A command that prints more is the wrong one. Bytes. */
const MAX_BYTES = 64 * 1024
/** How much of the command's stderr is shown, characters. */
const MAX_SAID = 500

export interface SecretCommand {
  readonly setting: SettingName
  readonly profile: string
  /** From the profile: a JSON array, or a line for the platform's shell. */
  readonly command: string
}

export interface SecretCommandOptions {
  readonly host: Pick<Host, 'env' | 'cwd'>
  readonly signal: AbortSignal
  /** Removes known secrets from the command's stderr. */
  readonly hide: (text: string) => string
  /** ms; 30 000 by default. */
  readonly timeoutMs?: number
}

/**
 * Runs the command and returns what it prints, without white space around it. Its stdin is closed; it may ask at the terminal itself.
 * @throws {SellerError} secret_command_failed, with its exit code and what it said on stderr; never with what it printed
 */
export async function secretFrom(about: SecretCommand, options: SecretCommandOptions): Promise<string> {
  const { timeoutMs = TIMEOUT_MS } = options
  const { env, cwd } = options.host
  const started = startChild({
    command: commandWords(about.command) ?? about.command,
    env,
    // Empty is the directory of the process, for Node too.
    cwd,
    stdin: 'ignore',
  })
  const ended = await outcome(started, options.signal, timeoutMs)
  const printed = ended.stdout.trim()
  const said = brief(options.hide(printed.length < 4 ? ended.stderr : ended.stderr.replaceAll(printed, '•••')))
  const fail = (why: string, status?: number): SellerError => {
    const message = `${about.setting} of the profile "${about.profile}" ${why}${said === '' ? '.' : `: ${said}`}`
    const hint = 'Run the command by itself: it must print only the secret and exit with 0. See it with: seller auth:status'
    return new SellerError('secret_command_failed', message, hint, { setting: about.setting, profile: about.profile, status })
  }
  switch (ended.how) {
    case 'aborted':
      throw options.signal.reason
    case 'not started':
      throw fail(`cannot be started: ${ended.why}`)
    case 'too slow':
      throw fail(`did not end within ${timeoutMs / 1000} s and was stopped`)
    case 'too long':
      throw fail(`printed more than ${MAX_BYTES} bytes`)
    case 'signal':
      throw fail(`was ended by ${ended.why}`)
  }
  if (ended.status !== 0) throw fail(`ended with exit code ${ended.status}`, ended.status)
  if (printed === '') throw fail('printed nothing')
  try {
    return readSecret(printed, about.setting)
  } catch {
    throw fail('printed more than one line')
  }
}

interface Ended {
  readonly how: 'ended' | 'aborted' | 'not started' | 'too slow' | 'too long' | 'signal'
  /** Why the command could not be started, or which signal ended it. */
  readonly why?: string
  readonly status?: number
  readonly stdout: string
  readonly stderr: string
}

/** How the command ended, or why it was not waited for. */
function outcome({ child, end }: Started<null>, signal: AbortSignal, timeoutMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    const texts = { stdout: '', stderr: '' }
    const finish = (ended: Omit<Ended, 'stdout' | 'stderr'>): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve({ ...ended, ...texts })
    }
    const stop = (how: Ended['how']): void => {
      end()
      // A process started by the command may hold its streams open for ever.
      child.stdout.destroy()
      child.stderr.destroy()
      finish({ how })
    }
    const abort = (): void => stop('aborted')
    const timer = setTimeout(() => stop('too slow'), timeoutMs)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
        if (texts[name].length > MAX_BYTES) stop('too long')
      })
    }
    child.once('error', (error) => {
      const code = errnoOf(error)
      finish({ how: 'not started', why: code === undefined ? error.name : errnoWords(code) })
    })
    child.once('close', (status, name) =>
      finish(status === null ? { how: 'signal', why: name ?? 'a signal' } : { how: 'ended', status }),
    )
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

/** The text on one line, shortened. */
function brief(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID - 1)}…` : line
}
