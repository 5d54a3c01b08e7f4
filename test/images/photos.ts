/**
 * Images with everything in them that a camera, a telephone or a program writes, byte by byte as the standards have them (TIFF
 * 6.0, Exif 2.32, XMP part 3, IPTC-IIM, ICC.1, MPF, PNG, GIF89a), and what must be left of them.
 */
import { crc32 } from 'node:zlib'
import { PIXEL } from '../e2e/observed.js'

const text = (value: string) => Buffer.from(value, 'latin1')
const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description exif:GPSLatitude="59,19.5N" exif:GPSLongitude="18,4.1E"/></x:xmpmeta>'

/** Exif of a telephone: camera, orientation, a place, a thumbnail, in either order of bytes. */
export function exif(orientation: number, order: 'II' | 'MM'): Buffer {
  const little = order === 'II'
  const short = (n: number) => (little ? Buffer.from([n & 255, n >> 8]) : Buffer.from([n >> 8, n & 255]))
  const long = (n: number) => {
    const bytes = Buffer.alloc(4)
    if (little) bytes.writeUInt32LE(n)
    else bytes.writeUInt32BE(n)
    return bytes
  }
  const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(4)]).subarray(0, 4)
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([short(tag), short(type), long(count), padded(value)])
  const directory = (next: number, ...entries: Buffer[]) => Buffer.concat([short(entries.length), ...entries, long(next)])
  const rationals = (...numbers: number[]) => Buffer.concat(numbers.flatMap((n) => [long(n), long(1)]))
  // Header 8; IFD0 of 3 entries 42; GPS of 4 entries 54; two places 48; make 12; IFD1 of 2 entries 30; the thumbnail.
  const [gps, latitude, longitude, make, second, thumbnail] = [50, 104, 128, 152, 164, 194]
  return Buffer.concat([
    text(order),
    short(42),
    long(8),
    directory(second, entry(0x010f, 2, 12, long(make)), entry(0x0112, 3, 1, short(orientation)), entry(0x8825, 4, 1, long(gps))),
    directory(
      0,
      entry(1, 2, 2, text('N\0')),
      entry(2, 5, 3, long(latitude)),
      entry(3, 2, 2, text('E\0')),
      entry(4, 5, 3, long(longitude)),
    ),
    rationals(59, 19, 30),
    rationals(18, 4, 6),
    text('SecretCamera'),
    directory(0, entry(0x0201, 4, 1, long(thumbnail)), entry(0x0202, 4, 1, long(PIXEL.jpeg.length))),
    PIXEL.jpeg,
  ])
}

export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

export function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])))
  return Buffer.concat([head, data, check])
}

/** A profile with one tag, its copyright (ICC.1, 7.2 and 7.3). */
const PROFILE = Buffer.alloc(160)
PROFILE.writeUInt32BE(PROFILE.length)
PROFILE.write('mntrRGB XYZ ', 12)
PROFILE.write('acsp', 36)
PROFILE.writeUInt32BE(1, 128)
PROFILE.write('cprt', 132)
PROFILE.writeUInt32BE(144, 136)
PROFILE.writeUInt32BE(16, 140)
PROFILE.write('text', 144)
PROFILE.write('Public', 152)
export const ICC = segment(0xe2, Buffer.concat([text('ICC_PROFILE\0\x01\x01'), PROFILE]))
export const ADOBE = segment(0xee, text('Adobe\0\x64\0\0\0\0\x01'))
const MPF = segment(0xe2, Buffer.concat([text('MPF\0'), Buffer.alloc(16)]))
const IPTC = segment(0xed, text('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0f\x1c\x02\x5a\0\x0aSecretTown\0'))

const JFIF = PIXEL.jpeg.subarray(2, 20)
/** Tables, frame and scan, with its end. */
export const JPEG_REST = PIXEL.jpeg.subarray(20)
const JFIF_THUMBNAIL = segment(0xe0, Buffer.concat([JFIF.subarray(4, 16), Buffer.from([1, 1, 9, 9, 9])]))
const EXIF_HEAD = text('Exif\0\0')

