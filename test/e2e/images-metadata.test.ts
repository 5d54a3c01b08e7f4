import { createHash } from 'node:crypto'
import { expect } from 'chai'
import * as photos from '../images/photos.js'
import { opened } from '../opened.js'
import { words } from './harness.js'
import { CATEGORY, openObserved } from './observed.js'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('the place in a photo', function () {
  this.timeout(60_000)
  const home = opened(() => openObserved({ faults: { queueDelayMs: 0 } }))
  const files: string[] = []
  const clean = [photos.cleanJpeg(), photos.cleanPng(), photos.cleanGif()]
  before(async () => {
    for (const [name, bytes] of [
      ['a.jpg', photos.jpeg()],
      ['b.png', photos.png()],
      ['c.gif', photos.gif()],
    ] as const) {
      files.push(await home.file(name, bytes))
    }
  })

  const ITEM = ['--title', 'Vas', '--category', CATEGORY, '--shipping', 'pickup', '--json']
  const AUCTION = ['items:add', ...ITEM, '--opening', '10']
  const keep = (value: string) => home.seller('auth:login', '--setting', `image_metadata=${value}`)
  /** The images of an item, as the service has them. */
  const arrived = async (itemId: number): Promise<Buffer[]> => {
    const { ImageLinks } = (await home.seller('call', 'GetItem', `itemId=${itemId}`)).json()
    return Promise.all((ImageLinks as string[]).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())))
  }
  const hex = (images: readonly Buffer[]) => images.map((bytes) => bytes.toString('hex'))

  it('does not leave with an auction, of which the ledger has the hashes of what was sent', async () => {
    const images = files.flatMap((file) => ['--image', file])
    const dry = await home.seller(...AUCTION, ...images, '--dry-run')
    expect(dry.json().Images.map(({ Bytes }: { Bytes: number }) => Bytes)).to.deep.equal(clean.map(({ length }) => length))
    const run = await home.done(...AUCTION, ...images, '--wait')
    for (const { stderr } of [dry, run]) {
      expect(stderr.replace(/\s+/g, ' ')).to.include('The metadata of 3 of 3 images is not sent (GPS position, Exif, XMP, IPTC, ')
      expect(stderr.match(/metadata of/g)).to.have.lengthOf(1)
    }
    expect(hex(await arrived(run.json().ItemId))).to.deep.equal(hex(clean))
    const job = (await home.seller('jobs:show', String(run.json().JobId), '--json')).json()
    const sent = job.Steps.filter(({ Operation }: { Operation: string }) => Operation === 'AddItemImage')
    expect(sent.map(({ Sha256 }: { Sha256: string }) => Sha256)).to.deep.equal(clean.map(sha256))
  })

  it('does not leave with a shop item, by flag, in a file, or as base64 text', async () => {
    const [one = '', two = ''] = files
    const item = await home.file(
      'item.json',
      JSON.stringify({
        ItemImages: [
          { Format: 'Png', HasMega: false, Name: 'b', Data: `@${two}` },
          { Format: 'Gif', HasMega: false, Name: 'c', Data: photos.gif().toString('base64') },
        ],
      }),
    )
    const run = await home.done('shop:add', ...ITEM, '--price', '10', '--file', item, '--image', one, '--wait')
    expect(run.stderr).to.include('3 of 3 images')
    const sent = await arrived(run.json().ItemId)
    expect(hex(sent).sort()).to.deep.equal(hex(clean).sort())
  })

  it('does not leave with images:upload and call', async () => {
    const { RequestId } = (
      await home.run(['items:add', '-f', '-', '--json'], {
        stdin: `{"Title":"Vas","CategoryId":${CATEGORY},"StartPrice":10,"AutoCommit":false,"ShippingOptions":[{"ShippingOptionId":8,"Cost":0}]}`,
      })
    ).json()
    const [one = '', two = ''] = files
    const called = await home.done(
      ...words`call AddItemImage requestId=${RequestId} imageData=@${two} imageFormat=Png hasMega=false`,
    )
    expect(called.stderr).to.include('metadata of b.png')
    const run = await home.seller('images:upload', String(RequestId), one, '--commit', '--wait', '--json')
    expect(run.stderr).to.include('metadata of a.jpg')
    expect(hex(await arrived(run.json().ItemId))).to.deep.equal(hex([clean[1] ?? Buffer.alloc(0), clean[0] ?? Buffer.alloc(0)]))
  })

  it('that cannot be removed stops everything before the first call, with words', async () => {
    const broken = await home.file('broken.png', Buffer.concat([photos.png().subarray(0, 33), Buffer.alloc(40)]))
    home.calls()
    const run = await home.seller(...AUCTION, '--image', files[0] ?? '', '--image', broken)
    expect([run.code, run.json().error.category]).to.deep.equal([3, 'validation'])
    expect(run.json().error.message)
      .to.include('broken.png" is damaged (a PNG chunk without a type)')
      .and.include('image_metadata')
    expect(home.calls()).to.not.include('AddItem')
  })

  it('leaves where the profile says keep; a job that was planned so sends none once it says remove', async () => {
    const [one = ''] = files
    expect((await keep('keep')).code).to.equal(0)
    const kept = await home.seller(...AUCTION, '--image', one, '--wait')
    expect(kept.stderr).to.not.include('metadata of')
    expect(hex(await arrived(kept.json().ItemId))).to.deep.equal(hex([photos.jpeg()]))
    // The ledger has the hash of the whole file, as 0.3 wrote it.
    const stopped = await home.seller(...AUCTION, '--image', one, '--max-calls', '1')
    expect(stopped.code).to.equal(7)
    expect((await keep('remove')).code).to.equal(0)
    const { jobId } = stopped.json().error
    const resumed = await home.done('jobs:resume', String(jobId), '--wait', '--json')
    expect(hex(await arrived(resumed.json().ItemId))).to.deep.equal(hex([photos.cleanJpeg()]))
    const { Steps } = (await home.seller('jobs:show', String(jobId), '--json')).json()
    expect(Steps[1].Sha256).to.equal(sha256(photos.cleanJpeg()))
    expect(Steps[1].Bytes).to.equal(photos.cleanJpeg().length)
  })
})
