/**
 * The entry of a list at an index that lies within it. Nothing stands in for one that is missing: a slip would send item 0, at
 * price 0.
 * @throws {RangeError} for any other index, which is a fault of this program
 */
export function entryAt<T>(list: ArrayLike<T>, index: number): T {
  const entry = list[index]
  if (entry === undefined) throw new RangeError(`A list of ${list.length} has no entry ${index}.`)
  return entry
}

/**
 * The entry of a list that makes its entries when they are asked for.
 * @throws {RangeError} as entryAt
 */
export function madeAt<T>(list: { readonly length: number; at(index: number): T | undefined }, index: number): T {
  const entry = list.at(index)
  if (entry === undefined) throw new RangeError(`A list of ${list.length} has no entry ${index}.`)
  return entry
}
