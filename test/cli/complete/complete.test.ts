/** Words that a Tab prints, with values from the settings and the ledger. */
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { complete, listValues } from '../../../src/cli/complete/complete.js'
import { openLedger } from '../../../src/jobs/ledger/index.js'
import { root } from '../../e2e/product.js'
import { scratch } from '../../scratch.js'
import { createTestHost } from '../../test-host.js'

describe('a Tab', () => {
  let home: string
  const host = (env = {}) => createTestHost({ env: { SELLER_CONFIG_DIR: join(home, 'config'), SELLER_DATA_DIR: home, ...env } })
  beforeEach(async () => {
    home = await mkdtemp(join(scratch(), 'seller-tab-'))
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const printed = async (directory: string, ...args: string[]): Promise<string> => {
    const on = host()
    await complete(args, on, directory)
    return on.written.stdout
  }

  /** PowerShell passes the line in a variable. */
  const inPowerShell = async (line: string): Promise<string> => {
    const on = host({ SELLER_COMPLETE_LINE: line })
    await complete(['powershell'], on, home)
    return on.written.stdout
  }

  describe('of a program of three commands', () => {
    const flags = {
      output: { name: 'output', type: 'option', options: ['csv', 'json'] },
      file: { name: 'file', type: 'option', helpValue: 'FILE' },
    }
    const manifest = {
      commands: {
        'a:list': { id: 'a:list', summary: 'List.', flags, args: {}, operations: ['GetB', 'GetA'] },
        'a:long': { id: 'a:long', summary: `one\u0007\n${'x'.repeat(200)}`, flags: {}, args: {}, operations: ['GetA'] },
        call: { id: 'call', flags: {}, args: { operation: { name: 'operation' } } },
      },
    }
    beforeEach(() => {
      writeFileSync(join(home, 'oclif.manifest.json'), JSON.stringify(manifest))
      writeFileSync(join(home, 'package.json'), JSON.stringify({ oclif: { topics: { a: { description: 'Things.' } } } }))
    })

    it('prints a line for each candidate, with what it is behind a tab', async () => {
      expect(await printed(home, 'zsh', '')).to.equal('a\tThings.\ncall\n')
      expect(await printed(home, 'zsh')).to.equal('a\tThings.\ncall\n')
      expect(await printed(home, 'fish', 'a', 'li')).to.equal('list\tList.\n')
      expect(await printed(home, 'fish', 'x', '')).to.equal('')
      expect(await printed(home)).to.equal('a\tThings.\ncall\n')
    })

    it('prints a description of 100 characters at most, without control characters', async () => {
      expect(await printed(home, 'zsh', 'a', 'lo')).to.equal(`long\tone ${'x'.repeat(96)}\n`)
    })

    it('reads a whole line of bash and PowerShell, without the name of the program', async () => {
      expect(await printed(home, 'bash', 'seller a li', ':=')).to.equal('list\tList.\n')
      expect(await inPowerShell('seller a li')).to.equal('list\tList.\n')
      expect(await printed(home, 'bash', 'seller', ':=')).to.equal('a\tThings.\ncall\n')
      expect(await printed(home, 'bash')).to.equal('a\tThings.\ncall\n')
    })

    it('leaves out what bash keeps before a word break, and no other shell does', async () => {
      expect(await printed(home, 'bash', 'seller a:li', ':=')).to.equal('list\tList.\n')
      expect(await printed(home, 'bash', 'seller a:li', '')).to.equal('a:list\tList.\n')
      expect(await printed(home, 'bash', 'seller a:li')).to.equal('a:list\tList.\n')
      expect(await inPowerShell('seller a:li')).to.equal('a:list\tList.\n')
      expect(await printed(home, 'bash', 'seller a:list --output=j', ':=')).to.equal('json\n')
    })

    it('asks the shell for files', async () => {
      expect(await printed(home, 'zsh', 'a:list', '--file', 'x')).to.equal(':files\n')
      expect(await printed(home, 'bash', 'seller a:list --file=x', ':=')).to.equal(':files\n')
    })

    it('prints the operations of all commands, once each, that begin like the word', async () => {
      expect(await printed(home, 'zsh', 'call', '')).to.equal('GetA\nGetB\n')
      expect(await printed(home, 'zsh', 'call', 'GetB')).to.equal('GetB\n')
      expect(await printed(home, 'zsh', 'call', 'x')).to.equal('')
    })
  })

  it('prints profiles behind the flag they are typed after', async () => {
    const { mkdirSync } = await import('node:fs')
    mkdirSync(join(home, 'config'))
    writeFileSync(join(home, 'config', 'profiles.json'), JSON.stringify({ profiles: { shop: {}, second: {} } }), { mode: 0o600 })
    expect(await printed(root, 'zsh', 'items:list', '--profile=s')).to.equal(
      '--profile=shop\n--profile=second\n--profile=sandbox\n',
    )
    expect(await printed(root, 'zsh', 'items:list', '-p', 'sh')).to.equal('shop\n')
    expect(await printed(root, 'zsh', 'shop:price', '--profiles', 'se')).to.equal('second\n')
    expect(await printed(root, 'bash', 'seller items:list --profile=sh', ':=')).to.equal('shop\n')
  })

  describe('of ids in the ledger', () => {
    const values = (source: Parameters<typeof listValues>[0]) => listValues(source, host(), [])

    it('makes no ledger where there is none', async () => {
      for (const source of ['requests', 'discounts', 'open discounts', 'jobs', 'unfinished jobs'] as const)
        expect(await values(source), source).to.deep.equal([])
      expect(existsSync(join(home, 'ledger.db'))).to.equal(false)
    })

    it('has nothing to say of a ledger that cannot be read', async () => {
      writeFileSync(join(home, 'ledger.db'), 'not a database, and long enough to be looked at '.repeat(40))
      expect(await values('jobs')).to.deep.equal([])
    })

    it('takes each from where it is kept', async () => {
      const ledger = openLedger(join(home, 'ledger.db'), host().clock)
      const at = Date.parse('2026-11-21T12:00:00Z')
      const job = (title: string, state: string) =>
        ledger.store.run(
          `INSERT INTO jobs (kind, title, profile, state, created_at) VALUES ('price', ?, 'shop', ?, ?)`,
          title,
          state,
          at,
        )
      try {
        for (const [title, state] of [
          ['open', 'open'],
          ['waiting', 'waiting'],
          ['lost', 'unknown'],
          ['done', 'ok'],
        ] as const)
          job(title, state)
      } finally {
        ledger.close()
      }
      const of = async (source: Parameters<typeof listValues>[0]) => (await values(source)).map(({ description }) => description)
      expect((await of('jobs')).sort()).to.have.length(4)
      expect((await of('unfinished jobs')).sort()).to.have.length(3)
      expect(await of('requests')).to.deep.equal([])
      expect(await of('discounts')).to.deep.equal([])
    })

    it('is an id and what it is about: the newest first, fifty at most', async () => {
      const ledger = openLedger(join(home, 'ledger.db'), host().clock)
      const at = Date.parse('2026-11-21T12:00:00Z')
      const { store } = ledger
      try {
        for (let id = 1; id <= 60; id++)
          store.run(
            `INSERT INTO requests (request_id, operation, subject, profile, state, sent_at) VALUES (?, 'AddItem', ?, 'shop', 'sent', ?)`,
            id === 60 ? null : id,
            `Vas ${id}`,
            at + id,
          )
        for (const [name, state] of [
          ['Jul', 'planned'],
          ['Rea', 'running'],
          ['Vinter', 'ending'],
          ['Sommar', 'ended'],
        ])
          store.run(
            `INSERT INTO discounts (profile, user_id, name, title, guards, starts_at, ends_at, state, created_at)
              VALUES ('shop', 1, ?, 'A sale', '{}', ?, ?, ?, ?)`,
            name as string,
            at,
            at + 1000,
            state as string,
            at,
          )
        for (let id = 1; id <= 51; id++)
          store.run(
            `INSERT INTO jobs (kind, title, profile, state, created_at) VALUES ('price', ?, 'shop', 'ok', ?)`,
            `Prices ${id}`,
            at + id,
          )
      } finally {
        ledger.close()
      }
      const requests = await values('requests')
      // The newest has no id yet.
      expect(requests).to.have.lengthOf(49)
      expect(requests[0]).to.deep.equal({ value: '59', description: 'AddItem Vas 59' })
      const jobs = await values('jobs')
      expect(jobs).to.have.lengthOf(50)
      expect(jobs[0]).to.deep.equal({ value: '51', description: 'Prices 51 (ok)' })
      const sales = await values('discounts')
      expect(sales.map(({ description }) => description)).to.have.members([
        'Jul (planned)',
        'Rea (running)',
        'Vinter (ending)',
        'Sommar (ended)',
      ])
      expect(sales.map(({ value }) => value)).to.have.members(['1', '2', '3', '4'])
      expect((await values('open discounts')).map(({ value }) => value)).to.have.members(['1', '2', '3'])
    })
  })
})
