/** Whether a request takes images: what is asked after a refusal. */
import { expect } from 'chai'
import { committedSince } from '../../../src/actions/listing/committed.js'

describe('the search for the reason of a refused image', () => {
  it('finds none where the service does not answer, but is ended by an interrupt', async () => {
    for (const isInterrupted of [false, true]) {
      const signal = isInterrupted ? AbortSignal.abort() : new AbortController().signal
      const client = { call: () => Promise.reject(new Error('stopped')) }
      const found = committedSince({ signal } as never, client as never, 5, 'no')
      expect(await found.catch((error: Error) => error.message)).to.equal(isInterrupted ? 'stopped' : undefined)
    }
  })
})
