/** Photos that are too large or not upright: --fit of every command that sends images, against a sandbox over real HTTP. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect } from 'chai'
import { imageOfStep, inspectImages, readImage } from '../../src/jobs/listing/images.js'
import { segment } from '../images/photos.js'
import { fromTelephone, jpegOf, noise, pixelsOf } from '../images/pictures.js'
import { opened } from '../opened.js'
import { CATEGORY, openObserved } from './observed.js'

const MOST = 4_194_304
/**
 * Quantization tables that no colour uses, 65 kB of them: allowed before the frame, and quicker to read than
 * pixels (T.81, B.2.4.1).
 */
const TABLES = segment(0xdb, Buffer.alloc(1000 * 65, Buffer.concat([Buffer.from([3]), Buffer.alloc(64, 1)])))
const ITEM = ['--title', 'Vas', '--category', CATEGORY, '--shipping', 'pickup', '--json']
const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('photos that are made to fit', function () {
  this.timeout(300_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 }, emptyShops: true, extended: true, described: true }))
  let [large, side] = ['', '']
  before(async () => {
    const photo = await jpegOf(400, 296, noise(), { quality: 100 })
    const tables = Array<Buffer>(62).fill(TABLES)
    const jpeg = fromTelephone(Buffer.concat([photo.subarray(0, 2), ...tables, photo.subarray(2)]), 6)
    expect(jpeg.length).to.be.above(MOST)
    large = await home.file('large.jpg', jpeg)
    side = await home.file('side.jpg', fromTelephone(await jpegOf(96, 64, noise()), 8))
  })
  const pictures = async (itemId: number): Promise<Buffer[]> => {
    const { ImageLinks } = (await home.seller('call', 'GetItem', `itemId=${itemId}`)).json()
    return Promise.all((ImageLinks as string[]).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())))
  }
  const sidesOf = async (bytes: Buffer) => {
    const { width, height } = await pixelsOf(bytes)
    return [width, height]
  }

  it('is proposed where one is too large, and is the next command', async () => {
    const add = ['items:add', ...ITEM, '--start-price', '10', '--image', large, '--yes']
    const refused = await home.seller(...add)
    expect(refused.code).to.equal(3)
    expect(refused.json().error.faults[0].hint).to.equal('Give --fit to make it fit, or save it smaller.')
    const dry = await home.done(...add, '--fit', '--dry-run')
    const run = await home.done(...add, '--fit', '--wait')
    const [sent = Buffer.alloc(0)] = await pictures(run.json().ItemId)
    expect(sent.length).to.be.at.most(MOST)
    expect(await sidesOf(sent)).to.deep.equal([296, 400])
    expect(sent.toString('latin1')).to.not.match(/Exif|GPS|Secret/)
    expect(dry.json().Images[0].Bytes).to.equal(sent.length)
    const becomes = /Made to fit: large\.jpg: [\d.]+ MB, 400 x 296, not upright; becomes (\d+) kB, 296 x 400, quality \d\d\./
    for (const { stderr } of [dry, run]) expect(becomes.exec(flat(stderr))?.[1]).to.equal(`${Math.ceil(sent.length / 1000)}`)
    expect(flat(dry.stderr))
      .to.match(/metadata of large\.jpg is not sent/)
      .and.not.contain('pixels stay the same')
    const job = (await home.seller('jobs:show', String(run.json().JobId), '--json')).json()
    const step = job.Steps.find(({ Operation }: { Operation: string }) => Operation === 'AddItemImage')
    expect(step.Sha256).to.match(/^fit:[0-9a-f]{64}$/)
    expect(step.Bytes).to.equal(sent.length)
  })

  it('shows on a terminal which image is made to fit, and makes it once for the plan and the call', async () => {
    const inspected = await inspectImages([{ path: side }], { fit: true })
    const [image] = inspected.images
    const { path = '', sha256 = '', made } = image ?? {}
    expect(made === undefined ? '' : (await sidesOf(made)).join()).to.equal('64,96')
    expect(image === undefined ? undefined : await readImage(image)).to.equal(made)
    const step = { Subject: path, Sha256: sha256, Format: 'Jpeg' } as const
    expect((await imageOfStep(step, false, { images: inspected.images })).data).to.equal(made)
    const again = (await imageOfStep(step, false)).data
    expect(again, 'a resumed job makes it again').to.not.equal(made)
    expect(made?.equals(again)).to.equal(true)
    const ran = await home.run(['shop:add', ...ITEM, '--price', '10', '--image', side, '--fit', '--dry-run'], { terminal: true })
    expect([ran.code, ran.stderr.includes('Making side.jpg fit')], ran.stderr).to.deep.equal([0, true])
  })

  it('turns one in a document, in a flag of shop:add and of images:upload, and keeps no metadata of it', async () => {
    await home.done('auth:login', '--setting', 'image_metadata=keep')
    const item = await home.file(
      'item.json',
      JSON.stringify({ ItemImages: [{ Format: 'Jpeg', HasMega: false, Data: `@${side}` }] }),
    )
    const shop = ['shop:add', ...ITEM, '--price', '10', '--yes', '--wait', '--fit']
    const within = await home.done(...shop, '--file', item)
    const flagged = await home.done(...shop, '--image', side)
    const open = await home.done(
      'items:add',
      ...ITEM,
      '--start-price',
      '10',
      '--file',
      await home.file('open.json', '{"AutoCommit":false}'),
      '--yes',
    )
    const uploaded = await home.done(
      'images:upload',
      String(open.json().RequestId),
      side,
      '--fit',
      '--commit',
      '--wait',
      '--json',
    )
    await home.done('auth:login', '--setting', 'image_metadata=remove')
    const hashes = new Set<string>()
    for (const { ItemId } of [within, flagged, uploaded].map((run) => run.json())) {
      const [sent = Buffer.alloc(0)] = await pictures(ItemId)
      expect(await sidesOf(sent)).to.deep.equal([64, 96])
      expect(sent.toString('latin1')).to.not.match(/Exif|GPS|Secret/)
      hashes.add(createHash('sha256').update(sent).digest('hex'))
    }
    expect(hashes.size).to.equal(1)
  })

  it('is sent once by a sync: a second one does nothing, and an undo makes the one of before again', async () => {
    const rows = (image: string) =>
      home.file('catalogue.csv', `SKU,Titel,Kategori,Pris,Lager,Frakt,Bilder\nF-1,Vas,${CATEGORY},100,2,pickup,${image}\n`)
    const sync = async (file: string, ...args: string[]) => home.done('shop:sync', '--file', file, '--json', '--fit', ...args)
    await home.file('row.jpg', fromTelephone(await jpegOf(96, 64, noise(), { quality: 80 }), 8))
    const run = await sync(await rows('row.jpg'), '--yes', '--wait')
    expect(flat(run.stderr)).to.contain('Made to fit: row.jpg: ')
    const again = await sync(await rows('row.jpg'), '--yes')
    expect(again.json(), again.stderr).to.include({ JobId: null, Unchanged: 1 })
    // It is known what became of it: nothing is decoded.
    expect(again.stderr).to.not.contain('Made to fit')
    const upright = await home.file('upright.jpg', await jpegOf(32, 16, noise()))
    const changed = await sync(await rows('upright.jpg'), '--yes', '--wait')
    const items = (await home.seller('items:list', '--type', 'shop', '--json')).json() as {
      Id: number
      OwnReferences: string[]
    }[]
    const Id = items.find(({ OwnReferences }) => OwnReferences[0] === 'F-1')?.Id ?? 0
    expect((await pictures(Id)).length).to.equal(1)
    const part = changed.json().Parts.find(({ Kind }: { Kind: string }) => Kind === 'update').JobId
    await home.done('jobs:undo', String(part), '--yes', '--wait')
    const [back = Buffer.alloc(0)] = await pictures(Id)
    expect(await sidesOf(back)).to.deep.equal([64, 96])
    await rm(upright)
  })
})
