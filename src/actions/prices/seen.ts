/** Every reading of the live list goes into the price history of the ledger. */
import type { Context } from '../../cli/context.js'
import type { RowWatch } from '../../format/output/index.js'
import { PriceReading } from '../../jobs/history/index.js'
import { LedgerError } from '../../jobs/index.js'
import type { LiveItem } from '../../pricing/index.js'

/**
 * Looks at each item of a list while it streams by, and records what moved once the list is there. Nothing is recorded where the profile does not
 * say whose shop it is, or the ledger is read-only. A record that cannot be written never stops the reading.
 * @param whole false for the list of a category
 */
export function watchPrices(ctx: Context, whole: boolean): RowWatch<LiveItem> {
  let reading: PriceReading | undefined
  const carefully = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      ctx.output.warn(`The prices that were read are not in the price history: ${error.message}`)
    }
  }
  return {
    async begin() {
      const { name: profile, settings } = ctx.profile
      const userId = settings.user_id
      const ledger = await ctx.ledger()
      if (userId === undefined || ledger.state === 'copy') return
      carefully(() => {
        reading = new PriceReading(ledger, { profile, userId }, whole)
      })
    },
    each({ Id, ItemType, BuyItNowPrice }) {
      if (ItemType === 'ShopItem') reading?.see(Id, BuyItNowPrice ?? 0)
    },
    end() {
      carefully(() => reading?.write())
      reading = undefined
    },
  }
}
