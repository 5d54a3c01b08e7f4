/** Reports every error: as a note on stderr, or as one JSON document on stdout under --json. The exit code is the same. */

import { type Category, type Detail, type ErrorCode, EXIT, type ExitCode, SellerError, worseExitCode } from '../errors/index.js'
import { createOutput } from '../format/output/output.js'
import { type OutputOptions, UnknownColumnError } from '../format/output/types.js'
import { wrap } from '../format/output/width.js'
import {
  type Edge,
  joined,
  type Next,
  nextCommands,
  ownHelp,
  run,
  say,
  saysAgain,
  textOf,
  type Words,
} from '../messages/index.js'
import { wantsJson } from './argv.js'
import type { Context, Interruption } from './context.js'
import type { Host } from './host.js'
import { toSellerError } from './translate.js'

export interface Circumstances {
  readonly argv: readonly string[]
  readonly host: Pick<OutputOptions, 'stdout' | 'stderr' | 'env'> & Pick<Host, 'carriedOut' | 'begun'>
  /** Absent when the command line could not be read. */
  readonly ctx?: Context | undefined
  /** The id of the command. */
  readonly command?: string | undefined
  /** The exit code the command had already. */
  readonly earlier?: ExitCode | undefined
}

/** @returns the exit code */
export async function reportError(
  cause: unknown,
  { argv, host, ctx, command, earlier = EXIT.ok }: Circumstances,
): Promise<ExitCode> {
  const told = await corrected(cause, { argv, command, host })
  const error = withWrites(await explained(told, ctx), host)
  const exitCode = worseExitCode(earlier, error.exitCode)
  // An error is never part of the file of --out.
  const terminalContext = ctx?.toFile === true ? undefined : ctx
  const output = terminalContext?.output ?? (await createOutput(host))
  const typed = command === undefined ? [] : [command, ...argv].map((value) => ({ value }))
  const line = typed.length === 0 ? undefined : ({ kind: 'command', words: typed } as const)
  const edge: Edge = { ...ctx?.edge, command, line, hide: ctx?.hide }
  const words = findInterruption(error, ctx, host)
  const document = errorDocument(error, { exitCode, words, edge })
  const json = terminalContext === undefined ? wantsJson(argv) : output.form === 'json'
  // A list that broke off stays broken: a second document after it could make it look complete.
  if (json && !output.begun) {
    output.json({ error: document })
  } else {
    // Not output.hint: the hint belongs to the error, so --quiet keeps it.
    const [message, hint] = errorWords(error, words).map((each) => textOf(each, { ...edge, glue: true }))
    const errorText = ctx?.errorTerminal === true ? wrapped(message ?? '', output.width) : message
    output.error(`${errorText}\n${hint}`)
  }
  return exitCode
}

/** An error about columns has the line with others. After a write, the line would send it again. */
async function corrected(
  cause: unknown,
  { argv, command, host }: Pick<Circumstances, 'argv' | 'command' | 'host'>,
): Promise<SellerError> {
  const error = toSellerError(cause)
  if (!(cause instanceof UnknownColumnError) || command === undefined || host.begun.size > 0) return error
  return (await import('./refused-line.js')).withKnownColumns(cause, error, command, argv)
}

/** Where the service does not know an operation, its saved description may say why. */
async function explained(error: SellerError, ctx: Context | undefined): Promise<SellerError> {
  if (error.code !== 'operation_not_recognized' || ctx === undefined) return error
  return (await import('./descriptions/unrecognized.js')).explained(ctx, error)
}

/** Facts about the run that failed. */
interface Circumstance {
  readonly exitCode: ExitCode
  /** Words about Ctrl-C; another error leaves them out. */
  readonly words: Interruption | undefined
  readonly edge: Edge
}

/** An error as scripts read it. */
export interface ErrorDocument {
  readonly code: ErrorCode
  readonly category: Category
  readonly message: string
  readonly hint: string
  /** The commands that the hint names, or where to look by the kind of error; none where only the seller knows it. */
  readonly next: readonly Next[]
  readonly exitCode: ExitCode
  readonly [detail: string]: Detail | readonly Next[] | undefined
}

/** Makes the JSON of an error, without secrets. */
export function errorDocument(error: SellerError, { exitCode, words, edge }: Circumstance): ErrorDocument {
  const [message, hint] = errorWords(error, words)
  return {
    code: error.code,
    category: error.category,
    message: textOf(message, edge),
    hint: textOf(hint, edge),
    next: nextFor(error, hint, edge),
    exitCode,
    ...JSON.parse(edge.hide?.(JSON.stringify(error.details)) ?? JSON.stringify(error.details)),
  }
}

const LOOK: Words = say`See how it works: ${ownHelp}`
const SETUP: Words = say`Check the setup with: ${run('doctor')}`
const SENT: Words = say`See what was sent with: ${run('jobs:list', { '--unfinished': true })}, ${run('requests:list')}`

/** Where to look if a hint names no command, so that a program is never left with nothing. */
const ELSE: Readonly<Record<Category, Words>> = {
  ...{ usage: LOOK, validation: LOOK, guard: LOOK, not_found: LOOK },
  ...{ auth: SETUP, service: SETUP, network: SETUP },
  ...{ pending: SENT, unknown_outcome: SENT, internal: SENT },
  quota: say`See what is left with: ${run('calls:show')}`,
}

function nextFor(error: SellerError, hint: Words, edge: Edge): readonly Next[] {
  const commands = nextCommands(hint, edge)
  // The same command once more fits, or one that only the seller can write.
  if (commands.length > 0 || saysAgain(hint)) return commands
  const { operation } = error.details
  const parameters =
    error.code === 'refused_by_service' && typeof operation === 'string'
      ? nextCommands(say`See its parameters with: ${run('service:show', { operation })}`, edge)
      : []
  return [...parameters, ...nextCommands(ELSE[error.category], edge)]
}

/** Message and hint, with what the context has to say about Ctrl-C. */
function errorWords(error: SellerError, words: Interruption | undefined): [message: Words, hint: Words] {
  const interruption = error.exitCode === EXIT.interrupted ? words : undefined
  const message = interruption?.sent === undefined ? error.words : joined([error.words, interruption.sent])
  return [message, continuation(interruption) ?? error.advice]
}

/** Words of the context about Ctrl-C. A run that began no write has sent nothing, whatever the command was about to do. */
function findInterruption(
  error: SellerError,
  ctx: Context | undefined,
  { begun }: Pick<Host, 'begun'>,
): Interruption | undefined {
  const words = ctx?.interruption()
  // An error with details knows its job, and how to continue it.
  if (begun.size > 0 || Object.keys(error.details).length > 0) return words
  if (words?.sent === undefined) return { sent: 'Nothing was sent.', again: true }
  return words.next === undefined ? { ...words, again: true } : words
}

function continuation(interruption: Interruption | undefined): Words | undefined {
  if (interruption?.next !== undefined) return say`Continue with: ${interruption.next}`
  return interruption?.again === true ? 'Run the command again.' : undefined
}

/** If the output fails after a write, the error must first say that the write was carried out, or a script sends it again. */
function withWrites(error: SellerError, { carriedOut }: Pick<Host, 'carriedOut'>): SellerError {
  const writes = [...carriedOut]
  // A system error without a path is about the output.
  if (error.code !== 'system_error' || error.details.path !== undefined || writes.length === 0) return error
  return new SellerError(
    'output_lost',
    `The service carried out ${writes.join(', ')}, but the result could not be printed. ${error.message}`,
    say`Do not send it again. See what was sent with: ${run('requests:list')}, ${run('jobs:list')}.`,
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
