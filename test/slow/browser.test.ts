import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { openSandbox, order, post, removeOne, type TestSandbox } from '../sandbox/support.js'
import { at, bodyOf } from '../sandbox/tree.js'
import { CONTRASTS, launchBrowser } from './chromium.js'

describe('the pages in a browser', () => {
  let browser: Browser
  let sandbox: TestSandbox
  /** Errors of any page, and every address that was requested. */
  const complaints: string[] = []
  const asked: string[] = []
  /** Where the clock stands, in ms since 1970, or undefined while it runs. */
  let held: number | undefined

  before(async function () {
    const launched = await launchBrowser()
    if (launched === undefined) this.skip()
    browser = launched
    sandbox = await openSandbox({ clock: { now: () => held ?? Date.now() } })
  })
  after(async () => {
    await browser?.close()
    await sandbox?.close()
  })
  beforeEach(() => {
    complaints.length = 0
    asked.length = 0
    held = undefined
  })
  afterEach(() => {
    expect(complaints, 'nothing went wrong in the page').to.deep.equal([])
    for (const address of asked) expect(new URL(address).origin, 'no other host was asked').to.equal(sandbox.url)
  })

  async function open(
    path: string,
    options: { scheme?: 'light' | 'dark'; scripts?: boolean; width?: number } = {},
  ): Promise<Page> {
    const { scheme = 'light', scripts = true, width = 1280 } = options
    const context = await browser.newContext({
      colorScheme: scheme,
      javaScriptEnabled: scripts,
      viewport: { width, height: 900 },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(8000)
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${sandbox.url}${path}`)
    return page
  }

  const begin = async () => {
    await post(sandbox, '1.2', 'CancelEidVerification', '')
    await post(sandbox, '1.2', 'BeginEidVerification', '')
  }
  const progress = async (name: string) =>
    at(bodyOf((await post(sandbox, '1.2', 'GetEidVerificationProgress', '')).text), 'GetEidVerificationProgressResult', name)
      ?.text

  it('show the items with their pictures', async () => {
    const page = await open('/')
    const rows = page.locator('#item-rows tbody tr')
    expect(await rows.count()).to.equal(25)
    expect(await page.locator('#item-rows img').count()).to.be.greaterThan(5)
    await page.evaluate(`document.getElementById('item-rows').scrollIntoView({ block: 'end' })`)
    // They load when they come into view, and again when the panel is replaced.
    const drawn = `[...document.querySelectorAll('#item-rows img')].every((image) => image.naturalWidth > 0)`
    await waitUntil(async () => (await page.evaluate(drawn)) === true)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.waitForURL(/offset=25/)
    expect(await page.locator('#range').textContent()).to.match(/^26 to 50 of/)
    await page.context().close()
  })

  it('show the queue moving, without being loaded anew', async () => {
    await order(sandbox, 'faults', { 'queue-delay': '1500ms', quota: '1000/24h' })
    const page = await open('/')
    const { requestId: request } = await removeOne(sandbox)
    const row = page.locator('#queue-rows tr', { hasText: request })
    await row.locator('progress').waitFor()
    await row.getByText('Ok', { exact: true }).waitFor()
    expect(await page.locator('#call-rows meter').first().getAttribute('value')).to.match(/^\d+$/)
    expect(asked.filter((address) => new URL(address).pathname === '/')).to.have.lengthOf(1)
    await order(sandbox, 'faults', { 'queue-delay': '500ms', quota: 'none' })
    await page.context().close()
  })

  it('let the keyboard approve an eID session, though the page is kept fresh meanwhile', async () => {
    const page = await open('/')
    // The last text of a session comes 3 s after its beginning: its clock stands until the button has the focus.
    held = Date.now()
    await begin()
    const approve = page.getByRole('button', { name: 'Approve' })
    await approve.waitFor()
    const focused = () => page.evaluate('document.activeElement?.textContent ?? ""')
    for (let i = 0; i < 200 && (await focused()) !== 'Approve'; i++) await page.keyboard.press('Tab')
    expect(await focused()).to.equal('Approve')
    const outline = await approve.evaluate((button) =>
      (
        globalThis as unknown as { getComputedStyle(of: unknown): { outlineStyle: string; outlineWidth: string } }
      ).getComputedStyle(button),
    )
    expect(outline.outlineStyle).to.equal('solid')
    // The session's progress text changes meanwhile, so the panel is replaced; the focus stays.
    const text = page.locator('.screen')
    const before = await text.textContent()
    held = undefined
    await waitUntil(async () => (await text.textContent()) !== before)
    expect(await focused()).to.equal('Approve')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#eid/)
    expect(await progress('IsCompleted')).to.equal('true')
    await page.getByText('approved', { exact: true }).first().waitFor()
    await page.context().close()
  })

  it('let a click cancel it', async () => {
    await begin()
    const page = await open('/')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/#eid/)
    expect(await progress('Error')).to.equal('Cancelled')
    await page.context().close()
  })

  it('work without scripts', async () => {
    await begin()
    const page = await open('/', { scripts: false })
    await page.getByRole('button', { name: 'Approve' }).click()
    expect(await progress('IsCompleted')).to.equal('true')
    const buy = page.getByRole('button', { name: /^Buy / }).first()
    await buy.click()
    expect(new URL(page.url()).pathname).to.equal('/')
    await page.getByLabel('Move the clock forward').selectOption('1h')
    await page.getByRole('button', { name: 'Move' }).click()
    expect(await page.locator('#clock').textContent()).to.match(/Swedish time/)
    await page.context().close()
  })

  it('send an operation by its form', async () => {
    const page = await open('/v3/RestrictedService.asmx?op=ValidateCampaignCode', { scripts: false })
    await page.getByLabel(/^campaignCode/).fill('VALKOMMEN')
    await page.getByLabel(/^categoryId/).fill('0')
    const [reply] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/ValidateCampaignCode')),
      page.getByRole('button', { name: 'Call ValidateCampaignCode by HTTP POST' }).click(),
    ])
    expect(reply.status()).to.equal(200)
    expect(await reply.text()).to.include('<IsValid>true</IsValid>')
    await page.context().close()
  })

  it('send an operation with lists by SOAP', async () => {
    const page = await open('/v3/RestrictedService.asmx?op=SetPriceOnShopItems')
    await page.getByRole('button', { name: 'Call SetPriceOnShopItems by SOAP' }).click()
    const reply = page.locator('form.soap pre')
    await waitUntil(async () => (await reply.textContent()) !== '')
    expect(await reply.textContent())
      .to.match(/^HTTP 200 OK/)
      .and.include('SetPriceOnShopItemsResult')
    await page.getByLabel('Message').fill('<nonsense')
    await page.getByRole('button', { name: 'Call SetPriceOnShopItems by SOAP' }).click()
    await waitUntil(async () => (await reply.textContent())?.startsWith('HTTP 500') === true)
    // The browser reports the status of a failed request in its console too.
    complaints.length = 0
    await page.context().close()
  })

  it('show the items that are asked for, and set fault injection', async () => {
    const page = await open('/')
    await page.getByLabel('State').selectOption('ended')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/state=ended/)
    const states = await page.locator('#item-rows .state').allTextContents()
    expect([...new Set(states)]).to.deep.equal(['ended'])
    await page.getByText('Change', { exact: true }).click()
    await page.getByLabel(/^unavailable/).fill('3%')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.waitForURL(/#faults/)
    expect(await page.locator('#faults-now').textContent()).to.include('unavailable3%')
    await page.getByRole('button', { name: 'No faults' }).click()
    await page.waitForURL(/#faults/)
    await waitUntil(async () => (await page.locator('#faults-now').textContent())?.includes('unavailable0%') === true)
    await page.context().close()
  })

  it('have landmarks, labels and a way past the head', async () => {
    for (const path of ['/', '/v3/RestrictedService.asmx', '/v3/RestrictedService.asmx?op=LeaveFeedback']) {
      const page = await open(path)
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content')
      for (const role of ['banner', 'navigation', 'main', 'contentinfo'] as const)
        expect(await page.getByRole(role).count(), `${path} ${role}`).to.be.greaterThan(0)
      expect(await page.locator('h1').count()).to.equal(1)
      const unnamed = await page.evaluate(
        `[...document.querySelectorAll('input:not([type=hidden]), select, button')].filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute('aria-label'))).length`,
      )
      expect(unnamed, path).to.equal(0)
      await page.context().close()
    }
  })

  for (const scheme of ['light', 'dark'] as const) {
    it(`can be read, ${scheme}`, async () => {
      await begin()
      const page = await open('/', { scheme })
      const ratios = (await page.evaluate(CONTRASTS)) as [string, number][]
      expect(ratios.length).to.be.greaterThan(50)
      for (const [text, ratio] of ratios) expect(ratio, `"${text}"`).to.be.at.least(4.5)
      const [red = 255] =
        ((await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string).match(/\d+/g)?.map(Number) ?? []
      if (scheme === 'dark') expect(red).to.be.below(60)
      else expect(red).to.be.above(200)
      await page.context().close()
    })
  }

  it('fit a narrow screen', async () => {
    for (const path of ['/', '/v3/RestrictedService.asmx', '/v3/RestrictedService.asmx?op=AddItem']) {
      const page = await open(path, { width: 360 })
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.be.at.most(360)
      const unreachable = await page.evaluate(
        `[...document.querySelectorAll('.scroll, pre')].filter((one) => one.scrollWidth > one.clientWidth && one.tabIndex < 0 && !one.querySelector('a, button')).length`,
      )
      expect(unreachable, `${path}: what scrolls can be reached by keyboard`).to.equal(0)
      await page.context().close()
    }
  })

  it('say when the sandbox has gone', async () => {
    const other = await openSandbox()
    const page = await (await browser.newContext()).newPage()
    await page.goto(other.url)
    await other.close()
    await page.getByText('The sandbox does not answer').waitFor()
    await page.context().close()
  })
})

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 160; i++) {
    if (await holds()) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('It did not come about in 8 s.')
}
