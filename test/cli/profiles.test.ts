/** Which profile a command uses, which settings it has and from where, and what is said of those that lack. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { matchingProfiles } from '../../src/cli/profile-names.js'
import {
  missingSettings,
  noSuchProfile,
  notLoggedIn,
  type ResolvedProfile,
  type ResolveOptions,
  resolveProfile,
  shellWord,
} from '../../src/cli/profiles.js'
import { SETTING_NAMES, SETTINGS, type Settings } from '../../src/cli/settings.js'
import { settingsPath } from '../../src/cli/settings-file.js'
import { SellerError } from '../../src/errors/index.js'
import { GUARD_NAMES } from '../../src/pricing/guards/index.js'
import { scratch } from '../scratch.js'
import { thrownBy } from '../thrown.js'

const refusal = (run: () => unknown) => thrownBy(SellerError, run)

let configDir: string
beforeEach(() => {
  configDir = mkdtempSync(join(scratch(), 'seller-profiles-'))
})
afterEach(() => rmSync(configDir, { recursive: true, force: true }))
const store = (content: unknown) =>
  writeFileSync(settingsPath(configDir), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })

describe('the profile of a command', () => {
  const BUILT_IN: Settings = {
    app_id: 1,
    app_key: 'sandbox-key',
    user_id: 1001,
    token: 'sandbox-token',
    namespace: 'urn:sandbox',
  }
  const resolve = (given: Partial<ResolveOptions> = {}): ResolvedProfile =>
    resolveProfile({ env: {}, configDir, sandbox: BUILT_IN, ...given })
  const shops = { current: 'two', profiles: { one: { app_id: 11 }, two: { app_id: 22, token: 'stored-token' }, sandbox: {} } }

  for (const [what, options, expected] of [
    ['the flag, before all', { flag: 'one', env: { SELLER_PROFILE: 'nobody' } }, ['one', 'flag', '--profile']],
    ['the variable', { env: { SELLER_PROFILE: 'one' } }, ['one', 'environment', 'SELLER_PROFILE']],
    ['the one that auth:use chose, where the variable is empty', { env: { SELLER_PROFILE: '' } }, ['two', 'profile', 'FILE']],
    ['the one that auth:use chose', {}, ['two', 'profile', 'FILE']],
  ] as const) {
    it(`is named by ${what}`, () => {
      store(shops)
      const { name, chosen, embedded } = resolve(options)
      const from = expected[2] === 'FILE' ? settingsPath(configDir) : expected[2]
      expect({ name, chosen, embedded }).to.deep.equal({
        name: expected[0],
        chosen: { value: expected[0], source: expected[1], from },
        embedded: false,
      })
    })
  }

  it('is "default" where none is named, and need not be stored then', () => {
    expect(resolve()).to.deep.equal({
      name: 'default',
      chosen: { value: 'default', source: 'default', from: 'built in' },
      embedded: false,
      sourced: {},
      settings: {},
      otherShares: [],
      warnings: [],
    })
    store({ profiles: { default: { app_id: 5 } } })
    expect(resolve().settings).to.deep.equal({ app_id: 5 })
  })

  it('must be stored where it is named, also if its name is one of every object', () => {
    store(shops)
    for (const flag of ['nobody', 'toString', 'constructor']) {
      expect(refusal(() => resolve({ flag })).message).to.equal(`There is no profile "${flag}" (--profile).`)
    }
    store({ current: 'gone', profiles: {} })
    expect(refusal(() => resolve())).to.include({
      code: 'no_such_profile',
      message: `There is no profile "gone" (${settingsPath(configDir)}).`,
    })
  })

  it('is not named in the error if the variable names it: it may be a key by mistake', () => {
    store(shops)
    const { code, message, hint } = refusal(() => resolve({ env: { SELLER_PROFILE: 'a-key-by-mistake' } }))
    expect({ code, message, hint }).to.deep.equal({
      code: 'no_such_profile',
      message: 'SELLER_PROFILE names a profile that does not exist.',
      hint: 'Profiles: "one", "two", "sandbox". Create one with: seller auth:login --profile NAME',
    })
    expect(noSuchProfile({ value: 'my shop', from: '--profile' }, { profiles: {} }).hint).to.equal(
      `Profiles: "sandbox". Create one with: seller auth:login --profile 'my shop'`,
    )
  })

  it('has each setting from the environment before the file, and says from where', () => {
    store({ current: 'shop', profiles: { shop: { app_id: 1, user_id: 2, token: 'stored-token', binding: 'soap11' } } })
    const { sourced, settings } = resolve({
      env: { SELLER_APP_ID: '7', SELLER_TOKEN: '', SELLER_APP_KEY: 'key-of-env', SELLER_CALL_BUDGET: '50' },
    })
    const from = settingsPath(configDir)
    expect(sourced).to.deep.equal({
      app_id: { value: 7, source: 'environment', from: 'SELLER_APP_ID' },
      app_key: { value: 'key-of-env', source: 'environment', from: 'SELLER_APP_KEY' },
      user_id: { value: 2, source: 'profile', from },
      token: { value: 'stored-token', source: 'profile', from },
      binding: { value: 'soap11', source: 'profile', from },
      call_budget: { value: 50, source: 'environment', from: 'SELLER_CALL_BUDGET' },
    })
    expect(settings).to.deep.equal({
      app_id: 7,
      app_key: 'key-of-env',
      user_id: 2,
      token: 'stored-token',
      binding: 'soap11',
      call_budget: 50,
    })
    expect(refusal(() => resolve({ env: { SELLER_APP_ID: 'x' } })).message).to.include('SELLER_APP_ID')
  })

  it('knows which calls other profiles of its application reserve', () => {
    store({ profiles: { a: { app_id: 7, call_share: 20, user_id: 3 }, b: { app_id: 7 }, c: { app_id: 8, call_share: 5 } } })
    const others = [{ profile: 'a', userId: 3, percent: 20 }]
    expect(resolve({ flag: 'b' }).otherShares).to.deep.equal(others)
    expect(resolve({ flag: 'a' }).otherShares).to.deep.equal([])
    expect(resolve({ env: { SELLER_APP_ID: '7' } }).otherShares).to.deep.equal(others)
  })

  describe('"sandbox"', () => {
    it('has the credentials of the sandbox, whatever the environment and the file say', () => {
      store({
        profiles: {
          sandbox: {
            app_id: 9,
            token: 'stored-token',
            base_url: 'https://api.example.com',
            vat: 12,
            max_change: 5,
            binding: 'get',
          },
          other: { app_id: 1, call_share: 20 },
        },
      })
      const env = {
        SELLER_APP_ID: '7',
        SELLER_TOKEN: 'token-of-env',
        SELLER_CALL_BUDGET: '50',
        SELLER_BASE_URL: 'https://x.example',
      }
      const { embedded, settings, sourced, otherShares } = resolve({ flag: 'sandbox', env })
      expect(embedded).to.equal(true)
      expect(settings).to.deep.equal({ ...BUILT_IN, vat: 12, max_change: 5, binding: 'get' })
      expect(sourced.app_id).to.deep.equal({ value: 1, source: 'built-in', from: 'the sandbox' })
      expect(sourced.vat).to.deep.equal({ value: 12, source: 'profile', from: settingsPath(configDir) })
      expect(otherShares).to.deep.equal([])
    })

    it('takes from the file what changes no account, the price guards too', () => {
      const taken = SETTING_NAMES.filter((name) => SETTINGS[name].sandbox === true)
      expect(taken).to.include.members([...GUARD_NAMES, 'call_budget', 'call_timeout', 'missed_start'])
      expect(taken).to.not.include.members(['base_url'])
      expect(taken.some((name) => SETTINGS[name].secret === true || name === 'app_id' || name === 'user_id')).to.equal(false)
    })

    it('works beside a damaged file, with a warning; no other profile does', () => {
      store('{')
      for (const given of [{ flag: 'sandbox' }, { env: { SELLER_PROFILE: 'sandbox' } }]) {
        const { settings, warnings } = resolve(given)
        expect(settings).to.deep.equal(BUILT_IN)
        expect(warnings).to.deep.equal([`The settings file ${settingsPath(configDir)} cannot be used: it is not JSON.`])
      }
      for (const given of [{}, { flag: 'shop' }, { flag: 'shop', env: { SELLER_PROFILE: 'sandbox' } }]) {
        expect(refusal(() => resolve(given)).code).to.equal('settings_damaged')
      }
    })
  })

  it('passes on the warnings of the file', () => {
    store({ profiles: { one: {} } })
    expect(resolve({ flag: 'one' }).warnings).to.deep.equal([])
    chmodSync(settingsPath(configDir), 0o644)
    expect(resolve({ flag: 'one' }).warnings).to.have.lengthOf(1)
  })
})

describe('what a client needs of a profile', () => {
  const whole = { base_url: 'https://a.example', namespace: 'urn:a', app_id: 1, app_key: 'k', user_id: 2, token: 't' } as const
  const { app_key: _, token: __, ...withoutSecrets } = whole

  for (const [what, settings, user, missing] of [
    ['nothing more than a whole login', whole, true, []],
    ['all of it', {}, true, ['base_url', 'namespace', 'app_id', 'app_key', 'user_id', 'token']],
    ['no seller for the public service', {}, false, ['base_url', 'namespace', 'app_id', 'app_key']],
    ['no secret that a command prints', { ...withoutSecrets, app_key_command: 'a', token_command: 'b' }, true, []],
    ['each secret from its own command', { ...withoutSecrets, app_key_command: 'a' }, true, ['token']],
    ['the application id 0, which is one', { ...whole, app_id: 0 }, true, []],
  ] as const) {
    it(`is ${what}`, () => expect(missingSettings({ settings }, user)).to.deep.equal(missing))
  }

  const profile = (name: string) => ({ name }) as ResolvedProfile

  it('is named, with the ways to give it', () => {
    const error = notLoggedIn(profile('my shop'), ['app_key', 'token'])
    expect(error).to.deep.include({ code: 'not_logged_in', exitCode: 4 })
    expect(error.message).to.equal('The profile "my shop" has no app_key, token.')
    expect(error.hint).to.equal(
      "Log in with: seller auth:login --profile 'my shop'\nOr set SELLER_APP_KEY, SELLER_TOKEN. To try things out, add --profile sandbox.",
    )
    expect(error.details).to.deep.equal({ missing: ['app_key', 'token'], profile: 'my shop' })
    expect(notLoggedIn(profile('default'), ['base_url']).hint).to.equal(
      'Log in with: seller auth:login\nOr set SELLER_BASE_URL. To try things out, add --profile sandbox.',
    )
    expect(notLoggedIn(profile('shop'), ['token_expires', 'token']).hint, 'no variable sets it').to.include(
      'Or set SELLER_TOKEN.',
    )
    expect(notLoggedIn(profile('shop'), ['token'], true).hint, 'of several').to.equal(
      'Log in with: seller auth:login --profile shop',
    )
  })

  for (const [word, quoted] of [
    ['shop-1', 'shop-1'],
    ['a.b@c%d+e=f:g,h/i_j', 'a.b@c%d+e=f:g,h/i_j'],
    ['my shop', "'my shop'"],
    ['', "''"],
    ["it's o'clock", "'it'\\''s o'\\''clock'"],
    ['$HOME', "'$HOME'"],
    ['a;', "'a;'"],
    [';a', "';a'"],
    ['åre', "'åre'"],
  ] as const) {
    it(`is quoted for a shell where it must be: ${word}`, () => expect(shellWord(word)).to.equal(quoted))
  }
})

describe('the profiles of --profiles', () => {
  const find = (patterns: string, env: Readonly<Record<string, string>> = {}) => matchingProfiles(patterns, { env, configDir })
  const three = { profiles: { 'shop-b': {}, 'shop-a': {}, Other: {}, sandbox: {} } }

  for (const [patterns, expected] of [
    ['shop-b', ['shop-b']],
    ['shop-*', ['shop-a', 'shop-b']],
    [' shop-? , Other', ['shop-a', 'shop-b', 'Other']],
    ['shop-b,shop-*', ['shop-b', 'shop-a']],
    ['*', ['Other', 'shop-a', 'shop-b']],
    ['*,sandbox', ['Other', 'shop-a', 'shop-b', 'sandbox']],
    ['sandbox', ['sandbox']],
  ] as const) {
    it(`are those that ${patterns} matches, each once`, () => {
      store(three)
      expect(find(patterns)).to.deep.equal(expected)
    })
  }

  for (const [patterns, message] of [
    ['', '--profiles is empty.'],
    ['  ', '--profiles is empty.'],
    ['a,,b', '--profiles: "a,,b" has an empty pattern.'],
    ['a, ', '--profiles: "a, " has an empty pattern.'],
  ] as const) {
    it(`are not "${patterns}"`, () => {
      store(three)
      expect(refusal(() => find(patterns))).to.include({ code: 'wrong_usage', message })
    })
  }

  it('must match, each pattern, and the sandbox matches none', () => {
    store(three)
    expect(refusal(() => find('shop-*,sand*,x'))).to.include({
      code: 'no_such_profile',
      message: 'No profile matches "sand*" and "x" (--profiles).',
      hint: 'Profiles: "Other", "shop-a", "shop-b". Quote a pattern with *, so that the shell does not read it.',
    })
    store({ profiles: { sandbox: {} } })
    expect(refusal(() => find('*')).hint).to.equal('There are no profiles yet. Create one with: seller auth:login --profile NAME')
    expect(find('sandbox')).to.deep.equal(['sandbox'])
  })

  it('are not several shops where the environment says whose shop it is', () => {
    store(three)
    expect(find('Other', { SELLER_USER_ID: '', SELLER_TOKEN: '', SELLER_APP_ID: '7' })).to.deep.equal(['Other'])
    expect(refusal(() => find('Other', { SELLER_TOKEN: 't' }))).to.include({
      code: 'wrong_usage',
      message: 'SELLER_TOKEN is set, which would be used for every profile of --profiles.',
      hint: 'Run it without: env -u SELLER_TOKEN seller … Each profile has its own.',
    })
    expect(refusal(() => find('Other', { SELLER_USER_ID: '7', SELLER_TOKEN: 't' }))).to.include({
      message: 'SELLER_USER_ID and SELLER_TOKEN are set, which would be used for every profile of --profiles.',
      hint: 'Run it without: env -u SELLER_USER_ID -u SELLER_TOKEN seller … Each profile has its own.',
    })
  })
})
