/** Titles beside ids: in plans, in jobs, in the reasons of held rows. */
import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { type Home, openHome } from './harness.js'

describe('titles in plans and jobs', () => {
  let home: Home
  let lamp: number
  let vase: number
  let auction: number
  before(async () => {
    home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
    const csv = 'Title,Price,Type\nLampa i mässing,500,ShopItem\nVas i glas,700,ShopItem\nKlocka,100,Auction\n'
    ;[lamp = 0, vase = 0, auction = 0] = ((await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }).ids
  })
  after(() => home.close())

  it('a plan names the items that change or are held, and in a pipe the title comes last', async () => {
    const args = ['shop:price', `${lamp}=550`, `${vase}=70`, '--dry-run']
    const { Rows, Largest } = (await home.seller(...args, '--json')).json()
    expect(Rows.map(({ Title }: { Title: string }) => Title)).to.deep.equal(['Lampa i mässing', 'Vas i glas'])
    expect(Largest.map(({ Title }: { Title: string }) => Title)).to.deep.equal(['Lampa i mässing'])
    const table = await home.seller(...args, '-o', 'table')
    expect(table.stdout)
      .to.match(/Id +Title +Old +New/)
      .and.to.match(new RegExp(`${lamp} +Lampa i mässing +500 kr +550 kr`))
    expect(table.stdout).to.include(`item ${vase} "Vas i glas": `)
    expect(table.stdout).to.match(/Largest moves\n.*500 kr to 550 kr +\+10 % {2}Lampa i mässing/)
    expect((await home.seller(...args)).lines()[0]).to.equal(`${lamp}\t500\t550\t50\t10\tchange\t\tLampa i mässing`)
  })

  it('a job keeps them, and so does the job that undoes it', async () => {
    const run = await home.seller('shop:price', `${lamp}=550`, `${vase}=70`, '--yes', '--wait', '--json')
    expect(run.stderr).to.include(`item ${vase} "Vas i glas": `)
    const { JobId } = run.json()
    const shown = await home.seller('jobs:show', String(JobId), '-o', 'table')
    expect(shown.stdout).to.match(new RegExp(`${lamp} +Lampa i mässing +500 kr +550 kr +ok`))
    expect(shown.stdout).to.match(new RegExp(`${vase} +Vas i glas +700 kr +70 kr +held`))
    const undone = (await home.seller('jobs:undo', String(JobId), '--yes', '--wait', '--json')).json()
    const { Rows } = (await home.seller('jobs:show', String(undone.JobId), '--json')).json()
    expect(Rows.map(({ Title }: { Title: string }) => Title)).to.deep.equal(['Lampa i mässing'])
  })

  it('jobs of auctions, of additions and of removals have them too', async () => {
    const titles = async (run: Awaited<ReturnType<Home['run']>>) => {
      expect(run.code, run.stderr + run.stdout).to.equal(0)
      const { Rows } = (await home.seller('jobs:show', String(run.json().JobId), '--json')).json()
      return Rows.map(({ Title }: { Title: string }) => Title)
    }
    const pipe = (args: string[], stdin: string) => home.run([...args, '--file', '-', '--yes', '--json'], { stdin })
    expect(await titles(await pipe(['items:price'], `Id,OpeningPrice\n${auction},110\n`))).to.deep.equal(['Klocka'])
    const added = await pipe(['shop:add', '--category', '344481', '--wait'], 'Title,Price\nStol,299\n')
    expect(await titles(added)).to.deep.equal(['Stol'])
    expect(await titles(await pipe(['shop:remove'], `Id\n${vase}\n`))).to.deep.equal(['Vas i glas'])
  })
})
