/** What seller doctor finds, one check at a time. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkSetup } from '../../../src/actions/doctor/checks.js'
import { FakeService } from '../../jobs/bulk/support.js'
import { FakeContext } from '../support.js'

describe('what seller doctor finds', () => {
  let fake: FakeContext
  let user: object | null
  let time: () => string
  let answers: number
  let calls: object[]
  let profile: Record<string, unknown>
  let env: Record<string, string>
  let quota: object
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(2))
    user = { Id: 7, Alias: 'anna' }
    time = () => new Date(fake.bench.clock.time).toISOString()
    answers = 0
    calls = []
    env = {}
    quota = {}
    const settings = { base_url: 'https://api.example.com', namespace: 'urn:x', app_id: 1, app_key: 'k', user_id: 7, token: 't' }
    profile = { name: 'shop', embedded: false, chosen: { from: '--profile' }, settings, sourced: {} }
  })
  afterEach(() => fake.close())
  const found = async (check: string) => {
    const client = {
      call: async (operation: string) => {
        if (operation === 'GetUserInfo') return user
        fake.bench.clock.time += answers
        return time()
      },
    }
    const ctx = {
      ...fake.ctx,
      env,
      profile,
      configDir: join(fake.directory, 'config'),
      quota: async () => ({ usage: async () => fake.usage, ...quota }),
      client: async (needs: object = {}) => {
        calls.push(needs)
        return client
      },
    } as never
    const checks: Record<string, unknown> = {}
    for await (const { Check, ...rest } of checkSetup(ctx, 'v24.0.0')) checks[Check] = rest
    expect(Object.keys(checks)).to.deep.equal([
      'Node',
      'Settings directory',
      'Data directory',
      'Ledger',
      'Profile',
      'Call budget',
      'Service',
      'Credentials',
      'Completion',
    ])
    return checks[check]
  }
  const ok = (Detail: string) => ({ State: 'ok', Detail, Fix: null })

  it('is the version of Node and the directories', async () => {
    expect(await found('Node')).to.deep.equal(ok('v24.0.0'))
    expect(await found('Data directory')).to.deep.equal(ok(join(fake.directory, 'data')))
    writeFileSync(join(fake.directory, 'file'), '')
    expect(await found('Settings directory')).to.deep.equal(ok(join(fake.directory, 'config')))
  })

  it('is how many jobs are unfinished, without parts and finished ones', async () => {
    expect(await found('Ledger')).to.deep.equal(ok(fake.bench.path))
    fake.bench.price({ 1: 150 })
    const Fix = 'See seller jobs:list --unfinished, then seller jobs:resume.'
    expect(await found('Ledger')).to.deep.equal({ State: 'note', Detail: `${fake.bench.path}: 1 job is unfinished`, Fix })
    await fake.bench.run(fake.bench.price({ 2: 150 }))
    expect(await found('Ledger')).to.deep.equal({ State: 'note', Detail: `${fake.bench.path}: 2 jobs are unfinished`, Fix })
  })

  it('is what the profile lacks', async () => {
    expect(await found('Profile')).to.deep.equal(ok('shop (--profile)'))
    profile.settings = { base_url: 'https://api.example.com' }
    expect(await found('Profile')).to.include({ State: 'fault', Fix: 'Log in with seller auth:login.' })
    expect(await found('Profile'))
      .to.have.property('Detail')
      .that.matches(/^shop: .*app_id.* missing$/)
    profile.embedded = true
    expect(await found('Profile')).to.have.property('State', 'ok')
  })

  it('is what is left of the budget of calls', async () => {
    expect(await found('Call budget')).to.deep.equal(ok('none set'))
    fake.usage = { used: 1, budget: 10, remaining: 9 }
    expect(await found('Call budget')).to.deep.equal(ok('1 call of 10 made in 24 hours'))
    quota = { countedAt: 'quota.example.com' }
    fake.usage = { used: 10, budget: 10, remaining: 0 }
    expect(await found('Call budget')).to.deep.equal({
      State: 'note',
      Detail: '10 calls of 10 made in 24 hours, counted at quota.example.com',
      Fix: 'See when the next call is free with: seller calls:show.',
    })
    fake.usage = { used: 3, budget: 10 }
    expect(await found('Call budget')).to.have.property('State', 'ok')
  })

  it('is whether the service answers, and how far this clock is off', async () => {
    const address = 'https://api.example.com answers'
    expect(await found('Service')).to.deep.equal(ok(address))
    expect(calls[0]).to.deep.equal({ user: false })
    for (const [off, words] of [
      [120_000, undefined],
      [-120_000, undefined],
      [121_000, 'behind'],
      [-121_000, 'ahead'],
    ] as const) {
      time = () => new Date(fake.bench.clock.time + off).toISOString()
      const service = (await found('Service')) as { State: string; Detail: string; Fix: string | null }
      if (words === undefined) expect(service, String(off)).to.deep.equal(ok(address))
      else {
        expect(service.State).to.equal('note')
        expect(service.Detail).to.match(new RegExp(`^${address}, but this clock is 2 min.* ${words}$`))
        expect(service.Fix).to.equal('Let the system set its clock by network time.')
      }
    }
    // The answer is of the middle of the call.
    answers = 200_000
    time = () => new Date(fake.bench.clock.time - 100_000).toISOString()
    expect(await found('Service')).to.deep.equal(ok(address))
    profile.embedded = true
    answers = 0
    time = () => new Date(fake.bench.clock.time).toISOString()
    expect(await found('Service')).to.deep.equal(ok('the sandbox answers'))
  })

  it('is whose credentials they are', async () => {
    expect(await found('Credentials')).to.deep.equal(ok('anna (7)'))
    user = { Id: 8 }
    expect(await found('Credentials')).to.deep.equal(ok('user (8)'))
    user = null
    expect(await found('Credentials')).to.deep.equal({
      State: 'fault',
      Detail: 'The service knows no user for them',
      Fix: 'Log in again: seller auth:login.',
    })
  })

  it('is whether the shell completes commands', async () => {
    expect(await found('Completion')).to.include({ State: 'note', Fix: 'See seller completion --help.' })
    env = { SHELL: '/bin/tcsh', HOME: fake.directory }
    expect(await found('Completion')).to.include({ State: 'note', Fix: 'See seller completion --help.' })
    for (const [shell, file] of [
      ['bash', '.bash_profile'],
      ['bash', '.bashrc'],
      ['zsh', '.zshrc'],
      ['fish', '.config/fish/config.fish'],
      ['fish', '.config/fish/completions/seller.fish'],
    ] as const) {
      const home = join(fake.directory, `${shell}${file.length}`)
      mkdirSync(join(home, '.config/fish/completions'), { recursive: true })
      env = { SHELL: `/usr/bin/${shell}`, HOME: home }
      const none = { State: 'note', Detail: `not set up for ${shell}`, Fix: `See seller completion ${shell}.` }
      expect(await found('Completion')).to.deep.equal(none)
      writeFileSync(join(home, file), 'alias ls=x')
      expect(await found('Completion')).to.deep.equal(none)
      writeFileSync(join(home, file), 'source <(seller completion)')
      expect(await found('Completion')).to.deep.equal(ok(join(home, file)))
    }
  })

  it('is a fault with its fix where a check fails, and the others go on', async () => {
    writeFileSync(join(fake.directory, 'data'), '')
    expect(await found('Data directory')).to.have.property('State', 'fault')
    expect(await found('Credentials')).to.have.property('State', 'ok')
  })
})
