import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { EXIT, EXIT_MEANINGS } from '../../src/errors/index.js'
import type { FaultInjection } from '../../src/sandbox/index.js'
import { closing, opened } from '../opened.js'
import { brokenPromises } from './every-command.js'
import { openHome, type RunOptions, root } from './harness.js'
import { fault, openHostile, SECRETS } from './hostile.js'

interface Case {
  readonly what: string
  readonly code: number
  readonly args: readonly string[]
  readonly faults?: Partial<FaultInjection>
  readonly options?: RunOptions
  /** In the error document; absent if results are printed and only the exit code shows the error. */
  readonly error?: { readonly code: string; readonly category: string }
}

const ADD = [
  ...['items:add', '--title', 'Vas', '--category', '344481', '--opening', '100', '--payment', '4096'],
  ...['--condition', 'used', '--shipping', 'pickup'],
]
const SLOW = { queueDelayMs: 3_600_000 }

const CASES: readonly Case[] = [
  { what: 'done', code: EXIT.ok, args: ['account:show'] },
  { what: 'nothing found', code: EXIT.ok, args: ['requests:list'] },
  { what: 'queued, no wait asked for', code: EXIT.ok, args: ADD },
  {
    what: 'a queued request failed',
    code: EXIT.failure,
    args: [...ADD, '--wait'],
    faults: { queueCodes: [{ codes: 'Error', probability: 1 }] },
  },
  {
    what: 'nothing there',
    code: EXIT.failure,
    args: ['requests:show', '5'],
    error: { code: 'request_not_found', category: 'not_found' },
  },
  {
    what: 'the service is not reached',
    code: EXIT.failure,
    args: ['account:show'],
    options: { env: { SELLER_BASE_URL: 'http://127.0.0.1:9' } },
    error: { code: 'unreachable', category: 'network' },
  },
  {
    what: 'an unknown flag',
    code: EXIT.usage,
    args: ['account:show', '--frobnicate'],
    error: { code: 'unknown_flag', category: 'usage' },
  },
  {
    what: 'a flag without its value',
    code: EXIT.usage,
    args: ['requests:wait', '--timeout'],
    error: { code: 'wrong_usage', category: 'usage' },
  },
  {
    what: 'a duration that is none',
    code: EXIT.usage,
    args: ['requests:wait', '--timeout', '5x'],
    error: { code: 'invalid_duration', category: 'usage' },
  },
  {
    what: 'a missing argument',
    code: EXIT.usage,
    args: ['requests:show'],
    error: { code: 'missing_argument', category: 'usage' },
  },
  {
    what: 'one argument too many',
    code: EXIT.usage,
    args: ['account:show', 'me'],
    error: { code: 'unexpected_argument', category: 'usage' },
  },
  { what: 'an unknown command', code: EXIT.usage, args: ['acount:show'], error: { code: 'unknown_command', category: 'usage' } },
  {
    what: 'an unknown column',
    code: EXIT.usage,
    args: ['account:show', '--columns', 'Nonsense'],
    error: { code: 'unknown_column', category: 'usage' },
  },
  {
    what: 'an unknown profile',
    code: EXIT.usage,
    args: ['account:show', '-p', 'nobody'],
    error: { code: 'no_such_profile', category: 'usage' },
  },
  {
    what: 'refused by validation here',
    code: EXIT.validation,
    args: ['items:add', '--title', 'x'.repeat(81), '--category', '344481', '--opening', '100', '--shipping', 'pickup'],
    error: { code: 'invalid_input', category: 'validation' },
  },
  {
    what: 'not logged in',
    code: EXIT.auth,
    args: ['account:show'],
    options: { env: { SELLER_TOKEN: undefined } },
    error: { code: 'not_logged_in', category: 'auth' },
  },
  {
    what: 'refused by the service',
    code: EXIT.auth,
    args: ['account:show'],
    options: { env: { SELLER_TOKEN: 'no-token-of-anyone' } },
    error: { code: 'refused', category: 'auth' },
  },
  {
    what: 'some rows of a bulk run failed',
    code: EXIT.someRowsFailed,
    args: ['shop:price', '--all', '--add', '1kr', '--yes', '--wait'],
    faults: { queueDelayMs: 0, queueCodes: [{ codes: 'UpdateNotAllowed', probability: 1 }] },
  },
  { what: 'held by a price guard', code: EXIT.held, args: ['shop:price', '--all', '--set', '1', '--yes'] },
  {
    what: 'a missing confirmation',
    code: EXIT.held,
    args: ['feedback:leave', '1', '--negative', 'Broken'],
    error: { code: 'confirmation_missing', category: 'guard' },
  },
  {
    what: 'HTTP 429',
    code: EXIT.quota,
    args: ['account:show'],
    faults: { quota: { calls: 0, windowMs: 60_000 } },
    error: { code: 'too_many_calls', category: 'quota' },
  },
  { what: 'waited in vain', code: EXIT.pending, args: [...ADD, '--wait', '--timeout', '100ms'], faults: SLOW },
  {
    what: 'a reply was lost',
    code: EXIT.unknownOutcome,
    args: ADD,
    faults: { dropAfter: 1 },
    error: { code: 'unknown_outcome', category: 'unknown_outcome' },
  },
]

