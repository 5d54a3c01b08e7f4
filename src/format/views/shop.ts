/** The settings of the shop. */
import { type Output, ShopSettingsData } from '../../contract/index.js'
import type { View } from '../output/types.js'
import { columnsOf } from './columns.js'

export type ShopSettingsRecord = Output<typeof ShopSettingsData>

export const shopSettingsView: View<ShopSettingsRecord> = {
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
    ...columnsOf({ TemporaryClosedMessage: 'Closed message', MaxActiveItems: 'Most active items' }),
    ...columnsOf({ MaxInventoryItems: 'Most items in stock', ShowGalleryMode: 'Gallery mode' }),
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
}
