/**
 * Any error -> one of ours. What a library says of itself (options, argv, stacks) stays here: only words written for the reader
 * go on.
 */
import { debuglog } from 'node:util'
import type { InputFault } from '../contract/index.js'
import { readsByName } from '../contract/kinds.js'
// Past the index files: every command loads this file, and an index brings its whole module with it.
import { UnknownColumnError } from '../format/output/types.js'
import { SoapError } from '../soap/client/errors.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import { MemoryShort } from '../system/memory.js'
import { type Detail, type DetailsOf, SellerError } from './errors.js'
import { Interrupted } from './interrupt.js'

const debug = debuglog('seller')

/** @returns the error as it may be shown; one of ours comes back as it was written */
export function toSellerError(error: unknown): SellerError {
  if (error instanceof SellerError) return asWritten(error)
  if (error instanceof Interrupted) return interrupted(error.message)
  if (error instanceof SoapError) return fromSoap(error)
  if (error instanceof MemoryShort) {
    const hint = 'Ask for less, or leave --sort out: rows are then written while they are read.'
    return new SellerError('memory_short', error.message, hint, { entries: error.entries })
  }
  if (error instanceof UnknownColumnError) return new SellerError('unknown_column', error.message, error.hint)
  if (!(error instanceof Error)) return unexpected('UnknownError')
  // @inquirer/core: Ctrl-C at a question.
  if (error.name === 'ExitPromptError' || error.name === 'AbortPromptError') return interrupted('Interrupted.')
  const known = fromOclif(error) ?? fromSystem(error)
  if (known !== undefined) return known
  debug('%s', error.stack)
  return unexpected(error.name)
}

/** What a parser says of a value is no whole sentence yet. */
function asWritten(error: SellerError): SellerError {
  const whole = error.category === 'usage' ? sentence(error.message) : error.message
  return whole === error.message ? error : error.with({ message: whole })
}

function interrupted(message: string): SellerError {
  return new SellerError('interrupted', message, 'Before you run it again, see what had been sent: seller requests:list.')
}

/** A bug of ours. Its message may hold anything, so only its class is told; NODE_DEBUG=seller shows the developer all of it. */
function unexpected(name: string): SellerError {
  return new SellerError(
    'unexpected',
    `Internal error (${name}). Please report it with the output of --trace.`,
    'The ledger has what was sent: seller requests:list.',
  )
}

/** What is known of a call that failed. */
type CallDetails = DetailsOf<'fault'>

function fromSoap(error: SoapError): SellerError {
  const details: CallDetails = {
    operation: error.operation,
    sent: error.sent,
    httpStatus: error.httpStatus,
    faultCode: error.faultCode,
    faultString: error.faultString,
    retryAfterMs: error.retryAfterMs,
    reason: error.reason,
    element: error.element,
  }
  const { message } = error
  switch (error.kind) {
    case 'input':
      return invalidInput(error.faults ?? [], 'invalid_input', message)
    case 'unreachable':
      return new SellerError(
        'unreachable',
        message,
        'seller auth:status tells the address; a proxy is taken from HTTPS_PROXY.',
        details,
      )
    case 'interrupted':
      return new SellerError('connection_lost', message, 'It is safe to run the command again.', details)
    case 'unavailable':
      return new SellerError('unavailable', message, 'The service is busy or down; try again later.', details)
    case 'refused':
      return fromRefusal(error, details)
    case 'quota':
      return new SellerError(
        'too_many_calls',
        message,
        'seller calls:show tells the calls made from here. A job goes on with seller jobs:resume.',
        details,
      )
    case 'not-soap':
      return fromOtherAddress(error, details)
    case 'namespace':
      return new SellerError(
        'wrong_namespace',
        message,
        `${writes(error.operation) ? 'What the call did is not known: look before you send it again. ' : ''}${NAMESPACE_HINT}`,
        details,
      )
    case 'broken':
      return new SellerError(
        'broken_contract',
        message,
        'What rests on this reply was not done. Try again later; --trace shows the reply.',
        details,
      )
    case 'too-large':
      return new SellerError('reply_too_large', message, 'Ask for less: a category, a type, a span of dates.', details)
    case 'fault':
      return fromFault(error, details)
    case 'unknown-outcome':
      return new SellerError(
        'unknown_outcome',
        message,
        'It is not sent again by itself. Look at seller items:list and seller requests:list.',
        details,
      )
    case 'aborted':
      return interrupted('Interrupted.')
  }
}

function fromRefusal(error: SoapError, details: CallDetails): SellerError {
  if (error.httpStatus === 401 || error.httpStatus === 403) {
    return new SellerError(
      'refused',
      error.message,
      'seller auth:status tells the credentials in use. A restricted method answers once the owner has activated it for the application.',
      details,
    )
  }
  if (error.httpStatus === 407) {
    const hint = 'Put them into the address of the proxy: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT.'
    return new SellerError('proxy_refused', error.message, hint, details)
  }
  const hint = 'Set the address it names with seller auth:login, if you trust it; seller auth:status shows the present one.'
  return new SellerError('redirected', error.message, hint, details)
}

const NAMESPACE_HINT = 'See which one the service has: seller service:check. seller auth:login takes it from there.'

function fromOtherAddress(error: SoapError, details: CallDetails): SellerError {
  if (error.httpStatus === 404 || error.httpStatus === 405) {
    const hint =
      'See what is there: seller service:check. Set the address with seller auth:login; any address of the service will do.'
    return new SellerError('wrong_address', error.message, hint, details)
  }
  const hint = 'See whether the service is at this address: seller service:check. --trace shows the reply.'
  return new SellerError('not_soap', error.message, hint, details)
}

