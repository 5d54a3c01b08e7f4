/**
 * The table of error codes compared with what commands really print: message, hint and keys of each run below are compared with a
 * file, and every code of the table is produced here or by a test that names it.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { errorDocsOf } from '../../scripts/error-docs.js'
import type { Host } from '../../src/cli/host.js'
import { Interrupted } from '../../src/cli/interrupt.js'
import { createPrompts } from '../../src/cli/prompts.js'
import { type ErrorDocument, errorDocument, reportError } from '../../src/cli/report.js'
import { sandboxRefused } from '../../src/cli/sandbox-file.js'
import { changeStored, settingsPath } from '../../src/cli/settings-file.js'
import { toSellerError } from '../../src/cli/translate.js'
import { readKronor } from '../../src/cli/values.js'
import { exitCodeOf } from '../../src/errors/codes.js'
import { ERROR_CODES, type ErrorCode, JOB_KEYS, type SellerError } from '../../src/errors/index.js'
import { bulkJob } from '../../src/jobs/bulk/index.js'
import { BudgetError } from '../../src/jobs/index.js'
import type { Ledger } from '../../src/jobs/ledger/index.js'
import { ledgerError } from '../../src/jobs/ledger/store.js'
import type { Next } from '../../src/messages/index.js'
import type { SoapErrorDetails, SoapErrorKind } from '../../src/soap/client/errors.js'
import { SoapError } from '../../src/soap/client/index.js'
import { MemoryShort } from '../../src/system/memory.js'
import { SqliteFault } from '../../src/system/sqlite.js'
import { type Home, openHome, root } from '../e2e/harness.js'
import { cleanUp, temporaryDirectory, temporaryLedger } from '../jobs/harness.js'
import { scratch } from '../scratch.js'
import { createTestHost } from '../test-host.js'
import { rejectedBy, thrownBy } from '../thrown.js'
import { type Case, PREPARED } from './prepared.js'
import { UNPROVOKED } from './units.js'

const GOLDEN = join(root, 'test/errors/errors.golden.json')
const CHANGED = 'If the new words are meant, accept them with "UPDATE_GOLDEN=1 npx mocha test/errors/errors.test.ts".'

interface Said {
  readonly message: string
  readonly hint: string
  /** In addition to code, category, message, hint and exitCode. */
  readonly keys: readonly string[]
  /** `command | why`, for each that the hint names. */
  readonly next: readonly string[]
}

const manifest: { commands: Record<string, { flags: object }> } = JSON.parse(
  readFileSync(join(root, 'oclif.manifest.json'), 'utf8'),
)

/** Every command that a hint names is there as data, with flags that it has. */
function checkNext(hint: string, next: readonly Next[]): void {
  const named = next.map(({ command }) => command.split(' ')[1] ?? '')
  expect(named, hint).to.include.members((hint.match(/(?<=\bseller )[a-z]+:[a-z-]+/g) ?? []) as string[])
  for (const { command, why } of next) {
    expect(Object.keys(manifest.commands), hint).to.include(command.split(' ')[1])
    const flags = Object.keys(manifest.commands[command.split(' ')[1] ?? '']?.flags ?? {})
    expect(['help', ...flags], command).to.include.members(command.match(/(?<= --)[a-z][a-z-]*/g) ?? [])
    expect(why, command).to.match(/\S/)
  }
}

const linesOf = (next: readonly Next[], steady: (text: string) => string): string[] =>
  next.map(({ command, why }) => steady(`${command} | ${why}`))

const plain = (...args: string[]): Case => ({ args })
const settingsFile = (home: Home): string => settingsPath(home.configDir)

