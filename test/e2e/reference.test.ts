import { expect } from 'chai'
import { type CategoryValue, instantOf } from '../../src/contract/index.js'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { hasTmux } from './terminal.js'

describe('reference', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let tree: CategoryValue[]
  before(async () => {
    // The public service needs no seller.
    delete (home.env as Record<string, string>).SELLER_USER_ID
    delete (home.env as Record<string, string>).SELLER_TOKEN
    tree = (await home.seller('reference:categories', '--json')).json()
  })

  const nodes = (categories: readonly CategoryValue[]): CategoryValue[] =>
    categories.flatMap((category) => [category, ...nodes(category.Category)])

  it('tells the time of the service', async () => {
    // Server and command share this machine's clock: the time is within the run, and neither is ahead by more than its length.
    const before = Date.now()
    const run = await home.seller('reference:time', '--json')
    const after = Date.now()
    expect(run.code, run.stderr).to.equal(0)
    const { OfficialTime, ClockAheadMs } = run.json()
    expect(instantOf(OfficialTime)).to.be.within(before, after)
    expect(Math.abs(ClockAheadMs)).to.be.at.most(after - before)
  })

  it('shows what --shipping takes in full on a terminal of 80 columns', async () => {
    const env = { SELLER_USER_ID: '1001', SELLER_TOKEN: 'sandbox-token-of-seller-1001' }
    const run = await home.run(['reference:shipping', '-p', 'sandbox', '--no-pager'], { env, terminal: true, columns: 80 })
    expect(run.stdout).to.include('provider=1,product=10 ').and.not.include('product…')
  })

  it('sorts and chooses', async () => {
    const run = await home.shell('seller reference:counties --sort -Description --columns description,id | head -n 2')
    expect(run.lines().map((line) => line.split('\t')[0])).to.deep.equal(['Östergötlands län', 'Örebro län'])
  })

  describe('categories', () => {
    it('are a tree in JSON', () => {
      expect(tree.length).to.be.greaterThan(5)
      expect(nodes(tree).length).to.be.greaterThan(tree.length)
      for (const node of nodes(tree)) expect(node).to.have.all.keys('Id', 'Name', 'Category')
    })

    it('are found by a part of their name, and by their id', async () => {
      const category = nodes(tree).find(({ Category, Name = '' }) => Category.length === 0 && Name.length > 3)
      for (const search of [category?.Name?.slice(1).toUpperCase(), category?.Id]) {
        const found: CategoryValue[] = (await home.seller('reference:categories', '--search', String(search), '--json')).json()
        expect(nodes(found).map(({ Id }) => Id)).to.include(category?.Id)
      }
    })

    it('are drawn as a tree on a terminal', async function () {
      if (!hasTmux) this.skip()
      const root = tree.find(({ Category }) => Category.length > 1)
      const terminal = await home.terminal(['reference:categories', '--category', String(root?.Id), '--depth', '2'])
      const { code, screen } = await terminal.done()
      expect(code).to.equal(0)
      const lines = screen.split('\n')
      expect(lines[0]).to.equal(`${root?.Name} ${root?.Id}`)
      expect(lines[1]).to.equal(`├── ${root?.Category[0]?.Name} ${root?.Category[0]?.Id}`)
      expect(screen).to.include(`└── ${root?.Category.at(-1)?.Name} ${root?.Category.at(-1)?.Id}`)
    })
  })
})
