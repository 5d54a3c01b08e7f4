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

  it('refuses a control character before any call', async () => {
    const run = await home.seller('feedback:leave', '7', '--positive', 'a\u001b[31m', '--json')
    expect(run.code, run.stdout).to.equal(3)
    expect(run.json().error.message).to.include('U+001B')
    expect(home.calls()).to.deep.equal([])
  })
})
