import { expect } from 'chai'
import { type InputOrigin, refusing } from '../../../src/actions/prices/refusal.js'
import { SellerError } from '../../../src/cli/errors.js'
import { parseRule } from '../../../src/pricing/index.js'
import { priceRowsFromArguments, readPriceRows } from '../../../src/rows/index.js'

const refused = async (origin: InputOrigin, work: () => unknown): Promise<SellerError> => {
  const error = await refusing(origin, work).catch((caught: unknown) => caught)
  expect(error).to.be.instanceOf(SellerError)
  return error as SellerError
}
const file = { kind: 'file', path: 'prices.csv' } as const

describe('an input that is refused', () => {
  it('in its rows is validation: every fault with its line, in the message and in the details', async () => {
    const error = await refused(file, () => readPriceRows(['Id,Price\n1,1.5\n2,9\n3,-4\n']))
    expect([error.category, error.exitCode, error.code]).to.deep.equal(['validation', 3, 'invalid_input'])
    expect(error.message).to.match(/^prices\.csv has 2 faults:\nline 2, Price "1\.5": .*\nline 4, Price "-4": .*$/)
    expect(error.details).to.deep.include({ count: 2 })
  })

  it('as a whole is usage', async () => {
    const error = await refused(file, () => readPriceRows(['']))
    expect([error.category, error.exitCode]).to.deep.equal(['usage', 2])
    expect(error.message).to.match(/^prices\.csv: The input is empty/)
    const columns = await refused({ kind: 'file', path: '-' }, () => readPriceRows(['Id,_Mine\n1,1\n']))
    expect([columns.exitCode, columns.message]).to.deep.equal([
      2,
      'Stdin: No column Price is named in the first line; it names Id, _Mine.',
    ])
  })

  it('on the command line is usage, by its place there', async () => {
    const error = await refused({ kind: 'arguments' }, () => priceRowsFromArguments(['1=5', '2=x']))
    expect([error.exitCode, error.message.split('\n')[1]?.startsWith('argument 2, Price "x": ')]).to.deep.equal([2, true])
    expect(error.message).to.match(/^The command line has 1 fault:\n/)
    const rule = await refused({ kind: 'rule' }, () => parseRule({ add: 'much' }))
    expect([rule.exitCode, rule.message.startsWith('The rule has 1 fault:\n--add "much": ')]).to.deep.equal([2, true])
  })

  it('tells many faults of one kind in one line, with their number and three examples', async () => {
    const error = await refused(file, () =>
      readPriceRows([`Id,Price\n${Array.from({ length: 80 }, (_, at) => `${at + 1},x\n`).join('')}`]),
    )
    expect(error.message)
      .to.match(/^prices\.csv has 80 faults:/)
      .and.match(
        /\nline 2, Price "x": is not a price; .* \(80 faults of this kind; also line 3, Price "x" and line 4, Price "x"\)$/,
      )
    expect(error.message.split('\n')).to.have.length(2)
    expect(error.details).to.have.property('faults').with.length(50)
  })

  it('otherwise goes on as it is', async () => {
    const other = new Error('disk full')
    expect(
      await refusing(file, () => {
        throw other
      }).catch((caught: unknown) => caught),
    ).to.equal(other)
  })
})
