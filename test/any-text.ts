import fc from 'fast-check'

/**
 * Any text of up to so many code points, lone surrogates among them. fast-check's own `unit: 'binary'` first maps all 1.1 million
 * of them, which takes half a second of each process.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat({ max: 0x10ffff }), { maxLength }).map((points) => String.fromCodePoint(...points))
}
