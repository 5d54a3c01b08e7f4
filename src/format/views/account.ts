/** The user who makes the calls. */
import { type Output, UserInfo } from '../../contract/index.js'
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

export const accountView: View<Output<typeof UserInfo>> = {
  type: UserInfo,
  card: true,
  title: (user) => user.Alias ?? `User ${user.Id}`,
  columns: [
    ...columnsOf('Id', 'Alias', 'FirstName', 'LastName', 'Email', { TotalRating: 'Rating' }, 'PhoneNumber'),
    ...columnsOf('MobilePhoneNumber', 'Address', 'ZipCode', 'City', 'CountryName', 'TransactionId'),
  ],
}
