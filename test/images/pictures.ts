/** Photos with pixels, made and decoded by mozjpeg alone, and the segments of a telephone in them. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import makeDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import makeEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import { defaultOptions } from '@jsquash/jpeg/meta.js'
import { exif, ICC, segment } from './photos.js'

declare const WebAssembly: {
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

const codec = join(dirname(createRequire(import.meta.url).resolve('@jsquash/jpeg')), 'codec')

/** The codecs, each compiled once: that takes longer than a small picture. */
const programs = new Map<string, object>()

const options = async (file: string) => {
  const program = programs.get(file) ?? new WebAssembly.Module(await readFile(join(codec, file)))
  programs.set(file, program)
  const instantiateWasm = (imports: object, use: (instance: object) => void) => {
    const instance = new WebAssembly.Instance(program, imports)
    use(instance)
    return instance.exports
  }
  return { noInitialRun: true, instantiateWasm }
}

/** A colour is red, green and blue. */
export type Colour = readonly [number, number, number]

/** A JPEG of pixels. @param quality 100 with noise makes it larger than its pixels */
export async function jpegOf(
  width: number,
  height: number,
  colour: (x: number, y: number) => Colour,
  { quality = 95 } = {},
): Promise<Buffer> {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at += 4) data.set([...colour(x, y), 255], at)
  const encoder = await makeEncoder(await options('enc/mozjpeg_enc.wasm'))
  const given = { ...defaultOptions, quality, progressive: false, auto_subsample: false, chroma_subsample: 1 }
  return Buffer.from(encoder.encode(data, width, height, given))
}

/** Noise, which no compression makes small. */
export function noise(): () => Colour {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 16) & 255
  }
  return () => [next(), next(), next()]
}

/** The photo as a telephone has it: its Exif with a place, and its profile of colours. */
export function fromTelephone(jpeg: Buffer, orientation: number): Buffer {
  const head = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif(orientation, 'II')])
  return Buffer.concat([jpeg.subarray(0, 2), segment(0xe1, head), ICC, jpeg.subarray(2)])
}

/** Pixels as they are stored, whatever the Exif says. */
export async function pixelsOf(
  jpeg: Buffer,
): Promise<{ readonly width: number; readonly height: number; at(x: number, y: number): Colour }> {
  const decoder = await makeDecoder(await options('dec/mozjpeg_dec.wasm'))
  const found = decoder.decode(jpeg, false)
  if (found === null) throw new Error('It cannot be decoded.')
  const { data, width, height } = found
  return { width, height, at: (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)] as unknown as Colour }
}
