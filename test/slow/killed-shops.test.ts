/** A run over several shops, killed -9 at random moments and gone on with: every shop is moved once, or none is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sequence } from '../../src/system/random.js'
import { OWN_SELLERS, openShops, PRICES, type ShopName } from '../e2e/several-shops.js'
import { setFaults } from '../e2e/shop.js'
import { closing } from '../opened.js'

const NAMES: readonly ShopName[] = ['shop-a', 'shop-b', 'shop-d']
const PROFILES = ['--profiles', NAMES.join(',')]
const KILLS = 8

describe('a run over several shops that is killed at random moments', () => {
  it('makes one discount in each shop, or none', async () => {
    await using shops = closing(await openShops({ faults: { queueDelayMs: 0 } }))
    const random = sequence(6)
    const sale = ['--reference', 'REF-*', '--add', '-20%', '--from', 'now', '--until', '+2h', '--yes']
    let [made, rounds] = [0, 0]
    for (let killed = 0; killed < KILLS || (made === 0 && rounds < 40); rounds++) {
      for (const args of [['shop:discount', `Round ${rounds}`, ...sale], ['jobs:resume']]) {
        const running = shops.home.spawn([...args, ...PROFILES, '--at-once', '2', '--json'], { env: OWN_SELLERS })
        await Promise.race([running.done, sleep(300 + random() * 3000)])
        running.kill('SIGKILL')
        if ((await running.done).signal === 'SIGKILL') killed++
      }
      const rest = await shops.run(['jobs:resume', ...PROFILES, '--json'])
      expect(rest.code, rest.stderr + rest.stdout).to.equal(0)
      const all = (await shops.run(['discounts:list', '--all-profiles', '--limit', '999', '--json'])).json()
      const found = all.filter(({ Name }: { Name: string }) => Name === `Round ${rounds}`)
      const where = found.map(({ Profile }: { Profile: string }) => Profile).sort()
      expect([[], [...NAMES]], `round ${rounds}: ${where}`).to.deep.include(where)
      made += found.length
    }
    expect(made, `in ${rounds} rounds`).to.be.greaterThan(0)
  })

  it('moves each shop once, or none', async () => {
    await using shops = closing(await openShops({ faults: { queueDelayMs: 0 } }))
    const random = sequence(5)
    let [moved, rounds] = [0, 0]
    for (let killed = 0; killed < KILLS; rounds++) {
      await setFaults(shops.home, { latency: '20ms..120ms' })
      for (const [args, longestMs] of [
        [['shop:price', '--reference', 'REF-*', '--add', '10kr', '--again', '--yes'], 1800],
        [['jobs:resume'], 1200],
      ] as const) {
        const running = shops.home.spawn([...args, ...PROFILES, '--at-once', '2', '--wait', '--json'], { env: OWN_SELLERS })
        await Promise.race([running.done, sleep(200 + random() * longestMs)])
        running.kill('SIGKILL')
        if ((await running.done).signal === 'SIGKILL') killed++
      }
      await setFaults(shops.home, { latency: '0ms' })
      const rest = await shops.run(['jobs:resume', ...PROFILES, '--wait', '--json'])
      expect(rest.code, rest.stderr + rest.stdout).to.equal(0)
      const found = await Promise.all(NAMES.map(async (name) => ((await shops.prices(name))[0] ?? 0) - PRICES[0]))
      expect([moved * 10, moved * 10 + 10], `round ${rounds}: ${found}`).to.include(found[0])
      expect(new Set(found).size, `round ${rounds}: ${found}`).to.equal(1)
      moved = (found[0] ?? 0) / 10
    }
    expect(moved, `of ${rounds} rounds`).to.be.greaterThan(0)
  })
})
