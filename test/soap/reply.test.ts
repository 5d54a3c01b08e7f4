import { expect } from 'chai'
import { operations } from '../../src/contract/index.js'
import { BrokenReply, type Expected, expectedReply, plainReplyReader, soapReplyReader } from '../../src/soap/wire/reply.js'
import { NotText, textChunks } from '../../src/soap/wire/text.js'
import { XmlCutShort } from '../../src/soap/wire/xml.js'
import { response } from './service.js'

const getItem = expectedReply(operations.GetItem)

function read(xml: string, expected: Expected = getItem): unknown {
  const reader = soapReplyReader(expected)
  reader.write(xml)
  reader.end()
  return reader.fault ?? reader.value
}

const item = (inner: string) => read(response('GetItem', `<GetItemResult>${inner}</GetItemResult>`)) as Record<string, unknown>

describe('reading a reply', () => {
  it('has an array for every list, in the order of the contract, wherever and however often it came', () => {
    const value = item(
      '<Id>1</Id><PaymentOptions><int>4</int></PaymentOptions><Buyers><Id>2</Id></Buyers><PaymentOptions><int>8</int></PaymentOptions>',
    )
    expect(value.PaymentOptions).to.deep.equal([4, 8])
    expect(value.Buyers).to.deep.equal([{ Id: 2 }])
    expect(value.ShippingOptions).to.deep.equal([])
    expect(Object.keys(item('<StartQuantity>1</StartQuantity><Id>1</Id>'))).to.deep.equal([
      'ShippingOptions',
      'PaymentOptions',
      'ImageLinks',
      'Buyers',
      'StartQuantity',
      'DetailedImageLinks',
      'Id',
      'OwnReferences',
      'ItemAttributes',
    ])
  })

  it('has null for nil, nothing for what is absent, and leaves nil entries out', () => {
    const value = item(
      '<ReservePrice xsi:nil="true"/><MaxBid xsi:nil="1"/><VAT xsi:nil="false">25</VAT><ImageLinks xsi:nil="true"/><Buyers xsi:nil="true"/>',
    )
    expect(value).to.include({ ReservePrice: null, MaxBid: null, VAT: 25 })
    expect(value).to.deep.include({ ImageLinks: [], Buyers: [] })
    expect(value).to.not.have.property('Id')
  })

  it('keeps what it does not know, as text or as objects, under any name', () => {
    const value = item(
      '<New>a&amp;b</New><Tree unit="cm"><W>1</W><W>2</W>!<H/></Tree><Nil xsi:nil="true"/><constructor>c</constructor><Id>1</Id>',
    )
    expect(value).to.deep.include({ New: 'a&b', Tree: { unit: 'cm', W: ['1', '2'], H: '', '#text': '!' }, Nil: null, Id: 1 })
    expect(Object.hasOwn(value, 'constructor')).to.equal(true)
    const polluting = item('<__proto__><polluted>yes</polluted></__proto__>')
    expect(Object.getPrototypeOf(polluting)).to.equal(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined)
  })

  it('reads texts in pieces: CDATA, comments, references, line ends', () => {
    expect(item('<ShortDescription>a<![CDATA[<b>]]><!-- c -->d&#xE5;&#229;\r\ne&lt;</ShortDescription>')).to.include({
      ShortDescription: 'a<b>då' + 'å\ne<',
    })
  })

  it('reads every plain and odd form of a number, a boolean, a date', () => {
    for (const [text, value] of [
      ['0', 0],
      ['-0', 0],
      ['-7', -7],
      ['+7', 7],
      [' 12 ', 12],
      ['0012', 12],
      ['2147483647', 2147483647],
      ['-2147483648', -2147483648],
      ['123456789', 123456789],
    ] as const) {
      expect(Object.is(item(`<Id>${text}</Id>`).Id, value), text).to.equal(true)
    }
    for (const [text, value] of [
      ['true', true],
      ['1', true],
      [' false ', false],
      ['0', false],
    ] as const) {
      expect(item(`<Bold>${text}</Bold>`).Bold).to.equal(value)
    }
    for (const date of [
      '2026-11-30T18:00:00',
      '2026-11-30T18:00:00Z',
      '2026-02-28T23:59:59.1234567+14:00',
      '2024-02-29T00:00:00-05:00',
      '2026-11-30T24:00:00',
      '0001-01-01T00:00:00',
    ]) {
      expect(item(`<StartDate>${date}</StartDate>`).StartDate).to.equal(date)
    }
  })

  it('never makes a number or a date of what is not one', () => {
    for (const [name, text] of [
      ['Id', ''],
      ['Id', '-'],
      ['Id', '1.0'],
      ['Id', '1e3'],
      ['Id', '0x10'],
      ['Id', '2147483648'],
      ['Id', '-2147483649'],
      ['Id', '1 2'],
      ['Id', '٣'],
      ['Bold', 'True'],
      ['Bold', ''],
      ['Bold', 'yes'],
      ['StartDate', ''],
      ['StartDate', '2026-11-31T00:00:00'],
      ['StartDate', '2026-11-30'],
      ['StartDate', '2026-11-30T25:00:00'],
      ['StartDate', '2026-11-30T18:00:00.'],
      ['StartDate', '2026-11-30T18:00:00+1:00'],
      ['StartDate', '2025-02-29T00:00:00'],
    ] as const) {
      expect(() => item(`<${name}>${text}</${name}>`), `${name} "${text}"`).to.throw(
        BrokenReply,
        `GetItemResponse.GetItemResult.${name}`,
      )
    }
    const shop = expectedReply(operations.GetShopSettings)
    const logo = response(
      'GetShopSettings',
      '<GetShopSettingsResult><LogoInformation><ImageData>§</ImageData></LogoInformation></GetShopSettingsResult>',
    )
    // An optional field is left out.
    expect(read(logo, shop)).to.deep.equal({ LogoInformation: {} })
    expect(item('<ShippingOptions><ShippingWeight>1,5</ShippingWeight></ShippingOptions><VAT>1,5</VAT>')).to.deep.include({
      ShippingOptions: [{}],
    })
  })

  it('reads faults of both versions in any prefix', () => {
    expect(
      read(
        '<E:Envelope xmlns:E="x"><E:Body><E:Fault><faultcode>E:Server.Busy</faultcode><faultstring xml:lang="sv"> Nej. </faultstring></E:Fault></E:Body></E:Envelope>',
      ),
    ).to.deep.equal({ code: 'Server', text: 'Nej.', bare: true })
    expect(
      read(
        '<Envelope><Body><Fault><Code><Value>Sender</Value><Subcode><Value>m:X</Value></Subcode></Code><Reason><Text lang="en">No.</Text><Text lang="sv">Nej.</Text></Reason></Fault></Body></Envelope>',
      ),
    ).to.deep.equal({ code: 'Client', text: 'No.', bare: true })
    expect(read('<Envelope><Body><Fault/></Body></Envelope>')).to.deep.equal({
      code: 'Server',
      text: 'The service gave no reason.',
      bare: true,
    })
    expect(
      read(
        '<Envelope><Body><Fault><faultcode>soap:VersionMismatch</faultcode><faultstring>v</faultstring></Fault></Body></Envelope>',
      ),
    ).to.deep.equal({ code: 'VersionMismatch', text: 'v', bare: true })
  })

  it('tells of a reply cut short at any byte, never hangs, and never takes it for whole', () => {
    const whole = Buffer.from(
      response(
        'GetItem',
        '<GetItemResult><Id>7</Id><ShortDescription>Röd &amp; <![CDATA[fin]]></ShortDescription></GetItemResult>',
      ),
    )
    const end = whole.lastIndexOf('>')
    for (let length = 0; length < end; length++) {
      const attempt = () => {
        const reader = soapReplyReader(getItem)
        const text = textChunks(undefined)
        reader.write(text.push(whole.subarray(0, length)))
        expect(reader.complete).to.equal(false)
        text.end()
        reader.end()
      }
      expect(attempt, `${length} bytes`)
        .to.throw(Error)
        .that.satisfies((error: unknown) => error instanceof XmlCutShort || error instanceof NotText)
    }
  })
})

describe('reading a bare result', () => {
  const plain = (xml: string, expected: Expected) => {
    const reader = plainReplyReader(expected)
    reader.write(xml)
    reader.end()
    return reader.value
  }

  it('is nothing at all only where the operation has no result', () => {
    const cancel = expectedReply(operations.CancelEidVerification)
    expect(plain('', cancel)).to.equal(null)
    expect(() => plain('<Done>', cancel)).to.throw(XmlCutShort)
    expect(() => plain('', getItem)).to.throw(XmlCutShort)
  })

  it('is null where it is nil, and where an operation has none', () => {
    expect(plain('<Item xmlns:xsi="x" xsi:nil="true"/>', getItem)).to.equal(null)
    expect(plain('', expectedReply(operations.AddItemCommit))).to.equal(null)
    expect(() => plain('', getItem)).to.throw(XmlCutShort)
  })
})
