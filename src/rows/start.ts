/** The first bytes of an input: whether it is text, or a workbook. */

import { refused, spoiledByConsole } from './bytes.js'
import type { Source } from './types.js'

/** How ZIP archives begin, workbooks (.xlsx) among them. */
const ZIP = Buffer.from('PK\x03\x04', 'latin1')
/** What the ">" of PowerShell 5.1 makes of an archive: it reads the bytes as text of the console, and writes that as UTF-16. */
const SPOILED = Buffer.from('\uFEFFPK', 'utf16le')
/** How documents of Office 97 begin, and workbooks with a password. */
const OFFICE_97 = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

/** An input whose first bytes are known. */
export interface Start {
  /** Whether it is an archive, as workbooks are. */
  readonly archive: boolean
  /** All of it. */
  readonly source: AsyncIterable<Uint8Array | string>
}

/**
 * Does work with an input, and closes it whatever becomes of the work: one that was refused after its first bytes would stay open.
 * @throws InputRefused for the workbooks of Excel 97
 */
export async function withStart<T>(source: Source, work: (start: Start) => Promise<T>): Promise<T> {
  const pieces = piecesOf(source)
  try {
    const start = await firstBytes(pieces)
    if (start.subarray(0, OFFICE_97.length).equals(OFFICE_97)) {
      const advice = 'Save it as .xlsx without a password, or as CSV, and try again.'
      throw refused(`The input is a workbook of Excel 97 (.xls), or has a password. ${advice}`)
    }
    if (start.subarray(0, SPOILED.length).equals(SPOILED)) throw refused(spoiledByConsole('a workbook'))
    return await work({ archive: isArchive(start), source: joined(start, pieces) })
  } finally {
    await pieces.return(undefined)
  }
}

/** Whether bytes begin as those of a workbook (.xlsx) do. */
export function isArchive(bytes: Buffer): boolean {
  return bytes.subarray(0, ZIP.length).equals(ZIP)
}

async function* piecesOf(source: Source): AsyncGenerator<Uint8Array | string> {
  yield* source
}

/** As many pieces as have the bytes that tell what an input is, or all of it. */
async function firstBytes(pieces: AsyncGenerator<Uint8Array | string>): Promise<Buffer> {
  const head: Buffer[] = []
  for (let size = 0; size < OFFICE_97.length; ) {
    const { done, value } = await pieces.next()
    if (done === true) break
    const piece = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    head.push(piece)
    size += piece.length
  }
  return Buffer.concat(head)
}

async function* joined(head: Buffer, rest: AsyncGenerator<Uint8Array | string>): AsyncGenerator<Uint8Array | string> {
  if (head.length > 0) yield head
  yield* rest
}
