import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ContextOptions, openContext } from '../../src/cli/context.js'
import { toSellerError } from '../../src/cli/translate.js'
import { SellerError } from '../../src/errors/index.js'
import { run, say } from '../../src/messages/index.js'
import { closing } from '../opened.js'
import { NS, response, SOAP_TYPE, startService } from '../soap/service.js'
import { createTestHost } from '../test-host.js'
import { openTwin, type Twin, type TwinOptions } from './twin.js'

const REAL = {
  SELLER_BASE_URL: 'https://api.example.com',
  SELLER_NAMESPACE: 'http://api.example.com',
  SELLER_APP_ID: '42',
  SELLER_APP_KEY: 'key-of-the-shop',
  SELLER_USER_ID: '7',
  SELLER_TOKEN: 'token-of-the-shop',
}

const SHOP = (url: string) => ({ ...REAL, SELLER_BASE_URL: url, SELLER_NAMESPACE: NS })

const contextOf = (host: ContextOptions['host'], more: Partial<ContextOptions> = {}) =>
  openContext({
    ...{ flags: {}, host, config: { userAgent: 'x', root: '.', version: '0.0.0' }, command: 'items:list' },
    ...{ signal: new AbortController().signal, ...more },
  })

const store = async (home: string, file: object): Promise<void> => {
  await mkdir(join(home, 'config'))
  await writeFile(join(home, 'config', 'profiles.json'), JSON.stringify(file), { mode: 0o600 })
}

