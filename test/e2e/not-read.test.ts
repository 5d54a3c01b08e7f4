/** A result that is not whole says so in data: a document by NotRead, a bare list by the error of --whole. */
import { expect } from 'chai'
import { readManifest } from '../../src/cli/manifest.js'
import { readSchemas } from '../../src/cli/schemas.js'
import { EXIT } from '../../src/errors/index.js'
import { closing, opened } from '../opened.js'
import { root } from './harness.js'
import { openObserved } from './observed.js'

interface Missing {
  readonly What: string
  readonly Reason: string
  readonly From: string | null
  readonly Until: string | null
}

/** A midnight some days ago, since a time of day would move between two runs. */
const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Answers about single things: what is missing of those that were asked for is an error, order_not_found. */
const BY_ID = ['orders:show']

describe('a result that is not whole', () => {
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, extended: true }))

  const whatOf = (missing: readonly Missing[]): string[] => missing.map(({ What, Reason }) => `${What} ${Reason}`)

  it('can be noticed for every command that may leave something out', async () => {
    const { commands } = readSchemas(root)
    const silent = readManifest(root).filter(({ id, flags }) => {
      const partial = flags.limit !== undefined || flags.offline !== undefined || flags['dry-run'] !== undefined
      const single = ['call', 'items:end', 'jobs:due', 'shop:settings', 'ledger:prune', 'ledger:restore'].includes(id)
      return partial && !single && flags.whole === undefined && !JSON.stringify(commands[id]).includes('NotRead')
    })
    expect(silent.map(({ id }) => id)).to.deep.equal(BY_ID)
  })

  it('is a report of sales that were not read, with the spans; whole once they are', async () => {
    const line = ['sales:report', '--since', day(60), '--until', day(3), '--compare', 'none', '--json']
    const offline = (await home.seller(...line, '--offline')).json()
    expect(offline.Total.Amount).to.equal(0)
    expect(offline.NotRead).to.deep.equal([{ What: 'sales', Reason: 'offline', From: offline.Since, Until: offline.Until }])
    const read = (await home.seller(...line)).json()
    expect(read.Total.Amount).to.be.greaterThan(0)
    // No order was ever read here, so shipping is not known.
    expect(read.NotRead).to.deep.equal([{ What: 'orders', Reason: 'not_kept', From: read.Since, Until: read.Until }])
    await home.seller('orders:list', '--since', day(130), '--json')
    expect((await home.seller(...line)).json().NotRead).to.deep.equal([])
    const again = (await home.seller(...line, '--offline')).json()
    expect([again.NotRead, again.Total.Amount]).to.deep.equal([[], read.Total.Amount])
    const longer = (
      await home.seller('sales:report', '--since', day(120), '--until', day(3), '--compare', 'none', '--offline', '--json')
    ).json()
    expect(longer.NotRead[0]).to.include({ What: 'sales', From: longer.Since })
    expect(longer.NotRead[0].Until).to.equal(read.Since)
  })

  it('is a report with fewer rows than there are', async () => {
    const line = ['sales:report', '--since', day(60), '--until', day(3), '--by', 'item', '--compare', 'none', '--json']
    const rows = (await home.seller(...line)).json().Rows.length
    const missing = async (limit: number) => whatOf((await home.seller(...line, '--limit', String(limit))).json().NotRead)
    expect(await missing(rows - 1)).to.deep.equal(['rows limit'])
    expect(await missing(rows)).to.deep.equal([])
  })

  it('is a list that --limit cuts, with --whole alone', async () => {
    const [one, two] = (await home.seller('items:list', '--type', 'shop', '--json')).json()
    await home.seller('shop:remove', String(one.Id), String(two.Id))
    for (const set of ['7', '8']) await home.seller('shop:price', '--all', '--add', `${set}kr`, '--yes', '--wait', '--json')
    for (const line of [
      ['items:list', '--type', 'shop', '--sort', '-Id'],
      ['transactions:list'],
      ['orders:list'],
      ['jobs:list'],
      ['requests:list', '--since', '1d'],
      ['calls:show', '--list'],
    ]) {
      const all = (await home.seller(...line, ...(line[0] === 'requests:list' ? ['--limit', '9999'] : []), '--json')).json()
        .length
      expect(all, line.join(' ')).to.be.greaterThan(1)
      // Listing calls makes none; reading makes some.
      const more = line[0] === 'calls:show' ? 100_000 : all
      expect((await home.seller(...line, '--limit', String(all - 1), '--json')).json(), line.join(' ')).to.have.length(all - 1)
      expect((await home.seller(...line, '--limit', String(more), '--whole', '--json')).code, line.join(' ')).to.equal(EXIT.ok)
      const cut = await home.seller(...line, '--limit', '1', '--whole', '--json')
      expect([cut.code, cut.json().error.code, cut.json().error.notRead], line.join(' ')).to.deep.equal([
        EXIT.failure,
        'not_whole',
        [{ what: 'rows', reason: 'limit', from: null, until: null }],
      ])
    }
  })

  it('is a list of orders that were not read', async () => {
    const bare = await home.seller('orders:list', '--since', day(200), '--offline', '--json')
    expect(bare.json()).to.be.an('array')
    expect(bare.stderr).to.match(/Warning: Not read, or read less than a day ago: .* Part of the list may be missing\./)
    for (const command of ['orders:list', 'orders:export']) {
      const whole = (since: string) => home.seller(command, '--since', since, '--until', day(3), '--offline', '--whole', '--json')
      const { error } = (await whole(day(200))).json()
      expect([error.code, error.notRead[0].what, error.notRead[0].reason]).to.deep.equal(['not_whole', 'orders', 'offline'])
      expect((await whole(day(100))).json(), command).to.be.an('array')
    }
  })

  it('is a plan of marks for orders that are not kept', async () => {
    const notReadOf = async (id: string) => (await home.seller('orders:mark', id, '--sent', '--dry-run', '--json')).json().NotRead
    expect(whatOf(await notReadOf('7777'))).to.deep.equal(['orders not_kept'])
    expect(await notReadOf('70004')).to.deep.equal([])
  })

  it('is a day whose orders cannot be read', async () => {
    await using without = closing(await openObserved())
    const today = await without.seller('today', '--json')
    expect(today.json().filter(({ Kind }: { Kind: string }) => Kind === 'not_read')).to.deep.equal([
      {
        Kind: 'not_read',
        Count: 0,
        Words: 'Orders were not read: the service, or the application, has no order service',
        Command: 'seller service:check',
        next: [
          {
            command: 'seller service:check',
            why: 'Orders were not read: the service, or the application, has no order service',
          },
        ],
      },
    ])
  })
})
