/** The questions of a login on a terminal, one value after the other, with the current value as default. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { Question } from '../../cli/prompts.js'
import { maskSetting, readSetting, SETTINGS, type SettingName, type Settings } from '../../cli/settings.js'
import { BY_COMMAND, flagOf } from './given.js'

export interface Asking {
  /** The profile as it is stored. */
  readonly old: Readonly<Settings>
  /** Whether an empty answer is allowed. */
  readonly optional: boolean
}

/**
 * Asks for a setting.
 * @returns its value; undefined if it stays as it is or was left empty
 */
export async function askSetting(
  ctx: Context,
  setting: SettingName,
  { old, optional }: Asking,
): Promise<string | number | undefined> {
  if (SETTINGS[setting].secret && (await keepsSecret(ctx, setting, old))) return undefined
  const present = SETTINGS[setting].secret ? undefined : old[setting]
  const question = {
    ...questionOf(setting, optional),
    default: present === undefined ? undefined : maskSetting(setting, present),
  }
  const text = (await ctx.prompts.fill([question]))[setting]
  return text === undefined ? undefined : readSetting(setting, text, setting)
}

/** A secret is never shown: the stored one is kept or replaced. @returns false if none is stored */
export async function keepsSecret(ctx: Context, setting: SettingName, old: Readonly<Settings>): Promise<boolean> {
  const { label } = SETTINGS[setting]
  const command = old[BY_COMMAND[setting as keyof typeof BY_COMMAND]]
  const held = old[setting]
  if (held === undefined && command === undefined) return false
  const present = held === undefined ? `printed by ${command}` : maskSetting(setting, held)
  const choice = await ctx.prompts.fill([
    {
      key: setting,
      flag: insteadOf(setting),
      message: `${label} (${present})`,
      kind: 'select',
      default: 'keep',
      choices: [
        { name: 'Keep it', value: 'keep' },
        { name: 'Replace it', value: 'replace' },
      ],
    },
  ])
  return choice[setting] !== 'replace'
}

/** The question for a missing setting, with the flag that a script would use instead. */
export function questionOf(setting: SettingName, optional: boolean): Question<SettingName> {
  const { label, secret } = SETTINGS[setting]
  return {
    key: setting,
    flag: insteadOf(setting),
    message: `${label}${!optional ? '' : setting === 'public_key' ? ' (empty if you have a token)' : ' (empty for none)'}`,
    kind: secret ? 'secret' : 'text',
    optional,
    check: (text) => reasonAgainst(setting, text),
  }
}

function reasonAgainst(setting: SettingName, text: string): string | undefined {
  try {
    readSetting(setting, text, SETTINGS[setting].label)
    return undefined
  } catch (error) {
    return error instanceof SellerError ? `${error.message} ${error.hint}` : String(error)
  }
}

/** What a script would use: a flag, or for a secret its variable. */
function insteadOf(setting: SettingName): string {
  return SETTINGS[setting].secret ? `${SETTINGS[setting].env} (or --stdin)` : flagOf(setting)
}
