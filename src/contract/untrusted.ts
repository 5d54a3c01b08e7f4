/**
 * Texts in results that others write: buyers, other sellers, whoever writes a title or a message at the marketplace. An assistant
 * must take them for data, never for words of this tool. By the names of keys, which mean the same in every result.
 */

/** Keys of persons and of what they give with a payment: every text below them. */
const PARTS: ReadonlySet<string> = new Set(['Buyer', 'Buyers', 'MaxBidder', 'Seller', 'ShipTo', 'AdditionalInfo'])

const TEXTS: ReadonlySet<string> = new Set([
  // Persons, where the record itself is one.
  ...['Alias', 'FirstName', 'LastName', 'Email', 'Phone', 'PhoneNumber', 'MobilePhoneNumber', 'PersonalNumber'],
  ...['Address', 'AddressLine1', 'AddressLine2', 'ZipCode', 'City', 'Country', 'CountryName'],
  // Items, also those of other sellers.
  ...['Title', 'ShortDescription', 'LongDescription', 'PaymentCondition', 'ShippingCondition', 'Item', 'Items', 'Subject'],
  // Payments, and groups of a report by buyer or item.
  ...['Reference', 'Key'],
  // Words of the service.
  ...['Message', 'ErrorMessage', 'Progress'],
])

/** True if a key of a result, with dots between the parts of a nested one, has a text that others write. */
export function isUntrusted(key: string): boolean {
  const parts = key.split('.')
  return TEXTS.has(parts.at(-1) ?? '') || parts.some((part) => PARTS.has(part))
}
