/** The format of image data by its first bytes. */
import type { ImageFormat, Output } from '../../contract/index.js'

// In hexadecimal: PNG 1.2, 3.1; GIF89a, 17; ITU T.81, B.1 (a start of image, then a marker).
const STARTS: ReadonlyArray<readonly [Output<typeof ImageFormat>, RegExp]> = [
  ['Png', /^89504e470d0a1a0a/],
  ['Jpeg', /^ffd8ff/],
  ['Gif', /^47494638(37|39)61/],
]

/** @returns undefined if it is not one that the service accepts */
export function detectImageFormat(bytes: Uint8Array): Output<typeof ImageFormat> | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  return STARTS.find(([, start]) => start.test(head))?.[0]
}
