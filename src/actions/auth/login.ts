/** Logs in: collects the values of a profile, proves that they work, and only then writes the profile to disk. */

import type { Context } from '../../cli/context.js'
import { missingSettings, SANDBOX } from '../../cli/profiles.js'
import { missingFlags, WentBack } from '../../cli/prompts.js'
import { SETTINGS, type SettingName, type Settings } from '../../cli/settings.js'
import { changeStored, readableBy, readStored, settingsPath } from '../../cli/settings-file.js'
import { SellerError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import { GUARD_NAMES } from '../../pricing/guards/index.js'
import { readLimit } from '../prices/guards.js'
import { namesAtLogin, sayNamesSaved } from '../service/names.js'
import { saveAtLogin } from '../service/saved.js'
import { tokenByBrowser } from './browser-login.js'
import { askSetting, BY_COMMAND, flagOf, type GivenTexts, keepsSecret, readGiven, settingQuestion } from './given.js'
import { type Described, proveLimits, proveLogin, readDescribed, type Seller } from './proof.js'

export interface LoginOptions extends GivenTexts {
  readonly name: string
  /** True to make it the profile in use. */
  readonly use: boolean
  /** True to prove that it works before anything is stored. */
  readonly verify: boolean
  /** The port of this machine to which the application's accept address leads. */
  readonly port?: number | undefined
}

export interface LoggedIn {
  /** As stored. */
  readonly settings: Settings
  readonly path: string
  /** True if the service was asked. */
  readonly proven: boolean
  /** The owner of the shop, if a seller is logged in and the service was asked. */
  readonly seller: Seller | undefined
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u
const NOTHING_READ: Described = { sources: [], namespace: undefined }

/**
 * Collects the settings of a profile, tries them, and stores them. If it throws, nothing is stored.
 * @throws {SellerError} usage: a value that is not allowed, a missing one if no terminal is there to ask, a damaged settings
 * file; otherwise why the service was not reached or did not accept the credentials
 */
export async function login(ctx: Context, options: LoginOptions): Promise<LoggedIn> {
  const { name } = options
  checkName(name)
  ctx.ifInterrupted({ sent: 'Nothing was stored.', again: true })
  const before = readStored(ctx.configDir)
  const old = Object.hasOwn(before.profiles, name) ? (before.profiles[name] ?? {}) : {}
  for (const warning of before.warnings) ctx.output.warn(warning)
  const { said, env } = readGiven(ctx, options, name !== SANDBOX)
  if (name === SANDBOX) refuseForSandbox(said)
  const local = Object.keys(said).length > 0 && isLocal(said) && missingSettings({ settings: old }, false).length === 0
  if (name === SANDBOX || local) {
    const limits = { name, settings: mergeSettings(old, said), given: said, profiles: before.profiles }
    await proveLimits(ctx, { ...limits, ask: options.verify })
    return { ...(await store(ctx, options, said)), proven: false, seller: undefined }
  }
  const session = new Session(ctx, options, old, { ...env, ...said })
  session.requireValues(options.verify)
  for (;;) {
    try {
      return await logInWith(ctx, options, session, { old, profiles: before.profiles })
    } catch (error) {
      if (error instanceof WentBack) session.back()
      else await session.againAfter(error)
    }
  }
}

/** One attempt with the answers of a session. If it throws, nothing is stored. */
async function logInWith(
  ctx: Context,
  options: LoginOptions,
  session: Session,
  { old, profiles }: { readonly old: Readonly<Settings>; readonly profiles: Readonly<Record<string, Settings>> },
): Promise<LoggedIn> {
  const { name } = options
  await session.ask('base_url')
  const { base_url: baseUrl = '', namespace: given } = { ...old, ...session.read }
  const proof = options.verify ? await session.described(baseUrl) : NOTHING_READ
  if (proof.namespace !== undefined) {
    if (given !== undefined && given !== proof.namespace) ctx.output.note(`The namespace is now "${proof.namespace}".`)
    session.read.namespace = proof.namespace
  } else await session.ask('namespace')
  await session.askForRest(proof)
  let settings = mergeSettings(old, session.read)
  refuseHalfAUser(settings)
  const limits = { name, settings, given: session.read, profiles }
  await proveLimits(ctx, { ...limits, ask: options.verify })
  let seller: Seller | undefined
  try {
    seller = options.verify ? await proveLogin(ctx, name, settings) : undefined
  } catch (error) {
    // Hosts that are no longer .NET's own may take SOAP 1.1 only (docs/service.md, Bindings).
    if (!(error instanceof SellerError) || error.code !== 'binding_refused' || settings.binding !== undefined) throw error
    session.read.binding = 'soap11'
    settings = mergeSettings(old, session.read)
    seller = await proveLogin(ctx, name, settings)
    ctx.output.note('The service takes SOAP 1.1 only, so the profile has binding soap11.')
  }
  const descriptions = proof.sources.map(({ description }) => description)
  const names = namesAtLogin(ctx, descriptions, { before: old, now: settings })
  const details = { ...(names === undefined ? {} : { names }), ...(seller === undefined ? {} : { currency: seller.Currency }) }
  const result = await store(ctx, options, { ...session.read, ...details })
  if (result.settings.binding === 'get')
    ctx.output.warn(
      say`With the binding get, the key and the token stand in the address of every ${result.settings.insecure_address === 'yes' ? 'call' : 'read'}, which servers and proxies log${result.settings.insecure_address === 'yes' ? '' : ', and writes are refused'}. With another they do not: ${run('auth:login', { '--setting': 'binding=post' })}`,
    )
  if (names) sayNamesSaved(ctx, name, names)
  await saveAtLogin(ctx, { name, settings: result.settings }, proof.sources)
  return { ...result, proven: options.verify, seller }
}

/** The values of one login: given, asked for, and read from the description. */
class Session {
  readonly #ctx: Context
  readonly #options: LoginOptions
  readonly #old: Readonly<Settings>
  readonly read: Settings
  /** Every value is asked for again, with the one that failed as its default. */
  #again = false
  /** Those that were answered in this attempt, perhaps by nothing, in their order. */
  readonly #askedSettings: SettingName[] = []
  /** Those that a person has gone back to. */
  readonly #anew = new Set<SettingName>()
  #saidWhere = false
  #description: { readonly at: string; readonly read: Described } | undefined

  constructor(ctx: Context, options: LoginOptions, old: Readonly<Settings>, settings: Readonly<Settings>) {
    this.#ctx = ctx
    this.#options = options
    this.#old = old
    this.read = { ...settings }
  }

  /** Names all missing values at once if no terminal is there to ask. The namespace is in the description, if that is read. */
  requireValues(verify: boolean): void {
    if (this.#ctx.prompts.available) return
    const missing = missingSettings({ settings: mergeSettings(this.#old, this.read) }, false)
    const open = missing.filter((setting) => setting !== 'namespace' || !verify)
    if (open.length > 0)
      throw missingFlags(
        open.map((setting) => settingQuestion(setting, false).flag),
        'all of them',
      )
  }

  /** Asks for a value that was not given, if there is a terminal. */
  async ask(setting: SettingName, optional = false): Promise<void> {
    if (!this.#ctx.prompts.available) return
    const isOpen = !this.#askedSettings.includes(setting) && (this.#again || this.read[setting] === undefined)
    if (!this.#anew.delete(setting) && !isOpen) return
    const command = BY_COMMAND[setting as keyof typeof BY_COMMAND]
    if (command !== undefined && this.read[command] !== undefined) return
    const answer = await askSetting(this.#ctx, setting, { old: mergeSettings(this.#old, this.read), optional })
    this.#askedSettings.push(setting)
    if (answer !== undefined) Object.assign(this.read, { [setting]: answer })
  }

  /** Begins the attempt again at the question before the one that a person left; what was answered before it stays. */
  back(): void {
    const before = this.#askedSettings.pop()
    if (before !== undefined) this.#anew.add(before)
  }

  /** Reads once what the service at an address says of itself. */
  async described(baseUrl: string): Promise<Described> {
    const at = `${baseUrl} ${this.read.namespace ?? ''}`
    if (this.#description?.at === at) return this.#description.read
    const description = await readDescribed(this.#ctx, baseUrl, this.read.namespace)
    this.#description = { at: `${baseUrl} ${description.namespace ?? this.read.namespace ?? ''}`, read: description }
    return description
  }

  /**
   * Asks whether to change the answers after a login that failed: who typed five of them does not type them all again.
   * @throws the error, where nobody can be asked or the answer is no
   */
  async againAfter(error: unknown): Promise<void> {
    const { prompts } = this.#ctx
    if (!prompts.available || !(error instanceof SellerError) || error.code === 'interrupted') throw error
    prompts.show(this.#ctx.text(say`! ${error.words}\n  ${error.advice}`))
    const isAgreed = await prompts.agrees({ message: 'Change the answers and try again?', flag: '--no-verify', given: false })
    if (!isAgreed) throw error.with({ message: 'The login failed, for the reason above.', hint: 'Nothing was stored.' })
    this.#again = true
    this.#askedSettings.length = 0
  }

  async askForRest(description: Described): Promise<void> {
    const { output, configDir, prompts } = this.#ctx
    if (!this.#saidWhere && (prompts.available || this.read.app_key !== undefined || this.read.token !== undefined)) {
      this.#saidWhere = true
      output.note(`Credentials will be stored in ${settingsPath(configDir)}: ${readableBy()}, not encrypted.`)
    }
    await this.ask('app_id')
    await this.ask('app_key')
    if (await this.#fetchesToken(description)) return
    // A profile for only the public service has neither user nor token. One without the other is a mistake.
    const { token, token_command: command } = mergeSettings(this.#old, this.read)
    await this.ask('user_id', token === undefined && command === undefined)
    if (mergeSettings(this.#old, this.read).user_id !== undefined) await this.ask('token')
  }

  /**
   * With the public key of the application, the token comes by a login in the browser. Without it, the seller has one already.
   */
  async #fetchesToken({ sources }: Described): Promise<boolean> {
    const { token, token_command: command, public_key: key, user_id: userId } = this.read
    if (!this.#ctx.prompts.available || (token ?? command) !== undefined) return false
    const publicService = sources.find(({ description }) => description.service === 'PublicService')?.description
    if (key === undefined && publicService?.operations.has('FetchToken') === false) return false
    await this.ask('public_key', true)
    const settings = mergeSettings(this.#old, this.read)
    if (settings.public_key === undefined) return false
    if (await keepsSecret(this.#ctx, 'token', this.#old)) return true
    const { name, port } = this.#options
    Object.assign(this.read, await tokenByBrowser(this.#ctx, { name, settings, userId, port }))
    return true
  }
}

/**
 * The settings with the given ones. A secret replaces the command for it and the other way round, and the end of a new token is
 * not known.
 */
function mergeSettings(old: Readonly<Settings>, newSettings: Readonly<Settings>): Settings {
  const settings: Settings = { ...old, ...newSettings }
  for (const [secret, command] of Object.entries(BY_COMMAND) as (readonly [keyof typeof BY_COMMAND, SettingName])[]) {
    if (newSettings[command] !== undefined) delete settings[secret]
    else if (newSettings[secret] !== undefined) delete settings[command]
  }
  if (newSettings.token_expires === undefined && settings.token !== old.token) delete settings.token_expires
  return settings
}

/**
 * Changes the profile on disk, starting from its current content there.
 * @throws {SellerError} usage for a limit in another currency
 */
async function store(ctx: Context, { name, use, given: texts }: LoginOptions, newSettings: Readonly<Settings>) {
  let settings: Settings = {}
  await changeStored(ctx, (file) => {
    settings = mergeSettings(file.profiles[name] ?? {}, newSettings)
    // Only now is the currency of the account known.
    for (const name of GUARD_NAMES) {
      const text = texts[name]
      if (text !== undefined) readLimit(name, text, settings.currency ?? 'SEK', flagOf(name))
    }
    file.profiles[name] = settings
    if (use || (file.current === undefined && name !== SANDBOX)) file.current = name
  })
  ctx.ifInterrupted({ sent: `The profile "${name}" is stored.`, next: run('auth:status', { '--profile': name }) })
  return { settings, path: settingsPath(ctx.configDir) }
}

function isLocal(settings: Readonly<Settings>): boolean {
  return Object.keys(settings).every((setting) => SETTINGS[setting as SettingName].local === true)
}

function checkName(name: string): void {
  if (NAME.test(name)) return
  throw new SellerError(
    'invalid_profile_name',
    `"${name}" is not a valid profile name.`,
    'Use letters, digits and . _ @ -, at most 64 characters.',
  )
}

function refuseForSandbox(settings: Readonly<Settings>): void {
  const stray = Object.keys(settings).filter((setting) => SETTINGS[setting as SettingName].sandbox !== true)
  if (stray.length === 0) return
  const message = `The sandbox has its own ${stray.join(', ')}.`
  throw new SellerError('sandbox_is_built_in', message, 'Name another profile with --profile.')
}

function refuseHalfAUser({ user_id: userId, token, token_command: command }: Settings): void {
  if ((userId === undefined) === ((token ?? command) === undefined)) return
  throw new SellerError(
    'half_a_user',
    'Only one of user id and token is given, but they belong together.',
    say`Give both or neither. If the service issues tokens, get one with: ${run('auth:token')}`,
  )
}
