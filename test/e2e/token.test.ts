import { readFile } from 'node:fs/promises'
import { type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Operation, operationsOf, publicExtended } from '../../src/contract/index.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { closing } from '../opened.js'
import { NS, openDescribed } from './described.js'
import type { Run } from './harness.js'
import { type ObservedHome, openObserved } from './observed.js'
import { ask, type Person } from './person.js'

const { appId, appKey, publicKey } = SANDBOX_PROFILE
const BARE = Object.fromEntries(
  ['BASE_URL', 'NAMESPACE', 'APP_ID', 'APP_KEY', 'USER_ID', 'TOKEN'].map((name) => [`SELLER_${name}`, undefined]),
)
/** A member whose token has ended. */
const EXPIRED = 1004

describe('auth:token', () => {
  let home: ObservedHome
  const open = async (): Promise<void> => {
    home = await openObserved({ extended: true })
    const given = ['--base-url', home.sandbox.url, '--app-id', String(appId), '--stdin']
    const login = await home.run(['auth:login', '-p', 'shop', ...given], { stdin: `app_key=${appKey}`, env: BARE })
    expect(login.code, login.stderr).to.equal(0)
    home.calls()
  }
  afterEach(() => home.close())
  const run = (args: readonly string[], stdin?: string): Promise<Run> => home.run([...args, '-p', 'shop'], { stdin, env: BARE })
  const stored = async () => JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8')).profiles.shop
  const secretKey = (userId: number) => `sandbox-secret-key-of-member-${userId}`

  it('stores the token and its end, which auth:status shows, and shows neither token nor key', async () => {
    await open()
    const fetched = await run(
      ['auth:token', '--user-id', String(EXPIRED), '--stdin', '--trace', '--json'],
      `${secretKey(EXPIRED)}\n`,
    )
    expect(fetched.code, fetched.stderr).to.equal(0)
    const { token, token_expires: expires, user_id: userId } = await stored()
    expect([token, userId]).to.deep.equal([`sandbox-token-of-member-${EXPIRED}`, EXPIRED])
    expect(fetched.json()).to.include({ Profile: 'shop', UserId: EXPIRED, Expires: expires })
    expect(fetched.stdout + fetched.stderr)
      .to.not.include(token)
      .and.not.include(secretKey(EXPIRED))
    expect(home.calls()).to.deep.equal(['FetchToken'])
    const status = await run(['auth:status', '--json'])
    const rows = Object.fromEntries(status.json().map((row: { Setting: string; Value: unknown }) => [row.Setting, row.Value]))
    expect(rows.token_expires).to.equal(expires)
    expect(status.stderr).to.not.include('The token ended')
    expect(fetched.stderr).to.not.include('SELLER_TOKEN')
    const env = { ...BARE, SELLER_TOKEN: 'a-token-of-the-environment' }
    const again = await home.run(['auth:token', '-p', 'shop', '--user-id', String(EXPIRED), '--stdin'], {
      stdin: secretKey(EXPIRED),
      env,
    })
    expect(again.stderr).to.include('SELLER_TOKEN is set, and counts before the stored token.')
    expect((await run(['account:show', '--json'])).json().Id, 'the token of the member lasts again').to.equal(EXPIRED)
  })

  it('fetches the token that the profile has already', async () => {
    await open()
    for (const _time of ['first', 'again']) {
      expect((await run(['auth:token', '--user-id', '1001', '--stdin'], secretKey(1001))).code).to.equal(0)
      expect((await stored()).token).to.equal(SANDBOX_PROFILE.token)
    }
  })

  it('warns of a token that has ended, and forgets the end of one that is replaced', async () => {
    await open()
    const old = { user_id: 1001, token: 'an-older-token', token_expires: '2020-01-01T00:00:00Z' }
    await run(['auth:login', '--stdin', '--no-verify'], JSON.stringify(old))
    const status = await run(['auth:status'])
    expect(status.stderr).to.include('The token ended on 2020-01-01T00:00:00Z. Fetch another: seller auth:token --profile shop')
    await run(['auth:login', '--stdin', '--no-verify'], JSON.stringify({ token: 'a-newer-token' }))
    expect(await stored())
      .to.include({ token: 'a-newer-token' })
      .and.not.have.property('token_expires')
  })

  it('reads the description where none is saved, and finds no service behind it', async () => {
    await open()
    await using service = closing(await openDescribed())
    service.show('PublicService', [...Object.values<Operation>(operationsOf('PublicService')), publicExtended.FetchToken])
    const at = ['--base-url', service.url, '--namespace', NS, '--app-id', '1', '--no-verify', '--stdin']
    await home.run(['auth:login', '-p', 'bare', ...at], { stdin: 'app_key=a-key-of-nobody', env: BARE })
    const failed = await home.run(['auth:token', '-p', 'bare', '--user-id', '7', '--stdin', '--json'], {
      stdin: 'x-y-z-0',
      env: BARE,
    })
    expect(failed.json().error.code).to.equal('wrong_address')
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /v3/PublicService.asmx?WSDL',
      'POST /v3/PublicService.asmx',
    ])
  })

  it('asks a person for the key, unseen', async () => {
    await open()
    const person = ask(home, ['auth:token', '--profile', 'shop'], { env: BARE })
    await person.answers('User id of the seller', '1001')
    await person.answers('Secret key', secretKey(1001))
    const { code, stdout, stderr } = await person.done
    expect(code, stderr).to.equal(0)
    expect(stdout + stderr).to.not.include('sandbox-secret-key')
    expect((await stored()).token).to.equal(SANDBOX_PROFILE.token)
  })

  describe('by a login in the browser', () => {
    /** Steps of a browser: opens the page, chooses a member, allows. @returns where that led */
    const allow = async (address: string, member: number): Promise<Response> => {
      const page = await fetch(address)
      expect([page.status, (await page.text()).includes('Allow the application 1?')]).to.deep.equal([200, true])
      return fetch(address, { method: 'POST', body: new URLSearchParams({ userId: String(member) }), redirect: 'manual' })
    }
    /** Reply to a request that a browser, or anybody else, sends: the status, and the text. */
    const sent = (given: RequestOptions): Promise<string> =>
      new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', ...given }, (response) => {
          response.setEncoding('utf8')
          let text = `${response.statusCode} `
          response.on('data', (piece) => (text += piece)).on('end', () => resolve(text))
        })
        asked.once('error', reject).end()
      })
    const coming = (address: string): Promise<string> => {
      const { port, pathname, search } = new URL(address)
      return sent({ port, path: pathname + search, headers: { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' } })
    }
    const begin = async (args: readonly string[] = []): Promise<{ person: Person; address: string }> => {
      const person = ask(home, ['auth:login', '-p', 'day-one', ...args], { env: BARE, columns: 300 })
      await person.answers('Base URL of the service', home.sandbox.url)
      await person.answers('Application id', String(appId))
      await person.answers('Application key', appKey)
      await person.answers('Public key of the application (empty if you have a token)', publicKey)
      const shown = await person.sees('Open it in the browser?')
      await person.picks('down')
      return { person, address: /http\S+token-login\S+/.exec(shown)?.[0] ?? '' }
    }
    const dayOne = async () => JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8')).profiles['day-one']

    it('finds the seller by the alias, waits until the application is allowed, and fetches the token by itself', async () => {
      await open()
      const { person, address } = await begin()
      expect(new URL(address).searchParams.get('skey')).to.have.length.within(32, 255)
      await person.answers('Your alias there, your user id', 'nobody_of_that_name')
      await person.answers('The service knows no member "nobody_of_that_name". ? Your alias there', 'SÖDERMALMS_loppis')
      await person.sees('Waiting until user 1001 has allowed the application')
      expect((await allow(address, 1001)).status).to.equal(200)
      const done = await person.done
      expect(done.code, done.stderr).to.equal(0)
      expect(done.stderr).to.include('Logged in as Södermalms_Loppis (1001)')
      const { token, token_expires: expires, public_key: key, user_id: userId } = await dayOne()
      expect([token, key, userId]).to.deep.equal([SANDBOX_PROFILE.token, publicKey, 1001])
      expect(Date.parse(expires)).to.be.above(Date.now())
      for (const secret of [token, appKey]) expect(done.stdout + done.stderr).to.not.include(secret)
      // Another token, by the same way, of what is stored.
      const again = ask(home, ['auth:token', '-p', 'day-one'], { env: BARE, columns: 300 })
      const shown = await again.sees('Open it in the browser?')
      await again.picks('down')
      await allow(/http\S+token-login\S+/.exec(shown)?.[0] ?? '', 1001)
      await again.answers('(1001)')
      expect((await again.done).code).to.equal(0)
    })

    it('takes the address to which the login led, or waits for the browser at a port of this machine', async () => {
      const port = 20_000 + (process.pid % 10_000)
      home = await openObserved({ extended: true, accept: { url: `http://127.0.0.1:${port}/back`, showToken: true } })
      const pasted = await begin()
      const led = (await allow(pasted.address, 1002)).headers.get('location') ?? ''
      expect(led).to.match(/\/back\?userId=1002&token=[^&]+&exp=20/)
      await pasted.person.answers('Your alias there', led)
      expect((await pasted.person.done).stderr).to.include('(1002)')
      expect((await dayOne()).token).to.equal('sandbox-token-of-member-1002')
      await home.run(['auth:logout', '-p', 'day-one'], { env: BARE })
      const waiting = await begin(['--accept-port', String(port)])
      await waiting.person.sees(`Waiting for the browser at http://127.0.0.1:${port}`)
      const back = await coming((await allow(waiting.address, 1001)).headers.get('location') ?? '')
      expect(back).to.include('You may close this window')
      expect((await waiting.person.done).stderr).to.include('Logged in as Södermalms_Loppis (1001)')
    })

    it('believes nobody but the browser of this login, whatever else is sent to that port', async () => {
      const port = 10_000 + (process.pid % 10_000)
      home = await openObserved({ extended: true, accept: { url: `http://127.0.0.1:${port}/back` } })
      const { person, address } = await begin(['--accept-port', String(port)])
      await person.sees(`Waiting for the browser at http://127.0.0.1:${port}`)
      const led = (await allow(address, 1001)).headers.get('location') ?? ''
      const own = new URL(led)
      expect(own.searchParams.get('state')).to.match(/^[\da-f]{32}$/)
      const path = own.pathname + own.search
      const statusOf = async (target: string, given: RequestOptions = {}) =>
        (await sent({ port, path: target, ...given })).slice(0, 3)
      for (const [what, target, given, status] of [
        ['two slashes', '//', {}, '404'],
        ['an odd path', '//[?userId=1001', {}, '403'],
        ['a whole address', `http://127.0.0.1:${port}${path}`, {}, '400'],
        ['no user id', '/other', {}, '404'],
        ['another way', path, { method: 'POST' }, '405'],
        ['another name of this machine', path, { headers: { host: `shop.example:${port}` } }, '421'],
        ['a page that calls', path, { headers: { origin: 'http://shop.example' } }, '403'],
        ['an image of a page', path, { headers: { 'sec-fetch-dest': 'image' } }, '403'],
        ['no state', '/?userId=1002', {}, '403'],
        ['another state', '/?userId=1002&state=1', {}, '403'],
      ] as const)
        expect(await statusOf(target, given), what).to.equal(status)
      await person.sees('A browser came with a user id that does not belong to this login, which was ignored.')
      home.calls()
      // The seller comes back as somebody else first: the next one is tried as well.
      expect(await statusOf(path.replace('userId=1001', 'userId=1003'))).to.equal('200')
      await person.sees('Waiting until user 1003 has allowed the application')
      expect(await statusOf(path, { headers: { host: `localhost:${port}`, 'sec-fetch-dest': 'document' } })).to.equal('200')
      const done = await person.done
      expect([done.code, done.stderr.includes('(1001)')], done.stderr).to.deep.equal([0, true])
      expect(home.calls().filter((name) => name === 'FetchToken').length).to.be.within(2, 4)
    })

    it('does not wait where the service refuses the application itself, and takes a token instead of a public key', async () => {
      await open()
      const env = { ...BARE, SELLER_BASE_URL: home.sandbox.url, SELLER_APP_ID: '1', SELLER_APP_KEY: 'not-the-key-of-the-app' }
      const wrong = ask(home, ['auth:login', '-p', 'day-one', '--user-id', '1001'], { env })
      await wrong.answers('Public key', publicKey)
      await wrong.sees('Open it in the browser?')
      await wrong.picks('down')
      const failed = await wrong.done
      expect([failed.code, failed.stderr.includes('Invalid application id')], failed.stderr).to.deep.equal([4, true])
      const plain = ask(home, ['auth:login', '-p', 'day-one'], { env: { ...env, SELLER_APP_KEY: appKey } })
      await plain.answers('Public key')
      await plain.answers('User id of the seller', '1001')
      await plain.answers('User token of the seller', SANDBOX_PROFILE.token)
      expect((await plain.done).code).to.equal(0)
    })

    it('shows the page to a right address alone', async () => {
      await open()
      for (const [query, status] of [
        [{ appId: '1', pkey: publicKey, skey: 'x'.repeat(32) }, 200],
        [{ APPID: '1', PKEY: publicKey, SKEY: 'x'.repeat(255) }, 200],
        [{ appId: '1', pkey: publicKey, skey: 'x'.repeat(31) }, 400],
        [{ appId: '1', pkey: publicKey, skey: 'x'.repeat(256) }, 400],
        [{ appId: '1', pkey: 'another', skey: 'x'.repeat(32) }, 400],
        [{ appId: '2', pkey: publicKey, skey: 'x'.repeat(32) }, 400],
      ] as const) {
        const page = await fetch(`${home.sandbox.url}/tokenlogin.aspx?${new URLSearchParams(query)}`)
        expect(page.status, JSON.stringify(query)).to.equal(status)
      }
    })
  })

  it('warns of a token that ends within 30 days: once a day to a person, in doctor, and never a script', async () => {
    await open()
    const ends = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const give = (days: number) =>
      run(
        ['auth:login', '--stdin', '--no-verify'],
        JSON.stringify({ user_id: 1001, token: SANDBOX_PROFILE.token, token_expires: ends(days) }),
      )
    const warned = async (terminal: boolean) =>
      (await home.run(['account:show', '-p', 'shop'], { env: BARE, terminal })).stderr.includes('The token ends in')
    await give(30.5)
    expect([await warned(true), (await run(['doctor'])).stdout.includes('Fetch another token')]).to.deep.equal([false, false])
    await give(29.5)
    expect([await warned(false), await warned(true), await warned(true)]).to.deep.equal([false, true, false])
    expect((await run(['doctor'])).stdout)
      .to.include('The token ends in 29 days')
      .and.include('seller auth:token --profile shop')
  })
})
