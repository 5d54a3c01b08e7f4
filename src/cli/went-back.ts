/** Going back from a question of a flow to the one before it. */

/** A person left a question backwards. */
export class WentBack extends Error {
  override readonly name = 'WentBack'
}

/** Typed in place of an answer, it goes back to the question before. */
export const BACK = '<'

/**
 * Asks the steps of a flow in their order. From each that asks, a person can go back to the one that asked before it, and from
 * there the steps follow again; from the first nothing is before it, and it asks again.
 * @param steps each answers whether it asked; `again` is true where a person came back to it
 */
export async function inOrder(steps: readonly ((again: boolean) => Promise<boolean>)[]): Promise<void> {
  const askedSteps: number[] = []
  let again = false
  for (let at = 0; at < steps.length; ) {
    try {
      if (await steps[at]?.(again)) askedSteps.push(at)
      at++
      again = false
    } catch (error) {
      if (!(error instanceof WentBack)) throw error
      at = askedSteps.pop() ?? at
      again = true
    }
  }
}
