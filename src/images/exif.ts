/**
 * Reads the few tags of Exif that matter here, and writes an Exif that holds only the orientation (TIFF 6.0, 2; Exif 2.32, 4.6).
 */

const [GPS, ORIENTATION, SHORT] = [0x8825, 0x0112, 3]
/** Where the thumbnail of the second directory is, and its length. */
const [THUMBNAIL, THUMBNAIL_BYTES] = [0x0201, 0x0202]

export interface ExifFacts {
  /** 1 to 8; 1 is upright. Undefined if it is not given. */
  readonly orientation: number | undefined
  readonly place: boolean
  /** A second directory, which describes a thumbnail. */
  readonly thumbnail: boolean
}

/** Reads numbers in the byte order of a TIFF; undefined where it has none. Beyond its end there is no short, and a long is 0. */
function numberReader(tiff: Buffer): { short(at: number): number | undefined; long(at: number): number } | undefined {
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  return {
    short(at) {
      if (at + 2 > tiff.length) return undefined
      return order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
    },
    long(at) {
      if (at + 4 > tiff.length) return 0
      return order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)
    },
  }
}

/** Reads the first directory. Damaged data has no facts, since all of it is removed anyway. @param tiff from its byte order on */
export function readExif(tiff: Buffer): ExifFacts {
  const none: ExifFacts = { orientation: undefined, place: false, thumbnail: false }
  const numbers = numberReader(tiff)
  if (numbers === undefined) return none
  const { short, long } = numbers
  const start = long(4)
  const entries = start < 8 ? 0 : (short(start) ?? 0)
  let [orientation, place]: [number | undefined, boolean] = [undefined, false]
  for (let entry = 0; entry < entries; entry++) {
    const at = start + 2 + 12 * entry
    const tag = short(at)
    if (tag === GPS) place = true
    if (tag !== ORIENTATION || short(at + 2) !== SHORT) continue
    const value = short(at + 8) ?? 0
    if (value >= 1 && value <= 8) orientation = value
  }
  return { orientation, place, thumbnail: entries > 0 && long(start + 2 + 12 * entries) !== 0 }
}

/**
 * The thumbnail that the second directory describes; undefined for none, or one that is not whole.
 * @param tiff from its byte order on
 */
export function exifThumbnail(tiff: Buffer): Buffer | undefined {
  const numbers = numberReader(tiff)
  if (numbers === undefined) return undefined
  const { short, long } = numbers
  const first = long(4)
  const second = first < 8 ? 0 : long(first + 2 + 12 * (short(first) ?? 0))
  let [from, bytes] = [0, 0]
  for (let entry = 0; second >= 8 && entry < (short(second) ?? 0); entry++) {
    const at = second + 2 + 12 * entry
    if (short(at) === THUMBNAIL) from = long(at + 8)
    if (short(at) === THUMBNAIL_BYTES) bytes = long(at + 8)
  }
  return from === 0 || bytes === 0 || from + bytes > tiff.length ? undefined : tiff.subarray(from, from + bytes)
}

/** A TIFF header with one directory of one tag. @param orientation 2 to 8 */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a0000000800010112000300000001000000000000'.padEnd(52, '0'), 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** True if XMP, which is text, names a place. */
export function namesPlace(xmp: Buffer): boolean {
  return xmp.includes('GPSLatitude') || xmp.includes('GPSLongitude')
}
