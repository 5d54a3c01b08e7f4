import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../src/jobs/ledger/store.js'
import { controlSandbox } from '../control-sandbox.js'
import { opened, openedForEach } from '../opened.js'
import { words } from './harness.js'
import { CATEGORY, openObserved } from './observed.js'
import { ask } from './person.js'
import { stock } from './shop.js'

describe('an item that is there already', function () {
  this.timeout(60_000)
  const home = openedForEach(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))
  const sheet = (...references: string[]) =>
    `Title,CategoryId,Price,OwnReferences\n${references.map((name) => `Mugg ${name},${CATEGORY},149,${name}\n`).join('')}`
  const addFile = (text: string, ...args: string[]) =>
    home.run(['shop:add', '--file', '-', '--yes', '--json', ...args], { stdin: text })
  const mug = (reference: string, ...args: string[]) =>
    home.seller(...words`shop:add --title Mugg --category ${CATEGORY} --price 149 --reference ${reference} --json`, ...args)
  const sent = () => home.calls().filter((name) => name === 'AddShopItem' || name === 'AddItem').length

  it('is held in a file: what is live, what a job has sent, what stands in the file twice', async () => {
    await stock(home, [100], { reference: () => 'LIVE-1' })
    const first = await addFile(sheet('A-1', 'A-2'), '--wait')
    expect(first.code, first.stderr).to.equal(0)
    const added: { Line: number; Id: number; OwnReference: string }[] = first.json().NewItems
    const live = (await home.seller('items:show', ...added.map(({ Id }) => String(Id)), '--json')).json()
    expect(added.map(({ Line, OwnReference }) => [Line, OwnReference])).to.deep.equal([
      [2, 'A-1'],
      [3, 'A-2'],
    ])
    expect(live.map(({ OwnReferences }: { OwnReferences: string[] }) => OwnReferences)).to.deep.equal([['A-1'], ['A-2']])
    home.calls()
    const second = await addFile(sheet('A-1', 'NEW-1', 'LIVE-1', 'NEW-1', 'A-2'), '--wait', '--held-file', 'held.csv')
    expect([second.code, second.json().Counts]).to.deep.include(6)
    expect(second.json().Counts).to.include({ ok: 1, held: 4 })
    expect(second.stderr).to.include('is already live as item').and.include('--again')
    const held = readFileSync(join(home.dir, 'held.csv'), 'utf8')
    expect(held)
      .to.include('own reference ""LIVE-1"" is already live')
      .and.include('an earlier row also has own reference ""NEW-1""')
    expect(sent()).to.equal(1)
    const again = await home.seller('shop:add', '--file', 'held.csv', '--yes', '--wait', '--again', '--json')
    expect(again.json().Counts).to.include({ ok: 4, held: 0 })
    expect(home.calls()).to.not.include('GetSellerItems')
  })

  it('is held while the ledger only knows that it was sent, or has it still to send', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-delay': '1h' })
    const stopped = await addFile(sheet('A-1', 'A-2', 'A-3'), '--max-calls', '3')
    expect([stopped.code, stopped.json().error.code]).to.deep.equal([7, 'max_calls_reached'])
    const dry = (await addFile(sheet('A-1', 'A-3', 'A-4'), '--dry-run')).json()
    expect(dry.Summary).to.include({ Change: 1, Held: 2, Calls: 1 })
    const { jobId } = stopped.json().error
    const reasons = dry.Rows.map(({ Reason }: { Reason: string | null }) => Reason)
    expect(reasons[0]).to.match(new RegExp(`^own reference "A-1" was sent by job ${jobId} \\(item \\d+\\) on \\d{4}-`))
    expect(reasons[1]).to.equal(`job ${jobId} has own reference "A-3", and has not sent it yet: seller jobs:resume ${jobId}`)
    expect(reasons[2]).to.equal(null)
    // A dropped job sends nothing more, so only what it sent counts.
    await home.seller('jobs:drop', String(jobId), '--yes')
    expect((await addFile(sheet('A-1', 'A-3'), '--dry-run')).json().Summary).to.include({ Change: 1, Held: 1 })
  })

  it('is held when it was added by a single call, or with images', async () => {
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-delay': '1h' })
    const single = (await mug('S-1')).json().RequestId
    await home.seller(
      ...['items:add', '--title', 'Vas', '--category', CATEGORY, '--opening', '10', '--shipping', 'pickup'],
      ...['--reference', 'L-1', '--campaign', 'VALKOMMEN'],
    )
    const { Rows } = (await addFile(sheet('S-1', 'L-1', 'X-1'), '--dry-run')).json()
    expect(Rows.map(({ Reason }: { Reason: string | null }) => Reason)[0]).to.include(`was sent by request ${single} (item`)
    expect(Rows[1].Reason).to.include('was sent by job 1 (item')
    expect(Rows[2].State).to.equal('change')
  })

  it('is not held where it has ended or was refused: an own reference may be used again', async () => {
    const added = (await mug('A-1', '--wait')).json()
    await home.seller('shop:remove', String(added.ItemId), '--wait')
    // For an hour the list may be older than the item.
    expect((await mug('A-1')).code).to.equal(6)
    const ledger = openStore(join(home.dataDir, 'ledger.db'), 'power')
    ledger.exec('UPDATE requests SET sent_at = sent_at - 7200000')
    ledger.close()
    expect((await mug('A-1')).code).to.equal(0)
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-codes': 'Error=100%' })
    expect((await mug('B-1', '--wait')).code).to.equal(1)
    await controlSandbox(home.sandbox.url, 'faults', { 'queue-codes': 'Error=0%' })
    expect((await mug('B-1', '--wait')).code).to.equal(0)
  })

  it('is held alone off a terminal: exit 6, nothing sent, unless --again', async () => {
    const [id = 0] = await stock(home, [100], { reference: () => 'LIVE-1' })
    home.calls()
    const held = await mug('LIVE-1', '--yes')
    expect([held.code, held.json().error.code]).to.deep.equal([6, 'item_held'])
    expect(held.json().error.message).to.equal(`Own reference "LIVE-1" is already live as item ${id}. The item was not added.`)
    expect(sent()).to.equal(0)
    expect((await mug('LIVE-1', '--again')).code).to.equal(0)
    expect(home.calls()).to.deep.equal(['AddShopItem'])
    // Without an own reference there is nothing to compare, and no list to read.
    await home.seller('shop:add', '--title', 'Fat', '--category', CATEGORY, '--price', '20')
    expect(home.calls()).to.deep.equal(['AddShopItem'])
  })

  it('is asked about on a terminal', async () => {
    await stock(home, [100], { reference: () => 'LIVE-1' })
    const args = ['shop:add', '--title', 'Mugg', '--category', CATEGORY, '--price', '149', '--reference', 'LIVE-1']
    const no = ask(home, args)
    expect(await no.sees('Add it anyway?')).to.include('is already live')
    await no.enters('n')
    expect((await no.done).code).to.equal(6)
    expect(sent()).to.equal(0)
    const yes = ask(home, args)
    await yes.answers('Add it anyway?', 'y')
    await yes.answers('Add "Mugg" to the shop: 149 kr', 'y')
    expect((await yes.done).code).to.equal(0)
    expect(sent()).to.equal(1)
  })
})

