/**
 * Sheets of other systems and damaged ones (sheets/, README.md), by every command that takes rows: carried out by the built
 * product over real HTTP, and judged by values that were reckoned without it. Nothing may be set wrong; a refusal proposes what
 * then works.
 */
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { controlSandbox } from '../control-sandbox.js'
import { type Home, openHome, type Run } from '../e2e/harness.js'

type Values = Readonly<Record<string, number>>

interface Sheet {
  readonly file: string
  /** By own reference; null where the file has none that may be set. */
  readonly price: Values | null
  readonly stock: Values | null
  readonly costs: Values | null
  /** Prices that are live before; `right`: those of the file, with VAT. */
  readonly live?: Values | 'right'
  /** Other prices that are right too, where the seller names them. */
  readonly alternative?: Values
  /** True if a value of the file may stay unsent for a reason of its own. */
  readonly mayLack?: boolean
}

const here = fileURLToPath(new URL('.', import.meta.url))
const path = process.env.SELLER_SHEETS_CASES ?? join(here, 'sheets.json')
const folder = process.env.SELLER_SHEETS_FILES ?? join(here, 'sheets')
const SHEETS = JSON.parse(readFileSync(path, 'utf8')) as readonly Sheet[]

/** Items that are live beside those of a file: near ones, that a damaged reference may mean. */
const LIVE: Values = {
  'KOPP-1': 100,
  'KOPP-2': 150,
  'FAT-10': 380,
  '000451': 250,
  '3-4': 149,
  '1E5': 199,
  'V-1': 1000,
  'K-1': 120,
}
const CATEGORY = '344481'
/** Number in stock of every item; that of no file. */
const STOCK = 7

type Verdict = 'right' | 'asked' | 'refused' | 'lacking' | 'wrong'
type Command = 'price' | 'stock' | 'costs' | 'sync' | 'add' | 'auction'

const homes = new Map<string, Promise<Home>>()

async function homeWith(live: Values): Promise<Home> {
  const home = await openHome({ sandbox: { faults: { queueDelayMs: 0 }, extended: true, described: true } })
  const store = openStore(join(home.dir, 'server.db'), 'process')
  store.exec('UPDATE items SET ends = starts')
  store.close()
  const lines = Object.entries(live).map(([reference, price]) => `Vara ${reference},${price},${reference},${STOCK}`)
  await controlSandbox(home.sandbox.url, 'seed', { csv: `Title,Price,OwnReference,Quantity\n${lines.join('\n')}\n` })
  return home
}

function homeOf({ live, price }: Sheet): Promise<Home> {
  const own = live === 'right' ? (price ?? { 'KOPP-1': 110, 'KOPP-2': 159 }) : (live ?? {})
  const key = JSON.stringify(own)
  const home = homes.get(key) ?? homeWith({ ...LIVE, ...own })
  homes.set(key, home)
  return home
}

interface Outcome {
  readonly run: Run
  readonly price: Values
  readonly stock: Values
  readonly costs: Values
  /** Items that would be added. */
  readonly added: readonly string[]
}

const NOTHING = { price: {}, stock: {}, costs: {}, added: [] }

async function carryOut(home: Home, command: Command, file: string, more: readonly string[]): Promise<Outcome> {
  // Answers of an earlier run are kept for the layout.
  await rm(join(home.configDir, 'profiles.json'), { force: true })
  const run = await home.run([...COMMANDS[command](join(folder, file)), ...more])
  if (run.code !== 0) return { run, ...NOTHING }
  switch (command) {
    case 'price':
      return { run, ...NOTHING, price: valuesIn(run.json(), 'NewPrice', 'OldPrice') }
    case 'stock':
      return { run, ...NOTHING, stock: valuesIn(run.json(), 'Quantity', 'OldQuantity') }
    case 'costs': {
      const listed = (await home.done('shop:costs', '--json')).json() as {
        Id: number | null
        OwnReference: string
        Cost: number
      }[]
      for (const { Id, OwnReference } of listed) await home.done('shop:costs', '--remove', OwnReference ?? String(Id))
      return {
        run,
        ...NOTHING,
        costs: Object.fromEntries(listed.map(({ Id, OwnReference, Cost }) => [OwnReference ?? `id ${Id}`, Cost])),
      }
    }
    case 'sync': {
      const { Rows } = run.json() as { Rows: { Action: string; State: string; OwnReference: string; Wanted: number }[] }
      const sent = Rows.filter(({ State }) => State === 'change')
      const by = (action: string) =>
        Object.fromEntries(
          sent.flatMap(({ Action, OwnReference, Wanted }) => (Action === action ? [[OwnReference, Wanted]] : [])),
        )
      return { run, ...NOTHING, price: by('reprice'), stock: by('restock'), added: Object.keys(by('add')) }
    }
    default: {
      const { Rows: rows } = run.json() as { Rows: { State: string; Request: { OwnReferences?: string[] } }[] }
      return {
        run,
        ...NOTHING,
        added: rows.flatMap(({ State, Request }) => (State === 'change' ? [String(Request.OwnReferences)] : [])),
      }
    }
  }
}

