import { extname } from 'node:path'
import { Flags } from '@oclif/core'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag } from '../../cli/flags.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { SellerError } from '../../errors/index.js'
import { type ShopSettingsRecord, shopSettingsView } from '../../format/views/index.js'

const EXTENSIONS = { Gif: ['.gif'], Jpeg: ['.jpg', '.jpeg'], Png: ['.png'] } as const

export default class ShopSettings extends SellerCommand<typeof ShopSettings> {
  static override summary = 'Show the settings of your shop, and save its logo.'
  static override description = 'In JSON, the logo is base64 text (LogoInformation.ImageData).'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --logo logo.png',
    '<%= config.bin %> <%= command.id %> --json | jq .MaxActiveItems',
  ]
  static operations = ['GetShopSettings']
  static override flags = {
    ...callTimeoutFlag,
    logo: Flags.string({ helpValue: 'FILE', summary: 'Save the logo to this file.' }),
    force: Flags.boolean({
      relationships: [{ type: 'some', flags: ['logo', 'out'] }],
      summary: 'Overwrite the file if it exists.',
    }),
  }

  async work(): Promise<void> {
    const { logo, force } = this.flags
    if (logo !== undefined) await checkOutputFile(this.ctx, logo, { force })
    const client = await this.ctx.client()
    const settings = await client.call('GetShopSettings', {})
    if (settings === null) {
      throw new SellerError(
        'no_shop',
        'The service returned no settings: this seller has no shop.',
        'Check which account you use with: seller account:show',
      )
    }
    if (logo !== undefined) await this.#save(settings, logo)
    await this.ctx.output.record(shopSettingsView, settings)
  }

  async #save({ LogoInformation: logo, LogoImageUrl: link }: ShopSettingsRecord, path: string): Promise<void> {
    const bytes = logo?.ImageData
    if (bytes === undefined || bytes.length === 0) {
      const hint = link === undefined ? 'Leave --logo out to see the settings.' : `The service gives only its address: ${link}`
      throw new SellerError('no_logo', 'The shop has no logo, so nothing was saved.', hint)
    }
    await writeOutputFile(this.ctx, path, bytes, { force: this.flags.force })
    const format = logo?.ImageFormat ?? undefined
    this.ctx.output.note(`Saved the logo (${format ?? 'image'}, ${bytes.length} bytes) as ${path}.`)
    const fitting: readonly string[] | undefined = format === undefined ? undefined : EXTENSIONS[format]
    if (fitting !== undefined && !fitting.includes(extname(path).toLowerCase())) {
      this.ctx.output.warn(`The logo is a ${format} file: ${path} would better end in ${fitting[0]}.`)
    }
  }
}
