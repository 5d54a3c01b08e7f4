/** The quota that several machines share: a Redis or Valkey server counts the calls. */

import { CALL_QUOTA_WINDOW_MS } from '../../contract/limits.js'
import { run, say } from '../../messages/index.js'
import type { Clock, RecordEnd } from '../../soap/client/index.js'
import { DAY_MS, durationText, MINUTE_MS, SECOND_MS } from '../../system/durations.js'
import {
  BudgetError,
  type CallLimits,
  type CallRecord,
  ledgerQuota,
  type NewCall,
  type Quota,
  type QuotaUsage,
  spentError,
  type Taker,
} from '../ledger/index.js'
import { CLAIM_SCRIPT, GIVE_BACK_SCRIPT, REPORT_SCRIPT, TAKE_SCRIPT } from './scripts.js'
import { OTHER_ANSWER, QuotaServer, QuotaServerError } from './server.js'

export interface SharedQuotaOptions {
  /** With its password, if it has one. */
  readonly url: string
  /** The same for people: without the password. */
  readonly shownUrl: string
  readonly taker: Taker
  /** The seller; profiles of the same name on two machines may belong to different shops. */
  readonly userId: number | undefined
  readonly limits: CallLimits
  /** Shares of other profiles that this machine knows, per cent, by owner. */
  readonly others: readonly { readonly profile: string; readonly userId: number | undefined; readonly percent: number }[]
  /** Policy if the server does not answer. */
  readonly away: 'refuse' | 'local'
  readonly calls: CallRecord
  /** The ledger of this machine, for the others that work on the shop. */
  readonly ledger?: { readonly id: () => number; readonly place: string } | undefined
  readonly clock: Clock
  readonly warn: (text: string) => void
  /**
   * Time for which a server that is away is tried again before the call is refused, ms; not where calls are counted here then.
   */
  readonly awayPatienceMs: number
  /** Ends the tries. */
  readonly signal?: AbortSignal | undefined
  /** ms to wait for an answer; 5 s by default. */
  readonly patienceMs?: number | undefined
  /** The time at the server, ms since 1970, instead of its own; for tests. */
  readonly serverTime?: (() => number) | undefined
}

/** After the server did not answer, calls are counted in the ledger for so long before it is asked again, ms. */
const AWAY_FOR_MS = 30 * SECOND_MS

/** For so long a ledger that has worked on a shop is remembered, ms. */
const LEDGER_FOR_MS = 8 * DAY_MS

/** Pauses between two tries, ms: the first, which doubles, and the longest. Half to one and a half of each, by chance. */
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2 * SECOND_MS

/**
 * The most parts in which old calls are taken out of the counts for one question: some 25 million calls in minutes of their own.
 */
const MOST_ASKED = 100_000

/** An answer of the script. */
interface Answer {
  readonly taken: boolean
  /** Nothing was decided: old calls are still counted. */
  readonly again: boolean
  readonly limit: 'budget' | 'share' | ''
  readonly used: number
  readonly allowed: number | undefined
  readonly ofShare: number
  readonly waitMs: number | undefined
  readonly bucket: string
  /** Per cent; undefined if it was not asked for. */
  readonly shares: number | undefined
  readonly oldestMs: number | undefined
}

/** The owner of a share at the server. Neither a profile's name nor a user id holds a colon. */
export function ownerOf({ profile, userId }: { readonly profile: string; readonly userId: number | undefined }): string {
  return `${profile}:${userId ?? ''}`
}

/** Nothing is connected before the first call is taken. */
export class SharedQuota implements Quota {
  readonly countedAt: string
  readonly #options: SharedQuotaOptions
  readonly #server: QuotaServer
  readonly #local: Quota
  readonly #percent: number
  /** Empty without a share: those profiles are counted together. */
  readonly #owner: string
  readonly #givingBack = new Set<Promise<unknown>>()
  /** The shares were noted and summed up in this run. */
  #sharesNoted = false
  #awayUntil = 0
  /** Calls that were counted here are being reported, or are; undefined until they must be, again. */
  #reporting: Promise<void> | undefined
  #claimed = false
  /** That it is tried again was said; until an answer comes. */
  #isTrying = false

  constructor(options: SharedQuotaOptions) {
    this.#options = options
    this.countedAt = options.shownUrl
    this.#server = new QuotaServer(options.url, options.patienceMs)
    this.#local = ledgerQuota(options.calls, options.taker, options.limits)
    this.#percent = options.limits.share?.percent ?? 0
    this.#owner = this.#percent === 0 ? '' : ownerOf({ profile: options.taker.profile, userId: options.userId })
  }

