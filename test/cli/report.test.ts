import { expect } from 'chai'
import type { Context } from '../../src/cli/context.js'
import { SellerError } from '../../src/cli/errors.js'
import { reportError } from '../../src/cli/report.js'
import { stand } from '../format/streams.js'

const COMMAND = 'seller shop:price --file a-rather-long-name-of-a-sheet.csv --max-change 80% --yes --wait'

describe('an error on its way out', () => {
  const said = async (errorTerminal: boolean) => {
    const { output, stdout, stderr } = await stand({ terminal: errorTerminal, width: 40 })
    const message = `prices.csv has 2 faults:\nline 2, Price "199,90": ${'prices are whole kronor '.repeat(3).trim()}\nline 3: short`
    const ctx = { output, errorTerminal, secrets: () => [], written: () => false, interruption: () => undefined }
    const error = new SellerError('invalid_input', message, COMMAND)
    expect(await reportError(error, { argv: [], host: { stdout, stderr, env: {} }, ctx: ctx as unknown as Context })).to.equal(3)
    return stderr.written.trimEnd().split('\n')
  }

  it('is broken between words on a terminal, and the command to copy is left whole', async () => {
    expect(await said(true)).to.deep.equal([
      'Error: prices.csv has 2 faults:',
      'line 2, Price "199,90": prices are',
      '  whole kronor prices are whole kronor',
      '  prices are whole kronor',
      'line 3: short',
      COMMAND,
    ])
  })

  it('has a line for each fault elsewhere', async () => {
    expect(await said(false)).to.have.lengthOf(4)
  })
})
