/** The values that a login gets without asking: stdin as JSON or lines, flags, the environment. */
import { expect } from 'chai'
import { flagOf, readGiven } from '../../../src/actions/auth/given.js'
import type { SettingName } from '../../../src/cli/settings.js'
import { SellerError } from '../../../src/errors/index.js'
import { thrownBy } from '../../thrown.js'

describe('the values of a login', () => {
  const read = (
    piped: string | undefined,
    {
      given = {},
      env = {},
      environment = true,
    }: { given?: Partial<Record<SettingName, string>>; env?: object; environment?: boolean } = {},
  ) => readGiven({ env } as never, { given, piped }, environment)
  const said = (piped: string) => read(piped).said
  const refusal = (work: () => unknown) => thrownBy(SellerError, work)

  for (const [name, piped, settings] of [
    ['JSON', '{"app_id": 7, "app_key": "k"}', { app_id: 7, app_key: 'k' }],
    ['JSON after a byte order mark and spaces', '\uFEFF \n{"app_id": "7"}\n', { app_id: 7 }],
    ['names of variables', '{"SELLER_APP_ID": 7, "seller_user_id": 8}', { app_id: 7, user_id: 8 }],
    ['names of flags', '{"app-key-command": "pass key"}', { app_key_command: 'pass key' }],
    ['a command as an array', '{"token_command": ["pass", "show"]}', { token_command: '["pass","show"]' }],
    ['lines', 'app_id=7\napp_key=k', { app_id: 7, app_key: 'k' }],
    ['lines of another system', 'app_id=7\r\napp_key=k\r\n', { app_id: 7, app_key: 'k' }],
    ['lines of a shell', 'export SELLER_APP_ID=7\nexport   APP_KEY=k', { app_id: 7, app_key: 'k' }],
    ['lines with spaces', '  app_id = 7  \n\n', { app_id: 7 }],
    ['lines below a note', '# a note\napp_id=7\n  # another', { app_id: 7 }],
    ['lines in quotes', 'app_key="a b"\ntoken=\'c\'', { app_key: 'a b', token: 'c' }],
    ['quotes that are part of the value', 'app_key="a\'\ntoken=a"b"', { app_key: '"a\'', token: 'a"b"' }],
    ['a value with an equals sign', 'app_key=a=b', { app_key: 'a=b' }],
    ['the last of two', 'app_id=7\napp_id=8', { app_id: 8 }],
  ] as const) {
    it(`come from stdin as ${name}`, () => {
      expect(said(piped)).to.deep.equal(settings)
    })
  }

  for (const [name, piped, code, message] of [
    ['nothing', '', 'empty_stdin', 'Stdin holds no settings.'],
    ['spaces', ' \n ', 'empty_stdin', 'Stdin holds no settings.'],
    ['notes alone', '# nothing', 'empty_stdin', 'Stdin holds no settings.'],
    ['no pairs', '{}', 'empty_stdin', 'Stdin holds no settings.'],
    ['broken JSON', '{"app_id": ', 'invalid_stdin', 'Stdin is not JSON.'],
    ['a value that is none', '{"app_id": true}', 'invalid_stdin', 'Stdin: "app_id" is not a text or a number.'],
    ['a value that is a list', '{"app_key": ["a"]}', 'invalid_stdin', 'Stdin: "app_key" is not a text or a number.'],
    ['a value that is null', '{"command_token": null}', 'invalid_stdin', 'Stdin: "command_token" is not a text or a number.'],
    ['a list by a name that only begins like a command', '{"command_x": ["a"]}', 'invalid_stdin', 'is not a text or a number'],
    ['a line without a value', 'app_id=7\n\nsecret', 'invalid_stdin', 'Stdin, line 3: no KEY=VALUE.'],
    ['a line with words before', 'my app_id=7', 'invalid_stdin', 'Stdin, line 1: no KEY=VALUE.'],
    ['an unknown name', 'colour=red', 'unknown_setting', 'Stdin: "colour" is not a setting.'],
    ['a name of all objects', 'constructor=red', 'unknown_setting', 'Stdin: "constructor" is not a setting.'],
    ['a prefix in the middle', 'my_seller_app_id=7', 'unknown_setting', 'Stdin: "my_seller_app_id" is not a setting.'],
  ] as const) {
    it(`are refused from stdin where it holds ${name}`, () => {
      const error = refusal(() => said(piped))
      expect(error.code).to.equal(code)
      expect(error.message).to.contain(message)
    })
  }

  it('offer the nearest name for a misspelt one, or all of them', () => {
    expect(refusal(() => said('app_kye=secret')).hint).to.equal('Did you mean app_key?')
    const far = refusal(() => said('colour=secret'))
    expect(far.hint).to.match(/^Settings: base_url, namespace, app_id, /)
    for (const error of [far, refusal(() => said('app_id=secret'))]) {
      expect(`${error.message} ${error.hint}`).to.not.contain('secret')
    }
  })

  it('name stdin and the setting where a value is not allowed', () => {
    expect(refusal(() => said('app_id=x')).message).to.contain('stdin, app_id')
    expect(refusal(() => read(undefined, { given: { app_id: 'x' } })).message).to.contain('--app-id: "x"')
    expect(flagOf('max_result_age')).to.equal('--setting max_result_age')
  })

  it('come from flags before stdin, and from the environment where neither gives one', () => {
    const env = { SELLER_APP_ID: '1', SELLER_USER_ID: '3', SELLER_APP_KEY: '' }
    expect(read('app_id=2', { env })).to.deep.equal({ said: { app_id: 2 }, env: { user_id: 3 } })
    expect(read('app_id=2', { given: { app_id: '4' }, env }).said).to.deep.equal({ app_id: 4 })
    expect(read(undefined, { env })).to.deep.equal({ said: {}, env: { app_id: 1, user_id: 3 } })
    expect(read(undefined, { env, environment: false })).to.deep.equal({ said: {}, env: {} })
    expect(refusal(() => read(undefined, { env: { SELLER_APP_ID: 'x' } })).message).to.contain('SELLER_APP_ID')
  })

  it('are a secret or the command for it, and the command counts before a secret of the environment', () => {
    for (const [secret, command] of [
      ['app_key', 'app_key_command'],
      ['token', 'token_command'],
    ] as const) {
      const error = refusal(() => read(`${secret}=k`, { given: { [command]: 'pass' } }))
      expect(error.code).to.equal('several_inputs')
      expect(error.message).to.equal(`${secret} is given, and ${flagOf(command)} too.`)
      const env = { SELLER_APP_KEY: 'e', SELLER_TOKEN: 'e' }
      expect(read(undefined, { given: { [command]: 'pass' }, env })).to.deep.equal({
        said: { [command]: 'pass' },
        env: { [secret === 'token' ? 'app_key' : 'token']: 'e' },
      })
      expect(read(undefined, { given: { [secret]: 'k' } }).said).to.deep.equal({ [secret]: 'k' })
    }
  })
})
