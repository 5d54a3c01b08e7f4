import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { controlSandbox } from '../control-sandbox.js'
import { opened } from '../opened.js'
import { openHome } from './harness.js'
import { CATEGORY, PIXEL } from './observed.js'
import { stock } from './shop.js'

const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e'

interface Item {
  readonly Id: number
  readonly BuyItNowPrice: number
  readonly ImageLinks: readonly string[]
}

/** The rows of a page as its script reads them. */
function rowsOf(html: string): [cells: string[], note: string, state: string, tone: string][] {
  const [, data = '{}'] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(data).rows
}

describe('shop:price --html', () => {
  const home = opened(() => openHome({ sandbox: true }))
  let pictured: Item[]
  before(async () => {
    const items: Item[] = (await home.seller('items:list', '--type', 'shop', '--state', 'active', '--json')).json()
    pictured = items.filter(({ ImageLinks: links }) => links.length > 0).slice(0, 3)
    expect(pictured).to.have.lengthOf(3)
  })
  const page = (name: string) => readFile(join(home.dir, name), 'utf8')
  const raised = () => pictured.map(({ Id, BuyItNowPrice: price }) => `${Id}=${price + 1}`)

  it('shows what would change and what is held, and why, with titles that do nothing', async () => {
    const csv = `Title,Price\n"${HOSTILE.replaceAll('"', '""')}",100\n`
    const { ids } = (await controlSandbox(home.sandbox.url, 'seed', { csv })) as { ids: number[] }
    const [cheap = 0] = await stock(home, [500])
    const args = [`${ids[0]}=105`, `${cheap}=1`, ...raised()]
    const run = await home.done('shop:price', ...args, '--allow', 'max_held', '--dry-run', '--html', 'plan.html')
    const html = await page('plan.html')
    expect(html).to.include("default-src 'none'").and.to.include('Nothing was sent')
    expect(html).not.to.match(/<script>alert|<img|\u202e/)
    expect(html).not.to.match(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//)
    expect(run.stderr).to.include('The page with 5 rows is in plan.html.')
    const rows = rowsOf(html)
    expect(rows.map(([, , state]) => state)).to.deep.equal(['held', 'change', 'change', 'change', 'change'])
    expect(rows[0]?.[1]).to.match(/^1 kr is a tenth or less/)
    expect(rows.find(([cells]) => cells.includes(String(ids[0])))?.[0].slice(2, 4)).to.deep.equal(['100 kr', '105 kr'])
  })

  it('has pictures in the page itself, where they are asked for', async () => {
    const run = await home.done('shop:price', ...raised(), '--dry-run', '--html', 'pictures.html', '--with', 'pictures')
    const html = await page('pictures.html')
    expect(run.stderr).to.not.include('could not be fetched')
    expect(html.match(/<img src="data:image\/(?:png|gif|jpeg);base64,/g)).to.have.lengthOf(3)
    expect(html).not.to.include(new URL(home.sandbox.url).host)
    const { Used: before } = (await home.seller('calls:show', '--json')).json()
    await home.seller('shop:price', ...raised(), '--dry-run', '--html', 'again.html', '--with', 'pictures')
    expect((await home.seller('calls:show', '--json')).json().Used, 'pictures are no calls').to.equal(before + 1)
  })

  it('has margins before and after, where costs are stored', async () => {
    const [{ Id: id = 0, BuyItNowPrice: price = 0 } = {}] = pictured
    const cost = Math.floor(price / 2)
    expect((await home.seller('shop:costs', `${id}=${cost}`)).code).to.equal(0)
    const args = [...raised(), '--vat', '0%', '--allow', 'min_margin', '--dry-run']
    const plan = (await home.seller('shop:price', ...args, '--json')).json()
    const { NewMargin } = plan.Rows.find(({ Id }: { Id: number }) => Id === id)
    expect((await home.seller('shop:price', ...args, '--html', 'margins.html')).code).to.equal(0)
    expect(await page('margins.html')).to.include('New margin')
    const row = rowsOf(await page('margins.html')).find(([cells]) => cells.includes(String(id)))
    expect(row?.[0].at(-2)).to.equal(`${NewMargin} %`)
  })

  it('leaves out pictures that cannot be had, and says so', async () => {
    const { openStore } = await import('../../src/jobs/ledger/store.js')
    const store = openStore(join(home.dir, 'server.db'), 'process')
    store.exec(
      "CREATE TABLE kept_images AS SELECT * FROM images; UPDATE images SET bytes = CAST('<svg onload=alert(3)>' AS BLOB)",
    )
    try {
      const run = await home.done('shop:price', ...raised(), '--dry-run', '--html', 'none.html', '--with', 'pictures')
      expect(run.stderr).to.include('3 pictures could not be fetched')
      expect(await page('none.html')).not.to.match(/<img|alert\(3\)/)
      const [one = ''] = raised()
      const single = await home.seller('shop:price', one, '--dry-run', '--html', 'one.html', '--with', 'pictures')
      expect(single.stderr).to.include('1 picture could not be fetched and is left out.')
    } finally {
      store.exec('DELETE FROM images; INSERT INTO images SELECT * FROM kept_images; DROP TABLE kept_images')
      store.close()
    }
  })

  it('is written beside a saved plan too, and never where something would be sent', async () => {
    const _saved = await home.done('shop:price', ...raised(), '--save-plan', 'plan.json', '--html', 'saved.html')
    expect(rowsOf(await page('saved.html'))).to.have.lengthOf(3)
    const sending = await home.seller('shop:price', ...raised(), '--yes', '--html', 'sent.html', '--json')
    expect(sending.code).to.equal(2)
    expect(sending.json().error.message).to.match(/--dry-run/)
  })

  it('never replaces a file unless asked to', async () => {
    const path = await home.file('mine.html', 'mine')
    const refused = await home.seller('shop:price', ...raised(), '--dry-run', '--html', 'mine.html', '--json')
    expect([refused.code, refused.json().error.code, await readFile(path, 'utf8')]).to.deep.equal([2, 'unwritable_file', 'mine'])
    expect((await home.seller('shop:price', ...raised(), '--dry-run', '--html', 'mine.html', '--force')).code).to.equal(0)
    expect(await page('mine.html')).to.match(/^<!doctype html>/)
  })
})

describe('shop:sync --html', () => {
  const home = opened(() => openHome({ sandbox: { extended: true, described: true, faults: { queueDelayMs: 0 } } }))
  const catalogue = (...rows: readonly string[]) =>
    home.file('sheet.csv', ['SKU,Titel,Beskrivning,Kategori,Pris,Lager,Frakt,Bilder', ...rows, ''].join('\n'))
  const old = 'En mugg av lera, blå, 30 cl'

  it('shows each difference, texts as what goes and what comes, with small pictures of what is sent', async () => {
    await writeFile(join(home.dir, 'a.gif'), PIXEL.gif)
    const first = await catalogue(`P-1,Mugg,"${old}",${CATEGORY},500,2,pickup,`, `P-2,Fat,Ett fat,${CATEGORY},400,3,pickup,`)
    await home.done('shop:sync', '--file', first, '--yes', '--wait')
    const changed = await catalogue(
      `P-1,"${HOSTILE.replaceAll('"', '""')}","En mugg av lera, grön, 30 cl",${CATEGORY},510,2,pickup,`,
      `P-2,Fat,Ett fat,${CATEGORY},4,3,pickup,`,
      `P-3,Vas,En vas,${CATEGORY},300,1,pickup,a.gif`,
    )
    const args = ['shop:sync', '--file', changed, '--allow', 'max_held', '--dry-run', '--html', 'sync.html']
    const run = await home.done(...args)
    expect(run.stderr).to.include('The page with 5 rows is in sync.html.')
    const html = await readFile(join(home.dir, 'sync.html'), 'utf8')
    expect(html).to.include("default-src 'none'").and.to.include('Nothing was sent')
    expect(html).not.to.match(/<script>alert|<img src=x|\u202e|(?:src|href)\s*=\s*["']?(?:https?:)?\/\//)
    const rows = rowsOf(html)
    expect(rows.map(([[, , reference, field, live, wanted], , state]) => [reference, field, live, wanted, state])).to.deep.equal([
      ['P-2', 'Price', '400 kr', '4 kr', 'held'],
      ['P-1', 'Price', '500 kr', '510 kr', 'reprice'],
      ['P-1', 'Title', 'Mugg', HOSTILE.replace('\u202e', '<U+202E>'), 'update'],
      ['P-1', 'Description', 'blå,', 'grön,', 'update'],
      ['P-3', 'Price', '', '300 kr', 'add'],
    ])
    expect(rows[0]?.[1]).to.match(/^4 kr is a tenth or less/)
    expect(rows.map(([[picture = '']]) => picture.slice(0, 14))).to.deep.equal(['', '', '', '', 'data:image/gif'])
    const refused = await home.seller(...args, '--json')
    expect([refused.code, refused.json().error.code]).to.deep.equal([2, 'unwritable_file'])
    const sending = await home.seller('shop:sync', '--file', changed, '--yes', '--html', 'sent.html')
    expect([sending.code, sending.stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 2 && said.includes('--dry-run'),
    )
  })
})

describe('shop:update --html', () => {
  const home = opened(async () => {
    const opened = await openHome({ sandbox: { extended: true, emptyShops: true, faults: { queueDelayMs: 0 } } })
    await opened.done('service:check', '--save')
    return opened
  })
  const page = (name: string) => readFile(join(home.dir, name), 'utf8')
  let ids: number[] = []
  before(async () => {
    const rows = ['P-1,Mugg', 'P-2,Fat'].map((row) => `${row},Av lera,${CATEGORY},500,2,pickup`)
    const first = await home.file('shop.csv', ['SKU,Titel,Beskrivning,Kategori,Pris,Lager,Frakt', ...rows, ''].join('\n'))
    await home.done('shop:sync', '--file', first, '--yes', '--wait')
    const items = (await home.done('items:list', '--type', 'shop', '--json')).json() as { Id: number; ShortDescription: string }[]
    ids = ['Mugg', 'Fat'].map((title) => items.find(({ ShortDescription }) => ShortDescription === title)?.Id ?? 0)
  })
  const shown = async (name: string) =>
    rowsOf(await page(name)).map(([cells, , state]) => [...cells.slice(-6).filter((cell) => cell !== ''), state])

  it('shows the change of one item, with a small picture of the image that is sent', async () => {
    await writeFile(join(home.dir, 'a.gif'), PIXEL.gif)
    const args = ['shop:update', String(ids[0]), '--title', HOSTILE, '--image', 'a.gif', '--dry-run', '--html', 'one.html']
    const run = await home.done(...args)
    expect(run.stderr).to.include('The page with 2 rows is in one.html.')
    const html = await page('one.html')
    expect(html).to.include('Update: 1 change').and.include("default-src 'none'").and.include('Nothing was sent')
    expect(html).not.to.match(/<script>alert|<img src=x|\u202e|(?:src|href)\s*=\s*["']?(?:https?:)?\/\//)
    const rows = rowsOf(html)
    expect(rows.map(([cells, , state]) => [cells[3], cells[4], state])).to.deep.equal([
      ['Title', 'Mugg', 'update'],
      ['ItemImages', '', 'update'],
    ])
    expect(rows.map(([[picture = '']]) => picture.slice(0, 14))).to.deep.equal(['', 'data:image/gif'])
    const refused = await home.seller(...args, '--json')
    expect([refused.code, refused.json().error.code]).to.deep.equal([2, 'unwritable_file'])
  })

  it('shows the items of a choice, and of the rows of a file', async () => {
    await home.done('shop:update', '--all', '--set', 'Description=Av sten', '--dry-run', '--html', 'all.html')
    expect(await page('all.html')).to.include('Update: 2 changes')
    expect((await shown('all.html')).map((row) => row.at(-1))).to.deep.equal(['update', 'update'])
    const file = await home.file('rows.csv', 'SKU,Titel\nP-2,Fat med lock\n')
    await home.done('shop:update', '--file', file, '--dry-run', '--html', 'rows.html')
    expect(await page('rows.html')).to.include('Update: 1 change')
    const [row = []] = await shown('rows.html')
    expect(row.join()).to.include('P-2,Title').and.include('med lock')
    await writeFile(join(home.dir, 'b.gif'), PIXEL.gif)
    const change = await home.file('change.yaml', 'Images: b.gif\n')
    await home.done('shop:update', String(ids[1]), '--file', change, '--dry-run', '--html', 'images.html')
    const images = rowsOf(await page('images.html')).map(([cells]) => [cells[0]?.slice(0, 14), cells[3]])
    expect(images).to.deep.equal([['data:image/gif', 'ItemImages']])
  })

  it('is for a dry run alone', async () => {
    const sending = await home.seller('shop:update', String(ids[0]), '--title', 'Krus', '--yes', '--html', 'sent.html')
    expect(sending.code).to.equal(2)
    expect(sending.stderr).to.include('--dry-run')
  })
})
