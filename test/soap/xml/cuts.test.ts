import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { fromBytes, fromSaxes, replies } from './replies.js'

describe('a reply cut anywhere', () => {
  for (const { name, expected, text } of replies) {
    it(`is read as it is whole: ${name}`, () => {
      const bytes = Buffer.from(text)
      const whole = fromBytes([bytes], expected)
      expect(whole).to.not.equal(undefined)
      expect(whole).to.deep.equal(fromSaxes(text, expected))
      for (let at = 1; at < bytes.length; at++) {
        const cut = fromBytes([bytes.subarray(0, at), bytes.subarray(at)], expected)
        // The same question, asked some ten thousand times: Node answers it faster than chai.
        if (!isDeepStrictEqual(cut, whole)) expect(cut, `cut at byte ${at}`).to.deep.equal(whole)
      }
      const single = fromBytes(
        Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)),
        expected,
      )
      expect(single, 'byte by byte').to.deep.equal(whole)
    })
  }
})