/** A run for each code that one command line is enough for. */
const CASES: Partial<Record<ErrorCode, Case>> = {
  unknown_command: plain('acount:show'),
  unknown_flag: plain('items:list', '--sate', 'active'),
  unknown_column: plain('items:list', '--columns', 'Idd'),
  unknown_member: plain('members:payments', 'nobody'),
  unexpected_argument: plain('account:show', 'me'),
  missing_argument: plain('items:show'),
  missing_flags: plain('items:add'),
  wrong_usage: plain('items:list', '--state', 'sleeping'),
  stray_flag: plain('call', 'GetItem', 'itemId=1', '--kind', 'write'),
  stdin_twice: { args: ['items:add', '--file', '-', '--description-file', '-'], stdin: 'x' },
  too_many_arguments: plain('feedback:leave', '17', 'Tack', '--order', '5', '--positive', '--yes'),
  several_inputs: plain('shop:remove', '1', '--file', 'x.csv'),
  nothing_to_do: plain('images:upload', '90000001'),
  exec_not_started: plain('transactions:watch', '--once', '--since', '60d', '--exec', '["./nobody"]'),
  no_prices: plain('shop:price'),
  rule_without_items: plain('shop:price', '--add', '5kr'),
  empty_period: plain('items:list', '--ends-after', '2026-12-02', '--ends-before', '2026-12-01'),
  not_at_public_service: plain('items:list', '--seller', '1002', '--started-before', '2026-01-01'),
  invalid_values: plain('items:list', '--state', 'sleeping', '--ends-after', 'soon'),
  invalid_duration: plain('requests:wait', '--timeout', '5'),
  invalid_date: plain('items:list', '--ends-after', 'soon'),
  invalid_number: plain('items:show', 'first'),
  service_contradicts: plain('call', 'PublicService.GetItem', 'itemId=1', '--service', 'restricted'),
  invalid_operation: plain('call', 'Get Item', '--service', 'restricted'),
  unknown_operation: plain('call', 'GetIten', '--service', 'restricted'),
  operation_not_offered: plain('items:end', '1001'),
  unreadable_file: plain('shop:price', '--file', 'nowhere.csv'),
  unreadable_input: plain('shop:price', '--all'),
  no_such_profile: plain('items:list', '--profile', 'elsewhere'),
  invalid_profile_name: plain('auth:login', '--profile', 'a b'),
  not_logged_in: { args: ['items:list'], env: { SELLER_TOKEN: '' } },
  invalid_input: plain('shop:add', '--title', 'Mugg', '--category', '344481', '--price', '0'),
  item_not_found: plain('items:show', '999999999'),
  category_not_found: plain('reference:categories', '--category', '999999999'),
  job_not_found: plain('jobs:show', '999'),
  discount_not_found: plain('discounts:show', '999'),
  request_not_found: plain('requests:show', '999'),
  refused_by_service: plain('members:payments', '999999'),
  invalid_fault_injection: plain('sandbox:start', '--fault', 'latency=long'),
  confirmation_missing: plain('shop:price', '--all', '--add', '1kr'),
  nothing_chosen: plain('shop:price', '--reference', 'RUEL-*', '--add', '1kr'),
  settings_damaged: {
    args: ['items:list'],
    before: async (home) => {
      await mkdir(home.configDir, { recursive: true })
      await writeFile(settingsFile(home), '{"profiles":')
    },
    after: (home) => rm(settingsFile(home)),
  },
  settings_unreadable: {
    args: ['items:list'],
    before: (home) => mkdir(settingsFile(home), { recursive: true }),
    after: (home) => rm(settingsFile(home), { recursive: true }),
  },
  sandbox_is_built_in: plain('auth:login', '--profile', 'sandbox', '--app-id', '5'),
  no_user: { args: ['account:show'], answer: '' },
  wrong_address: { args: ['account:show'], env: { SELLER_BASE_URL: 'SANDBOX/shop' } },
  operation_not_recognized: { args: ['account:show'], env: { SELLER_NAMESPACE: 'http://other.example' } },
  wrong_namespace: { args: ['account:show'], answer: '', env: { SELLER_NAMESPACE: 'http://other.example' } },
  no_shop: { args: ['shop:settings'], answer: '' },
  not_a_description: { args: ['service:check'], answer: '' },
  no_logo: { args: ['shop:settings', '--logo', 'logo.png'], answer: '<GetShopSettingsResult />' },
  no_result: { args: ['call', 'GetItem', 'itemId=1'], answer: '' },
  ledger_damaged: {
    args: ['jobs:list'],
    env: { SELLER_DATA_DIR: 'damaged' },
    before: async (home) => {
      await mkdir(join(home.dir, 'damaged'), { recursive: true })
      await writeFile(join(home.dir, 'damaged', 'ledger.db'), 'This is not a database.'.repeat(100))
    },
  },
  invalid_percent: plain('shop:price', '--all', '--add', '1kr', '--allow', 'max_change=much'),
  unwritable_file: {
    args: ['ledger:backup', 'taken.db'],
    before: (home) => home.file('taken.db', 'a file'),
  },
  unknown_setting: { args: ['auth:login', '--profile', 'shop', '--stdin'], stdin: 'app_kye=k-00000000' },
  invalid_setting: plain('auth:login', '--profile', 'shop', '--base-url', 'ftp://example.com'),
  empty_stdin: { args: ['auth:login', '--profile', 'shop', '--stdin'], stdin: ' ' },
  invalid_stdin: { args: ['auth:login', '--profile', 'shop', '--stdin'], stdin: '{"app_key":' },
  cannot_be_removed: plain('shop:remove', '999999999', '--yes'),
  transaction_not_found: plain('feedback:leave', '999999999', 'Tack', '--positive', '--yes'),
  invalid_description: { args: ['service:check', '--file', 'no.wsdl'], before: (home) => home.file('no.wsdl', 'plain text') },
  invalid_seed: { args: ['sandbox:seed', 'seed.csv'], before: (home) => home.file('seed.csv', 'Title\nMugg\n') },
  ledger_missing: { args: ['ledger:check'], env: { SELLER_DATA_DIR: 'nothing' } },
  no_eid_session: plain('sandbox:eid', 'approve'),
  directory_unusable: {
    args: ['jobs:list'],
    env: { SELLER_DATA_DIR: 'taken' },
    before: (home) => home.file('taken', 'a file'),
  },
}

