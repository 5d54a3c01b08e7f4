/** Shows on stderr how much of a long list was read. */
import type { Output } from './types.js'
import { thousands } from './values.js'

/** Rows between two updates. */
const STEP = 100

/** Somebody else who looks at each row of a list; one loop for both, for a loop of its own costs as much as reading a row. */
export interface RowWatch<T> {
  each(row: T): void
  /** After the last row; not called where the list broke off, or was left early. */
  end(): void
}

/** A watch that is yet to begin. */
export interface RowWatching<T> {
  /** True if it begins with the first row: the call is sent without waiting for it. Else before the list is asked for. */
  readonly late: boolean
  begin(): Promise<RowWatch<T>>
}

/** Passes on the rows, with a spinner and `text` on stderr until the last one was read. */
export async function* withRowCount<T>(
  output: Pick<Output, 'progress'>,
  text: string,
  rows: AsyncIterable<T>,
  rowWatching?: RowWatching<NoInfer<T>>,
): AsyncGenerator<T, void> {
  let watch = rowWatching?.late === false ? await rowWatching.begin() : undefined
  const progress = output.progress({ kind: 'spinner', text })
  let count = 0
  try {
    for await (const row of rows) {
      if (++count % STEP === 0) progress.update({ text: `${text}: ${thousands(count)}` })
      if (watch === undefined && rowWatching !== undefined) watch = await rowWatching.begin()
      watch?.each(row)
      yield row
    }
    watch ??= await rowWatching?.begin()
    watch?.end()
  } finally {
    progress.stop()
  }
}
