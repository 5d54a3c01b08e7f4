import { expect } from 'chai'
import { fitJpeg } from '../../src/images/fit.js'
import { type Fitted, fitImage } from '../../src/images/index.js'
import { withoutMetadata } from '../../src/images/metadata.js'
import { ICC } from './photos.js'
import { type Colour, fromTelephone, jpegOf, noise, pixelsOf } from './pictures.js'

const [RED, GREEN, BLUE, WHITE] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const
const NAMES = new Map<Colour, string>([
  [RED, 'red'],
  [GREEN, 'green'],
  [BLUE, 'blue'],
  [WHITE, 'white'],
])

/** Red and green above, blue and white below. */
const quarters = (width: number, height: number) => (x: number, y: number) =>
  y < height / 2 ? (x < width / 2 ? RED : GREEN) : x < width / 2 ? BLUE : WHITE

/** The colour of which a pixel is nearly. */
function nameOf(pixel: Colour): string {
  const near = [...NAMES].find(([colour]) => colour.every((value, at) => Math.abs(value - (pixel[at] ?? 0)) < 24))
  return near?.[1] ?? pixel.join()
}

const clean = (jpeg: Buffer, orientation: number) => withoutMetadata(fromTelephone(jpeg, orientation), 'Jpeg').bytes
async function fitted(jpeg: Buffer, most = 4_194_304): Promise<Fitted> {
  const made = await fitImage(jpeg, most)
  if ('why' in made) throw new Error(made.why)
  return made
}

describe('images that are made to fit', function () {
  this.timeout(120_000)

  // Exif 2.32, 4.6.4 A: where the first row and the first column of the stored pixels are seen.
  for (const [orientation, above, below] of [
    [1, 'red green', 'blue white'],
    [2, 'green red', 'white blue'],
    [3, 'white blue', 'green red'],
    [4, 'blue white', 'red green'],
    [5, 'red blue', 'green white'],
    [6, 'blue red', 'white green'],
    [7, 'white green', 'blue red'],
    [8, 'green white', 'red blue'],
  ] as const) {
    it(`are upright with the orientation ${orientation}, with their profile and without another word`, async () => {
      const made = await fitted(clean(await jpegOf(96, 64, quarters(96, 64)), orientation))
      const { width, height, at } = await pixelsOf(made.bytes)
      expect([width, height]).to.deep.equal(orientation < 5 ? [96, 64] : [64, 96])
      expect(made).to.include({ width, height, turned: orientation !== 1 })
      const corner = (x: number, y: number) => nameOf(at(Math.floor(x * width), Math.floor(y * height)))
      expect(`${corner(0.25, 0.25)} ${corner(0.75, 0.25)}`).to.equal(above)
      expect(`${corner(0.25, 0.75)} ${corner(0.75, 0.75)}`).to.equal(below)
      expect(made.bytes.includes(ICC)).to.equal(true)
      expect(made.bytes.includes('Exif')).to.equal(false)
      // There is nothing left to take out.
      expect(withoutMetadata(made.bytes, 'Jpeg').bytes).to.equal(made.bytes)
    })
  }

  it('lose quality before they lose pixels, and no more than is needed', async () => {
    const jpeg = clean(await jpegOf(80, 64, noise(), { quality: 100 }), 1)
    const sizes: [quality: number, width: number][] = []
    let last = jpeg.length
    for (let most = jpeg.length; most > 1_500; most -= 500) {
      const { bytes, quality, width, height } = await fitted(jpeg, most)
      expect(bytes.length).to.be.at.most(most)
      expect(bytes.length).to.be.at.most(last)
      expect(width / height).to.be.closeTo(1.25, 0.01)
      last = bytes.length
      if (sizes.at(-1)?.join() !== [quality, width].join()) sizes.push([quality, width])
    }
    const whole = [90, 85, 80, 75]
    expect(sizes.slice(0, 6)).to.deep.equal([...whole.map((quality) => [quality, 80]), [90, 40], [85, 40]])
  })

  it('are encoded once at the size and the quality that they get, as a sample tells', async () => {
    // A smooth sky, and below it stones: no part is like the whole.
    const stones = noise()
    const photo = await jpegOf(2000, 1200, (x, y) => (y < 500 ? [x % 256, 128, y % 256] : stones()), { quality: 97 })
    const triesAt = async (most: number) => {
      const tries: number[] = []
      const { bytes, quality, width } = await fitJpeg(photo, most, (each) => tries.push(each))
      return { tries, quality, width, size: bytes.length }
    }
    const sizes = new Map<number, number>()
    for (let most = Number.POSITIVE_INFINITY; ; ) {
      const { quality, width, size } = await triesAt(most)
      if (width < 2000) break
      sizes.set(quality, size)
      most = size - 1
    }
    expect([...sizes.keys()]).to.deep.equal([90, 85, 80, 75])
    for (const quality of [85, 75]) {
      const size = sizes.get(quality) ?? 0
      const { tries, ...made } = await triesAt(size + 1000)
      expect([made.quality, made.size, tries]).to.deep.equal([quality, size, [quality]])
    }
    const small = await triesAt(Math.floor((sizes.get(75) ?? 0) * 0.9))
    expect([small.width, small.tries]).to.deep.equal([1000, [small.quality]])
  })

  it('have the mean of four pixels for one where they are halved', async () => {
    // A board of black and white is grey from afar, however its pieces of four fields are turned.
    const isTurned = Array.from({ length: 32 * 32 }, noise()).map(([value]) => value > 127)
    const isWhite = (x: number, y: number) => ((x + y) % 2 === 0) !== isTurned[(y >> 1) * 32 + (x >> 1)]
    const board = await jpegOf(64, 64, (x, y) => (isWhite(x, y) ? [255, 255, 255] : [0, 0, 0]), { quality: 100 })
    const made = await fitted(board, 1200)
    expect(made.width).to.be.below(64)
    const { at } = await pixelsOf(made.bytes)
    for (const [x, y] of [
      [0, 0],
      [7, 7],
      [3, 5],
    ] as const)
      for (const value of at(x, y)) expect(value).to.be.closeTo(127, 8)
  })

  it('become the same bytes each time', async () => {
    const jpeg = clean(await jpegOf(96, 64, noise()), 6)
    expect((await fitted(jpeg)).bytes.equals((await fitted(jpeg)).bytes)).to.equal(true)
  })

  it('are refused where they cannot be decoded, or only in memory without bound', async () => {
    const jpeg = await jpegOf(96, 64, noise())
    const sized = (width: number, height: number, components?: number) => {
      const copy = Buffer.from(jpeg)
      const frame = copy.indexOf(Buffer.from([0xff, 0xc0]))
      copy.writeUInt16BE(height, frame + 5)
      copy.writeUInt16BE(width, frame + 7)
      if (components !== undefined) copy[frame + 9] = components
      return copy
    }
    const before = process.memoryUsage().rss
    for (const [given, why] of [
      [sized(65_000, 65_000), /4225 million pixels; at most 65 million/],
      [sized(96, 64, 4), /CMYK/],
      [jpeg.subarray(0, 30), /damaged/],
      [Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xdb, 0, 3, 9])]), /damaged/],
    ] as const) {
      const made = await fitImage(given, 4_194_304)
      expect('why' in made && made.why).to.match(why)
    }
    expect(process.memoryUsage().rss - before).to.be.below(200e6)
  })
})
