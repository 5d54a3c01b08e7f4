import { expect } from 'chai'
import { InputFaults } from '../../src/cli/input-faults.js'
import { type Fault, SellerError, ValueError } from '../../src/errors/index.js'

describe('the faults of an input', () => {
  const fault = { field: 'Title', value: 'x', message: 'is too long' }

  it('are none until one is added', () => {
    const faults = new InputFaults()
    expect([faults.any, faults.all]).to.deep.equal([false, []])
    expect(() => faults.throwIfAny()).to.not.throw()
    faults.add()
    expect(faults.any).to.equal(false)
  })

  it('refuse values with exit 3, all at once', () => {
    const faults = new InputFaults()
    faults.add(fault, { ...fault, field: 'Price' })
    expect(faults.all.map(({ field }) => field)).to.deep.equal(['Title', 'Price'])
    expect(() => faults.throwIfAny())
      .to.throw(SellerError)
      .that.includes({ exitCode: 3, code: 'invalid_input' })
  })

  it('are wrong usage as soon as one could not be read', () => {
    const faults = new InputFaults()
    faults.add(fault)
    faults.addForm({ ...fault, field: '--days' })
    expect(faults.refusal()).to.include({ exitCode: 2, code: 'invalid_values' })
  })

  it('take what a reader refuses, without the value a second time and without its full stop', () => {
    const faults = new InputFaults()
    expect(faults.read('--days', '7', () => 7)).to.equal(7)
    const refuse = (fault: Fault, hint: string) => () => {
      throw new ValueError('invalid_number', fault, hint)
    }
    const days = { name: '--days', value: 'x', why: 'is not a whole number' }
    expect(faults.read('--days', 'x', refuse(days, 'Give digits.'))).to.equal(undefined)
    faults.read('--shipping', 'cost=y', refuse({ name: '--shipping cost', value: 'y', why: 'is not a price' }, ''))
    expect(faults.all).to.deep.equal([
      { field: '--days', value: 'x', message: 'is not a whole number', hint: 'Give digits.' },
      { field: '--shipping', value: 'cost=y', message: '--shipping cost: "y" is not a price', ofPart: true },
    ])
    const mistake = new TypeError('a mistake of this program')
    expect(() =>
      faults.read('--n', 'z', () => {
        throw mistake
      }),
    ).to.throw(mistake)
  })
})
