import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Page as HtmlPage, writePage } from '../../src/format/html/page.js'
import { planPage } from '../../src/format/html/plan-page.js'
import { reportPage } from '../../src/format/html/report-page.js'
import type { PlanRowShown } from '../../src/format/views/plans.js'
import type { KeptSale } from '../../src/jobs/ledger/transactions.js'
import { groupSales } from '../actions/reports/grouped.js'
import { PNG, temporaryDirectory } from '../jobs/harness.js'
import { CONTRASTS, launchBrowser } from './chromium.js'

const HOSTILE = `</script><script>globalThis.planted = 1</script><img src=x onerror="globalThis.planted = 2"> \u009b31m\u202e"'><style>*{display:none}</style>`
const PICTURE = `data:image/png;base64,${PNG.toString('base64')}`
const ROWS = 10_000
const ABOUT = { shop: 'shop', at: '2026-11-22T04:00:00+01:00', unit: 'kr' }

function planOf(count: number): HtmlPage {
  const rows = Array.from({ length: count }, (_, at): PlanRowShown => {
    const held = at % 50 === 0
    const change = (at % 41) - 20
    return {
      ...{ Line: at + 2, Id: 600_000_000 + at, OwnReference: `EX-${at}`, OldPrice: 200, NewPrice: 200 + change, Change: change },
      Title: null,
      ...{
        Percent: change / 2,
        State: held ? 'held' : 'change',
        Limit: null,
        Cost: 90.5,
        OldMargin: 43.7,
        NewMargin: 40 + (at % 9),
        ...{ Code: null, Values: null, Reason: held ? 'a change over the limit' : null },
      },
    }
  })
  const titles = new Map(
    rows.map(({ Id }, at) => [Id, at === 0 ? HOSTILE : `Vas nummer ${at}, ${at % 3 === 0 ? 'blå' : 'grön'}`]),
  )
  return planPage({
    ...ABOUT,
    title: 'shop:price --file prices.csv',
    summary: {
      Rows: count,
      Change: count - count / 50,
      Unchanged: 0,
      Unknown: 0,
      Held: count / 50,
      Calls: 20,
      OldTotal: 2_000_000,
      NewTotal: 1_900_000,
    },
    histogram: [-25, -10, -5, 0, 5].map((From) => ({ From, To: From + 5, Rows: 100 + From })),
    rows,
    titleOf: (id) => titles.get(id),
    pictureOf: (id) => (id % 2 === 0 ? PICTURE : undefined),
  })
}

function reportOf(by: 'day' | 'item'): HtmlPage {
  const from = Date.parse('2026-10-01T00:00:00+02:00')
  const sales = Array.from(
    { length: 400 },
    (_, at): KeptSale => ({
      ...{ Id: at + 1, At: from - 40 * 86_400_000 + at * 17_000_000, UpdatedAt: 0, Amount: 50 + ((at * 37) % 900) },
      ...{ Paid: at % 5 > 0, Shipped: at % 4 > 0, Rated: at % 3 > 0, ItemId: (at % 60) + 1, OwnReferences: [] },
      ...{ Title: at % 60 === 0 ? HOSTILE : `Vas ${at % 60}`, BuyerId: at % 9, Buyer: 'Eva' },
    }),
  )
  const span = { from, to: from + 40 * 86_400_000 - 1 }
  const report = groupSales({ by, span, sales, compare: 'period', costOf: ({ Amount }) => Amount / 2, vat: 0.25 })
  return reportPage({ ...report, Fee: null }, ABOUT)
}

