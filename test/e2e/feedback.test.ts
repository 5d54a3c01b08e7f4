import { expect } from 'chai'
import { opened } from '../opened.js'
import { openObserved } from './observed.js'
import { ask } from './person.js'

describe('feedback', () => {
  const home = opened(openObserved)
  let pending: { Id: number; IsFeedbackLeftBySeller: boolean }[]
  before(async () => {
    pending = (await home.seller('feedback:pending', '--json')).json()
    expect(pending.length).to.be.greaterThan(3)
  })
  beforeEach(() => void home.calls())

  const id = (index: number): string => String(pending.at(index)?.Id)

  it('asks a person for the sale, whether it is positive, and the comment', async () => {
    const person = ask(home, ['feedback:leave', '--json'])
    await person.sees('Sale (type words)')
    await person.types(id(-1))
    await person.sees(`❯ ${id(-1)}`)
    await person.enters()
    await person.answers('Feedback')
    await person.answers('Comment', 'x'.repeat(81))
    await person.sees('At most 80 characters; it has 81.')
    await person.corrects('Tack så mycket')
    const run = await person.done
    expect(run.json(), run.stderr).to.include({ TransactionId: Number(id(-1)), Type: 'Positive', Comment: 'Tack så mycket' })
  })

  it('is left for several sales at once, and one that has feedback does not stop the others', async () => {
    const [left, rated, other] = pending.slice(3, 6).map(({ Id }) => Id)
    await home.done('feedback:leave', String(rated), '--positive', 'Tack')
    home.calls()
    const run = await home.seller('feedback:leave', `${left},${rated},${other},${left}`, '--positive', 'Tack', '--json')
    expect(run.code, run.stderr).to.equal(5)
    const [first, second, third, ...more] = run.json()
    expect([first, third]).to.deep.equal(
      [left, other].map((TransactionId) => ({ TransactionId, Type: 'Positive', Comment: 'Tack', Left: true })),
    )
    expect(second).to.deep.include({ TransactionId: rated, Left: false })
    expect(second.Reason).to.include(`already left feedback for transaction ${rated}`)
    expect(more).to.deep.equal([])
    expect(home.calls().filter((call) => call === 'LeaveFeedback')).to.have.length(3)
    const negative = await home.seller('feedback:leave', '1,2', '--negative', 'Sen', '--json')
    expect([negative.code, home.calls()]).to.deep.equal([6, []])
  })

  it('refuses a control character before any call', async () => {
    const run = await home.seller('feedback:leave', '7', '--positive', 'a\u001b[31m', '--json')
    expect(run.code, run.stdout).to.equal(3)
    expect(run.json().error.message).to.include('U+001B')
    expect(home.calls()).to.deep.equal([])
  })
})