const ledgerFault = (kind: 'busy' | 'full' | 'unusable'): SellerError => {
  const fault = new SqliteFault(kind, '/data/ledger.db', 'permission denied', new Error('x'))
  return ledgerError(fault)
}

/** A call of GetItem that failed. */
function failedCall(kind: SoapErrorKind, message: string, details: Partial<SoapErrorDetails>): () => SoapError {
  return () => new SoapError(kind, message, { operation: 'GetItem', sent: true, ...details })
}

/** Answers a confirmation with no, as a person does. */
async function answerNo(): Promise<void> {
  const stdin = new PassThrough()
  const stderr = new PassThrough()
  stderr.resume()
  stderr.once('data', () => setTimeout(() => stdin.write('n\r'), 200))
  const host = { stdin, stderr: stderr as unknown as Host['stderr'] }
  await createPrompts({ available: true, host }).confirm({ message: 'Send 2 new prices?', flag: '--yes', given: false })
}

/** Changes settings whose lock another process holds. */
async function changeLocked(): Promise<void> {
  const configDir = temporaryDirectory()
  const path = settingsPath(configDir).replace(/\.json$/, '.lock')
  writeFileSync(path, '')
  const clock = { now: () => statSync(path).mtimeMs, sleep: async () => {}, random: () => 0 }
  await changeStored({ configDir, clock }, () => {})
}

/** A ledger whose job 1 has steps and no rows. */
function ledgerWithListing(): Ledger {
  const ledger = temporaryLedger()
  ledger.jobs.create({ profile: 'shop', kind: 'listing', title: 'Mugg', detail: {} })
  return ledger
}

/** Output of --json if the result of a write cannot be written: the report itself makes the error. */
async function lostOutput(): Promise<ErrorDocument> {
  const host = createTestHost()
  host.carriedOut.add('AddItem')
  await reportError(toSellerError(Object.assign(new Error('x'), { code: 'ENOSPC' })), { argv: ['--json'], host })
  return JSON.parse(host.written.stdout).error
}

