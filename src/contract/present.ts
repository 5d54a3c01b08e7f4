type Missable<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** An object whose keys without a value may be missing, and are never undefined. */
export type Present<T> = Omit<T, Missable<T>> & { [K in Missable<T>]?: Exclude<T[K], undefined> }

/**
 * Leaves out the keys whose value is undefined, for records that are stored, compared or printed: there a missing key says so.
 */
export function present<const T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>
}
