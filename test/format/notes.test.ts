import { expect } from 'chai'
import { wrapNote } from '../../src/format/output/notes.js'
import { textWidth } from '../../src/format/output/width.js'
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
    const hint =
      'Job 17 is not finished. Continue it with: seller jobs:resume 17 --profile shop --wait, or drop it: seller jobs drop 17'
    for (const width of [20, 40, 60, 80]) {
      const lines = wrapNote(hint, width).split('\n')
      expect(lines.filter((line) => line.includes('seller jobs:resume 17 --profile shop --wait'))).to.have.length(1)
      expect(lines.filter((line) => line.endsWith('seller jobs drop 17'))).to.have.length(1)
    }
  })

  it('go on as prose behind a command', () => {
    const hint = 'The command seller feedback:pending lists the transactions that are still to be rated.'
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
