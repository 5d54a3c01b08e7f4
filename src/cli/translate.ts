/**
 * Turns any error into one of ours. Internals of a library (options, argv, stacks) are dropped; only texts written for the user
 * pass.
 */

import { debuglog } from 'node:util'
import { type InputFault, sentence } from '../contract/index.js'
import { isOrderOperation, readsByName } from '../contract/kinds.js'
import { thousands } from '../contract/numbers.js'
import { type Detail, SellerError } from '../errors/index.js'
// Not through index files: every command loads this file, and an index loads its whole module.
import { UnknownColumnError } from '../format/output/types.js'
import { ownHelp, run, say } from '../messages/index.js'
import { isNotRecognized, SoapError } from '../soap/client/errors.js'
import { durationText } from '../system/durations.js'
import { errnoOf, errnoWords } from '../system/errno.js'
import { MemoryShort } from '../system/memory.js'
import { WorkbookError } from '../workbook/errors.js'
import { Interrupted } from './interrupt.js'
import { ORIGINS, type Reported } from './origins.js'

const debug = debuglog('seller')

/** @returns an error that may be shown; one of ours is returned as it is */
export function toSellerError(error: unknown): SellerError {
  if (error instanceof SellerError) return error
  if (error instanceof Interrupted) return interrupted(error.message)
  if (error instanceof SoapError) return fromSoap(error)
  if (error instanceof MemoryShort) {
    const hint = 'Ask for less, or leave out --sort: rows are then printed while they are read.'
    const message = `The results do not fit in memory: after ${thousands(error.entries)} entries it was nearly used up.`
    return new SellerError('memory_short', message, hint, { entries: error.entries })
  }
  if (error instanceof WorkbookError) return new SellerError('wrong_usage', sentence(error.message), 'Use -o csv.')
  if (error instanceof UnknownColumnError) return new SellerError('unknown_column', sentence(error.message), error.hint)
  if (!(error instanceof Error)) return unexpected('UnknownError')
  // @inquirer/core: Ctrl-C at a question.
  if (error.name === 'ExitPromptError' || error.name === 'AbortPromptError') return interrupted('Interrupted.')
  const knownError = fromOclif(error) ?? fromSystem(error)
  if (knownError !== undefined) return knownError
  debug('%s', error.stack)
  return unexpected(error.name)
}

/** The command may have been one that only reads. */
const CHANGING = 'If it was changing something, see what was sent'
const SENT = say`${run('requests:list')}, ${run('jobs:list')}`

function interrupted(message: string): SellerError {
  return new SellerError('interrupted', message, say`${CHANGING} before you run it again: ${SENT}.`)
}

/** A bug. Its message may hold anything, so only its class is shown; NODE_DEBUG=seller prints all of it for developers. */
function unexpected(name: string): SellerError {
  return new SellerError(
    'unexpected',
    `Internal error (${name}). This is a bug in seller.`,
    say`Report it with the command and the output of --trace. ${CHANGING} first: ${SENT}.`,
  )
}

function fromSoap(error: SoapError): SellerError {
  const { kind, message, operation, sent, httpStatus, faultCode, faultString, retryAfterMs, reason, element } = error
  if (kind === 'input') return invalidInput(error.faults ?? [], 'invalid_input', message)
  if (kind === 'binding') return notByBinding(message)
  if (kind === 'insecure-address') return insecureAddress(message)
  if (kind === 'aborted') return interrupted('Interrupted.')
  if (kind === 'changed') {
    const accept = run('service:check', { '--save': true, '--accept': operation.replace(/^PublicService\./, '') })
    const hint = say`See what changed with: ${run('service:check')}. If the operation works all the same, accept it: ${accept}`
    return new SellerError('operation_changed', message, error.remedy ?? hint, { operation })
  }
  const [code, hint] =
    isOrderOperation(operation) && [403, 404, 405].includes(httpStatus ?? 0) && error.origin !== 'proxy_forbids'
      ? NO_ORDER_SERVICE
      : ((error.origin && kind !== 'unknown-outcome' ? ORIGINS[error.origin] : undefined) ?? REPORTED[kind](error))
  const details = { operation, sent, httpStatus, faultCode, faultString, retryAfterMs, reason, element }
  return new SellerError(code, message, hint, details)
}

