import { expect } from 'chai'
import { closing, opened } from '../../opened.js'
import { expectEmpty, expectPage, expectPlain } from '../expectations.js'
import { CREDENTIALS, HEADERS, NS, openSandbox, post, send } from '../support.js'
import { treeOf } from '../tree.js'

const PUBLIC_HEADERS = HEADERS.replace(/<AuthorizationHeader.*<\/AuthorizationHeader>/, '')

describe('what fails without SOAP, and how', () => {
  const sandbox = opened(openSandbox)

  const restricted = () => `${sandbox.url}/v3/RestrictedService.asmx`

  describe('refusals without SOAP (docs/service.md, Refusals without SOAP)', () => {
    it('403 without a right user, in every binding', async () => {
      for (const headers of [PUBLIC_HEADERS, HEADERS.replace(/<Token>.*<\/Token>/, '<Token>wrong</Token>')]) {
        expectPage(await post(sandbox, '1.1', 'GetUserInfo', '', { headers }), 403)
        expectPage(await post(sandbox, '1.2', 'GetUserInfo', '', { headers }), 403)
      }
      const wrong = CREDENTIALS.replace(/token=.*/, 'token=wrong')
      expectPage(await send(`${restricted()}/GetUserInfo?${wrong}`), 403)
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      expectPage(await send(`${restricted()}/GetUserInfo`, { method: 'POST', headers: form, body: wrong }), 403)
    })

    it('429 over the quota, in every binding, and it says when to come again', async () => {
      await using busy = closing(await openSandbox({ faults: { quota: { calls: 2, windowMs: 60_000 } } }))
      for (let i = 0; i < 2; i++) expect((await post(busy, '1.2', 'GetUserInfo', '')).status).to.equal(200)
      const over = await post(busy, '1.2', 'GetUserInfo', '')
      expectPage(over, 429)
      expect(over.headers['retry-after']).to.equal('60')
      expectPage(await post(busy, '1.1', 'GetUserInfo', ''), 429)
      expectPage(await send(`${busy.url}/v3/RestrictedService.asmx/GetUserInfo?${CREDENTIALS}`), 429)
      busy.clock.at += 60_001
      expect((await post(busy, '1.2', 'GetUserInfo', '')).status).to.equal(200)
    })
  })

  describe('HTTP GET and POST (docs/service.md, Failures of HTTP GET and POST)', () => {
    const get = (path: string) => send(`${restricted()}/${path}${path.includes('?') ? '&' : '?'}${CREDENTIALS}`)
    const form = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
      send(`${restricted()}/${path}`, { method: 'POST', headers: { 'Content-Type': type }, body })

    it('a parameter that is missing', async () => {
      expectPlain(await get('GetItem'), 'Missing parameter: itemId.')
      expectPlain(await form('GetItem', CREDENTIALS), 'Missing parameter: itemId.')
      expectPlain(await get('LeaveFeedback?transactionId=1'), 'Missing parameter: comment.')
    })

    it('a name that does not exist, has the wrong case, or cannot travel as text', async () => {
      expectPlain(await get('GetItm'), 'GetItm Web Service method name is not valid.')
      expectPlain(await get('constructor'), 'constructor Web Service method name is not valid.')
      expectPlain(
        await get('getitem?itemId=1'),
        'getitem Web Service method name is not valid. Did you mean GetItem? Method names are case sensitive.',
      )
      expectPlain(await get('AddItem'), /^AddItem Web Service method name is not valid\. .*itemRequest.*SOAP/)
      expectPlain(await get('GetOfficalTime'), 'GetOfficalTime Web Service method name is not valid.')
    })

    it('a value of the wrong type', async () => {
      expectPlain(
        await get('GetItem?itemId=abc'),
        /^Cannot convert abc to System\.Int32\.\r?\nParameter name: type ---> Input string was not in a correct format\.\r\n$/,
      )
      expectPlain(await get('GetItem?itemId='), /^Cannot convert {1,2}to System\.Int32\./)
      expectPlain(await form('LeaveFeedback', `transactionId=1&comment=a&type=good&${CREDENTIALS}`), /^Cannot convert good to /)
    })

    it('a scalar sent twice is joined with a comma, which is no number', async () => {
      expectPlain(await get('GetItem?itemId=1&itemId=2'), /^Cannot convert 1,2 to System\.Int32\./)
    })

    it('texts are escaped, so that nothing of them is markup', async () => {
      expectPlain(await get('GetItem?itemId=%3Cb%3E%22'), /^Cannot convert &lt;b&gt;&quot; to System\.Int32\./)
      expectPlain(await get('%3Cscript%3E'), '&lt;script&gt; Web Service method name is not valid.')
    })

    it('faults of the service are their text', async () => {
      expectPlain(await get('RemoveShopItem?shopItemId=1'), /^Invalid request ---> Request data is not valid:/)
      const nobody = await send(`${restricted()}/GetUserInfo?appId=x`)
      expectPlain(nobody, 'Server was unable to process request. ---> Invalid application id')
    })

    it('an envelope at the address of an operation', async () => {
      const got = await send(`${sandbox.url}/v3/PublicService.asmx/GetCounties`, {
        ...{ method: 'POST', headers: { 'Content-Type': 'text/xml' }, body: '<a/>' },
      })
      expect([got.status, got.text]).to.deep.equal([500, 'Request format is invalid: text/xml.\r\n'])
    })

    it('a body that is no form', async () => {
      expectPlain(await form('GetItem', '{}', 'application/json'), 'Request format is invalid: application/json.')
    })

    it('names of parameters are of any case, a list repeats its name', async () => {
      const got = await get('GetItem?ITEMID=2147483647')
      expect(got.status).to.equal(200)
      const results = await get('GetRequestResults?requestIds=1&requestids=2')
      expect(treeOf(results.text).name).to.equal('ArrayOfRequestResult')
    })

    it('success: XML with the type as its root, or nothing for void', async () => {
      const user = await get('GetUserInfo')
      expect(user.headers['content-type']).to.equal('text/xml; charset=utf-8')
      expect(user.text.startsWith('<?xml version="1.0" encoding="utf-8"?>')).to.equal(true)
      expect(treeOf(user.text)).to.include({ name: 'UserInfo', namespace: NS })
      const left = await get('LeaveFeedback?transactionId=2147483647&comment=a&type=Positive')
      expect(treeOf(left.text)).to.include({ name: 'boolean', namespace: NS, text: 'false' })
      const empty = await get('CancelEidVerification')
      expectEmpty(empty, 200)
    })
  })
})
