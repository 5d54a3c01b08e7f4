/** Members as shown to others and to themselves, and the payment options of members. */
import type { Output, ParamsOf, ResultOf, User, UserInfo } from '../../../contract/index.js'
import { present } from '../../../contract/present.js'
import type { Store } from '../../../system/sqlite.js'
import { type Call, notValid } from '../store/scene.js'
import { PAYMENT_TYPES } from './reference.js'

export type UserValue = Output<typeof User>

export interface MemberRow {
  user_id: number
  alias: string
  first_name: string
  last_name: string
  email: string
  rating: number
  phone: string
  mobile: string
  address: string
  zip_code: string
  city: string
  country: string
  payment_options: string
  shop: string | null
}

/** A member by id; undefined if there is none. */
export function member(store: Store, userId: number): MemberRow | undefined {
  return store.first<MemberRow>('SELECT * FROM members WHERE user_id = ?', userId)
}

/** Fields of a member that strangers may see (docs/service.md, What the types do not say). */
export function stranger(row: MemberRow): UserValue {
  return {
    Id: row.user_id,
    Alias: row.alias,
    TotalRating: row.rating,
    ZipCode: row.zip_code,
    City: row.city,
    CountryName: row.country,
  }
}

/** Fields that the two parties of a transaction see of each other. */
export function party(row: MemberRow, transactionId: number): UserValue {
  return { ...userInfo(row), TransactionId: transactionId }
}

/** GetUserInfo's fields (docs/service.md, What the types do not say). */
export function userInfo(row: MemberRow): Output<typeof UserInfo> {
  return {
    Id: row.user_id,
    Alias: row.alias,
    FirstName: row.first_name,
    LastName: row.last_name,
    Email: row.email,
    TotalRating: row.rating,
    PhoneNumber: row.phone,
    MobilePhoneNumber: row.mobile,
    Address: row.address,
    ZipCode: row.zip_code,
    City: row.city,
    CountryName: row.country,
  }
}

/** Caches members for a whole list. */
export class People {
  readonly #store: Store
  readonly #rows = new Map<number, MemberRow | undefined>()

  constructor(store: Store) {
    this.#store = store
  }

  row(userId: number): MemberRow | undefined {
    if (!this.#rows.has(userId)) this.#rows.set(userId, member(this.#store, userId))
    return this.#rows.get(userId)
  }

  stranger(userId: number): UserValue | undefined {
    const row = this.row(userId)
    return row === undefined ? undefined : stranger(row)
  }
}

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
  const acceptedTypes = JSON.parse(row.payment_options) as number[]
  return {
    PaymentOptions: PAYMENT_TYPES.filter((type) => acceptedTypes.includes(type.Id)).map((type) =>
      present({
        Name: type.Value,
        Description: DESCRIPTIONS[type.Value ?? ''] ?? type.Description,
        DisplayName: type.Description,
      }),
    ),
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
