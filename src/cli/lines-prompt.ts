/**
 * A text of several lines, typed, pasted or written in an editor. A pasted text keeps its lines: they are marked by an arrow in
 * the line that is edited. Loaded for the first such question.
 */

import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Host } from './host.js'

/** Stands for the end of a line in a line that is edited. */
const ARROW = '↵'
/** Bracketed paste (XTerm Control Sequences, "Bracketed Paste Mode"): the terminal marks what is pasted. */
const PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l', begin: '\u001b[200~', end: '\u001b[201~' } as const

/** The line that is edited for a text, and back. */
export const lineOf = (text: string): string => text.replace(/\r\n|\r|\n/g, ARROW)
export const textOfLine = (line: string): string => line.replaceAll(ARROW, '\n')

/** Keys for a question, in which the lines of a pasted text are marked. `close` gives the terminal back. */
export function pasting({ stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): {
  readonly input: NodeJS.ReadableStream
  close(): void
} {
  const raw = stdin as { readonly setRawMode?: (mode: boolean) => unknown }
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    ...(raw.setRawMode !== undefined && { setRawMode: (mode: boolean) => raw.setRawMode?.(mode) }),
  })
  const decoder = new StringDecoder('utf8')
  const markKeys = markPastes()
  const readChunk = (chunk: Buffer | string): void => {
    const keys = markKeys(typeof chunk === 'string' ? chunk : decoder.write(chunk))
    if (keys !== '') input.write(keys)
  }
  stderr.write(PASTE.on)
  stdin.on('data', readChunk)
  // The question before has paused it.
  stdin.resume()
  return {
    input,
    close() {
      stdin.off('data', readChunk)
      stdin.pause()
      stderr.write(PASTE.off)
    },
  }
}

/**
 * Marks lines that are pasted, also where the terminal does not say so: more keys come at once than anybody presses, and a line
 * ends among them.
 */
export function markPastes(): (keys: string) => string {
  let isPasting = false
  let pendingKeys = ''
  return (keys) => {
    let text = pendingKeys + keys
    // A mark may be cut between two chunks. Esc alone is a key.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a mark begins with one.
    pendingKeys = /\u001b\[(?:2(?:0[01]?)?)?$/.exec(text)?.[0] ?? ''
    text = text.slice(0, text.length - pendingKeys.length)
    let output = ''
    while (text !== '') {
      const mark = isPasting ? PASTE.end : PASTE.begin
      const at = text.indexOf(mark)
      const part = at < 0 ? text : text.slice(0, at)
      output += isPasting ? plain(part) : /[\r\n][^\r\n]/.test(part) ? plain(part.replace(/[\r\n]+$/, '')) : part
      text = at < 0 ? '' : text.slice(at + mark.length)
      if (at >= 0) isPasting = !isPasting
    }
    return output
  }
}

/** Without what a key would do: only characters, and arrows for the ends of lines. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return lineOf(text.replaceAll('\t', ' ')).replace(/[\u0000-\u001f\u007f]/g, '')
}
