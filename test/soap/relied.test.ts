/**
 * The fields that decisions depend on: every relied-on field of the contract, damaged in each way, tested on whole replies.
 * Another reader of replies must pass these tests unchanged.
 */
import { expect } from 'chai'
import { checkReply, type Field, type Operation, operations, resolved, type Struct } from '../../src/contract/index.js'
import { BrokenReply, expectedReply, plainReplyReader, type ReplyReader, soapReplyReader } from '../../src/soap/wire/reply.js'
import { damagesOf, replyOf, wellFormed } from './damage.js'
import { NS, response } from './service.js'

function read(reader: ReplyReader, xml: string): unknown {
  reader.write(xml)
  reader.end()
  return reader.value
}

/** Fault of a reply, in words; undefined if there is none. */
function judged(operation: Operation, xml: string): string | undefined {
  try {
    const fault = checkReply(operation, wellFormed(operation).params, read(soapReplyReader(expectedReply(operation)), xml))
    return fault && `${fault.element} ${fault.message}`
  } catch (error) {
    if (error instanceof BrokenReply || (error as Error).name === 'NotSoap') return (error as Error).message
    throw error
  }
}

describe('relied-on fields of a reply', () => {
  for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
    const damages = damagesOf(operation)
    if (damages.length === 0) continue
    it(`${name}: ${damages.length} ways to break it`, () => {
      expect(judged(operation, replyOf(operation)), 'undamaged').to.equal(undefined)
      for (const { what, xml, element } of damages) {
        const said = judged(operation, xml)
        expect(said, `${what}\n${xml}`).to.be.a('string').and.include(element)
      }
    })
  }

  it('are those that the decisions of this tool rest on', () => {
    const found: string[] = []
    const walk = (path: string, field: Field): void => {
      if (field.relied !== undefined) found.push(`${path}: ${field.relied}`)
      const type = field.type.kind === 'list' ? resolved(field.type.item) : resolved(field.type)
      // Categories refer to themselves.
      if (type.kind !== 'struct' || path.split('.').length > 6) return
      for (const [name, inner] of Object.entries((type as Struct).fields)) walk(`${path}.${name}`, inner)
    }
    for (const name of ['AddItem', 'GetRequestResults', 'SetPriceOnShopItems', 'GetUserInfo', 'LeaveFeedback'] as const) {
      walk(name, (operations[name] as Operation).result as Field)
    }
    expect(found).to.deep.equal([
      'AddItem: always',
      'AddItem.RequestId: id',
      'AddItem.ItemId: id',
      'GetRequestResults.RequestId: id',
      'GetRequestResults.ResultCode: always',
      'SetPriceOnShopItems: always',
      'SetPriceOnShopItems.QueuedRequestResponses.RequestId: id',
      'SetPriceOnShopItems.QueuedRequestResponses.ItemId: id',
      'GetUserInfo.Id: id',
      'LeaveFeedback: always',
    ])
  })
})

describe('a reader of replies', () => {
  const { GetItem, GetSellerItems, GetUserInfo } = operations

  it('finds a second element before it overrides the first, in the HTTP forms too', () => {
    const twice = `<Item xmlns="${NS}"><Id>7</Id><BuyItNowPrice>5</BuyItNowPrice><BuyItNowPrice>1</BuyItNowPrice></Item>`
    expect(() => read(plainReplyReader(expectedReply(GetItem)), twice)).to.throw(BrokenReply, 'BuyItNowPrice comes twice')
  })

  it('tells namespaces by what a prefix stands for, not by the prefix', () => {
    const inner = '<GetItemResult><Id>7</Id><p:BuyItNowPrice xmlns:p="NS">5</p:BuyItNowPrice></GetItemResult>'.replace('NS', NS)
    expect(read(soapReplyReader(expectedReply(GetItem)), response('GetItem', inner))).to.include({ Id: 7, BuyItNowPrice: 5 })
    const foreign = response(
      'GetItem',
      '<GetItemResult><Id>7</Id><BuyItNowPrice xmlns="urn:else">5</BuyItNowPrice></GetItemResult>',
    )
    expect(() => read(soapReplyReader(expectedReply(GetItem)), foreign)).to.throw(BrokenReply, 'another namespace')
  })

  it('finds a foreign list before it hands out its first entry', () => {
    const reader = soapReplyReader(expectedReply(GetSellerItems))
    const xml = response(
      'GetSellerItems',
      '<GetSellerItemsResult xmlns="urn:else"><Item><Id>7</Id></Item><Item><Id>8</Id></Item></GetSellerItemsResult>',
    )
    expect(() => reader.write(xml.slice(0, xml.indexOf('<Item><Id>8')))).to.throw(BrokenReply, 'GetSellerItemsResult')
    expect(reader.take()).to.deep.equal([])
  })

  it('takes elements that nothing rests on as they come: twice, foreign, unknown', () => {
    const xml = response(
      'GetUserInfo',
      '<GetUserInfoResult><Id>7</Id><City>A</City><City>B</City><Email xmlns="urn:else">e</Email><Shoe>43</Shoe></GetUserInfoResult>',
    )
    expect(read(soapReplyReader(expectedReply(GetUserInfo)), xml)).to.deep.equal({
      Id: 7,
      City: 'B',
      '{urn:else}Email': 'e',
      Shoe: '43',
    })
  })

  it('puts every text through the filter: of fields, of unknown elements and attributes, of faults and unknown words', () => {
    const seen: [string, boolean][] = []
    const filter = (text: string, said: boolean) => {
      seen.push([text, said])
      return text.toUpperCase()
    }
    const item = response(
      'GetItem',
      '<GetItemResult a="b"><Id>7</Id><ShortDescription>t</ShortDescription><ItemType>Raffle</ItemType><New c="d">e<f>g</f></New></GetItemResult>',
    )
    expect(read(soapReplyReader(expectedReply(GetItem), filter), item)).to.deep.include({
      a: 'B',
      ShortDescription: 'T',
      ItemType: 'RAFFLE',
      New: { c: 'D', f: 'G', '#text': 'E' },
    })
    expect(seen.map(([text]) => text)).to.have.members(['b', 't', 'Raffle', 'd', 'g', 'e'])
    const results = response(
      'GetRequestResults',
      '<GetRequestResultsResult><RequestResult><RequestId>1</RequestId><ResultCode>Error</ResultCode><Message>m</Message></RequestResult></GetRequestResultsResult>',
    )
    read(soapReplyReader(expectedReply(operations.GetRequestResults), filter), results)
    expect(seen.at(-1)).to.deep.equal(['m', true])
  })
})
