import { expect } from 'chai'
import { ReplyRecord } from '../../src/soap/client/record.js'

const SHOWN = 64 * 1024
const asIs = (text: string): string => text

describe('what is kept of a reply', () => {
  it('is all of it for a raw call', () => {
    const record = new ReplyRecord(true)
    for (let piece = 0; piece < 10; piece++) record.add('x'.repeat(SHOWN))
    expect(record.text).to.have.length(10 * SHOWN)
  })

  it('is its beginning for a trace, which says how much more there was', () => {
    const record = new ReplyRecord(false)
    for (let piece = 0; piece < 10; piece++) record.add('x'.repeat(SHOWN))
    // The piece that reaches the limit is the last.
    expect(record.text).to.have.length(2 * SHOWN)
    expect(record.beginning(200, 'text/xml', asIs)).to.equal(
      `<-- HTTP 200 text/xml\n${'x'.repeat(SHOWN)}\n(${9 * SHOWN} more characters)`,
    )
  })

  it('is shown whole as long as it fits, and with nothing for a type that did not come', () => {
    const record = new ReplyRecord(false)
    record.add('y'.repeat(SHOWN))
    expect(record.beginning(500, undefined, asIs)).to.equal(`<-- HTTP 500\n${'y'.repeat(SHOWN)}`)
  })

  it('shows no part of a secret that begins before the edge and ends behind it', () => {
    const record = new ReplyRecord(false)
    record.add(`${'x'.repeat(SHOWN - 4)}a-planted-secret and more`)
    const shown = record.beginning(200, undefined, (text) => text.replaceAll('a-planted-secret', '***'))
    expect(shown).to.include('x***').and.not.include('a-pl')
  })
})
