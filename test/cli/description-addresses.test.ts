/** The addresses of descriptions, from what a person gives. */
import { expect } from 'chai'
import { descriptionAddresses, descriptionsBelow, serviceAddress } from '../../src/cli/descriptions/addresses.js'

const BASE = 'https://api.example.com'
const ALL = [
  { url: `${BASE}/v3/RestrictedService.asmx?WSDL`, service: 'RestrictedService' },
  { url: `${BASE}/v3/PublicService.asmx?WSDL`, service: 'PublicService' },
  {
    url: `${BASE}/v3/OrderService.asmx?WSDL`,
    service: 'OrderService',
    missing: 'This service has no OrderService, so the commands of orders do not work here. All others do.',
  },
  {
    url: `${BASE}/v3/ListingService.asmx?WSDL`,
    service: 'ListingService',
    missing: 'This service has no ListingService, so items:relist does not see what was restarted elsewhere.',
  },
]

describe('the addresses of descriptions', () => {
  for (const text of [BASE, `${BASE}/`, ` ${BASE}/v3 `, `${BASE}/V3/`, `${BASE}#top`, `${BASE}/v3#a#b`]) {
    it(`of ${JSON.stringify(text)} are those of all services`, () => {
      expect(descriptionAddresses(text, '--url')).to.deep.equal(ALL)
    })
  }

  for (const [text, url, service] of [
    ['/v3/PublicService.asmx', '/v3/PublicService.asmx?WSDL', 'PublicService'],
    ['/v3/publicservice.ASMX/', '/v3/publicservice.ASMX?WSDL', 'PublicService'],
    ['/v3/PublicService.asmx//#top', '/v3/PublicService.asmx?WSDL', 'PublicService'],
    ['/v3/RestrictedService.asmx?singleWsdl', '/v3/RestrictedService.asmx?singleWsdl', 'RestrictedService'],
    ['/v3/RestrictedService.asmx?wsdl=1#top', '/v3/RestrictedService.asmx?wsdl=1', 'RestrictedService'],
    ['/Other.asmx', '/Other.asmx?WSDL', undefined],
    ['/OldPublicService.asmx', '/OldPublicService.asmx?WSDL', undefined],
    ['/anything?wsdl', '/anything?wsdl', undefined],
  ] as const) {
    it(`of ${text} is its own`, () => {
      expect(descriptionAddresses(`${BASE}${text}`, '--url')).to.deep.equal([{ url: `${BASE}${url}`, service }])
    })
  }

  it('are those below a base, whatever stands in its name', () => {
    expect(descriptionAddresses(`${BASE}/a.asmx.d`, '--url').map(({ service }) => service)).to.deep.equal([
      'RestrictedService',
      'PublicService',
      'OrderService',
      'ListingService',
    ])
    expect(descriptionsBelow(BASE)).to.deep.equal(ALL.slice(0, 2))
  })

  for (const text of [
    'http://api.example.com?wsdl',
    'api.example.com',
    `${BASE}?op=GetItem`,
    `${BASE}/x?xwsdl`,
    `${BASE}/x?wsdlx`,
  ]) {
    it(`are none for ${text}`, () => {
      expect(() => descriptionAddresses(text, '--url')).to.throw(/^--url: /)
    })
  }

  it('are not where calls are sent, which has no query', () => {
    expect(serviceAddress(BASE, 'PublicService')).to.equal(`${BASE}/v3/PublicService.asmx`)
    expect(serviceAddress(undefined, 'PublicService')).to.equal(undefined)
  })
})
