/** Reports every error: as a note on stderr, or as one JSON document on stdout under --json. The exit code is the same. */

import { type Category, type Detail, type ErrorCode, EXIT, type ExitCode, SellerError, worseExitCode } from '../errors/index.js'
import { createOutput } from '../format/output/output.js'
import type { OutputOptions } from '../format/output/types.js'
import { wrap } from '../format/output/width.js'
import { wantsJson } from './argv.js'
import { carriedOut } from './carried-out.js'
import type { Context, Interruption } from './context.js'
import { type Next, namingProfile, nextIn } from './next.js'
import { toSellerError } from './translate.js'

export interface Circumstances {
  readonly argv: readonly string[]
  readonly host: Pick<OutputOptions, 'stdout' | 'stderr' | 'env'>
  /** Absent when the command line could not be read. */
  readonly ctx?: Context
  /** The id of the command. */
  readonly command?: string
  /** The exit code the command had already. */
  readonly earlier?: ExitCode
}

/** @returns the exit code */
export async function reportError(
  thrown: unknown,
  { argv, host, ctx, command, earlier = EXIT.ok }: Circumstances,
): Promise<ExitCode> {
  const error = withWrites(await explained(toSellerError(thrown), ctx), host)
  const exitCode = worseExitCode(earlier, error.exitCode)
  // An error is never part of the file of --out.
  const shown = ctx?.toFile === true ? undefined : ctx
  const output = shown?.output ?? (await createOutput(host))
  const document = errorDocument(error, {
    exitCode,
    words: ctx?.interruption(),
    hide: ctx?.hide ?? ((text) => text),
    command,
    profileFlag: ctx?.profileFlag(),
  })
  const { message, hint } = document
  const json = shown === undefined ? wantsJson(argv) : output.form === 'json'
  // A list that broke off stays broken: a second document after it could make it look complete.
  if (json && !output.begun) {
    output.json({ error: document })
  } else {
    // Not output.hint: the hint belongs to the error, so --quiet keeps it.
    const said = ctx?.errorTerminal === true ? wrapped(message, output.width) : message
    output.error(`${said}\n${hint}`)
  }
  return exitCode
}

/** Where the service does not know an operation, its saved description may say why. */
async function explained(error: SellerError, ctx: Context | undefined): Promise<SellerError> {
  if (error.code !== 'operation_not_recognized' || ctx === undefined) return error
  return (await import('./descriptions/unrecognized.js')).explained(ctx, error)
}

/** What is known about the run that failed. */
interface Circumstance {
  readonly exitCode: ExitCode
  readonly words: Interruption | undefined
  readonly hide: (text: string) => string
  readonly command?: string
  readonly profileFlag?: string
}

/** An error as scripts read it. */
export interface ErrorDocument {
  readonly code: ErrorCode
  readonly category: Category
  readonly message: string
  readonly hint: string
  /** The commands that the hint names. */
  readonly next: readonly Next[]
  readonly exitCode: ExitCode
  readonly [detail: string]: Detail | readonly Next[] | undefined
}

/**
 * Makes the JSON of an error, without secrets.
 * @param words what the context has to say about Ctrl-C
 * @param command the command that failed
 */
export function errorDocument(
  error: SellerError,
  { exitCode, words, hide, command, profileFlag = '' }: Circumstance,
): ErrorDocument {
  const said = error.exitCode === EXIT.interrupted ? words : undefined
  const hint = hide(namingProfile(nextOf(said) ?? error.hint, profileFlag))
  return {
    code: error.code,
    category: error.category,
    message: hide([error.message, said?.sent].filter((text) => text !== undefined).join(' ')),
    hint,
    next: nextIn(hint, command),
    exitCode,
    ...JSON.parse(hide(JSON.stringify(error.details))),
  }
}

function nextOf(said: Interruption | undefined): string | undefined {
  if (said?.next !== undefined) return `Continue with: ${said.next}`
  return said?.again === true ? 'Run the command again.' : undefined
}

/** If the output fails after a write, the error must first say that the write was carried out, or a script sends it again. */
function withWrites(error: SellerError, host: object): SellerError {
  const writes = carriedOut(host)
  // A system error without a path is about the output.
  if (error.code !== 'system_error' || error.details.path !== undefined || writes.length === 0) return error
  return new SellerError(
    'output_lost',
    `The service carried out ${writes.join(', ')}, but the result could not be printed. ${error.message}`,
    'Do not send it again. See what was sent with: seller requests:list, seller jobs:list.',
    { operations: writes, errno: error.details.errno },
  )
}

/** Wraps the message on a terminal. The hint is not wrapped, because it names commands to copy. */
function wrapped(message: string, width: number): string {
  // The first line follows "Error: ". Continuation lines are indented, because each fault starts a line of its own.
  const lines = message.split('\n').map((line, at) => {
    const [first = '', ...rest] = wrap(line, width - (at === 0 ? 'Error: '.length : 2))
    return [first, ...rest.map((part) => `  ${part}`)].join('\n')
  })
  return lines.join('\n')
}