function valuesIn({ Rows }: { Rows: Record<string, unknown>[] }, field: string, old: string): Values {
  return Object.fromEntries(
    Rows.flatMap(({ OwnReference, State, [field]: value, [old]: before }) =>
      State === 'change' && value !== before ? [[String(OwnReference), Number(value)]] : [],
    ),
  )
}

const COMMANDS: Readonly<Record<Command, (file: string) => string[]>> = {
  price: (file) => ['shop:price', '--file', file, '--dry-run', '--json', '--allow', 'max_change'],
  stock: (file) => ['shop:stock', '--file', file, '--dry-run', '--json'],
  costs: (file) => ['shop:costs', '--file', file, '--json'],
  sync: (file) => ['shop:sync', '--file', file, '--dry-run', '--json', '--allow', 'max_change'],
  add: (file) => ['shop:add', '--file', file, '--dry-run', '--json', '--category', CATEGORY],
  auction: (file) => ['items:add', '--file', file, '--dry-run', '--json', '--category', CATEGORY],
}

/** Compares what would be set with what is right. @param live values that need not be set */
function judged(found: Values, right: Values | null, live: Values, alternative: Values = {}): 'right' | 'wrong' | 'lacking' {
  const wanted = right ?? {}
  for (const [reference, value] of Object.entries(found))
    if (value !== wanted[reference] && value !== alternative[reference]) return 'wrong'
  return Object.entries(wanted).every(([reference, value]) => found[reference] !== undefined || live[reference] === value)
    ? 'right'
    : 'lacking'
}

function verdictOf(command: Command, outcome: Outcome, sheet: Sheet, answered: boolean): Verdict {
  const live = sheet.live === 'right' ? (sheet.price ?? {}) : (sheet.live ?? LIVE)
  const alternative = answered ? sheet.alternative : undefined
  if (outcome.added.length > 0) return 'wrong'
  const rights = {
    price: judged(outcome.price, command === 'price' || command === 'sync' ? sheet.price : null, live, alternative),
    stock: judged(outcome.stock, command === 'stock' || command === 'sync' ? sheet.stock : null, {}, {}),
    costs: judged(outcome.costs, command === 'costs' ? sheet.costs : null, {}),
  }
  const all = Object.values(rights)
  if (all.includes('wrong')) return 'wrong'
  if (outcome.run.code !== 0) return 'refused'
  return all.includes('lacking') ? 'lacking' : 'right'
}

/** Flags that a refusal or a plan proposes. */
function proposalsIn({ stderr, stdout }: Run): string[][] {
  const text = `${stderr}\n${stdout}`.replaceAll('\\"', '"')
  const found = [...text.matchAll(/--column ([\w]+)=(?:'((?:[^']|'\\'')*)'|([\w-]*))|--prices (net|gross)/g)]
  const flags = found.map(([, field, quoted, bare, prices]) =>
    prices === undefined ? ['--column', `${field}=${quoted ?? bare ?? ''}`] : ['--prices', prices],
  )
  return [...new Map(flags.map((each) => [each.join(' '), each])).values()]
}

/** True if a file has nothing that a command may set. */
function hasNone(command: Command, { price, stock, costs }: Sheet): boolean {
  if (command === 'price') return price === null
  if (command === 'stock') return stock === null
  if (command === 'costs') return costs === null
  return command === 'sync' ? price === null && stock === null : true
}

