import { expect } from 'chai'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { type Operation, operationsOf, type ServiceName } from '../../../src/contract/index.js'
import { buildSamples } from '../../../src/sandbox/pages/samples.js'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'
import { schemaIn } from '../schema.js'

const NS = 'http://api.marketplace.example'
const SERVICES: ServiceName[] = ['RestrictedService', 'PublicService']

const ADDRESS = 'http://127.0.0.1:1/v3/x.asmx'
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
/** The element in a SOAP body. */
const bodyOf = (text: string) =>
  (/<soap:Body>\s*([\s\S]*?)\s*<\/soap:Body>/.exec(text)?.[1] ?? '').replace(' ', ` xmlns:xsi="${XSI}" `)
const sampleOf = async (operation: Operation) => {
  const [sample] = await buildSamples(operation, NS, ADDRESS)
  return { request: bodyOf(sample?.request ?? ''), reply: bodyOf(sample?.reply ?? '') }
}

describe('the schema in the WSDL', () => {
  for (const service of SERVICES) {
    describe(service, () => {
      let schema: XmlDocument
      let validator: XsdValidator
      before(() => {
        schema = XmlDocument.fromString(schemaIn(buildWsdl(service, NS, ADDRESS), NS))
        validator = XsdValidator.fromDoc(schema)
      })
      after(() => {
        validator.dispose()
        schema.dispose()
      })

      const validate = (xml: string) => {
        const document = XmlDocument.fromString(xml)
        try {
          validator.validate(document)
        } finally {
          document.dispose()
        }
      }

      for (const operation of Object.values(operationsOf(service)) as Operation[]) {
        it(`takes a request and a reply of ${operation.name}`, async () => {
          const samples = await buildSamples(operation, NS, ADDRESS)
          for (const text of samples.flatMap(({ request, reply }) => [request, reply])) {
            const xml = /<soap:Body>/.test(text) ? bodyOf(text) : text.replace(/^[^<]*/, '')
            if (xml !== '') validate(xml)
          }
        })

        it(`refuses what is no ${operation.name}`, async () => {
          const { request } = await sampleOf(operation)
          const spoilt =
            Object.keys(operation.params).length === 0
              ? `<${operation.name} xmlns="${NS}"><extra/></${operation.name}>`
              : request.replace(`</${operation.name}>`, `<extra/></${operation.name}>`)
          expect(() => validate(spoilt)).to.throw(XmlValidateError)
        })
      }

      it('takes nil where the service may send it', async () => {
        const nil = (name: string) => `<${name} xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>`
        const operation = operationsOf(service).GetSellerItems as Operation
        const { request, reply } = await sampleOf(operation)
        validate(request.replace(/<minEndDate>.*<\/minEndDate>/, nil('minEndDate')))
        for (const name of ['VAT', 'ReservePrice', 'ReservePriceReached', 'BuyItNowPrice', 'ShippingProviderId']) {
          const spoilt = reply.replace(new RegExp(`<${name}>.*</${name}>`), nil(name))
          expect(spoilt).to.not.equal(reply)
          validate(spoilt)
        }
        expect(() => validate(reply.replace(/<TotalBids>.*<\/TotalBids>/, nil('TotalBids')))).to.throw(XmlValidateError)
      })

      if (service === 'PublicService') return

      it('holds elements to their order, types and words', async () => {
        const spoil = async (name: string, from: string | RegExp, to: string) => {
          const { request: sample } = await sampleOf(operationsOf(service)[name] as Operation)
          const spoilt = sample.replace(from, to)
          expect(spoilt, name).to.not.equal(sample)
          expect(() => validate(spoilt), `${name}: ${to}`).to.throw(XmlValidateError)
        }
        await spoil('GetItem', '<itemId>1<', '<itemId><')
        await spoil('GetItem', '<itemId>1<', '<itemId>4294967296<')
        await spoil('GetItem', /<itemId>.*<\/itemId>/, '')
        await spoil('LeaveFeedback', '>Positive<', '>positive<')
        await spoil('AddItem', /<Title>.*<\/Title>/, '<Title>a</Title><Title>b</Title>')
        await spoil('AddItem', '<CategoryId>1</CategoryId>', '')
        await spoil('AddItem', /(<Duration>.*<\/Duration>)\s*(<Restarts>.*<\/Restarts>)/, '$2$1')
        await spoil(
          'AddItem',
          /<Duration>.*<\/Duration>/,
          '<Duration xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>',
        )
      })
    })
  }

  it('reads a list of result codes as a list of words', () => {
    const schema = XmlDocument.fromString(schemaIn(buildWsdl('RestrictedService', NS, 'http://127.0.0.1:1/'), NS))
    const validator = XsdValidator.fromDoc(schema)
    const result = (codes: string) =>
      XmlDocument.fromString(
        `<ArrayOfRequestResult xmlns="${NS}"><RequestResult><RequestId>1</RequestId><ResultCode>${codes}</ResultCode></RequestResult></ArrayOfRequestResult>`,
      )
    validator.validate(result('Error TryAgain'))
    validator.validate(result('Ok'))
    expect(() => validator.validate(result('Ok, Error'))).to.throw(XmlValidateError)
    expect(() => validator.validate(result('Eror'))).to.throw(XmlValidateError)
  })

  it('takes a tree of categories of any depth, with its attributes', () => {
    const schema = XmlDocument.fromString(schemaIn(buildWsdl('PublicService', NS, 'http://127.0.0.1:1/'), NS))
    const validator = XsdValidator.fromDoc(schema)
    const tree = (inner: string) => XmlDocument.fromString(`<ArrayOfCategory xmlns="${NS}">${inner}</ArrayOfCategory>`)
    validator.validate(
      tree('<Category Id="1" Name="Kläder"><Category Id="2"><Category Id="3" Name="Skor"/></Category></Category>'),
    )
    expect(() => validator.validate(tree('<Category Name="Kläder"/>'))).to.throw(XmlValidateError)
    expect(() => validator.validate(tree('<Category Id="x"/>'))).to.throw(XmlValidateError)
  })
})
