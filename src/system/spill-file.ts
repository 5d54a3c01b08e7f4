/** A file without a name, for what is too much for memory. It is gone with the process, however that ends. */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectories } from './directory.js'

/** Closes the files of those that are not used any more. */
const unused = new FinalizationRegistry<number>((file) => closeSync(file))

export class SpillFile {
  readonly #folder: string
  #file: number | undefined
  #end = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @returns where they are @throws the error of the system: the folder takes no file, the disk is full */
  append(bytes: Uint8Array): number {
    this.#file ??= this.#openFile()
    const at = this.#end
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.#file, bytes, written, bytes.length - written, at + written)
    this.#end += bytes.length
    return at
  }

  /** Fills the bytes with what is at a place, as far as there is something. @returns how many there were */
  read(into: Uint8Array, at: number): number {
    return this.#file === undefined ? 0 : readSync(this.#file, into, 0, into.length, at)
  }

  #openFile(): number {
    // Before the first ledger there may be no folder.
    makeDirectories(this.#folder, 0o700)
    const path = join(this.#folder, `spill-${randomUUID()}`)
    const file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    unused.register(this, file)
    return file
  }
}
