import { expect } from 'chai'
import { JOB_KEYS, ROW_STATES } from '../../src/contract/index.js'

describe('jobs as scripts see them', () => {
  it('begin with what names them', () => {
    expect(JOB_KEYS.slice(0, 2)).to.deep.equal(['JobId', 'Kind'])
  })

  it('keep the place of each row state, which ledgers have on disk', () => {
    expect(ROW_STATES).to.deep.equal(['unsent', 'sending', 'queued', 'ok', 'failed', 'retryable', 'unknown', 'held', 'skipped'])
  })
})
