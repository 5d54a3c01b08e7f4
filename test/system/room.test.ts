/** Room in long loops, work that is left behind, and the clock that both are measured by. */
import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { systemClock } from '../../src/system/clock.js'
import { gatherAll } from '../../src/system/memory.js'
import { orAborted, yieldToEventLoop } from '../../src/system/room.js'

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  )

/** Holds the event loop for so many ms. */
const busy = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('room in a long loop', () => {
  it('lets others have their turn once it has gone on for long, and not before', async () => {
    const room = yieldToEventLoop()
    let turns = 0
    setImmediate(() => turns++)
    await room()
    expect(turns).to.equal(0)
    busy(60)
    await room()
    expect(turns).to.equal(1)
  })

  it('ends the loop with the reason of its signal', async () => {
    const controller = new AbortController()
    const room = yieldToEventLoop(controller.signal)
    controller.abort(new Error('stopped'))
    busy(60)
    expect(await outcome(room())).to.equal('stopped')
  })

  it('is given after each hundred entries that are gathered', async () => {
    let rooms = 0
    const room = async () => void rooms++
    expect(await gatherAll(Array(250).keys(), room)).to.have.length(250)
    expect(rooms).to.equal(2)
  })
})

describe('work that can be left behind', () => {
  it('comes to its own end, and nothing listens to its signal any more', async () => {
    const { signal } = new AbortController()
    expect(await orAborted(Promise.resolve(7), signal)).to.equal(7)
    expect(await outcome(orAborted(Promise.reject(new Error('failed')), signal))).to.equal('failed')
    await sleep(0)
    expect(getEventListeners(signal, 'abort')).to.deep.equal([])
  })

  it('ends with the reason of its signal, also of one that was aborted before', async () => {
    const controller = new AbortController()
    const endless = new Promise(() => undefined)
    const left = outcome(orAborted(endless, controller.signal))
    controller.abort(new Error('stopped'))
    expect(await left).to.equal('stopped')
    expect(await outcome(orAborted(endless, controller.signal))).to.equal('stopped')
  })
})

describe('the clock of the system', () => {
  it('has the time of the machine, and sleeps until its signal wakes it', async () => {
    expect(systemClock.now()).to.be.closeTo(Date.now(), 1000)
    const controller = new AbortController()
    await systemClock.sleep(1, controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
    const asleep = outcome(systemClock.sleep(60_000, controller.signal))
    controller.abort(new Error('stopped'))
    expect(await asleep).to.equal('stopped')
    expect(await outcome(systemClock.sleep(60_000, controller.signal))).to.equal('stopped')
  })
})
