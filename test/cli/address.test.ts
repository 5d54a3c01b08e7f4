import { expect } from 'chai'
import { baseAddress, readServiceAddress } from '../../src/cli/address.js'
import { SellerError } from '../../src/errors/index.js'

describe('the address of a service', () => {
  const read = (text: string) => readServiceAddress(text, 'base_url')

  for (const text of [
    'https://api.example.com',
    'https://api.example.com/v3/PublicService.asmx?WSDL',
    'https://api.example.com/v3/PublicService.asmx?singleWsdl',
    'https://api.example.com/v3/PublicService.asmx?op=GetItem',
    'http://127.0.0.1:8080/x',
    'http://127.200.3.4',
    'http://localhost:1',
    'http://[::1]:1',
  ]) {
    it(`may be ${text}`, () => expect(read(text).href).to.contain(new URL(text).host))
  }

  for (const [text, why] of [
    ['api.example.com', 'is not a URL'],
    ['', 'is not a URL'],
    ['http://api.example.com', 'is not https'],
    ['ftp://127.0.0.1', 'is not https'],
    ['http://127.0.0.1.example.com', 'is not https'],
    ['http://127.0.0.1x', 'is not'],
    ['http://x127.0.0.1', 'is not'],
    ['http://1.127.0.0.1.example', 'is not https'],
    ['http://128.0.0.1', 'is not https'],
    ['https://me@api.example.com', 'user name or password'],
    ['https://:secret@api.example.com', 'user name or password'],
    ['https://api.example.com/?op=GetItem', 'a query or a fragment'],
    ['https://api.example.com/?op=GetItem&?wsdl', 'a query or a fragment'],
    ['https://api.example.com/?xwsdl', 'a query or a fragment'],
    ['https://api.example.com/?wsdlx', 'a query or a fragment'],
    ['https://api.example.com/#top', 'a query or a fragment'],
  ] as const) {
    it(`is not ${text === '' ? 'empty' : text}`, () => {
      expect(() => read(text))
        .to.throw(SellerError, why)
        .with.property('code', 'invalid_setting')
      expect(() => read(text)).to.throw(/^base_url: /)
    })
  }

  it('quotes no password', () => {
    expect(() => read('https://me:hush@api.example.com')).to.throw(/^((?!hush).)*$/)
  })

  for (const [text, base] of [
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com//', 'https://api.example.com'],
    ['https://api.example.com/v3', 'https://api.example.com'],
    ['https://api.example.com/v3///', 'https://api.example.com'],
    ['https://api.example.com/shop///v3', 'https://api.example.com/shop'],
    ['https://api.example.com/V3/', 'https://api.example.com'],
    ['https://api.example.com/v3/PublicService.asmx?WSDL', 'https://api.example.com'],
    ['https://api.example.com/shop/v3/PublicService.ASMX/GetItem', 'https://api.example.com/shop'],
    ['https://api.example.com/a/v3/restrictedservice.asmx?WSDL', 'https://api.example.com/a/v3/restrictedservice.asmx'],
    ['https://api.example.com/v3/publicservice.asmx/GetItem', 'https://api.example.com/v3/publicservice.asmx'],
    ['https://api.example.com/shop//v3', 'https://api.example.com/shop'],
    ['https://api.example.com/v3/more', 'https://api.example.com/v3/more'],
    ['https://api.example.com/xv3', 'https://api.example.com/xv3'],
    ['https://api.example.com/a.asmx.d/x', 'https://api.example.com/a.asmx.d/x'],
    ['http://127.0.0.1:8080/base/Public.asmx', 'http://127.0.0.1:8080/base'],
  ] as const) {
    it(`${text} has the base ${base}`, () => expect(baseAddress(new URL(text))).to.equal(base))
  }
})
