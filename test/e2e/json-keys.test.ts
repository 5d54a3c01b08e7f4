/**
 * Data that scripts read: the keys of every command's --json and the types of their values, compared with a file. Values, and ids
 * in particular, are not compared. The rows of a list are merged.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { commandSchema, readSchemas, type Schema } from '../../src/cli/schemas.js'
import { operationsOf } from '../../src/contract/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { opened } from '../opened.js'
import { NS } from './described.js'
import { root } from './harness.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'
import { OWN_SELLERS, writeProfiles } from './several-shops.js'
import { setFaults, stock } from './shop.js'

const GOLDEN = join(root, 'test/e2e/json-keys.golden.json')
const CHANGED =
  'What scripts read has changed. If that is meant, accept it with "UPDATE_GOLDEN=1 npx mocha test/e2e/json-keys.test.ts", and tell it in CHANGELOG.md.'

type Item = { ItemType: string; TotalBids: number }
type Keys = Record<string, string>

/** Key paths of a JSON document, sorted, with the types found there: `{'[].Id': 'number', '[].Reference': 'null | string'}`. */
function keysOf(document: unknown): Keys {
  const found = new Map<string, Set<string>>()
  const walk = (value: unknown, path: string): void => {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    found.set(path, (found.get(path) ?? new Set()).add(type))
    if (Array.isArray(value)) for (const each of value) walk(each, `${path}[]`)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) walk(each, path === '' ? key : `${path}.${key}`)
  }
  walk(document, '')
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([path, types]) => [path === '' ? '(all)' : path, [...types].sort().join(' | ')]))
}

/** A schema that allows no other keys than it names. */
function closed(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties !== undefined ? { additionalProperties: false, ...value } : value,
  )
}

const commandOf = (name: string): string => name.replace(/,.*/, '')

/** Commands that print no records of a shop: text, the service's reply to an operation as it is, the tool's own set-up. */
const WITHOUT_RECORDS = /^(help|completion|call|sandbox:.*|auth:(login|logout|token|use))$/

/** Commands that write text or files, or are the sandbox itself. */
const WITHOUT_SCHEMA = /^(help|completion|sandbox:.*)$/

