import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openedForEach } from '../opened.js'
import { openHome } from './harness.js'
import { ask } from './person.js'

const SECRETS = JSON.stringify({ app_key: 'key-of-the-shop-1234', token: 'token-of-the-shop-5678' })
const ADDRESS = [
  '--base-url',
  'https://api.example.com/',
  '--namespace',
  'http://api.example.com',
  '--app-id',
  '42',
  '--user-id',
  '7',
]

describe('auth', () => {
  const home = openedForEach(openHome)

  const login = (profile: string, ...more: string[]) =>
    home.run(['auth:login', '--profile', profile, ...ADDRESS, '--stdin', '--no-verify', ...more], { stdin: SECRETS })
  const settings = async () => JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8'))

  it('stores a profile from flags and stdin, in a file for the user alone, and says where first', async () => {
    const run = await login('shop')
    expect(run.code, run.stderr).to.equal(0)
    const path = join(home.configDir, 'profiles.json')
    expect(run.stderr).to.contain(`Credentials will be stored in ${path}`)
    expect(run.stdout + run.stderr).not.to.match(/key-of-the-shop|token-of-the-shop-5/)
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect((await settings()).profiles.shop).to.deep.equal({
      base_url: 'https://api.example.com',
      namespace: 'http://api.example.com',
      app_id: 42,
      app_key: 'key-of-the-shop-1234',
      user_id: 7,
      token: 'token-of-the-shop-5678',
    })
  })

  it('keeps names with dots apart', async () => {
    expect((await login('my.shop')).code).to.equal(0)
    expect((await login('my.other')).code).to.equal(0)
    expect(Object.keys((await settings()).profiles)).to.deep.equal(['my.shop', 'my.other'])
    const run = await home.seller('auth:status', '--all', '--json')
    expect(run.json().map(({ Profile }: { Profile: string }) => Profile)).to.deep.equal(['my.shop', 'my.other', 'sandbox'])
  })

  it('tells the source of each value, flag before environment before profile, secrets masked', async () => {
    await login('shop')
    await login('other')
    const run = await home.run(['auth:status', '-p', 'other', '--json'], {
      env: { SELLER_TOKEN: 'from-the-environment', SELLER_PROFILE: 'shop' },
    })
    const rows = Object.fromEntries(run.json().map((row: { Setting: string }) => [row.Setting, row]))
    expect(rows.profile).to.include({ Value: 'other', Source: 'flag' })
    expect(rows.token).to.include({ Value: '••••ment', Source: 'environment', From: 'SELLER_TOKEN' })
    expect(rows.app_key).to.include({ Value: '••••1234', Source: 'profile' })
    expect(rows.app_id).to.include({ Value: 42, Source: 'profile' })
    const chosen = await home.run(['auth:status', '--json'], { env: { SELLER_PROFILE: 'other' } })
    expect(chosen.json()[0]).to.deep.equal({ Setting: 'profile', Value: 'other', Source: 'environment', From: 'SELLER_PROFILE' })
  })

  it('works as the first profile until told, then as the one chosen, and not as one that is gone', async () => {
    await login('shop')
    await login('other')
    const current = async () => (await home.seller('auth:status', '--json')).json()[0].Value
    expect(await current()).to.equal('shop')
    expect((await home.seller('auth:use', 'other')).code).to.equal(0)
    expect(await current()).to.equal('other')
    // One that does not exist is missed without a question.
    expect((await ask(home, ['auth:logout', '-p', 'nobody']).done).code).to.equal(2)
    const undecided = ask(home, ['auth:logout'])
    await undecided.sees('from this machine?')
    expect((await undecided.stops()).stderr)
      .to.include('Nothing was removed.')
      .and.not.include('sent')
    const person = ask(home, ['auth:logout'])
    await person.answers('Remove the profile "other" and its credentials from this machine?', 'n')
    expect((await person.done).code).to.equal(6)
    expect(Object.keys((await settings()).profiles)).to.deep.equal(['shop', 'other'])
    const removed = await home.seller('auth:logout', '--json')
    expect([removed.json(), removed.stderr]).to.deep.equal([{ Profile: 'other', Removed: true }, ''])
    expect(Object.keys((await settings()).profiles)).to.deep.equal(['shop'])
    const sandboxed = ask(home, ['auth:logout', '-p', 'sandbox'])
    await sandboxed.answers('Remove the settings stored for the sandbox?', 'n')
    expect((await sandboxed.done).stderr).to.not.include('Profile "sandbox"')
    const env = { SELLER_TOKEN: 'x', SELLER_APP_ID: '42' }
    const builtIn = await home.run(['auth:logout', '-p', 'sandbox', '--json'], { env })
    expect(builtIn.json()).to.deep.equal({
      ...{ Profile: 'sandbox', Removed: false },
      warnings: ['The environment still holds SELLER_TOKEN.'],
    })
    expect(builtIn.stderr).to.include('The sandbox is built in').and.include('The environment still holds SELLER_TOKEN.')
    const gone = await home.seller('auth:use', 'other', '--json')
    expect(gone.code).to.equal(2)
    expect(gone.json().error).to.include({ code: 'no_such_profile', category: 'usage' })
    expect(gone.json().error.hint).to.contain('"shop"')
  })

  it('names a damaged file, keeps it and quotes nothing of it', async () => {
    await mkdir(home.configDir, { recursive: true })
    const path = join(home.configDir, 'profiles.json')
    const text = '{"profiles": {"shop": {"app_key": "key-of-the-shop-1234"'
    await writeFile(path, text, { mode: 0o600 })
    for (const args of [['auth:status'], ['auth:use', 'sandbox'], ['account:show', '--json']]) {
      const run = await home.seller(...args)
      expect(run.code).to.equal(2)
      expect(run.stdout + run.stderr)
        .to.contain(path)
        .and.not.contain('key-of')
    }
    expect(await readFile(path, 'utf8')).to.equal(text)
    expect((await home.seller('auth:status', '-p', 'sandbox')).code, 'the sandbox always exists').to.equal(0)
  })

  it('says of a profile that is not set up how to log in', async () => {
    const run = await home.run(['auth:status', '--json'], { env: { SELLER_PROFILE: '' } })
    expect([run.code, run.json().map(({ Setting }: { Setting: string }) => Setting)]).to.deep.equal([0, ['profile']])
    expect(run.stderr).to.include('The profile "default" is not set up.\nLog in with: seller auth:login\n')
  })

  it('tightens a file that others could read, and says so', async () => {
    await login('shop')
    const path = join(home.configDir, 'profiles.json')
    await chmod(path, 0o644)
    const run = await home.seller('auth:status')
    expect(run.stderr).to.contain('mode 644').and.contain('Its mode is 600 now')
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
  })

  it('loses no profile when several processes log in at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const runs = await Promise.all(names.map((name) => login(name)))
    expect(runs.map(({ code }) => code)).to.deep.equal(names.map(() => 0))
    expect(Object.keys((await settings()).profiles).sort()).to.deep.equal(names)
  })

  it('never asks with --no-input or CI, terminal or not', async () => {
    for (const [args, env] of [
      [['--no-input'], {}],
      [[], { CI: '1' }],
    ] as const) {
      const { code, stderr } = await ask(home, ['auth:login', ...args], { env }).done
      expect(code).to.equal(2)
      expect(stderr).to.contain('--base-url')
    }
  })
})
