import { expect } from 'chai'
import { EXIT, type ExitCode, SellerError, weightier } from '../../src/cli/errors.js'
import { Interrupted } from '../../src/cli/interrupt.js'
import { toSellerError, writes } from '../../src/cli/translate.js'
import { operations } from '../../src/contract/index.js'
import { UnknownColumnError } from '../../src/format/output/index.js'
import { BudgetError, LedgerError } from '../../src/jobs/index.js'
import { SoapError, type SoapErrorKind } from '../../src/soap/client/index.js'

const soap = (kind: SoapErrorKind, more: Partial<ConstructorParameters<typeof SoapError>[2]> = {}) =>
  new SoapError(kind, 'What happened.', { operation: 'GetItem', sent: true, ...more })

describe('errors as they are shown', () => {
  for (const [what, error, category, code, exitCode] of [
    ['unreachable', soap('unreachable'), 'network', 'unreachable', 1],
    ['interrupted', soap('interrupted'), 'network', 'connection_lost', 1],
    ['unavailable', soap('unavailable'), 'service', 'unavailable', 1],
    ['401', soap('refused', { httpStatus: 401 }), 'auth', 'refused', 4],
    ['403', soap('refused', { httpStatus: 403 }), 'auth', 'refused', 4],
    ['a redirect', soap('refused', { httpStatus: 302 }), 'service', 'redirected', 1],
    ['a proxy', soap('refused', { httpStatus: 407 }), 'service', 'proxy_refused', 1],
    ['quota', soap('quota', { retryAfterMs: 5 }), 'quota', 'too_many_calls', 7],
    ['not SOAP', soap('not-soap'), 'service', 'not_soap', 1],
    ['too large', soap('too-large'), 'service', 'reply_too_large', 1],
    ['a fault', soap('fault', { faultString: 'Oops' }), 'service', 'fault', 1],
    ['an invalid request', soap('fault', { faultString: 'Invalid request ---> No.' }), 'validation', 'refused_by_service', 3],
    [
      'an unreadable request',
      soap('fault', { faultString: 'Server was unable to read request. ---> No.' }),
      'validation',
      'refused_by_service',
      3,
    ],
    [
      'an unknown application',
      soap('fault', { faultString: 'Server was unable to process request. ---> Invalid application id' }),
      'auth',
      'refused',
      4,
    ],
    ['an unknown outcome', soap('unknown-outcome'), 'unknown_outcome', 'unknown_outcome', 9],
    ['an aborted call', soap('aborted'), 'pending', 'interrupted', 130],
    ['Ctrl-C', new Interrupted('SIGINT'), 'pending', 'interrupted', 130],
    [
      'Ctrl-C at a question',
      Object.assign(new Error('User force closed'), { name: 'ExitPromptError' }),
      'pending',
      'interrupted',
      130,
    ],
    ['a spent budget', new BudgetError('budget', 5, 5, 'Spent.', 'Wait.'), 'quota', 'call_budget_spent', 7],
    ['a damaged ledger', new LedgerError('damaged', '/x/ledger.db', 'Damaged.', 'Move it.'), 'internal', 'ledger_damaged', 1],
    ['an unknown column', new UnknownColumnError('No such column.', 'Known: Id.', 'x'), 'usage', 'unknown_column', 2],
    ['a full disk', Object.assign(new Error('ENOSPC: secret'), { code: 'ENOSPC', path: '/x' }), 'internal', 'system_error', 1],
    ['a bug', new TypeError('x.secret is not a function'), 'internal', 'unexpected', 1],
    ['no error at all', 'secret', 'internal', 'unexpected', 1],
  ] as const) {
    it(`${what}: ${category}, ${code}, ${exitCode}`, () => {
      const shown = toSellerError(error)
      expect(shown).to.be.instanceOf(SellerError)
      expect(shown).to.include({ category, code, exitCode })
      expect(JSON.stringify([shown.message, shown.hint, shown.details])).not.to.contain('secret')
    })
  }

  it('says that nothing was changed where something would have been, not of reading', () => {
    for (const [name, { kind }] of Object.entries(operations)) expect(writes(name), name).to.equal(kind !== 'read')
    const refused = { faultString: 'Invalid request ---> No.' }
    expect(toSellerError(soap('fault', refused)).hint).to.equal('Correct the values and run the command again.')
    expect(toSellerError(soap('fault', { ...refused, operation: 'RemoveShopItem' })).hint).to.equal(
      'Nothing was changed. Correct the values and run the command again.',
    )
  })

  it('tells every fault of an input at once', () => {
    const faults = [
      { field: 'Title', value: 'x'.repeat(300), message: 'must be at most 80 characters' },
      { field: 'ImageData', value: new Uint8Array(5), message: 'is no image', hint: 'Take a Png.' },
      { field: 'CategoryId', value: undefined, message: 'is missing' },
    ]
    const error = toSellerError(soap('input', { sent: false, faults }))
    expect(error.exitCode).to.equal(3)
    const lines = error.message.split('\n')
    expect(lines).to.have.length(3)
    expect(lines[0]).to.have.length.below(200)
    expect(lines[1]).to.equal('ImageData: "5 bytes" is no image. Take a Png.')
    expect(lines[2]).to.equal('CategoryId: is missing.')
    expect(error.details?.faults).to.have.length(3)
  })

  it('makes a sentence of what is wrong with an argument', () => {
    expect(toSellerError(new SellerError('invalid_number', 'id: "x" is not a whole number', 'Give digits.')).message).to.equal(
      'id: "x" is not a whole number.',
    )
  })

  it('leaves out the style that oclif gives its faults on a terminal', () => {
    const dimmed = '\u001b[2m--json=true cannot also be provided when using --output\u001b[22m'
    const message = `The following error occurred:\n  ${dimmed}\nSee more help with --help`
    const shown = toSellerError(Object.assign(new Error(message), { oclif: { exit: 2 }, parse: {} }))
    expect(shown.message).to.equal('--json and --output cannot be given together.')
    expect(shown.hint).to.equal('Leave one of them out. See --help.')
  })

  it('says which flags cannot be given together, without their values', () => {
    const message =
      'The following errors occurred:\n  --json=true cannot also be provided when using --output\n  --a cannot also be provided when using --b'
    const shown = toSellerError(Object.assign(new Error(message), { oclif: { exit: 2 }, parse: {} }))
    expect(shown.message).to.equal('--json and --output cannot be given together.\n--a and --b cannot be given together.')
  })

  it('names the arguments that are missing or too many, however oclif gives them', () => {
    const of = (message: string, args?: unknown) =>
      toSellerError(Object.assign(new Error(message), { oclif: { exit: 2 }, parse: {}, args })).message
    expect(of('Missing 2 required args:', ['id', { name: 'price' }])).to.equal('Missing argument: ID, PRICE.')
    expect(of('Missing 1 required arg:', [{}, ''])).to.equal('Missing 1 required arg:.')
    expect(of('Missing 1 required arg:')).to.equal('Missing 1 required arg:.')
    expect(of('Unexpected argument: x', ['x'])).to.match(/^Unexpected argument: .*x.*\.$/)
  })

  it('gives its own errors back as they are', () => {
    const error = new SellerError('price_held', 'Held.', 'Look.')
    expect(toSellerError(error)).to.equal(error)
  })
})

describe('exit codes when several apply', () => {
  const order: ExitCode[] = [EXIT.unknownOutcome, EXIT.quota, EXIT.someRowsFailed, EXIT.held, EXIT.pending, EXIT.failure, EXIT.ok]
  it('9, 7, 5, 6, 8, then the rest', () => {
    for (const [index, first] of order.entries()) {
      for (const later of order.slice(index)) {
        expect(weightier(first, later)).to.equal(first)
        expect(weightier(later, first)).to.equal(first)
      }
    }
  })
})
