import { expect } from 'chai'
import { operations, readSimple, unreadFields } from '../../../src/contract/index.js'
import { planOf, type Slot, wrapperSlot } from '../../../src/soap/wire/plan.js'
import { type ReadingHabits, ValueReader } from '../../../src/soap/wire/reader.js'
import { BrokenReply, expectedReply, plainReplyReader, soapReplyReader } from '../../../src/soap/wire/reply.js'
import { XmlError } from '../../../src/soap/wire/xml.js'
import { XmlReader } from '../../../src/soap/wire/xml-reader.js'
import { NS, response } from '../service.js'

const item = (inner: string) => read(response('GetItem', `<GetItemResult>${inner}</GetItemResult>`))

function read(xml: string): Record<string, unknown> {
  const reader = soapReplyReader(expectedReply(operations.GetItem))
  reader.write(Buffer.from(xml))
  reader.end()
  return reader.value as Record<string, unknown>
}

/** A reader of the values of an item. */
function itemValues(habits: Pick<ReadingHabits, 'complete' | 'oddity'>): ValueReader {
  const { result } = operations.GetItem
  if (result.type.kind !== 'struct') throw new Error('an item is a struct')
  return new ValueReader(wrapperSlot('Item', planOf(result.type)), {
    keepUnknown: true,
    heedsNil: () => true,
    value: ({ simple = { kind: 'string' } }, text) => readSimple(simple, text),
    refuseChild: () => new Error('a child'),
    ...habits,
  })
}

describe("the contract's elements", () => {
  it('are in the namespace of their parents; one of another is kept beside them under its whole name', () => {
    const value = item(
      '<Id>1</Id><Duration>100</Duration><x:Duration xmlns:x="urn:x">1</x:Duration><Bold xmlns="">true</Bold><x:New xmlns:x="urn:x">n</x:New>',
    )
    expect(value).to.include({ Id: 1, Duration: 100, '{urn:x}Duration': '1', '{}Bold': 'true', New: 'n' })
    expect(value).to.not.have.property('Bold')
  })

  it('are not entries of a list when they are in another namespace', () => {
    const value = item(
      '<PaymentOptions><int>1</int><int xmlns="urn:x">2</int></PaymentOptions><Buyers xmlns="urn:x"><Id>3</Id></Buyers>',
    )
    expect(value).to.deep.include({ PaymentOptions: [1], Buyers: [], '{urn:x}Buyers': { Id: '3' } })
  })

  it('are distinguished by namespace where the default one changes and comes back', () => {
    const other = `<n:Seller xmlns:n="${NS}" xmlns="${NS}"><TotalRating>7</TotalRating></n:Seller><Duration>8</Duration><n:Duration xmlns:n="${NS}">9</n:Duration>`
    const value = read(response('GetItem', `<n:GetItemResult xmlns:n="${NS}" xmlns="urn:other">${other}</n:GetItemResult>`))
    expect(value).to.deep.include({ Seller: { TotalRating: 7 }, '{urn:other}Duration': '8', Duration: 9 })
  })

  it('may have any prefix, and the prefix of nil has to be bound', () => {
    expect(item(`<VAT xsi:nil="true" /><n:Id xmlns:n="${NS}">7</n:Id>`)).to.include({ VAT: null, Id: 7 })
    const without = response('GetItem', '<GetItemResult><VAT xsi:nil="true" /></GetItemResult>').replace(/ xmlns:xsi="[^"]*"/, '')
    expect(() => read(without)).to.throw(XmlError, 'unbound namespace prefix "xsi"')
  })

  it('come without an event for each as long as they follow the contract', () => {
    const events: string[] = []
    const values = itemValues({ complete: () => {}, oddity: () => {} })
    const reader = new XmlReader({
      values,
      open: (local, foreign) => {
        events.push(`<${local}>`)
        values.open(local, foreign)
      },
      attribute: (prefix, local, value) => values.attribute(prefix, local, value),
      text: (text) => {
        events.push(text)
        values.characters(text)
      },
      close: () => values.close(),
    })
    reader.write(
      '<Item xmlns:xsi="u"><Id>1</Id><VAT xsi:nil="true" /><Status>\n<Ended>true</Ended></Status><Buyers/>' +
        '<ShortDescription>r\u00f6d &amp; bl\u00e5</ShortDescription><StartQuantity >2</StartQuantity><Duration>3</Duration></Item>',
    )
    reader.end()
    // A space in a tag is what the fast path leaves to the slow one; after it, the fast one goes on.
    expect(events).to.deep.equal(['<Item>', '<StartQuantity>', '2'])
    expect(values.value).to.include({ Id: 1, ShortDescription: 'r\u00f6d & bl\u00e5', StartQuantity: 2, Duration: 3 })
  })

  it('that come twice, late or in another namespace are reported to the checks of values', () => {
    const odd: string[] = []
    const completed: unknown[] = []
    const values = itemValues({
      complete: (plan, value, path) => completed.push([plan.name, path(), { ...value }]),
      oddity: (what, slot, path) => odd.push(`${what} ${path()}.${slot.name} ${slot.field?.type.kind}`),
    })
    const reader = new XmlReader({
      values,
      open: (local, foreign) => values.open(local, foreign),
      attribute: (prefix, local, value) => values.attribute(prefix, local, value),
      text: (text) => values.characters(text),
      close: () => values.close(),
    })
    reader.write(
      '<Item xmlns:xsi="u"><Status><Ended>true</Ended><Ended >false</Ended></Status><Id>1</Id><VAT xsi:nil="true" /><StartQuantity>2</StartQuantity>' +
        '<Id>3</Id><Id xmlns="urn:x">4</Id><Buyers/><Buyers/></Item>',
    )
    reader.end()
    expect(odd).to.deep.equal([
      'repeated Item.Status.Ended boolean',
      'disordered Item.StartQuantity int',
      'repeated Item.Id int',
      'foreign Item.Id int',
      'disordered Item.Buyers struct',
      'disordered Item.Buyers struct',
    ])
    expect(completed.map((entry) => (entry as string[])[1])).to.deep.equal(['Item.Status', 'Item.Buyers', 'Item.Buyers', 'Item'])
    expect(values.value).to.deep.include({ Id: 3, VAT: null, '{urn:x}Id': '4', Status: { Ended: false } })
  })
})