/** Codes that need more than one command line. */
const UNITS: Partial<Record<ErrorCode, () => unknown>> = {
  broken_contract: () => new SoapError('broken', 'Price is missing.', { operation: 'GetItem', sent: true, httpStatus: 200 }),
  ledger_busy: () => ledgerFault('busy'),
  ledger_full: () => ledgerFault('full'),
  ledger_unreadable: () => ledgerFault('unusable'),
  invalid_price: () => thrownBy(Error, () => readKronor('4.50', '--price')),
  system_error: () => Object.assign(new Error('x'), { code: 'ENOSPC', path: '/data/x' }),
  unexpected: () => new TypeError('x'),
  interrupted: () => new Interrupted('SIGINT'),
  fault: failedCall('fault', 'GetItem: the service answered: The server failed.', {
    httpStatus: 500,
    faultString: 'The server failed.',
  }),
  unavailable: failedCall('unavailable', 'GetItem: the service is not available (HTTP 503).', { httpStatus: 503 }),
  refused: failedCall('refused', 'GetItem: the service refused the call (HTTP 403).', { httpStatus: 403 }),
  proxy_refused: failedCall('refused', 'GetItem: the proxy asks for credentials (HTTP 407).', {
    httpStatus: 407,
    origin: 'proxy_asks',
  }),
  binding_refused: failedCall('not-soap', 'GetItem: the service does not take this version of SOAP (HTTP 415).', {
    httpStatus: 415,
    origin: 'media_type',
  }),
  server_failed: failedCall('not-soap', 'GetItem: the web server failed with a page of its own (HTTP 500).', {
    httpStatus: 500,
    origin: 'server_failed',
  }),
  request_too_large: failedCall('not-soap', 'AddItemImage: the web server takes no request of this size (HTTP 413).', {
    httpStatus: 413,
    origin: 'request_large',
  }),
  redirected: failedCall('refused', 'GetItem: the service answered with a redirect (HTTP 302).', { httpStatus: 302 }),
  not_soap: failedCall('not-soap', 'GetItem: the reply is not XML.', { httpStatus: 200 }),
  reply_too_large: failedCall('too-large', 'GetItem: the reply is larger than the limit of 5 bytes.', { httpStatus: 200 }),
  too_many_calls: failedCall('quota', 'GetItem: too many calls (HTTP 429).', { httpStatus: 429, retryAfterMs: 5000 }),
  connection_lost: failedCall('interrupted', 'GetItem: the connection was lost (ECONNRESET).', { reason: 'ECONNRESET' }),
  unknown_outcome: failedCall('unknown-outcome', 'AddItem: the connection was lost.', { operation: 'AddItem' }),
  unreachable: failedCall('unreachable', 'GetItem: no connection to localhost (ECONNREFUSED).', {
    sent: false,
    host: 'localhost',
    reason: 'ECONNREFUSED',
  }),
  engine_missing: () => Object.assign(new Error('Module not found.'), { code: 'ERR_DLOPEN_FAILED' }),
  memory_short: () => new MemoryShort(250_000),
  sandbox_unusable: () =>
    thrownBy(Error, () =>
      sandboxRefused(new Error('The disk is full.', { cause: new SqliteFault('full', '/data/x', 'full', null) })),
    ),
  declined: () => rejectedBy(Error, answerNo()),
  settings_locked: () => rejectedBy(Error, changeLocked()),
  no_bulk_job: () => thrownBy(Error, () => bulkJob(ledgerWithListing(), 1)),
  output_lost: lostOutput,
  max_calls_reached: () => new BudgetError('max-calls', 5, 5, 'Spent.', 'Raise it.'),
}

