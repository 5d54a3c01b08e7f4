/** Shares of the call budget, and the settings of a quota that machines share. test/slow/shared-quota.test.ts has its server. */
import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { openedForEach } from '../opened.js'
import { root } from './harness.js'
import { openObserved } from './observed.js'

/** A budget that is shared by a quota server where none listens. */
const AWAY = ['call_budget=10', 'quota_url=redis://127.0.0.1:1', 'quota_patience=0s'].flatMap((each) => ['--setting', each])

describe('a share of the call budget', () => {
  const home = openedForEach(openObserved)

  /** Settings of the environment would win over those of the profiles. */
  const BARE = Object.fromEntries(
    ['BASE_URL', 'NAMESPACE', 'APP_ID', 'APP_KEY', 'USER_ID', 'TOKEN'].map((name) => [`SELLER_${name}`, undefined]),
  )
  const seller = (...args: string[]) => home.run(args, { env: BARE })
  const login = async (name: string, ...more: string[]) => {
    const { appId, appKey, userId, token } = SANDBOX_PROFILE
    const stdin = JSON.stringify({ app_key: appKey, token })
    const where = ['--base-url', home.sandbox.url, '--namespace', home.sandbox.namespace, '--app-id', String(appId)]
    const who = ['--user-id', String(userId), '--stdin', '--no-verify', '--no-input']
    return home.run(['auth:login', '-p', name, ...where, ...who, ...more], { env: BARE, stdin })
  }
  const shops = async () => {
    for (const [name, ...more] of [['a', '--setting', 'call_share=30%'], ['b', '--setting', 'call_share=50%'], ['c']] as const) {
      const run = await login(name, '--setting', 'call_budget=10', ...more)
      expect(run.code, run.stderr).to.equal(0)
    }
  }
  /** Makes calls until one is refused. @returns how many were made, and the error */
  const spend = async (name: string) => {
    for (let made = 0; ; made++) {
      const run = await seller('account:show', '-p', name, '--json')
      if (run.code === 0) continue
      expect(run.code, run.stderr).to.equal(7)
      return { made, error: run.json().error }
    }
  }

  it('keeps calls for the last of many shops, and lets those without one take what is left', async () => {
    await shops()
    const a = await spend('a')
    expect(a.made).to.equal(3)
    expect(a.error).to.include({ code: 'call_share_spent', profile: 'a', percent: 30, allowed: 3, used: 3 })
    expect(a.error.freeAt).to.match(/^\d{4}-.*Z$/)
    const c = await spend('c')
    expect(c.made).to.equal(2)
    expect(c.error).to.include({ code: 'call_share_spent', profile: 'c', allowed: 2, used: 2 }).and.not.have.property('percent')
    const b = await spend('b')
    expect([b.made, b.error.code]).to.deep.equal([5, 'call_budget_spent'])
    expect(home.calls()).to.have.length(10)
    const shown = (await seller('calls:show', '-p', 'a', '--json')).json()
    expect(shown).to.include({
      Used: 10,
      Budget: 10,
      Remaining: 0,
      Share: 30,
      ShareAllowed: 3,
      ShareUsed: 3,
      Quota: null,
      UsedHere: 10,
    })
    const other = (await seller('calls:show', '-p', 'c', '--json')).json()
    expect(other).to.include({ Share: null, ShareAllowed: 2, ShareUsed: 2 })
  })

  it('stops a job resumable, and is what the estimate before it says', async () => {
    await login('a', '--setting', 'call_budget=10', '--setting', 'call_share=30%')
    const items: { Id: number; BuyItNowPrice: number }[] = (
      await seller('items:list', '-p', 'a', '--type', 'shop', '--json')
    ).json()
    const [item = { Id: 0, BuyItNowPrice: 0 }] = items
    await seller('account:show', '-p', 'a')
    const run = await seller('shop:price', '-p', 'a', `${item.Id}=${item.BuyItNowPrice + 1}`, '--yes', '--json')
    expect([run.code, run.json().error.code], run.stderr).to.deep.equal([7, 'call_share_spent'])
    expect(run.stderr).to.include('The share of the call budget leaves 0 calls: the run then stops (exit 7).')
    expect((await seller('auth:login', '-p', 'a', '--setting', 'call_share=none')).code).to.equal(0)
    const resumed = await seller('jobs:resume', String(run.json().error.jobId), '-p', 'a', '--wait')
    expect(resumed.code, resumed.stderr).to.equal(0)
  })

  it('is refused with others over the whole, and warned of if it is written by hand', async () => {
    await shops()
    const over = await seller('auth:login', '-p', 'c', '--setting', 'call_share=20.5%', '--json')
    expect([over.code, over.json().error.code]).to.deep.equal([2, 'invalid_setting'])
    expect(over.json().error.message).to.equal(
      'The shares of calls are too large: a 30%, b 50%, c 20.5%: together 100.5% of the calls of the application.',
    )
    expect((await seller('auth:login', '-p', 'c', '--setting', 'call_share=20%')).code).to.equal(0)
    expect((await seller('calls:show', '-p', 'c')).stderr).to.equal('')
    const path = join(home.configDir, 'profiles.json')
    await writeFile(
      path,
      (await readFile(path, 'utf8'))
        .replace('"call_share": 20', '"call_share": "90%"')
        .replace('"call_share":20', '"call_share":"90%"'),
    )
    const read = await seller('calls:show', '-p', 'a', '--json')
    expect(read.stderr).to.include(
      'The shares of calls are too large (a 30%, b 50%, c 90%: together 170% of the calls of the application)',
    )
    expect(read.json()).to.include({ Share: 30, ShareAllowed: 3 })
  })

  it('counts only profiles of the same application, and belongs to the sandbox too', async () => {
    await shops()
    const { appKey, token } = SANDBOX_PROFILE
    const stdin = JSON.stringify({ app_key: appKey, token })
    const other = [
      'auth:login',
      '-p',
      'd',
      '--base-url',
      home.sandbox.url,
      '--namespace',
      'urn:x',
      '--app-id',
      '77',
      '--user-id',
      '1',
    ]
    const limits = ['--setting', 'call_budget=10', '--setting', 'call_share=100%', '--stdin', '--no-verify', '--no-input']
    expect((await home.run([...other, ...limits], { env: BARE, stdin })).code).to.equal(0)
    expect(
      (await seller('auth:login', '-p', 'sandbox', '--setting', 'call_budget=4', '--setting', 'call_share=25%')).code,
    ).to.equal(0)
    expect((await seller('account:show', '-p', 'sandbox')).code).to.equal(0)
    expect((await seller('account:show', '-p', 'sandbox')).code).to.equal(7)
    const shared = await seller('auth:login', '-p', 'sandbox', '--setting', 'quota_url=redis://127.0.0.1:1', '--json')
    expect(shared.json().error.code).to.equal('sandbox_is_built_in')
  })

  it('needs the budget that it is of, and so does a quota server', async () => {
    for (const [flag, value, setting] of [
      ['--setting', 'call_share=30%', 'call_share'],
      ['--setting', 'quota_url=redis://127.0.0.1:1', 'quota_url'],
      ['--setting', 'quota_url_command=echo redis://127.0.0.1:1', 'quota_url'],
    ] as const) {
      const run = await login('a', flag, value, '--json')
      expect([run.code, run.json().error.code], flag).to.deep.equal([2, 'invalid_setting'])
      expect(run.json().error.message).to.include(`${setting} is set and call_budget is not`)
    }
    const env = { SELLER_CALL_SHARE: '30%' }
    const run = await home.run(['account:show', '--json'], { env })
    expect([run.code, run.json().error.code]).to.deep.equal([2, 'invalid_setting'])
    expect(home.calls()).to.deep.equal([])
  })

  it('leaves the quota server when it is told so', async () => {
    await login('a', ...AWAY)
    expect((await seller('account:show', '-p', 'a')).code).to.equal(7)
    const shown = (await seller('auth:status', '-p', 'a', '--json')).json()
    expect(shown).to.deep.include({
      Setting: 'quota_url',
      Value: 'redis://127.0.0.1:1',
      Source: 'profile',
      From: join(home.configDir, 'profiles.json'),
    })
    const failed = await seller('doctor', '-p', 'a', '--json')
    expect(failed.json().find(({ Check }: { Check: string }) => Check === 'Call budget').State).to.equal('fault')
    expect((await seller('auth:login', '-p', 'a', '--setting', 'quota_url=none')).code).to.equal(0)
    expect((await seller('account:show', '-p', 'a')).code).to.equal(0)
    const mended = await seller('doctor', '-p', 'a', '--json')
    expect(mended.json().find(({ Check }: { Check: string }) => Check === 'Call budget').Detail).to.equal(
      '1 call of 10 made in 24 hours',
    )
  })

  it('lets a watch go on while the quota server is away, and ends a single look', async () => {
    await login('a', ...AWAY)
    const once = await seller('transactions:watch', '-p', 'a', '--once', '--json')
    expect([once.code, once.stderr], once.stdout).to.deep.equal([7, ''])
    expect(JSON.parse(once.stdout).error.code).to.equal('quota_away')
    const watch = home.start(['transactions:watch', '-p', 'a', '--interval', '1m'], { env: BARE })
    await watch.prints(/the connection was refused\. The call was not sent\. Trying again later\./)
    watch.interrupt('SIGINT')
    expect((await watch.done).code).to.equal(0)
    expect(home.calls()).to.deep.equal([])
  })

  it('loads the client of a quota server only for a profile that names one', async () => {
    // Without the file that holds the client, a run that loads it fails.
    const product = join(home.dir, 'product')
    for (const name of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
      await cp(join(root, name), join(product, name), { recursive: true })
    await symlink(join(root, 'node_modules'), join(product, 'node_modules'))
    const chunks = join(product, 'dist', 'chunks')
    const removed: string[] = []
    for (const name of await readdir(chunks))
      if (/WRONGTYPE|ClientClosedError/.test(await readFile(join(chunks, name), 'utf8'))) removed.push(name)
    expect(removed, 'our part, and that of the client').to.have.length(2)
    for (const name of removed) await rm(join(chunks, name))
    const run = (env: Readonly<Record<string, string>>) =>
      home.shell(`'${process.execPath}' '${join(product, 'bin', 'run.js')}' account:show --json`, {
        env: { XDG_CACHE_HOME: join(home.dir, 'cache'), ...env },
      })
    const plain = await run({ SELLER_CALL_BUDGET: '10', SELLER_CALL_SHARE: '50%' })
    expect(plain.code, plain.stderr).to.equal(0)
    const shared = await run({ SELLER_CALL_BUDGET: '10', SELLER_QUOTA_URL: 'redis://127.0.0.1:1' })
    expect([shared.code, shared.json().error.code]).to.deep.equal([1, 'system_error'])
  })
})
