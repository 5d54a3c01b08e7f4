/** Ctrl-C at different moments of commands that work on many rows: each ends soon, with exit 130, and its ledger stays whole. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { FIRST_ID, livePrice } from '../../bench/item.js'
import { bundled, withService } from '../../bench/loopback-service.js'
import { SheetWriter } from '../../src/workbook/write.js'
import { openHome } from '../e2e/harness.js'

const ITEMS = 60_000
/** When the signal comes, s after the start. A command that has ended by then was quick enough. */
const MOMENTS = [0.5, 1.2, 2.2, 3.5]
/** Work that does not hear the signal is given up after 5 s. One second is what is promised; the rest is for a busy machine. */
const LONGEST_MS = 4_000

async function workbook(path: string): Promise<void> {
  const pieces: Uint8Array[] = []
  const texts = ['OwnReferences', 'Title'].map((header) => ({ header, kind: 'text' as const }))
  const columns = [...texts, { header: 'Price', kind: 'kronor' as const }]
  const sheet = new SheetWriter({ name: 'shop', columns, write: (bytes) => void pieces.push(bytes) })
  for (let at = 0; at < ITEMS; at++) await sheet.add([`REF-${FIRST_ID + at}`, `Vas ${at}`, livePrice(at) + 5])
  await sheet.end()
  await writeFile(path, Buffer.concat(pieces))
}

describe('Ctrl-C in the middle of many rows', () => {
  it('ends every command within a moment', async () => {
    const home = await openHome({ sandbox: false })
    try {
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
        ]) {
          for (const moment of MOMENTS) {
            const running = home.spawn(args, { env })
            if (await Promise.race([running.done.then(() => true), sleep(moment * 1000, false)])) break
            const at = performance.now()
            running.kill('SIGINT')
            const { code, stderr } = await running.done
            const ms = performance.now() - at
            // It may have ended by itself just then.
            if (code !== 0) expect(code, `${args.join(' ')} at ${moment} s: ${stderr}`).to.equal(130)
            expect(ms, `${args.join(' ')} at ${moment} s`).to.be.lessThan(LONGEST_MS)
            interrupted++
          }
        }
        expect(interrupted).to.be.greaterThan(8)
        const checked = await home.spawn(['ledger:check', '--json'], { env }).done
        expect(checked.code, checked.stdout).to.equal(0)
      })
    } finally {
      await home.close()
    }
  })
})
