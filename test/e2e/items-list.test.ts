import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { hasTmux } from './terminal.js'

interface Listed {
  Id: number
  ItemType: string
  CategoryId: number
  StartDate: string
  EndDate: string
  Seller: { Id: number }
  Status: { Ended: boolean }
}

describe('items:list', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let all: Listed[]
  before(async () => {
    all = (await home.seller('items:list', '--json')).json()
  })

  const listed = async (...flags: string[]): Promise<Listed[]> => (await home.seller('items:list', '--json', ...flags)).json()
  const instant = (text: string): number => new Date(text).getTime()

  it('lists the items of the seller, all of them started', () => {
    expect(all.length).to.be.greaterThan(100)
    for (const item of all) {
      expect(item.Seller.Id).to.equal(1001)
      expect(instant(item.StartDate)).to.be.at.most(Date.now())
    }
    expect(new Set(all.map(({ ItemType }) => ItemType))).to.deep.equal(
      new Set(['Auction', 'PureBuyItNow', 'ShopItem', 'ContactOnly']),
    )
  })

  it('is the same command in both spellings, and jq reads it', async () => {
    const [colon, space] = await Promise.all([
      home.shell("seller items:list --json | jq '.[0].Id'"),
      home.shell("seller items list --json | jq '.[0].Id'"),
    ])
    expect(colon.code).to.equal(0)
    expect(colon.stdout).to.equal(`${all[0]?.Id}\n`)
    expect(space.stdout).to.equal(colon.stdout)
    expect(colon.stderr + space.stderr).to.equal('')
  })

  it('has a flag for every parameter of GetSellerItems', async () => {
    const category = all[0]?.CategoryId ?? 0
    const ends = all.map(({ EndDate }) => EndDate).sort((one, other) => instant(one) - instant(other))
    const middle = ends[Math.floor(ends.length / 4)] ?? ''
    const starts = all.map(({ StartDate }) => StartDate).sort((one, other) => instant(one) - instant(other))
    const early = starts[Math.floor(starts.length / 2)] ?? ''
    const cases: [string[], (item: Listed) => boolean][] = [
      [['--type', 'auction'], ({ ItemType }) => ItemType === 'Auction'],
      [['--type', 'buy-now'], ({ ItemType }) => ItemType === 'PureBuyItNow'],
      [['--type', 'shop'], ({ ItemType }) => ItemType === 'ShopItem'],
      [['--type', 'ShopItem'], ({ ItemType }) => ItemType === 'ShopItem'],
      [['--state', 'active'], ({ EndDate }) => instant(EndDate) > Date.now()],
      [['--state', 'inactive'], ({ EndDate }) => instant(EndDate) < Date.now()],
      [['--state', 'ended'], ({ EndDate }) => instant(EndDate) < Date.now()],
      [['--category', String(category)], ({ CategoryId }) => CategoryId === category],
      [['--ends-after', middle], ({ EndDate }) => instant(EndDate) > instant(middle)],
      [['--ends-before', middle], ({ EndDate }) => instant(EndDate) < instant(middle)],
      [['--started-before', early], ({ StartDate }) => instant(StartDate) < instant(early)],
      // The dates replace the state.
      [['--state', 'active', '--ends-before', middle], ({ EndDate }) => instant(EndDate) < instant(middle)],
    ]
    const results = await Promise.all(cases.map(([flags]) => listed(...flags)))
    for (const [index, [flags, belongs]] of cases.entries()) {
      const expected = all.filter(belongs).map(({ Id }) => Id)
      expect(expected.length, flags.join(' ')).to.be.greaterThan(0).and.lessThan(all.length)
      expect(
        results[index]?.map(({ Id }) => Id),
        flags.join(' '),
      ).to.deep.equal(expected)
    }
  })

  it('lists another seller’s items without a seller being logged in', async () => {
    const nobody = { SELLER_USER_ID: undefined, SELLER_TOKEN: undefined }
    const run = await home.run(['items:list', '--seller', '1002', '--json'], { env: nobody })
    expect(run.code, run.stderr).to.equal(0)
    const items: Listed[] = run.json()
    expect(items.length).to.be.greaterThan(10)
    for (const item of items) expect(item.Seller.Id).to.equal(1002)
    const own = await home.run(['items:list', '--json'], { env: nobody })
    expect(own.code).to.equal(4)
  })

  it('writes rows a pipe can cut: tabs, no header, no colour, ISO times', async () => {
    const run = await home.run(['items:list'], { env: { TERM: 'xterm-256color' } })
    expect(run.code).to.equal(0)
    expect(run.stderr).to.equal('')
    expect(run.stdout).not.to.include('\u001b')
    expect(run.lines()).to.have.length(all.length)
    for (const line of run.lines()) {
      expect(line.split('\t')).to.have.length(7)
      expect(line).to.match(/^\d+\t[^\t]+\t(Auction|PureBuyItNow|ShopItem|ContactOnly)\t\d*\t\d{4}-\d\d-\d\dT[^\t]+\t\d+\t-?\d+$/)
    }
  })

  it('shows a column alone as next to others, although it then reads its own fields only', async () => {
    const columns = ['Id', 'Title', 'Type', 'Price', 'State', 'Ends', 'Left', 'CategoryName', 'CategoryPath', 'PaymentNames']
    columns.push('ShippingNames', 'OwnReferences', 'Seller.Alias')
    // The others next to it have each field that one of them may be made of.
    const fields = ['ItemType', 'MaxBid', 'OpeningBid', 'BuyItNowPrice', 'Status', 'StartDate', 'EndDate', 'CategoryId']
    fields.push('PaymentOptions', 'ShippingOptions')
    const shown = async (form: string, ...names: string[]) => {
      const flags = ['--type', 'auction', '-o', form, '--columns', names.join()]
      const run = await home.run(['items:list', ...flags], { env: { COLUMNS: '9000' } })
      expect(run.code, run.stderr).to.equal(0)
      return run
    }
    const records: Record<string, unknown>[] = (await shown('json', ...columns, ...fields)).json()
    const keys = Object.keys(records[0] ?? {})
    for (const [at, column] of columns.entries()) {
      const key = keys[at] ?? ''
      const values: Record<string, unknown>[] = (await shown('json', column)).json()
      expect(values, column).to.deep.equal(records.map((one) => ({ [key]: one[key] })))
      const cells = (await shown('table', column)).lines().slice(0, -1)
      const width = cells[1]?.length ?? 0
      const first = (await shown('table', column, ...fields)).lines().slice(0, -1)
      expect(
        first.map((line) => line.slice(0, width).trim()),
        column,
      ).to.deep.equal(cells.map((cell) => cell.trim()))
    }
  })

  it('sorts by a column that is not shown', async () => {
    const ids = async (...flags: string[]) => (await home.seller('items:list', '-o', 'csv', '--sort', '-Price', ...flags)).lines()
    const whole = await ids()
    expect(await ids('--columns', 'Id')).to.deep.equal(whole.map((line) => `${line.split(',')[0]}\r`))
  })

  it('ends quietly when its reader goes', async () => {
    const run = await home.shell('seller items:list | head -n 1; echo $PIPESTATUS')
    expect(run.stderr).to.equal('')
    expect(run.lines()).to.have.length(2)
    expect(run.lines()[1]).to.equal('0')
  })

  it('is a table on a terminal', async function () {
    if (!hasTmux) this.skip()
    const terminal = await home.terminal(['items:list', '--type', 'buy-now', '--sort', 'Id'], { width: 90 })
    const { code, screen } = await terminal.done()
    expect(code).to.equal(0)
    const lines = screen.split('\n')
    expect(lines[0]).to.match(/^ +Id +Title {25} +Price +State +Ends +Category$/)
    expect(lines[1]).to.match(/^[─ ]+$/)
    expect(lines[2]).to.match(/^\d+ {2}.+ {2}[\d ]+ kr +(active|ended|sold) +\d{4}-\d\d-\d\d \d\d:\d\d +\S.*$/)
    expect(screen).to.match(/\d+ items\n/)
    expect(screen).not.to.include('Reading items')
  })
})
