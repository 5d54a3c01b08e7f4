/**
 * Restore drills: a shop works by chance (additions, auctions again, discounts, prices, runs that die), a copy is made at some
 * moment of it, the ledger is lost in some way, the copy is restored, and the work goes on. Then nothing may exist twice, no
 * discount may be left that the ledger knows, and what it cannot know must be named.
 */
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/jobs/ledger/store.js'
import { HOUR_MS } from '../../src/system/durations.js'
import { sequence } from '../../src/system/random.js'
import { Hands } from '../e2e/clock.js'
import { openHome, type Run } from '../e2e/harness.js'
import { letGo } from '../e2e/let-go.js'
import { CATEGORY } from '../e2e/observed.js'
import { pricesOf, stock } from '../e2e/shop.js'

/** Ways to lose the ledger. `present`: it is not, and the seller restores the copy all the same. */
const LOSSES = ['gone', 'log left', 'damaged', 'started again', 'present', 'present, left out'] as const

export interface Drilled {
  readonly loss: (typeof LOSSES)[number]
  readonly steps: readonly string[]
  /** Lines that were named for the seller to look at. */
  readonly look: number
  /** Discounts that only the lost ledger knew, whose prices are named. */
  readonly lostDiscounts: number
}

const ENDS = ['', '-wal', '-shm']

