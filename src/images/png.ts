/** PNG: chunks up to IEND (PNG third edition, 5 and 11). */
import { crc32 } from 'node:zlib'
import { namesPlace, orientationExif, readExif } from './exif.js'
import type { ImageParts, MetadataKind } from './parts.js'
import { UnreadableImageError } from './parts.js'

const SIGNATURE_BYTES = 8
/** Chunks that pixels are made of, and those that say how they look. */
const KEPT = new Set('IHDR PLTE IDAT tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '))
const KINDS: Readonly<Record<string, MetadataKind>> = { eXIf: 'Exif', tEXt: 'text', zTXt: 'text', iTXt: 'text', tIME: 'time' }

/**
 * Keeps what a decoder needs, and the orientation. A file that ends too early is kept up to its end.
 * @throws {UnreadableImageError}
 */
export function cleanPng(bytes: Buffer, parts: ImageParts): void {
  parts.keepHead(bytes.subarray(0, SIGNATURE_BYTES))
  let orientation: number | undefined
  for (let at = SIGNATURE_BYTES; at < bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (at + 8 > bytes.length) {
      parts.keep(bytes.subarray(at))
      break
    }
    if (!/^[A-Za-z]{4}$/.test(type)) throw new UnreadableImageError('damaged (a PNG chunk without a type)')
    const end = Math.min(at + 12 + bytes.readUInt32BE(at), bytes.length)
    const chunk = bytes.subarray(at, end)
    const data = chunk.subarray(8, -4)
    at = end
    if (type === 'IEND') {
      parts.keep(data.length === 0 ? chunk : buildChunk('IEND', Buffer.alloc(0)))
      if (data.length > 0 || end < bytes.length) parts.remove('data after the image')
      break
    }
    if (type === 'IHDR') parts.keepHead(chunk)
    else if (KEPT.has(type)) parts.keep(chunk)
    else if (/^[A-Z]/.test(type)) throw new UnreadableImageError(`not an ordinary PNG (chunk ${type})`)
    else parts.remove(...metadataKinds(type, data))
    if (type === 'eXIf') orientation ??= readExif(tiffIn(data)).orientation
  }
  if (orientation !== undefined && orientation !== 1) parts.addOrientation(buildChunk('eXIf', orientationExif(orientation)))
}

function metadataKinds(type: string, data: Buffer): MetadataKind[] {
  if (type === 'iTXt' && data.toString('latin1', 0, 18) === 'XML:com.adobe.xmp\0') {
    return ['XMP', ...(namesPlace(data) ? (['GPS position'] as const) : [])]
  }
  const { place, thumbnail } = readExif(type === 'eXIf' ? tiffIn(data) : Buffer.alloc(0))
  const within = [...(place ? (['GPS position'] as const) : []), ...(thumbnail ? (['thumbnail'] as const) : [])]
  return [KINDS[type] ?? 'other data', ...within]
}

/** Some programs write the prefix of JPEG. */
function tiffIn(data: Buffer): Buffer {
  return data.toString('latin1', 0, 6) === 'Exif\0\0' ? data.subarray(6) : data
}

function buildChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), 8 + data.length)
  return chunk
}
