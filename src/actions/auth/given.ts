/**
 * The values of a login: from the environment, stdin and flags, of which the last wins; or asked for on a terminal, one after the
 * other.
 */

import * as Flags from '@oclif/core/flags'
import { choiceTable } from '../../cli/choices.js'
import type { Context } from '../../cli/context.js'
import { byName } from '../../cli/flags.js'
import type { Question } from '../../cli/prompts.js'
import { maskSetting, readSetting, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from '../../cli/settings.js'
import { nearest, sentence } from '../../contract/index.js'
import { present } from '../../contract/present.js'
import { SellerError, ValueError } from '../../errors/index.js'

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
  const values: Values = piped === undefined ? {} : readPiped(piped)
  for (const [setting, text] of Object.entries(given)) {
    values[setting] = readSetting(setting as SettingName, text, flagOf(setting as SettingName))
  }
  const env: Values = {}
  for (const setting of environment ? SETTING_NAMES : []) {
    const variable = SETTINGS[setting].env
    const text = variable === undefined ? undefined : ctx.env[variable]
    if (variable === undefined || text === undefined || text === '' || values[setting] !== undefined) continue
    env[setting] = readSetting(setting, text, variable)
  }
  for (const [secret, command] of Object.entries(BY_COMMAND)) {
    if (values[command] === undefined) continue
    if (values[secret] !== undefined) {
      const message = `${secret} is given, and ${flagOf(command)} too.`
      throw new SellerError('several_inputs', message, 'Give the secret, or the command that prints it.')
    }
    delete env[secret]
  }
  return { said: values as Settings, env: env as Settings }
}

export function flagNameOf(setting: SettingName): string {
  return setting.replaceAll('_', '-')
}

/** The way to give a setting on the command line: `--base-url`, `--setting fee`. */
export function flagOf(setting: SettingName): string {
  return SETTINGS[setting].own === true ? `--${flagNameOf(setting)}` : `--setting ${setting}`
}

/** A flag of its own for each setting that a login needs, and --setting for all that are not secret. */
export const settingFlags = {
  ...Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const { own, flag: [helpValue, summary] = [] } = SETTINGS[name]
      return own === true ? [[flagNameOf(name), Flags.string({ ...present({ helpValue, summary }) })]] : []
    }),
  ),
  setting: Flags.custom<readonly [SettingName, string]>({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME=VALUE',
    summary: 'Store a setting of the profile. May be repeated, e.g. call_budget=500. All names are in --help-all.',
    description: choiceTable(
      SETTING_NAMES.flatMap((name) => {
        const { own, flag } = SETTINGS[name]
        return flag === undefined || own === true ? [] : [[`${name}=${flag[0]}`, flag[1]] as const]
      }),
    ),
    parse: async (text) => readPair(text),
  })(),
}

/** Reads NAME=VALUE. The value of a secret is never quoted. @throws {SellerError} usage */
function readPair(text: string): readonly [SettingName, string] {
  const at = text.indexOf('=')
  const typedName = at === -1 ? text : text.slice(0, at)
  const name = settingNamed(typedName)
  if (name !== undefined && SETTINGS[name].flag === undefined) {
    const { secret, env } = SETTINGS[name]
    const hint = secret ? `Type it at the prompt, pipe it in with --stdin, or set ${env}.` : 'The program sets it.'
    // Not a ValueError: those are collected with the value, which is a secret here.
    throw new SellerError('wrong_usage', `--setting ${name}: it cannot be given on the command line.`, hint)
  }
  if (name === undefined || at === -1) throw noPair(text, typedName, name)
  const value = text.slice(at + 1)
  readSetting(name, value, flagOf(name))
  return [name, value]
}

/** Words as names of settings are made of them. A key or a token has digits or capitals too. */
const SETTING_LIKE = /^(?=.{1,24}$)[a-z]+(?:[_-][a-z]+)*$/

