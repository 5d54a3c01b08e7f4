/** Photos as they are sent, read by another program: ExifTool finds what it knows before, and nothing of it after. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createThumbnail } from '../../src/images/thumbnail.js'
import { type Home, openHome } from '../e2e/harness.js'
import { CATEGORY } from '../e2e/observed.js'
import * as photos from '../images/photos.js'
import { fromTelephone, jpegOf, noise } from '../images/pictures.js'

const TOOL = '/usr/bin/exiftool'
/** Groups of tags about the file itself, and how its pixels are to be shown. */
const SHOWN = /^(?:ExifTool|System|File|Composite|JFIF|Adobe|ICC_Profile|ICC-header|PNG|PNG-pHYs|GIF):/
const WITHIN_PNG = /^PNG:(?:ImageWidth|ImageHeight|BitDepth|ColorType|Compression|Filter|Interlace|Gamma)$/

describe('photos that ExifTool reads', function () {
  this.timeout(120_000)
  let home: Home
  before(async function () {
    if (!existsSync(TOOL)) {
      console.warn(
        `\n!!! NO EXIFTOOL: ${TOOL} is not here. Photos are NOT read by another program. Install Debian's libimage-exiftool-perl.\n`,
      )
      this.skip()
    }
    home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
  })
  after(() => home?.close())

  const tagsOf = async (path: string): Promise<Record<string, unknown>> => {
    const { stdout } = await promisify(execFile)(TOOL, ['-j', '-G1', '-a', '-u', '-ee3', '-n', path])
    const { SourceFile: _, ...tags } = JSON.parse(stdout)[0]
    return tags
  }

  for (const order of ['II', 'MM'] as const)
    it(`has the thumbnail of a page as ExifTool finds it, turned as the photo is (${order})`, async () => {
      const read = async (path: string) =>
        (await promisify(execFile)(TOOL, ['-b', '-ThumbnailImage', path], { encoding: 'buffer' })).stdout
      const upright = await home.file(`upright-${order}.jpg`, photos.jpeg(1, order))
      const bytesOf = async (path: string) =>
        Buffer.from(((await createThumbnail(path, 'Jpeg')) ?? '').split(',')[1] ?? '', 'base64')
      expect((await bytesOf(upright)).toString('hex'))
        .to.equal((await read(upright)).toString('hex'))
        .and.not.equal('')
      const side = await home.file(`side-${order}.jpg`, photos.jpeg(6, order))
      const turned = await home.file(`turned-${order}.jpg`, await bytesOf(side))
      expect((await tagsOf(turned))['IFD0:Orientation']).to.equal(6)
    })

  for (const [name, bytes, orientation] of [
    ['side.jpg', photos.jpeg(6), 6],
    ['upright.jpg', photos.jpeg(1, 'MM'), undefined],
    ['side.png', photos.png(8), 8],
    ['film.gif', photos.gif(), undefined],
  ] as const) {
    it(`has no place and no more metadata in ${name} as it arrived`, async () => {
      const path = await home.file(name, bytes)
      const before = await tagsOf(path)
      expect(Object.keys(before).join(' ')).to.match(/GPSLatitude/)
      const run = await home.done(
        ...`items:add --title Vas --category ${CATEGORY} --opening 10 --shipping pickup --wait --json --image`.split(' '),
        path,
      )
      const { ImageLinks } = (await home.seller('call', 'GetItem', `itemId=${run.json().ItemId}`)).json()
      const sent = Buffer.from(await (await fetch(ImageLinks[0])).arrayBuffer())
      const after = await tagsOf(await home.file(`sent-${name}`, sent))
      expect(Object.keys(after).join(' ')).to.not.match(/GPS/)
      expect(after['ExifTool:Warning'] ?? after['ExifTool:Error']).to.equal(undefined)
      const strange = Object.keys(after).filter((tag) => !SHOWN.test(tag) || (tag.startsWith('PNG:') && !WITHIN_PNG.test(tag)))
      expect(strange).to.deep.equal(orientation === undefined ? [] : ['IFD0:Orientation'])
      expect(after['IFD0:Orientation']).to.equal(orientation)
      // The same size and, for JPEG, the same profile as before.
      for (const tag of [
        'File:ImageWidth',
        'File:ImageHeight',
        'PNG:Gamma',
        'ICC-header:ProfileFileSignature',
        'GIF:AnimationIterations',
      ]) {
        expect(after[tag], tag).to.deep.equal(before[tag])
      }
    })
  }

  it('has no orientation and the sides of what is seen in a photo that was made to fit', async () => {
    const path = await home.file('telephone.jpg', fromTelephone(await jpegOf(96, 64, noise()), 6))
    const before = await tagsOf(path)
    const run = await home.done(
      ...`items:add --title Vas --category ${CATEGORY} --start-price 10 --shipping pickup --wait --json --fit --image`.split(' '),
      path,
    )
    const { ImageLinks } = (await home.seller('call', 'GetItem', `itemId=${run.json().ItemId}`)).json()
    const after = await tagsOf(await home.file('fitted.jpg', Buffer.from(await (await fetch(ImageLinks[0])).arrayBuffer())))
    expect([before['IFD0:Orientation'], before['File:ImageWidth'], before['File:ImageHeight']]).to.deep.equal([6, 96, 64])
    expect([after['IFD0:Orientation'], after['File:ImageWidth'], after['File:ImageHeight']]).to.deep.equal([undefined, 64, 96])
    expect(Object.keys(after).filter((tag) => !SHOWN.test(tag))).to.deep.equal([])
    expect(after['ICC-header:ProfileFileSignature']).to.equal(before['ICC-header:ProfileFileSignature']).and.not.equal(undefined)
    expect(after['ExifTool:Warning'] ?? after['ExifTool:Error']).to.equal(undefined)
  })
})
