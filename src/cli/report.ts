/** The one way an error leaves: a note on stderr, or one JSON document on stdout under --json. The exit code is the same. */
import { createOutput } from '../format/output/output.js'
import type { OutputOptions } from '../format/output/types.js'
import { wrap } from '../format/output/width.js'
import { wantsJson } from './argv.js'
import { carriedOut } from './carried-out.js'
import type { Context } from './context.js'
import { EXIT, type ExitCode, SellerError, weightier } from './errors.js'

export interface Circumstances {
  readonly argv: readonly string[]
  readonly host: Pick<OutputOptions, 'stdout' | 'stderr' | 'env'>
  /** Absent when the command line could not be read. */
  readonly ctx?: Context
  /** The exit code the command had already. */
  readonly earlier?: ExitCode
}

/** @returns the exit code */
export async function reportError(given: SellerError, { argv, host, ctx, earlier = EXIT.ok }: Circumstances): Promise<ExitCode> {
  const error = withWrites(given, host)
  const exitCode = weightier(earlier, error.exitCode)
  const output = ctx?.output ?? (await createOutput(host))
  const hide = (text: string): string => without(text, ctx?.secrets() ?? [])
  const words = error.exitCode === EXIT.interrupted ? ctx?.interruption() : undefined
  const message = hide([error.message, words?.sent].filter((text) => text !== undefined).join(' '))
  const hint = hide(words?.next === undefined ? error.hint : `Go on with: ${words.next}`)
  const json = ctx === undefined ? wantsJson(argv) : output.form === 'json'
  // A list that broke off half-way stays broken: a second document behind it would make it look whole to a sloppy reader.
  if (json && !(ctx?.written() ?? false)) {
    const details = JSON.parse(hide(JSON.stringify(error.details)))
    output.json({
      error: {
        code: error.code,
        category: error.category,
        message,
        hint,
        exitCode,
        ...details,
      },
    })
  } else {
    // Not output.hint: what to do next belongs to the error and stays under --quiet.
    const said = ctx?.errorTerminal === true ? wrapped(message, output.width) : message
    output.error(`${said}\n${hint}`)
  }
  return exitCode
}

/** An output that fails after a write takes nothing back: that comes first, or a script sends it again. */
function withWrites(error: SellerError, host: object): SellerError {
  const writes = carriedOut(host)
  // An error of the system without a path is one of the output.
  if (error.code !== 'system_error' || error.details.path !== undefined || writes.length === 0) return error
  return new SellerError(
    'output_lost',
    `${writes.join(', ')}: the service took it, and the result could not be written. ${error.message}`,
    'Do not send it again: seller requests:list and seller jobs:list have what was sent.',
    { operations: writes, errno: error.details.errno },
  )
}

/** The message on a terminal, broken between words; the hint is left whole, for it names commands to be copied. */
function wrapped(message: string, width: number): string {
  // The first line stands behind "Error: "; what goes on is set in, as the next fault begins a line of its own.
  const lines = message.split('\n').map((line, at) => {
    const [first = '', ...rest] = wrap(line, width - (at === 0 ? 'Error: '.length : 2))
    return [first, ...rest.map((part) => `  ${part}`)].join('\n')
  })
  return lines.join('\n')
}

/** The text without any of the secrets, should one have come back in a fault or a file name. Short ones would hide ordinary words. */
function without(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length >= 4).reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
}
