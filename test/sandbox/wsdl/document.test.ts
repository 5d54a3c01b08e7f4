import { expect } from 'chai'
import { XmlDocument, type XmlElement } from 'libxml2-wasm'
import { Item, operationsOf, parametersBeyondText, type ServiceName } from '../../../src/contract/index.js'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'

const NS = 'http://api.marketplace.example'
const ADDRESS = 'http://127.0.0.1:8080/v3/RestrictedService.asmx'
const PREFIXES = {
  wsdl: 'http://schemas.xmlsoap.org/wsdl/',
  s: 'http://www.w3.org/2001/XMLSchema',
  soap: 'http://schemas.xmlsoap.org/wsdl/soap/',
  soap12: 'http://schemas.xmlsoap.org/wsdl/soap12/',
  http: 'http://schemas.xmlsoap.org/wsdl/http/',
  mime: 'http://schemas.xmlsoap.org/wsdl/mime/',
}

for (const service of ['RestrictedService', 'PublicService'] as ServiceName[]) {
  describe(`the WSDL of ${service}`, () => {
    let document: XmlDocument
    const all = (path: string) => document.find(path, PREFIXES) as XmlElement[]
    const texts = (path: string) => document.find(path, PREFIXES).map((node) => node.content)
    const operations = Object.values(operationsOf(service))
    const names = operations.map(({ name }) => name)
    const plain = operations.filter((operation) => parametersBeyondText(operation).length === 0).map(({ name }) => name)

    before(() => {
      document = XmlDocument.fromString(buildWsdl(service, NS, ADDRESS))
    })
    after(() => document.dispose())

    it('has the children of definitions in the order of WSDL 1.1', () => {
      const children = all('/wsdl:definitions/*').map(({ name }) => name)
      expect(children.filter((name, index) => name !== children[index - 1])).to.deep.equal([
        'types',
        'message',
        'portType',
        'binding',
        'service',
      ])
      expect(texts('/wsdl:definitions/@targetNamespace')).to.deep.equal([NS])
    })

    it('has four ports, each with a binding and the address of the server', () => {
      const ports = ['Soap', 'Soap12', 'HttpGet', 'HttpPost'].map((suffix) => `${service}${suffix}`)
      expect(texts('/wsdl:definitions/wsdl:service/@name')).to.deep.equal([service])
      expect(texts('//wsdl:port/@name')).to.deep.equal(ports)
      expect(texts('//wsdl:port/@binding')).to.deep.equal(ports.map((port) => `tns:${port}`))
      expect(texts('//wsdl:binding/@name')).to.deep.equal(ports)
      expect(texts('//wsdl:port/*/@location')).to.deep.equal([ADDRESS, ADDRESS, ADDRESS, ADDRESS])
      expect(all('//wsdl:port/*').map(({ namespaceUri }) => namespaceUri)).to.deep.equal([
        PREFIXES.soap,
        PREFIXES.soap12,
        PREFIXES.http,
        PREFIXES.http,
      ])
    })

    it('has every operation in both SOAP bindings, and those that travel as text in the HTTP ones', () => {
      const inBinding = (suffix: string) => texts(`//wsdl:binding[@name="${service}${suffix}"]/wsdl:operation/@name`)
      expect(inBinding('Soap')).to.deep.equal(names)
      expect(inBinding('Soap12')).to.deep.equal(names)
      expect(inBinding('HttpGet')).to.deep.equal(plain)
      expect(inBinding('HttpPost')).to.deep.equal(plain)
      for (const port of ['Soap', 'HttpGet', 'HttpPost']) {
        const expected = port === 'Soap' ? names : plain
        expect(texts(`//wsdl:portType[@name="${service}${port}"]/wsdl:operation/@name`), port).to.deep.equal(expected)
      }
      if (service === 'RestrictedService') {
        expect(plain).to.include('GetRequestResults').and.not.include('AddItem')
      } else {
        expect(plain).to.deep.equal(names)
      }
    })

    it('names no message, element, type or port type that is not there', () => {
      const bare = (list: string[]) => list.map((name) => name.replace(/^tns:/, ''))
      const messages = texts('//wsdl:message/@name')
      expect(new Set(messages)).to.have.lengthOf(messages.length)
      expect(messages).to.include.members(bare(texts('//@message')))
      expect(new Set(bare(texts('//@message'))), 'every message is used').to.have.lengthOf(messages.length)
      expect(texts('//wsdl:types/s:schema/s:element/@name')).to.include.members(bare(texts('//wsdl:part/@element')))
      const types = texts('//wsdl:types/s:schema/*[self::s:complexType or self::s:simpleType]/@name')
      expect(new Set(types)).to.have.lengthOf(types.length)
      expect(types).to.include.members(bare(texts('//s:element/@type[starts-with(., "tns:")]')))
      expect(texts('//wsdl:portType/@name')).to.include.members(bare(texts('//wsdl:binding/@type')))
    })

    it('is document/literal over HTTP, with its actions and headers', () => {
      for (const prefix of ['soap', 'soap12']) {
        expect(texts(`//${prefix}:binding/@transport`)).to.deep.equal(['http://schemas.xmlsoap.org/soap/http'])
        expect(texts(`//${prefix}:operation/@soapAction`)).to.deep.equal(names.map((name) => `${NS}/${name}`))
        expect(new Set(texts(`//${prefix}:operation/@style`))).to.have.keys('document')
        expect(new Set(texts(`//${prefix}:body/@use | //${prefix}:header/@use`))).to.have.keys('literal')
        const headers =
          service === 'RestrictedService'
            ? ['AuthenticationHeader', 'AuthorizationHeader', 'ConfigurationHeader']
            : ['AuthenticationHeader', 'ConfigurationHeader']
        for (const name of names) {
          const input = `//wsdl:operation[@name="${name}"]/wsdl:input/${prefix}:header`
          expect(texts(`${input}/@part`)).to.deep.equal(headers)
          expect(texts(`${input}/@message`)).to.deep.equal(headers.map((header) => `tns:${name}${header}`))
        }
      }
    })

    it('gives the HTTP forms their parameters as texts and their results as elements', () => {
      expect(texts('//http:binding/@verb')).to.deep.equal(['GET', 'POST'])
      expect(new Set(texts('//http:operation/@location'))).to.have.all.keys(plain.map((name) => `/${name}`))
      const types = texts('//wsdl:message[contains(@name, "HttpGetIn")]/wsdl:part/@type')
      expect(new Set(types).has('s:string')).to.equal(true)
      if (service === 'PublicService') {
        expect(texts('//wsdl:message[@name="GetOfficalTimeHttpGetOut"]/wsdl:part/@element')).to.deep.equal(['tns:dateTime'])
        return
      }
      const parts = '//wsdl:message[@name="GetRequestResultsHttpPostIn"]/wsdl:part'
      expect(texts(`${parts}/@name`)).to.deep.equal(['requestIds'])
      expect(texts(`${parts}/@type`)).to.deep.equal(['s1:StringArray'])
      expect(texts('//wsdl:message[@name="LeaveFeedbackHttpGetOut"]/wsdl:part/@element')).to.deep.equal(['tns:boolean'])
      expect(all('//wsdl:message[@name="AddItemCommitHttpGetOut"]/*')).to.deep.equal([])
      const output = (name: string) =>
        all(`//wsdl:binding[@name="RestrictedServiceHttpGet"]/wsdl:operation[@name="${name}"]/wsdl:output/*`).length
      expect([output('LeaveFeedback'), output('AddItemCommit')]).to.deep.equal([1, 0])
      const roots = texts('//s:schema/s:element[@nillable="true"]/@name')
      expect(roots).to.include('ArrayOfItem').and.include('UserInfo').and.not.include('boolean')
      // For soap:mustUnderstand and the like.
      const open = texts('//s:complexType[s:anyAttribute]/@name')
      expect(open).to.have.members(['AuthenticationHeader', 'AuthorizationHeader', 'ConfigurationHeader'])
      const [, array] = all('//s:schema')
      expect(array?.attr('targetNamespace')?.value).to.equal(`${NS}/AbstractTypes`)
      expect(texts('//s:complexType[@name="StringArray"]/s:sequence/s:element/@maxOccurs')).to.deep.equal(['unbounded'])
    })

    it('keeps the order, occurrence and nil of the contract', () => {
      const fields = all('//s:complexType[@name="Item"]/s:sequence/s:element')
      const facts = fields.map((field) =>
        ['name', 'minOccurs', 'maxOccurs', 'nillable'].map((key) => field.attr(key)?.value ?? ''),
      )
      expect(facts.map(([name]) => name)).to.deep.equal(Object.keys(Item.fields))
      expect(facts[0]).to.deep.equal(['ShippingOptions', '0', 'unbounded', ''])
      expect(facts[4]).to.deep.equal(['Status', '0', '1', ''])
      expect(facts.find(([name]) => name === 'ReservePriceReached')).to.deep.equal(['ReservePriceReached', '1', '1', 'true'])
      expect(facts.at(-1)).to.deep.equal(['ReservePriceManuallySet', '1', '1', ''])
    })
  })
}

describe('a WSDL', () => {
  it('escapes the namespace and the address', () => {
    const document = XmlDocument.fromString(
      buildWsdl('PublicService', 'urn:a&b', 'http://localhost:1/v3/PublicService.asmx?x="1"'),
    )
    expect(document.find('/*/@targetNamespace').map((node) => node.content)).to.deep.equal(['urn:a&b'])
    document.dispose()
  })
})
