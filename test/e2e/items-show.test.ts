import { expect } from 'chai'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { hasTmux } from './terminal.js'

describe('items:show', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let own: number
  let other: number
  before(async () => {
    own = (await home.seller('items:list', '--type', 'auction', '--json')).json()[0].Id
    other = (await home.seller('items:list', '--seller', '1002', '--json')).json()[0].Id
  })

  it('shows anybody’s item, by either service', async () => {
    const [restricted, asked] = await Promise.all([
      home.seller('items:show', String(other), '--json'),
      home.seller('items:show', String(other), '--public', '--json'),
    ])
    expect(restricted.json().Seller.Id).to.equal(1002)
    expect(asked.json()).to.deep.equal(restricted.json())
  })

  it('asks the public service where no seller is logged in', async () => {
    const run = await home.run(['items:show', String(own), '--json'], {
      env: { SELLER_USER_ID: undefined, SELLER_TOKEN: undefined },
    })
    expect(run.code, run.stderr).to.equal(0)
    expect(run.json().Id).to.equal(own)
  })

  it('counts an id that is given twice once, and says so of a missing one', async () => {
    const twice = await home.seller('items:show', String(own), String(own), '--json')
    expect(twice.json().map(({ Id }: { Id: number }) => Id)).to.deep.equal([own])
    const missing = await home.seller('items:show', '1', '1', '--json')
    expect(missing.json().error.message).to.equal('There is no item 1.')
  })

  it('writes a key and a value a line in a pipe', async () => {
    const run = await home.shell(`seller items:show ${own} | grep -P '^(Id|ItemType)\\t'`)
    expect(run.stdout).to.equal(`Id\t${own}\nItemType\tAuction\n`)
    const one = await home.seller('items:show', String(own), '--columns', 'Seller.Alias', '--json')
    expect(Object.keys(one.json())).to.deep.equal(['Seller.Alias'])
  })

  it('is a card on a terminal', async function () {
    if (!hasTmux) this.skip()
    const terminal = await home.terminal(['items:show', String(own)])
    const { code, screen } = await terminal.done()
    expect(code).to.equal(0)
    expect(screen).to.match(new RegExp(`^Id +${own}$`, 'm'))
    expect(screen).to.match(/^Ends +\d{4}-\d\d-\d\d \d\d:\d\d$/m)
    expect(screen).to.match(/^Type +auction$/m)
    // Names next to ids; the title once, above the card.
    expect(screen).to.match(/^Category +\S.+ > .+ \(\d+\)$/m)
    expect(screen).to.match(/^Payment options +[^\d\s].* \(\d+\)/m)
    expect(screen).not.to.match(/^Title /m)
  })
})
