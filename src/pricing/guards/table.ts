/**
 * The guards over prices, numbers in stock, additions and removals; this is the only list of them. The values of --allow in the
 * commands that send them, the settings of a profile, the table in docs/commands.md and the messages follow from it. They are
 * checked in this order: the first guard that a row breaks holds it.
 */
import { count, money, say, type Words } from '../../messages/index.js'
import {
  type AdditionFacts,
  changeText,
  type EqualFacts,
  exceeds,
  type FieldFacts,
  type ListFacts,
  MANY_ROWS,
  percentText,
  type RemovalFacts,
  type RowFacts,
  type StockFacts,
  type UpdateFacts,
  type WholeFacts,
} from './facts.js'
import { kronor, type LimitKind, margin, type StoredLimit, share, toggle } from './kinds.js'
import { lowestPrice, priceForMargin } from './margins.js'

/**
 * Facts that guards judge: one new price, the rows that would get the same one, or all that would be sent of one kind, or
 * concluded from a list.
 */
interface Facts {
  readonly row: RowFacts
  readonly equal: EqualFacts
  /** If such a guard or one of those below is broken, nothing is sent. */
  readonly whole: WholeFacts
  readonly additions: AdditionFacts
  readonly removals: RemovalFacts
  readonly stock: StockFacts
  readonly field: FieldFacts
  readonly updates: UpdateFacts
  readonly list: ListFacts
}
export type Over = keyof Facts

export interface Guard<
  O extends Over,
  T = unknown,
  S extends StoredLimit = StoredLimit,
  L extends string = string,
  V extends object = object,
> {
  readonly over: O
  readonly kind: LimitKind<T, S>
  readonly default: T
  /** The code of its holds in plans and scripts (`Code`, `Limit`, `HeldBy`). It never changes. */
  readonly limit: L
  /** Effect, for the help of --allow. The default is added. */
  readonly summary: string
  /** The meaning of the value, for the profile. */
  readonly label: string
  /**
   * Another guard that gives the limit if neither its own flag nor the profile does. `same`: the limit of that guard. `at least`:
   * not below the limit typed for that guard, so that a discount needs one flag instead of two.
   */
  readonly follows?: { readonly guard: string; readonly how: 'same' | 'at least' }
  /** Flag that lets a held price through, where the guard's own flag alone does not. */
  readonly lets?: string
  /** True if it also checks prices of auctions. */
  readonly auctions?: true
  /** True if a guard over one row compares with the current price, so that an item without one cannot be checked. */
  readonly compares?: true
  /** True if a price is over the limit. Not called if the guard is off. */
  holds(limit: NonNullable<T>, facts: Facts[O]): boolean
  /** The values of a hold, for scripts, the ledger and its words. Amounts are kronor, shares 0 to 1. Names are never renamed. */
  values(limit: NonNullable<T>, facts: Facts[O]): V
  /** Values of a hold, for the documents. */
  readonly example: V
  /** Why the price is held: a sentence without a full stop. */
  says(values: V): Words
}

const over =
  <O extends Over>(kind: O) =>
  <T, S extends StoredLimit, const L extends string, V extends object>(
    guard: Omit<Guard<O, T, S, L, V>, 'over'>,
  ): Guard<O, T, S, L, V> => ({
    over: kind,
    ...guard,
  })
const row = over('row')
const equal = over('equal')
const whole = over('whole')
const additions = over('additions')
const removals = over('removals')
const stock = over('stock')
const field = over('field')
const updates = over('updates')
const list = over('list')

/** A text with fewer characters is replaced rather than shortened. */
const SHORT_TEXT = 20

/** The days whose prices `max_drift` knows. */
export const DRIFT_DAYS = 14

