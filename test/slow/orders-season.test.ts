/**
 * A season of orders: some combined, some unpaid, some cancelled. Each night the built commands watch, fetch labels, mark and
 * export, behind a server that damages replies, and are killed -9 at random moments. Then they are run again as a seller would.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { sequence } from '../../src/system/random.js'
import { controlSandbox } from '../control-sandbox.js'
import { openHome, type Run } from '../e2e/harness.js'
import { closing, opened } from '../opened.js'
import { readSie } from '../oracles/sie.js'
import { startDamager } from './damaged-runs.js'

const NIGHTS = 6
const SALES = 50
/** Kills of one command before it is let through. */
const KILLS = 2
/** Longest time a process may live before it is killed, ms. */
const LONGEST_LIFE_MS = 900
/** Runs that may follow one another until a command is through. */
const MOST_RUNS = 20
const BUYERS = [2001, 2002, 2003, 2004]

interface Row {
  readonly OrderId: number
  readonly Amount: number
}
interface Order {
  readonly OrderId: number
  readonly State: string
  readonly SellerOrderPayments: readonly unknown[]
}

describe('a season of orders, killed and damaged at any moment', function () {
  this.timeout(600_000)
  const home = opened(() => openHome({ sandbox: { extended: true, faults: { queueDelayMs: 0 } } }))
  const random = sequence(29)
  let [kills, runs] = [0, 0]
  /** Unpaid orders that are cancelled on the next day. */
  const doomed: number[] = []

  before(async () => {
    // The items that are added here say nothing of their VAT.
    const login = [
      'auth:login',
      '-p',
      'bok',
      '--setting',
      'books=zero=exempt',
      '--setting',
      'call_budget=none',
      '--no-verify',
      '--no-input',
    ]
    expect((await home.seller(...login)).code).to.equal(0)
  })

  const control = (action: 'buy' | 'pay' | 'cancel', body: object) => controlSandbox(home.sandbox.url, action, body)
  const inService = <T>(sql: string, ...values: number[]): T[] => {
    using store = closing(openStore(join(home.dir, 'server.db'), 'process'))
    return store.all<T>(sql, ...values)
  }

  /** One day's sales. @returns the orders that the seller marks as paid */
  async function sell(shop: readonly number[], auctions: readonly number[]): Promise<number[]> {
    const byHand: number[] = []
    for (const orderId of doomed.splice(0)) await control('cancel', { orderId })
    let last: { order: number; buyerId: number } | undefined
    for (let at = 0; at < SALES; at++) {
      const buyerId = BUYERS[Math.floor(random() * BUYERS.length)] ?? 2001
      const what = random()
      const ids = what < 0.5 ? shop : auctions
      const itemId = ids[Math.floor(random() * ids.length)]
      const joins = what > 0.9 && last !== undefined
      const more = joins ? { buyerId: last?.buyerId, orderId: last?.order } : { buyerId }
      const { TransactionId: id } = (await control('buy', { itemId, ...more })) as { TransactionId: number }
      const [{ n: order = 0 } = {}] = inService<{ n: number }>('SELECT order_number AS n FROM transactions WHERE id = ?', id)
      if (what < 0.5) {
        // Gone before anybody reads it.
        if (what < 0.02) await control('cancel', { orderId: order })
      } else if (!joins) {
        if (what < 0.65) await control('pay', { orderId: order })
        else if (what < 0.7) doomed.push(order)
        else if (what < 0.75) byHand.push(order)
        else if (what > 0.8) last = { order, buyerId }
      }
    }
    // Combined orders, and some that were left open, are paid later.
    if (last !== undefined) await control('pay', { orderId: last.order })
    return byHand
  }

  /**
   * Runs a command until it is through: killed first, then left alone.
   * @param onBreak what the seller does after each run that was not well
   */
  async function through(
    args: readonly string[],
    isDone: (run: Run) => boolean,
    env: Record<string, string>,
    onBreak?: () => Promise<void>,
  ): Promise<void> {
    let said = ''
    for (let tried = 0; tried < MOST_RUNS; tried++) {
      runs++
      const running = home.spawn([...args], { env })
      const killing = tried < KILLS ? setTimeout(() => running.kill('SIGKILL'), random() * LONGEST_LIFE_MS) : undefined
      const run = await running.done
      clearTimeout(killing)
      if (run.signal === 'SIGKILL') kills++
      if (isDone(run)) return
      said = `exit ${run.code}, ${run.stderr}`
      await onBreak?.()
    }
    throw new Error(`${args.join(' ')} did not end in ${MOST_RUNS} runs: ${said}`)
  }

  it('marks every order once, has every label, delivers none twice, and books each once', async () => {
    const csv = (type: string, name: string) =>
      `Title,Price,Quantity,Type\n${Array.from({ length: 8 }, (_, at) => `${name} ${at},${100 + at * 37},200,${type}`).join('\n')}\n`
    const seed = async (type: string, name: string) =>
      ((await controlSandbox(home.sandbox.url, 'seed', { csv: csv(type, name) })) as { ids: number[] }).ids
    const [shop, auctions] = [await seed('ShopItem', 'Vara'), await seed('PureBuyItNow', 'Fynd')]
    const damager = await startDamager(home.sandbox.url, 31, 0.06)
    const env = { SELLER_BASE_URL: damager.url }
    let watched = ''
    const unknown = new Set<number>()
    const resume = async () => {
      const [job] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
      if (job === undefined || job.State === 'ok') return
      await through(['jobs:resume', String(job.JobId), '--retry-failed', '--json'], ({ code }) => code === 0, env)
    }
    const watching = (run: Run): boolean => {
      watched += run.stdout
      for (const [, ids = ''] of run.stderr.matchAll(/--again ([\d ]+)/g))
        for (const id of ids.trim().split(' ')) unknown.add(Number(id))
      return run.code === 0 || run.code === 9
    }
    // Orders are kept by the address of the service.
    let all: Order[] = []
    try {
      for (let night = 0; night < NIGHTS; night++) {
        const byHand = await sell(shop, auctions)
        await through(['orders:watch', '--once', '--since', '100d'], watching, env)
        const paid = ['orders:mark', ...byHand.map(String), '--paid', '--json']
        if (byHand.length > 0) await through(paid, ({ code }) => code === 0, env, resume)
        await through(['orders:labels', '--dir', home.dir, '--sent', '--force', '--json'], ({ code }) => code === 0, env, resume)
        for (const [form, file] of [
          ['sie', `books-${night}.se`],
          ['rows', `rows-${night}.json`],
        ] as const) {
          // A file that is there is whole.
          const written = ({ code, stderr }: Run) => code === 0 || (code === 2 && stderr.includes('already exists'))
          await through(['orders:export', '--form', form, '--new', '--since', '100d', '--out', file], written, env)
        }
      }
      damager.rest()
      watching(await home.run(['orders:watch', '--once'], { env }))
      all = (await home.run(['orders:list', '--since', '100d', '--refresh', '--json'], { env })).json()
    } finally {
      damager.close()
    }

    const paid = all.filter(({ SellerOrderPayments: payments, State }) => payments.length > 0 && State !== 'cancelled')
    const ids = paid.map(({ OrderId }) => OrderId).sort()
    expect(all).to.have.length.above(200)
    for (const state of ['unpaid', 'cancelled', 'sent'])
      expect(
        all.filter(({ State }) => State === state),
        state,
      ).to.have.length.above(3)
    const atService = inService<{ id: number; sent: number }>(
      'SELECT o.id, min(t.shipped) AS sent FROM orders o JOIN transactions t ON t.order_number = o.id WHERE t.deleted = 0 AND o.paid_at IS NOT NULL AND o.seller_id = 1001 GROUP BY o.id',
    )
    expect(
      atService.filter(({ sent }) => sent !== 1),
      'not sent',
    ).to.deep.equal([])
    expect(atService.map(({ id }) => id).sort(), 'orders that are not known').to.deep.equal(ids)
    expect(paid.filter(({ State }) => State !== 'sent')).to.deep.equal([])

    const marks: string[] = []
    for (const { JobId } of (await home.seller('jobs:list', '--limit', '500', '--json')).json() as { JobId: number }[]) {
      const { Rows } = (await home.seller('jobs:show', String(JobId), '--json')).json()
      for (const { Id, State, Payload } of Rows as { Id: number; State: string; Payload: { Paid: boolean; Sent: boolean } }[]) {
        expect(State).to.equal('ok')
        marks.push(...(Payload.Paid ? [`${Id} paid`] : []), ...(Payload.Sent ? [`${Id} sent`] : []))
      }
    }
    expect(
      marks.filter((mark, at) => marks.indexOf(mark) !== at),
      'marked twice',
    ).to.deep.equal([])

    const labelled = new Set(marks.filter((mark) => mark.endsWith('sent')).map((mark) => Number(mark.split(' ')[0])))
    expect(labelled.size).to.be.above(150)
    for (const id of labelled) {
      const [name = ''] = (await readdir(home.dir)).filter((each) => each.startsWith('label-') && each.endsWith(`-${id}.pdf`))
      const pdf = await readFile(join(home.dir, name), 'latin1')
      expect(pdf.startsWith('%PDF-') && pdf.trimEnd().endsWith('%%EOF') && pdf.includes(`Order ${id}`), `label ${id}`).to.equal(
        true,
      )
    }

    const events = watched.split('\n').flatMap((line) => {
      const [, id, state] = /^\{.*?"OrderId":(\d+).*"State":"([\w-]+)".*\}$/.exec(line) ?? []
      return id === undefined ? [] : [`${id} ${state === 'unpaid' ? 'new' : 'paid'}`]
    })
    expect(
      events.filter((event, at) => events.indexOf(event) !== at),
      'delivered twice',
    ).to.deep.equal([])
    for (const id of ids) expect(events.includes(`${id} paid`) || unknown.has(id), `order ${id} was not delivered`).to.equal(true)

    const files = await readdir(home.dir)
    const exported = await Promise.all(
      files
        .filter((name) => /^rows-\d\.json$/.test(name))
        .map(async (name) => JSON.parse(await readFile(join(home.dir, name), 'utf8')) as Row[]),
    )
    const numbers = exported.flatMap((rows) => [...new Set(rows.map(({ OrderId }) => OrderId))])
    expect(numbers.sort(), 'in the rows, each in one file').to.deep.equal(ids)
    // The reader refuses a voucher that does not balance.
    const books = await Promise.all(
      files.filter((name) => name.endsWith('.se')).map(async (name) => readSie(await readFile(join(home.dir, name)))),
    )
    const lines = books.flatMap(({ vouchers }) => vouchers.flatMap(({ lines: each }) => each))
    const booked = (...accounts: string[]) =>
      lines.reduce((total, { account, ore }) => total + (accounts.some((one) => account.startsWith(one)) ? ore : 0), 0)
    await home.file('paid.json', JSON.stringify(paid))
    const { stdout } = await home.shell(
      `jq '([.[].SellerOrderPayments[].Amount] | add), ([.[].SellerOrderPayments[].PaymentCost] | add), ([.[] | .SubTotal + .ShippingCost] | add)' paid.json`,
    )
    const [total = 0, cost = 0, sold = 0] = stdout.trim().split('\n').map(Number)
    expect([booked('1580'), booked('6040'), -booked('3', '26')]).to.deep.equal([(total - cost) * 100, cost * 100, sold * 100])
    // The number of hits depends on how fast the machine is.
    expect(kills).to.be.above(5)
    console.log(
      `      ${all.length} orders, ${paid.length} paid, ${runs} runs, ${kills} kills, replies damaged: ${JSON.stringify(damager.damaged)}, ${unknown.size} deliveries unknown`,
    )
  })
})
