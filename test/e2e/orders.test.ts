/** Orders: listed, shown, marked, and forgotten, over real HTTP. */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { systemClock as REAL_CLOCK } from '../../src/system/clock.js'
import { controlSandbox } from '../control-sandbox.js'
import { closing, openedForEach } from '../opened.js'
import { openHostile } from './hostile.js'
import { openObserved } from './observed.js'
import { setFaults, stock } from './shop.js'

interface Order {
  OrderId: number
  State: string
  Buyer: { FirstName?: string }
}

const planted = ['Persson', 'Björkvägen 11', 'per.2001@example.se', '070-174 06 26', 'Hägg', 'Rudbecksgatan 40']

/** The planted words that are in the files of a folder. */
async function found(dir: string): Promise<string[]> {
  return foundIn((await readdir(dir)).map((file) => join(dir, file)))
}

async function foundIn(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file).catch(() => Buffer.alloc(0))))
  return planted.filter((word) => texts.some((text) => text.includes(word)))
}

describe('orders', () => {
  const home = openedForEach(() => openObserved({ faults: { queueDelayMs: 0 }, extended: true, orderIds: true }))
  let items: number[]
  beforeEach(async () => {
    items = await stock(home, [100, 200, 300, 400], { quantity: 3 })
    home.calls()
  })

  const list = async (...args: string[]): Promise<Order[]> => (await home.seller('orders:list', ...args, '--json')).json()
  const ids = (orders: readonly Order[]) => orders.map(({ OrderId }) => OrderId)
  /** The order of a new sale. */
  const buy = async (body: object = {}): Promise<number> => {
    const { TransactionId } = (await controlSandbox(home.sandbox.url, 'buy', { itemId: items[0], ...body })) as {
      TransactionId: number
    }
    const sales = (await home.seller('transactions:list', '--json')).json() as { Id: number; OrderId: number }[]
    return sales.find(({ Id }) => Id === TransactionId)?.OrderId ?? 0
  }

  it('are marked once each: by ids, from stdin, again after a break', async () => {
    const order = await buy()
    const [unpaid] = (await list('--unpaid')) as [Order]
    home.calls()
    const run = await home.seller('orders:mark', String(order), String(unpaid.OrderId), '--sent', '--json')
    expect([run.code, run.json().Counts.ok, run.json().Kind]).to.deep.equal([0, 2, 'order'])
    expect(home.calls()).to.deep.equal(Array(2).fill('SetSellerOrderAsShipped'))
    const again = await home.seller('orders:mark', String(order), String(unpaid.OrderId), '--sent', '--paid', '--json')
    // The first was paid when it was bought.
    expect([again.json().Counts.ok, home.calls()]).to.deep.equal([1, ['SetSellerOrderAsPaid']])
    expect(ids(await list('--sent'))).to.include.members([order, unpaid.OrderId])

    const open = await list('--to-send')
    expect(open).to.have.length.above(3)
    await setFaults(home, { 'drop-after': '100%' })
    const input = { stdin: JSON.stringify(open) }
    const broken = await home.run(['orders:mark', '--file', '-', '--sent', '--yes', '--json'], input)
    expect(broken.code).to.equal(EXIT.failure)
    await setFaults(home, { 'drop-after': '0%' })
    home.calls()
    const resumed = await home.seller('jobs:resume', '--json')
    expect([resumed.code, resumed.json().Counts.ok]).to.deep.equal([0, open.length])
    home.calls()
    const nothing = await home.run(['orders:mark', '--file', '-', '--sent', '--yes', '--json'], input)
    expect([nothing.json().JobId, home.calls()]).to.deep.equal([null, []])
    expect(await list('--to-send')).to.deep.equal([])
  })

  it('of one item and buyer have each their own sale, also where one is shown alone', async () => {
    await using own = closing(await openObserved({ faults: { queueDelayMs: 0 }, extended: true }))
    const [itemId] = await stock(own, [100], { quantity: 3 })
    for (const _ of [1, 2]) await controlSandbox(own.sandbox.url, 'buy', { itemId })
    const read = async (...args: string[]): Promise<(Order & { Items: { ItemId: number }[] })[]> =>
      (await own.seller(...args, '--json')).json()
    const bought = (await read('orders:list')).filter(({ Items }) => Items[0]?.ItemId === itemId)
    const [first, second] = ids(bought).map(String)
    expect((await own.seller('call', 'SetSellerOrderAsShipped', `request.OrderId=${first}`)).code).to.equal(0)
    expect((await read('orders:list')).filter(({ OrderId }) => String(OrderId) === first)[0]?.State).to.equal('sent')
    expect(await read('orders:show', first ?? '')).to.include({ State: 'sent' })
    expect(await read('orders:show', second ?? '')).to.include({ State: 'to-send' })
  })

  it('without sales are cancelled only where the order service has them no longer', async () => {
    const [left, gone] = [await buy(), await buy({ itemId: items[1] })]
    const states = async () => {
      const orders = await list()
      return [left, gone].map((id) => orders.find(({ OrderId }) => OrderId === id)?.State)
    }
    const inService = (sql: string, ...values: number[]): void => {
      const store = openStore(join(home.dir, 'server.db'), 'process')
      store.run(sql, ...values)
      store.close()
    }
    expect(await states()).to.deep.equal(['to-send', 'to-send'])
    inService('UPDATE transactions SET seller_id = 1002 WHERE order_number IN (?, ?)', left, gone)
    expect(await states(), 'both are still there').to.deep.equal(['to-send', 'to-send'])
    inService('DELETE FROM orders WHERE id = ?', gone)
    expect(await states()).to.deep.equal(['to-send', 'cancelled'])
  })

  it('have labels: as files, to a command, and then they are sent', async () => {
    const [one, two] = [await buy(), await buy({ buyerId: 2003 })]
    const [unpaid] = (await list('--unpaid')) as [Order]
    home.calls()
    const named = [one, two, unpaid.OrderId].map(String)
    const run = await home.seller('orders:labels', ...named, '--dir', 'new/labels', '--json')
    expect([run.code, home.calls()]).to.deep.equal([EXIT.someRowsFailed, ['GetFreightLabels']])
    expect(run.json().map(({ Bytes }: { Bytes: number | null }) => Bytes === null)).to.deep.equal([false, false, true])
    expect(run.stderr)
      .to.include(`No label is booked for 1 order: ${unpaid.OrderId}`)
      .and.include(`orders:mark ${one} ${two} --sent`)
    const [{ File: file }] = run.json()
    expect(file).to.match(new RegExp(`^new/labels/label-\\d{4}-\\d\\d-\\d\\d-${one}\\.pdf$`))
    expect((await readFile(join(home.dir, file))).subarray(0, 5).toString()).to.equal('%PDF-')
    expect((await stat(join(home.dir, file))).mode & 0o777, 'it names a buyer').to.equal(0o600)
    expect(run.stderr).to.include(`Wrote ${file}, `)
    const twice = await home.seller('orders:labels', ...named, '--dir', 'new/labels', '--json')
    expect([twice.code, twice.json().error.code]).to.deep.equal([EXIT.usage, 'unwritable_file'])
    const printed = await home.seller('orders:labels', '--print', `cat >> ${join(home.dir, 'printed')}`, '--sent', '--json')
    expect([printed.code, printed.json().every(({ Printed }: { Printed: boolean }) => Printed)]).to.deep.equal([0, true])
    const bytes = await readFile(join(home.dir, 'printed'), 'latin1')
    expect(bytes.split('%%EOF')).to.have.length(printed.json().length + 1)
    expect(await list('--to-send')).to.deep.equal([])
    // The same labels once more, as after a kill of the script.
    const print = ['--print', `cat >> ${join(home.dir, 'printed')}`, '--no-sent', '--json']
    const again = await home.seller('orders:labels', String(one), ...print)
    expect([again.code, again.stderr], again.stdout).to.deep.equal([
      0,
      `Printed before: ${one}. To print once more, add --again.\n`,
    ])
    const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
    store.run('UPDATE printed_labels SET printed = 0 WHERE id = ?', one)
    store.close()
    const unsure = await home.seller('orders:labels', String(one), ...print)
    expect([unsure.code, unsure.stderr.includes('A run was killed while it printed')]).to.deep.equal([EXIT.someRowsFailed, true])
    expect(await readFile(join(home.dir, 'printed'), 'latin1')).to.equal(bytes)
    const all = ['orders:labels', String(one), String(two), '--out', 'all.pdf', '--no-sent']
    const joined = await home.seller(...all, '--again', '--print', `cat > ${join(home.dir, 'joined')}`, '--json')
    expect([
      joined.code,
      joined.json().map(({ File, Printed }: { File: string; Printed: boolean }) => [File, Printed]),
    ]).to.deep.equal([0, Array(2).fill(['all.pdf', true])])
    const whole = await readFile(join(home.dir, 'all.pdf'))
    expect(whole.equals(await readFile(join(home.dir, 'joined')))).to.equal(true)
    expect((await PDFDocument.load(whole)).getPageCount()).to.equal(2)
    expect((await home.seller(...all, '--json')).json().error.code).to.equal('unwritable_file')
    const failing = await home.seller('orders:labels', String(one), '--again', '--print', 'exit 3', '--sent', '--json')
    expect([failing.code, failing.json()[0].Printed]).to.deep.equal([EXIT.someRowsFailed, false])
  })

  it('are what today begins with: at most three calls, each line with its command, also by seller alone', async () => {
    await home.seller('auth:login', '-p', 'shop', '--no-verify', '--no-input')
    await buy()
    home.calls()
    const run = await home.done('today', '-p', 'shop', '--json')
    expect(home.calls().sort()).to.deep.equal(['GetSellerItems', 'GetSellerOrders', 'GetSellerTransactions'])
    const found = run.json() as { Kind: string; Count: number; Command: string }[]
    const open = await list('--to-send', '-p', 'shop')
    expect(found.find(({ Kind }) => Kind === 'to_send')).to.include({
      Count: open.length,
      Command: 'seller orders:labels --profile shop',
    })
    expect(found.map(({ Kind }) => Kind)).to.include('unpaid')
    for (const { Command: command } of found) {
      if (/labels/.test(command)) continue
      expect((await home.seller(...command.split(' ').slice(1))).code, command).to.equal(0)
    }
    const alone = await home.seller()
    expect([alone.code, alone.stdout]).to.deep.equal([0, (await home.seller('today')).stdout])
    await using bare = closing(await openObserved())
    const without = await bare.seller('today', '--json')
    expect([without.code, bare.calls()]).to.deep.equal([0, ['GetSellerItems']])
  })

  it('have no label where the service sends something else', async () => {
    await using hostile = closing(await openHostile())
    const run = await hostile.seller('orders:labels', '7', '--sent', '--json')
    expect([run.code, run.json().error.code]).to.deep.equal([EXIT.failure, 'broken_label'])
    expect(hostile.calls()).to.deep.equal(['GetFreightLabels'])
  })

  it('need their service: without it there is one clear message, and everything else works', async () => {
    const other = { env: { SELLER_APP_ID: '2', SELLER_APP_KEY: '0c7b2f6e-2222-4d4f-9a57-2b6f0e5a7d02' } }
    await using plain = closing(await openObserved())
    for (const [run, status] of [
      [await home.run(['orders:list', '--json'], other), 403],
      [await plain.seller('orders:list', '--json'), 404],
    ] as const) {
      expect([run.code, run.json().error.code, run.json().error.httpStatus]).to.deep.equal([
        EXIT.failure,
        'no_order_service',
        status,
      ])
      expect(run.json().error.hint).to.match(/activate the order service/)
    }
    expect((await home.run(['transactions:list'], other)).code).to.equal(0)
    const check = await plain.seller('service:check')
    expect([check.code, check.stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 0 && /This service has no OrderService/.test(said),
    )
  })

  it('keep who the buyer is for a time, apart from backups and traces, until it is forgotten', async () => {
    const [one, two] = [await buy(), await buy({ buyerId: 2003 })]
    const trace = await home.seller('orders:list', '--trace', '--json')
    expect(planted.filter((word) => trace.stdout.includes(word))).to.deep.equal(planted)
    expect(planted.filter((word) => trace.stderr.includes(word))).to.deep.equal([])
    expect(await found(home.dataDir)).to.deep.equal(planted)
    const copy = join(home.dir, 'copy')
    await mkdir(copy)
    await home.seller('ledger:backup', join(copy, 'ledger.db'))
    expect(await found(copy)).to.deep.equal([])
    await home.seller('ledger:backup', join(copy, 'whole.db'), '--with', 'personal')
    expect(await found(copy)).to.deep.equal(planted)

    expect((await home.seller('orders:forget', String(one), '--json')).json()).to.deep.equal({ Forgotten: 1 })
    expect((await home.seller('orders:forget', '--all', '--json')).code).to.equal(EXIT.held)
    expect((await home.seller('orders:forget', '--all', '--yes', '--json')).json().Forgotten).to.be.above(5)
    expect(await found(home.dataDir)).to.deep.equal([])
    const kept = await list()
    expect(kept.find(({ OrderId }) => OrderId === two)).to.deep.include({ State: 'to-send' })
    expect(kept.every(({ Buyer }) => Buyer.FirstName === undefined)).to.equal(true)
    expect(await found(home.dataDir), 'a later list does not bring it back').to.deep.equal([])
  })

  it('keep nothing of a buyer where the profile says so, and remove what is past its time, everywhere', async () => {
    const login = (keep: string) =>
      home.seller('auth:login', '--profile', 'p', '--setting', `keep_personal=${keep}`, '--no-verify', '--no-input')
    await login('none')
    await list('-p', 'p')
    expect(await found(home.dataDir)).to.deep.equal([])
    await login('20d')
    const said: string[] = []
    const run = async (args: readonly string[], now?: number): Promise<void> => {
      const clock = { ...REAL_CLOCK, now: () => now ?? Date.now(), sleep: async () => undefined }
      const { code, stderr } = await home.run([...args, '-p', 'p', '--json'], { clock })
      said.push(`${code} ${stderr}`)
    }
    await run(['orders:list', '--refresh', '--trace'])
    const [order] = ids(await list('--to-send', '-p', 'p'))
    await run(['ledger:backup', join(home.dir, 'copy.db')])
    await run(['orders:mark', '999', String(order), '--sent', '--trace'])
    await setFaults(home, { 'drop-after': '100%' })
    for (const command of [
      ['orders:show', '70001'],
      ['orders:labels', '--no-sent'],
      ['orders:mark', '998', '--paid'],
    ])
      await run([...command, '--trace'])
    await setFaults(home, { 'drop-after': '0%' })
    expect(
      said.filter((text) => text.startsWith('0')),
      said.join('\n'),
    ).to.have.length(2)
    expect(planted.filter((word) => said.some((text) => text.includes(word)))).to.deep.equal([])
    expect(await found(home.dataDir)).to.include('Persson')
    // Another process has the file open, as a watch has.
    const other = openStore(join(home.dataDir, 'ledger.db'), 'process')
    other.all('SELECT id FROM orders')
    await run(['jobs:list'], Date.now() + 21 * 86_400_000)
    const files = (await readdir(home.dir, { recursive: true }))
      .filter((name) => !name.startsWith('server.db'))
      .map((name) => join(home.dir, name))
    expect(files.some((name) => name.endsWith('ledger.db-wal'))).to.equal(true)
    expect(await foundIn(files)).to.deep.equal([])
    other.close()
  })
})
