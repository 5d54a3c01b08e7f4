/**
 * Words of a buyer in every field of an order, known and unknown, searched for in all files after kills at random moments, and
 * after what is to remove them: a time that is over, orders:forget, ledger:prune, backups and restores.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sequence } from '../../src/system/random.js'
import { isoOf } from '../../src/system/time.js'
import { type HostileHome, openHostile } from '../e2e/hostile.js'
import { fullReplyOf } from '../soap/damage.js'

const ORDERS = 40
const KILLS = 30

/** Orders of two weeks; each text of a person, and each field that the contract does not have, is a word with a number. */
function ordersOf(template: string, ids: readonly number[]): string {
  let words = 0
  const word = () => `Planted${++words}x`
  const order = /<SellerOrder>.*<\/SellerOrder>/s.exec(template)?.[0] ?? ''
  const personal = (text: string): string =>
    text
      .replace(/<(FirstName|LastName|Name|AddressLine[12]|ZipCode|City|Email|Phone)>ord</g, (_, name) => `<${name}>${word()}<`)
      .replace(
        /<\/(Buyer|ShipTo|SellerOrderItem|SellerOrderPayment|SellerOrder)>/g,
        (end) => `<Novelty>${word()}</Novelty>${end}`,
      )
      .replace(/<(Reference|Value)>ord</g, (_, name) => `<${name}>${word()}<`)
  const all = ids.map((id, at) => {
    const day = isoOf(Date.now() - (at % 14) * 86_400_000).slice(0, 19)
    const own = order.replace(/<Seller>.*<\/Seller>/s, '').replaceAll('2026-11-30T18:00:00', day)
    return personal(own.replace('<OrderId>7<', `<OrderId>${id}<`))
  })
  return template.replace(/<SellerOrder>.*<\/SellerOrder>/s, all.join(''))
}

describe('what is known of buyers', function () {
  this.timeout(300_000)
  let home: HostileHome
  beforeEach(async () => {
    home = await openHostile()
    const ids = Array.from({ length: ORDERS }, (_, at) => 7000 + at)
    home.answer((operation, request) => {
      const full = fullReplyOf(operation, 'ord')
      if (operation.name === 'GetSellerOrders') return ordersOf(full, ids)
      if (operation.name === 'GetOrders')
        return ordersOf(
          full,
          [...request.matchAll(/>(70\d\d)</g)].map(([, id]) => Number(id)),
        )
      return operation.name === 'GetSellerTransactions' ? full.replace('<OrderId>7<', '<OrderId>7000<') : undefined
    })
  })
  afterEach(() => home.close())

  const filesWith = (folder: string): string[] =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => statSync(path).isFile() && readFileSync(path, 'latin1').includes('Planted'))
      .map((path) => path.slice(home.dir.length + 1))

  it('is, after kills at any moment, in the ledger and in whole files alone, and then where nothing says that it is', async () => {
    const seed = Number(process.env.SEED ?? 36)
    const random = sequence(seed)
    const asked: string[] = []
    let kills = 0
    // A run that nobody killed says how long the next moment may be: kills land within runs, on a fast machine too.
    let took = 500
    await home.spawn(['orders:list']).done
    for (let at = 0; kills < KILLS; at++) {
      const lines = [
        ['orders:list', '--refresh'],
        ['orders:list', '--out', `list-${at}.csv`],
        ['orders:slips', '--out', `slips-${at}.html`],
        ['orders:export', '--since', '20d', '--out', `export-${at}.csv`],
        ['ledger:backup', `copy-${at}.db`],
        ['ledger:backup', `whole-${at}.db`, '--with', 'personal'],
        ['ledger:backup', 'copies', '--keep', '2'],
        ['orders:forget', String(7000 + (at % ORDERS))],
        ['ledger:prune', '--older-than', '1d', '--yes'],
        ['ledger:restore', 'copy.db', '--yes'],
      ]
      if (at === 0) await home.spawn(['ledger:backup', 'copy.db']).done
      const line = lines[Math.floor(random() * lines.length)] ?? []
      const started = Date.now()
      const running = home.spawn([...line, '--json'])
      const killing = setTimeout(() => running.kill('SIGKILL'), took * (0.2 + random()))
      const { signal } = await running.done
      clearTimeout(killing)
      if (signal === 'SIGKILL') kills++
      else took = Math.min(Date.now() - started, 2000)
      asked.push(`${line.join(' ')} ${signal ?? ''}`)
    }
    const said = `seed ${seed}\n${asked.join('\n')}`
    // The next command finds what they left.
    await home.spawn(['orders:list']).done
    const whole = /^(?:list|slips|export)-\d+\.\w+$|^whole-\d+\.db$/
    const held = filesWith(home.dir)
    expect(
      held.filter((name) => !whole.test(name) && !/^data\/ledger\.db(?:-wal|\.replaced-[\w-]+)?$/.test(name)),
      said,
    ).to.deep.equal([])
    const forgot = await home.spawn(['orders:forget', '--all', '--yes', '--json']).done
    expect(forgot.code, forgot.stderr).to.equal(0)
    const left = filesWith(home.dataDir)
    const named = left.filter((name) => forgot.stderr.includes(join(home.dir, name)))
    expect(named, `what is left is named: ${forgot.stderr}`).to.deep.equal(left)
    for (const name of left) rmSync(join(home.dir, name))
    for (const line of [
      ['orders:list', '--refresh'],
      ['ledger:prune', '--older-than', '1d', '--yes'],
      ['orders:list', '--refresh'],
      ['ledger:backup', 'after.db', '--with', 'personal'],
      ['ledger:restore', 'copy.db', '--yes'],
      ['orders:list', '--refresh'],
    ]) {
      const run = await home.spawn([...line, '--json']).done
      expect(run.code, `${line.join(' ')} ${run.stderr}${run.stdout.slice(0, 300)}`).to.equal(0)
      expect([line.join(' '), filesWith(home.dataDir)], said).to.deep.equal([line.join(' '), []])
    }
    expect(
      filesWith(home.dir).filter((name) => !whole.test(name)),
      'the copies',
    ).to.deep.equal([])
  })
})