function noPair(text: string, typedName: string, name: SettingName | undefined): SellerError {
  if (name !== undefined)
    return new ValueError(
      'wrong_usage',
      { name: `--setting ${name}`, why: 'It has no value' },
      `Give ${name}=${SETTINGS[name].flag?.[0]}.`,
    )
  const names = SETTING_NAMES.filter((each) => SETTINGS[each].flag !== undefined)
  const near = nearest(typedName, names)
  if (near === undefined) {
    const hint = `Settings: ${names.join(', ')}.`
    if (text !== typedName && SETTING_LIKE.test(typedName))
      return new SellerError('unknown_setting', `--setting: "${typedName}" is not a setting.`, hint)
    // Anything else may be a secret that was pasted alone.
    return new SellerError('unknown_setting', '--setting: its value does not begin with the name of a setting.', hint)
  }
  return new ValueError(
    'unknown_setting',
    { name: '--setting', value: text, why: 'does not name a setting' },
    `Did you mean ${near}?`,
  )
}

/** The setting that a key names: `call_budget`, `call-budget`, `SELLER_CALL_BUDGET`. */
function settingNamed(key: string): SettingName | undefined {
  const name = key
    .trim()
    .toLowerCase()
    .replace(/^seller_/, '')
    .replaceAll('-', '_')
  return isSetting(name) ? name : undefined
}

/** The texts of the flags by setting. @throws {SellerError} usage for a setting that is given twice */
export function givenTexts(flags: Readonly<Record<string, unknown>>): Partial<Record<SettingName, string>> {
  const own = SETTING_NAMES.flatMap((name): (readonly [SettingName, string])[] => {
    const text = SETTINGS[name].own === true ? flags[flagNameOf(name)] : undefined
    return typeof text === 'string' ? [[name, text]] : []
  })
  return byName('The setting', [...own, ...((flags.setting ?? []) as readonly (readonly [SettingName, string])[])])
}

/** JSON, or lines of KEY=VALUE. Keys are the names of settings or of their variables. A message never quotes a value. */
function readPiped(text: string): Values {
  const values: Values = {}
  for (const [key, value] of parsePairs(text)) {
    const setting = settingNamed(key)
    if (setting === undefined) {
      const near = nearest(key, SETTING_NAMES)
      throw new SellerError(
        'unknown_setting',
        `Stdin: "${key}" is not a setting.`,
        near === undefined ? `Settings: ${SETTING_NAMES.join(', ')}.` : `Did you mean ${near}?`,
      )
    }
    values[setting] = readSetting(setting, value, `stdin, ${setting}`)
  }
  if (Object.keys(values).length === 0) {
    throw new SellerError('empty_stdin', 'Stdin holds no settings.', 'Pipe JSON such as {"app_key": …} or lines of KEY=VALUE.')
  }
  return values
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

function parsePairs(text: string): Array<[string, string]> {
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
  const currentValue = SETTINGS[setting].secret ? undefined : old[setting]
  const question = {
    ...settingQuestion(setting, optional),
    default: currentValue === undefined ? undefined : maskSetting(setting, currentValue),
  }
  const text = (await ctx.prompts.returning.fill([question]))[setting]
  return text === undefined ? undefined : readSetting(setting, text, setting)
}

/** A secret is never shown: the stored one is kept or replaced. @returns false if none is stored */
export async function keepsSecret(ctx: Context, setting: SettingName, old: Readonly<Settings>): Promise<boolean> {
  const { label } = SETTINGS[setting]
  const command = old[BY_COMMAND[setting as keyof typeof BY_COMMAND]]
  const currentValue = old[setting]
  if (currentValue === undefined && command === undefined) return false
  const currentText = currentValue === undefined ? `printed by ${command}` : maskSetting(setting, currentValue)
  const choice = await ctx.prompts.returning.fill([
    {
      key: setting,
      flag: insteadOf(setting),
      message: `${label} (${currentText})`,
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
export function settingQuestion(setting: SettingName, optional: boolean): Question<SettingName> {
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
