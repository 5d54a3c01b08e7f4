import { expect } from 'chai'
import { opened } from '../opened.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'
import { ask } from './person.js'
import { setFaults, stock } from './shop.js'

const ADD = ['shop:add', '--title', 'Mugg', '--category', CATEGORY, '--price', '149', '--shipping', 'pickup']

describe('shop:add and shop:remove', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  beforeEach(() => void home.calls())

  const live = async (id: number) => (await home.seller('call', 'GetItem', `itemId=${id}`)).json()

  it('adds a shop item with images in one call', async () => {
    const one = await home.file('front.jpg', PIXEL.jpeg)
    const two = await home.file('back.png', PIXEL.png)
    const run = await home.done(...ADD, '--quantity', '12', '--image', one, '--mega-image', two, '--wait', '--json')
    expect(run.json()).to.include({ Operation: 'AddShopItem', ResultCode: 'Ok', State: 'ok' })
    expect(home.calls().filter((name) => name !== 'GetRequestResults')).to.deep.equal(['AddShopItem'])
    const item = await live(run.json().ItemId)
    expect(item).to.include({ ItemType: 'ShopItem', BuyItNowPrice: 149, RemainingQuantity: 12 })
    expect(item.ImageLinks).to.have.lengthOf(2)
  })

  it('passes on what the service says of a seller without a shop', async () => {
    const env = { SELLER_USER_ID: '1003', SELLER_TOKEN: 'sandbox-token-of-member-1003' }
    const run = await home.run([...ADD, '--json'], { env })
    expect([run.code, run.json().error.code]).to.deep.equal([3, 'refused_by_service'])
    expect(run.json().error.message).to.include('does not have an active shop')
    const [row] = (await home.seller('requests:list', '--json')).json()
    expect(row).to.include({ State: 'refused', Operation: 'AddShopItem' })
  })

  it('asks a person about removals below the items that are meant, and their sum', async () => {
    const ids = await stock(home, [10, 20, 30, 40, 50, 60])
    for (const [some, question] of [
      [ids.slice(0, 1), `Remove item ${ids[0]} "Vara 0" from the shop?`],
      [ids, '6 items, together 210 kr. Remove 6 items from the shop?'],
    ] as const) {
      const person = ask(home, ['shop:remove', ...some.map(String)], { columns: 400 })
      const seen = await person.sees(question)
      for (const [at, id] of some.entries()) expect(seen).to.match(new RegExp(`^${id} +Vara ${at} +${(at + 1) * 10} kr`, 'm'))
      await person.enters('n')
      expect((await person.done).code).to.equal(6)
    }
    expect(home.calls()).to.not.include('RemoveShopItem')
  })

  it('says at Ctrl-C how many removals were sent, and stops at a call that fails', async () => {
    const ids = (await stock(home, [10, 20, 30])).map(String)
    await setFaults(home, { latency: '400ms..400ms' })
    const running = home.start(['shop:remove', ...ids, '--json'])
    const sent: string[] = []
    while (!sent.includes('RemoveShopItem')) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      sent.push(...home.calls())
    }
    running.interrupt('SIGINT')
    const { code, stderr, stdout } = await running.done
    await setFaults(home, { latency: '0ms..0ms' })
    expect(code, stderr).to.equal(130)
    expect(stderr + stdout)
      .to.match(/[01] of 3 were sent\./)
      .and.include('seller requests:list')
    await setFaults(home, { 'drop-after': '100%' })
    const lost = await home.seller('shop:remove', ...ids.slice(1), '--with', 'scheduled', '--json')
    await setFaults(home, { 'drop-after': '0%' })
    expect(lost.code).to.be.oneOf([1, 9])
    expect((await live(Number(ids[2]))).Status.Ended).to.equal(false)
  })
})
