/**
 * Runs the command that prints a secret (app_key_command, token_command), so that a password manager can hold it. Loaded only for
 * profiles that name one.
 */

import { SellerError } from '../errors/index.js'
import { run, say } from '../messages/index.js'
import { startChild, waitForEnd } from '../system/child.js'
import type { Host } from './host.js'
import { readSecret } from './setting-readers.js'
import { commandWords, type SettingName } from './settings.js'

/** Long enough to unlock a password manager by hand, ms. */
const TIMEOUT_MS = 30_000
/** No secret is longer. A command that prints more is the wrong one. Bytes. */
const MAX_BYTES = 64 * 1024
/** Number of characters of the command's stderr to show. */
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
  readonly timeoutMs?: number | undefined
}

/**
 * Runs the command and returns what it prints, without white space around it. Its stdin is closed; it may ask at the terminal
 * itself.
 * @throws {SellerError} secret_command_failed, with its exit code and what it said on stderr; never with what it printed
 */
export async function secretFrom(about: SecretCommand, options: SecretCommandOptions): Promise<string> {
  const { timeoutMs = TIMEOUT_MS } = options
  const { env, cwd } = options.host
  const child = startChild({
    command: commandWords(about.command) ?? about.command,
    env,
    // Empty is the directory of the process, for Node too.
    cwd,
    stdin: 'ignore',
  })
  const texts = { stdout: '', stderr: '' }
  const { how, why, code } = await waitForEnd(child, {
    signal: options.signal,
    timeoutMs,
    take(text, from) {
      texts[from] += text
      return texts[from].length <= MAX_BYTES
    },
  })
  const secret = texts.stdout.trim()
  const errorText = brief(options.hide(secret.length < 4 ? texts.stderr : texts.stderr.replaceAll(secret, '•••')))
  const fail = (what: string, status?: number): SellerError => {
    const message = `${about.setting} of the profile "${about.profile}" ${what}${errorText === '' ? '.' : `: ${errorText}`}`
    const hint = say`Run the command by itself: it must print only the secret and exit with 0. See it with: ${run('auth:status')}`
    return new SellerError('secret_command_failed', message, hint, { setting: about.setting, profile: about.profile, status })
  }
  if (how === 'aborted') throw options.signal.reason
  if (how === 'not started') throw fail(`cannot be started: ${why}`)
  if (how === 'too slow') throw fail(`did not end within ${timeoutMs / 1000} s and was stopped`)
  if (how === 'too long') throw fail(`printed more than ${MAX_BYTES} bytes`)
  if (code === null) throw fail(`was ended by ${why}`)
  if (code !== 0) throw fail(`ended with exit code ${code}`, code)
  if (secret === '') throw fail('printed nothing')
  try {
    return readSecret(secret, about.setting)
  } catch {
    throw fail('printed more than one line')
  }
}

/** The text on one line, shortened. */
function brief(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID - 1)}…` : line
}