describe('values read from their bytes', () => {
  it('are those of the whole text, and what only begins like one is refused', () => {
    for (const [text, value] of [
      ['true', true],
      ['false', false],
      ['1', true],
      [' false\n', false],
    ] as const) {
      expect(item(`<Bold>${text}</Bold>`)).to.include({ Bold: value })
    }
    for (const text of ['truf', 'falsy', 'falsee', 'truee', 'fals', '']) {
      expect(() => item(`<Bold>${text}</Bold>`), text).to.throw(BrokenReply, 'is not a boolean')
    }
    for (const text of ['1a', '-', '1-', '--1', '1.', '999999999999', '']) {
      expect(() => item(`<Duration>${text}</Duration>`), text).to.throw(BrokenReply, 'GetItemResponse.GetItemResult.Duration')
    }
    const weight = (text: string) => item(`<ShippingOptions><ShippingWeight>${text}</ShippingWeight></ShippingOptions><Id>7</Id>`)
    for (const [text, value] of [
      ['0.59', 0.59],
      ['-12.07', -12.07],
      ['5.', 5],
      ['.5', 0.5],
      ['-0', 0],
      ['1234567.12345678', 1234567.12345678],
      ['0.1234567890123456789', 0.12345678901234568],
    ] as const) {
      expect(weight(text).ShippingOptions, text).to.deep.equal([{ ShippingWeight: value }])
    }
    for (const text of ['1.2.3', '.', '-', '1,5', '1e3', '']) {
      // The item, which has an id, is told which of its values was left out.
      const left = weight(text)
      expect([left.ShippingOptions, unreadFields(left)], text).to.deep.equal([[{}], ['ShippingOptions.ShippingWeight']])
    }
  })

  it('of a bare list are handed out while it is still read', () => {
    const reader = plainReplyReader(expectedReply(operations.GetCounties))
    reader.write('<ArrayOfIdDescriptionPair><IdDescriptionPair><Id>1</Id></IdDescriptionPair><IdDescriptionPair><Id>2')
    expect(reader.take()).to.deep.equal([{ Id: 1 }])
    reader.write('</Id></IdDescriptionPair></ArrayOfIdDescriptionPair>')
    reader.end()
    expect(reader.take()).to.deep.equal([{ Id: 2 }])
  })
})