type OwnWay = 'input' | 'binding' | 'insecure-address' | 'aborted' | 'changed'

const NO_ORDER_SERVICE: Reported = [
  'no_order_service',
  say`Ask the marketplace to activate the order service for your application. Commands of orders need it, and no other does. If others are refused too, check the credentials: ${run('auth:status')}`,
]

const NAMESPACE_HINT = say`See which namespace the service has with: ${run('service:check')}. Set it with: ${run('auth:login')}.`

/** Hosts that are this machine. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Report and advice for each kind of failed call. */
const REPORTED: Readonly<Record<Exclude<SoapError['kind'], OwnWay>, (error: SoapError) => Reported>> = {
  unreachable: ({ host = '' }) => [
    'unreachable',
    LOOPBACK.test(host)
      ? say`Nothing answers on this machine. Start a sandbox with: ${run('sandbox:start')}. See the address with: ${run('auth:status')}`
      : say`Check the network, and the address with: ${run('auth:status')}. If you need a proxy, set HTTPS_PROXY.`,
  ],
  interrupted: () => ['connection_lost', 'It is safe to run the command again.'],
  unavailable: ({ retryAfterMs }) => {
    const waitWords = retryAfterMs === undefined ? 'later' : `in ${durationText(retryAfterMs)}`
    return ['unavailable', `The service is busy or down. Try again ${waitWords}.`]
  },
  refused: ({ httpStatus }) => {
    if (httpStatus === 401 || httpStatus === 403)
      return [
        'refused',
        say`Check the credentials with: ${run('auth:status')}. Restricted operations work only after the marketplace has activated them for your application.`,
      ]
    return [
      'redirected',
      say`If you trust the address it names, set it with: ${run('auth:login')}. See the current one with: ${run('auth:status')}.`,
    ]
  },
  quota: () => [
    'too_many_calls',
    say`See the calls made from here with: ${run('calls:show')}. Continue a job later with: ${run('jobs:resume')}.`,
  ],
  'not-soap': () => [
    'not_soap',
    say`Check whether the service is at this address with: ${run('service:check')}. --trace shows the reply.`,
  ],
  namespace: ({ operation }) => {
    const unsure = 'It is not known whether the call was carried out. Check before you send it again. '
    return ['wrong_namespace', say`${readsByName(operation) ? '' : unsure}${NAMESPACE_HINT}`]
  },
  broken: () => ['broken_contract', 'Nothing was done with this reply. Try again later; --trace shows the reply.'],
  'too-large': () => ['reply_too_large', 'Ask for less: a category, a type, a span of dates.'],
  fault: reportedFault,
  'unknown-outcome': () => [
    'unknown_outcome',
    say`It is not sent again automatically. Check first: ${run('items:list')}, ${run('requests:list')}.`,
  ],
}

/** The error for an operation that the service does not offer by the binding of the profile. */
export function notByBinding(message: string): SellerError {
  const hint = say`Choose a binding that carries every operation: ${run('auth:login', { '--setting': 'binding=soap12' })}, or SELLER_BINDING=soap12.`
  return new SellerError('binding_too_narrow', message, hint)
}

/** The error for a write whose address would hold the key and the token. */
export function insecureAddress(message: string): SellerError {
  const hint = say`Servers and proxies log addresses. Choose another binding: ${run('auth:login', { '--setting': 'binding=soap12' })}. If the service has no other, allow it: ${run('auth:login', { '--setting': 'insecure_address=yes' })}`
  return new SellerError('insecure_address', message, hint)
}

/** The three families of fault texts are those of docs/service.md, Fault texts. */
function reportedFault(error: SoapError): Reported {
  const text = error.faultString ?? ''
  if (isNotRecognized(error))
    return ['operation_not_recognized', say`The namespace of the profile may be wrong, or the service too old. ${NAMESPACE_HINT}`]
  if (
    /invalid (application|user|token)|not authori[sz]ed|forbidden|access is denied|\btoken\b.*\bexpired\b|\bexpired\b.*\btoken\b/i.test(
      text,
    )
  )
    return ['refused', say`Check the credentials with: ${run('auth:status')}. Replace them with: ${run('auth:login')}`]
  if (text.startsWith('Invalid request') || text.startsWith('Server was unable to read request')) {
    const same = readsByName(error.operation) ? '' : 'Nothing was changed. '
    return ['refused_by_service', `${same}Correct the values and run the command again.`]
  }
  return ['fault', 'Add --trace to see the request and the reply. If it happens again, ask the support of the service.']
}

