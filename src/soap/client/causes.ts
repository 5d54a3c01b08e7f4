/**
 * Why a call did not reach the service, or was answered by something else than the service: one row for each cause that a person
 * removes in another way. `cli/translate` says for each what to do.
 */

/** Errors of certificates, which a retry does not change: OpenSSL's codes as Node names them. */
export const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH|INVALID_CA/

/** Facts about the failed call for a row. */
export interface Facts {
  readonly host: string
  /** HOST:PORT of the proxy, where one is used. */
  readonly proxy?: string | undefined
  readonly status?: number | undefined
}

interface Row {
  readonly who: 'proxy' | 'tls' | 'http'
  /** A clause without its end. */
  readonly why: (facts: Facts) => string
}

const CAUSES_TABLE = {
  proxy_down: { who: 'proxy', why: ({ proxy }) => `no connection to the proxy ${proxy}` },
  proxy_address: { who: 'proxy', why: () => 'the address of the proxy is not one' },
  proxy_asks: { who: 'proxy', why: ({ proxy = '' }) => `the proxy ${proxy} asks for credentials (HTTP 407)`.replace('  ', ' ') },
  proxy_password: { who: 'proxy', why: ({ proxy }) => `the proxy ${proxy} did not accept its user name and password (HTTP 407)` },
  proxy_forbids: {
    who: 'proxy',
    why: ({ proxy, host, status }) => `the proxy ${proxy} does not let calls to ${host} pass (HTTP ${status})`,
  },
  proxy_gateway: { who: 'proxy', why: ({ proxy, host, status }) => `the proxy ${proxy} did not reach ${host} (HTTP ${status})` },
  no_tls: { who: 'tls', why: ({ host }) => `no secure connection to ${host}: it may not speak https` },
  certificate_expired: { who: 'tls', why: ({ host }) => `no connection to ${host}: its certificate has expired` },
  certificate_early: { who: 'tls', why: ({ host }) => `no connection to ${host}: its certificate is not valid yet` },
  certificate_host: { who: 'tls', why: ({ host }) => `no connection to ${host}: its certificate is for another name` },
  certificate_unknown: { who: 'tls', why: ({ host }) => `no connection to ${host}: its certificate is not trusted` },
  client_certificate: {
    who: 'tls',
    why: ({ host }) => `${host} asks for a certificate of the caller, which this tool does not have`,
  },
  tls_refused: {
    who: 'tls',
    why: ({ host }) => `${host} refused the secure connection: it may ask for a certificate of the caller`,
  },
  request_large: { who: 'http', why: ({ status }) => `the web server takes no request of this size (HTTP ${status})` },
  media_type: { who: 'http', why: ({ status }) => `the service does not take this version of SOAP (HTTP ${status})` },
  nothing_there: { who: 'http', why: ({ status }) => `there is no such service at this address (HTTP ${status})` },
  request_refused: { who: 'http', why: ({ status }) => `the web server refused the request (HTTP ${status})` },
  server_failed: { who: 'http', why: ({ status }) => `the web server failed with a page of its own (HTTP ${status})` },
  odd_status: { who: 'http', why: ({ status }) => `the service answered HTTP ${status} with a reply that is not a fault` },
} as const satisfies Readonly<Record<string, Row>>

export type Cause = keyof typeof CAUSES_TABLE
export const CAUSES: Readonly<Record<Cause, Row>> = CAUSES_TABLE

/** The cause of a connection that was not made, by the system's code; undefined where the code names none. */
export function causeOfCode(code = '', proxy = false): Cause | undefined {
  if (/CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE/.test(code)) return 'client_certificate'
  if (/ALERT_HANDSHAKE_FAILURE/.test(code)) return 'tls_refused'
  if (code === 'CERT_HAS_EXPIRED') return 'certificate_expired'
  if (code === 'CERT_NOT_YET_VALID') return 'certificate_early'
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code)) return 'certificate_host'
  if (CERTIFICATE.test(code)) return 'certificate_unknown'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'no_tls'
  if (!proxy) return undefined
  return code === 'ERR_INVALID_URL' ? 'proxy_address' : 'proxy_down'
}

/** The cause of a reply without SOAP, by its status. 401, 403, 429, 502, 503 and 504 have kinds of their own. */
export function causeOfStatus(status: number): Cause {
  if (status === 404 || status === 405) return 'nothing_there'
  if (status === 413 || status === 414 || status === 431) return 'request_large'
  if (status === 415) return 'media_type'
  return status >= 500 ? 'server_failed' : 'request_refused'
}
