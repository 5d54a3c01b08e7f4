import { expect } from 'chai'
import fc from 'fast-check'
import { durationText, formatDuration, parseDuration, waitText } from '../../src/system/durations.js'

const DAY = 86_400_000

/** Does work in a time zone of this machine. */
function inZone(name: string, work: () => void): void {
  const before = process.env.TZ
  process.env.TZ = name
  try {
    work()
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
}

describe('durations', () => {
  it('are read with a unit on every part', () => {
    expect(['0s', '500ms', '90s', '1.5h', '1h30m', '2d', '1m5ms'].map(parseDuration)).to.deep.equal([
      0, 500, 90_000, 5_400_000, 5_400_000, 172_800_000, 60_005,
    ])
    for (const text of ['', '5', 's', '-5s', '1h 30m', '1h30', '1,5h', '5 s', 'soon', '5S']) {
      expect(parseDuration(text), text).to.equal(undefined)
    }
  })

  it('are written in the largest unit that says them exactly', () => {
    expect([0, 1, 1000, 1500, 90_000, 600_000, 86_400_000, 172_800_000].map(formatDuration)).to.deep.equal([
      '0ms',
      '1ms',
      '1s',
      '1500ms',
      '90s',
      '10m',
      '24h',
      '2d',
    ])
  })

  it('are read as they are written', () => {
    fc.assert(fc.property(fc.nat(), (ms) => parseDuration(formatDuration(ms)) === ms))
  })

  it('are shown as a person counts them', () => {
    expect([0, 900, 59_000, 60_000, 200_000, 3_600_000, 7_500_000, 18_600_000].map(durationText)).to.deep.equal([
      '0 s',
      '1 s',
      '59 s',
      '1 min',
      '3 min 20 s',
      '1 h',
      '2 h 5 min',
      '5 h 10 min',
    ])
  })

  it('have days from two days on', () => {
    expect([DAY, 2 * DAY - 1, 2 * DAY, 2 * DAY + 1, 10 * DAY].map(durationText)).to.deep.equal([
      '24 h',
      '2 days',
      '2 days',
      '2 days 1 h',
      '10 days',
    ])
  })

  it('are rounded up, so that who waits as long has waited long enough', () => {
    expect([1, 59_001, 60_001, 3_599_001, 3_600_001, 7_200_001].map(durationText)).to.deep.equal([
      '1 s',
      '1 min',
      '1 min 1 s',
      '1 h',
      '1 h 1 min',
      '2 h 1 min',
    ])
  })
})

describe('waits', () => {
  const machine = { now: () => Date.UTC(2026, 10, 22, 8, 8) }

  it('have the date and the Swedish time at which they end', () => {
    inZone('Europe/Stockholm', () => {
      expect(waitText(22 * 3_600_000 + 55 * 60_000, machine)).to.equal('22 h 55 min, at 2026-11-23 08:03')
      expect(waitText(55 * 60_000, machine, 'until')).to.equal('55 min, until 2026-11-22 10:03')
      expect(waitText(59_000, machine), 'a time says nothing').to.equal('59 s')
      expect(waitText(61_000, machine), 'rounded up like the wait').to.equal('1 min 1 s, at 2026-11-22 09:10')
    })
  })

  it('say so where the clock of this machine shows another time', () => {
    const words = '24 h, at 2026-11-23 09:08 Swedish time'
    inZone('Asia/Tokyo', () => expect(waitText(DAY, machine)).to.equal(words))
    inZone('Europe/Stockholm', () => expect(waitText(DAY, { ...machine, zone: 'Asia/Tokyo' })).to.equal(words))
  })
})
