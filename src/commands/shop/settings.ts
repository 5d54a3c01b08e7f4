import { extname } from 'node:path'
import * as Flags from '@oclif/core/flags'
import { shopOf } from '../../actions/own.js'
import { eachProfile } from '../../actions/profiles/each.js'
import { recordResult } from '../../actions/result.js'
import { closeShop, closingWords, openShop, shopSettings } from '../../actions/shop/closing.js'
import { SellerCommand } from '../../cli/base.js'
import { callTimeoutFlag, dateTimeFlag, dryRunFlag, endFlag, forceFlag, profilesFlag, yesFlag } from '../../cli/flags.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { requireOffered } from '../../cli/saved-description.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type ShopSettingsRecord, shopSettingsView } from '../../format/views/shop.js'
import { shopsView } from '../../format/views/shops.js'
import { run, say } from '../../messages/index.js'

const EXTENSIONS = { Gif: ['.gif'], Jpeg: ['.jpg', '.jpeg'], Png: ['.png'] } as const

export default class ShopSettings extends SellerCommand<typeof ShopSettings> {
  static override summary = 'Show the settings of your shop, save its logo, or close the shop for a time.'
  static override description =
    'In JSON, the logo is base64 text (LogoInformation.ImageData). With --close the shop is closed from --from (now by default) until ' +
    '--until: jobs:due closes it when the time has come, however late, and opens it again with the message of before, which the ledger ' +
    'keeps before anything is sent. Killed at any moment and run again, it continues where it stopped. It is not opened where somebody has changed the message ' +
    'since (held, exit 6). --open opens it before its time, or calls off what has not begun. With --profiles one question is asked for all shops. The service takes all settings at once, so ' +
    'they are read right before and sent as they are. Not every service offers this: it needs a saved description that has ' +
    'SetShopSettings (service:check --save).'
  static override usage = [
    '<%= command.id %> [--logo FILE] [FLAGS]',
    '<%= command.id %> --close [--from DATE] --until DATE [--message TEXT] [FLAGS]',
    '<%= command.id %> --open [FLAGS]',
  ]
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --logo logo.png',
    '<%= config.bin %> <%= command.id %> --json | jq .MaxActiveItems',
    '<%= config.bin %> <%= command.id %> --close --from 2026-12-20 --until 2027-01-06 --message "Closed for Christmas"',
    "<%= config.bin %> <%= command.id %> --close --until +14d --profiles 'shop-*'",
    '<%= config.bin %> <%= command.id %> --open --yes',
  ]
  static operations = ['GetShopSettings', 'SetShopSettings']
  static override flags = {
    ...callTimeoutFlag,
    logo: Flags.string({ helpValue: 'FILE', summary: 'Save the logo to this file.' }),
    ...forceFlag('logo'),
    close: Flags.boolean({ exclusive: ['open', 'logo'], dependsOn: ['until'], summary: 'Close the shop for a time.' }),
    open: Flags.boolean({ exclusive: ['logo'], summary: 'Open the shop again, or call off a closing to come.' }),
    from: dateTimeFlag({
      dependsOn: ['close'],
      direction: 'future',
      summary: 'When it is closed, e.g. 2026-12-20 (default: now).',
    }),
    until: endFlag({
      dependsOn: ['close'],
      summary: 'When it is opened again. A date alone is meant to its end, and +7d is 7 days after --from.',
    }),
    message: Flags.string({
      helpValue: 'TEXT',
      dependsOn: ['close'],
      summary: 'What the shop says while it is closed (default: the message that it has).',
    }),
    ...dryRunFlag,
    ...yesFlag,
    ...profilesFlag,
    profiles: { ...profilesFlag.profiles, dependsOn: ['close'] },
  }

  // Showing them is a read.
  protected override sends(): boolean {
    return super.sends() && (this.flags.close || this.flags.open)
  }

  async work() {
    const { logo, force, close, open } = this.flags
    if (open) {
      await requireOffered(this.ctx, 'SetShopSettings')
      return openShop(this.ctx, this.flags)
    }
    if (!close) return this.#show(logo, force)
    const view = shopsView()
    return eachProfile(this.ctx, this.flags, {
      together: true,
      view,
      work: async (shop, own) => {
        await requireOffered(shop, 'SetShopSettings')
        return closeShop(shop, own)
      },
      show: async ({ output }, ends) => {
        await output.list(view, ends)
        if (this.flags['dry-run'] || ends.every(({ State }) => State === 'failed')) return
        const due = run('jobs:due', { '--profiles': this.flags.profiles ?? '' })
        output.hint(
          say`${due} closes the shops, and opens them again. Let the system run it every minute: ${run('schedule:show')}`,
        )
      },
    })
  }

  async #show(logo: string | undefined, force: boolean) {
    if (logo !== undefined) await checkOutputFile(this.ctx, logo, { force })
    const settings = await shopSettings(await this.ctx.client())
    if (logo !== undefined) await this.#save(settings, logo)
    const { closings } = await this.ctx.ledger({ reading: true })
    const closing = closings.open(shopOf(this.ctx))
    const words = closing && closingWords(closing)
    const shown = { ...settings, Closing: closing === undefined ? null : closings.shown(closing) }
    return recordResult(shopSettingsView, shown, EXIT.ok, (output) => {
      if (words !== undefined) output.hint(words)
    })
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
