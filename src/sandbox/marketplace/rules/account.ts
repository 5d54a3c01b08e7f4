/** The calling user, and the payment options of other members. */
import type { Output, ParamsOf, ResultOf, UserInfo } from '../../../contract/index.js'
import { type Call, notValid } from '../store/scene.js'
import { member, userInfo } from './members.js'
import { PAYMENT_TYPES } from './reference.js'

/** GetUserInfo. */
export function getUserInfo(call: Call): Output<typeof UserInfo> | null {
  const row = member(call.store, call.userId)
  return row === undefined ? null : userInfo(row)
}

/** GetMemberPaymentOptions. @throws {ServiceFault} for a member that does not exist */
export function getMemberPaymentOptions(
  call: Call,
  { memberId }: ParamsOf<'GetMemberPaymentOptions'>,
): NonNullable<ResultOf<'GetMemberPaymentOptions'>> {
  const row = member(call.store, memberId)
  if (row === undefined) throw notValid([`Member with id ${memberId} does not exist.`])
  const accepted = JSON.parse(row.payment_options) as number[]
  return {
    PaymentOptions: PAYMENT_TYPES.filter((type) => accepted.includes(type.Id)).map((type) => ({
      Name: type.Value,
      Description: DESCRIPTIONS[type.Value ?? ''] ?? type.Description,
      DisplayName: type.Description,
    })),
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  BankTransfer: 'Köparen för över till säljarens bankkonto.',
  Giro: 'Köparen betalar till säljarens plus- eller bankgiro.',
  CashOnDelivery: 'Köparen betalar när varan hämtas ut.',
  Cash: 'Köparen betalar kontant när varan hämtas.',
  Swish: 'Köparen swishar till säljarens nummer.',
  ExternalPayment: 'Köparen betalar med Swish, kort eller faktura via betaltjänsten.',
}