describe('the keys of --json', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, extended: true }))
  const found: Record<string, Keys> = {}
  const documents: Record<string, unknown> = {}
  /** The commands that the messages of a run name, on stderr. */
  const named: Record<string, readonly string[]> = {}
  const golden: Record<string, Keys> = process.env.UPDATE_GOLDEN ? {} : JSON.parse(readFileSync(GOLDEN, 'utf8'))

  before(async () => {
    await home.file('a.png', PIXEL.png)
    // biome-ignore lint/suspicious/noExplicitAny: what a script would read, unchecked.
    const of = async (name: string, ...args: string[]): Promise<any> => {
      // `items:price, a run`: the words after the comma distinguish runs of one command.
      const run = await home.seller(commandOf(name), ...args, '--json')
      expect(run.stdout, `${name}\n${run.stderr}`).to.not.equal('')
      expect('error' in run.json(), run.stdout).to.equal(name.includes(', an error'))
      documents[name] = run.json()
      named[name] = run.stderr.match(/seller [a-z]+:[a-z-]+/g) ?? []
      found[name] = keysOf(documents[name])
      return documents[name]
    }
    await of('doctor')
    await of('commands', '--full')
    await of('schema')
    const releases = createServer((_, response) => response.end('{"version":"9.0.0","files":[]}'))
    await once(releases.listen(0, '127.0.0.1'), 'listening')
    await of('update:check', '--url', `http://127.0.0.1:${(releases.address() as AddressInfo).port}/release.json`)
    releases.close()
    const rows = 'Title,CategoryId,Price\nMugg,344481,149\nFat,344481,20\n'
    const shopFile = await home.file('shop.csv', rows)
    const syncFile = await home.file(
      'sync.csv',
      `SKU,Titel,CategoryId,Pris,Lager\nS1,Ny titel,,1,2\nS2,,,205,\nS3,Krus,${CATEGORY},99,1\n`,
    )
    const draftFile = await home.file('draft.yaml', `Title: Vas\nCategoryId: ${CATEGORY}\nStartPrice: 10\nAutoCommit: false\n`)
    // Without the first operation, so that there is a difference to show.
    const some = Object.values(operationsOf('PublicService')).slice(1)
    const description = await home.file('public.wsdl', buildWsdl('PublicService', NS, 'https://api.example.com', some))
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = await stock(home, [100, 200, 300, 400, 500, 600])
    await stock(home, [300, 200], { reference: (at) => `S${at + 1}` })
    await home.seller('service:check', '--save')
    const auction = ['--title', 'Kruka', '--category', CATEGORY, '--opening', '10', '--shipping', 'pickup']
    const mug = ['--title', 'Mugg', '--category', CATEGORY, '--price', '149']
    // Independent commands run at once: one that waits for the service leaves the processor to the others.
    const [items, added, draft, pending, priced] = await Promise.all([
      of('items:list', '--state', 'active'),
      of('items:add, waited for', ...auction, '--image', 'a.png', '--wait'),
      home.seller('items:add', '--file', draftFile, '--json').then((run) => run.json()),
      of('feedback:pending'),
      of('shop:price, a run', `${a}=101`, `${b}=202`, `${c}=1`, '--yes', '--wait', '--verify'),
      of('shop:add, waited for', ...mug, '--wait'),
      of('shop:add, of a file', '--file', shopFile, '--yes', '--wait'),
      of('shop:remove', String(d), '--wait'),
    ])
    const free = String(items.find((item: Item) => item.ItemType === 'Auction' && item.TotalBids === 0).Id)
    const request = String(added.RequestId)
    const uncommitted = String(draft.RequestId)
    const job = String(priced.JobId)
    // Before the plans, which know of costs or do not.
    await of('shop:costs, stored', `${a}=50`)
    await of('shop:costs')
    await of('items:relist', '--unsold', '--dry-run')
    // Each line in its order, the lines beside each other.
    const lines: (readonly [string, ...string[]])[][] = [
      [
        ['shop:price, a dry run', `${a}=110`, `${b}=202`, `${c}=1`, '999=5', '--dry-run'],
        ['jobs:show', job],
        ['jobs:resume', job],
        ['shop:restore', '--at', '2026-01-01', '--dry-run'],
        ['jobs:undo', job, '--yes'],
      ],
      [['eid:verify', '--no-wait'], ['eid:status'], ['eid:cancel']],
      [
        ['campaigns:attach', uncommitted, 'VALKOMMEN'],
        ['images:upload', uncommitted, 'a.png'],
      ],
      [
        ['items:price, a dry run', free, '--opening', '120', '--dry-run'],
        ['items:price, a run', free, '--opening', '130'],
        ['items:end', free, '--yes'],
      ],
      [['feedback:leave', String(pending[0].Id), '--positive', 'Tack', '--yes'], ['transactions:list']],
      [
        ['shop:stock, a dry run', `${e}=3`, '--dry-run'],
        ['shop:stock, a run', `${e}=3`, '--yes'],
        ['shop:update, a dry run', String(e), '--title', 'Krus', '--dry-run'],
        ['shop:update, a run', String(e), '--title', 'Krus', '--yes', '--allow', 'max_shortened'],
        ['shop:activate, a dry run', String(e), '--at', '2099-01-01', '--dry-run'],
        ['shop:activate, a run', String(e), '--at', '2099-01-01', '--yes'],
        ['items:list, scheduled', '--state', 'scheduled'],
        ['shop:settings, a closing', '--close', '--from', '1d', '--until', '2d', '--yes'],
      ],
      [['transactions:mark', String(pending[1].Id), '--paid']],
      // After the items that others change: a sync compares the whole shop.
      [
        ['shop:export'],
        ['shop:export, for Google', '--form', 'google'],
        ['shop:export, for schema.org', '--form', 'schema-org'],
        ['shop:sync, a dry run', '--file', syncFile, '--dry-run'],
        ['shop:sync, a run', '--file', syncFile, '--yes', '--wait'],
      ],
      [
        ['shop:discount', 'Flash', `${f}=500`, '--from', 'now', '--until', '+1h', '--yes'],
        ['jobs:due', '--wait'],
        ['discounts:show', '1'],
        ['discounts:end', '1', '--yes', '--wait'],
        ['shop:discount, a plan', 'Later', `${f}=500`, `${a}=1`, '--from', '+1h', '--until', '+1h', '--yes'],
        ['discounts:show, of a plan', '2'],
        ['discounts:drop', '2'],
        ['discounts:list'],
        ['schedule:show', 'systemd'],
      ],
      [
        ['orders:list', '--since', '60d'],
        ['orders:show', '70015'],
        ['today'],
        ['orders:watch', '--once', '--since', '60d'],
        ['orders:export', '--since', '60d'],
        ['orders:labels', '70015'],
        ['orders:slips', '70015'],
        ['orders:mark, a dry run', '70015', '--sent', '--dry-run'],
        ['orders:mark, a run', '70015', '--sent'],
        ['orders:forget', '70015'],
        ['orders:note', '70015', '--set', 'refund-for=proportion'],
        ['orders:export, the books', '--since', '60d', '--form', 'sie', '--out', 'books.si'],
        ['orders:export, the VAT return', '--since', '60d', '--form', 'vat'],
      ],
      [['sales:report', '--since', '60d', '--by', 'week']],
      [['transactions:watch', '--once', '--since', '60d']],
      [['items:add, a dry run', ...auction, '--dry-run']],
      [['items:list, of another seller', '--seller', '1002']],
      [['items:show', String(a)]],
      [['images:list', String(items.find((item: { ImageLinks: string[] }) => item.ImageLinks.length > 0).Id)]],
      [['items:show, of several', String(a), String(b)]],
      [['transactions:show', String(pending[1].Id)]],
      [['items:show, to the public', String(a), '--public']],
      [['requests:show', request]],
      [['requests:wait', request]],
      [['calls:show']],
      [['account:show']],
      [['auth:status']],
      [['auth:status, the profiles', '--all']],
      [['campaigns:validate', 'STORRABATT']],
      [['members:payments', '1002']],
      [['shop:settings']],
      [['prices:history', String(b)]],
      ...['bidder-types', 'categories', 'counties', 'expo-item-types', 'item-types', 'payment-types', 'shipping', 'time'].map(
        (name): [[string]] => [[`reference:${name}`]],
      ),
      [['reference:attributes', 'keramik']],
      [['items:show, an error', '999999999']],
      [['items:list, an error of usage', '--type', 'vas']],
      [['shop:add, an error of validation', '--title', 'Mugg', '--category', CATEGORY, '--price', '0']],
    ]
    const work = async (): Promise<void> => {
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
        for (const [name, ...args] of line) await of(name, ...args)
      }
    }
    await Promise.all([work(), work(), work()])
    // Found new by the next reading, whatever the readings above have seen.
    await home.done('shop:add', ...mug, '--yes', '--wait')
    await home.seller('shop:price', `${c}=290`, '--yes', '--wait')
    await of('shop:diff', '--since', '1d')
    await setFaults(home, { 'queue-delay': '1h' })
    const waiting = (await home.seller('shop:price', `${b}=210`, '--yes', '--json')).json()
    await of('jobs:drop', String(waiting.JobId), '--yes')
    await Promise.all([
      of('calls:show, one by one', '--list'),
      of('jobs:list'),
      of('requests:list', '--all'),
      of('service:check', '--file', description),
      of('service:operations'),
      of('service:show', 'AddItem'),
      of('ledger:backup', 'copy.db').then(() => of('ledger:restore', 'copy.db', '--dry-run')),
      of('ledger:prune', '--older-than', '400d', '--dry-run'),
    ])
    await writeProfiles(home)
    const overShops = async (command: string, ...args: string[]): Promise<void> => {
      const run = await home.run([command, ...args, '--profiles', 'shop-*', '--json'], { env: OWN_SELLERS })
      const name = `${command}, of several shops`
      documents[name] = run.json()
      found[name] = keysOf(documents[name])
      // By the hour of the day each shop has something to do, or one has nothing.
      if (command === 'today') found[name] = { ...found[name], '[].Message': 'null | string' }
    }
    await overShops('shop:price', `${b}=215`, '--yes')
    await overShops(
      'shop:discount',
      'Over',
      '--reference',
      '1002-*',
      '--add',
      '-1kr',
      '--from',
      '+1h',
      '--until',
      '+2h',
      '--dry-run',
    )
    await overShops('jobs:due')
    await overShops('jobs:list')
    await overShops('jobs:resume')
    await overShops('sales:report', '--since', '60d')
    await overShops('today')
    const broken = openStore(join(home.dataDir, 'ledger.db'), 'power')
    broken.exec('UPDATE bulk_states SET ok = ok + 1')
    broken.close()
    await of('ledger:check')
    if (!process.env.UPDATE_GOLDEN) return
    Object.assign(golden, found)
    const sorted = Object.fromEntries(Object.entries(found).sort(([x], [y]) => (x < y ? -1 : 1)))
    writeFileSync(GOLDEN, `${JSON.stringify(sorted, undefined, 2)}\n`)
  })

  it('are held for every command that prints records', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
    const printing = Object.keys(commands).filter((id) => !WITHOUT_RECORDS.test(id))
    expect([...new Set(Object.keys(found).map(commandOf))]).to.have.members(printing)
    expect(Object.keys(found), CHANGED).to.have.members(Object.keys(golden))
  })

  it('are those that scripts were told', () => {
    for (const [name, keys] of Object.entries(found)) expect(keys, `${name}: ${CHANGED}`).to.deep.equal(golden[name])
  })

  it('are those of the schemas, all of them and no others', () => {
    const schemas = readSchemas(root)
    const printing = Object.keys(JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')).commands)
    expect(Object.keys(schemas.commands)).to.have.members(printing.filter((id) => !WITHOUT_SCHEMA.test(id)))
    const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true })
    for (const command of new Set(Object.keys(documents).map(commandOf)))
      ajv.addSchema(closed(commandSchema(schemas, command) as Schema), command)
    const wrong = Object.entries(documents).flatMap(([name, document]) => {
      const command = commandOf(name)
      const { Rows, Look } = Object(document)
      const rows = Array.isArray(document) ? document : (Rows ?? Look)
      const lines: unknown[] = name.endsWith('several shops') || !Array.isArray(rows) ? [] : rows
      const line = `${command}#/$defs/line`
      const pairs: [string, unknown][] = [[command, document], ...lines.map((each): [string, unknown] => [line, each])]
      return pairs.flatMap(([of, value]) => (ajv.validate(of, value) ? [] : [`${name}: ${ajv.errorsText()}`]))
    })
    expect(wrong.join('\n')).to.equal('')
  })

  it('have what the messages name to type next, also where rows end the document', () => {
    const of = (name: string) => (documents[name] as { readonly next?: readonly { readonly command: string }[] }).next
    for (const [name, document] of Object.entries(documents)) {
      if (Array.isArray(document) || name.includes(', an error')) continue
      const commands = (of(name) ?? []).map(({ command }) => command.split(' ', 2).join(' '))
      expect(commands, name).to.include.members([...(named[name] ?? [])])
    }
    const discount = of('shop:discount, a plan')?.map(({ command }) => command)
    expect(discount).to.deep.equal(['seller jobs:due', 'seller schedule:show'])
    expect(of('shop:price, a run')?.at(-1)?.command).to.match(/^seller jobs:undo [0-9]+$/)
    expect(of('shop:sync, a run')).to.not.equal(undefined)
    expect(of('shop:sync, a dry run'), 'nothing to type').to.equal(undefined)
    expect(of('shop:export, for schema.org'), 'keys of schema.org').to.equal(undefined)
  })

  it('have times with a zone, everywhere', () => {
    const without: string[] = []
    const walk = (value: unknown, path: string): void => {
      if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) && !/(?:Z|[+-]\d\d:\d\d)$/.test(value))
        without.push(`${path}: ${value}`)
      else if (typeof value === 'object' && value !== null)
        for (const [key, each] of Object.entries(value)) walk(each, Array.isArray(value) ? `${path}[]` : `${path}.${key}`)
    }
    for (const [name, document] of Object.entries(documents)) walk(document, name)
    expect([...new Set(without)]).to.deep.equal([])
  })

  it('have parts whose names stand in the sources, and no number of the compiler', () => {
    const { commands, error, shared } = readSchemas(root)
    const used = JSON.stringify([commands, error, shared]).matchAll(/#\/\$defs\/(\w+)/g)
    expect([...new Set(Array.from(used, ([, name]) => name))]).to.have.members(['CategoryValue', 'Detail', 'Details'])
    expect(shared).to.have.all.keys('CategoryValue', 'Detail', 'Details')
  })

  it('are shown for either spelling, and only of a command that writes JSON', async () => {
    const [one, two, none] = await Promise.all(
      [['items:list'], ['items', 'list'], ['help']].map((words) => home.seller('schema', ...words)),
    )
    expect([one?.json().title, one?.stdout === two?.stdout]).to.deep.equal(['seller items:list --json', true])
    expect([none?.code, none?.stderr]).to.deep.equal([
      2,
      'Error: There is no command "help" that writes JSON.\nList those that do with: seller schema\n',
    ])
  })
})