  async take(attempts: readonly NewCall[]): Promise<RecordEnd[]> {
    const answer = await this.#ask(attempts.length)
    if (answer === undefined) return this.#local.take(attempts.map((one) => ({ ...one, alone: true })))
    if (!answer.taken) throw this.#budgetError(answer)
    // From here on the calls count, also if this process dies before they are recorded or sent.
    const ends = await this.#options.calls.begin(attempts).catch((error: unknown) => {
      this.#giveBack(answer.bucket, attempts.length)
      throw error
    })
    return ends.map((end) => (callEnd) => {
      if (callEnd.outcome === 'unreachable') this.#giveBack(answer.bucket, 1)
      end(callEnd)
    })
  }

  async usage(): Promise<QuotaUsage> {
    const answer = await this.#ask(0)
    if (answer === undefined) return this.#local.usage()
    const { budget } = this.#options.limits
    const { used, allowed, ofShare, shares = 0, oldestMs } = answer
    const remaining = Math.max(0, budget - used)
    return {
      used,
      budget,
      remaining: allowed === undefined ? remaining : Math.min(remaining, Math.max(0, allowed - ofShare)),
      oldestLeavesAt: oldestMs === undefined ? undefined : this.#options.clock.now() + oldestMs,
      share: allowed === undefined ? undefined : { percent: this.#percent || undefined, allowed, used: ofShare },
      shares,
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#givingBack)
    await this.#server.close()
  }

  /** @returns undefined if the ledger is to count instead. @throws BudgetError: the server does not answer */
  async #ask(calls: number): Promise<Answer | undefined> {
    const { clock, away, shownUrl, warn } = this.#options
    if (clock.now() < this.#awayUntil) return undefined
    try {
      const answer = await this.#patiently(() => this.#run(calls))
      if (answer.shares !== undefined && !this.#sharesNoted) this.#noteShares(answer.shares)
      return answer
    } catch (error) {
      if (!(error instanceof QuotaServerError)) throw error
      if (away === 'refuse') throw awayError(this.#options, error, calls)
      // Once for each time it goes away, not for each call of a bulk run.
      if (clock.now() >= this.#awayUntil) {
        warn(
          `The quota server ${shownUrl} cannot be used: ${error.message}. Calls are counted on this machine alone, because quota_away is local.`,
        )
      }
      this.#awayUntil = clock.now() + AWAY_FOR_MS
      this.#reporting = undefined
      return undefined
    }
  }

  /** Tries again for a while what fails because the server is away. @throws QuotaServerError, the signal's reason */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { clock, away, awayPatienceMs, shownUrl, warn, signal } = this.#options
    const until = clock.now() + (away === 'local' ? 0 : awayPatienceMs)
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const result = await work()
        this.#isTrying = false
        return result
      } catch (error) {
        const remainingMs = until - clock.now()
        if (!(error instanceof QuotaServerError && error.passing) || remainingMs <= 0) throw error
        if (!this.#isTrying)
          warn(`The quota server ${shownUrl} is away: ${error.message}. Trying again for ${durationText(remainingMs)}.`)
        this.#isTrying = true
        await clock.sleep(Math.min(remainingMs, pause * (0.5 + clock.random())), signal)
      }
    }
  }

  /**
   * Tells the server of the calls that were counted here while it was away, also by an earlier process.
   * @throws QuotaServerError
   */
  async #report(): Promise<void> {
    const { calls, taker, clock } = this.#options
    for (const { token, minutes } of calls.alone(taker)) {
      const ownCalls = minutes.flatMap(({ at, count }) => [String(clock.now() - at), String(count)])
      const [buckets, counts] = this.#keys
      const reportedKey = buckets.replace(/buckets$/, 'reported')
      const args = [String(token), this.#owner, String(CALL_QUOTA_WINDOW_MS), String(MINUTE_MS), this.#serverTime, ...ownCalls]
      await this.#server.run(REPORT_SCRIPT, [buckets, counts, reportedKey], args)
      calls.reported(token)
    }
    await this.#claim()
  }

  /** Says where another ledger works on the same shop. @throws QuotaServerError */
  async #claim(): Promise<void> {
    const { ledger, userId, taker, shownUrl, warn } = this.#options
    if (ledger === undefined || userId === undefined || this.#claimed) return
    const key = this.#keys[0].replace(/buckets$/, 'ledgers')
    const args = [String(userId), String(ledger.id()), ledger.place, String(LEDGER_FOR_MS), this.#serverTime]
    const [agoMs = -1, place = ''] = (await this.#server.run(CLAIM_SCRIPT, [key], args)) as [number?, string?]
    this.#claimed = true
    if (Number(agoMs) < 0) return
    warn(
      `Another ledger worked on the shop of "${taker.profile}" ${durationText(Number(agoMs))} ago, as ${shownUrl} knows: ${place}; this one is ${ledger.place}. Two ledgers know nothing of each other's jobs and discounts: give one shop one data directory.`,
    )
  }

  get #serverTime(): string {
    return String(this.#options.serverTime?.() ?? '')
  }

  async #run(calls: number): Promise<Answer> {
    const { limits, others } = this.#options
    // Before the next call is taken, so that it finds them counted. Whoever only looks may not write.
    if (calls > 0) {
      this.#reporting ??= this.#report()
      await this.#reporting.catch((error: unknown) => {
        this.#reporting = undefined
        throw error
      })
    }
    const first = this.#sharesNoted ? [] : others.flatMap((one) => [ownerOf(one), hundredths(one.percent)])
    const args = [
      this.#owner,
      String(calls),
      String(limits.budget),
      hundredths(this.#percent),
      String(CALL_QUOTA_WINDOW_MS),
      String(MINUTE_MS),
      this.#serverTime,
      this.#sharesNoted && calls > 0 ? '0' : '1',
      ...first,
    ]
    // Each time a part of the old calls is taken out, so that others are answered in between.
    for (let attempt = 0; attempt < MOST_ASKED; attempt++) {
      const answer = parseAnswer(await this.#server.run(TAKE_SCRIPT, this.#keys, args))
      if (answer === undefined) break
      if (!answer.again) return answer
    }
    // The next answer over this connection may belong to another question.
    await this.#server.close()
    throw new QuotaServerError(OTHER_ANSWER, false)
  }

  get #keys(): readonly [string, string, string] {
    const base = `seller:quota:{${this.#options.taker.appId}}`
    return [`${base}:buckets`, `${base}:counts`, `${base}:shares`]
  }

  #noteShares(shares: number): void {
    this.#sharesNoted = true
    if (shares <= 100) return
    const { warn, shownUrl } = this.#options
    warn(`The shares of calls add up to ${shares}% at ${shownUrl}, so a profile may find less than its share.`)
  }

  #budgetError({ limit, used, ofShare, waitMs, shares = 0 }: Answer): BudgetError {
    const { limits, taker, clock, shownUrl } = this.#options
    const percent = this.#percent || undefined
    // The server knows the shares of every machine. Where the whole budget is spent, none is named.
    const share = { percent, reserved: shares - (percent ?? 0), holders: [] }
    const spending = {
      limit: limit === 'share' ? ('share' as const) : ('budget' as const),
      limits: { budget: limits.budget, share },
      profile: taker.profile,
      used: limit === 'share' ? ofShare : used,
      freeAt: waitMs === undefined ? undefined : clock.now() + waitMs,
      countedAt: shownUrl,
    }
    return spentError(spending, clock)
  }

  /** In the background. Calls that cannot be given back count as made. */
  #giveBack(bucket: string, calls: number): void {
    const [buckets, counts] = this.#keys
    const refund = this.#server
      .run(GIVE_BACK_SCRIPT, [buckets, counts], [this.#owner, bucket, String(calls)])
      .catch(() => undefined)
      .finally(() => this.#givingBack.delete(refund))
    this.#givingBack.add(refund)
  }
}

function awayError(
  { shownUrl: server, taker, away, awayPatienceMs }: SharedQuotaOptions,
  error: QuotaServerError,
  calls: number,
): BudgetError {
  const { message: reason, passing } = error
  const triedNote = passing && away === 'refuse' && awayPatienceMs > 0 ? ` It was tried for ${durationText(awayPatienceMs)}.` : ''
  return new BudgetError(
    'away',
    0,
    0,
    `The quota server ${server} cannot be used: ${reason}.${triedNote}${calls === 0 ? '' : ' The call was not sent.'}`,
    say`See its address with: ${run('auth:status', { '--profile': taker.profile })}. Until it is back, this machine can count alone: ${run('auth:login', { '--profile': taker.profile, '--setting': 'quota_away=local' })}. Machines may then exceed the quota together.`,
    { server, reason },
  )
}

function hundredths(percent: number): string {
  return String(Math.round(percent * 100))
}

/** @returns undefined for what is no answer of the script */
function parseAnswer(reply: unknown): Answer | undefined {
  if (!Array.isArray(reply) || reply.length !== 9) return undefined
  const [taken, limit, used, allowed, ofShare, waitMs, bucket, shares, oldestMs] = reply
  const knownNumber = (value: unknown): number | undefined => (Number(value) < 0 ? undefined : Number(value))
  const total = knownNumber(shares)
  return {
    taken: Number(taken) === 1,
    again: Number(taken) === 2,
    limit,
    used: Number(used),
    allowed: knownNumber(allowed),
    ofShare: Number(ofShare),
    waitMs: knownNumber(waitMs),
    bucket: String(bucket),
    shares: total === undefined ? undefined : total / 100,
    oldestMs: knownNumber(oldestMs),
  }
}