describe('reading some fields only', () => {
  const fields = ['Id', 'BuyItNowPrice', 'OwnReferences', 'VAT']
  const reply = (inner: string) => response('GetSellerItems', `<GetSellerItemsResult>${inner}</GetSellerItemsResult>`)
  const readFields = (xml: string, pieces = 1): unknown => {
    const reader = soapReplyReader({ ...expectedReply(operations.GetSellerItems), fields })
    const bytes = Buffer.from(xml)
    const size = Math.ceil(bytes.length / pieces)
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
    reader.end()
    return reader.value
  }
  const entry =
    '<Item><ShippingOptions><Cost>5</Cost></ShippingOptions><PaymentOptions><int>x</int></PaymentOptions><Status><Ended>maybe</Ended></Status>' +
    '<StartQuantity>many<b/></StartQuantity><Id>7</Id><VAT xsi:nil="true" /><LongDescription>a &lt;b&gt; å]]<![CDATA[c]]></LongDescription>' +
    '<Seller a="1"><Id>9</Id><New><Id>8</Id></New></Seller><BuyItNowPrice>100</BuyItNowPrice><New><Id>6</Id></New></Item>'

  it('gives those and no others, a list of them empty where it did not come', () => {
    expect(readFields(reply(entry))).to.deep.equal([{ Id: 7, VAT: null, OwnReferences: [], BuyItNowPrice: 100 }])
    expect(readFields(reply('<Item/>'))).to.deep.equal([{ OwnReferences: [] }])
    expect(readFields(reply(entry + entry), 10_000)).to.have.length(2)
  })

  it('reads a field that must be there whether it is asked for or not', () => {
    const reader = soapReplyReader({ ...expectedReply(operations.GetSellerItems), fields: ['VAT'] })
    reader.write(reply(entry))
    reader.end()
    expect(reader.value).to.deep.equal([{ Id: 7, VAT: null }])
  })

  it('still refuses what is not XML in the others', () => {
    for (const [from, to] of [
      ['&lt;', '&l;'],
      ['å]]', 'å]]>'],
      ['</LongDescription>', '</Long>'],
      ['a="1"', 'a="1" a="2"'],
      ['<Cost>', '<x:Cost>'],
      ['<Ended>maybe', '<Ended>&'],
    ] as const) {
      expect(() => readFields(reply(entry.replace(from, to))), from).to.throw(XmlError)
    }
  })

  it('does so in the bare form too', () => {
    const reader = plainReplyReader({ ...expectedReply(operations.GetSellerItems), fields: ['Id'] })
    reader.write(`<ArrayOfItem xmlns="${NS}"><Item><Id>7</Id><VAT>5</VAT></Item></ArrayOfItem>`)
    reader.end()
    expect(reader.value).to.deep.equal([{ Id: 7 }])
  })
})

describe('the slots of a contract', () => {
  it('are the same fields in wire order, by name and by place', () => {
    const { result } = operations.GetItem
    if (result.type.kind !== 'struct') throw new Error('an item is a struct')
    const plan = planOf(result.type)
    expect(plan.order.map((slot: Slot) => slot.name)).to.deep.equal([...plan.slots.keys()])
    expect(plan.order.map((slot) => slot.index)).to.deep.equal(plan.order.map((_slot, index) => index))
    expect(plan.order.map((slot) => slot.bytes.toString())).to.deep.equal([...plan.slots.keys()])
  })
})
