/** Finds names that are not ids, and what looks them up. */
import { readInt } from '../../cli/values.js'
import type { AttributeInput } from './attributes.js'

/** Looks names up. Nothing is read before the first name; `where` is the flag or field, for messages. */
export interface Ids {
  /** Currency of the account, in which costs are. */
  readonly currency: string
  /** @throws {SellerError} unknown_name, ambiguous_name; what a call throws */
  category(text: string, where: string): Promise<number>
  payment(text: string, where: string): Promise<{ readonly id: number; readonly name: string }>
  /** The text of `--shipping` with ids only. */
  shipping(text: string, where: string): Promise<string>
  /** Texts `NAME=VALUE` as the attributes of a category. */
  attributes(category: number, texts: readonly string[], where: string): Promise<AttributeInput>
}

/** An id of a category, or words for it. @throws {SellerError} usage for what is neither */
export function readCategory(text: string, name: string, min = 1): number | string {
  return isName(text) ? text : readInt(text, name, { min })
}

/** Ids are digits. Anything else with a letter in it is a name; the rest is left to the strict readers to refuse. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text)
}
