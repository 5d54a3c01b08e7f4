/**
 * A Windows library (PE32+, Microsoft's "PE Format") without code, whose one function is that of another library. Wine 8 has no
 * bcryptprimitives.dll, which Rust's standard library takes its random numbers from.
 */

const ALIGNMENT = 0x1000
const HEADERS = 0x200

/** @param to the other library and its function, e.g. `advapi32.SystemFunction036` */
export function forwarder(library: string, name: string, to: string): Buffer {
  const texts = [library, name, to].map((text) => Buffer.from(`${text}\0`, 'latin1'))
  // The export directory (40 bytes), then its three tables of one entry each, then the texts.
  const [functions, names, ordinals, first] = [40, 44, 48, 52].map((offset) => ALIGNMENT + offset) as [
    number,
    number,
    number,
    number,
  ]
  const [atLibrary, atName, atTarget] = texts.map((_, index) => first + Buffer.concat(texts.slice(0, index)).length)
  const data = Buffer.concat([
    words(0, 0, 0, atLibrary, 1, 1, 1, functions, names, ordinals),
    words(atTarget, atName),
    words(0),
    ...texts,
  ])
  const file = Buffer.alloc(HEADERS + 0x200)
  file.write('MZ')
  file.writeUInt32LE(0x40, 0x3c)
  file.write('PE\0\0', 0x40)
  // COFF: x64, one section, 240 bytes of optional header, a DLL for large addresses.
  words(0x0001_8664, 0, 0, 0, 0x2022_00f0).copy(file, 0x44)
  const optional = 0x58
  file.writeUInt16LE(0x20b, optional)
  // Base address 0x180000000, alignments, version 6.0, sizes, console, 16 directories, the first of which is the exports.
  words(0, 1).copy(file, optional + 24 - 4)
  file.writeUInt32LE(0x8000_0000, optional + 24)
  file.writeUInt32LE(1, optional + 28)
  words(ALIGNMENT, 0x200, 6, 0, 6, 0, 2 * ALIGNMENT, HEADERS, 0, 3).copy(file, optional + 32)
  words(0x10_0000, 0, 0x1000, 0, 0x10_0000, 0, 0x1000, 0, 0, 16, ALIGNMENT, data.length).copy(file, optional + 72)
  const section = optional + 240
  file.write('.edata', section)
  words(data.length, ALIGNMENT, 0x200, HEADERS).copy(file, section + 8)
  file.writeUInt32LE(0x4000_0040, section + 36)
  data.copy(file, HEADERS)
  return file
}

function words(...values: readonly (number | undefined)[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value ?? 0, index * 4)
  })
  return bytes
}