/** Runs one drill. @throws what is wrong, with the seed and the steps */
export async function restoreDrill(seed: number): Promise<Drilled> {
  const random = sequence(seed)
  const upTo = (most: number): number => Math.floor(random() * most)
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T
  const clock = new Hands()
  let onCall: (() => void) | undefined
  const home = await openHome({ sandbox: { clock, faults: { queueDelayMs: 0, seed }, extended: true, log: () => onCall?.() } })
  const steps: string[] = []
  const ledger = join(home.dataDir, 'ledger.db')
  const copy = join(home.dir, 'copy.db')
  const wrong = (what: string): Error => new Error(`seed ${seed}: ${what}\n  ${steps.join('\n  ')}`)
  const run = async (...args: string[]): Promise<Run> => {
    const ended = await home.run([...args, '--json'], { clock })
    steps.push(`${args.join(' ')} → ${ended.code}${ended.code === 0 ? '' : ` ${ended.stdout.slice(0, 300)}`}`)
    return ended
  }
  const filesTo = (to: string): void => {
    for (const end of ['', '-wal']) {
      rmSync(to + end, { force: true })
      if (existsSync(ledger + end)) copyFileSync(ledger + end, to + end)
    }
  }
  /** The process dies at one of its calls: the ledger goes on as it was on the disk then, while the service has gone on. */
  const dying = async (...args: string[]): Promise<void> => {
    let left = 1 + upTo(5)
    let died = false
    const stash = join(home.dir, 'stash.db')
    onCall = () => {
      if (--left !== 0) return
      filesTo(stash)
      died = true
      // A dead process sends nothing more. What it has sent is carried out.
      started.interrupt('SIGINT')
    }
    const started = home.start([...args, '--json'], { clock })
    const { code, stdout } = await started.done
    onCall = undefined
    steps.push(`${args.join(' ')} → ${code}${code === 0 ? '' : ` ${stdout.slice(0, 300)}`}`)
    if (!died) return
    await letGo(home.dataDir)
    for (const end of ENDS) rmSync(ledger + end, { force: true })
    for (const end of ['', '-wal']) if (existsSync(stash + end)) renameSync(stash + end, ledger + end)
    steps.push('  (it died at a call)')
  }
  try {
    const base = Array.from({ length: 10 }, (_, at) => 500 + at * 50)
    const ids = await stock(home, base)
    const auctions: number[] = []
    for (let at = 0; at < 3; at++) {
      const file = await home.file(
        'auction.json',
        JSON.stringify({
          Title: `Drill auction ${at}`,
          CategoryId: Number(CATEGORY),
          StartPrice: 100,
          Duration: 3,
          PaymentOptionIds: [4096],
          ShippingCondition: 'x',
          PaymentCondition: 'y',
          AcceptedBidderId: 3,
          VAT: 25,
          ShippingOptions: [{ ShippingProviderId: 3, Cost: 59, ShippingWeight: 1.5, ShippingOptionId: null }],
        }),
      )
      const { ItemId } = (await run('items:add', '--file', file, '--yes', '--wait')).json()
      await run('items:end', String(ItemId), '--yes')
      auctions.push(ItemId)
    }
    clock.time += 60_000
    let named = 0
    const discounted: { name: string; ids: number[] }[] = []
    const free = ids.map((_, at) => at)
    const work = async (): Promise<void> => {
      const how = random() < 0.4 ? dying : (...args: string[]) => run(...args).then(() => undefined)
      const what = pick(['add', 'add', 'relist', 'discount', 'discount', 'price', 'time', 'time', 'resume'] as const)
      if (what === 'add') {
        const rows = Array.from({ length: 3 }, () => `Drill item ${++named};${CATEGORY};100`)
        const file = await home.file(`add-${named}.csv`, `Title;CategoryId;Price\n${rows.join('\n')}\n`)
        const few = random() < 0.4 ? ['--max-calls', String(1 + upTo(3))] : []
        await how('shop:add', '--file', file, '--yes', '--concurrency', '1', ...few)
      } else if (what === 'relist' && auctions.length > 0) {
        const later = random() < 0.5 ? ['--interval', '40m', '--from', '+1h'] : []
        await how('items:relist', ...auctions.splice(0, 2).map(String), ...later, '--yes')
      } else if (what === 'discount' && free.length > 1) {
        const its = free.splice(upTo(free.length - 1), 2)
        const name = `D${discounted.length}`
        discounted.push({ name, ids: its.map((at) => ids[at] ?? 0) })
        const prices = its.map((at) => `${ids[at]}=${(base[at] ?? 0) - 50}`)
        await how(
          'shop:discount',
          name,
          ...prices,
          '--from',
          pick(['now', '+1h', '+9h']),
          '--until',
          pick(['+12h', '+30h', '+50h']),
          '--yes',
        )
      } else if (what === 'price' && free.length > 0) {
        const at = free.pop() ?? 0
        await how('shop:price', `${ids[at]}=${(base[at] ?? 0) + 5}`, '--yes')
      } else if (what === 'resume') await how('jobs:resume')
      else {
        clock.time += Math.floor(random() * 8 * HOUR_MS)
        await how('jobs:due')
      }
    }
    const length = 6 + upTo(8)
    const copied = 1 + upTo(length)
    for (let step = 0; step < length; step++) {
      if (step === copied - 1) {
        if (random() < 0.5) await run('ledger:backup', 'copy.db')
        else {
          // As cp makes one beside a run.
          let left = 1 + upTo(3)
          onCall = () => {
            if (--left === 0) filesTo(copy)
          }
          await work()
          onCall = undefined
          if (!existsSync(copy)) filesTo(copy)
          steps.push('  (a copy was made by cp meanwhile)')
        }
      } else await work()
    }
    if (!existsSync(copy)) await run('ledger:backup', 'copy.db')
    await letGo(home.dataDir)
    const loss = pick(LOSSES)
    steps.push(`the ledger is ${loss}`)
    if (loss === 'log left') rmSync(ledger)
    if (loss === 'gone' || loss === 'started again') for (const end of ENDS) rmSync(ledger + end, { force: true })
    if (loss === 'damaged') writeFileSync(ledger, Buffer.alloc(20_000, 0x55))
    if (loss === 'started again') {
      await run('shop:price', `${ids[0]}=${(base[0] ?? 0) + 7}`, '--yes', '--dry-run')
      await letGo(home.dataDir)
    }
    const restored = await run(
      'ledger:restore',
      'copy.db',
      '--yes',
      '--trace',
      ...(loss === 'present, left out' ? ['--no-take-over'] : []),
    )
    if (restored.code !== 0) throw wrong(`not restored: ${restored.stdout} ${restored.stderr}`)
    const { Look: look, MadeAt } = restored.json() as { Look: { What: string; Words: string }[]; MadeAt: string }
    for (let round = 0; round < 9; round++) {
      const open = (await run('jobs:list', '--unfinished')).json() as { JobId: number }[]
      for (const { JobId } of open) await run('jobs:resume', String(JobId))
      await run('jobs:due')
      clock.time += 8 * HOUR_MS
    }
    for (let more = 0; more < 3; more++) {
      await run('jobs:due')
      clock.time += 2 * HOUR_MS
    }
    const faults = (await run('ledger:check')).json() as unknown[]
    if (faults.length > 0) throw wrong(`the check finds ${JSON.stringify(faults)}`)
    const service = openStore(join(home.dir, 'server.db'), 'process')
    const titles = service.rows<[string, number]>(
      `SELECT json_extract(details, '$.item.ShortDescription') AS title, count(*) FROM items WHERE title LIKE 'Drill%' GROUP BY title`,
    )
    service.close()
    for (const [title, count] of titles) {
      const most = title.startsWith('Drill auction') ? 2 : 1
      if (count > most) throw wrong(`${title} is there ${count} times`)
    }
    if (titles.length === 0) throw wrong('no title was found')
    const known = new Set(((await run('discounts:list')).json() as { Name: string }[]).map(({ Name }) => Name))
    const live = await pricesOf(home, ids)
    let lostDiscounts = 0
    for (const { name, ids: its } of discounted) {
      const left = its.filter((id) => live[ids.indexOf(id)] !== base[ids.indexOf(id)])
      if (left.length === 0) continue
      if (known.has(name))
        throw wrong(`${name} is left: items ${left.join(', ')} at ${left.map((id) => live[ids.indexOf(id)]).join(', ')}`)
      lostDiscounts++
      const shop = look.find(({ What }) => What === 'shop')
      if (shop === undefined && !look.some(({ What, Words }) => What === 'replaced' && Words.includes(name)))
        throw wrong(`${name} is lost, and nothing names it`)
      if (shop?.Words.includes('does not know') === true) continue
      const diff = await run('shop:diff', '--since', MadeAt)
      for (const id of left)
        if (!diff.stdout.includes(String(id))) throw wrong(`${name} is lost, and shop:diff does not name item ${id}`)
    }
    return { loss, steps, look: look.length, lostDiscounts }
  } catch (error) {
    throw error instanceof Error && error.message.startsWith('seed ')
      ? error
      : wrong(String(error instanceof Error ? error.stack : error))
  } finally {
    await home.close()
  }
}
