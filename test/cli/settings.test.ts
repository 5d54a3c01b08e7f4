/** Reading of each setting from a text, and what is shown of it. */
import { expect } from 'chai'
import {
  commandWords,
  maskSetting,
  readSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  secretsIn,
} from '../../src/cli/settings.js'
import { SellerError } from '../../src/errors/index.js'
import { thrownBy } from '../thrown.js'

const refusal = (name: SettingName, text: string) => thrownBy(SellerError, () => readSetting(name, text, `--${name}`))

/** Texts of each setting: some that are taken, with what is stored, and texts that are not. */
const CASES: Readonly<Partial<Record<SettingName, { taken: Readonly<Record<string, unknown>>; refused: readonly string[] }>>> = {
  base_url: {
    taken: { 'https://api.example.com/v3/': 'https://api.example.com', 'http://127.0.0.1:8080': 'http://127.0.0.1:8080' },
    refused: ['', 'api.example.com', 'http://api.example.com', 'https://user@api.example.com'],
  },
  namespace: {
    taken: { 'urn:a': 'urn:a', ' http://a.example/ ': 'http://a.example', 'http://a.example//': 'http://a.example' },
    refused: ['', 'a b', 'example', 'urn:a b', '1urn:a', 'a/b:c'],
  },
  app_id: {
    taken: { '0': 0, '17': 17 },
    refused: ['-1', '1.5', 'x', ''],
  },
  user_id: { taken: { '1': 1 }, refused: ['0', '-1', 'x'] },
  default_shipping: {
    taken: { 'pickup|provider=2,cost=59': 'pickup|provider=2,cost=59', none: '' },
    refused: ['pickup|', ' | '],
  },
  default_payment: {
    taken: { 'swish|8': 'swish|8', none: '' },
    refused: ['|'],
  },
  default_condition: {
    taken: { 'new': 'new', none: '' },
    refused: ['old'],
  },
  default_vat: {
    taken: { '25': '25', none: '' },
    refused: ['101', '-1', '25%', '6.5'],
  },
  sandbox: {
    taken: { '0': 0, '1': 1 },
    refused: ['2', '-1', ''],
  },
  max_result_age: {
    taken: { '0': 0, '60': 60 },
    refused: ['-1', '1m'],
  },
  binding: {
    taken: { soap11: 'soap11', get: 'get' },
    refused: ['soap', 'GET', ''],
  },
  call_budget: {
    taken: { '1': 1, none: 0 },
    refused: ['0', '-5'],
  },
  call_share: {
    taken: { '30%': 30, '12.5': 12.5, '33,33 %': 33.33, '100%': 100, none: 0, ' none ': 0, ' 5% ': 5, '0.01': 0.01 },
    refused: ['0%', '0', '-5%', '101%', '30.123%', '1/3', 'all', ''],
  },
  quota_url: {
    taken: {
      'redis://quota.example': 'redis://quota.example',
      ' redis://127.0.0.1:6380/2 ': 'redis://127.0.0.1:6380/2',
      'rediss://user@[::1]:6380': 'rediss://user@[::1]:6380',
      none: 'none',
    },
    refused: [
      '',
      'quota.example',
      'quota.example:6379',
      'http://quota.example',
      'redis://',
      'redis:///1',
      'redis://quota.example/shops',
      'redis://quota.example/1?x=1',
      'redis://quota.example/1#x',
      'redis://user:secret@quota.example',
    ],
  },
  quota_away: {
    taken: { refuse: 'refuse', local: 'local' },
    refused: ['', 'yes', 'none'],
  },
  quota_patience: {
    taken: { '0s': 0, '2m': 120_000 },
    refused: ['', '30', 'none'],
  },
  update_url: {
    taken: { none: 'none', 'https://a.example/release.json': 'https://a.example/release.json' },
    refused: ['', 'off', 'http://a.example/release.json'],
  },
  description_max_age: {
    taken: { '30d': '30d', '12h': '12h' },
    refused: ['0d', '30', 'soon', ''],
  },
  currency: { taken: { EUR: 'EUR' }, refused: ['', 'eur', 'EURO', 'kr'] },
  token_expires: {
    taken: { '2027-02-26T21:15:57Z': '2027-02-26T21:15:57Z' },
    refused: ['2027-02-26', '2027-99-99T00:00:00Z', 'T', 'x2027-02-26T21:15:57Z', '+002027-02-26T21:15:57Z'],
  },
  call_timeout: {
    taken: { '90s': 90_000, '2m': 120_000 },
    refused: ['90', '', '-1s'],
  },
  names: {
    taken: { 'Eid=Zed, ExternalPayment=OuterPayment': 'Eid=Zed,ExternalPayment=OuterPayment', none: '' },
    refused: ['Eid', 'eid=zed'],
  },
  app_key_command: {
    taken: { 'pass show key': 'pass show key', '["pass", "show"]': '["pass","show"]' },
    refused: ['', '[', '[]', '[""]', '["a", 1]', '[1]', '["", "a"]', '[null]'],
  },
  app_key: { taken: { '0123456789abcdef': '0123456789abcdef' }, refused: ['', '  ', 'a\nb', 'a\u007fb'] },
  token: { taken: { 'ab c': 'ab c' }, refused: ['', '  ', 'a\nb', 'a\u0007b'] },
  missed_start: {
    taken: { late: 'late', skip: 'skip' },
    refused: ['', 'never', 'LATE'],
  },
  max_removed: {
    taken: { off: 'off', '50%': 50 },
    refused: ['x', '-1%'],
  },
}

