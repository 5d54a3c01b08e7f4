/** Every reading of the live list is proven, compared with the last one, and goes into the price history of the ledger. */

import type { Context } from '../../cli/context.js'
import { minuteOf, unreadFields } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { type RowWatch, thousands } from '../../format/output/index.js'
import { PriceReading, type ShortList, StockReading } from '../../jobs/history/index.js'
import { LedgerError } from '../../jobs/ledger/errors.js'
import { type ListedItem, ListProof } from '../../jobs/live-list.js'
import { run, say } from '../../messages/index.js'
import type { LiveItem } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { type GuardFlags, readGuards } from './guards.js'

/** That a command concludes something from absence. It stops where the list may be a part of the shop only. */
export interface Absence extends GuardFlags {
  /**
   * Takes the refusal where something is concluded only if a row is not in the list; without it the list ends with that error.
   */
  doubt?(refusal: SellerError): void
}

/** A list that may be a part of the shop only, until it is known whether all rows were in it. */
export class ListDoubt implements Absence {
  readonly allow: GuardFlags['allow']
  #refusal: SellerError | undefined

  constructor({ allow }: GuardFlags) {
    this.allow = allow
  }

  doubt(refusal: SellerError): void {
    this.#refusal = refusal
  }

  /** @param unknown how many rows were not in the list @throws {SellerError} guard (6) */
  refuseMissing(unknown: number): void {
    if (unknown > 0 && this.#refusal !== undefined) throw this.#refusal
  }
}

export type SeenItem = ListedItem & Partial<Pick<LiveItem, 'ItemType' | 'BuyItNowPrice' | 'OwnReferences' | 'RemainingQuantity'>>

/** Facts about a list that tell which items are in the shop. */
export interface WatchedList {
  /** As errors name it. */
  readonly operation: string
  /** Whose items they are; undefined where that is not known. */
  readonly seller: number | undefined
  /**
   * For lists with the active shop items: all of them, or those of a category. Undefined for others, which tell nothing about the
   * shop.
   */
  readonly shop?: 'whole' | 'category' | undefined
  /** True if the list has active items only. */
  readonly active: boolean
  /** True if the prices go into the history. */
  readonly records: boolean
  /** True if the service has left the list out: then nothing is recorded. */
  absent(): boolean
  readonly absence?: Absence | undefined
  /** True if the caller matches by own references, so that a list that has lost them says nothing either. */
  readonly references?: true | undefined
}

/**
 * Looks at each item of a list while it streams by: every item once, every item the seller's own. Once the list is there, it is
 * compared with the last reading in this ledger, and what moved is recorded. Nothing is compared where the profile does not say
 * whose shop it is, or the ledger is read-only. A record that cannot be written never stops the reading.
 */
export async function watchList(ctx: Context, list: WatchedList): Promise<RowWatch<SeenItem>> {
  const proof = new ListProof(list.operation, list.seller)
  const carefully = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      ctx.output.warn(`The prices that were read are not in the price history: ${error.message}`)
      return undefined
    }
  }
  const { name: profile, settings } = ctx.profile
  const userId = settings.user_id
  let priceReading: PriceReading | undefined
  let stock: StockReading | undefined
  if (list.shop !== undefined && userId !== undefined) {
    const ledger = await ctx.ledger()
    if (ledger.state !== 'copy')
      priceReading = carefully(() => new PriceReading(ledger, { profile, userId }, list.shop === 'whole'))
    if (priceReading !== undefined && list.shop === 'whole')
      stock = carefully(() => new StockReading(ledger, { profile, userId }))
  }
  return {
    each(item) {
      proof.see(item)
      if (item.ItemType === 'ShopItem') stock?.see(item.Id, item.RemainingQuantity ?? undefined)
      if (item.ItemType === 'ShopItem')
        priceReading?.see(
          item.Id,
          unreadFields(item).includes('BuyItNowPrice') ? undefined : (item.BuyItNowPrice ?? 0),
          (item.OwnReferences ?? []).some((each) => each.trim() !== ''),
        )
    },
    end() {
      const { absence, references } = list
      const guards = readGuards({ allow: absence?.allow }, ctx.profile.settings)
      const short = carefully(() => priceReading?.short(guards, list.active))
      if (list.records && !list.absent()) carefully(() => priceReading?.write(short !== undefined))
      if (short === undefined && list.records && !list.absent()) carefully(() => stock?.write())
      priceReading = undefined
      stock = undefined
      if (short === undefined) return
      const words = wordsOf(short)
      if (absence === undefined || (short.what !== 'items' && references !== true))
        return ctx.output.warn(`${words} What it lacks is not taken for gone.`)
      const refusalError = refusal(short, words)
      if (absence.doubt === undefined) throw refusalError
      absence.doubt(refusalError)
    },
  }
}

function wordsOf({ what, seenAt, before, now }: ShortList): string {
  const then = minuteOf(seenAt)
  return what === 'items'
    ? `The live list has ${thousands(now)} of the ${countOf(before, 'shop item')} that were live at the last reading, of ${then}.`
    : `In the live list ${thousands(now)} of the ${countOf(before, 'shop item')} that had an own reference at the last reading, of ${then}, have one.`
}

function refusal({ seenAt, before, now }: ShortList, words: string): SellerError {
  return new SellerError(
    'list_short',
    `${words} It may be only a part of the shop, so nothing is concluded from it, and nothing was sent.`,
    say`Run the command again later. If the shop really is like that, accept it with --allow max_shrink; where a command does not have that flag, with ${run('shop:diff', { '--since': 'today', '--allow': 'max_shrink' })}, once.`,
    { seenAt: isoOf(seenAt), before, now },
  )
}
