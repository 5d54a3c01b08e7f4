/** Where the credentials of a profile come from, and how often a command that prints one runs. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openCredentials, Secrets } from '../../src/cli/credentials.js'
import type { Settings } from '../../src/cli/settings.js'
import { scratch } from '../scratch.js'

describe('the credentials of a profile', () => {
  let cwd: string
  beforeEach(async () => {
    cwd = await mkdtemp(join(scratch(), 'seller-credentials-'))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))

  /** Secrets that became known, in order. */
  class Kept extends Secrets {
    readonly used = new Set<string>()
    override add(...secrets: readonly string[]): void {
      for (const secret of secrets) this.used.add(secret)
      super.add(...secrets)
    }
  }
  const open = () => {
    const kept = new Kept()
    const source = openCredentials({ env: { PATH: process.env.PATH }, cwd }, new AbortController().signal, kept)
    return { ...source, used: kept.used }
  }
  const printing = (secret: string): string => `echo ${secret} >> runs; echo ${secret}`
  const runs = (): string[] => readFileSync(join(cwd, 'runs'), 'utf8').trim().split('\n')
  const profile = (settings: Settings) => ({ name: 'shop', settings })

  it('are those of the settings, and no command runs for what they hold', async () => {
    const source = open()
    const settings = { app_id: 7, user_id: 8, app_key: 'own-key', token: 'own-token' }
    const commands = { app_key_command: printing('key'), token_command: printing('token') }
    expect(await source.of(profile({ ...settings, ...commands }), true)).to.deep.equal({
      appId: 7,
      userId: 8,
      appKey: 'own-key',
      token: 'own-token',
    })
    expect([...source.used]).to.deep.equal(['own-key', 'own-token'])
    expect(runs).to.throw('ENOENT')
  })

  it('come from the commands otherwise, each of which runs once', async () => {
    const source = open()
    const settings = { app_id: 7, app_key_command: printing('printed-key'), token_command: printing('printed-token') }
    const keys = { appId: 7, userId: undefined, appKey: 'printed-key' }
    expect(await source.of(profile(settings), false)).to.deep.equal({ ...keys, token: undefined })
    expect(runs(), 'no token is needed').to.deep.equal(['printed-key'])
    expect(await source.of(profile(settings), true)).to.deep.equal({ ...keys, token: 'printed-token' })
    await source.of(profile(settings), true)
    expect(runs()).to.deep.equal(['printed-key', 'printed-token'])
    expect([...source.used]).to.deep.equal(['printed-key', 'printed-token'])
    const other = { ...settings, token_command: printing('another-token') }
    expect(await source.of(profile(other), true)).to.include({ token: 'another-token' })
    expect(runs()).to.deep.equal(['printed-key', 'printed-token', 'another-token'])
  })

  it('are none where nothing is set', async () => {
    const source = open()
    expect(await source.of(profile({}), true)).to.deep.equal({
      appId: 0,
      userId: undefined,
      appKey: undefined,
      token: undefined,
    })
    expect(source.used.size).to.equal(0)
  })

  it('are hidden in what a later command says', async () => {
    const settings = { app_key: 'own-key', token_command: `echo 'with own-key, and own-key again' >&2; exit 1` }
    const error = await open()
      .of(profile(settings), true)
      .catch((reason: Error) => reason)
    expect(error).to.include({ code: 'secret_command_failed' })
    expect((error as Error).message).to.match(/exit code 1: with •••, and ••• again$/)
  })

  describe('of its quota server', () => {
    it('are none where there is none, and an address where one is set; no command runs for it', async () => {
      const source = open()
      const command = printing('redis://other.example')
      expect(await source.quotaUrl(profile({}))).to.equal(undefined)
      expect(await source.quotaUrl(profile({ quota_url: 'none', quota_url_command: command }))).to.equal(undefined)
      expect(await source.quotaUrl(profile({ quota_url: 'redis://quota.example', quota_url_command: command }))).to.equal(
        'redis://quota.example',
      )
      expect(runs).to.throw('ENOENT')
      expect(source.used.size).to.equal(0)
    })

    it('come from its command, whose whole text is a secret, and the password in it', async () => {
      const source = open()
      const settings = { quota_url_command: printing('redis://:p%40ss@quota.example') }
      expect(await source.quotaUrl(profile(settings))).to.equal('redis://:p%40ss@quota.example')
      expect(await source.quotaUrl(profile(settings))).to.equal('redis://:p%40ss@quota.example')
      expect(runs()).to.have.lengthOf(1)
      expect([...source.used]).to.deep.equal(['redis://:p%40ss@quota.example', 'p%40ss', 'p@ss'])
      expect(await source.quotaUrl(profile({ quota_url_command: 'echo none' }))).to.equal(undefined)
    })

    it('are refused, and hidden, where the command prints another thing', async () => {
      const source = open()
      const error = await source.quotaUrl(profile({ quota_url_command: 'echo a-secret' })).catch((reason: Error) => reason)
      expect(error).to.include({
        code: 'invalid_setting',
        message: 'quota_url_command of the profile "shop": It is not a URL.',
      })
      expect([...source.used]).to.deep.equal(['a-secret'])
    })

    it('share no run with a command of another setting', async () => {
      const source = open()
      const command = printing('redis://quota.example')
      await source.quotaUrl(profile({ quota_url_command: command }))
      expect(await source.of(profile({ app_key_command: command }), false)).to.include({ appKey: 'redis://quota.example' })
      expect(runs()).to.have.lengthOf(2)
    })
  })
})
