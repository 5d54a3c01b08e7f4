import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { closing, opened } from '../opened.js'
import { Hands } from './clock.js'
import { openHome } from './harness.js'
import { stock } from './shop.js'

describe('first steps', () => {
  const home = opened(() => openHome({ sandbox: true }))

  it('a bare seller says what it is and what to type next; once somebody has logged in, what wants doing', async () => {
    const fresh = await home.run([], { env: { SELLER_TOKEN: undefined } })
    expect([fresh.code, fresh.stderr]).to.deep.equal([0, ''])
    expect(fresh.stdout).to.include('seller auth:login').and.include('-p sandbox')
    for (const line of fresh.lines()) expect(line.length, line).to.be.at.most(80)
    const known = (await home.seller('commands', '--json')).json().map(({ Command }: { Command: string }) => Command)
    const named = [...fresh.stdout.matchAll(/^ {2}seller ([a-z:-]+)/gm)].map(([, name]) => name)
    expect(known).to.include.members(named).and.not.be.empty
    const today = await home.run([])
    expect([today.code, today.stdout]).to.deep.equal([0, (await home.seller('today')).stdout])
  })

  it('says today that few calls are left of the budget, and nothing of it while there are many', async () => {
    const used = async (): Promise<number> => (await home.seller('calls:show', '--json')).json().Used
    const quotaWith = async (budget: number) => {
      const run = await home.run(['today', '--json'], { env: { SELLER_CALL_BUDGET: String(budget) } })
      expect(run.code, run.stderr).to.equal(0)
      return run.json().find(({ Kind }: { Kind: string }) => Kind === 'quota')
    }
    const before = await used()
    expect(await quotaWith(1000)).to.equal(undefined)
    const calls = (await used()) - before
    const budget = before + 2 * calls
    expect(await quotaWith(budget)).to.include({ Words: `0 calls of ${budget} left`, Command: 'seller calls:show' })
  })

  it('leads from words people type to the command', async () => {
    expect((await home.seller('version')).stdout).to.match(/^seller\/\d+\.\d+\.\d+ /)
    expect((await home.seller('list', '--json')).json()).to.be.an('array').that.is.not.empty
    expect((await home.seller('login', '--help')).stdout).to.include('Log in')
  })

  it('says whether a newer version is there: when asked, and once a week to a person, and never a script', async () => {
    const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    let answer: unknown
    let asked: string[] = []
    using server = closing(
      createServer(({ url = '' }, response) => {
        asked.push(url)
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
      }),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/release.json`
    const [, own = ''] = /seller\/(\S+)/.exec((await home.seller('--version')).stdout) ?? []
    const file = `seller-9.0.0-${system}.tar.xz`
    for (const [version, Newer] of [
      ['9.0.0', true],
      ['0.10.0', true],
      [own, false],
      ['0.0.9', false],
    ] as const) {
      answer = { version, files: [{ name: 'seller-9.0.0-plan9-x64.zip' }, { name: file, sha256: 'abc' }] }
      const run = await home.run(['update:check', '--json'], { env: { SELLER_UPDATE_URL: url } })
      const expected = { Version: own, Newest: version, Newer, File: file, Sha256: 'abc', ReleaseFile: url }
      expect([run.code, run.json()], run.stderr).to.deep.equal([0, expected])
    }
    for (const [text, code] of [
      ['<html>', 'no_release'],
      ['null', 'no_release'],
      ['{"version":"9.0"}', 'no_release'],
      ['{"version":9}', 'no_release'],
      ['{"version":["9.0.0"]}', 'no_release'],
      ['{"version":"9999999.0.0"}', 'no_release'],
      ['[null]', 'no_release'],
      ['"9.0.0"', 'no_release'],
      ['7', 'no_release'],
    ]) {
      answer = text
      expect((await home.seller('update:check', '--url', url, '--json')).json().error.code, text).to.equal(code)
    }
    const odd = [
      null,
      [null],
      [7, 'x', [], {}],
      [{ name: null }],
      [{ name: 7, sha256: {} }],
      [{ name: { endsWith: 1 } }],
      { a: 1 },
    ]
    for (const files of odd) {
      answer = { version: '9.0.0', files }
      const run = await home.seller('update:check', '--url', url, '--json')
      expect([run.code, run.json().Newer, run.json().File], JSON.stringify(files)).to.deep.equal([0, true, null])
    }
    answer = { version: '9.0.0', files: [null, { name: file, sha256: 7 }] }
    expect((await home.seller('update:check', '--url', url, '--json')).json()).to.include({ File: file, Sha256: null })
    expect((await home.seller('update:check', '--json')).json().error.code).to.equal('missing_flags')
    expect((await home.seller('update:check', '--url', 'nowhere', '--json')).json().error).to.include({
      message: '--url: "nowhere" is not a URL.',
      hint: 'Give the address of the release file, e.g. https://example.com/release.json',
    })
    const said = async (terminal: boolean, given: string | undefined, weeks: number) => {
      asked = []
      const clock = new Hands()
      clock.time = Date.now() + weeks * 7 * 86_400_000
      const env = { SELLER_UPDATE_URL: given, CI: undefined }
      const run = await home.run(['account:show'], { env, terminal, clock })
      expect(run.code, run.stderr).to.equal(0)
      return [asked.length, run.stderr.includes('Version 9.0.0 is available (you have ')]
    }
    answer = { version: '9.0.0', files: [] }
    expect(await said(false, url, 0), 'a script').to.deep.equal([0, false])
    expect(await said(true, 'none', 0), 'switched off').to.deep.equal([0, false])
    expect(await said(true, undefined, 0), 'no address').to.deep.equal([0, false])
    expect(await said(true, url, 0), 'the first time').to.deep.equal([1, true])
    expect(await said(true, url, 0), 'in the same week').to.deep.equal([0, false])
    answer = 'broken'
    expect(await said(true, url, 1), 'a broken file').to.deep.equal([1, false])
  })

  describe('seller commands', () => {
    it('lists commands with arguments, flags, examples and operations', async () => {
      const list = (await home.seller('commands', '--full', '--json')).json()
      const of = (name: string) => list.find(({ Command }: { Command: string }) => Command === name)
      const flag = (command: string, name: string) => of(command).Flags.find(({ Name }: { Name: string }) => Name === name)
      const names = list.map(({ Command }: { Command: string }) => Command)
      expect(names).to.deep.equal([...names].sort())
      expect(flag('items:add', 'title')).to.include({ Char: null, Takes: 'TEXT', Required: false, Multiple: false })
      expect(flag('images:upload', 'json')).to.deep.include({ Char: null, Takes: null, Multiple: false, Values: [] })
      expect(flag('images:upload', 'profile')).to.include({ Char: 'p', Takes: 'NAME' })
      expect(flag('images:upload', 'output')).to.deep.include({
        ...{ Char: 'o', Takes: 'VALUE', Values: ['table', 'json', 'ndjson', 'csv', 'tsv', 'xlsx', 'yaml'] },
      })
      expect([flag('shop:diff', 'since').Required, flag('jobs:resume', 'row').Multiple]).to.deep.equal([true, true])
      const upload = of('images:upload')
      expect(upload.Arguments).to.deep.equal([
        { Name: 'request', Description: 'Request id of the item, from items:add.', Required: true, Multiple: false, Values: [] },
        { Name: 'file', Description: 'GIF, JPEG or PNG file of at most 4 MB.', Required: false, Multiple: true, Values: [] },
      ])
      expect(upload.Operations).to.deep.equal(['AddItemImage', 'AddItemCommit', 'GetRequestResults', 'GetItem'])
      expect(upload.Examples[0]).to.equal('seller images:upload 4711 --commit')
      expect(upload.Summary).to.equal('Add images to an item that is not committed yet, and commit it.')
      expect(upload.Description).to.match(/^Looks first whether the request is still uncommitted/)
      expect(of('sandbox:eid').Arguments[0].Values).to.include('approve')
      expect(of('auth:status').Operations).to.deep.equal([])
    })

    it('is short by default, and tells the rest by topic and by command, without the flags that all have', async () => {
      const short = await home.done('commands', '--json')
      expect(short.stdout.length).to.be.lessThan(30_000)
      expect(short.json()[0]).to.have.all.keys('Command', 'Summary', 'Operations')
      const orders = (await home.done('commands', 'orders', '--json')).json() as { Command: string; Flags: { Name: string }[] }[]
      expect(orders.map(({ Command }) => Command)).to.include.members(['orders:list', 'orders:mark'])
      expect(orders.every(({ Command }) => Command.startsWith('orders:'))).to.equal(true)
      const flags = orders.flatMap(({ Flags }) => Flags.map(({ Name }) => Name))
      expect(flags).to.include('to-send').and.not.include('profile')
      for (const words of [['orders:list'], ['orders', 'list']])
        expect((await home.done('commands', ...words, '--json')).json()).to.have.length(1)
      const unknown = await home.seller('commands', 'order', '--json')
      expect([unknown.code, unknown.json().error.code], unknown.stdout).to.deep.equal([EXIT.usage, 'unknown_command'])
      expect(unknown.json().error.hint).to.include('orders')
    })

    it('prints a name and a line in a pipe', async () => {
      expect((await home.seller('commands')).lines()).to.include('account:show\tShow the account that calls are made for.')
    })
  })

  describe('seller doctor', () => {
    const found = async (env: Record<string, string | undefined> = {}) => {
      const run = await home.run(['doctor', '--json'], { env })
      const states = Object.fromEntries(run.json().map((row: { Check: string; State: string }) => [row.Check, row.State]))
      return { run, states, rows: run.json() as { Check: string; Detail: string; Fix: string | null }[] }
    }

    it('says what is wrong and how to fix it, and looks at the rest all the same', async () => {
      const wrong = await found({ SELLER_TOKEN: 'wrong' })
      expect([wrong.run.code, wrong.states.Service, wrong.states.Credentials]).to.deep.equal([1, 'ok', 'fault'])
      expect(wrong.rows.find(({ Check }) => Check === 'Credentials')?.Fix).to.include('auth:')
      const nobody = await found({ SELLER_BASE_URL: 'http://127.0.0.1:9' })
      expect([nobody.run.code, nobody.states.Service, nobody.states.Ledger]).to.deep.equal([1, 'fault', 'ok'])
      const rested = nobody.rows.find(({ Check }) => Check === 'Credentials')
      expect(rested, 'one cause is said once').to.include({ Detail: 'not checked; see Service', Fix: null })
      const narrow = await home.run(['doctor'], {
        env: { SELLER_BASE_URL: 'http://127.0.0.1:9', NO_COLOR: '1' },
        terminal: true,
        columns: 80,
      })
      expect(narrow.stderr.replaceAll(/\s+/g, ' '), 'whole below a table that cuts it')
        .to.include('Service: GetOfficalTime: no connection to 127.0.0.1:9 (ECONNREFUSED). Nothing was sent.')
        .and.include(' Nothing answers on this machine.')
      const unset = await found({ SELLER_TOKEN: undefined, SELLER_USER_ID: undefined })
      expect([unset.run.code, unset.states.Profile]).to.deep.equal([1, 'fault'])
      const nameless = await home.run(['doctor', '-p', 'nobody', '--json'])
      const faults = nameless.json().filter(({ State }: { State: string }) => State === 'fault')
      expect([nameless.code, faults.map(({ Check }: { Check: string }) => Check)]).to.deep.equal([1, ['Profile']])
      const data = await found({ SELLER_DATA_DIR: '/proc/none' })
      expect([data.run.code, data.states['Data directory'], data.states.Profile]).to.deep.equal([1, 'fault', 'ok'])
    })

    it('says in full below the table how to fix what is only a note', async () => {
      const run = await home.run(['doctor'], { env: { SHELL: '/bin/bash', NO_COLOR: '1' }, terminal: true, columns: 80 })
      expect(run.stderr).to.include('Completion: not set up for bash. See seller completion bash.')
    })

    it('says how far this clock is off, which jobs are unfinished, and what is left of the calls', async () => {
      const clock = new Hands()
      for (const [off, words] of [
        [100_000, /answers$/],
        [200_000, /answers, but this clock is 3 min.* ahead$/],
        [-200_000, /answers, but this clock is 3 min.* behind$/],
      ] as const) {
        clock.time = Date.now() + off
        const rows: { Check: string; Detail: string }[] = (await home.run(['doctor', '--json'], { clock })).json()
        expect(rows.find(({ Check }) => Check === 'Service')?.Detail, String(off)).to.match(words)
      }
      const [id = 0] = await stock(home, [100])
      for (const words of ['1 unfinished job', '2 unfinished jobs']) {
        await home.seller('shop:price', `${id}=110`, '--yes', '--max-calls', '1')
        const { rows } = await found()
        expect(rows.find(({ Check }) => Check === 'Ledger')?.Detail).to.include(words)
      }
      const { Used } = (await home.seller('calls:show', '--json')).json()
      for (const [budget, words] of [
        [Used + 100, /^\d+ calls of \d+ made in 24 hours$/],
        [1, /^\d+ calls of 1 made in 24 hours$/],
      ] as const) {
        const { rows } = await found({ SELLER_CALL_BUDGET: String(budget) })
        const { Detail, Fix } = rows.find(({ Check }) => Check === 'Call budget') ?? {}
        expect(Detail).to.match(words)
        expect(Fix).to.equal(budget === 1 ? 'See when the next call is free with: seller calls:show.' : null)
      }
    })

    it('sees a completion that is set up, in the file of each shell', async () => {
      for (const [shell, file] of [
        ['bash', '.bash_profile'],
        ['bash', '.bashrc'],
        ['zsh', '.zshrc'],
        ['fish', '.config/fish/config.fish'],
        ['fish', '.config/fish/completions/seller.fish'],
      ] as const) {
        const env = { SHELL: `/usr/bin/${shell}`, HOME: join(home.dir, `of${file.replaceAll('/', '')}`) }
        await mkdir(join(env.HOME, '.config/fish/completions'), { recursive: true })
        const detail = async () => (await found(env)).rows.find(({ Check }) => Check === 'Completion')?.Detail
        await writeFile(join(env.HOME, file), 'alias ls=x')
        expect(await detail()).to.equal(`not set up for ${shell}`)
        await writeFile(join(env.HOME, file), 'source <(seller completion)')
        expect(await detail()).to.equal(join(env.HOME, file))
      }
      expect((await found({ SHELL: '/bin/tcsh' })).rows.find(({ Check }) => Check === 'Completion')?.Fix).to.equal(
        'See seller completion --help.',
      )
    })
  })
})