describe('the context of a command', () => {
  const open: Twin[] = []
  const twin = async (options?: TwinOptions): Promise<Twin> => {
    const opened = await openTwin(options)
    open.push(opened)
    return opened
  }
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
  })

  it('touches no disk before something is asked for', async () => {
    const { home } = await twin()
    expect(await readdir(home)).to.deep.equal([])
  })

  it('opens one client and one ledger, and reads as the profile says', async () => {
    const { ctx } = await twin({ flags: { profile: 'sandbox' } })
    const client = await ctx.client()
    expect(await ctx.client({ user: false })).to.equal(client)
    expect(await ctx.ledger()).to.equal(await ctx.ledger())
    expect(await client.call('GetUserInfo', {})).to.include({ Id: 1001 })
    expect((await ctx.ledger()).calls.list()[0]).to.include({ Operation: 'GetUserInfo', Profile: 'sandbox', Outcome: 'ok' })
  })

  it('describes a request without credentials, without a ledger and without a service', async () => {
    const { ctx } = await twin()
    const client = await ctx.client({ describe: true })
    const request = await client.describe('GetItem', { itemId: 5 })
    expect(request.url).to.contain('not.set')
    expect(request.body).to.contain('<itemId>5</itemId>')
    expect(existsSync(ctx.dataDir)).to.equal(false)
  })

  it('refuses a client without credentials, naming all that is missing; the public service needs no user', async () => {
    const { SELLER_TOKEN: _token, SELLER_USER_ID: _user, ...app } = REAL
    const { ctx } = await twin({ env: app })
    const error = await ctx.client().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(SellerError)
    expect(error).to.include({ code: 'not_logged_in', exitCode: 4 })
    expect((error as SellerError).details?.missing).to.deep.equal(['user_id', 'token'])
    await ctx.client({ user: false })
  })

  describe('with a token that a command prints', () => {
    const { SELLER_TOKEN: _token, ...app } = REAL
    const clients = async (profile: object) => {
      const { ctx, home } = await twin({ env: app })
      const shop = { token_command: `echo once >> '${home}/runs'; echo tok`, ...profile }
      await store(home, { current: 'shop', profiles: { shop } })
      const runs = () => readFile(join(home, 'runs'), 'utf8').catch(() => '')
      return { ctx, runs }
    }

    it('does not run it for the public service, and once for the others', async () => {
      const { ctx, runs } = await clients({})
      const spared = await ctx.client({ user: false })
      expect(await ctx.client({ user: false })).to.equal(spared)
      expect(await runs()).to.equal('')
      const client = await ctx.client()
      expect(client).to.not.equal(spared)
      expect(await ctx.client({ user: true })).to.equal(client)
      expect(await runs()).to.equal('once\n')
      expect(await ctx.client({ user: false })).to.equal(spared)
      await ctx.client({ describe: true })
      expect(await runs()).to.equal('once\n')
    })

    it('has one client for all where the token is stored', async () => {
      const { ctx, runs } = await clients({ token: 'stored-token' })
      expect(await ctx.client({ user: false })).to.equal(await ctx.client())
      expect(await runs()).to.equal('')
    })
  })

  it('makes no more calls than a run may, or the budget of the profile', async () => {
    const second = async (client: Awaited<ReturnType<Twin['ctx']['client']>>) => {
      await client.call('GetUserInfo', {})
      return client.call('GetUserInfo', {}).then(
        () => 'made',
        (error: unknown) => toSellerError(error).exitCode,
      )
    }
    const limited = await twin({ flags: { profile: 'sandbox', 'max-calls': 1 } })
    expect(await second(await limited.ctx.client())).to.equal(7)
    const budget = await twin({ flags: { profile: 'sandbox' } })
    await store(budget.home, { profiles: { sandbox: { call_budget: 1 } } })
    expect(await second(await budget.ctx.client())).to.equal(7)
    const free = await twin({ flags: { profile: 'sandbox' } })
    expect(await second(await free.ctx.client())).to.equal('made')
  })

  it('notes the writes that the service carried out, no reads, and none that it refused', async () => {
    let refuses = true
    await using service = closing(
      await startService((asked, reply) => {
        const name = asked.body.includes('<RemoveShopItem') ? 'RemoveShopItem' : 'GetItem'
        const result = name === 'GetItem' ? '<Id>7</Id>' : '<RequestId>1</RequestId><ItemId>7</ItemId>'
        if (refuses && name !== 'GetItem') reply.writeHead(403).end()
        else reply.writeHead(200, SOAP_TYPE).end(response(name, `<${name}Result>${result}</${name}Result>`))
      }),
    )
    const { ctx, host } = await twin({ env: SHOP(service.url) })
    const client = await ctx.client()
    await client.call('GetItem', { itemId: 7 })
    expect([...host.begun]).to.deep.equal([])
    await client.call('RemoveShopItem', { shopItemId: 7 }).catch(() => undefined)
    expect([...host.carriedOut]).to.deep.equal([])
    expect([...host.begun]).to.deep.equal(['RemoveShopItem'])
    refuses = false
    await client.call('RemoveShopItem', { shopItemId: 7 })
    expect([...host.carriedOut]).to.deep.equal(['RemoveShopItem'])
  })

  it('sends --profile sandbox nowhere else, whatever the environment says', async () => {
    const { ctx } = await twin({ flags: { profile: 'sandbox' }, env: REAL })
    expect(ctx.profile.settings.base_url).to.equal(undefined)
    expect(ctx.profile.settings.app_id).to.equal(1)
  })

  it('names the profile in commands told to the user only where that is needed', async () => {
    const named = ({ ctx }: Twin) => ctx.text(say`${run('jobs:list')}`)
    expect(named(await twin({ env: REAL }))).to.equal('seller jobs:list')
    expect(named(await twin({ flags: { profile: 'sandbox' } }))).to.equal('seller jobs:list --profile sandbox')
  })

  for (const [what, options, available] of [
    ['terminals', { terminal: true }, true],
    ['no terminal', {}, false],
    ['--no-input', { terminal: true, flags: { 'no-input': true } }, false],
    ['CI', { terminal: true, env: { CI: 'true' } }, false],
    ['an empty CI', { terminal: true, env: { CI: '' } }, true],
    ['--no-input not given', { terminal: true, flags: { 'no-input': false } }, true],
    ['CI=false', { terminal: true, env: { CI: 'false' } }, true],
  ] as const) {
    it(`${available ? 'asks' : 'never asks'} with ${what}`, async () => {
      expect((await twin(options)).ctx.prompts.available).to.equal(available)
    })
  }

  it('asks only where all three streams are terminals, and one shop alone', async () => {
    const open = async (terminals: readonly string[], parts?: ContextOptions['parts']) => {
      const host = createTestHost({ env: { SELLER_CONFIG_DIR: '/x', SELLER_DATA_DIR: '/y' } })
      for (const name of ['stdin', 'stdout', 'stderr'] as const) Object.assign(host[name], { isTTY: terminals.includes(name) })
      return contextOf(host, { parts })
    }
    for (const terminals of [
      [],
      ['stdin'],
      ['stdout'],
      ['stderr'],
      ['stdin', 'stdout'],
      ['stdin', 'stderr'],
      ['stdout', 'stderr'],
      ['stdin', 'stdout', 'stderr'],
    ]) {
      const ctx = await open(terminals)
      expect(ctx.prompts.available, terminals.join()).to.equal(terminals.length === 3)
      expect(ctx.errorTerminal).to.equal(terminals.includes('stderr'))
      expect(ctx.ownsTerminal, 'not of the process').to.equal(false)
    }
    const { output, stdin } = await open([])
    const parts = { output, stdin, beforeCalls: async () => {}, approve: async () => {}, onMade() {} }
    const shop = await open(['stdin', 'stdout', 'stderr'], parts)
    expect(shop.prompts.available).to.equal(false)
    expect([shop.output, shop.stdin, shop.approve]).to.deep.equal([output, stdin, parts.approve])
    await shop.close()
  })

  it('warns of the settings file once, and finds paths from where it was started', async () => {
    const { ctx, home, stderr } = await twin({ env: REAL })
    await mkdir(join(home, 'config'))
    await writeFile(join(home, 'config', 'profiles.json'), '{}', { mode: 0o644 })
    expect(ctx.profile).to.equal(ctx.profile)
    expect(stderr().match(/was readable by others/g)).to.have.lengthOf(1)
    expect([ctx.path('a/b'), ctx.path('/a/b')]).to.deep.equal([join(home, 'a', 'b'), '/a/b'])
    expect([ctx.ledgerPath, ctx.sandboxPath]).to.deep.equal([join(home, 'data', 'ledger.db'), join(home, 'data', 'sandbox.db')])
    expect(ctx.trace).to.equal(undefined)
    expect(ctx.hide(`a ${REAL.SELLER_APP_KEY} b ${REAL.SELLER_TOKEN}`)).to.equal('a ••• b •••')
  })

  it('warns of a ledger that was emptied, and reads a profile that is tried before it is stored', async () => {
    const { ctx, home, stderr } = await twin({ env: REAL })
    await mkdir(join(home, 'data'))
    await writeFile(ctx.ledgerPath, '')
    const before = ctx.clock.now() / 1000 - 86_400
    await utimes(ctx.ledgerPath, before, before)
    const quota = await ctx.trialQuota('new-shop', { app_id: 5, call_budget: 9 })
    expect(await quota.usage()).to.include({ used: 0, budget: 9, remaining: 9 })
    expect(stderr()).to.include(
      `The ledger ${ctx.ledgerPath} was empty, so a new one was started. Its earlier contents are lost.`,
    )
    expect(await ctx.quota()).to.equal(await ctx.quota())
    expect((await (await ctx.quota()).usage()).budget, 'of the stored profile').to.equal(100)
    const client = await ctx.trialClient('new-shop', { app_id: 5, base_url: 'https://a.example', namespace: 'urn:a' })
    expect((await client.describe('GetItem', { itemId: 5 })).url).to.match(/^https:\/\/a\.example\//)
  })

  it('remembers where the ledger of a shop is, not that of the sandbox, which ends', async () => {
    await using service = closing(
      await startService((_asked, reply) =>
        reply.writeHead(200, SOAP_TYPE).end(response('GetItem', '<GetItemResult><Id>7</Id></GetItemResult>')),
      ),
    )
    for (const [options, noted] of [
      [{ flags: { profile: 'sandbox' } }, false],
      [{ env: SHOP(service.url) }, true],
    ] as const) {
      const { ctx, home, stderr } = await twin(options)
      const client = await ctx.client()
      await client.call('GetItem', { itemId: 7 }).catch(() => undefined)
      const ledger = await ctx.ledger()
      expect(ledger.calls.list()).to.have.lengthOf(1)
      expect(stderr(), 'there is nothing to say of a new one').to.equal('')
      await ctx.close()
      if (!noted) expect(await client.call('GetItem', { itemId: 7 }).catch(() => 'the sandbox has ended')).to.be.a('string')
      expect(existsSync(join(home, 'config', 'ledgers.json'))).to.equal(noted)
    }
  })

  it('opens a ledger to be read where that is enough', async () => {
    const { ctx, home } = await twin({ env: REAL })
    const { ledgerPath } = ctx
    await ctx.ledger({ reading: false })
    await ctx.close()
    const reading = await contextOf(
      createTestHost({ env: { ...REAL, SELLER_CONFIG_DIR: join(home, 'config'), SELLER_DATA_DIR: join(home, 'data') } }),
    )
    const opened = await reading.ledger({ reading: true })
    expect([opened.path, opened.state]).to.deep.equal([ledgerPath, 'as found'])
    expect(await reading.ledger()).to.equal(opened)
    await reading.close()
  })

  it('opens another shop with its own profile and parts, which may hold it before calls', async () => {
    const { ctx, home } = await twin({ env: { SELLER_PROFILE: 'one' } })
    const profiles = { one: { app_id: 1 }, two: { app_id: 2, namespace: 'urn:two', token_command: 'echo never' } }
    await store(home, { profiles })
    let held = 0
    const beforeCalls = async () => void held++
    const shop = await ctx.shop('two', {
      output: ctx.output,
      stdin: ctx.stdin,
      beforeCalls,
      approve: async () => {},
      onMade() {},
    })
    expect([ctx.profile.name, shop.profile.name]).to.deep.equal(['one', 'two'])
    expect([ctx.edge.profile, shop.edge.profile]).to.deep.equal([undefined, 'two'])
    await shop.client({ describe: true })
    expect(held, 'a description makes no call').to.equal(0)
    const error = await shop.client().catch((reason: SellerError) => reason)
    expect(held).to.equal(1)
    expect(error).to.include({ code: 'not_logged_in', hint: 'Log in with: seller auth:login --profile two' })
    expect((await ctx.client().catch((reason: SellerError) => reason)) as SellerError)
      .to.have.property('hint')
      .that.includes('To try things out, add --profile sandbox.')
    await shop.close()
  })

  it('knows the terminal of a person from a stream that a test made', async () => {
    for (const [ownsTerminal, terminal] of [
      [true, true],
      [true, false],
      [false, true],
    ] as const) {
      const host = Object.assign(createTestHost({ terminal, env: { SELLER_CONFIG_DIR: '/x', SELLER_DATA_DIR: '/y' } }), {
        ownsTerminal,
      })
      const ctx = await contextOf(host)
      expect(ctx.ownsTerminal).to.equal(ownsTerminal && terminal)
      await ctx.close()
    }
  })

  it('waits when it is closed until the pager is left', async () => {
    const { home } = await twin()
    const env = { PAGER: `sleep 0.1; cat > '${home}/read'`, SELLER_CONFIG_DIR: home, SELLER_DATA_DIR: home }
    const host = Object.assign(createTestHost({ terminal: true, env }), { ownsTerminal: true })
    const ctx = await contextOf(host, { paged: true })
    ctx.output.json({ a: 1 })
    expect(ctx.output.begun).to.equal(true)
    await new Promise((resolve) => setImmediate(resolve))
    await ctx.close()
    expect(JSON.parse(await readFile(join(home, 'read'), 'utf8'))).to.deep.equal({ a: 1 })
    expect(host.written.stdout).to.equal('')
    await ctx.close()
  })

  it('counts at the quota server of the profile, and warns where that is away', async () => {
    const env = { SELLER_CALL_BUDGET: '9', SELLER_QUOTA_URL: 'redis://127.0.0.1:1', SELLER_QUOTA_AWAY: 'local' }
    const { ctx, stderr } = await twin({ env: { ...REAL, ...env } })
    const quota = await ctx.quota()
    expect(quota.countedAt).to.equal('redis://127.0.0.1:1')
    expect(await quota.usage()).to.include({ budget: 9, used: 0 })
    expect(stderr()).to.match(/^Warning: The quota server redis:\/\/127\.0\.0\.1:1 cannot be used: /)
    expect(await ctx.quota({ reading: true })).to.equal(quota)
  })

  it('runs no command for a request that is only described', async () => {
    const { ctx, home } = await twin()
    const command = `echo once >> '${home}/runs'; echo tok`
    const profiles = { default: { app_id: 1, app_key_command: command, token_command: command, user_id: 7 } }
    await store(home, { profiles })
    const client = await ctx.client({ describe: true })
    expect((await client.describe('GetItem', { itemId: 5 })).body).to.include('<itemId>5</itemId>')
    expect(existsSync(join(home, 'runs'))).to.equal(false)
  })

  it('tries a login for the public service without the token that a command prints', async () => {
    const { ctx, home } = await twin()
    const settings = { base_url: 'https://a.example', namespace: 'urn:a', app_id: 5, app_key: 'a-key' }
    const token_command = `echo once >> '${home}/runs'; echo a-token`
    const runs = () => readFile(join(home, 'runs'), 'utf8').catch(() => '')
    await ctx.trialClient('new', { ...settings, token_command })
    expect(await runs()).to.equal('')
    await ctx.trialClient('new', { ...settings, token_command, user_id: 7 })
    expect(await runs()).to.equal('once\n')
    expect(ctx.hide('a-key, a-token')).to.equal('•••, •••')
  })

  it('has no secrets where none is set', async () => {
    const { ctx } = await twin({ env: { SELLER_APP_KEY: '', SELLER_TOKEN: '' } })
    expect(ctx.profile.name).to.equal('default')
    expect(ctx.hide('SELLER_TOKEN, undefined')).to.equal('SELLER_TOKEN, undefined')
    expect(ctx.interruption()).to.equal(undefined)
  })

  it('announces a pause of five seconds and more, and no shorter one', async () => {
    for (const [retryAfter, noted] of Object.entries({ '5': 1, '4': 0 })) {
      await using service = closing(
        await startService((_asked, reply, number) => {
          if (number === 1) reply.writeHead(503, { 'retry-after': retryAfter }).end()
          else reply.writeHead(200, SOAP_TYPE).end(response('GetItem', '<GetItemResult><Id>7</Id></GetItemResult>'))
        }),
      )
      const { ctx, stderr } = await twin({ env: SHOP(service.url) })
      await (await ctx.client()).call('GetItem', { itemId: 7 })
      expect(stderr().match(/Waiting .* before trying again\./g) ?? [], retryAfter).to.have.lengthOf(noted)
    }
  })

  it('keeps the last words for an interruption', async () => {
    const { ctx } = await twin()
    expect(ctx.interruption()).to.equal(undefined)
    ctx.ifInterrupted({ again: true })
    ctx.ifInterrupted({ sent: 'It had been sent.' })
    expect(ctx.interruption()).to.deep.equal({ sent: 'It had been sent.' })
  })
})
