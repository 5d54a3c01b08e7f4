/** Names for the ids of an item: categories, payment types, counties and shipping products, read once and kept for a week. */
import type { Context } from '../../cli/context.js'
import { type CategoryValue, publicExtended } from '../../contract/index.js'
import type { Output, View } from '../../format/output/index.js'
import type { Names } from '../../format/views/items.js'
import type { PairRecord } from '../../format/views/reference.js'
import type { SoapClient } from '../../soap/client/index.js'
import { DAY_MS } from '../../system/durations.js'
import { askOffered, productsIn, type ShippingProduct } from './extended.js'
import { keep, readKept } from './store.js'

/**
 * Time for which names are used without asking again. `reference:categories` and the other reference commands renew them at once.
 */
export const MAX_AGE_MS = 7 * DAY_MS

export interface Dated<T> {
  /** ms since 1970. */
  readonly at: number
  readonly list: readonly T[]
}

type KeptCategory = readonly [id: number, name: string, parent: number]
/** Files of earlier versions have no value. */
type KeptPair = readonly [id: number, name: string, value?: string]

interface KeptNames {
  /** Id, name, id of the parent or 0. */
  readonly categories?: Dated<KeptCategory>
  readonly payments?: Dated<KeptPair>
  readonly counties?: Dated<KeptPair>
  /** Empty if the service lists none, like the shipping options by their ids. */
  readonly shipping?: Dated<ShippingProduct>
  readonly shippingTypes?: Dated<KeptPair>
}

export type NameKind = keyof KeptNames

type Asker = Pick<Context, 'dataDir' | 'profile' | 'clock' | 'signal'>

/** A category without subcategories: only these can hold items (docs/service.md, Item requests). */
export interface Leaf {
  readonly id: number
  readonly name: string
  /** From the root to the leaf, e.g. `Glas > Vaser`. */
  readonly path: string
}

/** A payment type. */
export interface Payment {
  readonly id: number
  readonly name: string
  /** The service's short name; empty if it has none. */
  readonly value: string
}

/** Names are known once `load` is done. */
export interface LoadedNames extends Names {
  /**
   * Reads the stored names, and asks the service for missing or old ones: one call for each kind.
   * @param strict throws what a call throws; by default only an interruption, and a name that is not known stays unknown
   */
  load(strict?: 'strict'): Promise<void>
  leaves(): Leaf[]
  /** Ids of all categories below one; none for a leaf, and for one that is not known. */
  below(category: number): number[]
  payments(): Payment[]
  shippingProducts(): readonly ShippingProduct[]
  /** The obsolete options. */
  shippingOptions(): Pick<Leaf, 'id' | 'name'>[]
}

export function openNames(ctx: Asker, client: SoapClient, kinds: readonly NameKind[]): LoadedNames {
  const categories = new Map<number, { readonly name: string; readonly parent: number }>()
  const payments = new Map<number, Payment>()
  const counties = new Map<number, string>()
  const options = new Map<number, string>()
  let shipping: readonly ShippingProduct[] = []
  return {
    async load(strict) {
      const names = await currentNames(ctx, client, kinds, strict === 'strict')
      for (const [id, name, parent] of names.categories?.list ?? []) categories.set(id, { name, parent })
      for (const [id, name, value = ''] of names.payments?.list ?? []) payments.set(id, { id, name, value })
      for (const [id, name] of names.counties?.list ?? []) counties.set(id, name)
      for (const [id, name] of names.shippingTypes?.list ?? []) options.set(id, name)
      shipping = names.shipping?.list ?? []
    },
    category(id) {
      const category = categories.get(id)
      return category === undefined ? undefined : { name: category.name, path: pathTo(categories, id) }
    },
    payment: (id) => payments.get(id)?.name,
    county: (id) => counties.get(id),
    option: (id) => options.get(id),
    shipping: (provider, product) => shippingName(shipping, provider, product),
    leaves() {
      const parents = new Set([...categories.values()].map(({ parent }) => parent))
      const leaves = [...categories].filter(([id]) => !parents.has(id))
      return leaves.map(([id, { name }]) => ({ id, name, path: pathTo(categories, id) }))
    },
    below(category) {
      const ids = new Set([category])
      // A category may be listed before its parent: as many rounds as there are levels.
      for (let size = 0; size < ids.size; ) {
        size = ids.size
        for (const [id, { parent }] of categories) if (ids.has(parent)) ids.add(id)
      }
      ids.delete(category)
      return [...ids]
    },
    payments: () => [...payments.values()],
    shippingProducts: () => shipping,
    shippingOptions: () => [...options].map(([id, name]) => ({ id, name })),
  }
}

/** The stored name of a category, however old it is; null where none is stored. The service is not asked. */
export async function storedCategoryNames(ctx: Asker): Promise<(id: unknown) => string | null> {
  const { categories } = (await readKept<KeptNames>(ctx, 'names')) ?? {}
  const names = new Map<unknown, string>(categories?.list.map(([id, name]) => [id, name]))
  return (id) => names.get(id) ?? null
}

