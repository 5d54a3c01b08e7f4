/** Orders on paper and in the books: packing slips, rows with VAT, and SIE 4 files read by another reader. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { controlSandbox } from '../control-sandbox.js'
import { openedForEach } from '../opened.js'
import { readSie, type Voucher } from '../oracles/sie.js'
import { words } from './harness.js'
import { openObserved } from './observed.js'
import { stock } from './shop.js'

interface Order {
  OrderId: number
  SubTotal: number
  ShippingCost: number
  ShippingWeight: number | null
  Items: { OwnReferences: string[] }[]
  SellerOrderPayments: { Amount: number; PaymentCost: number; PaidDate: string }[]
}
type Row = { OrderId: number; Kind: string; Amount: number; Vat: number; Net: number; VatRate: number; PaidDate: string }
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

describe('orders in the books', () => {
  const home = openedForEach(() => openObserved({ faults: { queueDelayMs: 0 }, extended: true }))

  const orders = async (): Promise<Order[]> => (await home.seller('orders:list', '--since', '100d', '--json')).json()
  const rows = async (...args: string[]): Promise<Row[]> => (await home.seller('orders:export', ...args, '--json')).json()
  const sie = async (name: string, ...args: string[]) => {
    await home.done('orders:export', '--form', 'sie', '--out', name, ...args)
    return readSie(await readFile(join(home.dir, name)))
  }
  const ofAccount = (vouchers: readonly Voucher[], account: string) =>
    sum(vouchers.flatMap(({ lines }) => lines.filter((line) => line.account === account).map(({ ore }) => ore)))

  it('are rows: one for each line with its VAT, every order in the export of one day only', async () => {
    const paid = (await orders()).filter(({ SellerOrderPayments: payments }) => payments.length > 0)
    home.calls()
    const all = await rows('--since', '100d')
    expect(home.calls(), 'what was read is kept').to.deep.equal(['GetSellerOrders'])
    expect(new Set(all.map(({ OrderId }) => OrderId))).to.deep.equal(new Set(paid.map(({ OrderId }) => OrderId)))
    expect(sum(all.map(({ Amount }) => Amount))).to.equal(sum(paid.map(({ SubTotal, ShippingCost }) => SubTotal + ShippingCost)))
    for (const { Amount, Vat, Net, VatRate } of all) {
      expect(Math.round((Vat + Net) * 100)).to.equal(Amount * 100)
      expect(Vat).to.be.closeTo((Amount * VatRate) / (100 + VatRate), 0.005)
    }
    const days = [...new Set(all.map(({ PaidDate }) => PaidDate.slice(0, 10)))]
    const nightly = await Promise.all(
      days.map((day) => {
        const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
        return rows('--since', day, '--until', next, '--offline')
      }),
    )
    expect(nightly.flat()).to.have.deep.members(all)
  })

  it('are named beside vouchers and boxes where they have no payment, until somebody has cancelled them', async () => {
    const unpaid = (await orders()).filter(({ SellerOrderPayments: payments }) => payments.length === 0)
    const ids = unpaid.map(({ OrderId }) => OrderId)
    expect(ids).to.have.length.above(0)
    const named = async (...args: string[]): Promise<number[]> =>
      (await home.seller('orders:export', '--since', '100d', '--json', ...args)).json().NotPaid
    const file = ['--form', 'sie', '--out', 'all.se', '--force']
    expect([await named(...file), await named('--form', 'vat')]).to.deep.equal([ids, ids])
    const said = (await home.done('orders:export', '--since', '100d', ...file)).stderr.replace(/\s+/g, ' ')
    expect(said).to.match(new RegExp(`\\b(?:has|have) no payment, so (?:it is|they are) not booked: ${ids.join(', ')}`))
    const [first = 0, ...others] = ids
    await home.done('orders:note', String(first), '--set', 'cancelled=today')
    expect(await named('--form', 'vat')).to.deep.equal(others)
  })

  it('are vouchers that balance, whose sums are those of orders:list', async () => {
    const paid = (await orders()).filter(({ SellerOrderPayments: payments }) => payments.length > 0)
    const { head, vouchers } = await sie('books.se', '--since', '100d')
    expect(head.get('#SIETYP')).to.deep.equal(['4'])
    expect([head.get('#FORMAT'), head.get('#FLAGGA')]).to.deep.equal([['PC8'], ['0']])
    const days = paid.map(({ SellerOrderPayments: [payment] }) => payment?.PaidDate.slice(0, 10).replaceAll('-', '') ?? '')
    expect(vouchers.map(({ date }) => date)).to.deep.equal([...days].sort())
    const added = await home.shell(
      `seller orders:list --since 100d --json | jq '[.[] | select(.SellerOrderPayments != [])] | ([.[].SellerOrderPayments[].Amount] | add), ([.[].SellerOrderPayments[].PaymentCost] | add), ([.[] | .SubTotal + .ShippingCost] | add)'`,
    )
    const [total = 0, cost = 0, sold] = added.lines().map(Number)
    expect(ofAccount(vouchers, '1580')).to.equal((total - cost) * 100)
    expect(ofAccount(vouchers, '6040')).to.equal(cost * 100)
    expect(-sum(['3001', '2611', '3520'].map((account) => ofAccount(vouchers, account)))).to.equal(total * 100)
    expect(total).to.equal(sold)
  })

  it('are in sales:report: shipping, fees, and the margin after them, also beside the year before', async () => {
    await home.seller('orders:list', '--since', '100d', '--json')
    const report = async (...args: string[]) => (await home.seller('sales:report', '--since', '90d', ...args, '--json')).json()
    const { Total, Rows } = await report('--by', 'buyer', '--compare', 'none')
    const orders = (await home.seller('orders:list', '--since', '100d', '--offline', '--json')).json() as Order[]
    home.calls()
    const offline = await report('--by', 'buyer', '--compare', 'none', '--offline')
    expect([offline.Total, home.calls()]).to.deep.equal([Total, []])
    expect(Total.OrderedSales).to.equal(Total.Sales)
    expect(Total.Shipping).to.equal(sum(orders.map(({ ShippingCost }) => ShippingCost)))
    expect(sum(Rows.map(({ Shipping }: { Shipping: number | null }) => (Shipping ?? 0) * 100))).to.equal(Total.Shipping * 100)
    const [first] = (await report('--by', 'item', '--compare', 'none')).Rows as { Key: string }[]
    await home.seller('shop:costs', `${first?.Key}=1`)
    const _login = await home.done('auth:login', '-p', 'avgift', '--setting', 'fee=10%+3kr max 20kr', '--no-verify', '--no-input')
    await home.seller('orders:list', '--since', '100d', '-p', 'avgift', '--json')
    await home.seller('shop:costs', `${first?.Key}=1`, '-p', 'avgift')
    const charged = await report('-p', 'avgift', '--compare', 'year')
    const table = await home.seller('sales:report', '--since', '90d', '-p', 'avgift', '-o', 'table')
    expect(table.stdout).to.match(/ Change +Average +Margin +Real margin +Days to sell /)
    const costs = sum(orders.flatMap(({ SellerOrderPayments }) => SellerOrderPayments.map(({ PaymentCost }) => PaymentCost)))
    const fees = sum(
      (await home.seller('transactions:list', '--since', '90d', '--json'))
        .json()
        .map(({ Amount }: { Amount: number }) => Math.min(20, Amount / 10 + 3)),
    )
    expect(charged.Total.Fees).to.be.closeTo(costs + fees, 0.01)
    expect(charged.Total.RealMargin).to.be.below(charged.Total.Margin)
    expect([charged.Since, charged.Until].map((date) => Number(date.slice(0, 4)) - 1)).to.deep.equal(
      [charged.Previous.Since, charged.Previous.Until].map((date) => Number(date.slice(0, 4))),
    )
    expect(charged.Previous.Since.slice(4, 10)).to.equal(charged.Since.slice(4, 10))
    const wrong = await home.seller('auth:login', '-p', 'avgift', '--setting', 'fee=10', '--no-verify', '--no-input', '--json')
    expect([wrong.code, wrong.json().error.code]).to.deep.equal([EXIT.usage, 'invalid_setting'])
  })

  it('use the accounts of the profile, by country, and VAT on margins where costs are known', async () => {
    await home.seller(
      ...words`auth:login -p bok --setting accounts=sales25=3051,sales25.Sverige=3055,fees=6999 --no-verify --no-input`,
    )
    const { vouchers, head } = await sie('own.se', '-p', 'bok', '--since', '100d')
    expect([head.get('#FNAMN'), ofAccount(vouchers, '3051'), ofAccount(vouchers, '3001')]).to.deep.equal([['bok'], 0, 0])
    expect(ofAccount(vouchers, '3055')).to.be.below(0)
    expect(ofAccount(vouchers, '6999')).to.be.above(0)
    const wrong = await home.seller(
      'auth:login',
      '-p',
      'bok',
      '--setting',
      'accounts=sale=1',
      '--no-verify',
      '--no-input',
      '--json',
    )
    expect([wrong.code, wrong.json().error.code]).to.deep.equal([EXIT.usage, 'invalid_setting'])

    const [used = 0] = await stock(home, [250])
    await home.seller('shop:costs', `${used}=100`)
    await controlSandbox(home.sandbox.url, 'buy', { itemId: used })
    const [item] = (await rows('--since', '1h')).filter(({ Kind }) => Kind === 'item')
    expect(item?.VatRate).to.equal(0)
    const unsaid = await home.seller('orders:export', '--form', 'sie', '--since', '1h', '--out', 'unsaid.se', '--json')
    expect([unsaid.code, unsaid.json().Held[0].Code]).to.deep.equal([EXIT.held, 'zero_rate'])
    await home.seller('auth:login', '-p', 'bok', '--setting', 'books=zero=exempt', '--no-verify', '--no-input')
    const plain = await sie('plain.se', '-p', 'bok', '--since', '1h')
    expect(ofAccount(plain.vouchers, '3004')).to.equal(-25_000)
    const margin = await sie('margin.se', '--since', '1h', '--with', 'margin-vat')
    expect([ofAccount(margin.vouchers, '3211'), ofAccount(margin.vouchers, '2616')]).to.deep.equal([-22_000, -3000])
  })

  it('are exported once each, by an export of every night, and again only with --again', async () => {
    const numbers = (found: readonly Row[]) => [...new Set(found.map(({ OrderId }) => OrderId))]
    const night = async (name: string, ...args: string[]): Promise<Row[]> => {
      await home.done('orders:export', '--new', '--out', name, ...args)
      return JSON.parse(await readFile(join(home.dir, name), 'utf8'))
    }
    const paid = (await orders()).filter(({ SellerOrderPayments: payments }) => payments.length > 0)
    const first = await night('1.json', '--since', '100d')
    expect(numbers(first)).to.have.members(paid.map(({ OrderId }) => OrderId))
    expect(await night('2.json', '--since', '100d')).to.deep.equal([])
    const [item = 0] = await stock(home, [250], { quantity: 9 })
    const buy = () => controlSandbox(home.sandbox.url, 'buy', { itemId: item })
    await buy()
    const third = await night('3.json')
    expect([third.length, numbers(first).includes(third[0]?.OrderId ?? 0)]).to.deep.equal([1, false])
    // The other form has a record of its own.
    const held = await home.seller('orders:export', '--form', 'sie', '--new', '--since', '100d', '--out', 'all.se', '--json')
    expect([held.code, held.json().Held.length]).to.deep.equal([EXIT.held, 1])
    const all = readSie(await readFile(join(home.dir, 'all.se')))
    expect(all.vouchers).to.have.length.above(2)
    await home.seller('orders:export', '--form', 'sie', '--new', '--out', 'none.se')
    expect(readSie(await readFile(join(home.dir, 'none.se'))).vouchers).to.deep.equal([])
    expect(await rows('--again')).to.deep.equal(third)
    expect(await sie('again.se', '--again')).to.deep.equal(all)
    const write = (sql: string) => {
      const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
      store.run(`UPDATE exported_orders SET body = ${sql} WHERE form = 'sie' AND body LIKE '{%'`)
      store.close()
    }
    write(`json_set(body, '$.rows[0].oere', body->'$.rows[0].ore', '$.rows[0].ore', NULL)`)
    const other = await home.seller('orders:export', '--form', 'sie', '--again', '--out', 'other.se', '--json')
    expect([other.code, other.json().error.code, other.json().error.field]).to.deep.equal([3, 'booked_unreadable', 'rows'])
    write(`json_remove(json_set(body, '$.rows[0].ore', body->'$.rows[0].oere'), '$.rows[0].oere')`)
    expect(await sie('again2.se', '--again')).to.deep.equal(all)

    // Remains of a run that is killed between its entry and its end, by what is in the directory then.
    const broken = (sql: string) => {
      const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
      store.run(
        `UPDATE exported_orders SET owner = '{}', half = file || '.half', inode = ${sql} WHERE form = 'rows' AND file LIKE '%/3.json'`,
      )
      store.close()
    }
    const inode = async (name: string) => {
      const { dev, ino } = await stat(join(home.dir, name), { bigint: true })
      return `'${dev}:${ino}'`
    }
    broken(await inode('3.json'))
    expect(await night('named.json'), 'the file has its name').to.deep.equal([])
    await rename(join(home.dir, '3.json'), join(home.dir, '3.json.half'))
    broken(await inode('3.json.half'))
    expect(await night('unnamed.json'), 'the file has no name yet').to.deep.equal(third)
    const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
    store.run(
      `UPDATE exported_orders SET owner = '{}', half = 'none', inode = 'none' WHERE form = 'rows' AND file LIKE '%/unnamed.json'`,
    )
    store.close()
    // Until --again has written them: whoever reads the first of these is not the one that a killed run told.
    for (const name of ['unsure.json', 'still.json']) {
      const unsure = await home.seller('orders:export', '--new', '--out', name, '--json')
      expect([unsure.code, unsure.json().error.code]).to.deep.equal([EXIT.unknownOutcome, 'export_unknown'])
    }
    const refused = await home.seller('orders:export', '--again', '--out', 'no-folder/again.json')
    expect(refused.code).to.equal(EXIT.usage)
    expect((await home.seller('orders:export', '--new', '--out', 'yet.json')).code).to.equal(EXIT.unknownOutcome)
    expect(await rows('--again')).to.deep.equal(third)
    expect(await night('after.json')).to.deep.equal([])

    await buy()
    const two = await Promise.all(
      ['a.json', 'b.json'].map((name) => home.seller('orders:export', '--new', '--out', name, '--json')),
    )
    const had = await Promise.all(
      two.map(async ({ code }, at) => (code === 0 ? JSON.parse(await readFile(join(home.dir, `${'ab'[at]}.json`), 'utf8')) : [])),
    )
    expect(had.flat(), 'two at once').to.have.length(1)

    const older = openStore(join(home.dataDir, 'ledger.db'), 'process')
    older.run(
      "UPDATE exported_orders SET body = NULL, owner = '{}', half = 'none', inode = 'none' WHERE form = 'sie' AND event <> 'begin'",
    )
    older.close()
    const books = async (...args: string[]) => (await home.seller('orders:export', '--form', 'sie', '--force', ...args)).code
    expect(await books('--new', '--out', 'doubt.se'), 'version 0.3 kept no vouchers').to.equal(EXIT.unknownOutcome)
    expect(await books('--again', '--out', 'doubt.se')).to.equal(EXIT.usage)
    expect(await books('--new', '--out', 'doubt.se')).to.be.oneOf([EXIT.ok, EXIT.held])

    const none = await home.seller('orders:export', '--form', 'sie', '--again', '--out', 'x.se', '-p', 'sandbox', '--json')
    expect([none.code, none.json().error.code]).to.deep.equal([EXIT.usage, 'nothing_to_do'])
  })

  it('begin where the seller says, and are in kronor', async () => {
    const first = await home.seller('orders:export', '--form', 'sie', '--new', '--out', 'first.si', '--json')
    expect([first.code, first.json().error.code]).to.deep.equal([EXIT.usage, 'no_begin'])
    await home.seller('auth:login', '-p', 'bok', '--setting', 'books=from=2026-01-01', '--no-verify', '--no-input')
    const path = join(home.configDir, 'profiles.json')
    const stored = JSON.parse(await readFile(path, 'utf8'))
    stored.profiles.bok.currency = 'EUR'
    await writeFile(path, JSON.stringify(stored))
    const euro = await home.seller('orders:export', '--form', 'sie', '--new', '--out', 'euro.si', '-p', 'bok', '--json')
    expect([euro.code, euro.json().error.code]).to.deep.equal([EXIT.validation, 'books_currency'])
  })

  it('need an account for each rate of VAT: without one that order is held, the others are written, and all missing accounts are named', async () => {
    const items = [10, 21].map((VatRate) => ({ Title: `Vara ${VatRate}`, UnitPrice: 110, VatRate }))
    const order = (Items: object[], country = 'Sverige') =>
      controlSandbox(home.sandbox.url, 'order', {
        items: Items,
        country,
        payments: [{ Amount: 110, PaidDate: new Date().toISOString() }],
      })
    await order(items.slice(0, 1))
    await order(items.slice(1))
    const run = await home.seller('orders:export', '--since', '100d', '--form', 'sie', '--out', 'odd.se', '--json')
    const { Held, Vouchers } = run.json()
    expect([run.code, Held.map(({ Code }: { Code: string }) => Code)]).to.deep.equal([EXIT.held, ['no_account', 'no_account']])
    expect(Vouchers).to.be.above(2)
    expect(run.stderr).to.include('auth:login --setting accounts=vat10=ACCOUNT,sales10=ACCOUNT,vat21=ACCOUNT,sales21=ACCOUNT')
    await home.seller(
      ...words`auth:login -p bok --setting accounts=sales10=3010,vat10=2641,sales21=3011,vat21=2642 --no-verify --no-input`,
    )
    expect(ofAccount((await sie('odd.se', '-p', 'bok', '--since', '1h', '--force')).vouchers, '2641')).to.equal(-1000)
  })

  it('have sales below the threshold of the EU, and partial refunds, on accounts of their own where the seller wants it', async () => {
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const items = [{ Title: 'Lampa', UnitPrice: 1000, Quantity: 1, VatRate: 25 }]
    const payments = [
      { Amount: 1000, PaidDate: at(2), PaymentCost: 0 },
      { Amount: -200, PaidDate: at(1), PaymentCost: 0 },
    ]
    await controlSandbox(home.sandbox.url, 'order', { orderId: 79003, items, country: 'Danmark', payments, shipping: 0 })
    const told = ['-p', 'bok', '--no-verify', '--no-input', '--setting']
    await home.seller('auth:login', ...told, 'books=oss=below', '--setting', 'accounts=sales25.Danmark=3005')
    const plain = await sie('plain.si', '-p', 'bok', '--since', '1h')
    expect(['3005', '3001', '3730', '2611'].map((each) => ofAccount(plain.vouchers, each))).to.deep.equal([
      -64_000, 0, 0, -16_000,
    ])
    await home.seller('auth:login', ...told, 'books=oss=below,reduction=own')
    const own = await sie('own.si', '-p', 'bok', '--since', '1h')
    expect(['3005', '3001', '3730', '2611'].map((each) => ofAccount(own.vouchers, each))).to.deep.equal([
      -80_000, 0, 16_000, -16_000,
    ])
    const vat = (await home.seller('orders:export', '--form', 'vat', '-p', 'bok', '--since', '1h', '--json')).json()
    expect([vat.Boxes['05'], vat.Boxes['10'], vat.Rates]).to.deep.equal([640, 160, [{ Rate: '25', Base: 640, Vat: 160 }]])
  })

  it('are packing slips: one page that makes no request, escapes what buyers and sellers wrote, and has a sheet for each', async () => {
    const csv = 'Title,Price\n"<script>alert(1)</script> & vas",99\n'
    const { ids } = (await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }
    await controlSandbox(home.sandbox.url, 'buy', { itemId: ids[0], buyerId: 2004 })
    const open = (await home.seller('orders:list', '--to-send', '--json')).json() as Order[]
    await home.done('orders:slips')
    const page = await readFile(join(home.dir, 'slips.html'), 'utf8')
    expect(page.match(/<article>/g)).to.have.length(open.length)
    expect(page)
      .to.include("default-src 'none'")
      .and.include('lang="sv"')
      .and.include('Packsedel')
      .and.include('break-after: page')
    expect(page)
      .to.include('&lt;script&gt;alert(1)&lt;/script&gt; &amp; vas')
      .and.not.match(/<script|<img|https?:\/\/|@import/)
    for (const { OrderId } of open) expect(page).to.include(`Packsedel ${OrderId}`)
    const weights = open.flatMap(({ ShippingWeight: weight }) => weight ?? [])
    expect([...page.matchAll(/Vikt<\/dt><dd>(.*) kg</g)].map(([, weight]) => weight)).to.have.members(
      weights.map((weight) => weight.toLocaleString('sv')),
    )
    expect(page).to.match(/Datum<\/dt><dd>\d{4}-\d\d-\d\d<\/dd>/)
    for (const { Items } of open) {
      for (const { OwnReferences } of Items)
        expect(page).to.include(`<td>${OwnReferences.join(', ').replaceAll('&', '&amp;')}</td></tr>`)
    }
    expect(page).to.include('Lisa Wikström').and.include('Skolgatan 18')
    const english = await home.seller('orders:slips', String(open[0]?.OrderId), '--language', 'en', '--out', 'en.html', '--json')
    expect(english.json()).to.deep.equal({ File: 'en.html', Slips: 1, OrderIds: [open[0]?.OrderId] })
    expect(await readFile(join(home.dir, 'en.html'), 'utf8'))
      .to.include('Packing slip')
      .and.match(/<article>(?![\s\S]*<article>)/)
    const again = await home.seller('orders:slips', '--json')
    expect([again.code, again.json().error.code]).to.deep.equal([EXIT.usage, 'unwritable_file'])
    const missing = await home.seller('orders:slips', '999', '--out', 'none.html', '--json')
    expect(missing.json().error.code).to.equal('order_not_found')
  })

  it('say what is missing of an order that is named and paid in part, with its slip and its label', async () => {
    const PaidDate = new Date(Date.now() - 3_600_000).toISOString()
    const items = [{ Title: 'Vas', UnitPrice: 900, Quantity: 1, VatRate: 25 }]
    const order = (orderId: number, Amount: number) =>
      controlSandbox(home.sandbox.url, 'order', {
        orderId,
        items,
        payments: [{ Amount, PaidDate, PaymentCost: 0 }],
        shipping: 99,
      })
    await order(79001, 700)
    await order(79002, 999)
    await orders()
    const slips = await home.done('orders:slips', '79001', '79002')
    expect(slips.stderr).to.include('Order 79001 is paid in part: 299 kr missing.').and.not.include('79002 is paid')
    const labels = await home.seller('orders:labels', '79001', '79002', '--no-sent')
    expect(labels.stderr)
      .to.include('Order 79001 is paid in part, as last read: 299 kr missing.')
      .and.not.include('79002 is paid')
  })
})
