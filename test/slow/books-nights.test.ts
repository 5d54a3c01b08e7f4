/**
 * Ninety nights of orders:export --new: sales of three rates, mixed parcels, margin goods and other countries, paid whole, in
 * parts and too much, with money back and cancelled orders. On some nights the built program is killed at a random moment and run
 * again. At the end each krona is in exactly one place: the sums of the accounts are those of an independent reckoning over what
 * the sandbox was given.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { sequence } from '../../src/system/random.js'
import { controlSandbox } from '../control-sandbox.js'
import { openHome } from '../e2e/harness.js'
import { opened } from '../opened.js'
import { readSie, type Voucher } from '../oracles/sie.js'

const NIGHTS = 90
const PROFILE = ['-p', 'bok']
/** Every so many nights the program is killed twice before it is let through. */
const KILLED_EVERY = 9
const COST = 40

type Kind = 'plain' | 'mixed' | 'margin' | 'export' | 'oss'

interface Line {
  readonly Title: string
  readonly UnitPrice: number
  readonly Quantity: number
  readonly VatRate: number
}

interface Sold {
  readonly id: number
  readonly kind: Kind
  readonly lines: readonly Line[]
  readonly shipping: number
  readonly country: string
  readonly payments: { Amount: number; PaidDate: string; PaymentCost: number }[]
  /** Money that is still to come, or to go back, by night. */
  readonly later: Map<number, number>
  cancelled: boolean
}

const totalOf = ({ lines, shipping }: Sold): number =>
  lines.reduce((sum, { UnitPrice, Quantity }) => sum + UnitPrice * Quantity, shipping)

