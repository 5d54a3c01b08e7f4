/** A home whose sandbox reports which operations were called, and files for it. */
import { type Home, type HomeOptions, knownName, openHome } from './harness.js'

export interface ObservedHome extends Home {
  /** The operations called since the last look, in their order, without their service. */
  calls(): string[]
}

export async function openObserved(options: Exclude<HomeOptions['sandbox'], boolean | undefined> = {}): Promise<ObservedHome> {
  const lines: string[] = []
  const home = await openHome({ sandbox: { ...options, log: (line) => lines.push(line) } })
  // Calls that opening it has made.
  lines.splice(0)
  const calls = (): string[] =>
    lines
      .splice(0)
      .flatMap((line) => /\.(\w+) (?:\d{3}|carried|dropped)/.exec(line)?.[1] ?? /Service\.(\w+)/.exec(line)?.[1] ?? [])
      .map(knownName)
  // Not a prototype: the getters of the home must stay getters.
  return Object.defineProperties({ calls } as ObservedHome, Object.getOwnPropertyDescriptors(home))
}

/** The smallest images that are whole: one pixel each. */
export const PIXEL = {
  png: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  // Quantisation table, frame, two Huffman tables, scan: every segment that a baseline picture has.
  jpeg: Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from(`ffdb004300${'01'.repeat(64)}`, 'hex'),
    Buffer.from('ffc0000b080001000101011100', 'hex'),
    Buffer.from(`ffc4001400010000000000000000000000000000${'00'.repeat(2)}`, 'hex'),
    Buffer.from(`ffc4001410010000000000000000000000000000${'00'.repeat(2)}`, 'hex'),
    Buffer.from('ffda0008010100003f003fffd9', 'hex'),
  ]),
} as const

/** A leaf of the sandbox's categories. */
export const CATEGORY = '344481'
