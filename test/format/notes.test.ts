import { expect } from 'chai'
import { wrapNote } from '../../src/format/output/notes.js'
import { textWidth } from '../../src/format/output/width.js'
import { run, say, textOf } from '../../src/messages/index.js'
import { stand } from './streams.js'

describe('notes on a terminal', () => {
  it('break between words, at any width', () => {
    const text = 'Rows that are held are not sent, and neither are those whose item is not live any more.'
    for (const width of [8, 20, 33, 60, 200]) {
      const lines = wrapNote(text, width).split('\n')
      for (const line of lines) expect(textWidth(line), line).to.be.at.most(width)
      expect(lines.join(' ')).to.equal(text)
    }
  })

  it('have 80 columns on a terminal that nobody has given a size', async () => {
    const { output, stderr } = await stand({ terminal: true, width: 0 })
    output.note('Rows that are held are not sent.')
    expect(stderr.written).to.equal('Rows that are held are not sent.\n')
  })

  it('never break inside a command that is there to be copied', () => {
    const resume = run('jobs:resume', { id: 17, '--profile': 'shop', '--wait': true })
    const words = say`Job 17 is not finished. Continue it with: ${resume}, or drop it: ${run('jobs:drop', { id: 17 })}`
    const hint = textOf(words, { glue: true })
    for (const width of [20, 40, 60, 80]) {
      const lines = wrapNote(hint, width).split('\n')
      expect(lines.filter((line) => line.includes('seller jobs:resume 17 --profile shop --wait'))).to.have.length(1)
      expect(lines.filter((line) => line.endsWith('seller jobs:drop 17'))).to.have.length(1)
    }
  })

  it('keep a number with its groups and its unit', () => {
    const note = 'Of 12 345 678 rows, 1 234 cost 5 970 kr or 99 EUR each, 10 % more than 17 Svea asked in 5 2026 calls.'
    const all = Array.from({ length: 60 }, (_, at) => wrapNote(note, at + 1))
    expect(all.filter((lines) => /\d\n(?:\d{3}\b|%|kr|EUR)/.test(lines))).to.deep.equal([])
    for (const apart of ['17\nSvea', '5\n2026', '678\nrows'])
      expect(
        all.some((lines) => lines.includes(apart)),
        apart,
      ).to.equal(true)
  })

  it('go on as prose behind a command', () => {
    const words = say`The command ${run('feedback:pending')} lists the transactions that are still to be rated.`
    const hint = textOf(words, { glue: true })
    const lines = wrapNote(hint, 40).split('\n')
    expect(lines).to.deep.equal(['The command seller feedback:pending', 'lists the transactions that are still to', 'be rated.'])
  })

  it('leave room for their label, and keep their own lines', async () => {
    const { output, stderr } = await stand({ terminal: true, width: 30 })
    output.warn('The ledger is nearly full, and what is\nolder goes first.')
    output.error('Nothing was sent.')
    expect(stderr.written).to.equal(
      'Warning: The ledger is nearly\nfull, and what is\nolder goes first.\nError: Nothing was sent.\n',
    )
    const pipe = await stand({ env: { COLUMNS: '20' } })
    pipe.output.note('A note in a pipe is one line, whatever its length.')
    expect(pipe.stderr.written).to.equal('A note in a pipe is one line, whatever its length.\n')
  })
})
