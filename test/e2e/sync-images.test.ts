/** Images of a catalogue: shop:sync against a sandbox over real HTTP. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openedForEach } from '../opened.js'
import { CATEGORY, openObserved, PIXEL } from './observed.js'

const HEAD = 'SKU,Titel,Kategori,Pris,Lager,Frakt,Bilder'

describe('images of a catalogue', function () {
  this.timeout(120_000)
  const home = openedForEach(async () => {
    const opened = await openObserved({ faults: { queueDelayMs: 0 }, extended: true, described: true })
    await mkdir(join(opened.dir, 'b'))
    for (const [name, bytes] of [
      ['a.gif', PIXEL.gif],
      ['b.png', PIXEL.png],
      ['c.gif', PIXEL.gif],
    ] as const)
      await writeFile(join(opened.dir, 'b', name), bytes)
    return opened
  })
  const path = (name: string) => join(home.dir, 'b', name)
  const sheet = (...images: readonly string[]) =>
    home.file(
      'catalogue.csv',
      `${HEAD}\n${images.map((cell, at) => `S-${at},Vas ${at},${CATEGORY},100,2,pickup,${cell}`).join('\n')}\n`,
    )
  const sync = async (file: string, ...args: string[]) => home.seller('shop:sync', '--file', file, '--json', ...args)
  const pictures = async (at: number): Promise<string[]> => {
    const items = (await home.seller('items:list', '--type', 'shop', '--json')).json() as {
      Id: number
      OwnReferences: string[]
    }[]
    const id = items.find(({ OwnReferences }) => OwnReferences[0] === `S-${at}`)?.Id
    const { ImageLinks } = (await home.seller('call', 'GetItem', `itemId=${id}`)).json()
    const urls = (ImageLinks ?? []) as string[]
    return Promise.all(urls.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString('hex')))
  }
  const hex = (...images: readonly Buffer[]) => images.map((bytes) => bytes.toString('hex'))

  it('are sent with new items, then only where they changed; an undo and a restore send those of before', async () => {
    const first = await sync(await sheet('b/a.gif|b/b.png', 'b/b.png', ''), '--yes', '--wait')
    expect(first.code, first.stdout + first.stderr).to.equal(0)
    expect(await pictures(0)).to.deep.equal(hex(PIXEL.gif, PIXEL.png))
    expect(await pictures(2)).to.deep.equal([])
    const again = await sync(await sheet('b/a.gif|b/b.png', 'b/b.png', ''), '--yes')
    expect(again.json(), again.stderr).to.include({ JobId: null, Unchanged: 3 })
    const changed = await sheet('b/b.png', 'b/b.png', 'b/c.gif')
    const plan = (await sync(changed, '--dry-run')).json()
    expect(
      plan.Rows.map(({ OwnReference, Field, Live, Wanted }: Record<string, unknown>) => [OwnReference, Field, Live, Wanted]),
    ).to.deep.equal([
      [
        'S-0',
        'ItemImages',
        [
          { Name: 'a.gif', Format: 'Gif', HasMega: false, Bytes: PIXEL.gif.length },
          { Name: 'b.png', Format: 'Png', HasMega: false, Bytes: PIXEL.png.length },
        ],
        [{ Name: 'b.png', Format: 'Png', HasMega: false, Bytes: PIXEL.png.length }],
      ],
      ['S-2', 'ItemImages', [], [{ Name: 'c.gif', Format: 'Gif', HasMega: false, Bytes: PIXEL.gif.length }]],
    ])
    const between = new Date().toISOString()
    const second = await sync(changed, '--yes', '--wait')
    expect(second.code, second.stdout + second.stderr).to.equal(0)
    expect(await pictures(0)).to.deep.equal(hex(PIXEL.png))
    expect(await pictures(2)).to.deep.equal(hex(PIXEL.gif))
    const part = second.json().Parts.find(({ Kind }: { Kind: string }) => Kind === 'update').JobId
    const undo = await home.seller('jobs:undo', String(part), '--yes', '--wait', '--json')
    // An item that had no picture keeps the new one.
    expect(undo.json().Counts, undo.stderr).to.include({ ok: 1, held: 1 })
    expect(await pictures(0), undo.stdout + undo.stderr).to.deep.equal(hex(PIXEL.gif, PIXEL.png))
    const third = await sync(changed, '--yes', '--wait')
    expect(third.code, third.stdout + third.stderr).to.equal(0)
    expect(await pictures(0)).to.deep.equal(hex(PIXEL.png))
    const restored = await home.seller('shop:restore', '--at', between, '--yes', '--wait', '--json')
    expect(await pictures(0), restored.stdout + restored.stderr).to.deep.equal(hex(PIXEL.gif, PIXEL.png))
  })

  it('of before cannot be sent again when their file has changed, which an undo says', async () => {
    const file = await sheet('b/a.gif')
    await sync(file, '--yes', '--wait')
    await rename(path('a.gif'), path('old.gif'))
    await writeFile(path('a.gif'), PIXEL.png)
    const changed = await sync(file, '--yes', '--wait')
    expect(changed.json(), changed.stderr).to.include({ Updated: 1 })
    const part = changed.json().Parts[0].JobId
    const plan = await home.seller('jobs:undo', String(part), '--dry-run', '--json')
    expect(plan.json().Rows[0], plan.stderr).to.include({ State: 'held', Code: 'not_set_back', Wanted: null })
    await rm(path('a.gif'))
    await rename(path('old.gif'), path('a.gif'))
    await home.done('jobs:undo', String(part), '--yes', '--wait')
    expect(await pictures(0)).to.deep.equal(hex(PIXEL.gif))
  })

  it('are not compared with pictures that were not sent from here, unless the seller says so', async () => {
    await home.done('shop:add', '--title', 'Vas 0', '--category', CATEGORY, '--price', '100', '--quantity', '2', '--shipping', 'pickup',
      '--reference', 'S-0', '--image', path('b.png'), '--yes', '--wait') // biome-ignore format: one line of a shell
    const known = await sync(await sheet('b/b.png'), '--dry-run')
    expect(known.json().Rows, known.stderr).to.deep.equal([])
    await home.done('ledger:check')
    const other = { env: { SELLER_DATA_DIR: join(home.dir, 'another') } }
    const run = (...args: string[]) =>
      home.run(['shop:sync', '--file', join(home.dir, 'catalogue.csv'), '--json', ...args], other)
    const plan = await run('--dry-run')
    expect(plan.json().ImagesNotCompared, plan.stderr).to.have.lengthOf(1)
    expect(plan.json().ImagesNotCompared[0]).to.include({ Line: 2, OwnReference: 'S-0' })
    expect(plan.json().Rows).to.deep.equal([])
    expect(plan.stderr.replace(/\s+/g, ' ')).to.include('not sent from here: S-0').and.include('--with all-images')
    const sent = await run('--with', 'all-images', '--yes', '--wait')
    expect(sent.json(), sent.stderr).to.include({ Updated: 1 })
    const after = await run('--dry-run')
    expect(after.json().ImagesNotCompared).to.deep.equal([])
  })

  it('refuse the catalogue where a file is missing, and are left out of rows with an address', async () => {
    const missing = await sync(await sheet('b/none.gif'), '--yes')
    expect(missing.code).to.equal(3)
    expect(missing.json().error.faults[0].message).to.include('does not exist').and.include('--column ItemImages=')
    await sync(await sheet('b/a.gif'), '--yes', '--wait')
    const web = await sync(await sheet('https://img.example/1.jpg|b/a.gif'), '--dry-run')
    expect(web.json().Rows, web.stderr).to.deep.equal([])
    expect(web.stderr.replace(/\s+/g, ' ')).to.include('not fetched, so 1 row would be sent without them')
    const left = await sync(await sheet('b/none.gif'), '--column', 'ItemImages=', '--yes', '--wait')
    expect(left.code, left.stdout + left.stderr).to.equal(0)
  })

  it('of many items that would be replaced, or become the same, send nothing', async () => {
    const many = (image: (at: number) => string) => sheet(...Array.from({ length: 12 }, (_, at) => image(at)))
    for (let at = 0; at < 24; at++)
      await writeFile(path(`${at}.gif`), Buffer.concat([PIXEL.gif.subarray(0, -1), spot(at), PIXEL.gif.subarray(-1)]))
    const first = await sync(await many((at) => `b/${at}.gif`), '--yes', '--wait', '--allow', 'max_added')
    expect(first.code, first.stdout + first.stderr).to.equal(0)
    const limit = async (file: string, ...args: string[]) =>
      (await sync(file, '--dry-run', ...args)).json().Summary.Stopped?.Limit
    const others = await many((at) => `b/${at + 12}.gif`)
    expect(await limit(others, '--allow', 'max_images=5%')).to.equal('max_images')
    expect(await limit(others, '--allow', 'max_images')).to.equal(undefined)
    expect(await limit(await many(() => 'b/b.png'), '--allow', 'max_images')).to.equal('max_same_image')
  })
})

/** A second picture of a GIF, of one pixel, at another place each time. */
function spot(at: number): Buffer {
  return Buffer.from(`2c${at.toString(16).padStart(2, '0')}0000000100010000020144 00`.replace(' ', ''), 'hex')
}
