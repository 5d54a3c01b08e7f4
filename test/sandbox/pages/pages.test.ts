import { expect } from 'chai'
import { type Operation, operationsOf, parametersBeyondText, type ServiceName } from '../../../src/contract/index.js'
import { buildSamples } from '../../../src/sandbox/pages/samples.js'
import { SANDBOX_PROFILE } from '../../../src/sandbox/profile.js'
import { closing, opened } from '../../opened.js'
import { NS, openSandbox, order, post, send } from '../support.js'
import { bodyOf, treeOf } from '../tree.js'

const SERVICES: ServiceName[] = ['RestrictedService', 'PublicService']

describe('the pages of the services', () => {
  const sandbox = opened(openSandbox)

  for (const service of SERVICES) {
    const operations = Object.values(operationsOf(service)) as Operation[]

    it(`${service}: GET lists every operation and leads to each`, async () => {
      const got = await send(`${sandbox.url}/v3/${service}.asmx`)
      expect(got.status).to.equal(200)
      expect(got.headers['content-type']).to.equal('text/html; charset=utf-8')
      for (const { name } of operations) {
        expect(got.text).to.include(`href="/v3/${service}.asmx?op=${name}"`)
        expect((await send(`${sandbox.url}/v3/${service}.asmx?op=${name}`)).text, name).to.include(`<h1>${name}</h1>`)
      }
    })

    it(`${service}: ?WSDL in any case, at the address it was asked by`, async () => {
      for (const query of ['?WSDL', '?wsdl', '?Wsdl=']) {
        const got = await send(`${sandbox.url}/v3/${service.toLowerCase()}.asmx${query}`, {
          headers: { Host: `localhost:${sandbox.port}` },
        })
        expect(got.headers['content-type']).to.equal('text/xml; charset=utf-8')
        expect(got.text).to.include(`location="http://localhost:${sandbox.port}/v3/${service}.asmx"`)
      }
    })

    for (const operation of operations) {
      it(`${operation.name}: parameters, samples of its bindings, a form where one can carry it`, async () => {
        const { text } = await send(`${sandbox.url}/v3/${service}.asmx?OP=${operation.name}`)
        for (const name of Object.keys(operation.params)) expect(text).to.include(`<td class="mono">${name}</td>`)
        const plain = parametersBeyondText(operation).length === 0
        const bindings = [...text.matchAll(/<summary>([^<]*)<\/summary>/g)].map(([, summary]) => summary)
        expect(bindings).to.deep.equal(plain ? ['SOAP 1.1', 'SOAP 1.2', 'HTTP GET', 'HTTP POST'] : ['SOAP 1.1', 'SOAP 1.2'])
        const form = `<form method="post" action="/v3/${service}.asmx/${operation.name}">`
        expect(text.includes(form), 'a form for HTTP POST').to.equal(plain)
        expect(text.includes('<form class="soap"'), 'a form for SOAP').to.equal(!plain)
      })

      it(`${operation.name}: its samples, sent as they stand, are understood`, async () => {
        for (const { binding, request } of await buildSamples(operation, NS, `${sandbox.url}/v3/${service}.asmx`)) {
          const [head = '', ...rest] = request.split('\n\n')
          const [line = '', ...fields] = head.split('\n')
          const [method, path] = line.split(' ')
          const headers = Object.fromEntries(
            fields.filter((field) => field !== '').map((field) => field.split(/: (.*)/).slice(0, 2) as [string, string]),
          )
          const got = await send(`${sandbox.url}${path}`, {
            method,
            headers,
            body: method === 'POST' ? rest.join('\n\n').trim() : undefined,
          })
          expect(got.status, `${binding}: ${got.text.slice(0, 300)}`).to.be.oneOf([200, 500])
          if (got.status === 500) expect(got.text, binding).to.match(/Invalid request ---/)
          else if (binding.startsWith('SOAP')) expect(bodyOf(got.text)?.name).to.equal(`${operation.name}Response`)
          else if (got.text !== '') expect(treeOf(got.text).namespace).to.equal(NS)
        }
      })
    }
  }

  it('say what an operation does to the service, and what each of its parameters may be', async () => {
    const page = async (service: ServiceName, name: string) =>
      (await send(`${sandbox.url}/v3/${service}.asmx?op=${name}`)).text.replaceAll('&#39;', "'")
    const facts = async (service: ServiceName, name: string) =>
      /<p class="lead">[^.]*\. ([^<]*)/.exec(await page(service, name))?.[1]
    expect(await facts('RestrictedService', 'GetSellerItems')).to.equal('It changes nothing.')
    expect(await facts('PublicService', 'GetCounties')).to.equal('It changes nothing. It acts for no seller.')
    expect(await facts('RestrictedService', 'AddItemCommit')).to.equal('Sent twice, it leaves the same state.')
    const queued = 'It answers with a request id. GetRequestResults gives the outcome.'
    expect(await facts('RestrictedService', 'AddItem')).to.equal(`Sent twice, it is done twice. ${queued}`)
    const internal = 'It is internal and may change at any time.'
    expect(await facts('RestrictedService', 'ValidateCampaignCode')).to.equal(`It changes nothing. ${internal}`)

    const rows = async (name: string) =>
      [...(await page('RestrictedService', name)).matchAll(/<tr><td class="mono">.*?<\/tr>/g)].map(([row]) =>
        [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell),
      )
    expect(await rows('GetSellerItems')).to.deep.equal([
      ['categoryId', 'int', 'once', 'at least 0; 0 means all categories'],
      ['filterActive', 'ActiveFilter: All, Active, Inactive', 'once', ''],
      ['minEndDate', 'dateTime', 'once, may be nil', ''],
      ['maxEndDate', 'dateTime', 'once, may be nil', ''],
      ['filterItemType', 'ItemTypeFilter: All, Auction, PureBuyItNow, ShopItem', 'once', ''],
      ['maxStartDate', 'dateTime', 'once, may be nil', ''],
    ])
    expect(await rows('GetRequestResults')).to.deep.equal([['requestIds', 'list of int', 'at most once', '']])
    const add = new Map((await rows('AddItem')).map(([path = '', ...rest]) => [path, rest]))
    expect(add.get('itemRequest')).to.deep.equal(['ItemRequest', 'at most once', ''])
    expect(add.get('itemRequest.Restarts')).to.deep.equal(['int', 'once', '0 to 2; each restart costs as much as a new auction'])
    expect(add.get('itemRequest.ShippingOptions')).to.deep.equal(['list of ItemShipping', 'at most once', ''])
    expect(add.get('itemRequest.ShippingOptions[].Cost')).to.deep.equal(['int', 'once', 'at least 0'])
    expect(add.get('itemRequest.ShippingOptions[].ShippingWeight')).to.deep.equal(['decimal', 'at most once, may be nil', ''])
    expect(add.get('itemRequest.AttributeValues.Terms[].Values')?.[0]).to.equal('list of string')
    expect(await page('PublicService', 'GetCounties')).to.include('It takes none.')
    const form = /<form class="soap"[\s\S]*?<\/form>/.exec(await page('RestrictedService', 'AddItem'))?.[0] ?? ''
    expect(form).to.include('&lt;soap:Envelope xmlns:soap=&quot;http://www.w3.org/2003/05/soap-envelope&quot;')
    expect(await page('RestrictedService', 'AddItem')).to.include('HTTP POST cannot carry <code>itemRequest</code>, so')
    expect((await page('RestrictedService', 'AddItem')).match(/<details( open)?>/g)).to.deep.equal([
      '<details open>',
      '<details>',
    ])
  })

  it('have samples of requests and replies in all bindings, with values that the limits allow', async () => {
    const samples = async (name: keyof ReturnType<typeof operationsOf>, service: ServiceName = 'RestrictedService') => {
      const operation = operationsOf(service)[name] as Operation
      const all = await buildSamples(operation, 'urn:shop', `http://127.0.0.1:8080/v3/${service}.asmx`)
      return new Map(all.map(({ binding, request, reply }) => [binding, { request, reply }]))
    }
    const soap = (await samples('SetPriceOnShopItems')).get('SOAP 1.1')
    const parts = (text = '') => text.split('\n').map((line) => line.trim())
    expect(parts(soap?.request).slice(0, 5)).to.deep.equal([
      'POST /v3/RestrictedService.asmx HTTP/1.1',
      'Host: 127.0.0.1:8080',
      'Content-Type: text/xml; charset=utf-8',
      'SOAPAction: "urn:shop/SetPriceOnShopItems"',
      '',
    ])
    const header =
      '<ConfigurationHeader xmlns="urn:shop"><Sandbox>0</Sandbox><MaxResultAge>0</MaxResultAge></ConfigurationHeader>'
    const price = '<Id>1</Id><Price>1</Price>'
    expect(parts(soap?.request).join(''))
      .to.include(`<UserId>1001</UserId><Token>sandbox-token-of-seller-1001</Token></AuthorizationHeader>${header}`)
      .and.include(`<request><ShopItems><SetPriceShopItem>${price}</SetPriceShopItem></ShopItems></request>`)
    expect(parts(soap?.reply).join('')).to.include(
      `<ValidationErrors><SetPriceOnShopItemsError><Item>${price}</Item><ErrorMessage>text</ErrorMessage></SetPriceOnShopItemsError></ValidationErrors>`,
    )

    const results = await samples('GetRequestResults')
    expect(results.get('SOAP 1.2')?.request).to.include('Content-Type: application/soap+xml; charset=utf-8\n\n<?xml')
    expect(parts(results.get('SOAP 1.2')?.request).join('')).to.include('<requestIds><int>1</int><int>1</int></requestIds>')
    const credentials = `appId=1&appKey=${SANDBOX_PROFILE.appKey}`
    const pairs = `requestIds=1&requestIds=2&${credentials}&userId=1001&token=sandbox-token-of-seller-1001`
    const path = '/v3/RestrictedService.asmx/GetRequestResults'
    expect(results.get('HTTP GET')?.request).to.equal(`GET ${path}?${pairs} HTTP/1.1\nHost: 127.0.0.1:8080\n`)
    expect(results.get('HTTP POST')?.request).to.equal(
      `POST ${path} HTTP/1.1\nHost: 127.0.0.1:8080\nContent-Type: application/x-www-form-urlencoded\n\n${pairs}\n`,
    )
    expect(results.get('HTTP POST')?.reply).to.match(/^HTTP\/1\.1 200 OK\nContent-Type: text\/xml; charset=utf-8\n\n<\?xml/)
    expect((await samples('AddItemCommit')).get('HTTP GET')?.reply).to.equal('HTTP/1.1 200 OK\n')

    const all = await samples('GetSellerItems', 'PublicService')
    const ends = ['minEndDate', 'maxEndDate'].map((name) => `${name}=2026-03-01T12%3A00%3A00%2B01%3A00`).join('&')
    expect(all.get('HTTP GET')?.request.split('?')[1]?.split(' ')[0]).to.equal(
      `userId=1&categoryId=1&filterActive=All&${ends}&filterItemType=All&${credentials}`,
    )
    const item = parts(all.get('SOAP 1.1')?.reply).join('')
    expect(item)
      .to.include('<ItemType>Auction</ItemType>')
      .and.include('<Values><decimal>1.5</decimal><decimal>1.5</decimal></Values>')
    expect(all.get('SOAP 1.1')?.request).not.to.include('AuthorizationHeader')
    const image = (await samples('AddItemImage')).get('HTTP GET')?.request
    expect(image).to.include('requestId=1&imageData=iVBORw0KGgo%3D&imageFormat=Gif&hasMega=true&')
  })

  it('ask for words by a list, for whole numbers by digits, and for the rest by text', async () => {
    const { text } = await send(`${sandbox.url}/v3/PublicService.asmx?op=GetSellerItems`)
    for (const one of [
      '<input name="userId" inputmode="numeric" autocomplete',
      '<input name="minEndDate" autocomplete',
      '<select name="filterActive"><option>',
      '<span class="hint">dateTime; empty for nil</span>',
    ])
      expect(text).to.include(one)
    const { text: results } = await send(`${sandbox.url}/v3/RestrictedService.asmx?op=GetRequestResults`)
    expect(results).to.include(
      '<span class="hint">int; by SOAP or by hand, any number</span><input name="requestIds" inputmode="numeric"',
    )
    const { text: image } = await send(`${sandbox.url}/v3/RestrictedService.asmx?op=AddItemImage`)
    expect(image).to.include('<select name="hasMega"><option>false</option><option>true</option></select>')
    expect(image).to.include(`<span class="hint">of the sandbox</span><input name="appKey" value="${SANDBOX_PROFILE.appKey}"`)
  })

  it('the name of no operation leads to the nearest one', async () => {
    const got = await send(`${sandbox.url}/v3/PublicService.asmx?op=GetItm`)
    expect(got.status).to.equal(404)
    expect(got.text).to.include('href="/v3/PublicService.asmx?op=GetItem"')
    expect((await send(`${sandbox.url}/v3/PublicService.asmx?op=Xyzzy`)).text).not.to.include('Did you mean')
    const odd = await send(`${sandbox.url}/v3/PublicService.asmx?op=%3Cscript%3Ealert(1)%3C/script%3E`)
    expect(odd.text).to.not.include('<script')
    expect(odd.text).to.include('&lt;script&gt;')
  })

  it('let nothing in from elsewhere', async () => {
    for (const path of ['/', '/v3/PublicService.asmx', '/v3/PublicService.asmx?op=GetItem']) {
      const { headers, text } = await send(`${sandbox.url}${path}`)
      const policy = headers['content-security-policy']
      expect(policy).to.match(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src ('none'|'sha256-[^']+'); img-src 'self'; connect-src 'self'; form-action 'self'/,
      )
      expect(policy).to.include("frame-ancestors 'none'").and.include("base-uri 'none'").and.not.include('unsafe')
      expect(headers['x-content-type-options']).to.equal('nosniff')
      expect(headers['referrer-policy']).to.equal('same-origin')
      expect(text).to.not.match(/(?:src|href|action)="(?:https?:)?\/\//)
      expect(text).to.not.match(/ (?:style|on\w+)="/)
    }
  })

  it('the page of a login offers the members, and lets its form lead where the login was begun for, and nowhere else', async () => {
    const login = new URLSearchParams({ appId: '1', pkey: SANDBOX_PROFILE.publicKey, skey: 'x'.repeat(32) })
    const formAction = (got: { headers: Record<string, unknown> }) =>
      /form-action [^;]*/.exec(String(got.headers['content-security-policy']))?.[0]
    const plain = await send(`${sandbox.url}/token-login?${login}`)
    expect(formAction(plain)).to.equal("form-action 'self'")
    const members = [...plain.text.matchAll(/name="userId" value="(\d+)"( checked)?/g)].map(([, id, checked]) => [id, checked])
    expect(members.slice(0, 2)).to.deep.equal([
      ['1001', ' checked'],
      ['1002', undefined],
    ])
    await using leading = closing(await openSandbox({ accept: { url: 'http://127.0.0.1:9/done?x=1' } }))
    expect(formAction(await send(`${leading.url}/token-login?${login}`))).to.equal("form-action 'self' http://127.0.0.1:9")
  })

  it('the console escapes what members wrote', async () => {
    const csv = 'Title,Price\n"<img src=x onerror=alert(1)>""\'&",50\n'
    await order(sandbox, 'seed', { csv })
    const { text } = await send(`${sandbox.url}/`)
    expect(text).to.not.include('<img src=x')
    expect(text).to.include('&lt;img src=x onerror=alert(1)&gt;')
    const state = JSON.parse((await send(`${sandbox.url}/_sandbox/state`)).text) as { panels: Record<string, string> }
    expect(state.panels['item-rows']).to.include('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
  })

  it('the console names the members for whom calls can be made, the well-known seller first', async () => {
    const { text } = await send(`${sandbox.url}/`)
    const others = text.slice(text.indexOf('<summary>Other members</summary>'))
    expect(text.slice(0, -others.length)).to.include('<dt>UserId</dt><dd><code>1001</code></dd>')
    const ids = [...others.matchAll(/<br><code>(\d+)<\/code> <code>([^<]*)/g)].map(([, id, token]) => [id, token])
    expect(ids).to.deep.include(['1002', 'sandbox-token-of-member-1002']).and.not.deep.include(['1001', SANDBOX_PROFILE.token])
  })

  it('the service of orders is there where it is wanted, and nowhere else', async () => {
    const wsdl = '/v3/OrderService.asmx?WSDL'
    expect((await send(`${sandbox.url}/`)).text).not.to.include(wsdl)
    expect((await send(`${sandbox.url}${wsdl}`)).status).to.equal(404)
    await using extended = closing(await openSandbox({ extended: true }))
    expect((await send(`${extended.url}/`)).text).to.include(wsdl)
    expect((await send(`${extended.url}${wsdl}`)).text).to.include('<wsdl:operation name="GetSellerOrders">')
    expect((await send(`${extended.url}/v3/OrderService.asmx`)).text).to.include('Every call acts for one seller')
    const page = (await send(`${extended.url}/v3/OrderService.asmx?op=SetSellerOrderAsPaid`)).text
    expect(page).to.include('<td class="mono">request.OrderId</td>').and.include('&lt;OrderId&gt;1&lt;/OrderId&gt;')
  })

  it('the console pages through all items, and nonsense begins at the first', async () => {
    const first = (await send(`${sandbox.url}/`)).text
    expect(first).to.include('href="/?offset=25#items"')
    const second = (await send(`${sandbox.url}/?offset=25`)).text
    expect(second).to.include('href="/?offset=0#items"').and.include('href="/?offset=50#items"')
    const [, total = ''] = /1 to 25 of ([\d\u00a0]+)/.exec(first) ?? []
    expect(total).to.match(/^\d/)
    for (const offset of ['-1', 'x', '1.5', '999999999', total.replace(/\D/g, '')]) {
      expect((await send(`${sandbox.url}/?offset=${offset}`)).text).to.include('>1 to 25 of ')
    }
  })

  it('the console shows the items that are asked for', async () => {
    await order(sandbox, 'seed', { csv: 'Title,Price,OwnReference\nKlockradio 100% fin,50,KL_1\nKlocka,60,KLX1\n' })
    const shown = async (query: string) => (await send(`${sandbox.url}/?${query}`)).text
    const titles = (text: string) => [...text.matchAll(/<span class="title">([^<]*)</g)].map(([, title]) => title)
    expect(titles(await shown('q=+klockradio%20'))).to.deep.equal(['Klockradio 100% fin'])
    expect(titles(await shown('q=100%25')), 'a wildcard is a character').to.deep.equal(['Klockradio 100% fin'])
    expect(titles(await shown('q=KL_'))).to.deep.equal(['Klockradio 100% fin'])
    expect(titles(await shown('q=KLX1&type=ShopItem'))).to.deep.equal(['Klocka'])
    expect(titles(await shown('q=KLX1&type=Auction'))).to.deep.equal([])
    expect(titles(await shown('q=KLX1&seller=1001'))).to.deep.equal(['Klocka'])
    expect(titles(await shown('q=KLX1&seller=1002'))).to.deep.equal([])
    expect(await shown('seller=1002'))
      .to.match(/<option value="1002" selected>/)
      .and.include('href="/?seller=1002&amp;offset=25#items"')
    expect(await shown('q=KLX1&type=Auction')).to.include('No item matches.')
    const all = '<a class="button" href="/#items">All</a>'
    expect([(await shown('q=KLX1')).includes(all), (await shown('')).includes(all)]).to.deep.equal([true, false])
    const ended = await shown('state=ended')
    expect([...ended.matchAll(/<span class="state [a-z]+">(\w+)</g)].map(([, state]) => state))
      .to.include('ended')
      .and.not.include('active')
    expect(ended).to.include('href="/?state=ended&amp;offset=25#items"')
    const odd = await shown('q=%3Cscript%3E&type=Nothing&state=x&seller=y')
    expect(odd).to.include('value="&lt;script&gt;"').and.not.include('<script>alert')
    const state = JSON.parse((await send(`${sandbox.url}/_sandbox/state?q=KLX1`)).text) as { panels: Record<string, string> }
    expect(titles(state.panels['item-rows'] ?? '')).to.deep.equal(['Klocka'])
  })

  it('the console sets fault injection, and takes it back', async () => {
    const put = (pairs: Record<string, string>) =>
      send(`${sandbox.url}/_sandbox/faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams(pairs)),
      })
    const set = await put({ latency: '20ms..40ms', unavailable: '5%', quota: '' })
    expect([set.status, set.headers.location]).to.deep.equal([303, '/#faults'])
    const { text } = await send(`${sandbox.url}/`)
    expect(text).to.include('<dt>unavailable</dt><dd>5%</dd>')
    expect(text).to.match(/<input name="latency" value="20ms\.\.40ms"/)
    expect((await put({ unavailable: 'many' })).status).to.equal(400)
    const none = /<form class="row" method="post" action="\/_sandbox\/faults">(.*?)<button/s.exec(text)?.[1] ?? ''
    await put(Object.fromEntries([...none.matchAll(/name="([^"]+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value])))
    expect((await send(`${sandbox.url}/`)).text)
      .to.include('<dt>unavailable</dt><dd>0%</dd>')
      .and.include('<dt>latency</dt><dd>0ms</dd>')
  })

  it('GET lists the commands of the control plane', async () => {
    const got = await send(`${sandbox.url}/_sandbox/`)
    expect(got.status).to.equal(200)
    const { commands } = JSON.parse(got.text) as { commands: { command: string; summary: string; fields: object }[] }
    const named = (name: string) => commands.find(({ command }) => command === `POST /_sandbox/${name}`)
    for (const name of ['faults', 'clock', 'reset', 'seed', 'eid', 'buy', 'bid'])
      expect(named(name)?.summary, name).to.be.a('string')
    expect(named('clock')?.fields).to.have.all.keys('advance')
    expect(named('faults')?.fields).to.include.keys('latency', 'queue-codes')
    expect(named('weather'), 'an old name').to.equal(undefined)
    expect(named('pay')?.summary).to.equal('Pays an order as its buyer.')
    expect(named('pay')?.fields).to.have.all.keys('orderId', 'amount', 'cost')
    expect(commands.at(-1)).to.deep.equal({
      ...{ command: 'GET /_sandbox/state', summary: 'The time, and the panels of the console as HTML.', fields: {} },
    })
  })

  it('an ItemLink leads to the item, and its pictures are there', async () => {
    const list = await post(
      sandbox,
      '1.2',
      'GetSellerItems',
      '<filterActive>Active</filterActive><filterItemType>All</filterItemType>',
    )
    const item = bodyOf(list.text)?.children[0]?.children.find((one) => one.children.some(({ name }) => name === 'ThumbnailLink'))
    const link = (name: string) => item?.children.find((one) => one.name === name)?.text ?? ''
    expect(link('ItemLink')).to.match(new RegExp(`^${sandbox.url}/item/`))
    const page = await send(link('ItemLink'))
    expect(page.status).to.equal(200)
    expect(page.text).to.include('<h1>')
    expect((await send(`${link('ItemLink')}/en-vas`)).status).to.equal(200)
    const id = /(\d+)$/.exec(link('ItemLink'))?.[1] ?? ''
    expect(page.text).to.include(`<dd>${id}</dd>`)
    await order(sandbox, 'seed', { csv: `Title,Price\nSom ${id},50\n` })
    expect((await send(link('ItemLink'))).text, 'another item has its number in the title').to.equal(page.text)
    const picture = await send(link('ThumbnailLink'))
    expect(picture.status).to.equal(200)
    expect(picture.headers['content-type']).to.match(/^image\/(gif|jpeg|png)$/)
    expect((await send(`${sandbox.url}/item/1/999999999`)).status).to.equal(404)
    expect((await send(`${sandbox.url}/item/nonsense`)).status).to.equal(404)
  })

  it('the icon is there', async () => {
    const got = await send(`${sandbox.url}/icon.svg`)
    expect(got.headers['content-type']).to.equal('image/svg+xml')
  })
})
