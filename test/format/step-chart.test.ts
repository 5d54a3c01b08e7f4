import { expect } from 'chai'
import fc from 'fast-check'
import { type Step, stepChart } from '../../src/format/output/step-chart.js'
import { textWidth } from '../../src/format/output/width.js'

const options = { width: 60, until: 100, label: (value: number) => `${value} kr`, date: (at: number) => `day ${at}` }
const chart = (steps: readonly Step[], more: Partial<typeof options> = {}) => stepChart(steps, { ...options, ...more })

describe('a step chart', () => {
  it('draws each value on a line of its own, and the steps between them', () => {
    const drawn = chart(
      [
        { at: 0, value: 499 },
        { at: 40, value: 549 },
        { at: 60, value: 449 },
        { at: 80, value: 499 },
      ],
      { width: 29 },
    )
    expect(drawn.split('\n')).to.deep.equal([
      '549 kr ┤         ┌───┐',
      '499 kr ┤ ────────┘   │   ┌───',
      '449 kr ┤             └───┘',
      '         day 0        day 100',
    ])
  })

  it('leaves a gap while there is no value', () => {
    const drawn = chart(
      [
        { at: 0, value: 100 },
        { at: 50, value: null },
        { at: 75, value: 100 },
      ],
      { width: 29 },
    )
    expect(drawn.split('\n')[0]).to.equal('100 kr ┤ ──────────╴    ─────')
  })

  it('leaves the end out of an axis that is too short for both ends', () => {
    const axis = (width: number) =>
      chart([{ at: 0, value: 5 }], { width })
        .split('\n')
        .at(-1)
    expect(axis(20)).to.equal('       day 0 day 100')
    expect(axis(19)).to.equal('       day 0')
  })

  it('shows values that came and went within a column', () => {
    const drawn = chart([
      { at: 0, value: 100 },
      { at: 50, value: 300 },
      { at: 50.01, value: 200 },
    ])
    const lines = drawn.split('\n')
    expect(lines[0]).to.match(/^300 kr ┤ +│$/)
    expect(lines[1]).to.include('┌')
    expect(lines[2]).to.include('┘')
    // Back within the column: from above, from below, from both.
    const back = (...values: number[]) =>
      chart([100, 200, 300, 200, ...values, 200].map((value, at) => ({ at: at < 4 ? at * 10 : 50 + at / 1000, value }))).split(
        '\n',
      )[1]
    expect([back(100), back(300), back(100, 300)].map((line) => /[┬┴┼]/.exec(line ?? '')?.[0])).to.deep.equal(['┬', '┴', '┼'])
  })

  it('is one line for a value that has stayed, also from this very moment', () => {
    expect(chart([{ at: 0, value: 5 }]).split('\n')[0]).to.match(/^5 kr ┤ ─+$/)
    expect(chart([{ at: 100, value: 5 }]).split('\n')[0]).to.match(/^5 kr ┤ ─+$/)
    expect(chart([])).to.equal('')
    expect(chart([{ at: 0, value: null }])).to.equal('')
  })

  it('has nine lines at most, as wide as the terminal, with both ends of the prices on its axis', () => {
    const step = fc.record({ at: fc.integer({ min: 0, max: 100 }), value: fc.option(fc.integer({ min: 1, max: 5000 })) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.integer({ min: 30, max: 120 }), (given, width) => {
        const steps = [...given].sort((one, other) => one.at - other.at)
        const values = steps.flatMap(({ value }) => value ?? [])
        const drawn = chart(steps, { width })
        expect(drawn === '').to.equal(values.length === 0)
        if (values.length === 0) return
        const lines = drawn.split('\n')
        expect(lines.length).to.be.at.most(10)
        for (const line of lines) expect(textWidth(line)).to.be.at.most(width)
        expect(lines[0]).to.include(`${Math.max(...values)} kr ┤`)
        expect(lines.at(-2)).to.include(`${Math.min(...values)} kr ┤`)
      }),
    )
  })
})
