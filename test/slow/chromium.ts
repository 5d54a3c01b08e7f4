/** A browser of the machine, for tests of pages. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** @returns undefined where there is none; that pages are then not tested is said aloud */
export async function launchBrowser(): Promise<Browser | undefined> {
  const executablePath = [process.env.SELLER_TEST_BROWSER ?? '', ...BROWSERS].find((path) => path !== '' && existsSync(path))
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: FLAGS })
  console.warn(
    `\n!!! NO BROWSER: none of ${BROWSERS.join(', ')} is here, and SELLER_TEST_BROWSER names none.\n!!! Pages are NOT tested in a browser. Install Debian's chromium to test them.\n`,
  )
  return undefined
}

/** Text against the nearest background behind it (WCAG 2.1, contrast ratio), for every element that holds text of its own. */
export const CONTRASTS = `(() => {
  const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number)
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor)
      if (colour.length === 3 || colour[3] > 0) return colour
    }
    return [255, 255, 255]
  }
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.offsetParent && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .map((one) => {
      const [a, b] = [light(rgb(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x)
      return [one.textContent.trim().slice(0, 30), (a + 0.05) / (b + 0.05)]
    })
})()`