describe('settings', () => {
  for (const name of SETTING_NAMES) {
    const cases = CASES[name]
    if (cases === undefined) continue
    it(`${name}: takes what it should, and names the flag of what it does not`, () => {
      for (const [text, value] of Object.entries(cases.taken))
        expect(readSetting(name, text, `--${name}`), text).to.deep.equal(value)
      for (const text of cases.refused) {
        const error = refusal(name, text)
        expect(error.message, JSON.stringify(text)).to.include(`--${name}`)
        expect(error.hint, JSON.stringify(text)).to.not.equal('')
      }
    })
  }

  it('have a label each, and those that are secret show the last four characters at most', () => {
    for (const name of SETTING_NAMES) expect(SETTINGS[name].label, name).to.match(/^[A-Z]/)
    expect(SETTING_NAMES.filter((name) => SETTINGS[name].secret === true)).to.deep.equal([
      'app_key',
      'public_key',
      'token',
      'quota_url',
    ])
    expect(maskSetting('token', 'abcdefghijkl')).to.equal('••••ijkl')
    expect(maskSetting('token', 'abcdefghijk')).to.equal('••••')
    expect(maskSetting('app_id', 17)).to.equal('17')
    expect(maskSetting('call_timeout', 90_000)).to.equal('90s')
    expect(maskSetting('max_change', 25)).to.equal('25%')
    expect(maskSetting('call_share', 12.5)).to.equal('12.5%')
    expect(maskSetting('call_share', 0)).to.equal('none')
  })

  it('that may be none are read back from the file as they were stored', () => {
    const without = SETTING_NAMES.filter((name) => SETTINGS[name].flag?.[0].endsWith('none'))
    expect(without).to.include.members(['call_budget', 'fee', 'names'])
    for (const name of without) {
      const { read, write = String } = SETTINGS[name]
      const stored = read('none', name)
      expect(read(write(stored), name), name).to.equal(stored)
    }
  })

  it('show the address of a quota server without its password, and know what of it to hide', () => {
    const url = 'rediss://seller:p%40ss%20word@quota.example:6380/2'
    expect(readSetting('quota_url', url, 'SELLER_QUOTA_URL')).to.equal(url)
    expect(maskSetting('quota_url', url)).to.equal('rediss://seller:••••@quota.example:6380/2')
    expect(secretsIn('quota_url', url)).to.deep.equal([url, 'p%40ss%20word', 'p@ss word'])
    expect(maskSetting('quota_url', 'redis://:secret@quota.example/')).to.equal('redis://:••••@quota.example')
    expect(maskSetting('quota_url', 'redis://quota.example:6379')).to.equal('redis://quota.example:6379')
    expect(secretsIn('quota_url', 'redis://quota.example:6379'), 'no password, no secret').to.deep.equal([])
    expect(maskSetting('quota_url', 'none')).to.equal('none')
    expect(secretsIn('quota_url', 'no address')).to.deep.equal([])
    expect(maskSetting('quota_url', 'redis://user@quota.example')).to.equal('redis://user@quota.example')
    expect(secretsIn('token', 'the whole token')).to.deep.equal(['the whole token'])
    for (const wrong of [
      'http://:secret@quota.example',
      'redis://:secret%@quota.example',
      'redis://:secret@quota.example/x?y=secret',
    ]) {
      expect(() => readSetting('quota_url', wrong, 'SELLER_QUOTA_URL'), wrong).to.throw(/^((?!secret).)*$/s)
    }
  })

  it('vat: is per cent up to 100, with two decimals and a sign at most', () => {
    for (const [text, value] of [
      ['25%', 25],
      ['12', 12],
      ['0%', 0],
      ['100 %', 100],
      [' 5,5% ', 5.5],
      ['12.25', 12.25],
    ] as const) {
      expect(readSetting('vat', text, '--vat'), text).to.equal(value)
    }
    for (const text of ['', '%', 'x', 'x25', '25x', '25%x', '100.5%', '101', '1000', '5.', '5.555', '-5', '5a5', '25 x%']) {
      expect(refusal('vat', text), text).to.include({ code: 'invalid_percent' })
    }
    expect(maskSetting('vat', 25)).to.equal('25%')
  })

  it('quote a value of a flag, and an empty one, and pass on what is no refusal', () => {
    const message = (from: string, text: string) => {
      try {
        readSetting('binding', text, from)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(message('--binding', 'soap')).to.equal('--binding: "soap" is not one of soap12, soap11, get, post.')
    expect(message('SELLER_X', 'soap')).to.equal(
      'SELLER_X: the value (4 characters, not shown) is not one of soap12, soap11, get, post.',
    )
    expect(message('SELLER_X', '')).to.equal('SELLER_X: "" is not one of soap12, soap11, get, post.')
    expect(message('a file --x--', 'soap')).to.include('not shown')
  })

  it('say of a command that begins like an array what is wrong with it', () => {
    expect(refusal('token_command', '').message).to.include('It is empty.')
    expect(refusal('token_command', '["a"').message).to.include('It begins like a JSON array, but it is not one.')
    expect(refusal('token_command', '[1]').message).to.include('does not hold a program and its arguments as texts')
    expect(commandWords('pass show [key]')).to.equal(undefined)
    expect(commandWords('["pass", "show"]')).to.deep.equal(['pass', 'show'])
  })

  it('never quote a value that was not typed as a flag', () => {
    for (const name of ['binding', 'names', 'description_max_age'] as const) {
      const read = () => readSetting(name, 'a-key-by-mistake', 'SELLER_X')
      expect(read, name).to.throw(/^((?!a-key-by-mistake).)*$/s)
    }
  })
})
