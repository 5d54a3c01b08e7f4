/** Ctrl-C at different moments of commands that work on many rows: each ends soon, with exit 130, and its ledger stays whole. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { FIRST_ID, livePrice } from '../../bench/item.js'
import { bundled, withService } from '../../bench/loopback-service.js'
import { keepOrders } from '../../bench/orders.js'
import { SheetWriter } from '../../src/workbook/write.js'
import { openHome } from '../e2e/harness.js'
import { closing } from '../opened.js'

const ITEMS = 60_000
/** When the signal comes, s after the start. A command that has ended by then was quick enough. */
const MOMENTS = [0.5, 1.2, 2.2, 3.5]
/** Work that does not hear the signal is given up after 5 s. One second is what is promised; the rest is for a busy machine. */
const LONGEST_MS = 4_000

/** Ends of these commands by themselves: done, or with rows that a guard holds. */
const WHOLE = [0, 6]

async function workbook(path: string): Promise<void> {
  const pieces: Uint8Array[] = []
  const texts = ['OwnReference', 'Title'].map((header) => ({ header, kind: 'text' as const }))
  const columns = [...texts, { header: 'Price', kind: 'kronor' as const }]
  const sheet = new SheetWriter({ name: 'shop', columns, write: (bytes) => void pieces.push(bytes) })
  for (let at = 0; at < ITEMS; at++) await sheet.add([`REF-${FIRST_ID + at}`, `Vas ${at}`, livePrice(at) + 5])
  await sheet.end()
  await writeFile(path, Buffer.concat(pieces))
}

describe('Ctrl-C in the middle of many rows', () => {
  it('ends every command within a moment', async () => {
    await using home = closing(await openHome({ sandbox: false }))
    await withService(await bundled('loopback'), [0, ITEMS], async (url) => {
      const env = {
        ...{ SELLER_BASE_URL: url, SELLER_NAMESPACE: 'http://bench.example/api', SELLER_CALL_BUDGET: 'none' },
        ...{ SELLER_APP_ID: '1', SELLER_APP_KEY: 'key', SELLER_USER_ID: '100', SELLER_TOKEN: 'token' },
      }
      const [book, prices] = [join(home.dir, 'shop.xlsx'), join(home.dir, 'prices.csv')]
      await workbook(book)
      const lines = Array.from({ length: ITEMS }, (_, at) => `${FIRST_ID + at},${livePrice(at) + 7}`)
      await writeFile(prices, `Id,Price\n${lines.join('\n')}\n`)
      const made = await home.spawn(['shop:price', '--all', '--add', '5kr', '--yes', '--json'], { env }).done
      expect(made.code, made.stderr).to.equal(0)
      keepOrders(join(home.dataDir, 'ledger.db'), ITEMS, url)
      const discount = ['shop:discount', 'Rea', '--all', '--add', '-10%', '--from', '1d', '--until', '2d', '--json']
      const books = (at: number) => join(home.dir, `books-${at}.csv`)
      const exported = ['orders:export', '--since', '400d', '--offline']
      let interrupted = 0
      for (const args of [
        ['items:list', '--json'],
        ['items:list', '-o', 'yaml'],
        ['items:list', '--sort', '-Price', '--json'],
        ['shop:export', '--out', join(home.dir, 'out.xlsx'), '--force'],
        ['shop:price', '--file', prices, '--dry-run', '--json'],
        ['shop:price', '--file', prices, '--yes', '--json'],
        ['shop:price', '--file', book, '--dry-run', '--json'],
        ['shop:sync', '--file', book, '--dry-run', '--json'],
        ['shop:diff', '--since', '2020-01-01', '--json'],
        ['jobs:show', '1', '--json'],
        ['jobs:undo', '1', '--dry-run', '--json'],
        ['prices:history', String(FIRST_ID), '--json'],
        ['ledger:check', '--json'],
        [...discount, '--dry-run'],
        [...discount, '--yes'],
        [...exported, '--form', 'sie', '--out', join(home.dir, 'books.se'), '--force'],
        [...exported, '--new', '--out', 'BOOKS'],
      ]) {
        for (const [at, moment] of MOMENTS.entries()) {
          const running = home.spawn(
            args.map((word) => (word === 'BOOKS' ? books(at) : word)),
            { env },
          )
          const ended = await Promise.race([running.done, sleep(moment * 1000, undefined)])
          if (ended !== undefined) {
            expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).to.be.oneOf(WHOLE)
            break
          }
          const since = performance.now()
          running.kill('SIGINT')
          const { code: exit, signal, stdout, stderr } = await running.done
          // On a busy machine it may not have begun to listen: a shell tells this end by the same number.
          const code = signal === 'SIGINT' ? 130 : exit
          const ms = performance.now() - since
          // It may have ended by itself just then.
          expect(code, `${args.join(' ')} at ${moment} s: ${stderr}${stdout.slice(-1000)}`).to.be.oneOf([130, ...WHOLE])
          expect(ms, `${args.join(' ')} at ${moment} s`).to.be.lessThan(LONGEST_MS)
          interrupted++
        }
      }
      expect(interrupted).to.be.greaterThan(8)
      const checked = await home.spawn(['ledger:check', '--json'], { env }).done
      expect(checked.code, checked.stdout).to.equal(0)
      // A discount is whole or not there.
      const discounts = (await home.run(['discounts:list', '--json'], { env })).json()
      for (const { DiscountId, Counts } of discounts) {
        const all = Object.values<number>(Counts).reduce((sum, count) => sum + count, 0)
        expect(all, `discount ${DiscountId}`).to.equal(ITEMS)
      }
      // Every order is in one file, whatever was broken off.
      const last = await home.spawn([...exported, '--new', '--out', books(MOMENTS.length)], { env }).done
      expect(last.code, last.stderr).to.equal(0)
      const files = Array.from({ length: MOMENTS.length + 1 }, (_, at) => books(at)).filter((path) => existsSync(path))
      const rows = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).flatMap((text) => text.split('\r\n'))
      const goods = rows.filter((row) => row.includes('Vas nummer'))
      expect([goods.length, new Set(goods).size]).to.deep.equal([ITEMS, ITEMS])
    })
  })
})
