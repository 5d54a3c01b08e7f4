/** The parts of a workbook: a ZIP archive whose directory is read, and whose parts are unpacked when they are asked for. */
import { StringDecoder } from 'node:string_decoder'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { WorkbookError } from './errors.js'

/** Parts of an archive that are looked at; a workbook with as many sheets does not occur. */
const MAX_PARTS = 10_000

export class Parts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  /** Use `open`. */
  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws {WorkbookError} the bytes are not a ZIP archive that ends where it should */
  static async open(bytes: Buffer): Promise<Parts> {
    try {
      const zip = await fromBufferPromise(bytes)
      if (zip.entryCount > MAX_PARTS) throw new WorkbookError(`The workbook has more than ${MAX_PARTS} parts.`)
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
      return new Parts(zip, entries)
    } catch (error) {
      throw brokenArchive(error)
    }
  }

  /** The names of all parts, in lower case: a workbook does not tell names apart by case (ECMA-376 part 2, 6.2.2). */
  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  /**
   * The text of a part, piece by piece, as it is unpacked. Its checksum is compared at the end.
   * @param limit bytes it may have when unpacked
   * @throws {WorkbookError} it is not there, larger, encrypted or damaged
   */
  async *text(name: string, limit: number): AsyncGenerator<string> {
    const entry = this.#entries.get(name.toLowerCase())
    if (entry === undefined) throw new WorkbookError(`The workbook cannot be read: its part ${name} is missing.`)
    if (entry.uncompressedSize > limit)
      throw new WorkbookError(`The workbook cannot be read: its part ${name} has more than ${limit / 1024 / 1024} MB unpacked.`)
    const decoder = new StringDecoder('utf8')
    let sum = 0
    try {
      // An entry that unpacks to more or less than its directory says is refused by the library.
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        const bytes = chunk as Buffer
        sum = crc32(bytes, sum)
        yield decoder.write(bytes)
      }
      yield decoder.end()
    } catch (error) {
      throw brokenArchive(error)
    }
    if (sum !== entry.crc32) throw new WorkbookError(`The workbook is damaged: the checksum of its part ${name} is wrong.`)
  }

  async whole(name: string, limit: number): Promise<string> {
    let text = ''
    for await (const piece of this.text(name, limit)) text += piece
    return text
  }
}

function brokenArchive(error: unknown): WorkbookError {
  if (error instanceof WorkbookError) return error
  return new WorkbookError('The workbook cannot be read: it is damaged or was cut short.')
}
