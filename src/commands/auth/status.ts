import { SellerCommand } from '../../cli/base.js'
import { SETTING_NAMES, SETTINGS, shownSetting } from '../../cli/settings.js'
import type { View } from '../../format/index.js'

interface StatusRow {
  Setting: string
  Value: string | number | null
  Source: string | null
  From: string | null
}

const view: View<StatusRow> = {
  columns: [{ key: 'Setting' }, { key: 'Value' }, { key: 'Source' }, { key: 'From' }],
}

export default class AuthStatus extends SellerCommand<typeof AuthStatus> {
  static override summary = 'Show the profile in use and where each of its values comes from; secrets are masked.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --profile shop --json']

  async work(): Promise<void> {
    const { chosen, sourced } = this.ctx.profile
    const rows: StatusRow[] = [{ Setting: 'profile', Value: chosen.value, Source: chosen.source, From: chosen.from }]
    for (const name of SETTING_NAMES) {
      const found = sourced[name]
      const value = found === undefined ? null : SETTINGS[name].secret ? shownSetting(name, found.value) : found.value
      rows.push({ Setting: name, Value: value, Source: found?.source ?? null, From: found?.from ?? null })
    }
    await this.ctx.output.list(view, rows)
  }
}