/** What the runtime and the HTTP forms say of a name that they do not know in a namespace (docs/service.md, Fault envelopes). */
const NOT_RECOGNIZED =
  /without a valid action parameter|did not recognize the value of HTTP Header SOAPAction|Web Service method name is not valid/i

/** The three families of fault texts are those of docs/service.md, Fault texts. */
function fromFault(error: SoapError, details: CallDetails): SellerError {
  const text = error.faultString ?? ''
  if (NOT_RECOGNIZED.test(text)) {
    const hint = `The namespace of the profile may be wrong, or the service too old for it. ${NAMESPACE_HINT}`
    return new SellerError('operation_not_recognized', error.message, hint, details)
  }
  if (/invalid (application|user|token)|not authori[sz]ed|forbidden|access is denied/i.test(text)) {
    return new SellerError('refused', error.message, 'Check the credentials: seller auth:status.', details)
  }
  if (text.startsWith('Invalid request') || text.startsWith('Server was unable to read request')) {
    return new SellerError(
      'refused_by_service',
      error.message,
      `${writes(error.operation) ? 'Nothing was changed. ' : ''}Correct it and try again.`,
      details,
    )
  }
  return new SellerError(
    'fault',
    error.message,
    'See what was sent and answered with --trace. If it lasts, ask the service.',
    details,
  )
}

/**
 * Whether an operation of the service changes something. By its name: every error comes through here, and the contract is long to
 * load.
 */
export function writes(operation: string): boolean {
  return !readsByName(operation)
}

/** Everything that is wrong with an input, one line each. */
export function invalidInput(
  faults: readonly InputFault[],
  code: 'invalid_input' | 'invalid_values' = 'invalid_input',
  fallback = 'The input is not valid.',
): SellerError {
  const lines = faults.map(({ field, value, message, hint }) => {
    const shown = value === undefined ? '' : ` "${brief(value)}"`
    const said = shown !== '' && CLAUSE.test(message) ? `: ${message}` : ` ${message}`
    return `${field}:${shown}${said}${hint === undefined ? '.' : `. ${hint}`}`
  })
  return new SellerError(code, lines.length === 0 ? fallback : lines.join('\n'), 'Nothing was sent.', {
    count: faults.length,
    faults: faults.map(({ field, value, message, hint }) => faultDetail({ field, value: shownValue(value), message, hint })),
  })
}

/** One fault of an input as --json shows it: the same keys wherever it was found, null where one does not apply. */
export function faultDetail(fault: {
  line?: number | null
  field: string | null
  value: string | null
  message: string
  hint?: string
}): Detail {
  const { line = null, field, value, message, hint = null } = fault
  return { line, field, value, message, hint }
}

function shownValue(value: unknown): string | null {
  return value === undefined ? null : brief(value)
}

/**
 * A message that is a sentence of its own ("a whole number is expected") and does not go on from the value ("must be at least
 * 1").
 */
const CLAUSE = /^(?:an?|the|only|at|set|true|[A-Z]\w*)\b/

/** A value in a message: on one line, of a size to read. */
function brief(value: unknown): string {
  const text =
    value instanceof Uint8Array ? `${value.length} bytes` : typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

/** What oclif puts on its errors; its classes are not all exported. */
interface OclifError extends Error {
  oclif?: { exit?: number }
  parse?: unknown
  args?: ReadonlyArray<{ name?: string } | string>
}

function fromOclif(error: OclifError): SellerError | undefined {
  if (error.oclif === undefined) return undefined
  const message = error.message.replace(/\nSee more help with --help$/, '').trim()
  const hint = 'See --help.'
  if (error.parse === undefined) return new SellerError('wrong_usage', sentence(message), hint)
  if (message.startsWith('Unexpected argument')) {
    return new SellerError('unexpected_argument', `Unexpected argument: ${quoted(error.args)}.`, hint)
  }
  if (message.startsWith('Missing')) {
    const names = (error.args ?? [])
      .map((arg) => (typeof arg === 'string' ? arg : (arg.name ?? '')))
      .filter((name) => name !== '')
    if (names.length > 0)
      return new SellerError('missing_argument', `Missing argument: ${names.map((name) => name.toUpperCase()).join(', ')}.`, hint)
  }
  return new SellerError(
    'wrong_usage',
    message
      .replace(/^The following errors? occurred:\s*/, '')
      .split(/\n\s*/)
      .map((line) => sentence(line.replace(TOGETHER, '--$1 and --$2 cannot be given together')))
      .join('\n'),
    hint,
  )
}

/** As oclif says it, with a value that need not be repeated. */
const TOGETHER = /^--([\w-]+?)(?:=.*)? cannot also be provided when using --([\w-]+)$/

function quoted(args: OclifError['args']): string {
  return (args ?? []).map((arg) => `"${typeof arg === 'string' ? arg : (arg.name ?? '')}"`).join(', ')
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

const PERMISSION = 'Check who owns it and its mode.'
const SPACE = 'Free some space and try again.'

/** What to do about an error of the system, where there is more to say than to check the path. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: 'Name a place that can be written.',
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EISDIR: 'Name a file in it.',
  EADDRINUSE: 'Choose another port.',
  EMFILE: 'Close other programs and try again.',
  ENFILE: 'Close other programs and try again.',
}

/** Errors of the file system name the path; the rest of such an error is of no use to the reader. */
function fromSystem(error: NodeJS.ErrnoException): SellerError | undefined {
  const errno = errnoOf(error)
  if (errno === undefined) return undefined
  const message = `${error.path ?? 'The output'} cannot be used: ${errnoWords(errno)}.`
  return new SellerError('system_error', message, SYSTEM_HINTS[errno] ?? 'Check the path.', { path: error.path, errno })
}
