/** The end of the stored token, and a warning before it comes: once a day, to a person. */
// Not through the index, which loads the whole contract.

import { instantOf } from '../contract/scalars.js'
import type { Output } from '../format/output/types.js'
import { type Command, run, say } from '../messages/index.js'
import type { Clock } from '../system/clock.js'
import { DAY_MS } from '../system/durations.js'
import { isoOf } from '../system/time.js'
import { firstIn } from './first-in.js'
import type { ResolvedProfile } from './profiles.js'

/** A token that ends within this time is warned of, ms. */
const SOON_MS = 30 * DAY_MS

export interface TokenEnd {
  readonly state: 'far' | 'soon' | 'ended'
  /** A sentence without a final dot. */
  readonly said: string
  /** The command that fetches another. */
  readonly fix: Command
}

/** When the token of a profile ends; undefined if it is not known: only the end of the stored token is. */
export function tokenEnd(profile: ResolvedProfile, clock: Pick<Clock, 'now'>): TokenEnd | undefined {
  const { token, token_expires: expires } = profile.sourced
  if (token?.source !== 'profile' || expires === undefined) return undefined
  const remainingMs = instantOf(expires.value) - clock.now()
  const fix = run('auth:token')
  if (remainingMs <= 0) return { state: 'ended', said: `The token ended on ${expires.value}`, fix }
  const days = Math.floor(remainingMs / DAY_MS)
  const endWords = days === 0 ? 'in less than a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`
  return { state: remainingMs < SOON_MS ? 'soon' : 'far', said: `The token ends ${endWords}, on ${expires.value}`, fix }
}

interface EndWatch {
  readonly profile: ResolvedProfile
  readonly dataDir: string
  readonly clock: Pick<Clock, 'now'>
  readonly output: Pick<Output, 'warn'>
}

/** Warns of a token that ends soon, if it has not been said on this day. Never throws. */
export async function warnOfTokenEnd({ profile, clock, dataDir, output }: EndWatch): Promise<void> {
  const end = tokenEnd(profile, clock)
  if (end?.state !== 'soon') return
  if (!(await firstIn(isoOf(clock.now()).slice(0, 10), dataDir, 'token-ends', profile.name))) return
  output.warn(say`${end.said}. Fetch another: ${end.fix}`)
}
