import { expect } from 'chai'
import { type CategoryValue, instantOf } from '../../src/contract/index.js'
import { type Home, openHome } from './harness.js'
import { hasTmux } from './terminal.js'

describe('reference', () => {
  let home: Home
  let tree: CategoryValue[]
  before(async () => {
    home = await openHome({ sandbox: true })
    // The public service needs no seller.
    delete (home.env as Record<string, string>).SELLER_USER_ID
    delete (home.env as Record<string, string>).SELLER_TOKEN
    tree = (await home.seller('reference:categories', '--json')).json()
  })
  after(() => home.close())

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

  for (const [command, known] of [
    ['reference:payment-types', { Id: 4096, Value: 'Swish' }],
    ['reference:bidder-types', { Id: 4, Value: 'EU' }],
    ['reference:expo-item-types', { Id: 1, Value: 'Bold' }],
    ['reference:item-types', { Id: 4, Value: 'ShopItem' }],
    ['reference:counties', { Id: 1, Description: 'Stockholms län' }],
  ] as const) {
    it(`lists ${command}`, async () => {
      const run = await home.seller(command, '--json')
      expect(run.code, run.stderr).to.equal(0)
      const found = run.json().find(({ Id }: { Id: number }) => Id === known.Id)
      expect(found).to.include(known)
    })
  }

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

    it('are rows with their path in a pipe', async () => {
      const run = await home.seller('reference:categories')
      expect(run.lines()).to.have.length(nodes(tree).length)
      const parent = tree.find(({ Category }) => Category.length > 0)
      const child = parent?.Category[0]
      expect(run.lines()).to.include(`${child?.Id}\t${parent?.Id}\t2\t${child?.Name}\t${parent?.Name} > ${child?.Name}`)
    })

    it('stop at a depth', async () => {
      const flat = (await home.seller('reference:categories', '--depth', '1', '--json')).json() as CategoryValue[]
      expect(flat).to.deep.equal(tree.map((category) => ({ ...category, Category: [] })))
    })

    it('begin at one', async () => {
      const root = tree.find(({ Category }) => Category.length > 0)
      const run = await home.seller('reference:categories', '--under', String(root?.Id), '--json')
      expect(run.json()).to.deep.equal([root])
    })

    it('are searched, in any case', async () => {
      const run = await home.seller('reference:categories', '--search', 'GLAS', '--json')
      const found = nodes(run.json())
      expect(found.some(({ Name }) => /glas/i.test(Name ?? ''))).to.equal(true)
      expect(found.length).to.be.lessThan(nodes(tree).length)
      for (const node of found.filter(({ Category }) => Category.length === 0)) {
        const path = (await pathOf(run.json(), node.Id)).join(' ')
        expect(path).to.match(/glas/i)
      }
      const none = await home.seller('reference:categories', '--search', 'qqqq')
      expect([none.code, none.stdout, none.stderr]).to.deep.equal([0, '', 'No categories.\n'])
    })

    const pathOf = (categories: readonly CategoryValue[], id: number): string[] => {
      for (const category of categories) {
        if (category.Id === id) return [category.Name ?? '']
        const below = pathOf(category.Category, id)
        if (below.length > 0) return [category.Name ?? '', ...below]
      }
      return []
    }

    it('that do not exist are reported', async () => {
      const run = await home.seller('reference:categories', '--under', '999999999', '--json')
      expect(run.code).to.equal(1)
      expect(run.json().error).to.include({ code: 'category_not_found', category: 'not_found' })
      const deep = await home.seller('reference:categories', '--depth', '0')
      expect(deep.code).to.equal(2)
      expect(deep.stderr).to.match(/--depth: "0"/)
    })

    it('are drawn as a tree on a terminal', async function () {
      if (!hasTmux) this.skip()
      const root = tree.find(({ Category }) => Category.length > 1)
      const terminal = await home.terminal(['reference:categories', '--under', String(root?.Id), '--depth', '2'])
      const { code, screen } = await terminal.done()
      expect(code).to.equal(0)
      const lines = screen.split('\n')
      expect(lines[0]).to.equal(`${root?.Name} ${root?.Id}`)
      expect(lines[1]).to.equal(`├── ${root?.Category[0]?.Name} ${root?.Category[0]?.Id}`)
      expect(screen).to.include(`└── ${root?.Category.at(-1)?.Name} ${root?.Category.at(-1)?.Id}`)
    })
  })
})
