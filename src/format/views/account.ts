/** The user who makes the calls. */
import { type Output, UserInfo } from '../../contract/index.js'
import type { View } from '../output/types.js'

export const accountView: View<Output<typeof UserInfo>> = {
  type: UserInfo,
  card: true,
  title: (user) => user.Alias ?? `User ${user.Id}`,
  columns: [
    { key: 'Id', kind: 'int' },
    { key: 'Alias' },
    { key: 'FirstName', header: 'First name' },
    { key: 'LastName', header: 'Last name' },
    { key: 'Email' },
    { key: 'TotalRating', header: 'Rating', kind: 'int' },
    { key: 'PhoneNumber', header: 'Phone' },
    { key: 'MobilePhoneNumber', header: 'Mobile' },
    { key: 'Address' },
    { key: 'ZipCode', header: 'Zip code' },
    { key: 'City' },
    { key: 'CountryName', header: 'Country' },
    { key: 'TransactionId', header: 'Transaction', kind: 'int' },
  ],
}