describe('exit codes', () => {
  for (const [at, { what, code, args, faults, options, error }] of CASES.entries()) {
    // Once for each code in a process, because the process sets what the shell sees.
    const asProcess = CASES.findIndex((other) => other.code === code) === at
    it(`${code}: ${what}, with and without --json`, async () => {
      await using home = closing(await openHome({ sandbox: { faults } }))
      // One after the other: two runs that reprice one shop at once would see each other's queue.
      const text = await (asProcess ? home.spawn(args, options).done : home.run(args, options))
      const json = await home.run([...args, '--json'], options)
      expect(text.code, text.stdout + text.stderr).to.equal(code)
      expect(json.code, json.stdout + json.stderr).to.equal(code)
      const document = json.json()
      if (error === undefined) {
        expect(document).not.to.have.property('error')
        return
      }
      expect(document.error).to.include({ ...error, exitCode: code })
      expect(json.stderr, 'the document says it all').to.equal('')
      expect(text.stdout, 'errors are no results').to.equal('')
      expect(text.stderr)
        .to.match(/^Error: /m)
        .and.contain(document.error.message.split('\n')[0])
      expect(text.stderr).not.to.match(/\n\s+at /)
    })
  }

  it('130: interrupted, with and without --json', async () => {
    await using home = closing(await openHome({ sandbox: { faults: SLOW } }))
    const runs = [home.spawn([...ADD, '--wait']), home.spawn([...ADD, '--wait', '--json'])]
    const sent = async () => (await home.seller('requests:list', '--state', 'queued', '--json')).json().length
    while ((await sent()) < runs.length) await sleep(50)
    for (const run of runs) run.kill('SIGINT')
    const [text, json] = await Promise.all(runs.map(({ done }) => done))
    expect([text?.code, json?.code]).to.deep.equal([EXIT.interrupted, EXIT.interrupted])
    expect(json?.json().error).to.include({ code: 'interrupted', category: 'pending', exitCode: EXIT.interrupted })
    expect(text?.stdout).to.equal('')
    expect(text?.stderr).to.match(/^Error: Interrupted\..*\nContinue with: seller requests:wait \d+/m)
  })

  it('7: the own budget of the profile, before anything is sent', async () => {
    await using home = closing(await openHome({ sandbox: true }))
    await home.done('auth:login', '--setting', 'call_budget=1', '--no-verify')
    expect((await home.seller('account:show')).code).to.equal(0)
    const spent = await home.seller('account:show', '--json')
    expect(spent.code).to.equal(EXIT.quota)
    expect(spent.json().error).to.include({ code: 'call_budget_spent', category: 'quota' })
    expect((await home.seller('calls:show', '--json')).json()).to.include({ Used: 1, Budget: 1, Remaining: 0 })
  })

  it('are as promised for every command with nothing, with --help and with an unknown flag', async () => {
    await using home = closing(await openHome())
    expect(await brokenPromises(root, home.dir)).to.deep.equal([])
  })

  it('are all told in the help', async () => {
    await using home = closing(await openHome())
    const { stdout } = await home.seller('help', 'exit-codes')
    for (const [code, meaning] of EXIT_MEANINGS)
      expect(stdout)
        .to.match(new RegExp(`^ +${code} `, 'm'))
        .and.contain(meaning.slice(0, 30))
  })
})

describe('an address without a service', () => {
  const home = opened(openHostile)

  for (const [what, given, code, error] of [
    ['a page of HTML', { status: 200, type: 'text/html', body: '<html>Welcome</html>' }, 1, 'not_soap'],
    ['nothing at the address', { status: 404, type: 'text/html', body: '<html>Not Found</html>' }, 1, 'wrong_address'],
    ['a page that takes no POST', { status: 405, type: 'text/html', body: '<html>Not Allowed</html>' }, 1, 'wrong_address'],
    [
      'a fault about the action of SOAP 1.2',
      fault('Unable to handle request without a valid action parameter.'),
      1,
      'operation_not_recognized',
    ],
    [
      'a fault about the SOAPAction',
      fault('Server did not recognize the value of HTTP Header SOAPAction: x.'),
      1,
      'operation_not_recognized',
    ],
    ['a page of HTML behind 403', { status: 403, type: 'text/html', body: '<html>Forbidden</html>' }, 4, 'refused'],
    ['a redirect', { status: 302, type: 'text/html', body: '' }, 1, 'redirected'],
    ['a fault', fault('Server was unable to process request. ---&gt; Oops'), 1, 'fault'],
    ['a fault of validation', fault('Invalid request ---&gt; Request data is not valid:'), 3, 'refused_by_service'],
    ['an unknown application', fault('Server was unable to process request. ---&gt; Invalid application id'), 4, 'refused'],
  ] as const) {
    it(`${what}: ${code}, ${error}`, async () => {
      home.answer(() => given)
      const run = await home.seller('account:show', '--json')
      expect(run.code, run.stdout).to.equal(code)
      expect(run.json().error.code).to.equal(error)
    })
  }

  it('that gives a secret back never brings it to the screen, not even with --trace', async () => {
    home.answer(() => fault(`No such key: ${SECRETS.key}, token ${SECRETS.token}`))
    for (const more of [[], ['--trace']]) {
      const run = await home.seller('account:show', '--json', ...more)
      expect(run.code).to.equal(1)
      expect(run.stdout + run.stderr).not.to.match(/nobody-may-see/)
    }
  })
})
