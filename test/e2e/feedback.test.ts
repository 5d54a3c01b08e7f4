import { expect } from 'chai'
import { type ObservedHome, openObserved } from './observed.js'
import { ask } from './person.js'

describe('feedback', () => {
  let home: ObservedHome
  let pending: { Id: number; IsFeedbackLeftBySeller: boolean }[]
  before(async () => {
    home = await openObserved()
    pending = (await home.seller('feedback:pending', '--json')).json()
    expect(pending.length).to.be.greaterThan(3)
  })
  beforeEach(() => void home.calls())
  after(() => home.close())

  const id = (index: number): string => String(pending.at(index)?.Id)

  it('lists what is still to be rated, and only that', async () => {
    const all: typeof pending = (await home.seller('call', 'GetSellerTransactions', 'request.Filter=NewAndUpdated')).json()
    const unrated = all.filter(({ IsFeedbackLeftBySeller }) => !IsFeedbackLeftBySeller)
    expect(pending.map(({ Id }) => Id)).to.deep.equal(unrated.map(({ Id }) => Id))
    expect(all.length).to.be.greaterThan(unrated.length)
    const none = await home.seller('feedback:pending', '--since', '2099-01-01', '--json')
    expect([none.code, none.json()]).to.deep.equal([0, []])
  })

  it('leaves positive feedback, and the transaction is no longer pending', async () => {
    const comment = 'Snabb betalning, tack! 🙂'
    const run = await home.seller('feedback:leave', id(0), '--positive', comment, '--json')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json()).to.deep.equal({ TransactionId: pending[0]?.Id, Type: 'Positive', Comment: comment, Left: true })
    const still: typeof pending = (await home.seller('feedback:pending', '--json')).json()
    expect(still.map(({ Id }) => Id)).to.not.include(pending[0]?.Id)
  })

  it('says why the service left none: already rated, or not there', async () => {
    const again = await home.seller('feedback:leave', id(0), '--positive', 'Igen', '--json')
    expect([again.code, again.json().error.code]).to.deep.equal([3, 'feedback_already_left'])
    const absent = await home.seller('feedback:leave', '7', 'Hej', '--positive', '--json')
    expect([absent.code, absent.json().error.code]).to.deep.equal([1, 'transaction_not_found'])
    expect(absent.json().error.message).to.include('deleted by the operator')
    const deleted = await home.seller('feedback:leave', '300000009', 'Hej', '--positive', '--json')
    expect([deleted.code, deleted.json().error.code]).to.deep.equal([1, 'transaction_not_found'])
  })

  it('asks before negative feedback; off a terminal only --yes sends it', async () => {
    const held = await home.seller('feedback:leave', id(1), '--negative', 'Betalade aldrig', '--json')
    expect([held.code, held.json().error.category]).to.deep.equal([6, 'guard'])
    expect(home.calls()).to.deep.equal([])
    const sent = await home.seller('feedback:leave', id(1), '--negative', 'Betalade aldrig', '--yes', '--json')
    expect(sent.json()).to.include({ Type: 'Negative', Left: true })
  })

  it('a person types yes', async () => {
    const refused = ask(home, ['feedback:leave', id(2), '--negative', 'Sen'], { columns: 200 })
    await refused.answers('Type yes', 'y')
    await refused.sees('That is not yes')
    await refused.presses('erase')
    await refused.enters('n')
    expect((await refused.done).code).to.equal(6)
    const meant = ask(home, ['feedback:leave', id(2), '--negative', 'Sen'], { columns: 200 })
    expect(await meant.sees('Type yes')).to.include('cannot be taken back')
    await meant.enters('yes')
    expect((await meant.done).code).to.equal(0)
    expect(home.calls()).to.deep.equal(['LeaveFeedback'])
  })

  it('leaves feedback to the buyer of an order', async () => {
    // The sandbox numbers orders as it numbers transactions.
    const order = (pending[3]?.Id ?? 0) - 300_000_000 + 70_000
    const run = await home.seller('feedback:leave', '--order', String(order), '--positive', 'Tack för köpet', '--json')
    expect(home.calls()).to.deep.equal(['LeaveOrderFeedbackToBuyer'])
    expect(run.json()).to.deep.equal({ OrderNumber: order, Type: 'Positive', Comment: 'Tack för köpet', Left: true })
    const still: typeof pending = (await home.seller('feedback:pending', '--json')).json()
    expect(still.map(({ Id }) => Id)).to.not.include(pending[3]?.Id)
    const absent = await home.seller('feedback:leave', '--order', '1', '--positive', 'Tack', '--json')
    expect(absent.code).to.equal(3)
    expect(absent.json().error.message).to.include('Order with number 1 does not exist')
  })

  it('asks a person for the sale, whether it is positive, and the comment', async () => {
    const person = ask(home, ['feedback:leave', '--json'])
    await person.sees('Sale (type words)')
    await person.types(id(-1))
    await person.sees(`❯ ${id(-1)}`)
    await person.enters()
    await person.answers('Feedback')
    await person.answers('Comment', 'x'.repeat(81))
    await person.sees('At most 80 characters; it has 81.')
    await person.presses('erase')
    await person.enters('Tack så mycket')
    const run = await person.done
    expect(run.json(), run.stderr).to.include({ TransactionId: Number(id(-1)), Type: 'Positive', Comment: 'Tack så mycket' })
  })

  for (const [what, code, word, args] of [
    ['a comment of 81 characters', 3, 'it has 81', ['7', '--positive', 'x'.repeat(81)]],
    ['41 emoji, which the service counts as 82', 3, 'you count 41', ['7', '--positive', '🙂'.repeat(41)]],
    ['a control character', 3, 'U+001B', ['7', '--positive', 'a\u001b[31m']],
    ['a blank comment', 3, 'COMMENT', ['7', '--positive', '  ']],
    ['no comment', 2, 'COMMENT', ['7', '--positive']],
    ['nothing at all', 2, 'seller feedback:pending', []],
    ['neither positive nor negative', 2, 'positive', ['7', 'Tack']],
    ['both', 2, 'negative', ['7', 'Tack', '--positive', '--negative']],
    ['a transaction that is no number', 2, '"7x"', ['7x', 'Tack', '--positive']],
    ['a transaction beside an order', 2, '--order', ['7', 'Tack', '--order', '8', '--positive']],
  ] as const) {
    it(`refuses ${what}, exit ${code}, before any call`, async () => {
      const run = await home.seller('feedback:leave', ...args, '--json')
      expect(run.code, run.stdout).to.equal(code)
      expect(`${run.json().error.message} ${run.json().error.hint}`).to.include(word)
      expect(home.calls()).to.deep.equal([])
    })
  }
})
