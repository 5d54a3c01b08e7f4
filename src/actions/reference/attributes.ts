/** Attributes that a category asks of an item, read once and kept for a week (docs/service.md, Attributes of a category). */
import type { Context } from '../../cli/context.js'
import { isKnownToOffer } from '../../cli/saved-description.js'
import { publicExtended } from '../../contract/index.js'
import type { AttributeRecord } from '../../format/views/reference.js'
import type { SoapClient } from '../../soap/client/index.js'
import { callExtended } from './extended.js'
import { type Dated, isCurrent } from './names.js'
import { keep, readKept } from './store.js'

type Kept = Readonly<Record<string, Dated<AttributeRecord>>>

/**
 * The attributes of a category.
 * @param fresh whether to ask the service even if they are kept
 * @returns undefined where the service does not list any
 * @throws what the client throws
 */
export async function loadAttributes(
  ctx: Context,
  client: () => Promise<SoapClient>,
  category: number,
  fresh = false,
): Promise<readonly AttributeRecord[] | undefined> {
  const stored = (await keptAttributes(ctx)).get(category)
  if (stored !== undefined && !fresh) return stored
  const { GetAttributeDefinitions } = publicExtended
  if (!(await isKnownToOffer(ctx, GetAttributeDefinitions.name, 'PublicService'))) return undefined
  const list = (await callExtended(await client(), GetAttributeDefinitions, { categoryId: category })) ?? []
  const others = (await readKept<Kept>(ctx, 'attributes')) ?? {}
  const current = Object.entries(others).filter(([, one]) => isCurrent(one, ctx.clock.now()))
  await keep<Kept>(ctx, 'attributes', { ...Object.fromEntries(current), [category]: { at: ctx.clock.now(), list } })
  return list
}

/** The attributes of the categories that were read within the week. Nothing is asked. */
export async function keptAttributes(
  ctx: Pick<Context, 'dataDir' | 'profile' | 'clock'>,
): Promise<ReadonlyMap<number, readonly AttributeRecord[]>> {
  const entries = Object.entries((await readKept<Kept>(ctx, 'attributes')) ?? {})
  return new Map(entries.flatMap(([id, one]) => (isCurrent(one, ctx.clock.now()) ? [[Number(id), one.list] as const] : [])))
}
