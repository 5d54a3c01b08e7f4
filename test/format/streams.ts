/** Streams that remember, for tests of what is written where. */
import { EventEmitter } from 'node:events'
import { createOutput } from '../../src/format/index.js'
import type { Output, OutputOptions, TextStream } from '../../src/format/types.js'

export class Remembering extends EventEmitter implements TextStream {
  written = ''
  writes = 0
  /** What write answers; false asks the writer to wait for a drain, which comes with the next turn. */
  takes = true

  constructor(
    readonly isTTY = false,
    readonly columns?: number,
  ) {
    super()
  }

  write(text: string): boolean {
    this.written += text
    this.writes++
    if (!this.takes) setImmediate(() => this.emit('drain'))
    return this.takes
  }

  // What libraries call on a terminal.
  cursorTo(): boolean {
    return true
  }
  clearLine(): boolean {
    return true
  }
  moveCursor(): boolean {
    return true
  }
}

export interface Stand {
  readonly output: Output
  readonly stdout: Remembering
  readonly stderr: Remembering
}

type Wish = Partial<Omit<OutputOptions, 'stdout' | 'stderr'>> & { readonly terminal?: boolean; readonly width?: number }

/** An output on remembered streams: a terminal of 80 columns without colour, or pipes. */
export async function stand({ terminal = false, width = 80, ...options }: Wish = {}): Promise<Stand> {
  const stdout = new Remembering(terminal, terminal ? width : undefined)
  const stderr = new Remembering(terminal, terminal ? width : undefined)
  const env = { NO_COLOR: '1', ...options.env }
  return { output: await createOutput({ ...options, env, stdout, stderr }), stdout, stderr }
}
