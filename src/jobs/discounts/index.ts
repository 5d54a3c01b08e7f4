/** The door of discounts: prices that begin and end at a time, on top of the jobs of rows. */
export { heldInNewDiscounts, PricesDuringDiscounts } from './during.js'
export { discountJobs, dropDiscount, endDiscountNow, normalPrices } from './end.js'
export { type DiscountItemRow, DiscountMembers, discountItems, discountsWithItems, movableItems } from './items.js'
export { LiveShop } from './live-shop.js'
export type { MadeJob } from './pieces.js'
export {
  type DiscountJob,
  type DiscountPart,
  isLastTry,
  overtakenJobs,
  startsDiscount,
  takeInResults,
  unsettledJobs,
} from './results.js'
export { planStep } from './step.js'
export { discountName, readTerms } from './terms.js'
export { begins, isMissed, scheduleDiscounts, turnDiscounts } from './turns.js'
