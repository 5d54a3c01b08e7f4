/** The sandbox as a server in the style of SoapCore and CoreWCF (docs/service.md, Hosts of another make). */
import { expect } from 'chai'
import { XmlDocument } from 'libxml2-wasm'
import { CREDENTIALS, envelope, NS, openSandbox, post, SOAP_TYPES, send, type TestSandbox } from '../support.js'

describe('a sandbox of another make', () => {
  let sandbox: TestSandbox
  before(async () => {
    sandbox = await openSandbox({ edition: '2026', host: 'core' })
  })
  after(() => sandbox.close())

  it('replies without a declaration, indented, with its own prefix and the content type of the caller', async () => {
    const asked = 'application/soap+xml;charset=utf-8'
    const got = await post(sandbox, '1.2', 'GetUserInfo', '', { http: { 'Content-Type': asked } })
    expect([got.status, got.headers['content-type']]).to.deep.equal([200, asked])
    const [first, second, third] = got.text.split('\r\n')
    expect(first).to.equal(
      '<s:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:s="http://www.w3.org/2003/05/soap-envelope">',
    )
    expect([second, third]).to.deep.equal(['  <s:Body>', `    <GetUserInfoResponse xmlns="${NS}">`])
    XmlDocument.fromString(got.text).dispose()
    const empty = await post(sandbox, '1.1', 'CancelEidVerification', '')
    expect(empty.text).to.match(/^ {4}<CancelEidVerificationResponse xmlns="[^"]+" \/>\r$/m)
  })

  it('blames the caller for every fault, in short words and without details', async () => {
    const twelve = await post(sandbox, '1.2', 'RemoveShopItem', '<shopItemId>1</shopItemId>')
    expect(twelve.status).to.equal(500)
    expect(twelve.text.replace(/\s*\r\n\s*/g, '')).to.match(
      /<s:Fault><s:Code><s:Value>s:Sender<\/s:Value><\/s:Code><s:Reason><s:Text xml:lang="en">Request data is not valid:[^<]*Shop item with id 1 does not exist for user 1001\.<\/s:Text><\/s:Reason><\/s:Fault>/,
    )
    const eleven = await post(sandbox, '1.1', 'GetUserInfo', '', { headers: '' })
    expect(eleven.text).to.include('<faultcode>s:Client</faultcode>').and.not.include('detail')
    expect(eleven.text).to.include('<faultstring>Invalid application id</faultstring>')
    const unknown = await post(sandbox, '1.1', 'NoSuchThing', '')
    expect(unknown.text).to.include(`No operation found for specified action: ${NS}/NoSuchThing`)
  })

  it('wants elements in the order of their type, each once, and skips what it does not know', async () => {
    const price = (inner: string) => post(sandbox, '1.2', 'ValidateCampaignCode', inner)
    const [code, category] = ['<campaignCode>STORRABATT</campaignCode>', '<categoryId>0</categoryId>']
    expect((await price(`${code}<other/>${category}`)).status).to.equal(200)
    for (const [inner, name] of [
      [category + code, 'campaignCode'],
      [code + category + category, 'categoryId'],
    ] as const) {
      const got = await price(inner)
      expect([got.status, got.text.includes(`Element '${name}' was not expected at this place.`)], got.text).to.deep.equal([
        500,
        true,
      ])
    }
    const asmx = await openSandbox()
    try {
      const body = envelope('1.2', `<ValidateCampaignCode xmlns="${NS}">${category}${code}</ValidateCampaignCode>`)
      const got = await send(`${asmx.url}/v3/RestrictedService.asmx`, {
        method: 'POST',
        headers: { 'Content-Type': SOAP_TYPES['1.2'] },
        body,
      })
      expect(got.status).to.equal(200)
    } finally {
      await asmx.close()
    }
  })

  it('has neither HTTP GET nor POST, and describes itself without them', async () => {
    const path = `${sandbox.url}/v3/PublicService.asmx`
    const get = await send(`${path}/GetOfficalTime?${CREDENTIALS}`)
    const form = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: CREDENTIALS }
    const posted = await send(`${path}/GetOfficalTime`, form)
    expect([get.status, posted.status, (await send(path)).status]).to.deep.equal([404, 404, 404])
    const wsdl = await send(`${path}?wsdl`)
    expect(wsdl.text).to.include('name="PublicServiceSoap12"').and.not.include('HttpGet')
  })
})

describe('a sandbox of a published edition', () => {
  it('has the fields of its year alone, and no order in a transaction unless it is told to', async () => {
    const transactions = '<request><Filter>NewAndUpdated</Filter></request>'
    const has = async (options: Parameters<typeof openSandbox>[0]) => {
      const sandbox = await openSandbox(options)
      try {
        const sales = await post(sandbox, '1.2', 'GetSellerTransactions', transactions)
        const own = '<categoryId>0</categoryId><filterActive>All</filterActive><filterItemType>All</filterItemType>'
        const items = await post(sandbox, '1.2', 'GetSellerItems', own)
        const wsdl = await send(`${sandbox.url}/v3/RestrictedService.asmx?wsdl`)
        return [
          sales.text.includes('<OrderId>'),
          items.text.includes('<Duration>'),
          wsdl.text.includes('name="maxStartDate"'),
          wsdl.text.includes('"BeginEidOnFileVerification"'),
          wsdl.text.includes('"EndItem"'),
        ]
      } finally {
        await sandbox.close()
      }
    }
    expect(await has({})).to.deep.equal([false, true, true, true, false])
    expect(await has({ edition: '2022' })).to.deep.equal([false, false, false, false, true])
    expect(await has({ edition: '2026' })).to.deep.equal([false, true, true, true, true])
    expect(await has({ edition: '2026', orderIds: true })).to.deep.equal([true, true, true, true, true])
  })
})