/** The error for an input: one line for each fault. */
export function invalidInput(
  faults: readonly InputFault[],
  code: 'invalid_input' | 'invalid_values' = 'invalid_input',
  fallback = 'The input is invalid.',
): SellerError {
  const lines = faults.map(({ field, value, message, ofPart, hint }) => {
    const valueText = value === undefined ? '' : ` "${brief(value)}"`
    const between = ofPart === true && valueText !== '' ? ': ' : ' '
    return `${field}:${valueText}${between}${message}${hint === undefined ? '.' : `. ${hint}`}`
  })
  return new SellerError(
    code,
    lines.length === 0 ? fallback : lines.join('\n'),
    'Nothing was sent. Correct the values and run the command again.',
    {
      count: faults.length,
      faults: faults.map(({ field, value, message, hint }) => faultDetail({ field, value: shownValue(value), message, hint })),
    },
  )
}

/** Makes the JSON of one fault of an input: always the same keys, null where one does not apply. */
export function faultDetail(fault: {
  line?: number | null
  field: string | null
  value: string | null
  message: string
  hint?: string | undefined
}): Detail {
  const { line = null, field, value, message, hint = null } = fault
  return { line, field, value, message, hint }
}

function shownValue(value: unknown): string | null {
  return value === undefined ? null : brief(value)
}

/** Shortens a value for a message: one line of readable length. */
function brief(value: unknown): string {
  const text =
    value instanceof Uint8Array ? `${value.length} bytes` : typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

/** The error for a line that oclif cannot read at all, such as a flag without its value. */
function fromOclif(error: Error): SellerError | undefined {
  return 'oclif' in error ? new SellerError('wrong_usage', sentence(error.message), say`See ${ownHelp}.`) : undefined
}

const PERMISSION = 'Check its owner and permissions.'
const SPACE = 'Free some space and try again.'

/** Hints for errors of the system. By default: check the path. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: 'Use a directory that you can write to.',
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EISDIR: 'Name a file in that directory.',
  EADDRINUSE: 'Choose another port.',
  EMFILE: 'Close other programs and try again.',
  ENFILE: 'Close other programs and try again.',
}

/** True if the database engine, the package libsql or its native file, was not found, or could not be loaded by the system. */
export function isDriverMissing({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_DLOPEN_FAILED' || (code === 'MODULE_NOT_FOUND' && message.includes('libsql'))
}

function driverMissing({ code }: NodeJS.ErrnoException, { platform, arch } = process): SellerError {
  const message = `The database engine (libsql) cannot be loaded on ${platform}-${arch}.`
  if (code === 'MODULE_NOT_FOUND') {
    const hint =
      platform === 'win32' && arch === 'arm64'
        ? 'There is none for Windows on ARM. Install Node for x64, which runs there too, and then seller again.'
        : 'Install seller again, without --omit=optional.'
    return new SellerError('engine_missing', message, hint)
  }
  const runtime = 'Install the "Microsoft Visual C++ Redistributable" for x64, which it needs, and try again.'
  return new SellerError('engine_missing', message, platform === 'win32' ? runtime : 'Install seller again, with this Node.')
}

/** Errors of the file system, with the path. The rest of such an error is of no use to the user. */
function fromSystem(error: NodeJS.ErrnoException): SellerError | undefined {
  if (error.code === 'ERR_INVALID_ARG_VALUE' && /null bytes/.test(error.message)) {
    return new SellerError('wrong_usage', 'The name of a file has a NUL character in it.', 'Check the path.')
  }
  if (isDriverMissing(error)) return driverMissing(error)
  const errno = errnoOf(error)
  if (errno === undefined) return undefined
  const message = `${error.path ?? 'The output'} cannot be used: ${errnoWords(errno)}.`
  return new SellerError('system_error', message, SYSTEM_HINTS[errno] ?? 'Check the path.', { path: error.path, errno })
}
