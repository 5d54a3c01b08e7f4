/** The limits as rules of fields, so that a field refers to its rule and each number is written once (limits.ts). */
import {
  MAX_COMMENT_LENGTH,
  MAX_CONDITION_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_IMAGE_BYTES,
  MAX_OWN_REFERENCE_LENGTH,
  MAX_SHOP_ITEM_IMAGES,
  MAX_TITLE_LENGTH,
} from './limits.js'
import type { Rule } from './vocabulary.js'

export const TITLE_RULE: Rule = { maxLength: MAX_TITLE_LENGTH }
export const DESCRIPTION_RULE: Rule = { maxLength: MAX_DESCRIPTION_LENGTH }
export const CONDITION_RULE: Rule = { maxLength: MAX_CONDITION_LENGTH }
export const OWN_REFERENCE_RULE: Rule = { maxLength: MAX_OWN_REFERENCE_LENGTH }
export const COMMENT_RULE: Rule = { maxLength: MAX_COMMENT_LENGTH, why: 'the service keeps no more of a comment' }
export const IMAGE_RULE: Rule = { maxBytes: MAX_IMAGE_BYTES, why: 'the whole file, headers included, is at most 4 MB' }
export const SHOP_IMAGES_RULE: Rule = { maxItems: MAX_SHOP_ITEM_IMAGES }
export const ID_RULE: Rule = { min: 1 }
/** Prices are whole kronor (docs/service.md, Conventions). */
export const PRICE_RULE: Rule = { min: 1, why: 'prices are whole kronor, at least 1' }
export const PRICE_OR_NONE_RULE: Rule = { min: 0, why: 'prices are whole kronor; 0 means none' }
export const ACCEPTED_BIDDER_RULE: Rule = { oneOf: [1, 3, 4], why: '1 Sweden, 3 international, 4 EU' }
export const ATTRIBUTES_RULE: Rule = { oneOf: [1, 2], why: '1 new, 2 used' }

/** The limits of a rule in words, e.g. `1 to 14`, `at most 80 characters`; without its reason. */
export function limitWords({ min, max, maxLength, maxBytes, oneOf, maxItems }: Rule): string[] {
  const range =
    min === undefined
      ? max === undefined
        ? []
        : [`at most ${max}`]
      : [max === undefined ? `at least ${min}` : `${min} to ${max}`]
  const most = { characters: maxLength, bytes: maxBytes, entries: maxItems }
  return [
    ...(oneOf === undefined ? [] : [`one of ${oneOf.join(', ')}`]),
    ...range,
    ...Object.entries(most).flatMap(([unit, count]) => (count === undefined ? [] : [`at most ${count} ${unit}`])),
  ]
}
