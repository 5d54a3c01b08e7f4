/** Accounts of the books by what is posted to them, as the setting `accounts` has them: `sales25=3001,sales25.Norge=3105,fees=6570`. */

/** The Swedish standard plan (BAS). */
const STANDARD: Readonly<Record<string, string>> = {
  payments: '1580',
  fees: '6570',
  rounding: '3740',
  shipping: '3520',
  sales25: '3001',
  sales12: '3002',
  sales6: '3003',
  sales0: '3004',
  vat25: '2611',
  vat12: '2621',
  vat6: '2631',
  margin: '3211',
  marginvat: '2616',
}

export type Accounts = ReadonlyMap<string, string>

/** A text that cannot be read; the message says what is wrong with it. */
export class AccountsError extends Error {}

/** @throws {AccountsError} */
export function readAccounts(text: string): Accounts {
  const accounts = new Map<string, string>(Object.entries(STANDARD))
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue
    const [, name = '', account = ''] = /^([^=]+)=(\d{3,8})$/.exec(pair) ?? []
    if (account === '') throw new AccountsError(`"${pair}" is no NAME=ACCOUNT`)
    const [base = ''] = name.split('.')
    if (!Object.hasOwn(STANDARD, base) && !/^(?:sales|vat)\d{1,2}$/.test(base)) {
      throw new AccountsError(`"${base}" is none of ${Object.keys(STANDARD).join(', ')}`)
    }
    accounts.set(name, account)
  }
  return accounts
}

/** The account for a name, of a country where that has its own; undefined for a rate of VAT without one. */
export function accountFor(accounts: Accounts, name: string, country?: string): string | undefined {
  return accounts.get(`${name}.${country}`) ?? accounts.get(name)
}
