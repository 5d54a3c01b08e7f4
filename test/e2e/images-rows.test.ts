/** Images that rows name: shop:add --file and items:add --file against a sandbox over real HTTP. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import * as photos from '../images/photos.js'
import { opened } from '../opened.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'

describe('images in rows', function () {
  this.timeout(120_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true }))
  const folder = () => join(home.dir, 'stock')
  before(async () => {
    await mkdir(join(folder(), 'bilder'), { recursive: true })
    for (const [name, bytes] of [
      ['a.jpg', photos.jpeg()],
      ['Kopp, blå.png', PIXEL.png],
      ['c.gif', PIXEL.gif],
      ['text.jpg', Buffer.from('no image')],
      ['large.png', Buffer.concat([PIXEL.png, Buffer.alloc(40 * 1024 * 1024)])],
    ] as const)
      await writeFile(join(folder(), 'bilder', name), bytes)
  })
  const sheet = async (rows: readonly string[], column = 'Bilder'): Promise<string> => {
    const lines = rows.map((row, at) => `R-${Math.random()}-${at}\tVas ${at}\t${CATEGORY}\t10${at}\tpickup\t${row}`)
    const file = join(folder(), 'items.tsv')
    await writeFile(file, `SKU\tTitel\tKategori\tPris\tFrakt\t${column}\n${lines.join('\n')}\n`)
    return file
  }
  const add = (file: string, ...args: string[]) => home.seller('shop:add', '--file', file, '--payment', '8', '--json', ...args)
  /** The images of the newest items by their titles, as the service has them. */
  const arrived = async (title: string, type = 'shop'): Promise<string[]> => {
    const items = (await home.seller('items:list', '--type', type, '--json')).json() as {
      Id: number
      ShortDescription: string
    }[]
    const ids = items.filter(({ ShortDescription }) => ShortDescription === title).map(({ Id }) => Id)
    const { ImageLinks } = (await home.seller('call', 'GetItem', `itemId=${Math.max(...ids)}`)).json()
    const got = (ImageLinks ?? []) as string[]
    return Promise.all(got.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString('hex')))
  }
  const hex = (...images: readonly Buffer[]) => images.map((bytes) => bytes.toString('hex'))

  it('are sent with their items in the order of the cell, without metadata, from the folder of the file', async () => {
    const file = await sheet(['bilder/c.gif|bilder/a.jpg', 'bilder/Kopp, blå.png', 'bilder/a.jpg, bilder/c.gif', ''])
    home.calls()
    const plan = await add(file, '--dry-run')
    expect(plan.code, plan.stderr).to.equal(0)
    expect(plan.stderr).to.include('metadata of 2 of 5 images')
    const shown = plan.json().Rows.map(({ Request }: { Request: { ItemImages?: object[] } }) => Request.ItemImages)
    expect(shown[0]).to.deep.equal([
      { Name: 'c.gif', Format: 'Gif', HasMega: false, Bytes: PIXEL.gif.length },
      { Name: 'a.jpg', Format: 'Jpeg', HasMega: false, Bytes: photos.cleanJpeg().length },
    ])
    expect(shown[3]).to.equal(undefined)
    expect(home.calls()).to.not.include('AddShopItem')
    const run = await add(file, '--yes', '--wait')
    expect(run.code, run.stdout + run.stderr).to.equal(0)
    expect(await arrived('Vas 0')).to.deep.equal(hex(PIXEL.gif, photos.cleanJpeg()))
    expect(await arrived('Vas 1')).to.deep.equal(hex(PIXEL.png))
    expect(await arrived('Vas 2')).to.deep.equal(hex(photos.cleanJpeg(), PIXEL.gif))
    expect(await arrived('Vas 3')).to.deep.equal([])
    expect(home.calls().filter((name) => name === 'AddShopItem')).to.have.lengthOf(4)
  })

  it('are named by a file of one item too, in any form of the cell, from its folder, before those of flags', async () => {
    const one = async (name: string, title: string, ...lines: readonly string[]): Promise<string> => {
      const file = join(folder(), name)
      await writeFile(file, [`Title: ${title}`, `Category: ${CATEGORY}`, 'Shipping: pickup', ...lines, ''].join('\n'))
      return file
    }
    const flag = await home.file('flag.png', PIXEL.png)
    const shop = await one('one.yaml', 'En vas', 'Price: 100', 'Images:', '  - bilder/c.gif', '  - bilder/a.jpg')
    const dry = await add(shop, '--dry-run')
    expect(dry.code, dry.stderr).to.equal(0)
    const shown = dry.json().Images.map(({ File, Bytes }: { File: string; Bytes: number }) => [File, Bytes])
    expect(shown).to.deep.equal([
      [join(folder(), 'bilder', 'c.gif'), PIXEL.gif.length],
      [join(folder(), 'bilder', 'a.jpg'), photos.cleanJpeg().length],
    ])
    const run = await add(shop, '--image', flag, '--yes', '--wait')
    expect(run.code, run.stdout + run.stderr).to.equal(0)
    expect(await arrived('En vas')).to.deep.equal(hex(PIXEL.gif, photos.cleanJpeg(), PIXEL.png))
    const auction = await one('auction.yaml', 'En auktion', 'StartPrice: 100', 'Bilder: bilder/c.gif|bilder/Kopp, blå.png')
    const added = await home.seller('items:add', '--file', auction, '--yes', '--wait', '--json')
    expect(added.code, added.stdout + added.stderr).to.equal(0)
    expect(await arrived('En auktion', 'auction')).to.deep.equal(hex(PIXEL.gif, PIXEL.png))
    home.calls()
    const wrong = await one('wrong.yaml', 'Fel', 'Price: 100', 'Images: [bilder/d.gif, "https://images.test/e.jpg"]')
    const refused = await add(wrong, '--yes')
    const faults = refused.json().error.faults.map(({ field, value }: { field: string; value: string }) => [field, value])
    expect([refused.code, faults]).to.deep.equal([
      3,
      [
        [`Images (${wrong}, line 5)`, 'https://images.test/e.jpg'],
        [`Images (${wrong}, line 5)`, 'bilder/d.gif'],
      ],
    ])
    expect(home.calls()).to.not.include('AddShopItem')
  })

  it('that cannot be sent refuse the file with the faults of all rows, before the first call', async () => {
    const file = await sheet([
      'bilder/none.jpg',
      'bilder/text.jpg|bilder/c.gif',
      'bilder/large.png',
      Array<string>(41).fill('bilder/c.gif').join('|'),
      'bilder/c.gif',
    ])
    home.calls()
    const run = await add(file, '--yes')
    expect(run.code).to.equal(3)
    const faults = run.json().error.faults as { line: number; message: string }[]
    expect(faults.map(({ line, message }) => `${line} ${message.slice(0, 30)}`)).to.deep.equal([
      '2 does not exist; put it next to',
      '3 does not contain an image; the',
      '4 is 41943110 bytes; the service',
      '5 images are too many; an item t',
    ])
    expect(home.calls()).to.not.include('AddShopItem')
  })

  it('of auctions are sent after their item, which is committed last; the plan counts their calls', async () => {
    const file = await sheet(['bilder/c.gif|bilder/a.jpg', '', 'bilder/Kopp, blå.png'])
    const text = (await readFile(file, 'utf8')).replace('Pris', 'StartPrice')
    await writeFile(file, text)
    const auction = (...args: string[]) => home.seller('items:add', '--file', file, '--json', ...args)
    const plan = await auction('--dry-run')
    expect(plan.code, plan.stderr).to.equal(0)
    expect(plan.json().Summary.Calls).to.equal(4 + 1 + 3)
    expect(plan.json().Rows[0].Request.ItemImages.map(({ Name }: { Name: string }) => Name)).to.deep.equal(['c.gif', 'a.jpg'])
    home.calls()
    const run = await auction('--yes', '--wait', '--concurrency', '1')
    expect(run.code, run.stdout + run.stderr).to.equal(0)
    const sent = home.calls().filter((name) => name.startsWith('AddItem'))
    const withImages = (count: number) => ['AddItem', ...Array<string>(count).fill('AddItemImage'), 'AddItemCommit']
    expect(sent).to.deep.equal([...withImages(2), 'AddItem', ...withImages(1)])
    expect(await arrived('Vas 0', 'auction')).to.deep.equal(hex(PIXEL.gif, photos.cleanJpeg()))
    expect(await arrived('Vas 1', 'auction')).to.deep.equal([])
    expect(await arrived('Vas 2', 'auction')).to.deep.equal(hex(PIXEL.png))
    expect(run.json().Counts.ok).to.equal(3)
  })

  it('of auctions that are refused or have changed fail their row, which is not on sale, and are named with the command', async () => {
    const broken = join(folder(), 'bilder', 'broken.png')
    await writeFile(broken, PIXEL.png.subarray(0, 50))
    const changing = join(folder(), 'bilder', 'e.gif')
    await writeFile(changing, PIXEL.gif)
    const file = await sheet(['bilder/broken.png', 'bilder/c.gif', 'bilder/e.gif'])
    await writeFile(file, (await readFile(file, 'utf8')).replace('Pris', 'StartPrice').replace(/Vas /g, 'Skål '))
    const stopped = await home.seller('items:add', '--file', file, '--yes', '--max-calls', '1', '--json')
    expect(stopped.code, stopped.stdout).to.equal(7)
    const { jobId } = stopped.json().error
    await writeFile(changing, PIXEL.png)
    home.calls()
    const resumed = await home.seller('jobs:resume', String(jobId), '--wait', '--json')
    expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(5)
    const said = resumed.stderr.replace(/\s+/g, ' ')
    expect(said).to.include('Image 1 of 1 is damaged').and.include(`The image "${changing}" has changed`)
    expect(said).to.include(`jobs:resume ${jobId} --retry-failed`).and.include(`jobs:resume ${jobId} --failed-file`)
    const live = (await home.seller('items:list', '--json')).json() as { ShortDescription: string }[]
    expect(live.filter(({ ShortDescription }) => ShortDescription.startsWith('Skål')).length).to.equal(1)
    await writeFile(changing, PIXEL.gif)
    const again = await home.seller('jobs:resume', String(jobId), '--retry-failed', '--wait', '--json')
    expect(again.json().Counts, again.stdout).to.include({ ok: 2, failed: 1 })
    expect(await arrived('Skål 2', 'auction')).to.deep.equal(hex(PIXEL.gif))
  })

  it('are on the page of the plan, small ones from the files themselves: 20 items by one command', async () => {
    // Larger than what a page takes, without a thumbnail of its own.
    await writeFile(join(folder(), 'bilder', 'wide.png'), Buffer.concat([PIXEL.png, Buffer.alloc(70_000)]))
    const file = await sheet([...Array<string>(18).fill('bilder/a.jpg|bilder/c.gif'), 'bilder/wide.png', ''])
    const pageFile = join(home.dir, 'plan.html')
    const plan = await add(file, '--dry-run', '--html', pageFile, '--max-added', 'off', '--max-live-titles', 'off')
    expect(plan.code, plan.stderr).to.equal(0)
    expect(plan.stderr).to.include('The page with 20 rows is in').and.include('1 item with images have no small picture')
    const html = await readFile(pageFile, 'utf8')
    expect(html)
      .to.include("default-src 'none'")
      .and.not.match(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//)
    const [, data = '{}'] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? []
    const rows = JSON.parse(data).rows as [string[]][]
    expect(rows).to.have.lengthOf(20)
    // The thumbnail in the Exif of the photo, not the photo: it has no place.
    const thumbnail = Buffer.from(rows[0]?.[0][0]?.split(',')[1] ?? '', 'base64')
    expect(thumbnail.includes(PIXEL.jpeg.subarray(2))).to.equal(true)
    expect(thumbnail.includes('GPS')).to.equal(false)
    expect(rows.map(([cells]) => cells[0] !== '')).to.deep.equal([...Array<boolean>(18).fill(true), false, false])
    const again = await add(file, '--dry-run', '--html', pageFile, '--max-added', 'off', '--max-live-titles', 'off')
    expect(again.code, 'a file that is there is replaced with --force only').to.equal(2)
    const run = await add(file, '--yes', '--wait', '--max-added', 'off', '--max-live-titles', 'off')
    expect(run.json().Counts, run.stderr).to.include({ ok: 20 })
    const late = await add(file, '--yes', '--html', pageFile, '--force')
    expect(late.code, 'only a plan is written').to.equal(2)
  })

  it('on the web are not fetched, which a warning names', async () => {
    const file = await sheet(['https://img.example/1.jpg,https://img.example/2.jpg', 'bilder/c.gif'], 'Image Src')
    const run = await add(file, '--dry-run')
    expect(run.code, run.stderr).to.equal(0)
    expect(run.stderr.replace(/\s+/g, ' ')).to.include(
      'not fetched, so 1 row would be sent without them (line 2: https://img.example/1.jpg, line 2: https://img.example/2.jpg)',
    )
    expect(run.json().Rows[0].Request).to.not.have.property('ItemImages')
    expect(run.json().Rows[1].Request.ItemImages).to.have.lengthOf(1)
  })

  it('that changed since the plan fail their row, which a file brings back with its images', async () => {
    const file = await sheet(['bilder/d.gif', 'bilder/c.gif|bilder/d.gif'])
    const changing = join(folder(), 'bilder', 'd.gif')
    await writeFile(changing, PIXEL.gif)
    const stopped = await add(file, '--yes', '--max-calls', '1')
    expect(stopped.code, stopped.stdout).to.equal(7)
    const { jobId } = stopped.json().error
    await writeFile(changing, PIXEL.png)
    const failed = join(folder(), 'failed.tsv')
    const resumed = await home.seller('jobs:resume', String(jobId), '--failed-file', failed, '--wait', '--json')
    expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(5)
    const again = await add(failed, '--yes', '--wait')
    expect(again.code, again.stdout + again.stderr).to.equal(0)
    expect(await arrived('Vas 0')).to.deep.equal(hex(PIXEL.png))
    expect(await arrived('Vas 1')).to.deep.equal(hex(PIXEL.gif, PIXEL.png))
  })

  it('of a run that is killed arrive once, when the job is resumed', async () => {
    const count = 20
    const file = await sheet(Array<string>(count).fill('bilder/c.gif|bilder/a.jpg'))
    const running = home.spawn([
      'shop:add',
      '--file',
      file,
      '--payment',
      '8',
      '--yes',
      '--allow',
      'max_added',
      '--allow',
      'max_live_titles',
    ])
    home.calls()
    const latest = Date.now() + 30_000
    let sent = 0
    while (sent < 4 && Date.now() < latest) {
      sent += home.calls().filter((name) => name === 'AddShopItem').length
      await new Promise((done) => setTimeout(done, 5))
    }
    running.kill('SIGKILL')
    const killed = await running.done
    expect(sent, killed.stdout + killed.stderr).to.be.at.least(4)
    const [job] = (await home.seller('jobs:list', '--unfinished', '--json')).json()
    await home.seller('jobs:resume', String(job.JobId), '--wait', '--json')
    // A row whose reply was lost waits for the seller, who sees in the shop whether it arrived.
    const items = async () => {
      const all = (await home.seller('items:list', '--type', 'shop', '--json')).json() as { OwnReferences: string[] }[]
      return all.map(({ OwnReferences }) => OwnReferences[0] ?? '').filter((name) => name.startsWith('R-'))
    }
    const wanted = (await readFile(file, 'utf8'))
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split('\t')[0] ?? '')
    const live = (await items()).filter((name) => wanted.includes(name))
    expect(new Set(live).size).to.equal(live.length)
    const { Counts } = (await home.seller('jobs:show', String(job.JobId), '--json')).json()
    expect(live.length).to.be.at.least(count - 1)
    expect(Counts.ok + Counts.unknown).to.equal(count)
    for (const at of [0, count - 1]) {
      const images = await arrived(`Vas ${at}`)
      expect(images).to.deep.equal(hex(PIXEL.gif, photos.cleanJpeg()))
    }
  })
})
