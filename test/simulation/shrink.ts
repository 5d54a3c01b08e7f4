/** Shortens a script that breaks a promise: fewer steps, fewer crashes, fewer faults, while the same promise breaks. */
import type { Settings, Step } from './script.js'
import { live, type Outcome } from './shop-months.js'

/** The most runs that a shrink takes. */
const TRIES = 60

export interface Shrunk {
  readonly outcome: Outcome
  readonly steps: readonly Step[]
  readonly tries: number
}

/** @param broken what a run of these steps came to: it has a failure */
export async function shrink(seed: number, steps: readonly Step[], settings: Settings, broken: Outcome): Promise<Shrunk> {
  const invariant = broken.failure?.invariant
  let best: { outcome: Outcome; steps: readonly Step[] } = { outcome: broken, steps: upTo(steps, broken) }
  let tries = 0
  const fails = async (candidate: readonly Step[]): Promise<boolean> => {
    if (tries >= TRIES || candidate.length === 0) return false
    tries++
    const outcome = await live(seed, candidate, settings)
    if (outcome.failure?.invariant !== invariant) return false
    best = { outcome, steps: upTo(candidate, outcome) }
    return true
  }
  const calm = (step: Step): Step => {
    const { crash: _, interrupt: __, ...rest } = step
    return { ...rest, faults: 0, skewMs: 0 }
  }
  await fails(best.steps.map(calm))
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.steps.length; ) {
      const candidate = [...best.steps.slice(0, at), ...best.steps.slice(at + size)]
      if (!(await fails(candidate))) at += size
    }
  }
  for (const { index } of best.steps) {
    const alone = (step: Step): Step => (step.kinds.length > 1 ? { ...step, kinds: step.kinds.slice(0, 1) } : step)
    for (const simpler of [calm, (step: Step): Step => ({ ...step, faults: 0 }), alone]) {
      const candidate = best.steps.map((step) => (step.index === index ? simpler(step) : step))
      if (JSON.stringify(candidate) !== JSON.stringify(best.steps)) await fails(candidate)
    }
  }
  return { ...best, tries }
}

/** Steps after the one that broke the promise cannot matter. */
function upTo(steps: readonly Step[], { failure }: Outcome): readonly Step[] {
  const last = steps.findIndex(({ index }) => index === failure?.step)
  return last < 0 ? steps : steps.slice(0, last + 1)
}
