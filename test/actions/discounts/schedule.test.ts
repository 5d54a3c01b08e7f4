/** The lines for the timer of the system. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { scheduleOf, scheduleText, TIMERS } from '../../../src/actions/discounts/schedule.js'
import { cleanUp } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

describe('the schedule of due discounts', () => {
  afterEach(cleanUp)

  const program = ['/usr/bin/node', '/opt/my tools/run.js']
  const made = (timer: (typeof TIMERS)[number], options: FakeShopOptions = {}, profiles?: string) => {
    const shop = fakeShop(options)
    return { ...shop, record: scheduleOf(shop.ctx, timer, { program, profiles }) }
  }

  it('is a line of a crontab, in which a percent sign is escaped', () => {
    const { record, said } = made('cron', { profile: '50% off', env: { SELLER_DATA_DIR: '/data/a b', NO_PROXY: '' } })
    expect(record.Command).to.deep.equal([...program, 'jobs:due', '--profile', '50% off', '--quiet'])
    expect(record.Environment).to.deep.equal({ SELLER_DATA_DIR: '/data/a b' })
    expect(record.Files).to.deep.equal([
      {
        Path: null,
        Text: "* * * * * SELLER_DATA_DIR='/data/a b' /usr/bin/node '/opt/my tools/run.js' jobs:due --profile '50\\% off' --quiet\n",
      },
    ])
    expect(record.Install).to.have.lengthOf(2)
    expect([record.Timer, said]).to.deep.equal(['cron', []])
  })

  it('is two units for systemd, with words in quotes where they need them', () => {
    const env = {
      SELLER_CONFIG_DIR: '/a%b',
      SELLER_DATA_DIR: 'C:\\"x" $y',
      HTTPS_PROXY: 'http://p:1',
      NODE_EXTRA_CA_CERTS: '/c.pem',
    }
    const { record } = made('systemd', { profile: 'a/b $c', env })
    expect(record.Files.map(({ Path }) => Path)).to.deep.equal([
      '~/.config/systemd/user/seller-due-a_b__c.service',
      '~/.config/systemd/user/seller-due-a_b__c.timer',
    ])
    const lines = record.Files[0]?.Text.split('\n') ?? []
    expect(lines.filter((line) => line.startsWith('Environment='))).to.deep.equal([
      'Environment="SELLER_CONFIG_DIR=/a%%b"',
      'Environment="SELLER_DATA_DIR=C:\\\\\\"x\\" $y"',
      'Environment=HTTPS_PROXY=http://p:1',
      'Environment=NODE_EXTRA_CA_CERTS=/c.pem',
    ])
    expect(lines.find((line) => line.startsWith('ExecStart='))).to.equal(
      'ExecStart=/usr/bin/node "/opt/my tools/run.js" jobs:due --profile "a/b $$c" --quiet',
    )
    for (const { Text } of record.Files) expect(Text).to.match(/^\[Unit\]\nDescription=\S[\s\S]*[^\n]\n$/)
    expect(lines).to.include.members(['[Service]', 'Type=oneshot', ''])
    expect(record.Files[1]?.Text.split('\n')).to.include.members(['[Timer]', 'OnCalendar=*-*-* *:*:00', '[Install]', ''])
    expect(record.Install).to.have.lengthOf(3)
    expect(record.Install[0]).to.include('enable --now seller-due-a_b__c.timer')
  })

  it('keeps settings of the environment that are not secret, and warns of those that are', () => {
    const env = { SELLER_BASE_URL: 'https://a.example.com', SELLER_TOKEN: 't-secret', SELLER_APP_KEY: '' }
    const one = made('cron', { env })
    expect(one.record.Environment).to.deep.equal({ SELLER_BASE_URL: 'https://a.example.com' })
    expect(JSON.stringify(one.record)).to.not.include('t-secret')
    expect(one.said).to.deep.equal([
      'warn: SELLER_TOKEN is set here, and a secret is not printed: the timer will not have it.',
      'hint: Store it in the profile with: seller auth:login --stdin -p q',
    ])
    const two = made('cron', { env: { ...env, SELLER_APP_KEY: 'k' } })
    expect(two.said[0]).to.match(/^warn: SELLER_\w+ and SELLER_\w+ are set here, /)
  })

  it('says that it is for the sandbox where it is', () => {
    expect(made('cron', { embedded: true, profile: 'sandbox' }).said).to.deep.equal([
      'hint: This is for the profile "sandbox". Give --profile NAME for a shop.',
    ])
  })

  it('keeps patterns of profiles, and says whom they mean now', () => {
    const shop = fakeShop({ env: { SELLER_APP_KEY: 'x' } })
    mkdirSync(shop.ctx.configDir, { recursive: true })
    const profiles = { shop_a: { user_id: 1 }, shop_b: { user_id: 2 }, other: { user_id: 3 } }
    writeFileSync(join(shop.ctx.configDir, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
    const record = scheduleOf(shop.ctx, 'systemd', { program, profiles: 'shop_*' })
    expect(record.Command.slice(-4)).to.deep.equal(['jobs:due', '--profiles', 'shop_*', '--quiet'])
    expect(shop.said.slice(1)).to.deep.equal([
      'hint: Store it in the profile with: seller auth:login --stdin --profile NAME',
      'note: Now it is for 2 profiles: shop_a, shop_b.',
    ])
    expect(record.Files[0]?.Path).to.equal('~/.config/systemd/user/seller-due-shop_all.service')
  })

  it('is a text to read whose comments say how to install it', () => {
    const cron = made('cron')
    expect(scheduleText(cron.record)).to.equal(
      [
        '# Runs seller jobs:due --profile shop --quiet every minute. To install:',
        '#   Add the line below to your crontab with: crontab -e',
        '#   Remove it there again to stop.',
        '',
        "* * * * * /usr/bin/node '/opt/my tools/run.js' jobs:due --profile shop --quiet",
        '',
      ].join('\n'),
    )
    const systemd = scheduleText(made('systemd').record)
    expect(systemd).to.include('\n\n# ~/.config/systemd/user/seller-due-shop.service\n[Unit]\n')
    expect(systemd).to.include('\n\n# ~/.config/systemd/user/seller-due-shop.timer\n[Unit]\n')
    expect(systemd).to.match(/WantedBy=timers\.target\n$/)
    expect(TIMERS).to.deep.equal(['cron', 'systemd'])
  })
})
