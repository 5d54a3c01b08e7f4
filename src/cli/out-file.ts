/** `--out FILE`: the result goes into a file, whole or not at all. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { extname } from 'node:path'
import { countOf } from '../contract/numbers.js'
import { SellerError } from '../errors/index.js'
import type { Form, Output } from '../format/output/types.js'
import { errnoOf } from '../system/errno.js'
import { fillWholeFile, type NameEntry } from '../system/whole-file.js'
import { checkOutputFile, noteOf, type Places, writing } from './output-file.js'

export interface OutFile {
  /** As the seller gave it. */
  readonly path: string
  /** True to replace a file that exists. */
  readonly force: boolean
  /** The form of a .txt file. */
  readonly text: Form
  /** Its rows may name persons: it is for its owner alone. */
  readonly private?: boolean
  /** Records that the file gets its name. */
  entry?: NameEntry | undefined
}

/** The form of a file by its ending. */
const FORM_OF: Readonly<Record<string, Form | 'text'>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'ndjson',
  '.ndjson': 'ndjson',
  '.tsv': 'tsv',
  '.txt': 'text',
  '.xlsx': 'xlsx',
  '.yaml': 'yaml',
  '.yml': 'yaml',
}

/** @throws {SellerError} usage for an ending that names no form */
export function formOf({ path, text }: OutFile): Form {
  const form = FORM_OF[extname(path).toLowerCase()]
  if (form !== undefined) return form === 'text' ? text : form
  const endings = Object.keys(FORM_OF).join(', ')
  const hint = `End it with ${endings}, or name the form with --output.`
  throw new SellerError('wrong_usage', `--out: the ending of "${path}" does not say which form the file has.`, hint)
}

/** @throws {SellerError} usage: it exists and is not to be replaced, it is a directory or a link, it cannot be written */
export async function openOutFile(ctx: Places, out: OutFile) {
  const { path, force } = out
  await checkOutputFile(ctx, path, { force })
  let completion: Promise<void> = Promise.resolve()
  let end: (dropped?: Error) => void = () => undefined
  const open = () =>
    new Promise<WriteStream>((resolve, reject) => {
      const fill = (beside: string) =>
        new Promise<void>((onFilled, onDropped) => {
          const file = createWriteStream(beside)
          end = (why) => file.end(() => (why === undefined ? onFilled() : onDropped(why)))
          file.on('error', onDropped)
          // Excel takes a file without a mark for one of Windows-1252; a pipe has no reader that needs it.
          if (extname(path).toLowerCase() === '.csv') file.write('\ufeff')
          resolve(file)
        })
      const mode = out.private === true ? 0o600 : 0o666 & ~process.umask()
      completion = fillWholeFile(ctx.path(path), fill, { force, mode, entry: () => out.entry, note: noteOf(ctx, out) })
      completion.catch(reject)
    })
  const stream = await writing(path, open)
  return {
    stream,
    /** Gives the file its name, once all is on the disk. @throws an error of the system without a path, as of any lost output */
    async commit(output: Output): Promise<void> {
      end()
      await completion.catch((error: NodeJS.ErrnoException) => {
        throw errnoOf(error) === undefined ? error : Object.assign(new Error(error.message), { code: error.code })
      })
      const { rows } = output
      output.note(rows === undefined ? `The result is in ${path}.` : `${countOf(rows, 'row')} written to ${path}.`)
    },
    /** Leaves nothing behind. */
    async drop(): Promise<void> {
      end(new Error('dropped'))
      await completion.catch(() => undefined)
    },
  }
}
