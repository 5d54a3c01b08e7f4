/**
 * The guards over prices, numbers in stock, additions and removals; this is the only list of them. The flags of the commands that send
 * them, the settings of a profile, the flags of auth:login, the table in docs/commands.md and the messages follow from it. They are checked
 * in this order: the first guard that a row breaks holds it.
 */
import { kronorText, thousands } from '../../contract/numbers.js'
import {
  type AdditionFacts,
  changeText,
  type EqualFacts,
  exceeds,
  type ListFacts,
  MANY_ROWS,
  percentText,
  type RemovalFacts,
  type RowFacts,
  type StockFacts,
  type WholeFacts,
} from './facts.js'
import { kronor, type LimitKind, margin, type StoredLimit, share, toggle } from './kinds.js'
import { amountText, lowestPrice, priceForMargin } from './margins.js'

/** What guards judge: one new price, the rows that would get the same one, or all that would be sent of one kind, or concluded from a list. */
interface Facts {
  readonly row: RowFacts
  readonly equal: EqualFacts
  /** If such a guard or one of those below is broken, nothing is sent. */
  readonly whole: WholeFacts
  readonly additions: AdditionFacts
  readonly removals: RemovalFacts
  readonly stock: StockFacts
  readonly list: ListFacts
}
export type Over = keyof Facts

export interface Guard<O extends Over, T = unknown, S extends StoredLimit = StoredLimit, L extends string = string> {
  readonly over: O
  readonly kind: LimitKind<T, S>
  readonly default: T
  /** The word for it in plans and scripts (`Limit`, `HeldBy`). */
  readonly limit: L
  /** What it does, for the help of its flag. The default is added. */
  readonly summary: string
  /** The meaning of the value, for the profile. */
  readonly label: string
  /**
   * Another guard that gives the limit if neither its own flag nor the profile does. `same`: the limit of that guard. `at least`:
   * not below the limit typed for that guard, so that a discount needs one flag instead of two.
   */
  readonly follows?: { readonly guard: string; readonly how: 'same' | 'at least' }
  /** What lets a held price through, where the guard's own flag alone does not. */
  readonly lets?: string
  /** Whether it also checks prices of auctions. */
  readonly auctions?: true
  /** Of a guard over one row: whether it compares with the current price, so that an item without one cannot be checked. */
  readonly compares?: true
  /** Whether a price is over the limit. Not called if the guard is off. */
  holds(limit: NonNullable<T>, facts: Facts[O]): boolean
  /** Why the price is held: a sentence without a full stop, with the numbers in it. */
  says(limit: NonNullable<T>, facts: Facts[O]): string
}

const over =
  <O extends Over>(kind: O) =>
  <T, S extends StoredLimit, const L extends string>(guard: Omit<Guard<O, T, S, L>, 'over'>): Guard<O, T, S, L> => ({
    over: kind,
    ...guard,
  })
const row = over('row')
const equal = over('equal')
const whole = over('whole')
const additions = over('additions')
const removals = over('removals')
const stock = over('stock')
const list = over('list')

