/** Swedish days, weeks and months. */
import { expect } from 'chai'
import { addDays, dayOf, instantOfWall, startOfDay, wallOf, weekdayOf, weekOf } from '../../../src/actions/reports/calendar.js'

const at = (text: string): number => Date.parse(text)
const HOUR = 3_600_000

describe('the Swedish calendar', () => {
  it('begins a day at Swedish midnight, in winter and in summer', () => {
    expect(dayOf(at('2026-11-21T22:59:59.999Z'))).to.equal('2026-11-21')
    expect(dayOf(at('2026-11-21T23:00:00Z'))).to.equal('2026-11-22')
    expect(dayOf(at('2026-07-01T21:59:59Z'))).to.equal('2026-07-01')
    expect(dayOf(at('2026-07-01T22:00:00Z'))).to.equal('2026-07-02')
    expect(startOfDay('2026-11-22')).to.equal(at('2026-11-21T23:00:00Z'))
    expect(startOfDay('2026-07-02')).to.equal(at('2026-07-01T22:00:00Z'))
  })

  it('counts days over months, years and the days the clocks change', () => {
    expect(addDays('2026-12-31', 1)).to.equal('2027-01-01')
    expect(addDays('2026-03-01', -1)).to.equal('2026-02-28')
    expect(addDays('2028-02-28', 1)).to.equal('2028-02-29')
    expect(addDays('2026-10-24', 2)).to.equal('2026-10-26')
    expect(addDays('2026-10-25', 0)).to.equal('2026-10-25')
    expect(startOfDay('2026-10-26') - startOfDay('2026-10-25')).to.equal(25 * HOUR)
    expect(startOfDay('2026-03-30') - startOfDay('2026-03-29')).to.equal(23 * HOUR)
  })

  it('numbers weekdays from Monday 1 to Sunday 7', () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']
    expect(days.map(weekdayOf)).to.deep.equal([1, 2, 3, 4, 5, 6, 7])
  })

  for (const [day, week] of [
    ['2026-11-22', '2026-W47'],
    ['2026-11-23', '2026-W48'],
    ['2025-12-28', '2025-W52'],
    ['2025-12-29', '2026-W01'],
    ['2026-01-01', '2026-W01'],
    ['2026-01-04', '2026-W01'],
    ['2026-01-05', '2026-W02'],
    ['2027-01-01', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
    ['2026-03-05', '2026-W10'],
  ] as const) {
    it(`puts ${day} into ${week}`, () => expect(weekOf(day)).to.equal(week))
  }

  it('has a wall clock whose days have 24 hours', () => {
    expect(wallOf(at('2026-11-22T09:15:00Z'))).to.equal(at('2026-11-22T10:15:00Z'))
    expect(wallOf(at('2026-07-02T09:15:00Z'))).to.equal(at('2026-07-02T11:15:00Z'))
    for (const instant of ['2026-11-22T09:15:00Z', '2026-07-02T09:15:00Z'].map(at)) {
      expect(instantOfWall(wallOf(instant))).to.equal(instant)
    }
    expect(wallOf(startOfDay('2026-10-26')) - wallOf(startOfDay('2026-10-25'))).to.equal(24 * HOUR)
  })
})
