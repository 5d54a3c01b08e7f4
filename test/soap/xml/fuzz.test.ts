import { expect } from 'chai'
import { Chance, documentOf, judge } from './fuzzing.js'
import { changed, judgeReply, replies } from './replies.js'

// Fixed seeds, so that a failing test fails for everyone. `npm run soak` continues with others.
describe('reading XML beside saxes and libxml2', () => {
  it('accepts and refuses the same documents, and reads the same in them, cut anywhere', () => {
    const tally = { documents: 0, accepted: 0 }
    const chance = new Chance(11)
    for (let i = 0; i < 1000; i++) expect(judge(documentOf(chance), chance, tally)).to.equal(undefined)
    expect(tally.accepted).to.be.within(200, 800)
  })

  it('comes to the same value of a reply the short way and the long way, cut anywhere', () => {
    const tally = { documents: 0, accepted: 0 }
    const chance = new Chance(12)
    for (let i = 0; i < 1000; i++) {
      const { text, expected } = chance.of(replies)
      expect(judgeReply(changed(text, chance), expected, chance, tally)).to.equal(undefined)
    }
    expect(tally.accepted).to.be.within(200, 800)
  })
})
