/**
 * Who may reach the sandbox. It listens on loopback only, yet a page in a browser on the same machine can send to loopback:
 * from another site by a form or an image, or by a name that was made to point at 127.0.0.1 (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/**
 * Why a GET that writes is refused; undefined when it cannot come from a web page. The sandbox's credentials are known to everyone, so an
 * image in any page could name such an address. Browsers of today say where a request comes from (Sec-Fetch-Site); older ones do not, but
 * every browser's User-Agent begins with Mozilla, and a page cannot change it without asking the sandbox first (CORS).
 */
export function writingGetRefused(request: IncomingMessage): string | undefined {
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return undefined
  const browser = site !== undefined || /^Mozilla\//i.test(request.headers['user-agent'] ?? '')
  if (!browser && request.headers.referer === undefined) return undefined
  return 'This GET changes something and may come from a web page. Send it by POST, or from a program.'
}

/**
 * Why a request is refused; undefined when it may pass.
 * @param opensPage whether the request only shows a page, to which a link from elsewhere may lead
 */
export function refusalOf(request: IncomingMessage, opensPage: boolean): string | undefined {
  const { host, origin } = request.headers
  // HTTP/1.0 needs no Host, and no browser speaks it.
  if (host !== undefined && !LOOPBACK.test(host)) {
    return `This sandbox answers to 127.0.0.1 and localhost only, not to "${host}".`
  }
  const site = request.headers['sec-fetch-site']
  const navigates = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate' && opensPage
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !navigates) {
    return 'This sandbox takes no requests from the pages of other sites.'
  }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host ?? ''}`.toLowerCase()) {
    return `This sandbox does not accept requests from pages of "${origin}".`
  }
  return undefined
}
