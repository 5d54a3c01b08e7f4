/**
 * shop:update against a sandbox over real HTTP: one item, the items of a choice, and the rows of a file, each as a job that can
 * be taken back.
 */
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { type ObservedHome, openObserved, PIXEL } from './observed.js'
import { stock } from './shop.js'

interface Live {
  readonly Id: number
  readonly ShortDescription: string
  readonly PaymentCondition?: string
  readonly RemainingQuantity: number
  readonly VAT?: number
  readonly ImageLinks?: readonly string[]
}

describe('shop:update', function () {
  this.timeout(120_000)
  let home: ObservedHome
  let ids: number[]
  beforeEach(async () => {
    home = await openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true })
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec('UPDATE items SET ends = starts')
    store.close()
    ids = await stock(home, [100, 200, 300], { reference: (at) => `R${at}` })
    home.calls()
  })
  afterEach(() => home.close())
  const update = (...args: string[]) => home.seller('shop:update', ...args, '--json')
  const live = async (): Promise<Live[]> => {
    const all = (await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json')).json() as Live[]
    return ids.map((id) => all.find(({ Id }) => Id === id) as Live)
  }

  it('changes one item as a job, which can be checked and taken back, and says nothing twice', async () => {
    const given = [String(ids[0]), '--title', 'Krus', '--vat', '12', '--quantity', '7']
    const dry = await update(...given, '--dry-run')
    const shown = dry
      .json()
      .Rows.map(({ Field, Live: now, Wanted, State }: Record<string, unknown>) => [Field, now, Wanted, State])
    expect(shown, dry.stderr).to.deep.equal([
      ['Title', 'Vara 0', 'Krus', 'change'],
      ['VAT', null, 12, 'change'],
      ['AbsoluteQuantity', 1, 7, 'change'],
    ])
    expect((await update(...given)).json().error).to.include({ code: 'confirmation_missing' })
    const run = await update(...given, '--yes', '--wait', '--verify')
    expect(run.json(), run.stderr).to.deep.include({ Kind: 'update', State: 'ok', Differences: [] })
    expect((await live())[0]).to.include({ ShortDescription: 'Krus', VAT: 12, RemainingQuantity: 7 })
    const again = await update(...given, '--yes', '--wait')
    expect(again.json(), again.stderr).to.deep.include({ JobId: null, Unchanged: 1 })
    const undone = await home.seller('jobs:undo', String(run.json().JobId), '--yes', '--wait', '--json')
    expect(undone.json(), undone.stderr).to.include({ State: 'ok' })
    expect((await live())[0]).to.include({ ShortDescription: 'Vara 0', RemainingQuantity: 1 })
    const named = ['--set', 'Titel=Mugg', '--set', 'Moms=6', '--set', 'Frakt=pickup', '--vat', '25', '--dry-run']
    const set = (await update(String(ids[0]), ...named)).json().Rows
    expect(set.map(({ Field, Wanted }: Record<string, unknown>) => [Field, Wanted])).to.deep.include.members([
      ['Title', 'Mugg'],
      ['VAT', 25],
    ])
    const other = await update('7', '--title', 'X', '--yes')
    expect([other.code, other.json().error.code]).to.deep.equal([EXIT.validation, 'cannot_be_changed'])
  })

  it('sets a field of the items of a choice, by the names of columns, and empties a text where that is said', async () => {
    const set = ['--set', 'PaymentCondition=Swish', '--set', 'Moms=25']
    const run = await update(...set, '--search', 'vara', '--yes', '--wait', '--verify')
    expect(run.json(), run.stderr).to.deep.include({ State: 'ok', Differences: [] })
    expect((await live()).map(({ PaymentCondition, VAT }) => [PaymentCondition, VAT])).to.deep.equal(Array(3).fill(['Swish', 25]))
    const empty = ['--set', 'PaymentCondition=', '--reference', 'R1']
    expect((await update(...empty, '--yes', '--wait')).code).to.equal(EXIT.held)
    expect((await update(...empty, '--yes', '--wait', '--allow', 'emptied_text')).json()).to.deep.include({ State: 'ok' })
    expect((await live())[1]?.PaymentCondition ?? '').to.equal('')
    const wrong = await update('--set', 'Price=5', '--set', 'Färg=blå', '--set', 'Title=', '--set', 'VAT', '--all')
    expect([wrong.code, wrong.json().error.count]).to.deep.equal([EXIT.validation, 4])
    expect((await update('--set', 'VAT=25')).json().error.code).to.equal('rule_without_items')
    expect((await update('--set', 'VAT=25', '--search', 'finns inte')).json().error.code).to.equal('nothing_chosen')
  })

  it('says how many days a plan takes whose calls are more than those of a day', async () => {
    const line = ['shop:update', '--set', 'VAT=12', '--all', '--json']
    const made = (await home.seller('calls:show', '--json')).json().Used as number
    const of = (left: number) => ({ env: { SELLER_CALL_BUDGET: String(made + left) } })
    // One call reads the list; two are left for three items.
    const dry = await home.run([...line, '--dry-run'], of(3))
    expect(dry.stderr).to.match(/With \d+ calls in 24 hours it takes 2 days: 2 are left now\./)
    expect((await home.run([...line, '--dry-run'], of(9))).stderr).to.not.include('it takes')
    const run = await home.run([...line, '--yes'], of(4))
    expect(run.code, run.stdout).to.equal(EXIT.quota)
    expect(run.stderr).to.include('All of it takes 2 days.')
  })

  it('changes the items of a file and adds none', async () => {
    const file = await home.file('rows.csv', 'SKU,Titel,Kategori,Pris\nR0,Fat,,\nNY,Ny,344481,50\n')
    const run = await update('--file', file, '--yes', '--wait')
    expect(run.json(), run.stderr).to.deep.include({ Kind: 'sync', Updated: 1, Added: 0 })
    expect(run.code).to.equal(EXIT.held)
    expect((await live())[0]?.ShortDescription).to.equal('Fat')
  })

  it('sends the images of files by their hash, and nothing where a file has changed since the plan', async () => {
    const path = await home.file('a.png', PIXEL.png)
    const before = (await live())[0]?.ImageLinks
    const run = await update(String(ids[0]), '--image', path, '--yes', '--wait', '--max-calls', '1')
    expect(run.code, run.stdout).to.equal(EXIT.quota)
    await home.file('a.png', PIXEL.gif)
    const changed = await home.seller('jobs:resume', String(run.json().error.jobId), '--wait', '--json')
    expect([changed.code, changed.stderr.includes('has changed since')], changed.stderr).to.deep.equal([
      EXIT.someRowsFailed,
      true,
    ])
    await home.file('a.png', PIXEL.png)
    const retried = await home.seller('jobs:resume', String(run.json().error.jobId), '--retry-failed', '--wait', '--json')
    expect(retried.json(), retried.stderr).to.include({ State: 'ok' })
    expect((await live())[0]?.ImageLinks).to.not.deep.equal(before)
  })
})
