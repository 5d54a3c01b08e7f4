import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { operationsOf } from '../../src/contract/index.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { closing, openedForEach } from '../opened.js'
import { startBetween } from './damaged-lists.js'
import { openDescribed } from './described.js'
import type { Run } from './harness.js'
import { openObserved } from './observed.js'
import { ask } from './person.js'

const { namespace, appId, appKey, userId, token } = SANDBOX_PROFILE
const SECRETS = JSON.stringify({ app_key: appKey, token })
const IDS = ['--app-id', String(appId), '--user-id', String(userId)]
/** The environment of the home names its sandbox; a login must find everything by itself. */
const BARE = Object.fromEntries(
  ['BASE_URL', 'NAMESPACE', 'APP_ID', 'APP_KEY', 'USER_ID', 'TOKEN'].map((name) => [`SELLER_${name}`, undefined]),
)

describe('auth:login', () => {
  const home = openedForEach(openObserved)

  const run = (args: readonly string[], stdin = SECRETS): Promise<Run> =>
    home.run(['auth:login', '-p', 'shop', '--stdin', ...args], { stdin, env: BARE })
  const login = (url: string, ...more: string[]): Promise<Run> => run(['--base-url', url, ...IDS, ...more])
  const profiles = async () => JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8')).profiles
  const stored = async () => (await profiles()).shop
  const descriptions = (): Promise<string[]> => readdir(join(home.dataDir, 'descriptions')).catch(() => [])
  const nothingStored = async (): Promise<void> => {
    expect(await profiles().catch(() => 'none')).to.equal('none')
    expect(await descriptions()).to.deep.equal([])
  }

  for (const [what, below] of [
    ['its base', ''],
    ['its base with a slash', '/'],
    ['/v3', '/v3'],
    ['/V3/', '/V3/'],
    ['….asmx', '/v3/RestrictedService.asmx'],
    ['….asmx in lower case', '/v3/restrictedservice.asmx'],
    ['the public service', '/v3/PublicService.asmx'],
    ['?WSDL', '/v3/RestrictedService.asmx?WSDL'],
    ['?wsdl in other letters', '/V3/publicservice.ASMX?wsdl'],
  ] as const) {
    it(`takes ${what} for the address of the service, and says whose shop it is`, async () => {
      const done = await login(`${home.sandbox.url}${below}`)
      expect(done.code, done.stderr).to.equal(0)
      // A host may know its services by the lower-case path alone.
      const base = below === '/v3/restrictedservice.asmx' ? `${home.sandbox.url}${below}` : home.sandbox.url
      expect(done.stderr).to.include(`Logged in as Södermalms_Loppis (1001) at ${base}.`)
      expect(done.stdout + done.stderr)
        .to.not.include(appKey)
        .and.not.include(token)
      expect(await stored()).to.deep.equal({
        base_url: base,
        namespace,
        app_id: appId,
        app_key: appKey,
        user_id: userId,
        token,
      })
      expect(home.calls()).to.deep.equal(['GetUserInfo'])
    })
  }

  it('saves the descriptions for the profile, as service:check --save does', async () => {
    await login(home.sandbox.url)
    expect(await descriptions()).to.have.length(2)
    const listed = await home.run(['service:operations', '-p', 'shop', '--json'], { env: BARE })
    expect(listed.stderr).to.include(`RestrictedService: from the description saved on`)
    expect(listed.json().every(({ Source }: { Source: string }) => Source === 'both')).to.equal(true)
  })

  it('keeps the currency of the account, where a newer service says it, and shows amounts in it', async () => {
    let currency = 'EUR'
    using between = closing(
      await startBetween(home.sandbox.url, async ({ reply, response }) => {
        const { status, text } = await reply()
        response
          .writeHead(status)
          .end(text.replace('</GetUserInfoResult>', `<CurrencyCode>${currency}</CurrencyCode></GetUserInfoResult>`))
      }),
    )
    expect((await login(between.url)).code).to.equal(0)
    expect(await stored()).to.include({ currency: 'EUR' })
    const priced = async () =>
      (await home.run(['items:list', '-p', 'shop', '--output', 'table', '--limit', '1'], { env: BARE })).stdout
    expect(await priced())
      .to.match(/\d EUR\b/)
      .and.not.match(/\d kr\b/)
    currency = 'SEK'
    await login(between.url)
    expect(await priced()).to.match(/\d kr\b/)
    await login(home.sandbox.url)
    expect(await stored()).to.not.have.property('currency')
  })

  it('reads what PowerShell and Notepad save as Unicode: UTF-16 with its mark', async () => {
    const stdin = Buffer.from(`\ufeffapp_key=${appKey}\r\n`, 'utf16le')
    const options = { stdin, env: BARE }
    const given = ['auth:login', '-p', 'shop', '--stdin', '--base-url', home.sandbox.url, '--app-id', String(appId)]
    expect((await home.run(given, options)).stderr).to.include('No seller is logged in.')
  })

  for (const [what, args, stdin, code, exitCode, said] of [
    ['a wrong token', IDS, { app_key: appKey, token: 'not-the-token-of-1001' }, 'refused', 4, 'HTTP 403'],
    ['a wrong user', ['--app-id', String(appId), '--user-id', '7'], { app_key: appKey, token }, 'refused', 4, 'HTTP 403'],
    ['a wrong application key', IDS, { app_key: 'not-the-key-of-the-app', token }, 'refused', 4, 'Invalid application id'],
    [
      'a wrong namespace',
      [...IDS, '--namespace', 'http://other.example'],
      { app_key: appKey, token },
      'wrong_namespace',
      1,
      `The namespace of the service is "${namespace}"`,
    ],
  ] as const) {
    it(`with ${what} says what to try and stores nothing, unless --no-verify`, async () => {
      const given = ['--base-url', home.sandbox.url, ...args]
      const failed = await run([...given, '--json'], JSON.stringify(stdin))
      expect([failed.code, failed.json().error.code], failed.stdout).to.deep.equal([exitCode, code])
      const { message, hint } = failed.json().error
      expect(message).to.include(said)
      expect(hint).to.match(/^(Check the application id|Leave out the namespace).*Nothing was stored; --no-verify/)
      for (const secret of Object.values(stdin)) expect(failed.stdout + failed.stderr).to.not.include(secret)
      await nothingStored()
      const other = given.includes('--namespace') ? [] : ['--namespace', 'http://other.example']
      const untried = await run([...given, ...other, '--no-verify'], JSON.stringify(stdin))
      expect(untried.code, untried.stderr).to.equal(0)
      expect(untried.stderr).to.match(/is stored in \S+profiles\.json, and was not tried/)
      expect(await stored()).to.include({ base_url: home.sandbox.url, namespace: 'http://other.example' })
      expect(await descriptions()).to.deep.equal([])
    })
  }

  it('replaces a namespace and an address of before that were wrong', async () => {
    await run(['--base-url', 'http://127.0.0.1:9', '--namespace', 'http://other.example', ...IDS, '--no-verify'])
    const done = await run(['--base-url', home.sandbox.url])
    expect(done.code, done.stderr).to.equal(0)
    expect(done.stderr).to.include(`The namespace is now "${namespace}".`)
    expect(await stored()).to.include({ base_url: home.sandbox.url, namespace })
  })

  it('says which description it saves, and in place of which', async () => {
    const first = await login(home.sandbox.url)
    expect(first.stderr).to.include(`Saved the description of PublicService (${home.sandbox.url}`).and.not.include('in place of')
    const again = await login(home.sandbox.url)
    expect(again.stderr).to.include('Logged in as').and.not.include('Saved the description')
    const moved = await login(home.sandbox.url.replace('127.0.0.1', 'localhost'))
    expect(moved.code, moved.stderr).to.equal(0)
    expect(moved.stderr).to.match(
      /Saved the description of PublicService \(http:\/\/localhost\S+\), in place of that of http:\/\/127\.0\.0\.1/,
    )
  })

  it('tries what is stored when nothing is given, and keeps it when that fails', async () => {
    await login(home.sandbox.url)
    const again = await home.run(['auth:login', '-p', 'shop'], { env: BARE })
    expect(again.stderr).to.include('Logged in as Södermalms_Loppis (1001)')
    const before = await stored()
    const failed = await home.run(['auth:login', '-p', 'shop', '--user-id', '7', '--json'], { env: BARE })
    expect(failed.json().error.code).to.equal('refused')
    expect(await stored()).to.deep.equal(before)
  })

  it('makes no call for settings that no call rests on', async () => {
    await login(home.sandbox.url)
    home.calls()
    const done = await home.run(['auth:login', '-p', 'shop', '--setting', 'call_budget=50'], {
      env: { ...BARE, SELLER_TOKEN: 'another' },
    })
    expect([done.code, home.calls()]).to.deep.equal([0, []])
    expect(await stored()).to.include({ call_budget: 50, token })
  })

  it('replaces a saved description that is damaged', async () => {
    await login(home.sandbox.url)
    const [name = ''] = await descriptions()
    const path = join(home.dataDir, 'descriptions', name)
    await writeFile(path, '{"Version":')
    const again = await home.run(['auth:login', '-p', 'shop'], { env: BARE })
    expect([again.code, again.stderr.includes('is not JSON. It is replaced.')]).to.deep.equal([0, true])
    expect(JSON.parse(await readFile(path, 'utf8'))).to.include({ Profile: 'shop' })
  })

  it('lets the environment name any address of the service too', async () => {
    const env = { SELLER_BASE_URL: `${home.sandbox.url}/v3/restrictedservice.asmx?wsdl` }
    expect((await home.run(['account:show', '--json'], { env })).json()).to.include({ Id: userId })
  })

  describe('where the address is of something else', () => {
    let page: Server
    let status = 200
    let url = ''
    beforeEach(async () => {
      page = createServer((_request, response) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>'),
      )
      await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
      url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    })
    afterEach(() => {
      page.closeAllConnections()
      page.close()
    })

    for (const [answer, code, said] of [
      [200, 'not_a_description', 'is a web page'],
      [404, 'no_description', 'answers HTTP 404'],
      [403, 'no_description', 'refuses to show its description'],
    ] as const) {
      it(`says so of a page that answers ${answer}, and stores nothing`, async () => {
        status = answer
        const failed = await login(url, '--json')
        expect([failed.code, failed.json().error.code]).to.deep.equal([1, code])
        expect(failed.json().error.message).to.include(said)
        expect(failed.json().error.hint).to.match(/^Check the address\..*Nothing was stored/)
        await nothingStored()
      })
    }

    it('goes on without a description where the namespace is given, and believes the call alone', async () => {
      status = 404
      const failed = await login(url, '--namespace', namespace, '--json')
      expect([failed.code, failed.json().error.code]).to.deep.equal([1, 'wrong_address'])
      expect(failed.stderr).to.include('does not show its description')
      await nothingStored()
    })
  })

  it('keeps a saved description that differs from what the same service shows now, and says so', async () => {
    await login(home.sandbox.url)
    const name = (await descriptions()).find((file) => file.includes('PublicService')) ?? ''
    const path = join(home.dataDir, 'descriptions', name)
    const kept = await readFile(path, 'utf8')
    const { Text: older, ...rest } = JSON.parse(kept.replaceAll('GetCounties', 'GetRegions'))
    const { hashDescription: hashOf } = await import('../../src/cli/saved-description.js')
    await writeFile(path, JSON.stringify({ ...rest, Text: older, Sha256: hashOf(older) }))
    const again = await home.run(['auth:login', '-p', 'shop'], { env: BARE })
    expect(again.code, again.stderr).to.equal(0)
    expect(again.stderr).to.include('The description of PublicService has changed since').and.include('The saved one is kept.')
    expect(JSON.parse(await readFile(path, 'utf8')).Text).to.equal(older)
    const moved = await login(home.sandbox.url.replace('127.0.0.1', 'localhost'))
    expect(moved.stderr, 'another service').to.include('in place of that of').and.not.include('has changed since')
  })

  describe('at a service that shows one of its two descriptions', () => {
    const service = openedForEach(openDescribed)

    it('takes the namespace from it, and sends credentials to the address that was given alone', async () => {
      service.show('PublicService', Object.values(operationsOf('PublicService')), 'http://elsewhere.example')
      service.answer = ({ url }, response) =>
        /restricted/i.test(url ?? '') && !!response.writeHead(404, { 'content-type': 'text/html' }).end('<html></html>')
      const failed = await login(service.url, '--json')
      expect([failed.code, failed.json().error.code]).to.deep.equal([1, 'wrong_address'])
      expect(service.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
        'GET /v3/RestrictedService.asmx?WSDL',
        'GET /v3/PublicService.asmx?WSDL',
        'GET /v3/OrderService.asmx?WSDL',
        'GET /v3/ListingService.asmx?WSDL',
        'POST /v3/RestrictedService.asmx',
      ])
    })
  })

  describe('with commands that print the secrets', () => {
    const script = async (name: string, text: string): Promise<string> => {
      const path = join(home.dir, name)
      await mkdir(home.dir, { recursive: true })
      await writeFile(path, text)
      return path
    }
    const withCommands = (keyCommand: string, tokenCommand: string, ...more: string[]): Promise<Run> =>
      home.run(
        [
          ...['auth:login', '-p', 'shop', '--base-url', home.sandbox.url, ...IDS],
          ...['--app-key-command', keyCommand, '--token-command', tokenCommand, ...more],
        ],
        { env: BARE },
      )

    it('stores the commands and no secret, runs each once in a run, and shows none', async () => {
      const path = await script(
        'token.mjs',
        `import { appendFileSync } from 'node:fs'
        appendFileSync(${JSON.stringify(join(home.dir, 'runs'))}, 'x')
        console.log('  ${token}\\n')`,
      )
      const words = JSON.stringify([process.execPath, path])
      const done = await withCommands(`printf '%s\\n' ${appKey} | cat`, words)
      expect(done.code, done.stderr).to.equal(0)
      expect(done.stderr).to.include('Logged in as Södermalms_Loppis (1001)')
      const { app_key: key, token: kept, ...rest } = await stored()
      expect([key, kept]).to.deep.equal([undefined, undefined])
      expect(rest).to.include({ app_key_command: `printf '%s\\n' ${appKey} | cat`, token_command: words })
      const listed = await home.run(['requests:wait', '1', '--timeout', '1ms', '-p', 'shop', '--trace'], { env: BARE })
      expect(listed.stderr).to.include('GetRequestResults')
      expect(listed.stdout + listed.stderr)
        .to.not.include(token)
        .and.not.include(appKey)
      expect(await readFile(join(home.dir, 'runs'), 'utf8')).to.equal('xx')
    })

    it('explains a command that fails, without what it printed, and stores nothing', async () => {
      const failed = await withCommands(
        `echo ${appKey}`,
        `echo ${token}; echo "locked: ${token} ${appKey}" >&2; exit 3`,
        '--json',
      )
      const { code, message, hint, status, setting } = failed.json().error
      expect([failed.code, code, status, setting]).to.deep.equal([4, 'secret_command_failed', 3, 'token_command'])
      expect(message).to.equal('token_command of the profile "shop" ended with exit code 3: locked: ••• •••')
      expect(hint).to.include('Nothing was stored')
      expect(failed.stdout + failed.stderr).to.not.include(token)
      await nothingStored()
      for (const [command, said] of [
        ['["/nowhere/program"]', 'cannot be started: it does not exist'],
        ['true', 'printed nothing'],
        ['printf "a\\nb"', 'printed more than one line'],
        ['kill -9 $$', 'was ended by SIGKILL'],
        ['yes', 'printed more than 65536 bytes'],
      ] as const) {
        expect((await withCommands(command, 'true', '--json')).json().error.message, command).to.include(said)
      }
      await nothingStored()
    })

    it('takes a command in place of a stored secret, and the other way round', async () => {
      await login(home.sandbox.url)
      const done = await home.run(['auth:login', '-p', 'shop', '--token-command', `echo ${token}`], { env: BARE })
      expect(done.code, done.stderr).to.equal(0)
      expect(await stored()).to.have.property('token_command')
      expect(await stored()).to.not.have.property('token')
      await run([], JSON.stringify({ token }))
      expect(await stored()).to.not.have.property('token_command')
      const both = await run(['--token-command', 'x', '--json'])
      expect([both.code, both.json().error.code]).to.deep.equal([2, 'several_inputs'])
    })

    it('runs no command for a request that is only shown, nor the one for the token where none is needed', async () => {
      await withCommands(`echo ${appKey}`, `echo ran >> '${join(home.dir, 'runs')}'; echo ${token}`)
      await writeFile(join(home.dir, 'runs'), '')
      const shown = await home.run(['call', 'GetUserInfo', '--dry-run', '-p', 'shop'], { env: BARE })
      expect(shown.stdout).to.include('<AppId>').and.not.include('from-a-command').and.not.include(appKey)
      expect((await home.run(['reference:counties', '-p', 'shop'], { env: BARE })).code).to.equal(0)
      expect(await readFile(join(home.dir, 'runs'), 'utf8')).to.equal('')
    })

    it('reads a command that stands in the settings file as an array', async () => {
      await login(home.sandbox.url)
      const path = join(home.configDir, 'profiles.json')
      const file = JSON.parse(await readFile(path, 'utf8'))
      delete file.profiles.shop.token
      file.profiles.shop.token_command = ['sh', '-c', `echo ${token}`]
      await writeFile(path, JSON.stringify(file), { mode: 0o600 })
      expect((await home.run(['account:show', '-p', 'shop'], { env: BARE })).code).to.equal(0)
    })
  })

  it('asks a person for what is missing, secrets unseen, and again with the present values', async () => {
    const options = { env: BARE, columns: 200 }
    const first = ask(home, ['auth:login', '--profile', 'shop'], options)
    await first.answers('Base URL of the service', 'http://api.example.com')
    expect(await first.sees('Give an https address')).to.include('is not https')
    await first.corrects(`${home.sandbox.url}/v3/RestrictedService.asmx?WSDL`)
    await first.answers('Application id', String(appId))
    await first.answers('Application key', appKey)
    await first.answers('User id of the seller (empty for none)', String(userId))
    await first.answers('User token of the seller', token)
    const { code, stdout, stderr } = await first.done
    expect(code, stderr).to.equal(0)
    expect(stdout + stderr).to.include('Logged in as Södermalms_Loppis (1001)')
    expect(stdout + stderr)
      .to.not.include('XML namespace')
      .and.not.include(appKey)
      .and.not.include(token)

    const narrow = await ask(home, ['auth:login', '--profile', 'shop', '--setting', 'vat=25'], { env: BARE, columns: 80 }).done
    expect(narrow.stdout).to.include('http://api.marketplace.example ').and.not.include('…')
    expect(narrow.stderr).to.include(join(home.configDir, 'profiles.json'))

    const second = ask(home, ['auth:login', '--profile', 'shop'], options)
    await second.answers(`(${home.sandbox.url})`)
    await second.answers(`Application id (${appId})`)
    expect(await second.sees('Keep it')).to.match(/Application key \(••••/)
    await second.enters()
    await second.answers(`(${userId})`)
    expect(await second.sees('Keep it')).to.match(/User token of the seller \(••••/)
    await second.picks('down')
    await second.answers('User token of the seller', 'not-the-token-of-1001')
    expect(await second.sees('Change the answers and try again?')).to.include('Nothing was stored')
    await second.enters('y')
    // The answers that were right are there.
    await second.answers(`(${home.sandbox.url})`)
    await second.answers(`Application id (${appId})`)
    await second.answers('Application key (••••')
    await second.answers(`(${userId})`)
    await second.answers('User token of the seller (••••')
    await second.answers('Change the answers and try again?', 'n')
    const ended = await second.done
    expect(ended.code, ended.stderr).to.equal(4)
    expect(ended.stderr).to.include('Nothing was stored').and.not.include('not-the-token')
    expect((await stored()).token).to.equal(token)
  })
})