export const GUARDS = {
  min_price: row({
    kind: kronor,
    default: null,
    limit: 'min_price',
    summary: 'Hold prices below this.',
    label: 'Lowest price, kronor',
    auctions: true,
    holds: (limit, { price }) => price < limit,
    values: (Limit, { price: Price }) => ({ Price, Limit }),
    example: { Price: 24, Limit: 50 },
    says: ({ Price, Limit }) => say`${money(Price)} is below the minimum of ${money(Limit)}`,
  }),

  // Before max_change, because it names the more likely cause.
  factor_ten: row({
    kind: toggle,
    default: true,
    limit: 'factor_ten',
    summary: 'Hold a price ten times the present one or more, or a tenth or less.',
    label: 'Hold prices ten times up or down',
    // Such a change is over most limits of max_change too.
    lets: '--allow factor_ten with --allow max_change',
    auctions: true,
    compares: true,
    holds: (_, { old, price }) => price >= old * 10 || price * 10 <= old,
    values: (_, { old: Old, price: Price }) => ({ Old, Price }),
    example: { Old: 249, Price: 24 },
    says: ({ Old, Price }) =>
      Price > Old
        ? say`${money(Price)} is ten times the current ${money(Old)} or more: an extra zero, or öre read as kronor?`
        : say`${money(Price)} is a tenth or less of the current ${money(Old)}: is a zero missing?`,
  }),

  // 0 %: costs are stored so that prices stay above them. Before max_change, because a file of purchase prices often has half of
  // the present ones.
  min_margin: row({
    kind: margin,
    default: 0,
    limit: 'min_margin',
    summary: 'Hold a price below its known cost plus this margin, or below its lowest price (shop:costs).',
    label: 'Least margin over the known cost',
    lets: 'the right cost to shop:costs, or --allow min_margin=PERCENT',
    auctions: true,
    holds: (limit, { price, cost }) => cost !== undefined && price < lowestPrice(cost, limit),
    values(Limit, { price: Price, cost }) {
      if (cost === undefined) throw new TypeError('A price is held by its cost, and has none.')
      const Least = lowestPrice(cost, Limit)
      const Own = cost.cost === undefined || priceForMargin(cost.cost, Limit, cost.vat) < Least
      return { Price, Least, Cost: cost.cost === undefined ? null : cost.cost / 100, Vat: cost.vat, Limit, Own }
    },
    example: { Price: 24, Least: 31, Cost: 20, Vat: 0.25, Limit: 0.2, Own: false },
    says({ Price, Least, Cost, Vat, Limit, Own }) {
      if (Own || Cost === null) return say`${money(Price)} is below ${money(Least)}, the lowest price of the item (shop:costs)`
      const margin = Limit === 0 ? '' : `a margin of ${percentText(Limit)}`
      const limitWords =
        Vat === 'margin'
          ? say` under the margin scheme${margin && ` and ${margin}`}`
          : say`${margin === '' ? ' and' : ','} ${percentText(Vat)} VAT${margin && ` and ${margin}`}`
      return say`${money(Price)} is below ${money(Least)}, which covers its cost of ${money(Cost)}${limitWords}`
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
    values: (Limit, { old: Old, price: Price }) => ({ Old, Price, Limit }),
    example: { Old: 499, Price: 749, Limit: 0.5 },
    says: ({ Old, Price, Limit }) =>
      say`${money(Old)} to ${money(Price)} is ${changeText(Old, Price)}; the limit is ${percentText(Limit)}`,
  }),

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
    values: (Limit, { price: Price, first: First }) => ({ First, Price, Limit, Days: DRIFT_DAYS }),
    example: { First: 499, Price: 749, Limit: 0.5, Days: DRIFT_DAYS },
    says: ({ First, Price, Limit, Days }) =>
      say`${money(Price)} is ${changeText(First, Price)} from ${money(First)}, its first price in ${Days} days; the limit is ${percentText(Limit)}. Does a rule run repeatedly?`,
  }),

  max_same: equal({
    kind: share,
    default: 0.5,
    limit: 'same_price',
    summary: `Hold one price that more than this share of ${MANY_ROWS} or more changed rows would get.`,
    label: 'Largest share of equal new prices',
    auctions: true,
    holds: (limit, { same, changed }) => changed >= MANY_ROWS && same > limit * changed,
    values: (Limit, { price: Price, same: Same, changed: Changed }) => ({ Price, Same, Changed, Limit }),
    example: { Price: 100, Same: 9, Changed: 12, Limit: 0.5 },
    says: ({ Price, Same, Changed, Limit }) =>
      say`${count(Same)} of ${count(Changed)} changed rows would get ${money(Price)}; the limit is ${percentText(Limit)}. Wrong rule or column?`,
  }),

  // A price without VAT is a fifth lower, which passes every guard over single rows.
  whole_ratio: whole({
    kind: toggle,
    default: true,
    limit: 'whole_ratio',
    summary:
      'Send nothing when the prices of a file look like the current ones without VAT, without their decimal sign, or in another currency.',
    label: 'Send nothing when a whole file looks like prices without VAT or in another currency',
    lets: '--prices gross, or --allow whole_ratio',
    holds: (_, { ratio }) => ratio !== undefined,
    values: (_, { ratio }) => ({
      Kind: ratio?.kind ?? 'vat',
      Factor: ratio?.factor ?? 1,
      Rows: ratio?.rows ?? 0,
      Of: ratio?.of ?? 0,
    }),
    example: { Kind: 'vat', Factor: 1.25, Rows: 8, Of: 9 },
    says: ({ Kind, Factor, Rows, Of }) =>
      Kind === 'vat'
        ? say`nothing is sent: ${count(Rows)} of ${count(Of)} prices are the current ones without VAT of ${percentText(Factor - 1)}. If they are without VAT, give --prices net`
        : Kind === 'decimals'
          ? say`nothing is sent: ${count(Rows)} of ${count(Of)} current prices are ${String(Factor)} times those of the file; was a decimal sign lost or added?`
          : say`nothing is sent: ${count(Rows)} of ${count(Of)} current prices are about ${String(Factor)} times those of the file; are these in another currency?`,
  }),

  // Similar prices pass every guard over single rows when they slip by a line.
  shifted: whole({
    kind: toggle,
    default: true,
    limit: 'shifted',
    summary: `Send nothing when most of ${MANY_ROWS} or more new prices are the present prices of the row above or below.`,
    label: 'Send nothing when prices have slipped by a line',
    holds: (_, { changed, shifted }) => changed >= MANY_ROWS && shifted > changed / 2,
    values: (_, { shifted: Shifted, changed: Changed }) => ({ Shifted, Changed }),
    example: { Shifted: 9, Changed: 12 },
    says: ({ Shifted, Changed }) =>
      say`nothing is sent: ${count(Shifted)} of ${count(Changed)} new prices are the current ones of the next or previous row. Has the column slipped by a line?`,
  }),

  max_held: whole({
    kind: share,
    default: 0.1,
    limit: 'max_held',
    summary: `Send nothing when more than this share of ${MANY_ROWS} or more changed rows is held.`,
    label: 'Largest share of held rows',
    auctions: true,
    holds: (limit, { changed, held }) => changed >= MANY_ROWS && held > limit * changed,
    values: (Limit, { held: Held, changed: Changed }) => ({ Held, Changed, Limit }),
    example: { Held: 8, Changed: 40, Limit: 0.1 },
    says: ({ Held, Changed, Limit }) =>
      say`nothing is sent: ${count(Held)} of ${count(Changed)} rows that change (${percentText(Held / Changed)}) are held, over the limit of ${percentText(Limit)}; is it the right column?`,
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
    values: (Limit, { total: Total, totalAfter: TotalAfter, totalOf: Of }) => ({ Total, TotalAfter, Of, Limit }),
    example: { Total: 1000, TotalAfter: 600, Of: 'shop', Limit: 0.3 },
    says: ({ Total, TotalAfter, Of, Limit }) =>
      say`nothing is sent: the sum of all prices in the ${Of} would fall from ${money(Total)} to ${money(TotalAfter)} (${changeText(Total, TotalAfter)}), over the limit of ${percentText(Limit)}`,
  }),

  // Before max_added, because it names the more likely cause: the items are there, under other references.
  max_live_titles: additions({
    kind: share,
    default: 0.1,
    limit: 'max_live_titles',
    summary: `Send nothing when more than this share of ${MANY_ROWS} or more new items have the title of a live one.`,
    label: 'Largest share of new items with a title that is live',
    holds: (limit, { rows, titled }) => rows >= MANY_ROWS && titled > limit * rows,
    values: (Limit, { rows: Rows, titled: Titled }) => ({ Rows, Titled, Limit }),
    example: { Rows: 40, Titled: 12, Limit: 0.1 },
    says: ({ Rows, Titled, Limit }) =>
      say`nothing is sent: ${count(Titled)} of ${count(Rows)} new items have the title of a live one, over the limit of ${percentText(Limit)}; are they in the shop under other own references?`,
  }),

  // An empty shop is filled by its first file.
  max_added: additions({
    kind: share,
    default: 0.1,
    limit: 'max_added',
    summary: `Send nothing when ${MANY_ROWS} or more new items are more than this share of the items in the shop, unless it is empty.`,
    label: 'Largest share of the shop that a file adds',
    holds: (limit, { rows, items }) => rows >= MANY_ROWS && items > 0 && rows > limit * items,
    values: (Limit, { rows: Rows, items: Items }) => ({ Rows, Items, Limit }),
    example: { Rows: 400, Items: 1000, Limit: 0.1 },
    says: ({ Rows, Items, Limit }) =>
      say`nothing is sent: ${count(Rows)} new items for a shop of ${count(Items)} (${percentText(Rows / Items)}), over the limit of ${percentText(Limit)}; is it a whole catalogue?`,
  }),

  max_removed: removals({
    kind: share,
    default: 0.1,
    limit: 'max_removed',
    summary: `Send nothing when ${MANY_ROWS} or more items would be removed that are more than this share of the shop.`,
    label: 'Largest share of the shop that a file removes',
    holds: (limit, { rows, items }) => rows >= MANY_ROWS && rows > limit * items,
    values: (Limit, { rows: Rows, items: Items }) => ({ Rows, Items, Limit }),
    example: { Rows: 400, Items: 1000, Limit: 0.1 },
    says: ({ Rows, Items, Limit }) =>
      say`nothing is sent: ${count(Rows)} of ${count(Items)} shop items would be removed (${percentText(Rows / Math.max(1, Items))}), over the limit of ${percentText(Limit)}; is it the whole catalogue, or the wrong file?`,
  }),

  stock_is_price: stock({
    kind: toggle,
    default: true,
    limit: 'stock_is_price',
    summary: `Send nothing when most of ${MANY_ROWS} or more new numbers in stock are the prices of their items.`,
    label: 'Send nothing when numbers in stock are the prices',
    holds: (_, { changed, priced }) => changed >= MANY_ROWS && priced > changed / 2,
    values: (_, { changed: Changed, priced: Priced }) => ({ Changed, Priced }),
    example: { Changed: 12, Priced: 9 },
    says: ({ Changed, Priced }) =>
      say`nothing is sent: ${count(Priced)} of ${count(Changed)} new numbers in stock are the prices of their items; is it the price column?`,
  }),

  stock_shifted: stock({
    kind: toggle,
    default: true,
    limit: 'stock_shifted',
    summary: `Send nothing when most of ${MANY_ROWS} or more new numbers in stock are the present ones of the row above or below.`,
    label: 'Send nothing when numbers in stock have slipped by a line',
    holds: (_, { changed, shifted }) => changed >= MANY_ROWS && shifted > changed / 2,
    values: (_, { changed: Changed, shifted: Shifted }) => ({ Changed, Shifted }),
    example: { Changed: 12, Shifted: 9 },
    says: ({ Changed, Shifted }) =>
      say`nothing is sent: ${count(Shifted)} of ${count(Changed)} new numbers in stock are the current ones of the next or previous row. Has the column slipped by a line?`,
  }),

  stock_tenfold: stock({
    kind: toggle,
    default: true,
    limit: 'stock_tenfold',
    summary: `Send nothing when most of ${MANY_ROWS} or more new numbers in stock are ten times the present ones, or a tenth.`,
    label: 'Send nothing when numbers in stock are ten times up or down',
    holds: (_, { changed, tenfold }) => changed >= MANY_ROWS && tenfold > changed / 2,
    values: (_, { changed: Changed, tenfold: Tenfold }) => ({ Changed, Tenfold }),
    example: { Changed: 12, Tenfold: 9 },
    says: ({ Changed, Tenfold }) =>
      say`nothing is sent: ${count(Tenfold)} of ${count(Changed)} new numbers in stock are ten times the current ones, or a tenth; an extra zero, or a missing one?`,
  }),

  max_same_stock: stock({
    kind: share,
    default: 0.5,
    limit: 'max_same_stock',
    summary: `Send nothing when one number is the new stock of more than this share of ${MANY_ROWS} or more rows of a file.`,
    label: 'Largest share of equal new numbers in stock',
    holds: (limit, { changed, same }) => changed >= MANY_ROWS && same > limit * changed,
    values: (Limit, { changed: Changed, same: Same, number: Quantity }) => ({ Changed, Same, Quantity, Limit }),
    example: { Changed: 40, Same: 30, Quantity: 1, Limit: 0.5 },
    says: ({ Changed, Same, Quantity, Limit }) =>
      say`nothing is sent: ${count(Same)} of ${count(Changed)} rows would get ${count(Quantity)} in stock, over the limit of ${percentText(Limit)}; a column gone wrong?`,
  }),

  emptied_text: field({
    kind: toggle,
    default: true,
    limit: 'emptied_text',
    summary: 'Hold an item if one of its texts would be emptied.',
    label: 'Hold texts that would be emptied',
    holds: (_, { before, after }) => (before ?? 0) > 0 && after === 0,
    values: (_, { field: Field, before }) => ({ Field, Characters: before ?? 0 }),
    example: { Field: 'Description', Characters: 420 },
    says: ({ Characters }) => say`its ${count(Characters, 'character')} would be replaced by nothing`,
  }),

  max_shortened: field({
    kind: share,
    default: 0.7,
    limit: 'max_shortened',
    summary: 'Hold an item if one of its texts would be shortened by more than this.',
    label: 'Largest share by which a text is shortened',
    holds: (limit, { before, after }) =>
      before !== null && after !== null && before >= SHORT_TEXT && before - after > limit * before,
    values: (Limit, { field: Field, before, after }) => ({ Field, Before: before ?? 0, After: after ?? 0, Limit }),
    example: { Field: 'Description', Before: 420, After: 12, Limit: 0.7 },
    says: ({ Before, After, Limit }) =>
      say`shortened from ${count(Before, 'character')} to ${count(After)}; the limit is ${percentText(Limit)}`,
  }),

  other_branch: field({
    kind: toggle,
    default: true,
    limit: 'other_branch',
    summary: 'Hold an item that would move to a category of another branch.',
    label: 'Hold items that would move to another branch of categories',
    holds: (_, { branch, newBranch }) => branch !== null && newBranch !== null && branch !== newBranch,
    values: (_, { field: Field, branch, newBranch }) => ({ Field, Branch: branch ?? '', NewBranch: newBranch ?? '' }),
    example: { Field: 'CategoryId', Branch: 'Antikt', NewBranch: 'Mynt' },
    says: ({ Branch, NewBranch }) => say`from the branch ${Branch} to ${NewBranch}`,
  }),

  // Before max_titles, because it names the more likely cause: one column was sorted, or has slipped by a line.
  titles_moved: updates({
    kind: toggle,
    default: true,
    limit: 'titles_moved',
    summary: `Send nothing when most of ${MANY_ROWS} or more new titles are the present titles of other items.`,
    label: 'Send nothing when titles are those of other items',
    holds: (_, { titles, moved }) => titles >= MANY_ROWS && moved > titles / 2,
    values: (_, { titles: Titles, moved: Moved }) => ({ Titles, Moved }),
    example: { Titles: 40, Moved: 38 },
    says: ({ Titles, Moved }) =>
      say`nothing is sent: ${count(Moved)} of ${count(Titles)} new titles are the current ones of other items. Was one column sorted, or has it slipped by a line?`,
  }),

  max_same_title: updates({
    kind: share,
    default: 0.5,
    limit: 'max_same_title',
    summary: `Send nothing when more than this share of ${MANY_ROWS} or more changed titles would be the same one.`,
    label: 'Largest share of equal new titles',
    holds: (limit, { titles, same }) => titles >= MANY_ROWS && same > limit * titles,
    values: (Limit, { titles: Titles, same: Same, title: Title }) => ({ Titles, Same, Title, Limit }),
    example: { Titles: 40, Same: 30, Title: 'Mugg', Limit: 0.5 },
    says: ({ Titles, Same, Title, Limit }) =>
      say`nothing is sent: ${count(Same)} of ${count(Titles)} changed titles would be "${Title}", over the limit of ${percentText(Limit)}`,
  }),

  max_titles: updates({
    kind: share,
    default: 0.3,
    limit: 'max_titles',
    summary: `Send nothing when ${MANY_ROWS} or more titles would change that are more than this share of the shop.`,
    label: 'Largest share of the shop whose titles change',
    holds: (limit, { titles, items }) => titles >= MANY_ROWS && titles > limit * items,
    values: (Limit, { titles: Titles, items: Items }) => ({ Titles, Items, Limit }),
    example: { Titles: 400, Items: 1000, Limit: 0.3 },
    says: ({ Titles, Items, Limit }) =>
      say`nothing is sent: ${count(Titles)} of ${count(Items)} titles in the shop would change (${percentText(Titles / Math.max(1, Items))}), over the limit of ${percentText(Limit)}; is it the right column?`,
  }),

  // Before max_images, because it names the more likely cause.
  max_same_image: updates({
    kind: share,
    default: 0.5,
    limit: 'max_same_image',
    summary: `Send nothing when more than this share of ${MANY_ROWS} or more items would get the same first image.`,
    label: 'Largest share of equal first images',
    holds: (limit, { images, sameImage }) => images >= MANY_ROWS && sameImage > limit * images,
    values: (Limit, { images: Items, sameImage: Same, image: Image }) => ({ Items, Same, Image, Limit }),
    example: { Items: 40, Same: 30, Image: 'mugg.jpg', Limit: 0.5 },
    says: ({ Items, Same, Image, Limit }) =>
      say`nothing is sent: ${count(Same)} of ${count(Items)} items would get the image ${Image} first, over the limit of ${percentText(Limit)}`,
  }),

  max_images: updates({
    kind: share,
    default: 0.3,
    limit: 'max_images',
    summary: `Send nothing when the images of ${MANY_ROWS} or more items would be replaced that are more than this share of the shop.`,
    label: 'Largest share of the shop whose images are replaced',
    holds: (limit, { replaced, items }) => replaced >= MANY_ROWS && replaced > limit * items,
    values: (Limit, { replaced: Replaced, items: Items }) => ({ Replaced, Items, Limit }),
    example: { Replaced: 400, Items: 1000, Limit: 0.3 },
    says: ({ Replaced, Items, Limit }) =>
      say`nothing is sent: the images of ${count(Replaced)} of ${count(Items)} items would be replaced (${percentText(Replaced / Math.max(1, Items))}), over the limit of ${percentText(Limit)}`,
  }),

  // A fifth of a shop is seldom sold between two readings; a list that was cut lacks more. It stops what concludes something from
  // absence.
  max_shrink: list({
    kind: share,
    default: 0.2,
    limit: 'max_shrink',
    summary: `Stop when the live list has lost ${MANY_ROWS} items or more, and more than this share, since it was last read.`,
    label: 'Largest share by which the live list shrinks',
    holds: (limit, { before, now }) => now < before && (before - now >= MANY_ROWS || now === 0) && before - now > limit * before,
    values: (Limit, { before: Before, now: Now }) => ({ Before, Now, Limit }),
    example: { Before: 1000, Now: 600, Limit: 0.2 },
    says: ({ Before, Now, Limit }) =>
      say`${count(Now)} of ${count(Before)} are left, under the limit of ${percentText(1 - Limit)}`,
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