describe('a file that removes much of the shop', function () {
  this.timeout(60_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  const remove = (ids: readonly number[], ...args: string[]) =>
    home.run(['shop:remove', '--file', '-', '--yes', '--json', ...args], { stdin: `Id\n${ids.join('\n')}\n` })

  it('sends nothing: exit 6, unless a larger share is given by flag or profile', async () => {
    const ids: number[] = (await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json'))
      .json()
      .map(({ Id }: { Id: number }) => Id)
    const most = ids.slice(0, Math.ceil(ids.length * 0.6))
    expect(most.length).to.be.at.least(10)
    home.calls()
    const held = await remove(most)
    expect([held.code, held.json().Counts.held]).to.deep.equal([6, most.length])
    expect(held.stderr).to.match(
      new RegExp(`Nothing is sent: ${most.length} of ${ids.length} shop items would be removed .* over the limit of 10 %`),
    )
    expect(home.calls()).to.deep.equal(['GetSellerItems'])
    expect((await remove(most, '--dry-run')).code).to.equal(0)
    expect((await remove(most, '--allow', 'max_removed=half')).json().error.code).to.equal('invalid_percent')
    await home.seller('auth:login', '--setting', 'max_removed=70%')
    const sent = await remove(most, '--wait')
    expect(sent.code, sent.stderr).to.equal(0)
    // Few items are left, and below ten rows the share is not checked.
    const rest = ids.slice(most.length)
    expect((await remove(rest.slice(0, 9), '--allow', 'max_removed=1%')).code).to.equal(0)
  })
})

describe('a single binding action', function () {
  this.timeout(60_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  const auction = ['items:add', '--title', 'Vas', '--category', CATEGORY, '--opening', '100', '--shipping', 'pickup']

  it('is shown and asked about on a terminal, and nothing is sent on a no', async () => {
    const [id = 0] = await stock(home, [100])
    home.calls()
    const no = ask(home, ['shop:remove', String(id)])
    await no.answers(`Remove item ${id} "Vara 0" from the shop?`, 'n')
    expect((await no.done).code).to.equal(6)
    const add = ask(home, auction, { columns: 200 })
    await add.answers('Add "Vas": opening price 100 kr, 7 days, category 344481?', 'n')
    expect((await add.done).code).to.equal(6)
    expect(home.calls()).to.deep.equal(['GetItem'])
    expect((await home.seller('requests:list', '--json')).json()).to.deep.equal([])
  })

  it('goes at once with -y, also on a terminal, and off a terminal without it', async () => {
    const [one = 0, two = 0] = await stock(home, [100, 200])
    const { code, stderr } = await ask(home, ['shop:remove', String(one), '-y', '--wait']).done
    expect(code, stderr).to.equal(0)
    expect(stderr).to.not.include('Remove 1 item')
    expect((await ask(home, [...auction, '-y']).done).code).to.equal(0)
    expect((await home.seller('shop:remove', String(two), '--wait')).code).to.equal(0)
    expect((await home.seller(...auction)).code).to.equal(0)
  })
})
