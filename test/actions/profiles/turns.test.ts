/** Work that waits for its turns. */
import { expect } from 'chai'
import { Turns } from '../../../src/actions/profiles/turns.js'

describe('Turns', () => {
  it('goes on from wait to wait, and no further', async () => {
    const turns = new Turns<string>()
    const steps: string[] = []
    await turns.begin(async () => {
      steps.push('read')
      await turns.wait()
      steps.push('planned')
      await turns.wait()
      steps.push('sent')
      return 'done'
    })
    expect(steps).to.deep.equal(['read'])
    await turns.next()
    expect(steps).to.deep.equal(['read', 'planned'])
    expect(turns.result).to.equal(undefined)
    await turns.next()
    expect(turns.result).to.equal('done')
  })

  it('ends work where it waits, by the error given, after its own clean-up', async () => {
    const turns = new Turns<string>()
    let closed = false
    await turns.begin(async () => {
      try {
        await turns.wait()
        return 'done'
      } catch (error) {
        return (error as Error).message
      } finally {
        closed = true
      }
    })
    await turns.end(new Error('given up'))
    expect([turns.result, closed]).to.deep.equal(['given up', true])
  })

  it('leaves work alone that has not begun or has ended', async () => {
    const fresh = new Turns<string>()
    await fresh.end(new Error('never seen'))
    expect(fresh.result).to.equal(undefined)
    const ended = new Turns<string>()
    await ended.begin(async () => 'done')
    await ended.end(new Error('too late'))
    expect(ended.result).to.equal('done')
  })
})