describe('pages of reports and plans in a browser', () => {
  let browser: Browser
  const directory = temporaryDirectory()
  const complaints: string[] = []
  const asked: string[] = []
  const contexts: BrowserContext[] = []

  before(async function () {
    const launched = await launchBrowser()
    if (launched === undefined) this.skip()
    browser = launched
    for (const [name, page] of [
      ['plan', planOf(ROWS)],
      ['day', reportOf('day')],
      ['item', reportOf('item')],
    ] as const)
      await writeFile(join(directory, `${name}.html`), [...writePage(page)].join(''))
  })
  after(async () => {
    await browser?.close()
    await rm(directory, { recursive: true, force: true })
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(complaints.splice(0), 'nothing went wrong in the page').to.deep.equal([])
    const others = asked
      .splice(0)
      .filter((address) => !address.startsWith('file:') && !address.startsWith('data:image/png;base64,'))
    expect(others, 'requests').to.deep.equal([])
  })

  async function open(
    name: string,
    options: { scheme?: 'light' | 'dark'; width?: number; scripts?: boolean } = {},
  ): Promise<Page> {
    const { scheme = 'light', width = 1280, scripts = true } = options
    const context = await browser.newContext({
      colorScheme: scheme,
      viewport: { width, height: 900 },
      javaScriptEnabled: scripts,
    })
    contexts.push(context)
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`file://${join(directory, `${name}.html`)}`)
    return page
  }
  const shownRows = (page: Page) => page.locator('#body tr').count()

  for (const name of ['plan', 'day', 'item']) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        it(`can be read: ${name}, ${scheme}, ${width} px`, async () => {
          const page = await open(name, { scheme, width })
          expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
          expect(await page.locator('.chart canvas').count()).to.equal(1)
          expect(await shownRows(page)).to.be.greaterThan(20)
          const ratios = (await page.evaluate(CONTRASTS)) as [string, number][]
          expect(ratios.length).to.be.greaterThan(50)
          for (const [text, ratio] of ratios) expect(ratio, `"${text}"`).to.be.at.least(4.5)
          const [red = 255] =
            ((await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string).match(/\d+/g)?.map(Number) ?? []
          expect(red < 60).to.equal(scheme === 'dark')
        })
      }
    }
  }

  it('have the sums in the legend of the chart where no bar is pointed at', async () => {
    const legend = (await (await open('plan')).locator('.u-legend').innerText()).replace(/\s+/g, ' ')
    expect(legend).to.match(/Per cent:? ?all ?Down:? ?260 rows ?Up:? ?205 rows/)
  })

  it('run nothing that a title plants, and show it as it is', async () => {
    for (const name of ['plan', 'item']) {
      const page = await open(name)
      expect(await page.evaluate('globalThis.planted')).to.equal(undefined)
      expect(await page.locator('#body').getByText('globalThis.planted = 1').count()).to.be.greaterThan(0)
      const text = (await page.locator('#body').textContent()) ?? ''
      expect(/[\u0080-\u009f\u202a-\u202e]/.test(text), 'control characters').to.equal(false)
    }
  })

  it('let nothing planted run even if it were not escaped', async () => {
    const html = [...writePage(planOf(1))].join('').replace('</main>', '<script>globalThis.planted = 3</script></main>')
    await writeFile(join(directory, 'planted.html'), html)
    const page = await open('planted')
    expect(await page.evaluate('globalThis.planted')).to.equal(undefined)
    expect(complaints.splice(0).join(' ')).to.match(/Content Security Policy/)
  })

  it('filter 10,000 rows by making the first hundred that fit', async () => {
    const page = await open('plan')
    const type = (text: string) =>
      page.evaluate(`(() => {
        const filter = document.getElementById('filter')
        filter.value = ${JSON.stringify(text)}
        const begun = performance.now()
        filter.dispatchEvent(new Event('input'))
        document.body.getBoundingClientRect()
        return performance.now() - begun
      })()`) as Promise<number>
    const spent: number[] = []
    for (const text of ['v', 'va', 'vas', 'vas b', 'vas blå', 'vas blå 99', '']) {
      spent.push(await type(text))
      expect(await shownRows(page), text).to.be.at.most(100)
    }
    console.log(`      ms for each letter, filtering and laying out ${ROWS} rows: ${spent.map((ms) => ms.toFixed(1)).join(', ')}`)
    await type('nummer 4999 grön')
    expect(await page.locator('#count').textContent()).to.match(/^1 of 10\s?000 rows$/)
    await type('')
    await page.locator('#state').selectOption('held')
    expect(await page.locator('#count').textContent()).to.match(/^200 of/)
    await page.locator('#filter').fill('no such vase')
    expect(await page.locator('#empty').isVisible()).to.equal(true)
  })

  it('show the rows that follow when they are scrolled to', async () => {
    const page = await open('plan')
    const before = await shownRows(page)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.waitForFunction(`document.querySelectorAll('#body tr').length > ${before}`)
  })

  it('have all rows on paper, light though the screen is dark', async () => {
    const page = await open('item', { scheme: 'dark' })
    await page.locator('#filter').fill('vas 1')
    const found = Number(/^\d+/.exec((await page.locator('#count').textContent()) ?? '')?.[0])
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await page.emulateMedia({ media: 'print' })
    expect(await shownRows(page)).to.equal(found)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).to.equal('rgb(255, 255, 255)')
    expect(await page.locator('#filter').isVisible()).to.equal(false)
  })

  it('show numbers and the first rows without scripts', async () => {
    const page = await open('plan', { scripts: false })
    expect(await shownRows(page)).to.equal(100)
    expect(await page.locator('dl.tiles').textContent()).to.match(/10\s000/)
    expect(await page.locator('noscript p').isVisible()).to.equal(true)
  })
})
