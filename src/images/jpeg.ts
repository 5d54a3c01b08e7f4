/** JPEG: segments up to the end of the image (ITU T.81, B.1; JFIF 1.02; Exif 2.32, 4.5.4; ICC.1, B.4). */
import { exifThumbnail, namesPlace, orientationExif, readExif } from './exif.js'
import type { ImageParts, MetadataKind } from './parts.js'
import { UnreadableImageError } from './parts.js'

const [START_OF_SCAN, END, COMMENT, APP0, APP15] = [0xda, 0xd9, 0xfe, 0xe0, 0xef]
const EXIF = 'Exif\0'

/**
 * Keeps what a decoder needs, and the orientation. A file that ends too early is kept up to its end.
 * @throws {UnreadableImageError}
 */
export function cleanJpeg(bytes: Buffer, parts: ImageParts): void {
  parts.keepHead(bytes.subarray(0, 2))
  let orientation: number | undefined
  for (let at = 2; at < bytes.length; ) {
    // Decoders skip to the next marker, too.
    const start = markerFrom(bytes, at)
    if (start > at) parts.remove('other data')
    if (start >= bytes.length) break
    let code = start + 1
    while (bytes[code] === 0xff) code++
    const marker = bytes[code] ?? END
    if (marker === END) {
      parts.keep(bytes.subarray(start, code + 1))
      if (code + 1 < bytes.length) parts.remove('data after the image')
      break
    }
    const end = isAlone(marker) ? code + 1 : segmentEnd(bytes, code)
    const segment = bytes.subarray(start, end)
    const data = bytes.subarray(code + 3, end)
    at = end
    if ((marker >= APP0 && marker <= APP15) || marker === COMMENT) {
      const kept = keptApplicationData(marker, data)
      if (kept !== undefined && marker === APP0 && parts.size === 1) parts.keepHead(kept)
      else if (kept !== undefined) parts.keep(kept)
      if (kept === undefined || kept.length < segment.length) parts.remove(...metadataKinds(marker, data))
      if (hasExif(marker, data)) orientation ??= readExif(data.subarray(6)).orientation
    } else if (isDecoded(marker)) {
      if (marker === START_OF_SCAN) at = scanEnd(bytes, end)
      parts.keep(bytes.subarray(start, at))
    } else throw new UnreadableImageError(`not an ordinary JPEG (marker 0x${marker.toString(16)})`)
  }
  if (orientation === undefined || orientation === 1) return
  parts.addOrientation(orientationSegment(orientation))
}

/** An Exif whose only tag is the orientation. */
function orientationSegment(orientation: number): Buffer {
  return buildSegment(0xe1, Buffer.concat([Buffer.from(`${EXIF}\0`, 'latin1'), orientationExif(orientation)]))
}

/**
 * The thumbnail in the Exif of a JPEG, turned as the image is; undefined for none.
 * @param bytes at least up to the end of the Exif
 */
export function jpegThumbnail(bytes: Buffer): Buffer | undefined {
  for (const [marker, data] of segmentsOf(bytes)) {
    if (!hasExif(marker, data)) continue
    const tiff = data.subarray(6)
    const [found, { orientation = 1 }] = [exifThumbnail(tiff), readExif(tiff)]
    // A thumbnail may also be bare pixels.
    if (found === undefined || found[0] !== 0xff || found[1] !== 0xd8) return undefined
    if (orientation === 1) return found
    return Buffer.concat([found.subarray(0, 2), orientationSegment(orientation), found.subarray(2)])
  }
  return undefined
}

/** Segments before the first scan: the code of each, and its data. */
function* segmentsOf(bytes: Buffer): Generator<readonly [marker: number, data: Buffer]> {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; at = segmentEnd(bytes, at + 1)) {
    // Any number of 0xFF may fill the space before a marker.
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1] ?? END
    if (marker === START_OF_SCAN || marker === END) return
    yield [marker, bytes.subarray(at + 4, segmentEnd(bytes, at + 1))]
  }
}

/** True if no Exif says that the pixels are to be turned or mirrored. */
export function isUpright(bytes: Buffer): boolean {
  for (const [marker, data] of segmentsOf(bytes)) {
    const orientation = hasExif(marker, data) ? readExif(data.subarray(6)).orientation : undefined
    if (orientation !== undefined) return orientation === 1
  }
  return true
}

