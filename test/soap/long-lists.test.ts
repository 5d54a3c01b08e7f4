import { expect } from 'chai'
import fc from 'fast-check'
import xml2js from 'xml2js'
import { buildXml, type Node } from '../../src/soap/encode.js'
import { cutLongLists } from '../../src/soap/long-lists.js'

const slow = (tree: Node) =>
  new xml2js.Builder({ xmldec: { version: '1.0', encoding: 'utf-8' }, renderOpts: { pretty: false } }).buildObject(tree)

const prices = (count: number) => Array.from({ length: count }, (_, at) => ({ Id: String(1000 + at), Price: String(at + 1) }))

describe('long lists in requests', () => {
  it('are the same text as xml2js makes of them, whatever stands beside and in them', async () => {
    const text = fc.oneof(fc.nat().map(String), fc.constantFrom('', ' ', 'a&b', '<x>', '$&', 'å', '-1.5', 'a\rb', ']]>'))
    const entry = fc.oneof(
      text,
      fc.record({ Id: text, Price: text }, { requiredKeys: [] }),
      fc.constant({ $: { 'xsi:nil': 'true' } }),
      fc.record({ Deep: fc.array(text, { maxLength: 40 }) }),
    )
    const list = fc.oneof(fc.array(entry, { maxLength: 80 }), fc.array(fc.nat().map(String), { minLength: 30, maxLength: 80 }))
    await fc.assert(
      fc.asyncProperty(list, list, text, async (one, other, beside) => {
        const tree = { Root: { $: { xmlns: 'urn:x' }, Lists: { One: one, Beside: beside, Other: other } } } as unknown as Node
        expect(await buildXml(tree)).to.equal(slow(tree))
      }),
    )
  })
  it('do not reach xml2js', () => {
    const { tree } = cutLongLists({ Root: { Before: 'x', Item: prices(500) } })
    expect(tree).to.have.nested.property('Root.Item').that.is.a('string')
  })
  it('that are short go by xml2js as everything does', () => {
    const tree = { Root: { Item: prices(5) } }
    expect(cutLongLists(tree).tree).to.equal(tree)
  })
  it('leave the tree they are taken from as it is', () => {
    const tree = { Root: { Item: prices(100) } }
    cutLongLists(tree)
    expect(tree.Root.Item).to.have.length(100)
  })
})
