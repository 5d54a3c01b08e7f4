/** Texts of a hostile service, in every field of every reply: neither a secret nor an escape sequence reaches the output. */
import { expect } from 'chai'
import { type Operation, operations } from '../../src/contract/index.js'
import { closing, opened } from '../opened.js'
import { fullReplyOf } from '../soap/damage.js'
import { fault, openHostile, SECRETS } from './hostile.js'

// Characters that XML can carry and a terminal obeys: CSI and OSC as single characters, a line break that begins a false line,
// the separators and overrides of Unicode; and the secrets plain, escaped and as character references.
const ESCAPES = '\u009b31mred \u009d0;title\u009c&#13;&#10;Error: false \u2028line \u202egpj.exe\u202c'
const references = (text: string) => [...text].map((character) => `&#${character.charCodeAt(0)};`).join('')
const EVIL = `${ESCAPES} ${SECRETS.token} ${references(SECRETS.key)} ${references(SECRETS.token)}`
/** Inside a text that is long enough to be cut. */
const LONG = `${EVIL}${'x'.repeat(3000)}`

const FORMS: readonly (readonly string[])[] = [
  [],
  ['-o', 'json'],
  ['-o', 'ndjson'],
  ['-o', 'csv'],
  ['-o', 'tsv'],
  ['-o', 'table'],
  ['--trace'],
]

const COMMANDS: readonly (readonly string[])[] = [
  ['items:show', '7'],
  ['items:list'],
  ['items:list', '--sort', 'Title'],
  ['items:show', '7', '--public'],
  ['transactions:list'],
  ['account:show'],
  ['shop:settings'],
  ['members:payments', '7'],
  ['campaigns:validate', 'VALKOMMEN'],
  ['requests:show', '7'],
  ['eid:status'],
  ['reference:categories'],
  ['reference:counties'],
  ['feedback:pending'],
  ['call', 'GetItem', 'itemId=7'],
  ['call', 'GetSellerItems', 'categoryId=0', 'filterActive=All', 'filterItemType=All'],
]

const WRITES: readonly (readonly string[])[] = [
  ['shop:price', '7=100', '--blind', '--yes', '--wait'],
  ['call', 'SetPricesOnNonShopItems', 'itemId=7', 'openingPrice=12'],
  ['items:add', '--title', 'Vas', '--category', '344481', '--opening', '100', '--shipping', 'pickup', '--wait'],
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for; LF alone is ours.
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a tab parts the columns of rows, CR LF the rows of CSV.
const UNSAFE_BUT_TAB = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u2029]/

describe('texts of the service', () => {
  const home = opened(openHostile)

  const expectClean = (run: { stdout: string; stderr: string }, what: string, stdout: RegExp) => {
    for (const secret of Object.values(SECRETS)) expect(run.stdout + run.stderr, what).not.to.include(secret)
    expect(run.stderr, what).not.to.match(UNSAFE)
    // A trace shows a reply with its own line breaks.
    if (!what.includes('--trace')) expect(run.stderr, what).not.to.match(/^Error: false/m)
    expect(run.stdout, what).not.to.match(stdout)
  }

  for (const args of COMMANDS) {
    it(`are harmless in every form of seller ${args.join(' ')}`, async () => {
      home.answer((operation: Operation) => fullReplyOf(operation, EVIL))
      for (const form of FORMS) {
        const run = await home.seller(...args, ...form)
        const what = `${args.join(' ')} ${form.join(' ')}\n${run.stdout}\n${run.stderr}`
        const separated = form[1] !== 'json' && form[1] !== 'ndjson'
        expectClean(run, what, separated ? UNSAFE_BUT_TAB : UNSAFE)
      }
    })
  }

  it('are masked in the raw reply of call too', async () => {
    home.answer((operation: Operation) => fullReplyOf(operation, SECRETS.token))
    const run = await home.seller('call', 'GetItem', 'itemId=7', '--raw')
    expect(run.stdout).to.include('<GetItemResult>').and.not.include(SECRETS.token)
  })

  for (const args of WRITES) {
    it(`are harmless in what the ledger keeps of seller ${args[0]}`, async () => {
      for (const text of [EVIL, LONG]) {
        for (const reply of [
          (operation: Operation) => fullReplyOf(operation, text),
          ({ name }: Operation) => (name.startsWith('Get') ? undefined : fault(text)),
          ({ name }: Operation) => (name.startsWith('Get') ? undefined : fault(`Invalid request ---&gt; ${text}`, 'Sender')),
        ]) {
          home.answer(reply)
          expectClean(await home.seller(...args), `${args[0]}`, UNSAFE_BUT_TAB)
        }
      }
      home.answer(() => undefined)
      for (const list of [['requests:list', '--all'], ['jobs:list']]) {
        for (const form of FORMS.slice(0, -1)) {
          const run = await home.seller(...list, ...form)
          expectClean(run, `${list[0]} ${form.join(' ')}\n${run.stdout}`, /[\u009b\u009d]/)
        }
        const rows = (await home.seller(...list, '--json')).json() as { Message: string | null }[]
        for (const { Message } of rows) expect(Message?.length ?? 0).to.be.below(2600)
      }
    })
  }

  it('are harmless in the plain text by which the HTTP forms fail, where even an escape character travels', async () => {
    const other = await openHostile()
    other.answer(() => ({
      status: 500,
      type: 'text/plain; charset=utf-8',
      body: `\u001b[31m${SECRETS.token}\r\nError: false\u0007`,
    }))
    await other.done('auth:login', '--profile', 'get', '--setting', 'binding=get', '--no-input', '--no-verify')
    for (const form of FORMS) {
      const run = await other.seller('account:show', '--profile', 'get', ...form)
      expect(run.code).to.equal(1)
      expectClean(run, `${form.join(' ')}\n${run.stdout}\n${run.stderr}`, UNSAFE_BUT_TAB)
    }
    await other.close()
  })

  it('of a fault are kept to 2,000 characters, in the error and in the ledger', async () => {
    home.answer(({ name }) => (name === 'RemoveShopItem' ? fault(`No. ${'x'.repeat(900_000)}`, 'Sender') : undefined))
    const run = await home.seller('call', 'RemoveShopItem', 'shopItemId=7', '--json')
    const { error } = run.json()
    expect(error.faultString).to.match(/x… \(898\d\d\d more characters\)$/)
    expect(run.stdout.length).to.be.below(10_000)
    const [row] = (await home.seller('requests:list', '--json', '--limit', '1')).json()
    expect(row.Message.length).to.be.below(2600)
  })

  it('are the only ones bounded: a description of 7,000 characters is shown whole', async () => {
    home.answer((operation) => (operation === operations.GetItem ? fullReplyOf(operation, 'y'.repeat(7000)) : undefined))
    expect((await home.seller('items:show', '7', '--json')).json().LongDescription).to.have.length(7000)
  })
})

describe('a key in the wrong variable', () => {
  it('is not echoed', async () => {
    await using home = closing(await openHostile())
    const key = 'a1b2c3d4-this-is-a-secret-key'
    for (const name of ['SELLER_USER_ID', 'SELLER_APP_ID', 'SELLER_BASE_URL', 'SELLER_NAMESPACE', 'SELLER_PROFILE']) {
      for (const json of [[], ['--json']]) {
        const run = await home.run(['account:show', ...json], { env: { [name]: key } })
        expect(run.code, name).to.equal(2)
        expect(run.stdout + run.stderr, name)
          .to.include(name)
          .and.not.include(key)
      }
    }
  })
})
