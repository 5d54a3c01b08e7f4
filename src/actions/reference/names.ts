/** Names for the ids of an item: the tree of categories and the payment types, read once and kept for a week. */
import type { Context } from '../../cli/context.js'
import type { CategoryValue } from '../../contract/index.js'
import type { Names, PairRecord } from '../../format/views/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { DAY_MS } from '../../system/durations.js'
import { keep, readKept } from './store.js'

/** How long names are used without asking again. `reference:categories` and `reference:payment-types` renew them at once. */
const MAX_AGE_MS = 7 * DAY_MS

interface Dated<T> {
  /** ms since 1970. */
  readonly at: number
  readonly list: readonly T[]
}

interface KeptNames {
  /** Id, name, id of the parent or 0. */
  readonly categories?: Dated<readonly [id: number, name: string, parent: number]>
  readonly payments?: Dated<readonly [id: number, name: string]>
}

export type NameKind = keyof KeptNames

type Asker = Pick<Context, 'dataDir' | 'profile' | 'clock' | 'signal'>

/** The names that are known after `load`; none before. */
export interface LoadedNames extends Names {
  /**
   * Reads the stored names, and asks the service for missing or old ones: one call for each kind. Fails only if it is
   * interrupted.
   */
  load(): Promise<void>
}

export function namesOf(ctx: Asker, client: SoapClient, kinds: readonly NameKind[]): LoadedNames {
  const categories = new Map<number, { readonly name: string; readonly parent: number }>()
  const payments = new Map<number, string>()
  return {
    async load() {
      const kept = await currentNames(ctx, client, kinds)
      for (const [id, name, parent] of kept.categories?.list ?? []) categories.set(id, { name, parent })
      for (const [id, name] of kept.payments?.list ?? []) payments.set(id, name)
    },
    category(id) {
      const found = categories.get(id)
      return found === undefined ? undefined : { name: found.name, path: pathTo(categories, id) }
    },
    payment: (id) => payments.get(id),
  }
}

function pathTo(categories: ReadonlyMap<number, { readonly name: string; readonly parent: number }>, id: number): string {
  const names: string[] = []
  // At most as many steps as there are categories, in case a damaged file contains a circle.
  for (let at = categories.get(id); at !== undefined && names.length <= categories.size; at = categories.get(at.parent)) {
    names.unshift(at.name)
  }
  return names.join(' > ')
}

async function currentNames(ctx: Asker, client: SoapClient, kinds: readonly NameKind[]): Promise<KeptNames> {
  const kept = (await readKept<KeptNames>(ctx, 'names')) ?? {}
  const now = ctx.clock.now()
  const old = kinds.filter((kind) => {
    const age = now - (kept[kind]?.at ?? Number.NEGATIVE_INFINITY)
    return !(age >= 0 && age < MAX_AGE_MS)
  })
  if (old.length === 0) return kept
  const { signal } = ctx
  const read = await Promise.all(
    old.map(async (kind): Promise<KeptNames> => {
      try {
        if (kind === 'categories') return keptCategories(await client.call('GetCategories', {}, { signal }), now)
        return keptPayments(await client.call('GetPaymentTypes', {}, { signal }), now)
      } catch {
        // An id without its name is better than no result, and an old name is better than none.
        signal.throwIfAborted()
        return {}
      }
    }),
  )
  const current = Object.assign({}, kept, ...read) as KeptNames
  if (read.some((part) => Object.keys(part).length > 0)) await keep(ctx, 'names', current)
  return current
}

function keptCategories(roots: readonly CategoryValue[], at: number): KeptNames {
  const list: [number, string, number][] = []
  const walk = (nodes: readonly CategoryValue[], parent: number): void => {
    for (const { Id, Name = '', Category } of nodes) {
      list.push([Id, Name, parent])
      walk(Category, Id)
    }
  }
  walk(roots, 0)
  return { categories: { at, list } }
}

function keptPayments(pairs: readonly PairRecord[], at: number): KeptNames {
  return { payments: { at, list: pairs.map(({ Id, Description = '' }) => [Id, Description]) } }
}

/** Stores what a command has just read from the service, so that names are as new as the last look. */
export async function keepNames(
  ctx: Asker,
  read: { readonly categories?: readonly CategoryValue[]; readonly payments?: readonly PairRecord[] },
): Promise<void> {
  const now = ctx.clock.now()
  const kept = (await readKept<KeptNames>(ctx, 'names')) ?? {}
  await keep(ctx, 'names', {
    ...kept,
    ...(read.categories === undefined ? {} : keptCategories(read.categories, now)),
    ...(read.payments === undefined ? {} : keptPayments(read.payments, now)),
  })
}

/** Passes on the rows after the names were loaded. An empty list makes no call, and the list itself is read first. */
export async function* withNames<T>(rows: AsyncIterable<T>, names: LoadedNames): AsyncGenerator<T, void> {
  let loaded = false
  for await (const row of rows) {
    if (!loaded) {
      await names.load()
      loaded = true
    }
    yield row
  }
}
