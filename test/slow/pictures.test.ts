/**
 * The pictures of README.md are what a terminal shows today. `UPDATE_PICTURES=1 npx mocha test/slow/pictures.test.ts` draws them
 * anew.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { textWidth } from '../../src/format/output/width.js'
import { bin, ensureBuilt, type Home, openHome, root } from '../e2e/harness.js'
import { hasTmux, openTerminal, type Terminal } from '../e2e/terminal.js'
import { closing } from '../opened.js'
import { launchBrowser } from './chromium.js'

/** When the sandbox was filled: nothing in a picture depends on the day on which it is drawn. */
const FILLED = Date.parse('2026-11-01T12:00:00+01:00')
const COLUMNS = 96

/** Keys that are typed, and how far a person goes before the picture is taken. */
const PICTURES: Readonly<Record<string, readonly [command: string, go: (terminal: Terminal) => Promise<unknown>]>> = {
  plan: ["shop:price --reference '1001-04*' --add -10% --end-with 9", (terminal) => terminal.shows('(y/N)')],
  listing: [
    'items:add',
    async (terminal) => {
      await terminal.shows('? Title')
      await terminal.type('Höganäs krus\n')
      await terminal.shows('? Category')
      await terminal.type('keramik')
      await terminal.shows('❯ Antikt & design > Design > Keramik')
    },
  ],
  orders: ['orders:list --to-send', (terminal) => terminal.done()],
  sales: ['sales:report --since 2026-08-01 --until 2026-11-01 --by month', (terminal) => terminal.done()],
}

/** Pages, and where each is: made by a command, or served. */
const PAGES: Readonly<Record<string, (home: Home) => Promise<string>>> = {
  report: async (home) => {
    const args = ['--since', '2026-08-01', '--until', '2026-11-01', '--by', 'month', '--html', 'report.html', '--force']
    const run = await home.run(['sales:report', ...args], {
      clock: { now: () => FILLED, sleep: async () => {}, random: () => 0 },
    })
    expect(run.code, run.stderr).to.equal(0)
    return `file://${join(home.dir, 'report.html')}`
  },
  console: async (home) => `${home.sandbox.url}/`,
}
const PAGE = { width: 960, height: 600 }

const CELL = { width: 8.4, height: 18, left: 16, top: 14 }
/** Colours of SGR 31 to 36 (ECMA-48, 8.3.117), on a light and on a dark ground. */
const LIGHT = ['#b3261e', '#1a7f37', '#8a5a00', '#0550ae', '#8250df', '#0b6e75']
const DARK = ['#ff8a80', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea']
const style = (ground: string, text: string, colours: readonly string[]): string =>
  [`rect{fill:${ground}}text{fill:${text}}`, ...colours.map((colour, at) => `.c3${at + 1},.c9${at + 1}{fill:${colour}}`)].join('')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * A screen as a picture: each run of one look at its column, so that no font moves it.
 * @param screen lines with their SGR sequences
 */
function drawn(command: string, screen: string): string {
  const lines = screen
    .replace(/\s*\[exit \d+\]\s*$/, '')
    .trimEnd()
    .split('\n')
  let colour: string | undefined
  let weight: string | undefined
  const texts = lines.flatMap((line, row) => {
    let column = 0
    return line.split('\u001b[').flatMap((part, index) => {
      const [, codes = '', text = ''] = index === 0 ? [part, undefined, part] : (/^([\d;]*)m(.*)$/.exec(part) ?? [])
      for (const code of index === 0 ? [] : (codes || '0').split(';')) {
        if (code === '0' || code === '22') weight = undefined
        if (code === '0' || code === '39') colour = undefined
        if (code === '1' || code === '2') weight = code
        if (/^[39][0-7]$/.test(code)) colour = code
      }
      const [at, width] = [column, textWidth(text)]
      column += width
      if (text.trim() === '') return []
      const [x, y] = [CELL.left + at * CELL.width, CELL.top + (row + 0.75) * CELL.height].map((value) => value.toFixed(1))
      const looks = [weight, colour].flatMap((code) => (code === undefined ? [] : [`c${code}`])).join(' ')
      const shown = looks === '' ? '' : ` class="${looks}"`
      return [`<text x="${x}" y="${y}" textLength="${(width * CELL.width).toFixed(1)}"${shown}>${escaped(text)}</text>`]
    })
  })
  const [width, height] = [Math.ceil(COLUMNS * CELL.width) + 2 * CELL.left, lines.length * CELL.height + 2 * CELL.top]
  const css = `text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre}.c1{font-weight:bold}.c2{opacity:.65}${style('#f6f8fa', '#1f2328', LIGHT)}@media(prefers-color-scheme:dark){${style('#0d1117', '#e6edf3', DARK)}}`
  const frame = `<rect width="${width}" height="${height}" rx="8"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">\n<title>seller ${escaped(command)}</title>\n<style>${css}</style>\n${[frame, ...texts].join('\n')}\n</svg>\n`
}

describe('the pictures', () => {
  let home: Home
  before(async function () {
    if (!hasTmux) this.skip()
    ensureBuilt()
    home = await openHome({ sandbox: { clock: { now: () => FILLED }, extended: true } })
    // Orders that the ledger keeps are in every picture that shows sales.
    expect((await home.run(['orders:list'])).code).to.equal(0)
  })
  after(() => home?.close())

  for (const [name, [command, go]] of Object.entries(PICTURES)) {
    it(`${name} shows what seller ${command} does`, async () => {
      const script = `printf '\\033[2m$\\033[0m \\033[1mseller %s\\033[0m\\n' "$1"; eval "'${process.execPath}' '${bin}' $1"`
      const env = { ...home.env, PAGER: 'cat' }
      using terminal = closing(
        await openTerminal(['bash', '-c', script, 'bash', command], {
          env,
          cwd: home.dir,
          width: COLUMNS,
          height: 32,
        }),
      )
      await go(terminal)
      const path = join(root, 'docs', 'pictures', `${name}.svg`)
      const picture = drawn(command, (await terminal.colours()).replaceAll(home.dir, '~'))
      if (process.env.UPDATE_PICTURES) await writeFile(path, picture)
      expect(picture).to.equal(await readFile(path, 'utf8'))
    })
  }

  describe('of pages', () => {
    let browser: Browser | undefined
    before(async function () {
      browser = await launchBrowser()
      if (browser === undefined) this.skip()
    })
    after(() => browser?.close())

    // Fonts differ between machines, so what is held is the text that a reader sees, and the picture is drawn with it.
    for (const [name, made] of Object.entries(PAGES)) {
      it(`${name} is what a browser shows, light and dark`, async () => {
        const address = await made(home)
        const path = join(root, 'docs', 'pictures', name)
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await browser!.newPage({ viewport: PAGE, colorScheme, deviceScaleFactor: 1.5 })
          await page.goto(address)
          const text = (await page.innerText('body'))
            .replaceAll(home.sandbox.url, 'http://127.0.0.1:8080')
            .replace(/:\d{4,5}\b/g, ':8080')
          if (process.env.UPDATE_PICTURES) {
            await writeFile(`${path}.txt`, `${text.trim()}\n`)
            await page.screenshot({ path: `${path}-${colorScheme}.png` })
          }
          expect(`${text.trim()}\n`).to.equal(await readFile(`${path}.txt`, 'utf8'))
          await page.close()
        }
      })
    }
  })
})
