/** Members. */
import type { GetMemberPaymentOptionsResult, Output } from '../../contract/index.js'
import type { View } from '../output/types.js'

export type PaymentOptionRecord = Output<typeof GetMemberPaymentOptionsResult>['PaymentOptions'][number]

export const paymentOptionsView: View<PaymentOptionRecord> = {
  empty: 'The member has no payment options.',
  columns: [{ key: 'Name' }, { key: 'DisplayName', header: 'Shown as' }, { key: 'Description', maxWidth: 60 }],
}