/** The sides of the pixels as they are stored, and the number of colour components. @throws {UnreadableImageError} */
export function jpegFrame(bytes: Buffer): { readonly width: number; readonly height: number; readonly components: number } {
  for (const [marker, data] of segmentsOf(bytes)) {
    // Among the markers of frames, three are of tables.
    if (marker < 0xc0 || marker > 0xcf || [0xc4, 0xc8, 0xcc].includes(marker) || data.length < 6) continue
    return { height: data.readUInt16BE(1), width: data.readUInt16BE(3), components: data[5] ?? 0 }
  }
  throw new UnreadableImageError('damaged (a JPEG without a frame)')
}

/** The segments of the colour profile. */
export function jpegProfile(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (const [marker, data] of segmentsOf(bytes)) if (isProfile(marker, data)) found.push(buildSegment(marker, data))
  return found
}

/** A JPEG with the segments of a colour profile behind its JFIF segment. */
export function withProfile(jpeg: Buffer, profile: readonly Buffer[]): Buffer {
  if (profile.length === 0) return jpeg
  const head = jpeg[3] === APP0 ? segmentEnd(jpeg, 3) : 2
  return Buffer.concat([jpeg.subarray(0, head), ...profile, jpeg.subarray(head)])
}

/** The next 0xFF that begins a marker. */
function markerFrom(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] !== 0xff || bytes[at + 1] === 0)) at++
  return at
}

/** The end of the entropy-coded data: zeros behind 0xFF and restart markers are part of it. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}

/** @param code where the code of the marker is @returns at most the end of the file */
function segmentEnd(bytes: Buffer, code: number): number {
  if (code + 3 > bytes.length) return bytes.length
  const length = bytes.readUInt16BE(code + 1)
  if (length < 2) throw new UnreadableImageError(`damaged (a JPEG segment of ${length} bytes)`)
  return Math.min(code + 1 + length, bytes.length)
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

/** Markers without a segment. */
function isAlone(marker: number): boolean {
  return isRestart(marker) || marker === 0x01
}

/** Frames, tables, scans, restart intervals. */
function isDecoded(marker: number): boolean {
  return isAlone(marker) || (marker >= 0xc0 && marker <= 0xdf && marker !== 0xd8)
}

function begins(data: Buffer, text: string): boolean {
  return data.toString('latin1', 0, text.length) === text
}

function hasExif(marker: number, data: Buffer): boolean {
  return marker === 0xe1 && begins(data, EXIF)
}

function isProfile(marker: number, data: Buffer): boolean {
  return marker === 0xe2 && begins(data, 'ICC_PROFILE\0')
}

/**
 * Data kept of an application segment or comment: JFIF without its thumbnail, colour profiles, and Adobe's note on the colours.
 */
function keptApplicationData(marker: number, data: Buffer): Buffer | undefined {
  if (marker === APP0 && begins(data, 'JFIF\0') && data.length >= 14) {
    return buildSegment(marker, Buffer.concat([data.subarray(0, 12), Buffer.alloc(2)]))
  }
  if (isProfile(marker, data)) return buildSegment(marker, data)
  if (marker === 0xee && begins(data, 'Adobe') && data.length >= 12) return buildSegment(marker, data.subarray(0, 12))
  return undefined
}

function metadataKinds(marker: number, data: Buffer): MetadataKind[] {
  if (hasExif(marker, data)) {
    const { place, thumbnail } = readExif(data.subarray(6))
    return ['Exif', ...(place ? (['GPS position'] as const) : []), ...(thumbnail ? (['thumbnail'] as const) : [])]
  }
  if (marker === 0xe1 && begins(data, 'http://ns.adobe.com/'))
    return ['XMP', ...(namesPlace(data) ? (['GPS position'] as const) : [])]
  if (marker === APP0 && /^JF(?:IF|XX)\0/.test(data.toString('latin1', 0, 5))) return ['thumbnail']
  if (marker === 0xed) return ['IPTC']
  return marker === COMMENT ? ['comment'] : ['other data']
}

function buildSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
