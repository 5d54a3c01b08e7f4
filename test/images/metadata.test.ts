import { expect } from 'chai'
import { withoutMetadata } from '../../src/images/metadata.js'
import { UnreadableImageError } from '../../src/images/parts.js'
import { PIXEL } from '../e2e/observed.js'
import * as photos from './photos.js'

const CASES = [
  ['Jpeg', 'on its side', photos.jpeg(), photos.cleanJpeg()],
  ['Jpeg', 'big-endian', photos.jpeg(3, 'MM'), photos.cleanJpeg(3)],
  ['Jpeg', 'upright', photos.jpeg(1), photos.cleanJpeg(1)],
  ['Png', 'on its side', photos.png(), photos.cleanPng()],
  ['Png', 'upright', photos.png(1), photos.cleanPng(1)],
  ['Gif', 'that repeats', photos.gif(), photos.cleanGif()],
] as const

describe('metadata of images', () => {
  for (const [format, what, given, clean] of CASES) {
    it(`is taken out of a ${format} ${what}, and what is left is the same bytes`, () => {
      const { bytes, removed } = withoutMetadata(given, format)
      expect(bytes.toString('hex')).to.equal(clean.toString('hex'))
      expect(bytes.toString('latin1')).to.not.match(photos.SECRETS)
      expect(removed).to.include.members(['GPS position', 'XMP', 'data after the image'])
      const again = withoutMetadata(bytes, format)
      expect(again.removed).to.deep.equal([])
      expect(again.bytes).to.equal(bytes)
    })

    // A file that was cut anywhere is judged by its service; it must not leave with anything that a whole one loses.
    it(`is taken out of a ${format} ${what} that ends anywhere`, () => {
      for (let end = 8; end < given.length; end++) {
        const { bytes } = withoutMetadata(Buffer.from(given.subarray(0, end)), format)
        expect(bytes.toString('latin1'), `cut at ${end}`).to.not.match(photos.SECRETS)
      }
    })

    it(`is never in a ${format} ${what} with one damaged byte that is not refused`, () => {
      for (let at = 0; at < given.length; at++) {
        for (const value of [0, 0xff, (given[at] ?? 0) ^ 1, (given[at] ?? 0) ^ 0x80]) {
          const damaged = Buffer.from(given)
          damaged[at] = value
          try {
            // A value that is named differently by the damage itself is not looked for.
            expect(withoutMetadata(damaged, format).bytes.includes('GPSLatitude'), `${value} at ${at}`).to.equal(false)
          } catch (error) {
            if (!(error instanceof UnreadableImageError)) throw error
          }
        }
      }
    })
  }

  it('is not looked for in an image that has none', () => {
    for (const [format, bytes] of [
      ['Jpeg', PIXEL.jpeg],
      ['Png', PIXEL.png],
      ['Gif', PIXEL.gif],
    ] as const) {
      expect(withoutMetadata(bytes, format)).to.deep.equal({ bytes, removed: [] })
    }
  })

  it('stands in several scans of a JPEG, between padding and restarts', () => {
    const comment = photos.segment(0xfe, Buffer.from('SecretComment'))
    const scan = Buffer.from('ffda0008010100003f00aaff00bbffd0ccffff', 'hex')
    const given = Buffer.concat([
      PIXEL.jpeg.subarray(0, -2),
      Buffer.from([0xff]),
      comment,
      scan,
      comment,
      scan,
      Buffer.from('ffd9', 'hex'),
    ])
    const { bytes } = withoutMetadata(given, 'Jpeg')
    expect(bytes.includes('Secret')).to.equal(false)
    expect(bytes.toString('hex').split(scan.subarray(0, -2).toString('hex'))).to.have.lengthOf(3)
  })

  it('that cannot be told from the image is refused', () => {
    const swallowed = Buffer.concat([
      PIXEL.jpeg.subarray(0, 2),
      photos.segment(0xdb, photos.jpeg().subarray(2)),
      PIXEL.jpeg.subarray(2),
    ])
    const refused = [
      ['Jpeg', swallowed, 'holds metadata where no image has any'],
      ['Jpeg', Buffer.from('ffd8fff70010', 'hex'), 'marker 0xf7'],
      ['Jpeg', Buffer.from('ffd8ffe00001', 'hex'), 'segment of 1 bytes'],
      ['Png', Buffer.concat([PIXEL.png.subarray(0, 33), photos.chunk('CgBI', Buffer.alloc(4))]), 'chunk CgBI'],
      ['Png', Buffer.concat([PIXEL.png.subarray(0, 33), Buffer.alloc(12)]), 'without a type'],
      ['Gif', Buffer.concat([PIXEL.gif.subarray(0, 19), Buffer.from('text')]), 'block of unknown kind'],
    ] as const
    for (const [format, bytes, why] of refused) {
      expect(() => withoutMetadata(bytes, format)).to.throw(UnreadableImageError, why)
    }
  })
})
