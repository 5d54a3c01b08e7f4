/** Storing a profile: values from flags, stdin, the environment and what is stored already; a person is asked for the rest. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { OF_SANDBOX, SANDBOX } from '../../cli/profiles.js'
import type { Question } from '../../cli/prompts.js'
import { readSetting, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from '../../cli/settings.js'
import { changeStored, readStored, settingsPath } from '../../cli/settings-file.js'
import { nearest } from '../../contract/index.js'

type Texts = Partial<Record<SettingName, string>>

export interface LoginOptions {
  readonly name: string
  /** Values of flags, as texts; never a secret. */
  readonly given: Texts
  /** What came by stdin, when asked for. */
  readonly piped?: string
  /** Make it the profile in use. */
  readonly use: boolean
}

const REQUIRED: readonly SettingName[] = ['base_url', 'namespace', 'app_id', 'app_key']
const OPTIONAL: readonly SettingName[] = ['user_id', 'token']
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u

/**
 * Gathers the settings of a profile and stores them.
 * @returns the settings as stored, and where
 * @throws {SellerError} usage: a value that will not do, a missing one off a terminal, a damaged settings file
 */
export async function login(ctx: Context, options: LoginOptions): Promise<{ settings: Settings; path: string }> {
  const { name } = options
  checkName(name)
  const before = readStored(ctx.configDir)
  const old = Object.hasOwn(before.profiles, name) ? (before.profiles[name] ?? {}) : {}
  for (const warning of before.warnings) ctx.output.warn(warning)
  const read: Record<string, string | number> = {}
  if (name !== SANDBOX) {
    for (const setting of SETTING_NAMES) {
      const variable = SETTINGS[setting].env
      const text = variable === undefined ? undefined : ctx.env[variable]
      if (variable !== undefined && text !== undefined && text !== '') read[setting] = readSetting(setting, text, variable)
    }
  }
  Object.assign(read, options.piped === undefined ? {} : readPiped(options.piped))
  for (const [setting, text] of Object.entries(options.given)) {
    read[setting] = readSetting(setting as SettingName, text, flagOf(setting as SettingName))
  }
  const path = settingsPath(ctx.configDir)
  if (name === SANDBOX) {
    const stray = Object.keys(read).filter((setting) => !OF_SANDBOX.includes(setting as SettingName))
    if (stray.length > 0) {
      throw new SellerError(
        'sandbox_is_built_in',
        `The sandbox has its own ${stray.join(', ')}.`,
        'Name another profile with --profile.',
      )
    }
  } else {
    await askForRest(ctx, { ...old, ...read }, read, path)
  }
  let stored: Settings = {}
  await changeStored(ctx, (file) => {
    stored = { ...file.profiles[name], ...(read as Settings) }
    file.profiles[name] = stored
    if (options.use || (file.current === undefined && name !== SANDBOX)) file.current = name
  })
  return { settings: stored, path }
}

async function askForRest(ctx: Context, known: Settings, read: Record<string, string | number>, path: string): Promise<void> {
  const open = [...REQUIRED, ...OPTIONAL].filter((setting) => known[setting] === undefined)
  // A profile for the public service alone has neither user nor token; half a pair is a slip.
  const half = (known.user_id === undefined) !== (known.token === undefined)
  if (open.some((setting) => SETTINGS[setting].secret) || read.app_key !== undefined || read.token !== undefined) {
    ctx.output.note(`Credentials are stored in ${path}: readable by you alone (mode 600), not encrypted.`)
  }
  const questions = open.map((setting): Question<SettingName> => {
    const { label, secret } = SETTINGS[setting]
    return {
      key: setting,
      flag: instead(setting),
      message: `${label}${OPTIONAL.includes(setting) && !half ? ' (empty for none)' : ''}`,
      kind: secret ? 'secret' : 'text',
      optional: OPTIONAL.includes(setting) && !half,
      check: (text) => reason(setting, text),
    }
  })
  const answers = await ctx.prompts.fill(questions)
  for (const [setting, text] of Object.entries(answers)) read[setting] = readSetting(setting as SettingName, text, setting)
  const both = { ...known, ...read }
  if ((both.user_id === undefined) !== (both.token === undefined)) {
    throw new SellerError(
      'half_a_user',
      'A user id and a token belong together: only one of them is given.',
      'Give both, or neither.',
    )
  }
}

function reason(setting: SettingName, text: string): string | undefined {
  try {
    readSetting(setting, text, SETTINGS[setting].label)
    return undefined
  } catch (error) {
    if (error instanceof SellerError && error.hint !== undefined) return `${error.message} ${error.hint}`
    return error instanceof Error ? error.message : String(error)
  }
}

/** What a script would give: a flag, or for a secret its variable. */
function instead(setting: SettingName): string {
  return SETTINGS[setting].secret ? `${SETTINGS[setting].env} (or --stdin)` : flagOf(setting)
}

function flagOf(setting: SettingName): string {
  return `--${setting.replaceAll('_', '-')}`
}

function checkName(name: string): void {
  if (NAME.test(name)) return
  throw new SellerError(
    'invalid_profile_name',
    `"${name}" cannot be the name of a profile.`,
    'Letters, digits and . _ @ - will do, 64 at most.',
  )
}

/** JSON, or lines of KEY=VALUE; keys are the names of settings or of their variables. Values are never quoted in a message. */
function readPiped(text: string): Record<string, string | number> {
  const read: Record<string, string | number> = {}
  for (const [key, value] of pairsOf(text)) {
    const setting = key
      .toLowerCase()
      .replace(/^seller_/, '')
      .replaceAll('-', '_')
    if (!isSetting(setting)) {
      const near = nearest(setting, SETTING_NAMES)
      throw new SellerError(
        'unknown_setting',
        `Stdin: "${key}" is no setting.`,
        near === undefined ? `Known: ${SETTING_NAMES.join(', ')}.` : `Did you mean ${near}?`,
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
      throw new SellerError('invalid_stdin', 'Stdin is no JSON.', 'Pipe one object, or lines of KEY=VALUE.')
    }
    return Object.entries(data).map(([key, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new SellerError('invalid_stdin', `Stdin: "${key}" is no text or number.`, 'Give each value as a text or a number.')
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
