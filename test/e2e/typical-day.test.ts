/** The calls of a seller's day at a service that allows 100 in 24 hours: what a day costs, and what keeps it low. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openedForEach } from '../opened.js'
import { openObserved } from './observed.js'
import { stock } from './shop.js'

/** Lines that a person types on an ordinary day, in sittings: what stands in one line of the table is typed within a minute. */
const DAY: readonly (readonly string[])[] = [
  // In the morning: what was sold, what is to be done, what is on sale.
  ['transactions:list', 'feedback:pending', 'items:list', 'items:list --type auction', 'items:list --sort EndDate --limit 5'],
  // A customer asks.
  ['items:list', 'items:list --search vas', 'items:list --type shop --search kopp', 'transactions:list --limit 5', 'orders:list'],
  // Prices: a look before, and one after.
  ['items:list --type shop', 'items:list --type shop --sort -Price', 'shop:price {shop}={price} --yes', 'items:list --type shop'],
  // Parcels and feedback.
  ['transactions:list', 'transactions:mark {sale} --paid --shipped', 'transactions:list', 'feedback:pending'],
  // In the evening.
  ['items:list', 'items:list --type auction', 'items:list --type shop', 'transactions:list', 'feedback:pending'],
]
const LISTS = /^(?:items:list|transactions:list|feedback:pending)/

describe('a typical day', () => {
  const home = openedForEach(() => openObserved({ extended: true }))
  const env = { SELLER_CALL_BUDGET: '1000', PAGER: 'cat' }
  const person = (line: string, terminal = true) => home.run(line.split(' '), { terminal, columns: 200, env })
  const kept = (kind: string) => join(home.dataDir, 'reference', `default.recent-${kind}.json`)
  const aMinutePasses = () => Promise.all(['items', 'transactions'].map((kind) => rm(kept(kind), { force: true })))

  it('costs fewer calls, because a list of the last minute serves the next look', async () => {
    const [shop = 0] = await stock(home, [150])
    const sale = (await home.seller('transactions:list', '--json')).json()[0].Id
    const cost = async (price: number, fresh: boolean): Promise<number> => {
      home.calls()
      for (const sitting of DAY) {
        await aMinutePasses()
        for (const line of sitting) {
          const typed = line.replace('{shop}', `${shop}`).replace('{price}', `${price}`).replace('{sale}', `${sale}`)
          const { code, stderr } = await person(`${typed}${fresh && LISTS.test(line) ? ' --refresh' : ''}`)
          expect(code, `${typed}: ${stderr}`).to.equal(0)
        }
      }
      return home.calls().length
    }
    const [before, after] = [await cost(149, true), await cost(151, false)]
    console.log(`      calls of the day: ${before} where each list is read anew, ${after} by default`)
    expect(after).to.be.at.most(before * 0.7)
  })

  it('shows a person what was read before with its age, until something is sent, and a script never', async () => {
    const calls = async (line: string, terminal = true) => {
      home.calls()
      const { stdout, stderr } = await person(line, terminal)
      return { made: home.calls().length, stdout, aged: /As read \d+ s? ?.*ago\. --refresh reads it again\./.test(stderr) }
    }
    const [id = 0] = await stock(home, [150])
    const first = await calls('items:list --type shop')
    const again = await calls('items:list --type shop')
    expect([again.made, again.aged, again.stdout]).to.deep.equal([0, true, first.stdout])
    for (const line of ['items:list --type shop --fresh', 'items:list --type shop --columns Id,Title', 'items:list']) {
      expect([line, (await calls(line)).made >= 1]).to.deep.equal([line, true])
    }
    const narrowed = await calls('items:list --type shop')
    expect([narrowed.made, narrowed.stdout]).to.deep.equal([0, first.stdout])
    for (const script of ['items:list --json', 'transactions:list --json', 'shop:export']) {
      expect([script, (await calls(script, false)).made >= 1]).to.deep.equal([script, true])
    }
    await person(`shop:price ${id}=140 --yes`)
    const changed = await calls('items:list --type shop')
    expect([changed.made, changed.aged]).to.deep.equal([1, false])
    await calls('transactions:list')
    expect((await calls('feedback:pending')).made).to.equal(0)
    for (const period of ['--since 1d', '--until 1d']) {
      expect([period, (await calls(`transactions:list ${period}`)).made]).to.deep.equal([period, 1])
    }
    const text = (await readFile(kept('items'), 'utf8')) + (await readFile(kept('transactions'), 'utf8'))
    expect(text).to.not.match(/"(?:Email|Address|FirstName|LastName|PhoneNumber|MobilePhoneNumber)"/)
  })

  it('leaves room for a watch, which chooses how often it checks', async () => {
    const first = async (budget: string, ...flags: string[]) => {
      const watch = home.start(['transactions:watch', ...flags], { env: { SELLER_CALL_BUDGET: budget } })
      await watch.prints(/Checking for new sales every .*End with Ctrl-C/s)
      watch.interrupt('SIGINT')
      await watch.done
      const said = watch.noted().replace(/\s+/g, ' ')
      return { every: /every (.*?)[,.]/.exec(said)?.[1], said }
    }
    expect((await first('none')).every).to.equal('5 min')
    expect((await first('1000')).every).to.equal('5 min')
    const tight = await first('100')
    expect(tight.said).to.match(/every 1[67] min, as fits what is left of 100 calls in 24 hours/)
    expect((await first('100', '--interval', '1m')).said).to.include('Without --interval the checks fit.')
    expect((await first('100', '--interval', '20m')).said)
      .to.match(/every 20 min\. End with Ctrl-C\./)
      .and.not.include('checks fit')
    expect((await first('20')).every).to.match(/^2(?:\.0)? h/)
  })
})
