/** Holds in words, for tests that read them. */
import { type AnyHold, type Hold, held, wordsOf } from '../src/holds/index.js'
import { textOf } from '../src/messages/index.js'

interface Held {
  readonly Hold: AnyHold | null
}

/** Why a row is held, in words; null where it is not. */
export function said(row: Held | null | undefined): string | null {
  return row?.Hold ? textOf(wordsOf(row.Hold)) : null
}

/** A row with the words of its hold in its place. */
export function inWords<T extends Held>({ Hold: hold, ...row }: T): Omit<T, 'Hold'> & { readonly Reason: string | null } {
  return { ...row, Reason: said({ Hold: hold }) }
}

/** A hold that an older version kept as a text. */
export function because(Said: string): Hold {
  return held('text', { Said })
}