describe('ninety nights of the books', function () {
  this.timeout(900_000)
  const home = opened(() => openHome({ sandbox: { extended: true, faults: { queueDelayMs: 0 } } }))
  const random = sequence(35)
  const below = (limit: number): number => Math.floor(random() * limit)
  const sold: Sold[] = []
  let [kills, finished] = [0, 0]
  /** Milliseconds that the last whole run took: kills land within runs, on any machine. */
  let took = 500

  before(async () => {
    const store = openStore(join(home.dir, 'server.db'), 'process')
    for (const table of ['orders', 'transactions', 'payments', 'feedback', 'items']) store.run(`DELETE FROM ${table}`)
    store.close()
    const books = [
      '--setting',
      'books=zero=margin,oss=registered',
      '--setting',
      'countries=Norge=export',
      '--setting',
      'vat_abroad=Tyskland=25:19',
    ]
    await home.done('auth:login', ...PROFILE, ...books, '--setting', 'call_budget=none', '--no-verify', '--no-input')
  })

  /** Noon of a night's day, which is long past: a payment is booked by its own date. */
  const start = Date.now() - 120 * 86_400_000
  const dateOf = (night: number): string => new Date(start + night * 86_400_000).toISOString()

  function newSale(night: number): Sold {
    const kind = (['plain', 'plain', 'plain', 'mixed', 'margin', 'export', 'oss'] as const)[below(7)] ?? 'plain'
    const line = (VatRate: number): Line => ({
      Title: `Vara ${VatRate}`,
      UnitPrice: 20 + below(900),
      Quantity: 1 + below(3),
      VatRate,
    })
    const rate = [25, 12, 6][below(3)] ?? 25
    const lines = kind === 'mixed' ? [line(6), line(25)] : [line(kind === 'margin' ? 0 : kind === 'plain' ? rate : 25)]
    const country = kind === 'export' ? 'Norge' : kind === 'oss' ? 'Tyskland' : 'Sverige'
    const one: Sold = {
      id: 80_000 + sold.length,
      kind,
      lines,
      shipping: below(3) * 45,
      country,
      payments: [],
      later: new Map(),
      cancelled: false,
    }
    const total = totalOf(one)
    const fate = below(10)
    if (fate === 0) {
      const first = 1 + below(total - 1)
      one.later.set(night, first).set(night + 1 + below(6), total - first)
    } else if (fate === 1) one.later.set(night, total + 30).set(night + 1 + below(6), -30)
    else if (fate === 2) one.later.set(night, total).set(night + 1 + below(9), -total)
    else if (fate === 3 && kind === 'plain')
      one.later.set(night, total).set(night + 1 + below(9), -(1 + below(Math.floor(total / 2))))
    else one.later.set(night, total)
    return one
  }

  async function enter({ id, lines, shipping, country, payments }: Sold): Promise<void> {
    const body = { orderId: id, items: lines, shipping, country, payments, updated: new Date().toISOString() }
    const { ItemIds } = (await controlSandbox(home.sandbox.url, 'order', body)) as { ItemIds: number[] }
    for (const [at, { VatRate }] of lines.entries())
      if (VatRate === 0) expect((await home.seller('shop:costs', `${ItemIds[at]}=${COST}`, ...PROFILE)).code).to.equal(0)
  }

  async function day(night: number): Promise<void> {
    for (let count = night < NIGHTS ? below(4) : 0; count > 0; count--) sold.push(newSale(night))
    for (const one of sold) {
      const amount = one.later.get(night)
      if (amount === undefined || one.cancelled) continue
      one.payments.push({ Amount: amount, PaidDate: dateOf(night), PaymentCost: Math.round(amount / 40) })
      await enter(one)
    }
    // Somebody's order is cancelled, some nights after it was booked.
    const candidates = sold.filter(
      ({ cancelled, payments, later }) => !cancelled && payments.length > 0 && [...later.keys()].every((at) => at < night),
    )
    if (night % 11 === 10 && candidates.length > 0) {
      const one = candidates[below(candidates.length)]
      if (one === undefined) return
      one.cancelled = true
      await controlSandbox(home.sandbox.url, 'cancel', { orderId: one.id })
    }
  }

  async function exported(night: number): Promise<void> {
    const args = [
      'orders:export',
      '--form',
      'sie',
      '--new',
      '--out',
      `night-${night}.si`,
      ...(night === 0 ? ['--since', '200d'] : []),
      ...PROFILE,
    ]
    if (night % KILLED_EVERY === 4) {
      for (let kill = 0; kill < 2; kill++) {
        const run = home.spawn([...args.map((arg) => (arg.endsWith('.si') ? `night-${night}-${kill}.si` : arg)), '--json'])
        const timer = setTimeout(() => run.child.kill('SIGKILL'), (took * (20 + below(90))) / 100)
        const { code } = await run.done
        clearTimeout(timer)
        // Nobody takes a file away, so every run knows what became of the one before.
        expect(code, 'an export whose file is nowhere').to.not.equal(9)
        if (code === 0) finished++
        else kills++
      }
    }
    const started = Date.now()
    const done = await home.spawn([...args, '--json']).done
    took = Date.now() - started
    expect(done.code, `${done.stderr}${done.stdout}`).to.equal(0)
  }

  it('has each krona in exactly one place', async () => {
    for (let night = 0; night < NIGHTS; night++) {
      await day(night)
      await exported(night)
    }
    // Payments that were still to come, in one last night.
    for (let night = NIGHTS; night < NIGHTS + 12; night++) await day(night)
    await exported(NIGHTS)
    const names = (await readdir(home.dir)).filter((name) => name.endsWith('.si'))
    const files = await Promise.all(names.map(async (name) => readSie(await readFile(join(home.dir, name)))))
    const vouchers = files.flatMap(({ vouchers: of }) => of)
    expect(kills, 'killed runs').to.be.above(0)
    const found = new Map<string, number>()
    for (const { lines } of vouchers) for (const { account, ore } of lines) found.set(account, (found.get(account) ?? 0) + ore)
    expect(found.get('3740') ?? 0, 'nothing is rounding').to.equal(0)
    onceEach(vouchers)
    const right = reckoned()
    const tolerance = sold.length
    for (const account of new Set([...found.keys(), ...right.keys()])) {
      const exact = ['1510', '2420', '1580', '6040', '3105', '3522'].includes(account)
      expect(Math.abs((found.get(account) ?? 0) - (right.get(account) ?? 0)), account).to.be.at.most(exact ? 0 : tolerance)
    }
    process.stderr.write(
      `    ${sold.length} orders, ${vouchers.length} vouchers, ${kills} kills, ${finished} runs that were quicker\n`,
    )
  })

  /** No voucher of an order and day comes twice with the same rows of money. */
  function onceEach(vouchers: readonly Voucher[]): void {
    for (const one of sold) {
      const money = vouchers
        .filter(({ text }) => text.split(/[ ,]/)[1] === String(one.id))
        .flatMap(({ lines }) => lines.filter(({ account }) => account === '1580' || account === '6040'))
        .reduce((sum, { ore }) => sum + ore, 0)
      const paid = one.cancelled ? 0 : one.payments.reduce((sum, { Amount }) => sum + Amount * 100, 0)
      expect(money, `money of order ${one.id}`).to.equal(paid)
    }
  }

  /**
   * Sums of the accounts by the rules alone, over what the sandbox was given; exact fractions, rounded at the end of an order.
   */
  function reckoned(): Map<string, number> {
    const sums = new Map<string, number>()
    const add = (account: string, ore: number): void => void sums.set(account, (sums.get(account) ?? 0) + ore)
    for (const one of sold) {
      const paid = one.payments.reduce((sum, { Amount }) => sum + Amount, 0)
      if (one.cancelled || one.payments.length === 0) continue
      const cost = one.payments.reduce((sum, { PaymentCost }) => sum + PaymentCost, 0)
      add('1580', (paid - cost) * 100)
      add('6040', cost * 100)
      if (paid === 0) continue
      const total = totalOf(one)
      const gone = one.payments.filter(({ Amount }) => Amount < 0).reduce((sum, { Amount }) => sum - Amount, 0)
      const over = Math.max(0, one.payments[0]?.Amount ?? 0) - total
      const reduction = Math.max(0, gone - Math.max(0, over))
      const goods = total - one.shipping
      if (one.kind === 'export') {
        add('3105', -goods * 100)
        add('3522', -one.shipping * 100)
      } else if (one.kind === 'oss') {
        add('2670', -(total * 100 * 19) / 119)
        add('3106', -(total * 100 * 100) / 119)
      } else if (one.kind === 'margin') {
        const gain = total - (one.lines[0]?.Quantity ?? 1) * COST
        add('2616', gain > 0 ? -gain * 20 : 0)
        add(gain < 0 ? '3212' : '3211', gain > 0 ? -(total * 100 - gain * 20) : -total * 100)
      } else {
        for (const { UnitPrice, Quantity, VatRate } of one.lines) {
          const freight = (one.shipping * UnitPrice * Quantity) / goods
          const price = UnitPrice * Quantity - reduction
          const [vat = '', sales = ''] = { 25: ['2611', '3001'], 12: ['2621', '3002'], 6: ['2631', '3003'] }[VatRate] ?? []
          add(vat, (-(price + freight) * 100 * VatRate) / (100 + VatRate))
          add(sales, (-price * 100 * 100) / (100 + VatRate))
          add('3520', (-freight * 100 * 100) / (100 + VatRate))
        }
      }
    }
    return sums
  }
})
