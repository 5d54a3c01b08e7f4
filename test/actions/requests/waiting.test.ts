/** What is printed about a request that failed or is unknown. */
import { expect } from 'chai'
import { failureOf, unknownWords, waitCommand } from '../../../src/actions/requests/waiting.js'
import type { Context } from '../../../src/cli/context.js'
import { resultMeaning } from '../../../src/contract/index.js'
import type { RequestRow } from '../../../src/jobs/index.js'

describe('the words about a request', () => {
  const row = (more: Partial<RequestRow>): RequestRow =>
    ({
      RequestId: 900,
      Operation: 'AddItem',
      Subject: 'Lampa',
      State: 'failed',
      ResultCode: null,
      Message: null,
      ...more,
    }) as RequestRow

  it('have its code and what it means, what the service says, and whether it may be sent again', () => {
    expect(failureOf(row({ ResultCode: 'Error', Message: 'no' }))).to.equal(
      `Request 900 (AddItem Lampa) ended with Error. ${resultMeaning('Error')} The service says: no`,
    )
    expect(failureOf(row({ ResultCode: 'Timeout', State: 'retryable', Message: '' }))).to.equal(
      `Request 900 (AddItem Lampa) ended with Timeout. ${resultMeaning('Timeout')} The same request may be sent again.`,
    )
    expect(failureOf(row({ State: 'unknown' }))).to.equal('Request 900 (AddItem Lampa) ended with unknown.')
  })

  it('name all that nobody knows, with the command for those of another program', () => {
    expect(unknownWords([5])[0]).to.equal('Neither the ledger nor the service knows request 5.')
    const [message, hint] = unknownWords([5, 6])
    expect(message).to.equal('Neither the ledger nor the service knows the requests 5, 6.')
    expect(hint).to.contain('seller requests:wait 5 6 --unknown-too')
  })

  it('name up to 20 ids in the command that goes on', () => {
    const ctx = { profileFlag: () => ' -p q' } as Context
    const ids = Array.from({ length: 21 }, (_, at) => at + 1)
    expect(waitCommand(ctx, ids.slice(0, 20))).to.equal(`seller requests:wait ${ids.slice(0, 20).join(' ')} -p q`)
    expect(waitCommand(ctx, ids)).to.equal('seller requests:wait -p q')
  })
})
