import { expect } from 'chai'
import { detectFormat, imageFault, isDamaged } from '../../../src/sandbox/marketplace/rules/images.js'
import { jpeg, png } from '../../../src/sandbox/marketplace/seed/pictures.js'

const PNG = Buffer.from(png([9, 9, 9], [200, 0, 0]))
const JPEG = Buffer.from(jpeg([9, 9, 9], [200, 0, 0]))
/** Two colours, one pixel. */
const GIF = Buffer.from(
  'GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;',
  'latin1',
)
const PNG_START = 8
/** From the length of a chunk to the next chunk. */
const chunkEnd = (bytes: Buffer, at: number) => at + 12 + bytes.readUInt32BE(at)
const changed = (bytes: Buffer, at: number, value: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = value
  return copy
}
const spliced = (bytes: Buffer, from: number, to: number, between = '') =>
  Buffer.concat([bytes.subarray(0, from), Buffer.from(between, 'latin1'), bytes.subarray(to)])

describe('sandbox/marketplace: images', () => {
  const ihdrEnd = chunkEnd(PNG, PNG_START)
  const jpegScan = JPEG.indexOf(Buffer.from([0xff, 0xda]))

  for (const [what, format, bytes, damaged] of [
    ['a PNG', 'Png', PNG, false],
    ['a PNG that is cut', 'Png', PNG.subarray(0, -1), true],
    ['a PNG that ends before its IEND', 'Png', PNG.subarray(0, -12), true],
    ['a PNG with a wrong checksum', 'Png', changed(PNG, ihdrEnd - 1, (PNG[ihdrEnd - 1] ?? 0) ^ 1), true],
    ['a PNG without its header', 'Png', spliced(PNG, PNG_START, ihdrEnd), true],
    ['a PNG without pixels', 'Png', spliced(PNG, ihdrEnd, PNG.length - 12), true],
    ['a GIF', 'Gif', GIF, false],
    ['a GIF with a comment', 'Gif', spliced(GIF, 19, 19, '!\xfe\x02hi\x00'), false],
    ['a GIF without a colour table', 'Gif', spliced(changed(GIF, 10, 0), 13, 19), false],
    ['a GIF without a picture', 'Gif', spliced(GIF, 19, GIF.length - 1), true],
    ['a GIF without its trailer', 'Gif', GIF.subarray(0, -1), true],
    ['a GIF that is cut in its picture', 'Gif', GIF.subarray(0, 25), true],
    ['a GIF that ends with its head', 'Gif', GIF.subarray(0, 8), true],
    ['a GIF with a block of no kind', 'Gif', changed(GIF, 19, 0x20), true],
    ['a JPEG', 'Jpeg', JPEG, false],
    ['a JPEG without its end', 'Jpeg', JPEG.subarray(0, -2), true],
    ['a JPEG that is cut before its scan', 'Jpeg', JPEG.subarray(0, jpegScan), true],
    ['a JPEG with a broken segment', 'Jpeg', changed(JPEG, 2 + 2 + JPEG.readUInt16BE(4), 0), true],
    ['a JPEG whose scan comes without a frame', 'Jpeg', spliced(JPEG, 2, jpegScan), true],
  ] as const) {
    it(`sees that ${what} is ${damaged ? 'damaged' : 'whole'}`, () => {
      expect(isDamaged(bytes, format)).to.equal(damaged)
    })
  }

  it('knows a format by the first bytes', () => {
    expect([PNG, GIF, JPEG].map(detectFormat)).to.deep.equal(['Png', 'Gif', 'Jpeg'])
    for (const text of ['', 'GIF88a', '\xff\xd8\x00', '<svg/>'])
      expect(detectFormat(Buffer.from(text, 'latin1'))).to.equal(undefined)
  })

  for (const [what, bytes, format, fault] of [
    ['the right format', PNG, 'Png', undefined],
    ['another format', PNG, 'Gif', 'The image is not of format Gif: its data is Png.'],
    ['no image', Buffer.from('text'), 'Jpeg', 'The image is not of format Jpeg: its data is not a Gif, Jpeg or Png.'],
    ['nothing', Buffer.alloc(0), 'Png', 'The image holds no data.'],
    ['no bytes', undefined, 'Png', 'The image holds no data.'],
    ['4 MB', Buffer.concat([PNG, Buffer.alloc(4_194_304 - PNG.length)]), 'Png', undefined],
    ['a byte more', Buffer.alloc(4_194_305), 'Png', 'The image has 4194305 bytes; at most 4194304 (4 MB) are allowed.'],
  ] as const) {
    it(`takes or refuses ${what} at once`, () => {
      expect(imageFault(bytes, format)).to.equal(fault)
    })
  }
})
