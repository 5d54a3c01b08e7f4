import { expect } from 'chai'
import fc from 'fast-check'
import xml2js from 'xml2js'
import { operations } from '../../src/contract/index.js'
import { buildXml, envelopeTree, showXml } from '../../src/soap/wire/encode.js'
import type { Node } from '../../src/soap/wire/long-lists.js'
import { LongList } from '../../src/soap/wire/long-lists.js'

const NS = 'urn:x'
const HEADERS = {
  AuthenticationHeader: { AppId: 1 },
  AuthorizationHeader: null,
  ConfigurationHeader: { Sandbox: 0, MaxResultAge: 0 },
}

const tree = (name: 'SetPriceOnShopItems' | 'GetRequestResults', params: Record<string, unknown>, shown = false) =>
  envelopeTree('1.2', NS, { service: 'RestrictedService', name, operation: operations[name], params }, HEADERS, shown)

/** xml2js's text for a tree of plain nodes; the shown one has no secrets here. */
const slow = (node: Node) =>
  new xml2js.Builder({ xmldec: { version: '1.0', encoding: 'utf-8' }, renderOpts: { pretty: false } }).buildObject(node)

const int = fc.integer({ min: -2147483648, max: 2147483647 })

describe('long lists in requests', () => {
  it('of prices are the same text as xml2js makes of them', async () => {
    const entry = fc.record({ Id: int, Price: int })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 100 }), async (ShopItems) => {
        const params = { request: { ShopItems } }
        expect(await buildXml(tree('SetPriceOnShopItems', params))).to.equal(slow(tree('SetPriceOnShopItems', params, true)))
      }),
    )
  })
  it('of ids are the same text as xml2js makes of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(int, { maxLength: 100 }), async (requestIds) => {
        expect(await buildXml(tree('GetRequestResults', { requestIds }))).to.equal(
          slow(tree('GetRequestResults', { requestIds }, true)),
        )
      }),
    )
  })
  it('do not reach xml2js, and are shown as they were', () => {
    const params = { requestIds: Array.from({ length: 500 }, (_, at) => at) }
    expect(tree('GetRequestResults', params))
      .to.have.nested.property('soap:Envelope.soap:Body.GetRequestResults.requestIds.int')
      .instanceOf(LongList)
    const prices = { request: { ShopItems: Array.from({ length: 500 }, (_, at) => ({ Id: at + 1, Price: 5 })) } }
    expect(tree('SetPriceOnShopItems', prices))
      .to.have.nested.property('soap:Envelope.soap:Body.SetPriceOnShopItems.request.ShopItems.SetPriceShopItem')
      .instanceOf(LongList)
    expect(
      showXml(tree('GetRequestResults', params, true))
        .split('\n')
        .filter((line) => line.includes('<int>')),
    ).to.have.length(500)
  })
})
