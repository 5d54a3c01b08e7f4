/**
 * Decides who may reach the sandbox. It listens only on loopback, but a page in a browser on the same machine can send requests
 * there: from another site by a form or an image, or through a name that points at 127.0.0.1 (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/**
 * Why a GET that writes is refused; undefined if it cannot come from a web page. The sandbox's credentials are public, so an
 * image in any page could use such an address. Current browsers say where a request comes from (Sec-Fetch-Site). Older ones do
 * not, but the User-Agent of every browser begins with Mozilla, and a page cannot change it without asking the sandbox first
 * (CORS).
 */
export function writingGetRefused(request: IncomingMessage): string | undefined {
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return undefined
  const browser = site !== undefined || /^Mozilla\//i.test(request.headers['user-agent'] ?? '')
  if (!browser && request.headers.referer === undefined) return undefined
  return 'This GET changes something and may come from a web page. Send it by POST, or from a program.'
}

/**
 * Why a request is refused; undefined if it may pass.
 * @param opensPage whether the request only shows a page, to which a link from elsewhere may lead
 */
export function refusalOf(request: IncomingMessage, opensPage: boolean): string | undefined {
  const { host, origin } = request.headers
  // HTTP/1.0 needs no Host, and browsers do not use it.
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
