/** Shows on stderr how much of a long list was read. */
import type { Output } from './types.js'
import { thousands } from './values.js'

/** Rows between two words about them. */
const STEP = 100

/** The rows as they come, with `text` turning on stderr until the last one is there. */
export async function* counted<T>(
  output: Pick<Output, 'progress'>,
  text: string,
  rows: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const progress = output.progress({ kind: 'spinner', text })
  let count = 0
  try {
    for await (const row of rows) {
      if (++count % STEP === 0) progress.update({ text: `${text}: ${thousands(count)}` })
      yield row
    }
  } finally {
    progress.stop()
  }
}
