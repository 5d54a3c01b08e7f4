import { expect } from 'chai'
import fc from 'fast-check'
import { durationText, formatDuration, parseDuration } from '../../src/system/durations.js'

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
