/** Node as it is, taken before anything of it is replaced: the simulation's own files. */
import fs from 'node:fs'

export const real = {
  cpSync: fs.cpSync,
  closeSync: fs.closeSync,
  existsSync: fs.existsSync,
  fstatSync: fs.fstatSync,
  mkdirSync: fs.mkdirSync,
  openSync: fs.openSync,
  readFileSync: fs.readFileSync,
  readSync: fs.readSync,
  readdirSync: fs.readdirSync,
  readlinkSync: fs.readlinkSync,
  rmSync: fs.rmSync,
  symlinkSync: fs.symlinkSync,
  truncateSync: fs.truncateSync,
  writeFileSync: fs.writeFileSync,
}

/** The first bytes of a file; undefined if there is none, or it is shorter. */
export function readFd(path: string, length: number): Buffer | undefined {
  try {
    const file = real.openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return real.readSync(file, bytes, 0, length, 0) === length ? bytes : undefined
    } finally {
      real.closeSync(file)
    }
  } catch {
    return undefined
  }
}