async function tried(home: Home, command: Command, sheet: Sheet): Promise<{ verdict: Verdict; outcome: Outcome; with?: string }> {
  const outcome = await carryOut(home, command, sheet.file, [])
  const verdict = verdictOf(command, outcome, sheet, false)
  if (verdict === 'right' || verdict === 'wrong' || hasNone(command, sheet)) {
    return { verdict: verdict === 'wrong' ? verdict : 'right', outcome }
  }
  const first = proposalsIn(outcome.run)
  const queue = [...first]
  for (let at = 0; at < queue.length && at < 8; at++) {
    const flags = queue[at] ?? []
    const again = await carryOut(home, command, sheet.file, flags)
    const then = verdictOf(command, again, sheet, true)
    // A column without VAT may be named before VAT is asked about; nothing wrong is set in between.
    if (then === 'right') return { verdict: 'asked', outcome: again, with: flags.join(' ') }
    if (flags.length < 5)
      for (const more of proposalsIn(again.run)) if (!flags.includes(more[1] ?? '')) queue.push([...flags, ...more])
  }
  return { verdict: sheet.mayLack === true ? 'right' : verdict, outcome }
}

describe('sheets of other systems and damaged ones', function () {
  this.timeout(600_000)
  const table: { file: string; verdicts: Record<string, string> }[] = []
  after(async () => {
    for (const home of homes.values()) await (await home).close()
    const count = (wanted: string) =>
      table.flatMap(({ verdicts }) => Object.values(verdicts)).filter((one) => one === wanted).length
    const sums = ['right', 'asked', 'refused', 'lacking', 'wrong'].map((word) => `${word} ${count(word)}`)
    process.stderr.write(`    ${sums.join(', ')}\n`)
    if (process.env.SELLER_SHEETS_TABLE !== undefined)
      for (const { file, verdicts } of table)
        process.stderr.write(
          `    ${file.padEnd(34)} ${Object.values(verdicts)
            .map((each) => each.padEnd(8))
            .join(' ')}\n`,
        )
  })
  for (const sheet of SHEETS) {
    it(`${sheet.file}: nothing is set wrong, and a refusal proposes what then works`, async () => {
      const verdicts: Record<string, string> = {}
      const said: string[] = []
      for (const command of Object.keys(COMMANDS) as Command[]) {
        const { verdict, outcome } = await tried(await homeOf(sheet), command, sheet)
        verdicts[command] = verdict
        if (verdict !== 'right' && verdict !== 'asked')
          said.push(
            `${command}: ${verdict} ${JSON.stringify({ ...outcome, run: undefined })}\n${outcome.run.stderr}${outcome.run.code === 0 ? '' : outcome.run.stdout}`,
          )
      }
      table.push({ file: sheet.file, verdicts })
      expect(said.join('\n')).to.equal('')
    })
  }
})

describe('a file of before a sale', function () {
  this.timeout(60_000)
  it('is held where its number in stock is the one that was read before, until --restock', async () => {
    const home = await homeWith(LIVE)
    const sold = (number: number) => {
      const store = openStore(join(home.dir, 'server.db'), 'process')
      store.exec(`UPDATE items SET remaining = ${number} WHERE price = ${LIVE['K-1']} AND ends > starts`)
      store.close()
    }
    const live = async () => {
      const items = (await home.done('items:list', '--type', 'shop', '--state', 'active', '--json')).json() as {
        OwnReferences: string[]
        RemainingQuantity: number
      }[]
      return items.find(({ OwnReferences }) => OwnReferences.includes('K-1'))?.RemainingQuantity
    }
    const file = await home.file('export.csv', (await home.done('shop:export', '--output', 'csv')).stdout)
    const numbers = await home.file('numbers.csv', 'OwnReference,AbsoluteQuantity\nK-1,7\n')
    sold(2)
    for (const command of ['shop:sync', 'shop:stock']) {
      // The second run knows it too, though the number that was last read is the one after the sale.
      for (let run = 0; run < 2; run++) {
        const held = await home.run([command, '--file', command === 'shop:sync' ? file : numbers, '--yes', '--json'])
        expect(held.code, held.stderr).to.equal(6)
        expect(held.stderr).to.include('7 is its number in stock from before it fell to 2')
        expect(await live()).to.equal(2)
      }
    }
    await home.done('shop:stock', '--file', numbers, '--yes', '--restock')
    expect(await live()).to.equal(7)
    // Goods that were sold after that are known from the number that the job has set.
    sold(1)
    expect((await home.run(['shop:stock', '--file', numbers, '--yes'])).code).to.equal(6)
    await home.done('shop:stock', 'K-1=4', '--yes')
    await home.done('shop:stock', 'K-1=0', '--yes')
    // A job took them out: nothing was sold.
    const again = await home.file('again.csv', 'OwnReference,Quantity\nK-1,4\n')
    expect((await home.run(['shop:stock', '--file', again, '--yes'])).code).to.equal(0)
    await home.close()
  })
})
