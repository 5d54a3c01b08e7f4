/**
 * Advice for calls that did not reach the service, or that something else answered: one row for each cause of
 * `soap/client/causes`.
 */
import type { DetailsOf, ErrorCode } from '../errors/index.js'
import { run, say, type Words } from '../messages/index.js'
import type { Cause } from '../soap/client/causes.js'

/** The codes whose details are the known facts about a call. */
type CallCode = { [C in ErrorCode]: 'faultString' extends keyof DetailsOf<C> ? C : never }[ErrorCode]
/** The code of an error, and what to do about it. */
export type Reported = readonly [code: CallCode, hint: Words]

/**
 * A company's proxy, or a virus scanner, shows a certificate of its own. Made when it is asked for: Node takes 1 ms to list its
 * flags.
 */
function trustHint({ allowedNodeEnvironmentFlags: known } = process): string {
  const system = known.has('--use-system-ca') ? ', or trust what the system trusts with NODE_OPTIONS=--use-system-ca' : ''
  return `If it is your company's or your virus scanner's, name its file (PEM) in NODE_EXTRA_CA_CERTS${system}.`
}

/** Advice by cause, for each that has a row of its own in `soap/client/causes`. */
export const ORIGINS: Readonly<Record<Cause, Reported>> = {
  proxy_down: [
    'unreachable',
    'Start the proxy, or correct its address in HTTPS_PROXY (HTTP_PROXY for an address with http). NO_PROXY=HOST leaves a host out.',
  ],
  proxy_address: ['unreachable', 'Give it in HTTPS_PROXY as http://HOST:PORT.'],
  proxy_asks: ['proxy_refused', 'Add them to the address of the proxy: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT.'],
  proxy_password: [
    'proxy_refused',
    'Correct them in HTTPS_PROXY. Characters such as @ and : of a password are written as %40 and %3A.',
  ],
  proxy_forbids: ['proxy_refused', 'Ask who runs the proxy to allow the host, or leave it out with NO_PROXY=HOST.'],
  proxy_gateway: ['unreachable', say`Check the address with: ${run('auth:status')}. If it is right, ask who runs the proxy.`],
  no_tls: ['unreachable', say`Check the address with: ${run('auth:status')}. It may be one of http, or another port.`],
  certificate_expired: ['unreachable', 'Who runs the service has to renew it. If the clock of this machine is wrong, set it.'],
  certificate_early: ['unreachable', 'Set the clock of this machine. If it is right, ask who runs the service.'],
  certificate_host: [
    'unreachable',
    say`Check the address with: ${run('auth:status')}. Its host must be a name of the certificate: another server may have answered.`,
  ],
  get certificate_unknown(): Reported {
    return ['unreachable', trustHint()]
  },
  client_certificate: [
    'unreachable',
    say`Ask who runs the service for an address without it. See the current one with: ${run('auth:status')}.`,
  ],
  tls_refused: [
    'unreachable',
    say`Ask who runs the service which certificate or version of TLS it wants. See the address with: ${run('auth:status')}.`,
  ],
  request_large: ['request_too_large', 'Send less at once, or a smaller image. Nothing was changed.'],
  media_type: [
    'binding_refused',
    say`Use the other version of SOAP: ${run('auth:login', { '--setting': 'binding=soap11' })}, or SELLER_BINDING=soap11.`,
  ],
  nothing_there: [
    'wrong_address',
    say`See what is at this address with: ${run('service:check')}. Set the address with: ${run('auth:login')}; any address of the service works.`,
  ],
  request_refused: ['not_soap', say`--trace shows the reply. Check the address with: ${run('service:check')}.`],
  server_failed: ['server_failed', 'The fault is at the service. Try again later; --trace shows its page.'],
  odd_status: ['server_failed', 'The fault is at the service. Try again later; --trace shows the reply.'],
}

/**
 * Advice that says more than a command knows by the code of the error. An address without a service is better explained where it
 * was given.
 */
export function isExactAdvice(advice: Words): boolean {
  return Object.entries(ORIGINS).some(([cause, [, known]]) => cause !== 'nothing_there' && known === advice)
}
