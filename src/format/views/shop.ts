/** The account of the seller, the settings of the shop, and what members take. */

import type { ClosingRecord } from '../../contract/closings.js'
import { type GetMemberPaymentOptionsResult, type Output, ShopSettingsData, UserInfo } from '../../contract/index.js'
import type { View } from '../output/types.js'
import { columnsOf, stateColumn } from './columns.js'

export type ShopSettingsRecord = Output<typeof ShopSettingsData>

/** The settings with the closing that is planned or not over, which only the ledger knows. */
export type ShopSettingsShown = ShopSettingsRecord & { readonly Closing: ClosingRecord | null }

export const shopSettingsView: View<ShopSettingsShown> = {
  type: ShopSettingsData,
  card: true,
  title: 'Shop settings',
  columns: [
    {
      key: 'IsTemporaryClosed',
      header: 'Closed for now',
      kind: 'boolean',
      style: (shop, paint) => (shop.IsTemporaryClosed === true ? paint.yellow : undefined),
    },
    ...columnsOf({ TemporaryClosedMessage: 'Closed message', MaxActiveItems: 'Active items allowed' }),
    ...columnsOf({ MaxInventoryItems: 'Stock allowed', ShowGalleryMode: 'Gallery mode' }),
    ...columnsOf({ ShowAuctionView: 'Auction view', BannerColor: 'Banner colour', LogoImageUrl: 'Logo' }),
    {
      // A pipe gets only the format of the logo. Its bytes are in JSON, and in the file of --logo.
      key: 'LogoInformation.ImageFormat',
      header: 'Logo file',
      shown: (shop) => {
        const { ImageData: bytes, ImageFormat: format } = shop.LogoInformation ?? {}
        return bytes === undefined ? undefined : `${format ?? 'image'}, ${bytes.length} bytes (--logo FILE saves it)`
      },
    },
    ...columnsOf({ CompanyInformation: 'Company', ContactInformation: 'Contact', PurchaseTerms: 'Terms' }),
  ],
  named: (['State', 'StartsAt', 'EndsAt'] as const).map((key) => ({
    key: `Closing.${key}`,
    value: ({ Closing }) => Closing?.[key] ?? null,
  })),
}

/** A time for which the shop is closed. */
export const closingView: View<ClosingRecord> = {
  card: true,
  keys: ['Profile', 'UserId', 'CreatedAt'],
  columns: [
    stateColumn({ closed: 'yellow', held: 'yellow', missed: 'yellow', overdue: 'red' }),
    { key: 'StartsAt', header: 'From', kind: 'date' },
    { key: 'EndsAt', header: 'Until', kind: 'date' },
    { key: 'Message' },
    {
      key: 'Before',
      value: ({ Before }) => Before && (Before.Message ?? ''),
      header: 'Message before',
      shown: ({ Before }) => Before?.Message ?? undefined,
    },
    { key: 'ClosedAt', header: 'Closed', kind: 'date' },
    { key: 'EndedAt', header: 'Ended', kind: 'date' },
    { key: 'NextAt', header: 'Next', kind: 'date' },
  ],
}

export const accountView: View<Output<typeof UserInfo>> = {
  type: UserInfo,
  card: true,
  title: (user) => user.Alias ?? `User ${user.Id}`,
  columns: [
    ...columnsOf('Id', 'Alias', 'FirstName', 'LastName', 'Email', { TotalRating: 'Rating' }, 'PhoneNumber'),
    ...columnsOf('MobilePhoneNumber', 'Address', 'ZipCode', 'City', 'CountryName', 'TransactionId'),
  ],
}

export type PaymentOptionRecord = Output<typeof GetMemberPaymentOptionsResult>['PaymentOptions'][number]

export const paymentOptionsView: View<PaymentOptionRecord> = {
  empty: 'The member has no payment options.',
  columns: [{ key: 'Name' }, { key: 'DisplayName', header: 'Shown as' }, { key: 'Description', maxWidth: 60 }],
}
