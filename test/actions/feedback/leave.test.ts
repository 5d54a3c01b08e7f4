import { expect } from 'chai'
import { type Feedback, leaveFeedback } from '../../../src/actions/feedback/leave.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { type SoapClient, SoapError } from '../../../src/soap/client/index.js'

const { signal } = new AbortController()

/** A client whose writes give the given answer, and whose list of transactions is the given one. */
function service(answer: unknown, transactions: readonly object[] | Error = []): SoapClient {
  return {
    call: async () => {
      if (answer instanceof Error) throw answer
      return answer
    },
    async *stream() {
      if (transactions instanceof Error) throw transactions
      yield* transactions
    },
  } as unknown as SoapClient
}

const feedback: Feedback = { transactionId: 7, comment: 'Tack', type: 'Positive' }

async function refusal(client: SoapClient, given: Feedback = feedback): Promise<SellerError> {
  return leaveFeedback(client, given, signal).then(
    () => {
      throw new Error('It was left.')
    },
    (error: SellerError) => error,
  )
}

describe('feedback', () => {
  it('takes false and the fault of other editions for the same', async () => {
    const faultString = 'Invalid request ---> Transaction with id 7 was not found'
    const fault = new SoapError('fault', faultString, { operation: 'LeaveFeedback', sent: true, faultString })
    for (const answer of [false, fault]) {
      expect((await refusal(service(answer))).code).to.equal('transaction_not_found')
      expect((await refusal(service(answer, [{ Id: 7, IsFeedbackLeftBySeller: true }]))).code).to.equal('feedback_already_left')
    }
  })

  it('names all three reasons when the list does not tell them apart', async () => {
    for (const list of [[{ Id: 7, IsFeedbackLeftBySeller: false }], new Error('no list')]) {
      const error = await refusal(service(false, list))
      expect([error.code, error.exitCode]).to.deep.equal(['feedback_not_left', 3])
      for (const word of ['does not exist', 'already rated', 'deleted by the operator']) expect(error.message).to.include(word)
    }
  })

  it('says where to look when the reply was lost, for both operations', async () => {
    const lost = new SoapError('unknown-outcome', 'The reply was lost.', { operation: 'LeaveFeedback', sent: true })
    for (const given of [feedback, { ...feedback, transactionId: undefined, orderNumber: 5 }]) {
      const error = await refusal(service(lost), given)
      expect(error.exitCode).to.equal(9)
      expect(error.hint).to.include('feedback:pending')
    }
  })
})
