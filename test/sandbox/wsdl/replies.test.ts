/** Compares what the server really sends with the schema in its own WSDL. */
import { expect } from 'chai'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import type { ServiceName } from '../../../src/contract/index.js'
import { opened } from '../../opened.js'
import { schemaIn } from '../schema.js'
import { CREDENTIALS, NS, openSandbox, order, post, removeOne, send } from '../support.js'
import { at, bodyOf } from '../tree.js'

const ALL = '<categoryId>0</categoryId><filterActive>All</filterActive><filterItemType>All</filterItemType>'

describe('replies and the schema in the WSDL', () => {
  const sandbox = opened(openSandbox)
  const validators = new Map<ServiceName, XsdValidator>()

  before(async () => {
    for (const service of ['RestrictedService', 'PublicService'] as const) {
      const wsdl = await send(`${sandbox.url}/v3/${service}.asmx?WSDL`)
      const schema = XmlDocument.fromString(schemaIn(wsdl.text, NS))
      validators.set(service, XsdValidator.fromDoc(schema))
    }
  })

  function validate(service: ServiceName, xml: string): void {
    const document = XmlDocument.fromString(xml)
    try {
      validators.get(service)?.validate(document)
    } finally {
      document.dispose()
    }
  }

  /** The element in a SOAP body, cut out with the namespaces it uses. */
  function bodyXml(envelope: string): string {
    const inner = /<soap:Body>([\s\S]*)<\/soap:Body>/.exec(envelope)?.[1] ?? ''
    return inner.replace(
      /^<(\w+)/,
      '<$1 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
    )
  }

  const cases: [ServiceName, string, string][] = [
    ['PublicService', 'GetOfficalTime', ''],
    ['PublicService', 'GetCategories', ''],
    ['PublicService', 'GetPaymentTypes', ''],
    ['PublicService', 'GetCounties', ''],
    ['PublicService', 'GetSellerItems', `<userId>1001</userId>${ALL}`],
    ['PublicService', 'GetItem', '<itemId>2147483647</itemId>'],
    ['RestrictedService', 'GetSellerItems', ALL],
    ['RestrictedService', 'GetSellerTransactions', '<request><Filter>NewAndUpdated</Filter></request>'],
    ['RestrictedService', 'GetUserInfo', ''],
    ['RestrictedService', 'GetShopSettings', ''],
    ['RestrictedService', 'GetMemberPaymentOptions', '<memberId>1002</memberId>'],
    ['RestrictedService', 'ValidateCampaignCode', '<campaignCode>STORRABATT</campaignCode>'],
    ['RestrictedService', 'ValidateCampaignCode', '<campaignCode>FINNS-INTE</campaignCode>'],
    ['RestrictedService', 'BeginEidVerification', ''],
    ['RestrictedService', 'GetEidVerificationProgress', ''],
    ['RestrictedService', 'CancelEidVerification', ''],
    ['RestrictedService', 'GetRequestResults', '<requestIds><int>1</int></requestIds>'],
    [
      'RestrictedService',
      'SetPriceOnShopItems',
      '<request><ShopItems><SetPriceShopItem><Id>1</Id><Price>0</Price></SetPriceShopItem></ShopItems></request>',
    ],
    ['RestrictedService', 'SetPricesOnNonShopItems', '<itemId>1</itemId><openingPrice>10</openingPrice><BinPrice>5</BinPrice>'],
    ['RestrictedService', 'LeaveFeedback', '<transactionId>1</transactionId><comment>a</comment>'],
  ]
  for (const [service, operation, inner] of cases) {
    it(`agree on ${service}.${operation} ${inner}`, async () => {
      for (const version of ['1.1', '1.2'] as const) {
        const got = await post(sandbox, version, operation, inner, { service })
        expect(got.status, got.text.slice(0, 300)).to.equal(200)
        validate(service, bodyXml(got.text))
      }
    })
  }

  it('agree on the plain forms', async () => {
    const list = await post(sandbox, '1.2', 'GetSellerItems', ALL)
    const id = at(bodyOf(list.text), 'GetSellerItemsResult', 'Item', 'Id')?.text
    const paths: [ServiceName, string][] = [
      ['PublicService', 'GetOfficalTime'],
      ['PublicService', 'GetCategories'],
      ['PublicService', `GetItem?itemId=${id}`],
      ['PublicService', 'GetItem?itemId=2147483647'],
      ['PublicService', 'GetSellerItems?userId=1001&categoryId=0&filterActive=All&filterItemType=All'],
      ['RestrictedService', 'GetUserInfo'],
      ['RestrictedService', 'GetShopSettings'],
      ['RestrictedService', 'GetRequestResults?requestIds=1'],
      ['RestrictedService', 'LeaveFeedback?transactionId=1&comment=a&type=Positive'],
    ]
    for (const [service, path] of paths) {
      const credentials = service === 'PublicService' ? CREDENTIALS.replace(/&userId.*/, '') : CREDENTIALS
      const got = await send(`${sandbox.url}/v3/${service}.asmx/${path}${path.includes('?') ? '&' : '?'}${credentials}`)
      expect(got.status, `${path}: ${got.text.slice(0, 200)}`).to.equal(200)
      validate(service, got.text)
    }
  })

  it('agree on a request result with several codes', async () => {
    await order(sandbox, 'faults', { 'queue-codes': 'Error TryAgain=100%', 'queue-delay': '0s' })
    const removed = await removeOne(sandbox)
    validate('RestrictedService', bodyXml(removed.text))
    const asked = `<requestIds><int>${removed.requestId}</int></requestIds>`
    const result = await post(sandbox, '1.2', 'GetRequestResults', asked)
    expect(result.text).to.include('<ResultCode>Error TryAgain</ResultCode>')
    validate('RestrictedService', bodyXml(result.text))
  })
})
