import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { sequence } from '../../src/system/random.js'
import { controlSandbox } from '../control-sandbox.js'
import { openHome } from '../e2e/harness.js'
import { stock } from '../e2e/shop.js'
import { opened } from '../opened.js'

const ROUNDS = 12

describe('transactions:watch, killed at any moment', () => {
  const home = opened(() => openHome({ sandbox: true }))

  it('stops a command that goes on after Ctrl-C, and never runs it again by itself', async () => {
    const [item] = await stock(home, [100])
    const watch = ['transactions:watch', '--name', 'long']
    await home.seller(...watch, '--once')
    const { TransactionId: id } = (await controlSandbox(home.sandbox.url, 'buy', { itemId: item })) as { TransactionId: number }
    const log = join(home.dir, 'long.log')
    for (const [more, code] of [
      [[], 0],
      [['--once', '--again', String(id)], 130],
    ] as const) {
      const running = home.spawn([...watch, ...more, '--exec', `echo begun >> ${log}; sleep 600`])
      const begun = more.length === 0 ? 'begun\n' : 'begun\nbegun\n'
      while ((await readFile(log, 'utf8').catch(() => '')) !== begun) await new Promise((done) => setTimeout(done, 20))
      running.interrupt('SIGINT')
      const run = await running.done
      expect([run.code, run.signal]).to.deep.equal([code, null])
      expect(run.stderr).to.include(`--again ${id} --name long`)
    }
    const next = await home.seller(...watch, '--once', '--exec', `echo again >> ${log}`)
    expect(next.stderr).to.include(String(id))
    expect(await readFile(log, 'utf8')).to.equal('begun\nbegun\n')
  })

  it('runs the command at most once for each sale, and says which sales it does not know about', async () => {
    const items = await stock(
      home,
      Array.from({ length: ROUNDS * 2 }, () => 100),
    )
    const log = join(home.dir, 'taken.log')
    const flags = ['transactions:watch', '--exec', `jq -r .Id >> ${log}`, '--interval', '1s']
    await home.seller('transactions:watch', '--once')
    const random = sequence(13)
    const sold: number[] = []
    const buy = async (): Promise<void> => {
      const order = { itemId: items[sold.length] }
      sold.push(((await controlSandbox(home.sandbox.url, 'buy', order)) as { TransactionId: number }).TransactionId)
    }
    for (let round = 0; round < ROUNDS; round++) {
      await buy()
      await buy()
      const running = home.spawn(flags)
      await running.prints(/End with Ctrl-C/)
      // Somewhere in or after the first look, which has two sales to deliver.
      await new Promise((done) => setTimeout(done, random() * 300))
      running.kill('SIGKILL')
      await running.done
    }
    // A program that a killed run had started goes on for a moment.
    await new Promise((done) => setTimeout(done, 1000))
    for (let look = 0; look < 2; look++) await home.seller(...flags.slice(0, 3), '--once')
    const taken = (await readFile(log, 'utf8')).split('\n').filter(Boolean).map(Number)
    expect(taken, 'none twice').to.have.lengthOf(new Set(taken).size)
    const store = openStore(join(home.dataDir, 'ledger.db'), 'process')
    const unknown = store.all<{ id: number }>("SELECT id FROM watched_sales WHERE state = 'unknown'").map(({ id }) => id)
    const states = store.all<{ state: string }>('SELECT DISTINCT state FROM watched_sales').map(({ state }) => state)
    store.close()
    for (const open of ['begun', 'failed']) expect(states).to.not.include(open)
    for (const id of sold) expect(taken.includes(id) || unknown.includes(id), `sale ${id} is lost`).to.equal(true)
    console.log(`      ${sold.length} sales, ${taken.length} taken, ${unknown.length} unknown`)
  })
})
