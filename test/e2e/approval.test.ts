/** SELLER_APPROVE=plan: nothing is sent but a saved plan, by a person. */
import { join } from 'node:path'
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { readsByName } from '../../src/contract/kinds.js'
import { EXIT } from '../../src/errors/index.js'
import { opened } from '../opened.js'
import { root } from './harness.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { pricesOf, stock } from './shop.js'

const env = { SELLER_APPROVE: 'plan' }

/** A command line that would send something, for each command that can. */
const SENDING: Readonly<Record<string, readonly string[]>> = {
  'campaigns:attach': ['7', 'CODE'],
  'discounts:end': ['1', '--yes'],
  'eid:cancel': [],
  'eid:verify': ['--no-wait'],
  'feedback:leave': ['7', 'Tack', '--positive', '--yes'],
  'images:upload': ['7', 'a.png'],
  'items:add': ['--title', 'Vas', '--category', CATEGORY, '--opening', '50', '--yes'],
  'items:end': ['7', '--yes'],
  'items:price': ['7', '--opening', '50', '--yes'],
  'items:relist': ['7', '--set', '1kr', '--yes'],
  'jobs:due': [],
  'jobs:resume': ['1'],
  'jobs:undo': ['1', '--yes'],
  'orders:labels': ['--sent'],
  'orders:mark': ['7', '--sent', '--yes'],
  'shop:activate': ['7', '--at', '2099-01-01', '--yes'],
  'shop:add': ['--title', 'Vas', '--category', CATEGORY, '--price', '50', '--quantity', '1', '--yes'],
  'shop:discount': ['Rea', '--from', '2099-01-01', '--until', '2099-02-01', '--all', '--add', '-10%', '--yes'],
  'shop:price': ['--all', '--add', '-1%', '--yes'],
  'shop:remove': ['7', '--yes'],
  'shop:restore': ['--at', 'yesterday', '--yes'],
  'shop:settings': ['--close', '--until', '+1d', '--yes'],
  'shop:stock': ['7=1', '--yes'],
  'shop:sync': ['--file', 'a.csv', '--yes'],
  'shop:update': ['7', '--title', 'Vas', '--yes'],
  'transactions:mark': ['7', '--paid'],
}

describe('SELLER_APPROVE=plan', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true }))
  let ids: number[]
  before(async () => {
    await home.file('a.png', PIXEL.png)
    ids = await stock(home, [100, 200])
    home.calls()
  })

  it('is kept by every command that can send', async () => {
    const known = readManifest(root).filter(
      ({ hidden, operations = [] }) => hidden !== true && operations.some((name) => !readsByName(name)),
    )
    expect(Object.keys(SENDING)).to.have.members(known.map(({ id }) => id))
    for (const [id, args] of Object.entries(SENDING)) {
      const run = await home.run([id, ...args, '--json'], { env })
      const { code, hint } = run.json().error ?? {}
      expect([id, run.code, code]).to.deep.equal([id, EXIT.held, 'approval_needed'])
      expect(hint.includes('--save-plan'), id).to.equal(id === 'shop:price' || id === 'shop:restore')
    }
    const typed = await home.run(['call', 'RemoveShopItem', `shopItemId=${ids[0]}`, '--json'], { env })
    expect(typed.json().error.code).to.equal('approval_needed')
    const lied = await home.run(['call', 'SomethingNew', '--kind', 'read', '--json'], { env })
    expect(lied.json().error.code).to.equal('approval_needed')
    expect(home.calls(), 'nothing was even asked').to.deep.equal([])
    expect((await home.seller('jobs:list', '--json')).json(), 'and nothing recorded').to.deep.equal([])
  })

  it('lets everybody read and plan, and a person send a saved plan after a yes', async () => {
    for (const args of [['items:list'], ['shop:settings'], ['shop:price', `${ids[0]}=110`, '--dry-run']])
      expect((await home.run([...args, '--json'], { env })).code, args.join(' ')).to.equal(0)
    const plan = join(home.dir, 'plan.json')
    expect((await home.run(['shop:price', `${ids[0]}=110`, '--save-plan', plan], { env })).code).to.equal(0)
    const alone = await home.run(['shop:price', '--plan', plan, '--yes', '--json'], { env })
    expect(alone.json().error.code, 'nobody is there').to.equal('approval_needed')
    const person = ask(home, ['shop:price', '--plan', plan, '--yes', '--wait', '--json'], { env })
    await person.answers('Send 1 new price?', 'y')
    expect((await person.done).code).to.equal(0)
    expect(await pricesOf(home, ids.slice(0, 1))).to.deep.equal([110])
  })

  it('is not opened by a slip', async () => {
    const run = await home.run(['shop:stock', `${ids[0]}=1`, '--yes', '--json'], { env: { SELLER_APPROVE: 'plans' } })
    expect([run.code, run.json().error.code]).to.deep.equal([2, 'invalid_setting'])
  })
})
