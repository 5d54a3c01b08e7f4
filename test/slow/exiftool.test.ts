/** Photos as they are sent, read by another program: ExifTool finds what it knows before, and nothing of it after. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Home, openHome } from '../e2e/harness.js'
import { CATEGORY } from '../e2e/observed.js'
import * as photos from '../images/photos.js'

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
        ...`items:add --title Vas --category ${CATEGORY} --start-price 10 --shipping pickup --wait --json --image`.split(' '),
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
})
