import { expect } from 'chai'
import type { Context, Interruption } from '../../src/cli/context.js'
import { Secrets } from '../../src/cli/credentials.js'
import { reportError } from '../../src/cli/report.js'
import { type ExitCode, SellerError } from '../../src/errors/index.js'
import { run, say, textOf } from '../../src/messages/index.js'
import { stand } from '../format/streams.js'

const COMMAND = run('shop:price', {
  '--file': 'a-rather-long-name-of-a-sheet.csv',
  '--allow': 'max_change=80%',
  '--yes': true,
  '--wait': true,
})

describe('an error on its way out', () => {
  const said = async (errorTerminal: boolean) => {
    const { output, stdout, stderr } = await stand({ terminal: errorTerminal, width: 40 })
    const message = `prices.csv has 2 faults:\nline 2, Price "199,90": ${'prices are whole kronor '.repeat(3).trim()}\nline 3: short`
    const ctx = {
      output,
      errorTerminal,
      hide: (text: string) => text,
      written: () => false,
      interruption: () => undefined,
      edge: {},
    }
    const error = new SellerError('invalid_input', message, say`${COMMAND}`)
    expect(
      await reportError(error, {
        argv: [],
        host: { stdout, stderr, env: {}, carriedOut: new Set<string>(), begun: new Set<string>() },
        ctx: ctx as unknown as Context,
      }),
    ).to.equal(3)
    return stderr.written.trimEnd().split('\n')
  }

  it('is broken between words on a terminal, and the command to copy is left whole', async () => {
    expect(await said(true)).to.deep.equal([
      'Error: prices.csv has 2 faults:',
      'line 2, Price "199,90": prices are',
      '  whole kronor prices are whole kronor',
      '  prices are whole kronor',
      'line 3: short',
      textOf(say`${COMMAND}`),
    ])
  })

  it('has a line for each fault elsewhere', async () => {
    expect(await said(false)).to.have.lengthOf(4)
  })

  describe('as a document or a note', () => {
    const report = async (
      error: SellerError,
      {
        form = 'table',
        argv = [],
        written = false,
        secrets = [],
        interruption,
        without = false,
        writes = [],
        earlier,
      }: {
        form?: 'table' | 'json'
        argv?: string[]
        written?: boolean
        secrets?: string[]
        interruption?: Interruption
        without?: boolean
        writes?: string[]
        earlier?: ExitCode
      } = {},
    ) => {
      const { output, stdout, stderr } = await stand({ form })
      const known = new Secrets()
      known.add(...secrets)
      const ctx = {
        output: Object.assign(output, { begun: written }),
        hide: (text: string) => known.hide(text),
        edge: {},
        interruption: () => interruption,
      }
      const host = { stdout, stderr, env: {}, carriedOut: new Set(writes), begun: new Set(writes) }
      const code = await reportError(error, { argv, host, ctx: without ? undefined : (ctx as unknown as Context), earlier })
      const document = stdout.written === '' ? undefined : JSON.parse(stdout.written).error
      return { code, document, note: stderr.written }
    }
    const held = new SellerError('price_held', 'Held.', 'Look.', { itemId: 3 })
    const HELD = { code: 'price_held', category: 'guard', message: 'Held.', hint: 'Look.', next: [], exitCode: 6, itemId: 3 }
    const NOTE = 'Error: Held.\nLook.\n'

    it('follows the form of the output, and the line where it could not be read', async () => {
      expect(await report(held, { argv: ['--json'] })).to.deep.equal({ code: 6, document: undefined, note: NOTE })
      expect(await report(held, { form: 'json' })).to.deep.equal({ code: 6, document: HELD, note: '' })
      expect(await report(held, { form: 'json', written: true })).to.deep.equal({ code: 6, document: undefined, note: NOTE })
      expect(await report(held, { without: true })).to.deep.equal({ code: 6, document: undefined, note: NOTE })
      expect(await report(held, { without: true, argv: ['--json'] })).to.deep.equal({ code: 6, document: HELD, note: '' })
    })

    it('has the worse exit code, of the command or of the error', async () => {
      expect(await report(held, { earlier: 9, form: 'json' })).to.deep.include({ code: 9, document: { ...HELD, exitCode: 9 } })
      expect((await report(held, { earlier: 8 })).code).to.equal(6)
    })

    it('says how to go on only after an interruption', async () => {
      const interruption = { sent: 'Request 17 had been sent.', next: run('requests:wait', { id: 17 }) }
      expect((await report(held, { interruption })).note).to.equal(NOTE)
      const stopped = new SellerError('interrupted', 'Interrupted.', 'Look.')
      const writes = ['AddItem']
      expect((await report(stopped, { interruption, writes })).note).to.equal(
        'Error: Interrupted. Request 17 had been sent.\nContinue with: seller requests:wait 17\n',
      )
      expect((await report(stopped, { interruption: { sent: 'Nothing was sent.', again: true } })).note).to.equal(
        'Error: Interrupted. Nothing was sent.\nRun the command again.\n',
      )
      expect((await report(stopped, { interruption: { sent: 'It had been sent.' }, writes })).note).to.equal(
        'Error: Interrupted. It had been sent.\nLook.\n',
      )
      expect((await report(stopped, { writes })).note).to.equal('Error: Interrupted.\nLook.\n')
      expect((await report(stopped, { without: true, writes })).note).to.equal('Error: Interrupted.\nLook.\n')
    })

    it('says that nothing was sent where an interrupted run began no write', async () => {
      const stopped = new SellerError('interrupted', 'Interrupted.', 'Look.')
      const NOTHING = 'Error: Interrupted. Nothing was sent.\nRun the command again.\n'
      expect((await report(stopped)).note).to.equal(NOTHING)
      expect((await report(stopped, { without: true })).note).to.equal(NOTHING)
      const next = run('requests:list')
      expect((await report(stopped, { interruption: { next } })).note).to.equal(NOTHING)
      expect((await report(stopped, { interruption: { sent: 'What was read is kept.' } })).note).to.equal(
        'Error: Interrupted. What was read is kept.\nRun the command again.\n',
      )
      const ofJob = new SellerError('interrupted', 'Interrupted.', 'Look.', { jobId: 7 })
      expect((await report(ofJob)).note).to.equal('Error: Interrupted.\nLook.\n')
    })

    it('hides secrets of four characters and more, in every part', async () => {
      const leak = new SellerError('fault', 'abc abcd key-one.', 'key-one abcd', { faultString: 'key-one abcd abc' })
      const secrets = ['abc', 'abcd', 'key-one']
      expect(await report(leak, { secrets, form: 'json' })).to.deep.include({
        document: {
          code: 'fault',
          category: 'service',
          message: 'abc ••• •••.',
          hint: '••• •••',
          next: [{ command: 'seller doctor', why: 'Check the setup' }],
          exitCode: 1,
          faultString: '••• ••• abc',
        },
      })
    })

    it('says first that a write was carried out, where the result is lost', async () => {
      const full = (path?: string) =>
        new SellerError('system_error', 'The disk is full.', 'Free some.', { path, errno: 'ENOSPC' })
      const lost = await report(full(), { writes: ['AddItem', 'AddItem', 'RemoveShopItem'], form: 'json' })
      expect(lost.code).to.equal(9)
      expect(lost.document).to.include({
        code: 'output_lost',
        message: 'The service carried out AddItem, RemoveShopItem, but the result could not be printed. The disk is full.',
        errno: 'ENOSPC',
      })
      expect(lost.document.operations).to.deep.equal(['AddItem', 'RemoveShopItem'])
      expect((await report(full(), { form: 'json' })).document.code, 'nothing was written').to.equal('system_error')
      expect((await report(full('/x'), { form: 'json', writes: ['AddItem'] })).document.code, 'about a file').to.equal(
        'system_error',
      )
      expect((await report(held, { form: 'json', writes: ['AddItem'] })).document.code).to.equal('price_held')
    })
  })

  it('is broken so that the first line has room for its word', async () => {
    const { output, stdout, stderr } = await stand({ terminal: true, width: 20 })
    const ctx = {
      output,
      errorTerminal: true,
      hide: (text: string) => text,
      written: () => false,
      interruption: () => undefined,
      edge: {},
    }
    // 13 columns are left beside "Error: ", 18 in the lines below.
    const error = new SellerError('invalid_input', '1234 6789 123\n1234 6789 1234 678', 'Hint.')
    await reportError(error, {
      argv: [],
      host: { stdout, stderr, env: {}, carriedOut: new Set<string>(), begun: new Set<string>() },
      ctx: ctx as unknown as Context,
    })
    await reportError(new SellerError('invalid_input', '1234 6789 1234', 'Hint.'), {
      argv: [],
      host: { stdout, stderr, env: {}, carriedOut: new Set<string>(), begun: new Set<string>() },
      ctx: ctx as unknown as Context,
    })
    expect(stderr.written).to.equal('Error: 1234 6789 123\n1234 6789 1234 678\nHint.\nError: 1234 6789\n  1234\nHint.\n')
  })
})
