import * as Flags from '@oclif/core/flags'
import { SellerCommand } from '../../cli/base.js'
import { missingSettings, notLoggedIn, SANDBOX } from '../../cli/profiles.js'
import { maskSetting, SETTING_NAMES, SETTINGS } from '../../cli/settings.js'
import { readableBy, readStored, settingsPath } from '../../cli/settings-file.js'
import { tokenEnd } from '../../cli/token-end.js'
import { profilesView, type SettingShown, settingsView } from '../../format/views/auth.js'
import { say } from '../../messages/index.js'

export default class AuthStatus extends SellerCommand<typeof AuthStatus> {
  static override summary =
    'Show the current profile, where each value comes from, and when a fetched token ends. Secrets are masked.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile shop --json',
    '<%= config.bin %> <%= command.id %> --all',
  ]
  static override flags = { all: Flags.boolean({ summary: 'List all profiles instead.' }) }

  async work(): Promise<void> {
    const { ctx } = this
    const { profile } = ctx
    if (this.flags.all) {
      const { profiles } = readStored(ctx.configDir)
      const names = [...new Set([...Object.keys(profiles), SANDBOX])]
      await ctx.output.list(
        profilesView,
        names.map((name) => ({
          Profile: name,
          InUse: name === profile.name,
          BaseUrl: profiles[name]?.base_url ?? null,
          AppId: profiles[name]?.app_id ?? null,
          UserId: profiles[name]?.user_id ?? null,
        })),
      )
      return
    }
    const { chosen, sourced } = profile
    const rows: SettingShown[] = [{ Setting: 'profile', Value: chosen.value, Source: chosen.source, From: chosen.from }]
    for (const name of SETTING_NAMES) {
      const found = sourced[name]
      if (found === undefined) continue
      const value = SETTINGS[name].secret ? maskSetting(name, found.value) : found.value
      rows.push({ Setting: name, Value: value, Source: found.source, From: found.from })
    }
    await ctx.output.list(settingsView, rows)
    const missing = missingSettings(profile, false)
    if (missing.length > 0) {
      const { words, advice } = notLoggedIn(profile, missing)
      ctx.output.note(words)
      ctx.output.hint(advice)
    }
    const end = tokenEnd(profile, ctx.clock)
    if (end !== undefined && end.state !== 'far') ctx.output.warn(say`${end.said}. Fetch another: ${end.fix}`)
    const stored = SETTING_NAMES.some((name) => SETTINGS[name].secret && sourced[name]?.source === 'profile')
    if (stored) ctx.output.note(`Credentials are stored in ${settingsPath(ctx.configDir)}: ${readableBy()}, not encrypted.`)
  }
}
