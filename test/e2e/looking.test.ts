import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { isWebAddress } from '../../src/cli/browser.js'
import { startSandbox } from '../../src/sandbox/index.js'
import { closing, opened } from '../opened.js'
import { type Home, openHome } from './harness.js'
import { hasTmux } from './terminal.js'

interface Listed {
  Id: number
  CategoryId: number
}

/** Number of calls of GetCategories of a home. */
async function namings(of: Home): Promise<number> {
  const { ByOperation } = (await of.seller('calls:show', '--json')).json()
  return ByOperation.find(({ Operation }: { Operation: string }) => Operation === 'GetCategories')?.Calls ?? 0
}

describe('looking at items', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let all: Listed[]
  before(async () => {
    all = (await home.seller('items:list', '--json')).json()
  })

  it('asks for names once in a week, where they are shown, and never otherwise', async () => {
    await using fresh = closing(await openHome({ sandbox: true }))
    const count = () => namings(fresh)
    await fresh.seller('items:list')
    await fresh.seller('items:list', '--json')
    await fresh.seller('items:list', '-o', 'table', '--columns', 'Id,Title')
    expect(await count()).to.equal(0)
    // The list is empty, so there is nothing to name.
    await fresh.seller('items:list', '-o', 'table', '--category', '999999')
    expect(await count()).to.equal(0)
    const table = await fresh.seller('items:list', '-o', 'table', '--limit', '1')
    expect(table.stdout.split('\n')[0]).to.match(/State .* Category$/)
    await fresh.seller('items:list', '-o', 'table')
    await fresh.seller('items:list', '--columns', 'CategoryName')
    expect(await count()).to.equal(1)
    const [file = ''] = await readdir(join(fresh.dataDir, 'reference'))
    const path = join(fresh.dataDir, 'reference', file)
    const kept = JSON.parse(await readFile(path, 'utf8'))
    kept.value.categories.at -= 8 * 86_400_000
    await writeFile(path, JSON.stringify(kept))
    await fresh.seller('items:list', '--columns', 'CategoryName', '--limit', '1')
    expect(await count()).to.equal(2)
    // The ids of another service do not get the names of this one.
    await writeFile(path, JSON.stringify({ ...kept, address: 'https://else.example' }))
    await fresh.seller('items:list', '--columns', 'CategoryName', '--limit', '1')
    expect(await count()).to.equal(3)
    await writeFile(path, 'not JSON')
    const damaged = await fresh.seller('items:list', '--columns', 'CategoryName', '--limit', '1')
    expect([damaged.code, damaged.stderr]).to.deep.equal([0, ''])
    expect(damaged.stdout).to.not.equal('\n')
  })

  it('shows numbers where names cannot be had', async () => {
    await rm(join(home.dataDir, 'reference'), { recursive: true, force: true })
    const run = await home.seller('items:list', '--columns', 'Id,CategoryName', '--limit', '1', '--max-calls', '1')
    expect([run.code, run.stderr]).to.deep.equal([0, ''])
    expect(run.stdout).to.equal(`${all[0]?.Id}\t\n`)
    const card = await home.done('items:show', String(all[0]?.Id), '-o', 'table', '--max-calls', '1')
    expect(card.stdout).to.match(new RegExp(`^Category +${all[0]?.CategoryId}$`, 'm'))
  })

  it('renews names whenever the lists themselves are read', async () => {
    await rm(join(home.dataDir, 'reference'), { recursive: true, force: true })
    await home.seller('reference:categories')
    await home.seller('reference:payment-types')
    const before = await namings(home)
    const card = await home.seller('items:show', String(all[0]?.Id), '-o', 'table')
    expect(card.stdout).to.match(/^Category +.+ > .+ \(\d+\)$/m)
    expect(await namings(home)).to.equal(before)
  })
})

describe('pages and images of items', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let pictured: { Id: number; ItemLink: string; ImageLinks: string[] }
  before(async () => {
    const all = (await home.seller('items:list', '--json')).json()
    pictured = all.find(({ ImageLinks }: Listed & { ImageLinks: string[] }) => ImageLinks.length > 0)
  })

  it('prints the address of a page off a terminal', async () => {
    const run = await home.seller('items:show', String(pictured.Id), '--web')
    expect([run.code, run.stdout, run.stderr]).to.deep.equal([0, `${pictured.ItemLink}\n`, ''])
    const images = await home.seller('images:list', String(pictured.Id), '--web')
    expect(images.lines()).to.deep.equal(pictured.ImageLinks)
  })

  it('has links of the sandbox inside the command only where they lead somewhere', async () => {
    const inside = async (...args: string[]) => home.seller(...args, '-p', 'sandbox', '--json')
    const bare = (await inside('items:list', '--type', 'shop')).json()
    expect(JSON.stringify(bare)).to.not.include('http://')
    const { Id: id } = bare[0]
    expect((await inside('items:show', String(id))).json()).to.not.have.any.keys(
      ...['ItemLink', 'ThumbnailLink', 'ImageLinks', 'DetailedImageLinks'],
    )
    const dead = await inside('items:show', String(id), '--web')
    expect([dead.code, dead.json().error.code]).to.deep.equal([1, 'no_page'])
    expect(dead.json().error.hint).to.include('seller sandbox:start')
    await using server = closing(await startSandbox({ path: join(home.dataDir, 'sandbox.db'), extended: true, standing: true }))
    const { ItemLink: link } = (await inside('items:show', String(id))).json()
    expect(link).to.match(new RegExp(`^${server.url}/`))
    expect((await fetch(link)).status).to.equal(200)
  })

  it('opens the browser from a terminal, and prints the address where none opens', async function () {
    if (!hasTmux) this.skip()
    const opener = await home.file('xdg-open', `#!/bin/sh\nprintf %s "$1" > '${join(home.dir, 'opened')}'\n`)
    await chmod(opener, 0o755)
    const path = `${home.dir}:${process.env.PATH}`
    const terminal = await home.terminal(['items:show', String(pictured.Id), '--web'], { env: { PATH: path } })
    const { code, screen } = await terminal.done()
    expect(code).to.equal(0)
    expect(screen).to.include(`Opened ${pictured.ItemLink}`)
    expect(await readFile(join(home.dir, 'opened'), 'utf8')).to.equal(pictured.ItemLink)
    const without = await home.terminal(['items:show', String(pictured.Id), '--web'], { env: { PATH: join(home.dir, 'data') } })
    expect((await without.done()).screen).to.match(new RegExp(`^${pictured.ItemLink}$`, 'm'))
  })

  it('opens addresses of the web only', () => {
    expect(isWebAddress('https://shop.example/item/1')).to.equal(true)
    for (const text of ['file:///etc/passwd', 'javascript:alert(1)', '-a Calculator', '', 'calc.exe']) {
      expect(isWebAddress(text), text).to.equal(false)
    }
  })
})

describe('looking at sales and members', () => {
  const home = opened(() => openHome({ sandbox: true }))
  before(async () => {
    await home.seller('transactions:list')
  })

  it('keeps aliases and names beside the ledger, and does without them where nothing can be written', async () => {
    expect(existsSync(join(home.dataDir, 'reference'))).to.equal(true)
    await using blocked = closing(await openHome({ sandbox: true }))
    await blocked.seller('calls:show')
    await writeFile(join(blocked.dataDir, 'reference'), 'a file where a directory should be')
    const run = await blocked.seller('transactions:list', '--limit', '1')
    expect([run.code, run.stderr]).to.deep.equal([0, ''])
  })
})
