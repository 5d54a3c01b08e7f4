/** Ctrl-C and other signals: the first asks the work to end, the second ends the process at once. */
import { setMaxListeners } from 'node:events'
import { EXIT } from '../errors/index.js'
import type { Host } from './host.js'

/** The user or the system ended the run. It is the reason of the context's signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor(readonly by: NodeJS.Signals) {
    super(by === 'SIGINT' ? 'Interrupted.' : `Interrupted by ${by}.`)
  }
}

// Long enough for a last call (cancelling an eID session), short enough for a person.
const GRACE_MS = 5_000
const MOST_LISTENERS = 64

/**
 * Runs the work with a signal that is aborted, by an Interrupted, on the first SIGINT, SIGTERM or SIGHUP. Work that has not ended
 * five seconds later is abandoned.
 * @param endless only an interruption ends the work, so it is not an error
 * @throws {Interrupted} even if the work ended without an error: it may not have done everything
 */
export async function interruptible(
  host: Pick<Host, 'onSignal' | 'exit'>,
  work: (signal: AbortSignal) => Promise<void>,
  endless = false,
): Promise<void> {
  const controller = new AbortController()
  // One for each call in progress: with --concurrency 16 that is more than Node's default warning limit.
  setMaxListeners(MOST_LISTENERS, controller.signal)
  let timer: NodeJS.Timeout | undefined
  let giveUp: (reason: Interrupted) => void = () => {}
  const abandonment = new Promise<never>((_resolve, reject) => {
    giveUp = reject
  })
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      host.exit(EXIT.interrupted)
      return
    }
    const reason = new Interrupted(name)
    timer = setTimeout(giveUp, GRACE_MS, reason)
    controller.abort(reason)
  }
  const ignore = host.onSignal(stop)
  try {
    await Promise.race([work(controller.signal), abandonment])
    if (!endless) controller.signal.throwIfAborted()
  } finally {
    clearTimeout(timer)
    // After an interruption the process still reports it and ends. A second Ctrl-C in that moment must reach us, not Node's
    // default.
    if (!controller.signal.aborted) ignore()
  }
}
