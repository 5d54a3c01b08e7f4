/** The values of a login: from the environment, stdin and flags, of which the last wins; or asked for on a terminal, one after the other. */
import type { Context } from '../../cli/context.js'
import type { Question } from '../../cli/prompts.js'
import { maskSetting, readSetting, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from '../../cli/settings.js'
import { nearest, sentence } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'

export interface GivenTexts {
  /** Values of flags, as texts. Never a secret. */
  readonly given: Partial<Record<SettingName, string>>
  /** Text from stdin, if it was read. */
  readonly piped?: string | undefined
}

interface Given {
  /** From flags and stdin. */
  readonly said: Readonly<Settings>
  /** From the environment, if neither gives a value. */
  readonly env: Readonly<Settings>
}

type Values = Record<string, string | number>

/** A secret and the command for it exclude each other. */
export const BY_COMMAND = { app_key: 'app_key_command', token: 'token_command', quota_url: 'quota_url_command' } as const

/**
 * Reads the given values.
 * @param environment whether the environment counts: the sandbox ignores it
 * @throws {SellerError} usage: a value that is not allowed, or a secret together with the command for it
 */
export function readGiven(ctx: Context, { given, piped }: GivenTexts, environment: boolean): Given {
  const said: Values = piped === undefined ? {} : readPiped(piped)
  for (const [setting, text] of Object.entries(given)) {
    said[setting] = readSetting(setting as SettingName, text, flagOf(setting as SettingName))
  }
  const env: Values = {}
  for (const setting of environment ? SETTING_NAMES : []) {
    const variable = SETTINGS[setting].env
    const text = variable === undefined ? undefined : ctx.env[variable]
    if (variable === undefined || text === undefined || text === '' || said[setting] !== undefined) continue
    env[setting] = readSetting(setting, text, variable)
  }
  for (const [secret, command] of Object.entries(BY_COMMAND)) {
    if (said[command] === undefined) continue
    if (said[secret] !== undefined) {
      const message = `${secret} is given, and ${flagOf(command)} too.`
      throw new SellerError('several_inputs', message, 'Give the secret, or the command that prints it.')
    }
    delete env[secret]
  }
  return { said: said as Settings, env: env as Settings }
}

export function flagNameOf(setting: SettingName): string {
  return setting.replaceAll('_', '-')
}

export function flagOf(setting: SettingName): string {
  return `--${flagNameOf(setting)}`
}

/** JSON, or lines of KEY=VALUE. Keys are the names of settings or of their variables. A message never quotes a value. */
function readPiped(text: string): Values {
  const read: Values = {}
  for (const [key, value] of pairsOf(text)) {
    const setting = key
      .toLowerCase()
      .replace(/^seller_/, '')
      .replaceAll('-', '_')
    if (!isSetting(setting)) {
      const near = nearest(setting, SETTING_NAMES)
      throw new SellerError(
        'unknown_setting',
        `Stdin: "${key}" is not a setting.`,
        near === undefined ? `Settings: ${SETTING_NAMES.join(', ')}.` : `Did you mean ${near}?`,
      )
    }
    read[setting] = readSetting(setting, value, `stdin, ${setting}`)
  }
  if (Object.keys(read).length === 0) {
    throw new SellerError('empty_stdin', 'Stdin holds no settings.', 'Pipe JSON such as {"app_key": …} or lines of KEY=VALUE.')
  }
  return read
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

function pairsOf(text: string): Array<[string, string]> {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed.startsWith('{')) {
    let data: Record<string, unknown>
    try {
      data = JSON.parse(trimmed)
    } catch {
      throw new SellerError(
        'invalid_stdin',
        'Stdin is not JSON.',
        'Pipe one JSON object such as {"app_key": …}, or lines of KEY=VALUE.',
      )
    }
    return Object.entries(data).map(([key, value]) => {
      // A command may be given as an array.
      if (Array.isArray(value) && /command$/i.test(key)) return [key, JSON.stringify(value)]
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new SellerError(
          'invalid_stdin',
          `Stdin: "${key}" is not a text or a number.`,
          'Give each value as a text or a number.',
        )
      }
      return [key, String(value)]
    })
  }
  return trimmed
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => {
      const match = /^(?:export\s+)?([\w-]+)\s*=\s*(.*)$/.exec(line)
      if (match === null)
        throw new SellerError('invalid_stdin', `Stdin, line ${number}: no KEY=VALUE.`, 'Pipe JSON or lines of KEY=VALUE.')
      return [match[1] ?? '', (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')]
    })
}

interface Asking {
  /** The profile as it is stored. */
  readonly old: Readonly<Settings>
  /** True if an empty answer is allowed. */
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
  const text = (await ctx.prompts.returning.fill([question]))[setting]
  return text === undefined ? undefined : readSetting(setting, text, setting)
}

/** A secret is never shown: the stored one is kept or replaced. @returns false if none is stored */
export async function keepsSecret(ctx: Context, setting: SettingName, old: Readonly<Settings>): Promise<boolean> {
  const { label } = SETTINGS[setting]
  const command = old[BY_COMMAND[setting as keyof typeof BY_COMMAND]]
  const held = old[setting]
  if (held === undefined && command === undefined) return false
  const present = held === undefined ? `printed by ${command}` : maskSetting(setting, held)
  const choice = await ctx.prompts.returning.fill([
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
    return error instanceof SellerError ? `${sentence(error.message)} ${error.hint}` : String(error)
  }
}

/** The script's way: a flag, or for a secret its variable. */
function insteadOf(setting: SettingName): string {
  return SETTINGS[setting].secret ? `${SETTINGS[setting].env} (or --stdin)` : flagOf(setting)
}
