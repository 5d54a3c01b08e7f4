/** The settings of the shop. */
import { type Output, ShopSettingsData } from '../../contract/index.js'
import type { View } from '../output/types.js'

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
    { key: 'TemporaryClosedMessage', header: 'Closed message' },
    { key: 'MaxActiveItems', header: 'Most active items', kind: 'int' },
    { key: 'MaxInventoryItems', header: 'Most items in stock', kind: 'int' },
    { key: 'ShowGalleryMode', header: 'Gallery mode', kind: 'boolean' },
    { key: 'ShowAuctionView', header: 'Auction view', kind: 'boolean' },
    { key: 'BannerColor', header: 'Banner colour' },
    { key: 'LogoImageUrl', header: 'Logo' },
    {
      // A pipe gets only the format of the logo. Its bytes are in JSON, and in the file of --logo.
      key: 'LogoInformation.ImageFormat',
      header: 'Logo file',
      shown: (shop) => {
        const { ImageData: bytes, ImageFormat: format } = shop.LogoInformation ?? {}
        return bytes === undefined ? undefined : `${format ?? 'image'}, ${bytes.length} bytes (--logo FILE saves it)`
      },
    },
    { key: 'CompanyInformation', header: 'Company' },
    { key: 'ContactInformation', header: 'Contact' },
    { key: 'PurchaseTerms', header: 'Terms' },
  ],
}
