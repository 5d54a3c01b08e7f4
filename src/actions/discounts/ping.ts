/** jobs:due --ping: a sign of life for a monitor, which alarms when none comes. */
import { closeSync, openSync, utimesSync } from 'node:fs'
import type { Ended } from '../../cli/base.js'
import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { EXIT } from '../../errors/index.js'
import { fetchFile } from '../../soap/client/index.js'

const MOST_BYTES = 1_000_000
const WITHIN_MS = 10_000

/**
 * Signals a run that ended well. One that did not, and one that cannot be signalled, shows by its absence; here it is a warning.
 */
export async function ping(ctx: Context, to: string, { code, error }: Pick<Ended, 'code' | 'error'>): Promise<void> {
  if (code !== EXIT.ok || error !== undefined) return
  try {
    if (/^https?:\/\//i.test(to)) {
      const { signal, userAgent, trace } = ctx
      await fetchFile('sign of life', to, { signal, userAgent, trace, maxBytes: MOST_BYTES, deadlineMs: WITHIN_MS })
      return
    }
    const path = ctx.path(to)
    closeSync(openSync(path, 'a', 0o600))
    const now = new Date(ctx.clock.now())
    utimesSync(path, now, now)
  } catch (failure) {
    ctx.signal.throwIfAborted()
    ctx.output.warn(`The sign of life to ${to} failed: ${toSellerError(failure).message}`)
  }
}
