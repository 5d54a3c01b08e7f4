/** Characters that XML forbids in texts of sellers: real services write them, and one such title must not stop a command. */
import { expect } from 'chai'
import { opened } from '../opened.js'
import { openObserved } from './observed.js'
import { pricesOf, setFaults, stock } from './shop.js'

/** Text that the service writes, and how many characters are read as U+FFFD. */
const KINDS: readonly (readonly [written: string, read: number])[] = [
  ['&#x2;', 1],
  ['&#x1F;', 1],
  ['&#xFFFF;', 1],
  ['&#x0;', 1],
  ['\u0002', 1],
  // Each half is a reference of its own, and neither is a character.
  ['&#xD83D;&#xDE00;', 2],
]

describe('a character that XML forbids', function () {
  this.timeout(60_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))
  let ids: number[]
  before(async () => {
    ids = await stock(home, [100, 200, 300], { reference: (at) => `B-${at}` })
  })
  const LIST = ['items:list', '--type', 'shop', '--state', 'active', '--json']
  type Listed = { Id: number; ShortDescription: string }

  for (const [written, read] of KINDS) {
    it(`is read as U+FFFD: ${JSON.stringify(written)}, with one warning that names the item`, async () => {
      await setFaults(home, { 'bad-characters': 'none' })
      const plain: Listed[] = (await home.seller(...LIST)).json()
      await setFaults(home, { 'bad-characters': written })
      const run = await home.done(...LIST)
      const [first, ...others] = run.json() as Listed[]
      expect(first).to.deep.equal({ ...plain[0], ShortDescription: `${'\ufffd'.repeat(read)}${plain[0]?.ShortDescription}` })
      expect(others).to.deep.equal(plain.slice(1))
      const what = read === 1 ? 'a character' : `${read} characters`
      expect(run.stderr.match(/that XML forbids/g)).to.have.length(1)
      expect(run.stderr).to.include(
        `The service sent ${what} that XML forbids, ${read === 1 ? '' : 'the first '}in item ${first?.Id}.`,
      )
    })
  }

  it('in the title of one item stops no command that reads the list', async () => {
    await setFaults(home, { 'bad-characters': '&#x2;' })
    for (const args of [
      ['items:list'],
      ['shop:export'],
      ['shop:price', '--all', '--add', '5%', '--dry-run'],
      ['shop:discount', 'Rea', '--all', '--add', '-10%', '--from', '+1d', '--until', '+1d', '--dry-run'],
      ['shop:remove', '--file', '-', '--dry-run'],
      ['shop:diff', '--since', 'today'],
      ['transactions:list'],
      ['sales:report', '--by', 'category'],
    ]) {
      const run = await home.run([...args, '--json'], { stdin: `Id\n${ids[0]}\n` })
      expect([run.code, run.stderr.match(/This is a bug/)], `${args.join(' ')}: ${run.stderr}`).to.deep.equal([0, null])
    }
    home.calls()
    const sent = await home.seller('shop:price', `${ids[1]}=210`, '--yes', '--wait', '--json')
    expect([sent.code, sent.json().Counts.ok], sent.stderr).to.deep.equal([0, 1])
    expect(await pricesOf(home, ids)).to.deep.equal([100, 210, 300])
  })

  it("in a buyer's address is read too, and the buyer is named", async () => {
    await setFaults(home, { 'bad-characters': 'none' })
    const plain = (await home.seller('transactions:list', '--json')).json()
    await setFaults(home, { 'bad-characters': '&#x1;' })
    const run = await home.seller('transactions:list', '--json')
    const at = plain.findIndex(({ Buyer }: { Buyer?: { Address?: string } }) => Buyer?.Address !== undefined)
    expect(run.json()[at].Buyer.Address).to.equal(`\ufffd${plain[at].Buyer.Address}`)
    expect(run.stderr).to.include(`that XML forbids, in member ${plain[at].Buyer.Id}.`)
  })

  it('is no difference between a catalogue that was exported and the shop', async () => {
    await setFaults(home, { 'bad-characters': '&#x2;' })
    const csv = (await home.seller('shop:export', '-o', 'csv')).stdout
    expect(csv).to.include('\ufffd')
    const run = await home.run(['shop:sync', '--file', '-', '--yes', '--json'], { stdin: csv })
    expect([run.code, run.json().ByHand, run.json().Added], run.stderr).to.deep.equal([0, [], 0])
  })

  it('is never sent', async () => {
    home.calls()
    const run = await home.seller('shop:add', '--title', 'A\u0002B', '--category', '100', '--price', '5', '--json')
    expect([run.code, run.json().error.category]).to.deep.equal([3, 'validation'])
    expect(home.calls()).to.deep.equal([])
  })
})
