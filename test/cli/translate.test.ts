import { expect } from 'chai'
import { faultDetail, invalidInput, toSellerError } from '../../src/cli/translate.js'
import { operations } from '../../src/contract/index.js'
import { readsByName } from '../../src/contract/kinds.js'
import { SellerError } from '../../src/errors/index.js'
import { BudgetError } from '../../src/jobs/index.js'
import { SoapError, type SoapErrorKind } from '../../src/soap/client/index.js'
import { MemoryShort } from '../../src/system/memory.js'
import { WorkbookError } from '../../src/workbook/errors.js'

const soap = (kind: SoapErrorKind, more: Partial<ConstructorParameters<typeof SoapError>[2]> = {}) =>
  new SoapError(kind, 'What happened.', { operation: 'GetItem', sent: true, ...more })

describe('errors as they are shown', () => {
  for (const [what, error, category, code, exitCode] of [
    ['401', soap('refused', { httpStatus: 401 }), 'auth', 'refused', 4],
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
    ['an aborted call', soap('aborted'), 'pending', 'interrupted', 130],
    [
      'Ctrl-C at a question',
      Object.assign(new Error('User force closed'), { name: 'ExitPromptError' }),
      'pending',
      'interrupted',
      130,
    ],
    ['a spent budget', new BudgetError('budget', 5, 5, 'Spent.', 'Wait.'), 'quota', 'call_budget_spent', 7],
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
    for (const [name, { kind }] of Object.entries(operations)) expect(readsByName(name), name).to.equal(kind === 'read')
    const refused = { faultString: 'Invalid request ---> No.' }
    expect(toSellerError(soap('fault', refused)).hint).to.equal('Correct the values and run the command again.')
    expect(toSellerError(soap('fault', { ...refused, operation: 'RemoveShopItem' })).hint).to.equal(
      'Nothing was changed. Correct the values and run the command again.',
    )
  })

  it('says when results no longer fit in memory, and what to do', () => {
    const short = toSellerError(new MemoryShort(12_000))
    expect(short).to.deep.include({ code: 'memory_short', details: { entries: 12_000 } })
    expect(short.message).to.match(/^The results do not fit in memory: after 12\s000 entries it was nearly used up\.$/)
    expect(toSellerError(new WorkbookError('Too many rows.'))).to.include({ code: 'wrong_usage', hint: 'Use -o csv.' })
  })

  it('takes a question that was aborted for an interruption, and knows what no error is', () => {
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortPromptError' })
    expect(toSellerError(aborted)).to.include({ code: 'interrupted', message: 'Interrupted.' })
    for (const thrown of [undefined, null, 'a text', 7])
      expect(toSellerError(thrown).message).to.equal('Internal error (UnknownError). This is a bug in seller.')
    expect(toSellerError(new RangeError('x')).message).to.equal('Internal error (RangeError). This is a bug in seller.')
  })

  it('keeps what is known of a call', () => {
    const known = {
      sent: true,
      httpStatus: 500,
      faultCode: 'soap:Server',
      faultString: 'Oops',
      retryAfterMs: 5,
      reason: 'r',
      element: 'e',
    }
    expect(toSellerError(soap('fault', known as never)).details).to.deep.equal({ operation: 'GetItem', ...known })
  })

  it('says how to reach a service that does not answer, here or elsewhere', () => {
    const hint = (host: string) =>
      toSellerError(
        new SoapError('unreachable', `GetItem: no connection to ${host}.`, { operation: 'GetItem', sent: false, host }),
      ).hint
    for (const host of ['localhost', '127.0.0.1', '127.10.200.30', '[::1]'])
      expect(hint(host), host).to.match(/^Nothing answers on this machine\. Start a sandbox/)
    for (const host of ['api.example.com', '128.0.0.1', '127.a.0.1', '127.0.a.1', '127.0.0.a'])
      expect(hint(host), host).to.match(/^Check the network, and the address with/)
  })

  it('says when to try again, as far as the service does', () => {
    expect(toSellerError(soap('unavailable')).hint).to.equal('The service is busy or down. Try again later.')
    expect(toSellerError(soap('unavailable', { retryAfterMs: 3000 })).hint).to.equal(
      'The service is busy or down. Try again in 3 s.',
    )
  })

  it('tells an address that is not the service from one that says nothing', () => {
    for (const origin of ['nothing_there', 'server_failed', undefined] as const) {
      const { code } = toSellerError(soap('not-soap', { origin }))
      expect(code).to.equal(origin === 'nothing_there' ? 'wrong_address' : (origin ?? 'not_soap'))
    }
  })

  it('says of a wrong namespace whether a write may have been carried out', () => {
    expect(toSellerError(soap('namespace'))).to.include({ code: 'wrong_namespace' })
    expect(toSellerError(soap('namespace')).hint).to.match(/^See which namespace/)
    expect(toSellerError(soap('namespace', { operation: 'AddItem' })).hint).to.match(
      /^It is not known whether the call was carried out\./,
    )
    expect(toSellerError(soap('broken'))).to.include({ code: 'broken_contract' })
  })

  it('knows the texts of faults that are about the namespace or the credentials', () => {
    for (const faultString of [
      'Unable to handle request without a valid action parameter. Please supply one.',
      'Server did not recognize the value of HTTP Header SOAPAction: x.',
      'GetX Web Service method name is not valid.',
    ])
      expect(toSellerError(soap('fault', { faultString })).code, faultString).to.equal('operation_not_recognized')
    for (const faultString of [
      'Invalid token',
      'invalid USER',
      'Not authorized',
      'not authorised',
      'Forbidden',
      'Access is denied.',
    ])
      expect(toSellerError(soap('fault', { faultString })).code, faultString).to.equal('refused')
    for (const faultString of ['Not authoritative', 'No. Invalid request', undefined])
      expect(toSellerError(soap('fault', { faultString })).code, String(faultString)).to.equal('fault')
  })

  it('joins the value of a fault to what is wrong with it', () => {
    const shown = (value: unknown, message: string, ofPart = false) =>
      invalidInput([{ field: 'F', value, message, ofPart }] as never).message
    expect(shown('x', 'must be at least 1')).to.equal('F: "x" must be at least 1.')
    expect(shown('a=x', 'Weight "x" is not a number', true)).to.equal('F: "a=x": Weight "x" is not a number.')
    expect(shown(undefined, 'Weight "x" is not a number', true)).to.equal('F: Weight "x" is not a number.')
    expect(shown(undefined, 'is missing')).to.equal('F: is missing.')
    expect(shown(7, 'is odd')).to.equal('F: "7" is odd.')
    expect(shown(new Uint8Array(5), 'is no image')).to.equal('F: "5 bytes" is no image.')
    expect(shown({ a: 1 }, 'is odd')).to.equal('F: "{"a":1}" is odd.')
    expect(shown(() => 1, 'is odd')).to.equal('F: "" is odd.')
    expect(shown('x'.repeat(120), 'is long')).to.equal(`F: "${'x'.repeat(120)}" is long.`)
    expect(shown('x'.repeat(121), 'is long')).to.equal(`F: "${'x'.repeat(119)}…" is long.`)
  })

  it('has every fault in its details, with null for what it has not', () => {
    const faults = [
      { field: 'Title', value: 'x', message: 'is bad', hint: 'Change it.' },
      { field: 'Price', value: undefined, message: 'is missing' },
    ]
    expect(invalidInput(faults as never).details).to.deep.equal({
      count: 2,
      faults: [
        { line: null, field: 'Title', value: 'x', message: 'is bad', hint: 'Change it.' },
        { line: null, field: 'Price', value: null, message: 'is missing', hint: null },
      ],
    })
    expect(faultDetail({ line: 3, field: null, value: null, message: 'x' })).to.deep.equal({
      line: 3,
      field: null,
      value: null,
      message: 'x',
      hint: null,
    })
    expect(invalidInput([]).message).to.equal('The input is invalid.')
    expect(toSellerError(soap('input')).message, 'without faults').to.equal('What happened.')
  })

  it('gives what oclif says of a line that it cannot read as a sentence', () => {
    const error = Object.assign(new Error('Flag --limit expects a value'), { oclif: { exit: 2 } })
    expect(toSellerError(error)).to.include({
      code: 'wrong_usage',
      message: 'Flag --limit expects a value.',
      hint: 'See --help.',
    })
  })

  it('says of an error of the system which file it is about, and what to do', () => {
    const of = (code: string, path?: string) => toSellerError(Object.assign(new Error('x'), { code, path }))
    expect(of('ENOSPC', '/a')).to.deep.include({
      message: '/a cannot be used: no space is left on the device.',
      hint: 'Free some space and try again.',
      details: { path: '/a', errno: 'ENOSPC' },
    })
    expect(of('EACCES').message).to.match(/^The output cannot be used: /)
    for (const [code, hint] of [
      ['EACCES', 'Check its owner and permissions.'],
      ['EPERM', 'Check its owner and permissions.'],
      ['EROFS', 'Use a directory that you can write to.'],
      ['EDQUOT', 'Free some space and try again.'],
      ['EISDIR', 'Name a file in that directory.'],
      ['EADDRINUSE', 'Choose another port.'],
      ['EMFILE', 'Close other programs and try again.'],
      ['ENFILE', 'Close other programs and try again.'],
      ['ENOTDIR', 'Check the path.'],
    ] as const) {
      expect(of(code, '/a').hint, code).to.equal(hint)
    }
  })

  it('gives its own errors back as they are', () => {
    const error = new SellerError('price_held', 'Held.', 'Look.')
    expect(toSellerError(error)).to.equal(error)
  })
})
