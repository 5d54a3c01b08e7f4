import { expect } from 'chai'
import { checkFeedback, type Feedback, leaveFeedback } from '../../../src/actions/feedback/leave.js'
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

  it('is left for a transaction, or to the buyer of an order', async () => {
    const done = { Type: 'Positive', Comment: 'Tack', Left: true }
    expect(await leaveFeedback(service(true), feedback, signal)).to.deep.equal({ TransactionId: 7, ...done })
    const order = { orderNumber: 5, comment: 'Tack', type: 'Positive' } as const
    for (const answer of [null, undefined, true, '']) {
      expect(await leaveFeedback(service(answer), order, signal)).to.deep.equal({ OrderNumber: 5, ...done })
    }
    for (const answer of [false, ' false ']) {
      expect(await refusal(service(answer), order)).to.include({
        code: 'feedback_not_left',
        message: 'The service did not leave feedback for order 5 (it answered false).',
      })
    }
  })

  it('passes on what is no lost reply and no missing transaction', async () => {
    const other = new SoapError('fault', 'no', { operation: 'LeaveFeedback', sent: true, faultString: 'Transaction 7 is odd' })
    const away = new SoapError('unreachable', 'no', { operation: 'LeaveFeedback', sent: false })
    for (const error of [other, away, new TypeError('a mistake')]) {
      expect(await refusal(service(error))).to.equal(error)
      expect(await refusal(service(error), { ...feedback, transactionId: undefined, orderNumber: 5 })).to.equal(error)
    }
  })

  it('is found among the sales by its own transaction', async () => {
    const list = [
      { Id: 6, IsFeedbackLeftBySeller: true },
      { Id: 7, IsFeedbackLeftBySeller: false },
      { Id: 8, IsFeedbackLeftBySeller: true },
    ]
    expect((await refusal(service(false, list))).code).to.equal('feedback_not_left')
    expect((await refusal(service(false, list), { ...feedback, transactionId: 8 })).code).to.equal('feedback_already_left')
    expect((await refusal(service(false, list), { ...feedback, transactionId: 9 })).code).to.equal('transaction_not_found')
    expect((await refusal(service(false, list))).details).to.deep.equal({ transactionId: 7, left: false })
  })

  it('has a comment of 80 characters at most, as the service counts them', () => {
    const check = (comment: string, more: Partial<Feedback> = {}): { message: string; fields: unknown[] } => {
      try {
        checkFeedback({ ...feedback, comment, ...more })
        return { message: '', fields: [] }
      } catch (error) {
        const { message, details } = error as SellerError
        return { message, fields: (details.faults as { field: string }[]).map(({ field }) => field) }
      }
    }
    expect(check('x'.repeat(80)).message).to.equal('')
    expect(check('x'.repeat(81)).fields).to.deep.equal(['COMMENT'])
    expect(check('x'.repeat(81)).message).to.not.contain('emoji')
    expect(check('😀'.repeat(40)).message).to.equal('')
    expect(check('😀'.repeat(41)).message).to.contain('counts an emoji and other rare characters as two: you count 41.')
    const order = { transactionId: undefined, orderNumber: 0 }
    expect(check('x'.repeat(81), { ...order, orderNumber: 5 }).fields).to.deep.equal(['COMMENT'])
    expect(check('Tack', { transactionId: 0 }).fields).to.deep.equal(['TRANSACTIONID'])
  })
})
