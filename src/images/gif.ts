/** GIF: blocks up to the trailer (GIF89a, 17 to 27). */
import { namesPlace } from './exif.js'
import type { ImageParts, MetadataKind } from './parts.js'
import { UnreadableImageError } from './parts.js'

const [IMAGE, EXTENSION, TRAILER] = [0x2c, 0x21, 0x3b]
const [GRAPHIC_CONTROL, COMMENT, PLAIN_TEXT, APPLICATION] = [0xf9, 0xfe, 0x01, 0xff]
/** Applications whose data decides how the image looks: two names of the loop, and the colour profile. */
const KEPT = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** Keeps what a decoder needs. A file that ends too early is kept up to its end. @throws {UnreadableImageError} */
export function cleanGif(bytes: Buffer, parts: ImageParts): void {
  const header = 13 + tableBytes(bytes[10])
  parts.keep(bytes.subarray(0, header))
  /** The number of parts before a graphic control that waits for what it controls. */
  let control: number | undefined
  for (let at = header; at < bytes.length; ) {
    const [kind, label] = [bytes[at], bytes[at + 1]]
    if (kind === TRAILER) {
      parts.keep(bytes.subarray(at, at + 1))
      if (at + 1 < bytes.length) parts.remove('data after the image')
      return
    }
    if (kind === IMAGE) {
      // The descriptor, its colours, and the size of the first code.
      const end = blocksEnd(bytes, at + 11 + tableBytes(bytes[at + 9]))
      parts.keep(bytes.subarray(at, end))
      control = undefined
      at = end
    } else if (kind === EXTENSION) {
      const end = blocksEnd(bytes, at + 2)
      const block = bytes.subarray(at, end)
      const name = block.toString('latin1', 3, 14)
      if (label === GRAPHIC_CONTROL) control = parts.size
      if (label === GRAPHIC_CONTROL || (label === APPLICATION && KEPT.has(name))) parts.keep(block)
      else {
        // A control block of a text would control the next image without it.
        if (label === PLAIN_TEXT && control !== undefined) {
          parts.cutTo(control)
          control = undefined
        }
        parts.remove(...metadataKinds(label, block))
      }
      at = end
    } else if (kind === 0) {
      // An empty block too many, which decoders skip.
      parts.keep(bytes.subarray(at, at + 1))
      at++
    } else throw new UnreadableImageError('damaged (a GIF block of unknown kind)')
  }
}

/** Bytes of the colours that flags announce. */
function tableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Where data in blocks ends. */
function blocksEnd(bytes: Buffer, from: number): number {
  let at = from
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0)
  return Math.min(at + 1, bytes.length)
}

function metadataKinds(label: number | undefined, block: Buffer): MetadataKind[] {
  if (label === COMMENT) return ['comment']
  if (label === PLAIN_TEXT) return ['text']
  if (block.toString('latin1', 3, 14) !== 'XMP DataXMP') return ['other data']
  return ['XMP', ...(namesPlace(block) ? (['GPS position'] as const) : [])]
}
