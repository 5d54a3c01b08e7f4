/**
 * The parts of the frame around a command: where its files are, its output, its client's credentials, the index, the greeting.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { resolveDirectories } from '../../src/cli/directories.js'
import { buildIndex, type ManifestCommand, readCommands } from '../../src/cli/manifest.js'
import { shownCredentials, tracer } from '../../src/cli/open-client.js'
import { type OutputRun, openOutput } from '../../src/cli/open-output.js'
import { isLoggedIn } from '../../src/cli/welcome.js'
import { scratch } from '../scratch.js'
import { createTestHost } from '../test-host.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(scratch(), 'seller-frame-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the directories of a user', () => {
  for (const [what, env, platform, configDir, dataDir] of [
    ['in the home', { HOME: '/h' }, 'linux', '/h/.config/seller', '/h/.local/share/seller'],
    ['by the XDG variables', { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, 'linux', '/c/seller', '/d/seller'],
    [
      'not by relative XDG paths',
      { HOME: '/h', XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: './d' },
      'linux',
      '/h/.config/seller',
      '/h/.local/share/seller',
    ],
    [
      'first by our own variables, as they are',
      { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', SELLER_CONFIG_DIR: 'x', SELLER_DATA_DIR: '/y' },
      'linux',
      'x',
      '/y',
    ],
    [
      'not by empty variables',
      { HOME: '/h', SELLER_CONFIG_DIR: '', SELLER_DATA_DIR: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' },
      'linux',
      '/h/.config/seller',
      '/h/.local/share/seller',
    ],
    ['by LOCALAPPDATA on Windows', { HOME: '/h', LOCALAPPDATA: '/l' }, 'win32', '/l/seller', '/l/seller'],
    [
      'by XDG before LOCALAPPDATA',
      { HOME: '/h', LOCALAPPDATA: '/l', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' },
      'win32',
      '/c/seller',
      '/d/seller',
    ],
    ['in the profile of Windows', { USERPROFILE: '/u' }, 'win32', '/u/.config/seller', '/u/.local/share/seller'],
    ['in HOME before it', { HOME: '/h', USERPROFILE: '/u' }, 'win32', '/h/.config/seller', '/h/.local/share/seller'],
    [
      'without the variables of Windows elsewhere',
      { HOME: '/h', USERPROFILE: '/u', LOCALAPPDATA: '/l' },
      'darwin',
      '/h/.config/seller',
      '/h/.local/share/seller',
    ],
  ] as const) {
    it(`are ${what}`, () => expect(resolveDirectories(env, platform)).to.deep.equal({ configDir, dataDir }))
  }

  it('are in the home that the system knows where no variable says', () => {
    const known = homedir() || tmpdir()
    for (const env of [{}, { HOME: '' }, { USERPROFILE: '/u' }]) {
      expect(resolveDirectories(env, 'linux').configDir).to.equal(join(known, '.config', 'seller'))
    }
  })
})

describe('the output of a command', () => {
  const open = async (flags: OutputRun['flags'], terminal = false, more: Partial<OutputRun> = {}) => {
    const host = createTestHost({ terminal })
    const opened = await openOutput({ flags, host, signal: new AbortController().signal, command: 'items:list', ...more })
    return { host, ...opened }
  }

  it('knows whether anything was written to stdout', async () => {
    const { output, host, close } = await open({})
    output.warn('A warning.')
    expect(output.begun).to.equal(false)
    output.json([1])
    expect(output.begun).to.equal(true)
    expect(host.written.stdout).to.equal('[1]\n')
    await close()
  })

  it('is JSON by --json, also beside another form', async () => {
    expect((await open({ json: true })).output.form).to.equal('json')
    expect((await open({ json: false, output: 'csv' })).output.form).to.equal('csv')
    expect((await open({ output: 'ndjson' })).output.form).to.equal('ndjson')
    expect((await open({}, true)).output.form).to.equal('table')
  })

  it('has the columns, the order and the header that the flags ask for', async () => {
    const view = { empty: 'None.', columns: [{ key: 'Id', kind: 'int' }, { key: 'Name' }] } as const
    const rows = [
      { Id: 1, Name: 'b' },
      { Id: 2, Name: 'a' },
    ]
    const text = async (flags: OutputRun['flags']) => {
      const { output, host } = await open({ output: 'csv', ...flags })
      await output.list(view as never, rows)
      return host.written.stdout.replace('\ufeff', '').replaceAll('\r', '')
    }
    expect(await text({})).to.equal('Id,Name\n1,b\n2,a\n')
    expect(await text({ 'no-header': true })).to.equal('1,b\n2,a\n')
    expect(await text({ columns: ' Name ,, , Id,' })).to.equal('Name,Id\nb,1\na,2\n')
    expect(await text({ sort: ' Name,' })).to.equal('Id,Name\n2,a\n1,b\n')
  })

  it('is no workbook on a terminal, and names the file to write it to', async () => {
    const refused = await open({ output: 'xlsx' }, true).catch((error: unknown) => error)
    expect(refused).to.include({
      code: 'wrong_usage',
      hint: 'Write it to a file: seller items:list --out items.xlsx',
    })
    expect((await open({ output: 'xlsx' })).output.form).to.equal('xlsx')
  })

  it('goes through a pager only where a person reads: their terminal, no trace, and a command that may', async () => {
    const host = (ownsTerminal: boolean, terminal: boolean) =>
      Object.assign(createTestHost({ terminal, env: { PAGER: 'cat > /dev/null' } }), { ownsTerminal })
    const slow = { PAGER: `sleep 0.1; cat > '${join(home, 'read')}'` }
    const waiting = Object.assign(createTestHost({ terminal: true, env: slow }), { ownsTerminal: true })
    const left = await open({ output: 'json' }, false, { host: waiting, paged: true })
    left.output.json([1])
    await new Promise((resolve) => setImmediate(resolve))
    await left.close()
    expect(readFileSync(join(home, 'read'), 'utf8'), 'it is waited for').to.include('1')
    const text = async (on: ReturnType<typeof host>, flags: OutputRun['flags'], paged: boolean | undefined) => {
      const { output, close } = await open({ output: 'json', ...flags }, false, { host: on, paged })
      output.json([1])
      await new Promise((resolve) => setImmediate(resolve))
      await close()
      return on.written.stdout.replaceAll(/\s/g, '')
    }
    const whole = '[1]'
    expect(await text(host(true, true), {}, true), 'the pager took it').to.equal('')
    expect(await text(host(true, true), {}, undefined)).to.equal(whole)
    expect(await text(host(true, true), { 'no-pager': true }, true)).to.equal(whole)
    expect(await text(host(true, true), { trace: true }, true)).to.equal(whole)
    expect(await text(host(false, true), {}, true)).to.equal(whole)
    expect(await text(host(true, false), {}, true)).to.equal(whole)
  })
})

describe('a request that is shown', () => {
  for (const [what, settings, expected] of [
    [
      'what the profile has',
      { app_id: 7, app_key: 'k', user_id: 8, token: 't' },
      { appId: 7, appKey: 'k', userId: 8, token: 't' },
    ],
    ['no credentials that it has not', {}, { appId: 0, appKey: undefined, userId: undefined, token: undefined }],
    [
      'a placeholder for what a command prints',
      { app_id: 7, app_key_command: 'a', token_command: 'b' },
      { appId: 7, appKey: 'from-a-command', userId: undefined, token: 'from-a-command' },
    ],
    [
      'a stored secret before its command',
      { app_key: 'k', app_key_command: 'a', token: 't', token_command: 'b' },
      { appId: 0, appKey: 'k', userId: undefined, token: 't' },
    ],
  ] as const) {
    it(`has ${what}`, () => expect(shownCredentials(settings)).to.deep.equal(expected))
  }

  it('is traced on stderr only under --trace, without codes that a terminal obeys', () => {
    const host = createTestHost()
    const of = (trace?: boolean) =>
      tracer({ flags: { trace }, host, signal: new AbortController().signal, config: { userAgent: 'x' } })
    expect([of(), of(false)]).to.deep.equal([undefined, undefined])
    of(true)?.('<a>\u001b[2J</a>')
    expect(host.written.stderr)
      .to.match(/^<a>.*<\/a>\n$/)
      .and.not.include('\u001b')
  })
})

describe('the index of the commands', () => {
  const commands = [
    { id: 'a:list', summary: 'Lists “all” — å.', hidden: false, aliases: [], hiddenAliases: ['b'], flags: { x: {} }, args: {} },
    { id: 'b', summary: '\u0080\uffff', hidden: true, aliases: ['c'], hiddenAliases: [], flags: {}, args: {} },
  ] as unknown as ManifestCommand[]
  const indexed = commands.map(({ id, summary, hidden, aliases, hiddenAliases }) => ({
    id,
    summary,
    hidden,
    aliases,
    hiddenAliases,
  }))

  it('is ASCII, and says what a start needs to know, no more', () => {
    const { path, text } = buildIndex(commands)
    expect(path).to.equal(join('dist', 'commands.json'))
    expect(text).to.match(/^[\x20-\x7e]+\n$/)
    expect(text).to.include('\\u0080\\uffff').and.include('\\u00e5')
    expect(JSON.parse(text)).to.deep.equal(indexed)
  })

  it('is read where commands are loaded as they were built; else the manifest, or what is given', () => {
    mkdirSync(join(home, 'dist'))
    writeFileSync(join(home, 'dist', 'commands.json'), buildIndex(commands).text)
    writeFileSync(join(home, 'oclif.manifest.json'), JSON.stringify({ commands: { whole: { id: 'whole' } } }))
    expect(readCommands({ root: home })).to.deep.equal(indexed)
    expect(readCommands({ root: home, load: async () => class {} as never })).to.deep.equal([{ id: 'whole' }])
    expect(readCommands({ root: home, commands })).to.equal(commands)
  })
})

describe('the greeting', () => {
  it('is for nobody who has logged in: where a token or a profile is there, or a file that cannot be read', async () => {
    const host = (env: Record<string, string> = {}) => createTestHost({ env: { SELLER_CONFIG_DIR: home, ...env } })
    expect(await isLoggedIn(host())).to.equal(false)
    expect(await isLoggedIn(host({ SELLER_TOKEN: '' }))).to.equal(false)
    expect(await isLoggedIn(host({ SELLER_TOKEN: 't' }))).to.equal(true)
    const store = (text: string) => writeFileSync(join(home, 'profiles.json'), text, { mode: 0o600 })
    store('{"profiles":{}}')
    expect(await isLoggedIn(host())).to.equal(false)
    store('{"profiles":{"shop":{}}}')
    expect(await isLoggedIn(host())).to.equal(true)
    store('{')
    expect(await isLoggedIn(host())).to.equal(true)
  })
})
