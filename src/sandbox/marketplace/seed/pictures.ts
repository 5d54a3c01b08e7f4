/** Small pictures made here, so that the sandbox has images of all three formats without using anyone's. */
import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

/** The colour of a picture at a place, both from 0 to below 1: a round object on a background of two shades. */
function colourAt(background: Colour, foreground: Colour, x: number, y: number): Colour {
  const distance = (x - 0.5) ** 2 + (y - 0.55) ** 2
  if (distance < 0.06) return foreground
  return y > 0.75 ? (background.map((part) => Math.round(part * 0.7)) as unknown as Colour) : background
}

function pixels(size: number, background: Colour, foreground: Colour): Colour[] {
  return Array.from({ length: size * size }, (_, at) =>
    colourAt(background, foreground, ((at % size) + 0.5) / size, (Math.floor(at / size) + 0.5) / size),
  )
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A PNG of 32 by 32 pixels (PNG 1.2: 8 bits of red, green and blue, no filter). */
export function png(background: Colour, foreground: Colour): Buffer {
  const size = 32
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const all = pixels(size, background, foreground)
  const lines = Array.from({ length: size }, (_, y) => [0, ...all.slice(y * size, (y + 1) * size).flat()]).flat()
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.from(lines))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * A GIF of 32 by 32 pixels. With 128 colours, codes have 8 bits as long as the table is cleared every 126 pixels, so every byte
 * is one code and needs no packing (GIF89a, appendix F).
 */
export function gif(background: Colour, foreground: Colour): Buffer {
  const size = 32
  const all = pixels(size, background, foreground)
  const palette = [...new Map(all.map((colour) => [colour.join(), colour])).values()]
  const table = Buffer.alloc(128 * 3)
  table.set(palette.flat())
  const index = new Map(palette.map((colour, at) => [colour.join(), at]))
  const codes: number[] = []
  all.forEach((colour, at) => {
    if (at % 126 === 0) codes.push(0x80)
    codes.push(index.get(colour.join()) ?? 0)
  })
  codes.push(0x81)
  const blocks: number[] = []
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([size, 0, size, 0, 0xf6, 0, 0]),
    table,
    Buffer.from([0x2c, 0, 0, 0, 0, size, 0, size, 0, 0, 7, ...blocks, 0, 0x3b]),
  ])
}

function segment(marker: number, data: readonly number[]): number[] {
  return [0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]
}

/**
 * A baseline JPEG of 64 by 64 pixels (ITU T.81), each block of 8 by 8 in one colour, so that only the first coefficient of a
 * block is not zero. It has one table of sizes, 4 bits each, and one with only the end-of-block code, 1 bit.
 */
export function jpeg(background: Colour, foreground: Colour): Buffer {
  const blocks = 8
  let bits = ''
  const putBits = (value: number, length: number) => {
    if (length > 0) bits += value.toString(2).padStart(length, '0')
  }
  const before = [0, 0, 0]
  for (const [red, green, blue] of pixels(blocks, background, foreground)) {
    const parts = [
      0.299 * red + 0.587 * green + 0.114 * blue - 128,
      -0.1687 * red - 0.3313 * green + 0.5 * blue,
      0.5 * red - 0.4187 * green - 0.0813 * blue,
    ]
    parts.forEach((part, component) => {
      // The first coefficient is 8 times the mean; the quantiser divides it by 8.
      const value = Math.max(-128, Math.min(127, Math.round(part)))
      const step = value - (before[component] ?? 0)
      before[component] = value
      const size = step === 0 ? 0 : Math.floor(Math.log2(Math.abs(step))) + 1
      putBits(size, 4)
      putBits(step < 0 ? step + 2 ** size - 1 : step, size)
      putBits(0, 1)
    })
  }
  const scan = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []
  const zeros = (length: number) => Array.from({ length }, () => 0)
  const side = blocks * 8
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    ...segment(0xc0, [8, 0, side, 0, side, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    ...segment(0xc4, [0, 0, 0, 0, 12, ...zeros(12), ...Array.from({ length: 12 }, (_, size) => size)]),
    ...segment(0xc4, [0x10, 1, ...zeros(15), 0]),
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    // Within a scan, a zero byte follows 0xff.
    ...scan.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])),
    ...[0xff, 0xd9],
  ])
}

const GROUNDS: readonly Colour[] = [
  [214, 226, 233],
  [240, 228, 208],
  [222, 235, 214],
  [233, 217, 230],
]
const THINGS: readonly Colour[] = [
  [52, 86, 128],
  [170, 60, 48],
  [64, 110, 72],
  [196, 148, 40],
  [92, 70, 110],
  [60, 60, 64],
]

export interface Picture {
  readonly format: 'Gif' | 'Jpeg' | 'Png'
  readonly bytes: Buffer
}

let drawn: readonly Picture[] | undefined

/** Pictures of every background and object, in the three formats in turn: the same each time, and drawn once. */
export function pictures(): readonly Picture[] {
  drawn ??= THINGS.flatMap((foreground, row) =>
    GROUNDS.map((background, column): Picture => {
      const turn = (row + column) % 3
      if (turn === 0) return { format: 'Jpeg', bytes: jpeg(background, foreground) }
      return turn === 1
        ? { format: 'Png', bytes: png(background, foreground) }
        : { format: 'Gif', bytes: gif(background, foreground) }
    }),
  )
  return drawn
}
