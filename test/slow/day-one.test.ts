/** The first day of a seller who has an application and nothing else: by prompts alone, in a real terminal and a real browser. */
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { readNameMap } from '../../src/contract/index.js'
import { SANDBOX_PROFILE, type SandboxForms } from '../../src/sandbox/index.js'
import { type Home, openHome } from '../e2e/harness.js'
import { PIXEL } from '../e2e/observed.js'
import { stock } from '../e2e/shop.js'
import { hasTmux, type Terminal } from '../e2e/terminal.js'
import { launchBrowser } from './chromium.js'

const BARE = Object.fromEntries(
  ['BASE_URL', 'NAMESPACE', 'APP_ID', 'APP_KEY', 'USER_ID', 'TOKEN'].map((name) => [`SELLER_${name}`, undefined]),
)

/** A service of another make: its description has no GetSellerItems by HTTP GET or POST, and it does not answer that. */
async function openInFront(url: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (/\/GetSellerItems\b/.test(request.url ?? ''))
      return response.writeHead(500).end('GetSellerItems Web Service method name is not valid.')
    const headers = { ...(request.headers as Record<string, string>), connection: 'close' }
    for (const name of ['content-length', 'transfer-encoding', 'accept-encoding', 'host', 'origin', 'referer'])
      delete (headers as Record<string, string>)[name]
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks)
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body && { body }),
      redirect: 'manual',
    })
    const text = Buffer.from(await answer.arrayBuffer())
    const kept = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(?:content-(?:length|encoding)|transfer-encoding)$/.test(name)),
    )
    const isDescription = /\?wsdl/i.test(request.url ?? '')
    response.writeHead(answer.status, kept).end(isDescription ? withoutForms(text.toString()) : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

function withoutForms(wsdl: string): string {
  return wsdl.replace(/<wsdl:(portType|binding) name="\w+Http(?:Get|Post)"[\s\S]*?<\/wsdl:\1>/g, (part) =>
    part.replace(/<wsdl:operation name="GetSellerItems">[\s\S]*?<\/wsdl:operation>/, ''),
  )
}

interface Made {
  readonly title: string
  readonly forms: SandboxForms & { readonly namespace?: string }
  readonly front: boolean
}
const SERVICES: readonly Made[] = [
  { title: 'as the document has it', forms: {}, front: false },
  {
    title: 'of another make',
    forms: {
      namespace: 'urn:another-shop:v7',
      names: readNameMap('Eid=Zed,ExternalPayment=OuterPayment,ShopItem=StallItem'),
      shape: 'nested',
    },
    front: true,
  },
]

for (const { title, forms, front } of SERVICES)
  describe(`the first day at a service ${title}`, function () {
    this.timeout(600_000)
    let home: Home
    let browser: Browser | undefined
    let base: { url: string; close(): void }
    before(async () => {
      browser = await launchBrowser()
      home = await openHome({ sandbox: { ...forms, extended: true, strict: true } })
      base = front ? await openInFront(home.sandbox.url) : { url: home.sandbox.url, close: () => undefined }
      await mkdir(`${home.dir}/photos`)
      await home.file('photos/front.png', PIXEL.png)
    })
    after(async () => {
      await browser?.close()
      base.close()
      await home.close()
    })

    it('goes from an application to feedback by prompts', async function () {
      if (!hasTmux || browser === undefined) this.skip()
      let answers = 0
      const open = (...args: string[]) => home.terminal(args, { env: BARE, width: 200, height: 60 })
      const answer = async (terminal: Terminal, question: string | RegExp, typed = '') => {
        await terminal.shows(question)
        await terminal.type(`${typed}\n`)
        answers += 1
      }
      const choose = async (terminal: Terminal, question: string, choice: string, typed = '') => {
        await terminal.shows(`? ${question}`)
        if (typed !== '') await terminal.type(typed)
        await terminal.shows(`❯ ${choice}`)
        await terminal.type('\n')
        answers += 1
        await terminal.shows(`✔ ${question}`)
      }
      const pays = async (terminal: Terminal) => {
        await terminal.shows('? Payment')
        await terminal.press('Space')
        await terminal.shows(/❯◉/)
        await answer(terminal, '? Payment')
      }
      const ends = async (terminal: Terminal): Promise<string> => {
        const { code, screen } = await terminal.done()
        expect(code, screen).to.equal(0)
        return screen
      }

      const login = await open('auth:login')
      await answer(login, 'Base URL of the service', base.url)
      await answer(login, 'Application id', String(SANDBOX_PROFILE.appId))
      await answer(login, '? Application key', SANDBOX_PROFILE.appKey)
      await answer(login, '? Public key of the application', SANDBOX_PROFILE.publicKey)
      const shown = await login.shows('Open it in the browser?')
      await login.press('Down')
      await login.shows('❯ I open it myself')
      await login.type('\n')
      answers += 1
      const page = await browser.newPage()
      await page.goto(/http\S+token-login\S+/.exec(shown)?.[0] ?? '')
      await page.getByLabel(/Södermalms_Loppis/).check()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('You may close this window.').waitFor()
      await answer(login, 'Your alias there', 'Södermalms_Loppis')
      expect(await ends(login)).to.include('Logged in as Södermalms_Loppis (1001)')

      const auction = await open('items:add', '--wait')
      await answer(auction, '? Title', 'Höganäs vas')
      await choose(auction, 'Category', 'Antikt & design > Design > Keramik', 'keramik')
      await choose(auction, 'Kind of sale', 'Auction')
      await answer(auction, '? Opening price', '100')
      await answer(auction, '? Reserve price')
      await answer(auction, '? Buy-now price')
      await answer(auction, '? Days on sale')
      await choose(auction, 'Condition', 'Used')
      await choose(auction, 'Märke', 'Höganäs', 'h')
      await answer(auction, '? More to say')
      await answer(auction, '? Description')
      await pays(auction)
      await choose(auction, 'Shipping', 'Pickup')
      await choose(auction, 'Another way of shipping', 'No more')
      await choose(auction, 'Image', 'photos/front.png', 'photos/')
      await choose(auction, 'Image 2', 'No more')
      await answer(auction, '? Put on sale? (y/N)', 'y')
      expect(await ends(auction)).to.match(/Ok/)

      const ware = await open('shop:add', '--wait')
      await answer(ware, '? Title', 'Kopp')
      await choose(ware, 'Category', 'Antikt & design > Design > Keramik', 'keramik')
      await answer(ware, '? Price', '49')
      await answer(ware, '? Quantity')
      await choose(ware, 'Condition', 'Used')
      await choose(ware, 'Märke', 'Gustavsberg')
      await answer(ware, '? More to say')
      await answer(ware, '? Description')
      await pays(ware)
      await choose(ware, 'Shipping', 'Pickup')
      await choose(ware, 'Another way of shipping', 'No more')
      await choose(ware, 'Image', 'No')
      await answer(ware, '? Put on sale? (y/N)', 'y')
      expect(await ends(ware)).to.match(/Ok/)

      const ids = await stock(
        home,
        Array.from({ length: 500 }, (_none, at) => 100 + at),
      )
      await home.file('prices.csv', `Id,Price\n${ids.map((id, at) => `${id},${95 + at}`).join('\n')}\n`)
      const prices = await open('shop:price', '--wait')
      await choose(prices, 'What sets the prices?', 'A file')
      await answer(prices, '? File', 'prices.csv')
      const asked = await prices.shows(/\(y\/N\)|Type 500/)
      await answer(prices, '?', asked.includes('Type 500') ? '500' : 'y')
      await ends(prices)

      const feedback = await open('feedback:leave')
      await feedback.shows('? Sale')
      await feedback.shows('❯ ')
      await answer(feedback, '? Sale')
      await choose(feedback, 'Feedback', 'Positive')
      await answer(feedback, '? Comment', 'Tack!')
      expect(await ends(feedback)).to.include('Tack!')
      console.log(`      answers typed: ${answers}`)
      expect(answers).to.be.at.most(45)
    })
  })
