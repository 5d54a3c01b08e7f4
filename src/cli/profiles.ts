/**
 * Profiles: which account the tool uses, at which service. A flag wins over the environment, which wins over the profile. Every
 * value keeps its source.
 */

import { SellerError } from '../errors/index.js'
import { blank, run, say } from '../messages/index.js'
import { type OtherShare, otherShares } from './call-limits.js'
import { readSetting, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from './settings.js'
import { readStored, type Stored, settingsPath } from './settings-file.js'

export type { SettingName, Settings } from './settings.js'

/** The profile that always exists: the service inside this process. */
export const SANDBOX = 'sandbox'

export type Source = 'flag' | 'environment' | 'profile' | 'built-in' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly source: Source
  /** Where exactly: `--profile`, `SELLER_TOKEN`, the path of the settings file. */
  readonly from: string
}

export interface ResolvedProfile {
  readonly name: string
  /** Where the choice of this profile came from. */
  readonly chosen: Sourced<string>
  /** The profile is the service inside this process. */
  readonly embedded: boolean
  /** The settings that have a value, each with its source. */
  readonly sourced: { readonly [K in SettingName]?: Sourced<NonNullable<Settings[K]>> }
  /** The same, values only. */
  readonly settings: Readonly<Settings>
  /** Shares of the application's calls that other profiles of the settings file reserve. */
  readonly otherShares: readonly OtherShare[]
  /** Warnings about the settings file: its permissions were tightened, it could not be read. */
  readonly warnings: readonly string[]
}

export interface ResolveOptions {
  /** `--profile`. */
  readonly flag?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configDir: string
  /** Credentials that always work in the sandbox. */
  readonly sandbox: Readonly<Settings>
  /** Gives the settings file, where it was read already. */
  readonly stored?: (() => Stored) | undefined
}

/**
 * Chooses the profile and collects its settings.
 * @throws {SellerError} usage: no such profile, a damaged settings file, an invalid value in the environment
 */
export function resolveProfile(options: ResolveOptions): ResolvedProfile {
  const { env, configDir } = options
  const path = settingsPath(configDir)
  const early = options.flag ?? env.SELLER_PROFILE
  let file: Stored
  try {
    file = options.stored?.() ?? readStored(configDir)
  } catch (error) {
    // The sandbox always exists, and nothing real can be harmed there.
    if (early !== SANDBOX || !(error instanceof SellerError)) throw error
    file = { profiles: {}, warnings: [error.message] }
  }
  const choice = choose(options, file, path)
  const own = Object.hasOwn(file.profiles, choice.value) ? file.profiles[choice.value] : undefined
  const isEmbedded = choice.value === SANDBOX
  if (own === undefined && !isEmbedded && choice.source !== 'default') throw noSuchProfile(choice, file)
  const values: Partial<Record<SettingName, Sourced<string | number>>> = {}
  for (const name of SETTING_NAMES) {
    const builtIn = isEmbedded ? options.sandbox[name] : undefined
    if (builtIn !== undefined) values[name] = { value: builtIn, source: 'built-in', from: 'the sandbox' }
    if (isEmbedded && SETTINGS[name].sandbox !== true) continue
    const variable = SETTINGS[name].env
    // The sandbox ignores these variables: settings for a real service must not change what --profile sandbox does.
    const text = isEmbedded || variable === undefined ? undefined : env[variable]
    const value = own?.[name]
    if (variable !== undefined && text !== undefined && text !== '') {
      values[name] = { value: readSetting(name, text, variable), source: 'environment', from: variable }
    } else if (value !== undefined) {
      values[name] = { value, source: 'profile', from: path }
    }
  }
  const settings = Object.fromEntries(Object.entries(values).map(([name, entry]) => [name, entry?.value])) as Settings
  return {
    name: choice.value,
    chosen: choice,
    embedded: isEmbedded,
    sourced: values as ResolvedProfile['sourced'],
    settings,
    otherShares: isEmbedded ? [] : otherShares(file.profiles, choice.value, settings.app_id),
    warnings: file.warnings,
  }
}

function choose({ flag, env }: ResolveOptions, file: Stored, path: string): Sourced<string> {
  if (flag !== undefined) return { value: flag, source: 'flag', from: '--profile' }
  if (env.SELLER_PROFILE !== undefined && env.SELLER_PROFILE !== '') {
    return { value: env.SELLER_PROFILE, source: 'environment', from: 'SELLER_PROFILE' }
  }
  if (file.current !== undefined) return { value: file.current, source: 'profile', from: path }
  return { value: 'default', source: 'default', from: 'built in' }
}

export function noSuchProfile(choice: Pick<Sourced<string>, 'value' | 'from'>, file: Pick<Stored, 'profiles'>): SellerError {
  const knownNames = [...new Set([...Object.keys(file.profiles), SANDBOX])]
  return new SellerError(
    'no_such_profile',
    // The variable may hold a key by mistake, so its value is not shown. A flag is visible anyway.
    choice.from === 'SELLER_PROFILE'
      ? 'SELLER_PROFILE names a profile that does not exist.'
      : `There is no profile "${choice.value}" (${choice.from}).`,
    say`Profiles: ${knownNames.map((name) => `"${name}"`).join(', ')}. Create one with: ${run('auth:login', { '--profile': choice.from === 'SELLER_PROFILE' ? blank('NAME') : choice.value })}`,
  )
}

/** Settings that a client needs and the profile lacks; none for the sandbox, which has its own. */
export function missingSettings(
  profile: Pick<ResolvedProfile, 'settings'> & Partial<Pick<ResolvedProfile, 'embedded'>>,
  user: boolean,
): SettingName[] {
  if (profile.embedded === true) return []
  const neededSettings: SettingName[] = [
    'base_url',
    'namespace',
    'app_id',
    'app_key',
    ...(user ? (['user_id', 'token'] as const) : []),
  ]
  const { settings } = profile
  const byCommand = { app_key: settings.app_key_command, token: settings.token_command }
  return neededSettings.filter((name) => (settings[name] ?? byCommand[name as keyof typeof byCommand]) === undefined)
}

/** Missing settings that an error names; a profile without more of them was never set up. */
const MOST_NAMED = 3

/**
 * The error for a profile that lacks settings: exit 4, with every missing setting.
 * @param several whether several profiles are used, for which a variable of the environment is no help
 */
export function notLoggedIn(profile: ResolvedProfile, missing: readonly SettingName[], several = false): SellerError {
  const own = profile.name === 'default' ? undefined : profile.name
  const login = say`Log in with: ${run('auth:login', { '--profile': own })}`
  // In a script, some may come from the environment, so those that are missing are named; nobody starts with six of them.
  const variables = missing.map((name) => SETTINGS[name].env).filter((name) => name !== undefined)
  const isNew = missing.length > MOST_NAMED
  return new SellerError(
    'not_logged_in',
    isNew ? `The profile "${profile.name}" is not set up.` : `The profile "${profile.name}" has no ${missing.join(', ')}.`,
    several
      ? login
      : say`${login}\n${isNew ? '' : say`Or set ${variables.join(', ')}. `}To try things out, add --profile sandbox.`,
    { missing, profile: profile.name },
  )
}

/** Quotes a word for a shell if it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
