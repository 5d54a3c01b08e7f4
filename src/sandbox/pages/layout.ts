/** The frame of every page, with a Content-Security-Policy that allows only the page's own content. */
import { createHash } from 'node:crypto'
import { escaped } from '../markup.js'
import type { Reply } from '../server/reply.js'
import { STYLE } from './style.js'

export interface Page {
  readonly title: string
  /** Inside `main`; HTML, its texts escaped. */
  readonly content: string
  /** Next to the name in the header; HTML. */
  readonly aside?: string
  readonly status?: number
  readonly style?: string
  /** Where a form of the page may lead beyond this server. */
  readonly formTarget?: string | undefined
  /** The page must be usable without the script. */
  readonly script?: string
}

/** Writes a whole page. */
export function page({ title, content, aside = '', status = 200, style = '', script, formTarget }: Page): Reply {
  const css = STYLE + style
  const text = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="name" href="/">Marketplace sandbox</a>
<nav aria-label="Pages"><a href="/">Console</a><a href="/v3/RestrictedService.asmx">Restricted service</a><a href="/v3/PublicService.asmx">Public service</a></nav>
${aside}</header>
<main id="main">
${content}
</main>
<footer class="foot">A service on this machine only: its members, items and credentials are made up, and nothing here is binding.</footer>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
  return { status, type: 'text/html; charset=utf-8', headers: securityHeaders(css, script, formTarget), text }
}

/** Hashes instead of 'unsafe-inline', so that a script in unescaped text would not run. */
function securityHeaders(css: string, script: string | undefined, formTarget = ''): Record<string, string> {
  const scripts = script === undefined ? "'none'" : hashOf(script)
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(css)}`,
    `script-src ${scripts}`,
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self' ${formTarget}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    // Not no-referrer: with that, a browser sends "Origin: null" with the page's own forms, which looks like a form from
    // elsewhere.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