/** A service that answers every call with the same content of its response. @returns its address */
async function answering(content: string, namespace: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const operation = /<(?:\w+:)?Body[^>]*>\s*<(\w+)/.exec(body)?.[1] ?? ''
      response.setHeader('content-type', 'application/soap+xml; charset=utf-8')
      response.end(
        `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><${operation}Response xmlns="${namespace}">${content}</${operation}Response></s:Body></s:Envelope>`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** The JSON of an error, or what is one already. */
function documentOf(made: unknown): ErrorDocument {
  if (typeof made === 'object' && made !== null && 'next' in made) return made as ErrorDocument
  const error = toSellerError(made)
  return errorDocument(error, { exitCode: error.exitCode, words: undefined, edge: {} })
}

/** Error that a unit throws, or the error that it returns. */
async function errorOf(make: () => unknown): Promise<unknown> {
  try {
    return await make()
  } catch (error) {
    return error
  }
}

describe('error codes', function () {
  this.timeout(60_000)
  const golden: Partial<Record<ErrorCode, Said>> = process.env.UPDATE_GOLDEN ? {} : JSON.parse(readFileSync(GOLDEN, 'utf8'))
  const found: Partial<Record<ErrorCode, Said>> = {}
  let home: Home
  let prepared: Home

  before(async () => {
    home = await openHome({ sandbox: {} })
    prepared = await openHome({ sandbox: { extended: true } })
  })
  afterEach(cleanUp)
  after(async () => {
    await home.close()
    await prepared.close()
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, `${JSON.stringify(found, undefined, 2)}\n`)
  })

  /** Removes what differs from run to run: homes, ports, dates, and ids that depend on what ran before. */
  const steady = (text: string): string =>
    text
      .replaceAll(home.dir, 'HOME')
      .replaceAll(prepared.dir, 'HOME')
      .replaceAll(/127\.0\.0\.1:\d+|(?<=[Pp]ort )\d+/g, 'HOST')
      .replaceAll(/\b(?:\d{8,}|(?<=[Jj]obs? |jobs:\w+ )\d+)\b/g, 'ID')
      .replaceAll(/(?<=: |, )\d+(?= is )/g, 'ID')
      .replaceAll(/\d+ of \d+ shop items/g, 'N of N shop items')
      // Which of several files is read first is chance.
      .replaceAll(/\.\w+Service\.json/g, '.SERVICE.json')
      .replaceAll(/saved on \d{4}-\d\d-\d\d/g, 'saved on DAY')
      .replaceAll(/, at \d{4}-\d\d-\d\d \d\d:\d\d(?: Swedish time)?/g, ', at HH:MM')

  const compare = async (where: Home, name: ErrorCode, { args, stdin, answer, env, before: prepare, after: tidy }: Case) => {
    await prepare?.(where)
    const paths = env?.SELLER_DATA_DIR === undefined ? {} : { SELLER_DATA_DIR: join(where.dir, env.SELLER_DATA_DIR) }
    const service = answer === undefined ? undefined : await answering(answer, where.env.SELLER_NAMESPACE ?? '')
    const other = service === undefined ? {} : { SELLER_BASE_URL: service.url }
    const at = Object.fromEntries(
      Object.entries(env ?? {}).map(([key, value]) => [key, value?.replace('SANDBOX', where.sandbox.url)]),
    )
    const run = await where.run([...args, '--json'], { stdin, env: { ...at, ...paths, ...other } })
    service?.close()
    await tidy?.(where)
    const { code, category, message, hint, next, exitCode, ...details } = run.json().error
    const entry = ERROR_CODES[name]
    expect([code, category, exitCode, run.code], run.stdout + run.stderr).to.deep.equal([
      name,
      entry.category,
      exitCodeOf(name),
      exitCodeOf(name),
    ])
    expect([...entry.keys, ...JOB_KEYS]).to.include.members(Object.keys(details))
    expect(hint).to.match(/\S/)
    checkNext(hint, next)
    found[name] = { message: steady(message), hint: steady(hint), keys: Object.keys(details), next: linesOf(next, steady) }
    if (!process.env.UPDATE_GOLDEN) expect(found[name], CHANGED).to.deep.equal(golden[name])
  }

  for (const [name, one] of Object.entries(CASES)) {
    it(`${name}: says what happened, and what to do`, () => compare(home, name as ErrorCode, one))
  }

  for (const [name, prepare] of Object.entries(PREPARED)) {
    it(`${name}: says what happened, and what to do`, async () => compare(prepared, name as ErrorCode, await prepare(prepared)))
  }

  for (const [name, make] of Object.entries({ ...UNITS, ...UNPROVOKED })) {
    it(`${name}: is made with its keys and a hint`, async () => {
      const { code, category: _category, message, hint, next, exitCode: _exitCode, ...details } = documentOf(await errorOf(make))
      const keys = Object.keys(details).filter((key) => details[key] !== undefined)
      const entry = ERROR_CODES[name as ErrorCode]
      expect(code).to.equal(name)
      expect([...entry.keys, ...JOB_KEYS]).to.include.members(keys)
      expect(hint).to.match(/\S/)
      checkNext(hint, next)
      const placeless = (text: string) =>
        text
          .replaceAll(scratch(), 'TEMP')
          .replaceAll(tmpdir(), 'TEMP')
          .replaceAll(/TEMP[^\s)"]*/g, 'FILE')
          .replaceAll(/layouts up to \d+/g, 'layouts up to N')
      found[code] = { message: placeless(message), hint: placeless(hint), keys, next: linesOf(next, placeless) }
      if (!process.env.UPDATE_GOLDEN) expect(found[code], CHANGED).to.deep.equal(golden[code])
    })
  }

  it('are each produced here, or named by another test', () => {
    const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.startsWith('errors'))
      .map((file) => readFileSync(join(root, 'test', file), 'utf8'))
      .join('\n')
    const untested = Object.keys(ERROR_CODES).filter(
      (code) =>
        !(code in CASES || code in UNITS || code in PREPARED || code in UNPROVOKED) &&
        !new RegExp(`['\`]${code}['\`]`).test(tests),
    )
    expect(untested).to.deep.equal([])
  })

  it('have keys in camelCase, and sentences', () => {
    for (const [code, { keys, meaning }] of Object.entries(ERROR_CODES)) {
      expect(code).to.match(/^[a-z]+(_[a-z]+)*$/)
      for (const key of keys) expect(key, code).to.match(/^[a-z]+([A-Z][a-z]+)*$/)
      expect(meaning, code).to.match(/^\S.*\.$/)
    }
  })

  it('are in docs/scripting.md, which is not stale', () => {
    const text = readFileSync(join(root, 'docs/scripting.md'), 'utf8')
    expect(errorDocsOf(text), 'Run `npm run build` and commit docs/scripting.md.').to.equal(text)
    expect(errorDocsOf(text.replace('| `job_over` | usage |', '| `job_over` | auth |'))).to.equal(text)
  })
})