/** A JPEG with all of it, and a film behind it. */
export const jpeg = (orientation = 6, order: 'II' | 'MM' = 'II') =>
  Buffer.concat([
    PIXEL.jpeg.subarray(0, 2),
    JFIF_THUMBNAIL,
    segment(0xe1, Buffer.concat([EXIF_HEAD, exif(orientation, order)])),
    segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0${XMP}`)),
    ICC,
    MPF,
    IPTC,
    ADOBE,
    segment(0xfe, text('SecretComment')),
    JPEG_REST,
    PIXEL.jpeg,
    text('ftypmp42 SecretFilm'),
  ])

/** Bytes of a TIFF with the orientation alone. */
const upright = (orientation: number) =>
  Buffer.from(`4d4d002a000000080001011200030000000100${orientation.toString(16).padStart(2, '0')}000000000000`, 'hex')

export const cleanJpeg = (orientation = 6) =>
  Buffer.concat([
    PIXEL.jpeg.subarray(0, 20),
    ...(orientation === 1 ? [] : [segment(0xe1, Buffer.concat([EXIF_HEAD, upright(orientation)]))]),
    ICC,
    ADOBE,
    JPEG_REST,
  ])

const [PNG_HEAD, PNG_DATA, PNG_END] = [PIXEL.png.subarray(0, 33), PIXEL.png.subarray(33, -12), PIXEL.png.subarray(-12)]
const GAMMA = chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))
const SIZE = chunk('pHYs', Buffer.from([0, 0, 0x0b, 0x13, 0, 0, 0x0b, 0x13, 1]))

export const png = (orientation = 8) =>
  Buffer.concat([
    PNG_HEAD,
    GAMMA,
    chunk('eXIf', exif(orientation, 'MM')),
    SIZE,
    chunk('tEXt', text('Author\0SecretName')),
    chunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)),
    PNG_DATA,
    chunk('tIME', Buffer.from([7, 0xea, 11, 28, 1, 2, 3])),
    chunk('caBX', text('SecretOrigin')),
    PNG_END,
    text('SecretFilm'),
  ])
export const cleanPng = (orientation = 8) =>
  Buffer.concat([
    PNG_HEAD,
    ...(orientation === 1 ? [] : [chunk('eXIf', upright(orientation))]),
    ...[GAMMA, SIZE, PNG_DATA, PNG_END],
  ])

const blocks = (...values: string[]) =>
  Buffer.concat([...values.map((value) => Buffer.concat([Buffer.from([value.length]), text(value)])), Buffer.from([0])])
const extension = (label: number, data: Buffer) => Buffer.concat([Buffer.from([0x21, label]), data])
const LOOP = extension(0xff, blocks('NETSCAPE2.0', '\x01\0\0'))
const GIF_PROFILE = extension(0xff, blocks('ICCRGBG1012', PROFILE.toString('latin1')))
/** The end that lets decoders jump over a packet which is not in blocks (XMP part 3, 1.1.2). */
const MAGIC = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0])
const [GIF_HEAD, GIF_CONTROL, GIF_IMAGE] = [PIXEL.gif.subarray(0, 19), PIXEL.gif.subarray(19, 27), PIXEL.gif.subarray(27, -1)]
const GIF_END = text(';')
const PLAIN_TEXT = extension(1, Buffer.concat([Buffer.from([12]), Buffer.alloc(12), blocks('SecretWords')]))

export const gif = () =>
  Buffer.concat([
    GIF_HEAD,
    LOOP,
    extension(0xff, Buffer.concat([Buffer.from([11]), text('XMP DataXMP'), text(XMP), MAGIC])),
    GIF_PROFILE,
    extension(0xfe, blocks('SecretComment')),
    extension(0xf9, Buffer.from([4, 8, 0, 0, 0, 0])),
    PLAIN_TEXT,
    GIF_CONTROL,
    extension(0xff, blocks('SECRET APPL', 'x')),
    GIF_IMAGE,
    GIF_END,
    text('SecretFilm'),
  ])
export const cleanGif = () => Buffer.concat([GIF_HEAD, LOOP, GIF_PROFILE, GIF_CONTROL, GIF_IMAGE, GIF_END])

/** Texts that no image may leave with. */
export const SECRETS = /Secret|SECRET|GPS|ns\.adobe|Photoshop|MPF/
