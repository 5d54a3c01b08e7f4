import { expect } from 'chai'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { CATEGORY, type ObservedHome, openObserved, PIXEL } from '../e2e/observed.js'
import { Gate } from './gate.js'

const SELLERS = [SANDBOX_PROFILE.userId, 1002, 1003, 1005]
const CODES = ['VALKOMMEN', 'STORRABATT']
const CALLS = [
  'AddItem',
  'AddItemImage',
  'AddItemImage',
  'AddItemImage',
  'AddItemImage',
  'AddItemCampaignCode',
  'AddItemCommit',
  'GetRequestResults',
]

describe('a listing killed after each of its steps', () => {
  let home: ObservedHome
  let gate: Gate
  let env: Record<string, string>
  let images: string[]
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    gate = new Gate(home.sandbox.url)
    env = { SELLER_BASE_URL: await gate.open() }
    const files = [PIXEL.png, PIXEL.gif, PIXEL.jpeg, PIXEL.png].map((bytes, index) => home.file(`${index}.img`, bytes))
    images = (await Promise.all(files)).flatMap((file) => ['--image', file])
  })
  after(async () => {
    gate.close()
    await home.close()
  })

  CALLS.forEach((next, done) => {
    it(`${done} of 7 calls answered, killed during ${next}, resumed: one item with four images`, async () => {
      const title = `Vas ${done}`
      home.calls()
      const held = gate.arm(done)
      // Each seller may use a code once.
      const [userId = 0, code = ''] = SELLERS.flatMap((id) => CODES.map((name) => [id, name] as const))[done] ?? []
      const as = {
        ...env,
        ...(userId === SANDBOX_PROFILE.userId
          ? {}
          : { SELLER_USER_ID: String(userId), SELLER_TOKEN: `sandbox-token-of-member-${userId}` }),
      }
      const add = [
        'items:add',
        '--title',
        title,
        '--category',
        CATEGORY,
        '--opening',
        '10',
        '--shipping',
        'pickup',
        '--wait',
        '--json',
      ]
      const running = home.spawn([...add, ...images, '--campaign', code], { env: as })
      await held
      running.kill('SIGKILL')
      await running.done
      gate.disarm()
      const sent = home.calls()
      expect(sent, 'calls that reached the service').to.have.lengthOf(done)
      expect(sent.filter((name) => name === 'AddItemCommit')).to.have.lengthOf(done > 6 ? 1 : 0)
      const [job] = (await home.seller('jobs:list', '--json')).json()
      // The seller decides about a call that was sent and never answered; the gate never passed it on.
      const choice = next === 'AddItem' || next === 'AddItemImage' ? ['--unknown', 'again'] : []
      if (choice.length > 0) {
        const stopped = await home.run(['jobs:resume', String(job.JobId), '--wait', '--json'], { env: as })
        expect([stopped.code, stopped.json().error.category], stopped.stderr).to.deep.equal([9, 'unknown_outcome'])
        expect(home.calls(), 'nothing is sent again by itself').to.deep.equal([])
      }
      const resumed = await home.run(['jobs:resume', String(job.JobId), '--wait', '--json', ...choice], { env: as })
      expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(0)
      const all = [...sent, ...home.calls()]
      expect(
        all.filter((name) => name === 'AddItemImage'),
        'images sent',
      ).to.have.lengthOf(4)
      const list = ['call', 'GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=Auction']
      const listed = (await home.run(list, { env: as })).json()
      const items = listed.filter(({ ShortDescription }: { ShortDescription: string }) => ShortDescription === title)
      expect(items, 'items of this title').to.have.lengthOf(1)
      expect(items[0].ImageLinks).to.have.lengthOf(4)
    })
  })
})

const STEPS = ['AddItem', 'AddItemImage', 'AddItemImage', 'AddItemCommit']

describe('rows with images, killed at each of their calls', function () {
  this.timeout(120_000)
  let home: ObservedHome
  let gate: Gate
  let env: Record<string, string>
  before(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    gate = new Gate(home.sandbox.url)
    env = { SELLER_BASE_URL: await gate.open() }
    await home.file('1.png', PIXEL.png)
    await home.file('2.gif', PIXEL.gif)
  })
  after(async () => {
    gate.close()
    await home.close()
  })

  const calls = [...STEPS, ...STEPS].map((call, at) => ({ call, at }))
  for (const { call, at } of calls)
    for (const carried of [false, true])
      it(`${carried ? 'with the reply to' : 'before'} call ${at + 1}, ${call}: each item once, with its two images`, async () => {
        const titles = ['a', 'b'].map((row) => `Krus ${at}${carried ? 'r' : 'c'}${row}`)
        const rows = titles.map((title) => `${title},${CATEGORY},10,pickup,1.png|2.gif`).join('\n')
        const file = await home.file('auctions.csv', `Title,CategoryId,StartPrice,ShippingOptions,Bilder\n${rows}\n`)
        home.calls()
        const held = gate.arm(at, carried)
        const add = ['items:add', '--file', file, '--again', '--yes', '--concurrency', '1', '--json']
        const running = home.spawn(add, { env })
        await held
        running.kill('SIGKILL')
        await running.done
        gate.disarm()
        expect(home.calls(), 'calls that reached the service').to.deep.equal(
          calls.slice(0, at + (carried ? 1 : 0)).map((entry) => entry.call),
        )
        const [job] = (await home.seller('jobs:list', '--json')).json()
        const resumed = await home.run(['jobs:resume', String(job.JobId), '--wait', '--json'], { env })
        expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(0)
        const list = ['call', 'GetSellerItems', 'categoryId=0', 'filterActive=Active', 'filterItemType=Auction']
        const listed = (await home.run(list, { env })).json() as { ShortDescription: string; ImageLinks: string[] }[]
        const items = listed.filter(({ ShortDescription }) => titles.includes(ShortDescription))
        expect(items.map(({ ShortDescription: title, ImageLinks }) => [title, ImageLinks.length]).sort()).to.deep.equal(
          titles.map((title) => [title, 2]),
        )
      })
})
