/** Streams that record what is written, for tests of the output. */
import { EventEmitter } from 'node:events'
import { createOutput } from '../../src/format/output/index.js'
import type { Output, OutputOptions, TextStream } from '../../src/format/output/types.js'

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys.
const PIECES = /(\u001b\[\??([0-9;]*)([A-Za-z]))|[\r\n]|[^\r\n\u001b]+/g

export class Remembering extends EventEmitter implements TextStream {
  written = ''
  /** Output that was written as bytes. */
  bytes = Buffer.alloc(0)
  writes = 0
  /** Result of write; false asks the writer to wait for a drain, which comes with the next turn. */
  takes = true

  constructor(
    readonly isTTY = false,
    readonly columns?: number,
  ) {
    super()
  }

  write(data: string | Uint8Array): boolean {
    if (typeof data === 'string') this.written += data
    else this.bytes = Buffer.concat([this.bytes, data])
    this.writes++
    if (!this.takes) setImmediate(() => this.emit('drain'))
    return this.takes
  }

  // Methods that libraries call on a terminal.
  cursorTo(column: number): boolean {
    return this.write(`\u001b[${column + 1}G`)
  }
  clearLine(): boolean {
    return this.write('\u001b[2K')
  }
  moveCursor(): boolean {
    return true
  }

  /** The lines that a terminal would show, as far as one line is concerned: carriage return, column, erasing. */
  get screen(): string[] {
    const lines = ['']
    let column = 0
    for (const [piece, control, parameter, command] of this.written.matchAll(PIECES)) {
      const line = lines.length - 1
      const text = lines[line] ?? ''
      if (piece === '\r') column = 0
      else if (piece === '\n') {
        lines.push('')
        column = 0
      } else if (control === undefined) {
        lines[line] = text.slice(0, column).padEnd(column) + piece + text.slice(column + piece.length)
        column += piece.length
      } else if (command === 'G') column = Number(parameter || 1) - 1
      else if (command === 'K') lines[line] = parameter === '2' ? '' : text.slice(0, column)
    }
    return lines
  }
}

export interface Stand {
  readonly output: Output
  readonly stdout: Remembering
  readonly stderr: Remembering
}

type Wish = Partial<Omit<OutputOptions, 'stdout' | 'stderr'>> & {
  readonly terminal?: boolean
  readonly width?: number | undefined
}

/** An output on recording streams: a terminal of 80 columns without colour, or pipes. */
export async function stand({ terminal = false, width = 80, ...options }: Wish = {}): Promise<Stand> {
  const stdout = new Remembering(terminal, terminal ? width : undefined)
  const stderr = new Remembering(terminal, terminal ? width : undefined)
  const env = { NO_COLOR: '1', ...options.env }
  return { output: await createOutput({ ...options, env, stdout, stderr }), stdout, stderr }
}
