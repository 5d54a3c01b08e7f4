import { expect } from 'chai'
import { cleanUp, FakeClock, temporaryLedger } from './harness.js'

describe('sessions of electronic identification in the ledger', () => {
  afterEach(cleanUp)

  it('are found by their owner, the one that was begun last', () => {
    const clock = new FakeClock()
    const { eidSessions } = temporaryLedger(clock)
    const mine = { profile: 'p', userId: 5 }
    expect(eidSessions.latest(mine)).to.equal(undefined)
    eidSessions.begin('a', mine)
    eidSessions.begin('b', mine)
    const begun = clock.time
    eidSessions.begin('c', { ...mine, userId: undefined })
    eidSessions.begin('d', { ...mine, profile: 'q' })
    expect(eidSessions.latest(mine)).to.deep.equal({ EidOrderRef: 'b', BegunAt: begun, Outcome: null })
    expect(eidSessions.latest({ ...mine, userId: undefined })?.EidOrderRef).to.equal('c')
    clock.time += 1
    eidSessions.begin('a', mine)
    expect(eidSessions.latest(mine)?.EidOrderRef, 'a was begun before').to.equal('b')
  })

  it('keep their first outcome', () => {
    const clock = new FakeClock()
    const { eidSessions, store } = temporaryLedger(clock)
    const mine = { profile: 'p', userId: 5 }
    eidSessions.begin('a', mine)
    eidSessions.end('unknown', 'failed')
    expect(eidSessions.latest(mine)?.Outcome).to.equal(null)
    eidSessions.end('a', 'cancelled')
    clock.time += 1
    eidSessions.end('a', 'completed')
    expect(eidSessions.latest(mine)?.Outcome).to.equal('cancelled')
    expect(store.rows('SELECT ended_at FROM eid_sessions')).to.deep.equal([[clock.time - 1]])
  })
})