/** `Provider` or `Provider, product`. */
function shippingName(products: readonly ShippingProduct[], provider: number, product?: number | null): string | undefined {
  const own = products.filter(({ providerId }) => providerId === provider)
  const one = own.find(({ productId }) => productId === product)
  return one === undefined ? own[0]?.provider : `${one.provider}, ${one.product}`
}

function pathTo(categories: ReadonlyMap<number, { readonly name: string; readonly parent: number }>, id: number): string {
  const names: string[] = []
  // At most as many steps as there are categories, in case a damaged file contains a circle.
  for (let at = categories.get(id); at !== undefined && names.length <= categories.size; at = categories.get(at.parent)) {
    names.unshift(at.name)
  }
  return names.join(' > ')
}

/** Reads one kind from the service; undefined where it is not known whether the service has it. */
const READERS: { readonly [K in NameKind]: (ctx: Asker, client: SoapClient) => Promise<ReadNames[K]> } = {
  categories: (_, client) => client.call('GetCategories', {}),
  payments: (_, client) => client.call('GetPaymentTypes', {}),
  counties: (_, client) => client.call('GetCounties', {}),
  async shipping(ctx, client) {
    const answer = await askOffered(ctx, client, publicExtended.GetShippingOptions, {})
    return answer === undefined ? undefined : productsIn(answer)
  },
  async shippingTypes(ctx, client) {
    const pairs = await askOffered(ctx, client, publicExtended.GetShippingTypes, {})
    return pairs === undefined ? undefined : (pairs ?? [])
  },
}

async function currentNames(ctx: Asker, client: SoapClient, kinds: readonly NameKind[], strict: boolean): Promise<KeptNames> {
  const storedNames = (await readKept<KeptNames>(ctx, 'names')) ?? {}
  const old = kinds.filter((kind) => !isCurrent(storedNames[kind], ctx.clock.now()))
  const lists: ReadNames[] = await Promise.all(
    old.map(async (kind) => {
      try {
        return { [kind]: await READERS[kind](ctx, client) }
      } catch (error) {
        // An id without its name is better than no result, and an old name is better than none.
        ctx.signal.throwIfAborted()
        if (strict && storedNames[kind] === undefined) throw error
        return {}
      }
    }),
  )
  const readNames: ReadNames = Object.assign({}, ...lists)
  return Object.values(readNames).some((list) => list !== undefined) ? keepNames(ctx, readNames) : storedNames
}

/** @param now ms since 1970 */
export function isCurrent(list: Dated<unknown> | undefined, now: number): boolean {
  const age = now - (list?.at ?? Number.NEGATIVE_INFINITY)
  return age >= 0 && age < MAX_AGE_MS
}

function keptCategories(roots: readonly CategoryValue[], parent = 0): KeptCategory[] {
  return roots.flatMap(({ Id, Name = '', Category }) => [[Id, Name, parent], ...keptCategories(Category, Id)])
}

function keptPairs(pairs: readonly PairRecord[]): KeptPair[] {
  return pairs.map(({ Id, Description = '', Value = '' }) => [Id, Description, Value])
}

/** Names just read from the service; an undefined kind stays as it is kept. */
interface ReadNames {
  readonly categories?: readonly CategoryValue[]
  readonly payments?: readonly PairRecord[]
  readonly counties?: readonly PairRecord[]
  readonly shipping?: readonly ShippingProduct[]
  readonly shippingTypes?: readonly PairRecord[]
}

/** Stores what was just read, so that names are as new as the last look. @returns all that are kept then */
export async function keepNames(
  ctx: Asker,
  { categories, payments, counties, shipping, shippingTypes }: ReadNames,
): Promise<KeptNames> {
  const at = ctx.clock.now()
  const dated = <K extends NameKind, T>(kind: K, list: readonly T[] | undefined) =>
    list === undefined ? {} : { [kind]: { at, list } }
  const names: KeptNames = {
    ...(await readKept<KeptNames>(ctx, 'names')),
    ...dated('categories', categories && keptCategories(categories)),
    ...dated('payments', payments && keptPairs(payments)),
    ...dated('counties', counties && keptPairs(counties)),
    ...dated('shipping', shipping),
    ...dated('shippingTypes', shippingTypes && keptPairs(shippingTypes)),
  }
  await keep(ctx, 'names', names)
  return names
}

/**
 * The kinds of names that a view shows.
 * @param columns those that names are read for
 * @param ids those that only a person sees by name
 */
export function shownKinds<T>(
  output: Output,
  view: View<T>,
  columns: Partial<Readonly<Record<NameKind, readonly string[]>>>,
  ids: Partial<Readonly<Record<NameKind, string>>> = {},
): NameKind[] {
  const isShown = (name: string | undefined) => name !== undefined && output.shows(view, name)
  const kinds = Object.keys(columns) as NameKind[]
  return kinds.filter((kind) => columns[kind]?.some(isShown) || (output.human && isShown(ids[kind])))
}

/** Passes on the rows after the names were loaded. An empty list makes no call, and the list itself is read first. */
export async function* withNames<T>(rows: AsyncIterable<T>, names: LoadedNames): AsyncGenerator<T, void> {
  let isLoaded = false
  for await (const row of rows) {
    if (!isLoaded) {
      await names.load()
      isLoaded = true
    }
    yield row
  }
}