export const GUARDS = {
  min_price: row({
    kind: kronor,
    default: null,
    limit: 'min_price',
    summary: 'Hold prices below this.',
    label: 'Lowest price, kronor',
    auctions: true,
    holds: (limit, { price }) => price < limit,
    says: (limit, { price }) => `${kronorText(price)} is below the minimum of ${kronorText(limit)}`,
  }),

  // Before max_change, because it names the more likely cause.
  factor_ten: row({
    kind: toggle,
    default: true,
    limit: 'factor_ten',
    summary: 'Hold a price ten times the present one or more, or a tenth or less.',
    label: 'Hold prices ten times up or down',
    // Such a change is over most limits of max_change too.
    lets: '--no-factor-ten with --max-change off',
    auctions: true,
    compares: true,
    holds: (_, { old, price }) => price >= old * 10 || price * 10 <= old,
    says: (_, { old, price }) =>
      price > old
        ? `${kronorText(price)} is ten times the present ${kronorText(old)} or more: an extra zero, or öre read as kronor?`
        : `${kronorText(price)} is a tenth of the present ${kronorText(old)} or less: a missing zero?`,
  }),

  // 0 %: costs are stored so that prices stay above them. Before max_change, because a file of purchase prices often has half of the present ones.
  min_margin: row({
    kind: margin,
    default: 0,
    limit: 'min_margin',
    summary: 'Hold a price below its known cost plus this margin, or below its lowest price (shop:costs).',
    label: 'Least margin over the known cost',
    lets: 'the right cost to shop:costs, or --min-margin PERCENT|off',
    auctions: true,
    holds: (limit, { price, cost }) => cost !== undefined && price < lowestPrice(cost, limit),
    says(limit, { price, cost }) {
      if (cost === undefined) return `${kronorText(price)} leaves too little`
      const needed = lowestPrice(cost, limit)
      const own = cost.cost === undefined || priceForMargin(cost.cost, limit, cost.vat) < needed
      if (own) return `${kronorText(price)} is below ${kronorText(needed)}, the lowest price of the item (shop:costs)`
      const left = limit === 0 ? '' : ` and a margin of ${percentText(limit)}`
      return `${kronorText(price)} is below ${kronorText(needed)}, which its cost of ${amountText(cost.cost)} with ${percentText(cost.vat)} VAT${left} takes`
    },
  }),

  max_change: row({
    kind: share,
    default: 0.5,
    limit: 'max_change',
    summary: 'Hold a price that changes by more.',
    label: 'Largest price change',
    auctions: true,
    compares: true,
    holds: (limit, { old, price }) => exceeds(price - old, limit, old),
    says: (limit, { old, price }) =>
      `a change of ${changeText(old, price)} is over the limit of ${percentText(limit)} (${kronorText(old)} to ${kronorText(price)})`,
  }),

  // The number of days is that of the ledger's window (actions/prices/ledger-prices.ts).
  max_drift: row({
    kind: share,
    default: 0.5,
    limit: 'max_drift',
    follows: { guard: 'max_change', how: 'same' },
    summary: 'Hold a price that runs of this tool have moved by more within the last 14 days, the new price included.',
    label: 'Largest price change in 14 days',
    auctions: true,
    compares: true,
    holds: (limit, { price, first }) => first > 0 && exceeds(price - first, limit, first),
    says: (limit, { price, first }) =>
      `${kronorText(price)} is ${changeText(first, price)} from ${kronorText(first)}, the first price known of the last 14 days, over the limit of ${percentText(limit)}: does a rule run again and again?`,
  }),

  max_same: equal({
    kind: share,
    default: 0.5,
    limit: 'same_price',
    summary: `Hold one price that more than this share of ${MANY_ROWS} or more changed rows would get.`,
    label: 'Largest share of equal new prices',
    auctions: true,
    holds: (limit, { same, changed }) => changed >= MANY_ROWS && same > limit * changed,
    says: (limit, { price, same, changed }) =>
      `${thousands(same)} of ${thousands(changed)} changed rows would get ${kronorText(price)}, over the limit of ${percentText(limit)}: a rule or a column gone wrong?`,
  }),

  // Similar prices pass every guard over single rows when they slip by a line.
  shifted: whole({
    kind: toggle,
    default: true,
    limit: 'shifted',
    summary: `Send nothing when most of ${MANY_ROWS} or more new prices are the present prices of the row above or below.`,
    label: 'Send nothing when prices have slipped by a line',
    holds: (_, { changed, shifted }) => changed >= MANY_ROWS && shifted > changed / 2,
    says: (_, { changed, shifted }) =>
      `nothing is sent: ${shifted} of ${changed} new prices are the present prices of the row above or below; has the price column slipped by a line?`,
  }),

  max_held: whole({
    kind: share,
    default: 0.1,
    limit: 'max_held',
    summary: `Send nothing when more than this share of ${MANY_ROWS} or more changed rows is held.`,
    label: 'Largest share of held rows',
    auctions: true,
    holds: (limit, { changed, held }) => changed >= MANY_ROWS && held > limit * changed,
    says: (limit, { changed, held }) =>
      `nothing is sent: ${held} of ${changed} rows that change (${percentText(held / changed)}) are held, over the limit of ${percentText(limit)}; is it the right column?`,
  }),

  // 30 %: a campaign for the whole shop is usually 10 to 25 %, and above max_change (50 %) the guard could never hold anything.
  max_total_fall: whole({
    kind: share,
    default: 0.3,
    limit: 'max_total_fall',
    follows: { guard: 'max_change', how: 'at least' },
    summary: `Send nothing when ${MANY_ROWS} or more rows change and the sum of all prices in the shop falls by more.`,
    label: 'Largest fall of the sum of all prices in the shop',
    holds: (limit, { changed, total, totalAfter }) =>
      changed >= MANY_ROWS && totalAfter < total && exceeds(total - totalAfter, limit, total, changed),
    says: (limit, { total, totalAfter, totalOf }) =>
      `nothing is sent: the sum of all prices in the ${totalOf} would fall from ${kronorText(total)} to ${kronorText(totalAfter)} (${changeText(total, totalAfter)}), over the limit of ${percentText(limit)}`,
  }),

  // Before max_added, because it names the more likely cause: the items are there, under other references.
  max_live_titles: additions({
    kind: share,
    default: 0.1,
    limit: 'max_live_titles',
    summary: `Send nothing when more than this share of ${MANY_ROWS} or more new items have the title of a live one.`,
    label: 'Largest share of new items with a title that is live',
    holds: (limit, { rows, titled }) => rows >= MANY_ROWS && titled > limit * rows,
    says: (limit, { rows, titled }) =>
      `nothing is sent: ${thousands(titled)} of ${thousands(rows)} new items have the title of a live one, over the limit of ${percentText(limit)}; are they in the shop under other own references?`,
  }),

  // An empty shop is filled by its first file.
  max_added: additions({
    kind: share,
    default: 0.1,
    limit: 'max_added',
    summary: `Send nothing when ${MANY_ROWS} or more new items are more than this share of the items in the shop, unless it is empty.`,
    label: 'Largest share of the shop that a file adds',
    holds: (limit, { rows, items }) => rows >= MANY_ROWS && items > 0 && rows > limit * items,
    says: (limit, { rows, items }) =>
      `nothing is sent: ${thousands(rows)} new items for a shop of ${thousands(items)} (${percentText(rows / items)}), over the limit of ${percentText(limit)}; is it a whole catalogue?`,
  }),

  max_removed: removals({
    kind: share,
    default: 0.1,
    limit: 'max_removed',
    summary: `Send nothing when ${MANY_ROWS} or more items would be removed that are more than this share of the shop.`,
    label: 'Largest share of the shop that a file removes',
    holds: (limit, { rows, items }) => rows >= MANY_ROWS && rows > limit * items,
    says: (limit, { rows, items }) =>
      `nothing is sent: ${thousands(rows)} of ${thousands(items)} shop items would be removed (${percentText(rows / Math.max(1, items))}), over the limit of ${percentText(limit)}; is it the whole catalogue, or the wrong file?`,
  }),

  stock_is_price: stock({
    kind: toggle,
    default: true,
    limit: 'stock_is_price',
    summary: `Send nothing when most of ${MANY_ROWS} or more new numbers in stock are the prices of their items.`,
    label: 'Send nothing when numbers in stock are the prices',
    holds: (_, { changed, priced }) => changed >= MANY_ROWS && priced > changed / 2,
    says: (_, { changed, priced }) =>
      `nothing is sent: ${thousands(priced)} of ${thousands(changed)} new numbers in stock are the prices of their items; is it the price column?`,
  }),

  stock_shifted: stock({
    kind: toggle,
    default: true,
    limit: 'stock_shifted',
    summary: `Send nothing when most of ${MANY_ROWS} or more new numbers in stock are the present ones of the row above or below.`,
    label: 'Send nothing when numbers in stock have slipped by a line',
    holds: (_, { changed, shifted }) => changed >= MANY_ROWS && shifted > changed / 2,
    says: (_, { changed, shifted }) =>
      `nothing is sent: ${thousands(shifted)} of ${thousands(changed)} new numbers in stock are the present ones of the row above or below; has the column slipped by a line?`,
  }),

  stock_tenfold: stock({
    kind: toggle,
    default: true,
    limit: 'stock_tenfold',
    summary: `Send nothing when most of ${MANY_ROWS} or more new numbers in stock are ten times the present ones, or a tenth.`,
    label: 'Send nothing when numbers in stock are ten times up or down',
    holds: (_, { changed, tenfold }) => changed >= MANY_ROWS && tenfold > changed / 2,
    says: (_, { changed, tenfold }) =>
      `nothing is sent: ${thousands(tenfold)} of ${thousands(changed)} new numbers in stock are ten times the present ones, or a tenth; an extra zero, or a missing one?`,
  }),

  max_same_stock: stock({
    kind: share,
    default: 0.5,
    limit: 'max_same_stock',
    summary: `Send nothing when one number is the new stock of more than this share of ${MANY_ROWS} or more rows of a file.`,
    label: 'Largest share of equal new numbers in stock',
    holds: (limit, { changed, same }) => changed >= MANY_ROWS && same > limit * changed,
    says: (limit, { changed, same, number }) =>
      `nothing is sent: ${thousands(same)} of ${thousands(changed)} rows would get ${thousands(number)} in stock, over the limit of ${percentText(limit)}; a column gone wrong?`,
  }),

  // A fifth of a shop is seldom sold between two readings; a list that was cut lacks more. It stops what concludes something from absence.
  max_shrink: list({
    kind: share,
    default: 0.2,
    limit: 'max_shrink',
    summary: `Stop when the live list has lost ${MANY_ROWS} items or more, and more than this share, since it was last read.`,
    label: 'Largest share by which the live list shrinks',
    holds: (limit, { before, now }) => now < before && (before - now >= MANY_ROWS || now === 0) && before - now > limit * before,
    says: (limit, { before, now }) =>
      `${thousands(now)} of ${thousands(before)} are left, under the limit of ${percentText(1 - limit)}`,
  }),
} as const

export type GuardName = keyof typeof GUARDS
type Kind<N extends GuardName> = (typeof GUARDS)[N]['kind']

/** The limits above which prices are held. The `off` of a kind (null, false) switches a guard off. */
export type Guards = { readonly [N in GuardName]: ReturnType<Kind<N>['read']> }

/** The guards that a profile sets, as stored in the settings file. */
export type GuardSettings = { -readonly [N in GuardName]?: ReturnType<Kind<N>['store']> }

/** The words of the guards in `Limit`. */
export type GuardLimit = (typeof GUARDS)[GuardName]['limit']
