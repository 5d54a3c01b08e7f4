/**
 * Makes a JPEG fit: turns one that lies on its side, and compresses or shrinks one that is too large. Its colour profile stays.
 * Decoding and encoding is mozjpeg (@jsquash/jpeg). Each fit has its own instance of it, whose memory goes with it.
 */
import { isUpright, jpegFrame, jpegProfile, withProfile } from './jpeg.js'
import { UnreadableImageError } from './parts.js'

/** An image made to fit. */
export interface Fitted {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly quality: number
  /** True if it lay on its side or was mirrored, and is upright now. */
  readonly turned: boolean
  /** Size before. */
  readonly from: { readonly bytes: number; readonly width: number; readonly height: number }
}

/** Pixels that are decoded: 4 bytes each, twice. Telephones take photos of 50 and 64 million. */
const MOST_PIXELS = 65_000_000
/** Pixels that are encoded. More are halved first: no page shows them, and the encoder needs about 20 bytes for each. */
const MOST_ENCODED = 25_000_000
/** Qualities of JPEG that are tried before an image is halved. Below 75, blocks and rings can be seen. */
const QUALITIES = [90, 85, 80, 75] as const

/**
 * Options of mozjpeg: its own defaults (meta.js of the package), but not progressive. That would take twice as long for some
 * per cent of the bytes.
 */
const OPTIONS = {
  baseline: false,
  arithmetic: false,
  progressive: false,
  optimize_coding: true,
  smoothing: 0,
  color_space: 3,
  quant_table: 3,
  trellis_multipass: false,
  trellis_opt_zero: false,
  trellis_opt_table: false,
  trellis_loops: 1,
  auto_subsample: true,
  chroma_subsample: 2,
  separate_chroma_quality: false,
  chroma_quality: 75,
}

/** Pixels from which a sample tells which qualities will not do: fewer are encoded in a moment. */
const SAMPLED_FROM = 2_000_000
/** Bands of the sample, spread evenly over the height. Each is as high as a block of JPEG, so it is encoded as in the whole. */
const BANDS = 16
const BAND_ROWS = 16
/** A quality is left out where the sample is larger than the limit by more than this share: its size is not exact. */
const SAMPLE_ERROR = 0.02

/** Node has it; the types of Node do not. */
declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

interface Pixels {
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/**
 * Turns a JPEG upright, and lowers its quality, then halves its sides, until it fits.
 * @param onEncode is called before the whole image is encoded, each time
 * @throws {UnreadableImageError} if it cannot be decoded, or not in bounded memory
 */
export async function fitJpeg(jpeg: Buffer, mostBytes: number, onEncode?: (quality: number) => void): Promise<Fitted> {
  const { width, height, components } = jpegFrame(jpeg)
  if (width * height > MOST_PIXELS) {
    const [has, most] = [width * height, MOST_PIXELS].map((pixels) => Math.round(pixels / 1e6))
    throw new UnreadableImageError(`of ${has} million pixels; at most ${most} million are decoded`)
  }
  // Its colours would need their profile, and a profile of print colours does not describe those of a screen.
  if (components === 4) throw new UnreadableImageError('in the colours of print (CMYK)')
  const [decoder, encoder] = await codecs()
  // Nothing waits from here on, so that never more than one image is decoded at a time.
  let pixels = decoded(decoder, jpeg)
  while (pixels.width * pixels.height > MOST_ENCODED) pixels = halved(pixels)
  const profile = components === 3 ? jpegProfile(jpeg) : []
  const encode = ({ data, width, height }: Pixels, quality: number) =>
    encoder.encode(data, width, height, { ...OPTIONS, quality }) as ArrayBuffer
  for (;;) {
    const sample = sampleOf(pixels)
    for (const quality of QUALITIES) {
      if (sample !== undefined && encode(sample, quality).byteLength * sample.share > mostBytes * (1 + SAMPLE_ERROR)) continue
      onEncode?.(quality)
      const encoded = Buffer.from(encode(pixels, quality))
      const bytes = withProfile(encoded, profile)
      if (bytes.length > mostBytes) continue
      const from = { bytes: jpeg.length, width, height }
      return { bytes, width: pixels.width, height: pixels.height, quality, turned: !isUpright(jpeg), from }
    }
    if (pixels.width < 2 || pixels.height < 2) throw new UnreadableImageError('too large for its few pixels')
    pixels = halved(pixels)
  }
}

/** The programs, unpacked and compiled once: that takes as long as a small photo. */
let compiled: Promise<readonly [decoder: object, encoder: object]> | undefined

async function compilePrograms(): Promise<readonly [decoder: object, encoder: object]> {
  const { readDecoder, readEncoder } = await import('./codec-programs.js')
  const [decoder, encoder] = await Promise.all([readDecoder(), readEncoder()])
  return [new WebAssembly.Module(decoder), new WebAssembly.Module(encoder)]
}

async function codecs() {
  compiled ??= compilePrograms()
  const [{ default: makeDecoder }, { default: makeEncoder }, [decoder, encoder]] = await Promise.all([
    import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js'),
    import('@jsquash/jpeg/codec/enc/mozjpeg_enc.js'),
    compiled,
  ])
  const options = (program: object) => ({
    noInitialRun: true,
    // Its complaints about damage, which are not for the seller's screen.
    printErr: () => {},
    instantiateWasm(imports: object, use: (instance: object) => void) {
      const instance = new WebAssembly.Instance(program, imports)
      use(instance)
      return instance.exports
    },
  })
  return Promise.all([makeDecoder(options(decoder)), makeEncoder(options(encoder))])
}

/** The pixels of a JPEG, upright: the decoder applies the orientation. */
function decoded(decoder: { decode(data: Uint8Array, upright: boolean): unknown }, jpeg: Buffer): Pixels {
  try {
    const pixels = decoder.decode(jpeg, true)
    if (pixels) return pixels as Pixels
  } catch {
    // mozjpeg ends its program where it cannot go on; this instance is not used again.
  }
  throw new UnreadableImageError('damaged (it cannot be decoded)')
}

/** Bands of an image, and how many times as high the whole is; undefined for one that is small, or low. */
function sampleOf({ data, width, height }: Pixels): (Pixels & { readonly share: number }) | undefined {
  const all = Math.floor(height / BAND_ROWS)
  if (width * height < SAMPLED_FROM || all < 2 * BANDS) return undefined
  const band = 4 * width * BAND_ROWS
  const bands = new Uint8ClampedArray(BANDS * band)
  for (let at = 0; at < BANDS; at++) {
    const from = Math.floor(((at + 0.5) * all) / BANDS) * band
    bands.set(data.subarray(from, from + band), at * band)
  }
  return { data: bands, width, height: BANDS * BAND_ROWS, share: height / (BANDS * BAND_ROWS) }
}

/** Half the sides: each pixel is the mean of four. An odd last row or column is left out. */
function halved({ data, width, height }: Pixels): Pixels {
  const half = { width: width >> 1, height: height >> 1 }
  const means = new Uint8ClampedArray(4 * half.width * half.height)
  for (let y = 0, to = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = 4 * (2 * y * width + 2 * x)
      for (let colour = from; colour < from + 4; colour++, to++) {
        const [above, below] = [colour, colour + 4 * width]
        means[to] = ((data[above] ?? 0) + (data[above + 4] ?? 0) + (data[below] ?? 0) + (data[below + 4] ?? 0)) / 4
      }
    }
  }
  return { data: means, ...half }
}
