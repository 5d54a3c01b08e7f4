/**
 * Windows-1252, the encoding in which Excel saves "CSV" in Sweden. Decoded here, because a Node built with small ICU does not
 * know it.
 */

/**
 * The characters of the bytes 0x80 to 0x9f, which differ from Latin-1. Undefined bytes are spaces here.
 * https://encoding.spec.whatwg.org
 */
const UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const UNDEFINED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** The text of bytes in Windows-1252; undefined if they contain bytes that it does not define. */
export function readWindows1252(bytes: Uint8Array): string | undefined {
  for (const byte of bytes) if (UNDEFINED.has(byte)) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => UPPER[character.charCodeAt(0) - 0x80] ?? ' ')
}
