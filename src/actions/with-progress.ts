/** Work that may take long: it draws progress, and is left behind at Ctrl-C. */
import type { Context } from '../cli/context.js'
import { orAborted } from '../system/room.js'

/**
 * Waits for work that changes nothing and lets others have their turn.
 * @throws what the work throws; the reason of the signal
 */
export async function withProgress<T>(ctx: Pick<Context, 'output' | 'signal'>, text: string, work: Promise<T>): Promise<T> {
  const progress = ctx.output.progress({ kind: 'spinner', text })
  try {
    return await orAborted(work, ctx.signal)
  } finally {
    progress.stop()
  }
}
