/** A shop that is closed for a time: what is done next, after any break. */
import { expect } from 'chai'
import fc from 'fast-check'
import type { ShopOpening } from '../../src/contract/closings.js'
import { closingStep, nextTry } from '../../src/jobs/closings.js'
import type { StoredClosing } from '../../src/jobs/ledger/index.js'

const planned = (message: string | null): StoredClosing => ({
  ...{ profile: 'default', user_id: 1, starts_at: 1000, ends_at: 2000, message, state: 'planned', before: null },
  ...{ created_at: 0, closed_at: null, ended_at: null, next_at: 1000, tries: 0 },
})
/** An empty text of the seller is none; the service may have either. */
const given = fc.option(fc.constantFrom('Stängt', 'Jul & nyår', 'Öppet'), { nil: null })
const message = fc.option(fc.constantFrom('', 'Stängt', 'Jul & nyår', 'Öppet'), { nil: null })

describe('closingStep', () => {
  it('brings back how the shop was, whatever run is killed, and wherever', () => {
    // 0: the run ends; 1: it is killed once how the shop was is kept; 2: once the service has carried the change out.
    const kills = fc.array(fc.constantFrom(0, 1, 2), { maxLength: 4 })
    fc.assert(
      fc.property(given, message, fc.boolean(), kills, kills, (own, before, Closed, first, then) => {
        const begun: ShopOpening = { Closed, Message: before }
        let live = begun
        let closing = planned(own)
        const run = (now: number, kill: number) => {
          const step = closingStep(closing, live, now)
          if (step.do === 'close') closing = { ...closing, state: 'closing', before: JSON.stringify(step.before) }
          if (kill === 1) return
          if ((step.do === 'close' || step.do === 'open') && step.send !== null) live = step.send
          if (kill === 2) return
          if (step.do === 'close') closing = { ...closing, state: 'closed', message: live.Message }
        }
        for (const kill of [...first, 0]) run(1500, kill)
        expect(live.Closed).to.equal(true)
        if (own !== null) expect(live.Message).to.equal(own)
        for (const kill of [...then, 0]) run(2500, kill)
        expect(live).to.deep.equal(begun)
      }),
    )
  })

  it('closes nothing after the end, and opens nothing that somebody has changed', () => {
    const open: ShopOpening = { Closed: false, Message: 'A' }
    expect(closingStep(planned('X'), open, 2000)).to.deep.equal({ do: 'miss' })
    const closed: StoredClosing = { ...planned('X'), state: 'closed', before: JSON.stringify(open) }
    expect(closingStep(closed, { Closed: true, Message: 'X' }, 2000)).to.deep.equal({ do: 'open', send: open })
    expect(closingStep(closed, { Closed: true, Message: ' X\r\n' }, 2000)).to.deep.equal({ do: 'open', send: open })
    expect(closingStep(closed, { Closed: true, Message: 'Y' }, 2000)).to.deep.equal({ do: 'hold' })
    expect(closingStep(closed, { Closed: false, Message: 'Y' }, 2000)).to.deep.equal({ do: 'open', send: null })
  })
})

describe('closingStep of a ledger that came from a copy', () => {
  it('leaves the message that the closing has not changed', () => {
    const copied: StoredClosing = { ...planned(null), state: 'closing', before: '{"Closed":false,"Message":null}' }
    const send = { Closed: false, Message: 'A' }
    expect(closingStep(copied, { Closed: true, Message: 'A' }, 2000)).to.deep.equal({ do: 'open', send })
  })
})

describe('nextTry', () => {
  it('doubles from a minute to an hour', () => {
    const minutes = Array.from({ length: 9 }, (_, tries) => nextTry(0, tries) / 60_000)
    expect(minutes).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })
})
