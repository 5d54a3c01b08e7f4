/** How the item is sent, by name where the service has names: as many ways as the service takes, with the cost of each. */
import type { Choice } from '../../cli/prompts.js'
import { takesProviders } from '../../cli/saved-description.js'
import { SHIPPING_OPTIONS } from '../../contract/index.js'
import { kronor } from '../../format/output/index.js'
import { type ShippingRecord, shippingFlag, shippingTitle } from '../../format/views/index.js'
import { holdsAll, wordsOf } from '../reference/match.js'
import { knownShipping } from '../reference/shipping.js'
import type { Session } from './session.js'

const DONE = 'done'
const OTHER = 'other'

interface Way {
  /** What --shipping takes, without the cost. */
  readonly text: string
  readonly name: string
  /** Kronor; undefined if none is usual. */
  readonly cost: number | undefined
  readonly free: boolean
}

export async function askForShipping(session: Session): Promise<void> {
  const { prompts } = session.ctx
  const ways = await waysOf(session)
  const by = (await takesProviders(session.ctx)) ? 'provider' : 'option'
  const chosen: string[] = []
  for (;;) {
    const left = ways.filter((way) => !chosen.some((text) => isOf(way, text)) && isFree(session, chosen, way.text))
    // Nothing more may be added.
    if (chosen.length > 0 && left.length === 0) break
    const picked = await prompts.search({
      message: chosen.length === 0 ? 'Shipping' : 'Another way of shipping',
      source: (term) =>
        choicesFor(left, term, { first: chosen.length === 0, other: isFree(session, chosen, `${by}=1`) ? by : undefined }),
    })
    if (picked === DONE) break
    chosen.push(
      await withCost(
        session,
        left.find(({ text }) => text === picked),
        { chosen, by },
      ),
    )
  }
  session.set('shipping', chosen)
}

async function waysOf(session: Session): Promise<Way[]> {
  const records = await knownShipping(session.ctx, await session.client())
    .then((known) => known.records)
    .catch((error: unknown) => {
      session.ctx.signal.throwIfAborted()
      session.ctx.output.warn(`Ways of shipping cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`)
      return PICKUP_ONLY
    })
  return records.map((record) => ({
    text: flagOf(record),
    name: nameOf(record),
    cost: record.Cost ?? undefined,
    free: record.ShippingOptionId === SHIPPING_OPTIONS.pickup,
  }))
}

const PICKUP_ONLY: readonly ShippingRecord[] = [
  {
    ...{ Name: 'pickup', ShippingOptionId: SHIPPING_OPTIONS.pickup, ShippingProviderId: null, ShippingProductId: null },
    ...{ Weight: null, Cost: 0, Items: 0, From: 'known' },
  },
]

/** The weight of a product is the most that it takes. */
function flagOf(record: ShippingRecord): string {
  if (record.ShippingOptionId !== null && record.ShippingOptionId !== SHIPPING_OPTIONS.pickup)
    return `option=${record.ShippingOptionId}`
  return `${shippingFlag(record)}${record.Weight === null ? '' : `,weight=${record.Weight}`}`
}

function nameOf(record: ShippingRecord): string {
  const title = shippingTitle(record)
  const facts = [
    ...(record.Cost === null || record.Cost === 0 ? [] : [kronor(record.Cost)]),
    ...(record.Items === 0 ? [] : [record.Items === 1 ? 'on 1 of your items' : `on ${record.Items} of your items`]),
  ]
  return `${title.charAt(0).toUpperCase()}${title.slice(1).replaceAll('-', ' ')}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** A listing without a way to the buyer is not one, so there is an end only after the first. */
function choicesFor(
  ways: readonly Way[],
  term: string,
  { first, other }: { readonly first: boolean; readonly other: 'provider' | 'option' | undefined },
): Choice[] {
  const end: Choice[] = first ? [] : [{ value: DONE, name: 'No more' }]
  const more: Choice[] = other === undefined ? [] : [{ value: OTHER, name: `Another ${other}, by its id` }]
  const all = [...end, ...ways.map(({ text, name }) => ({ value: text, name })), ...more]
  return all.filter(({ name }) => holdsAll(name, wordsOf(term)))
}

async function withCost(
  session: Session,
  way: Way | undefined,
  { chosen, by }: { readonly chosen: readonly string[]; readonly by: 'provider' | 'option' },
): Promise<string> {
  if (way?.free === true) return way.text
  const { prompts } = session.ctx
  const asked = { kind: 'text', flag: '--shipping' } as const
  let text = way?.text
  if (text === undefined) {
    const check = (id: string) => session.faultOf('shipping', [...chosen, `${by}=${id}`])
    const { id } = await prompts.fill([
      { ...asked, key: 'id', message: `${by === 'provider' ? 'Provider' : 'Option'} id`, check },
    ])
    text = `${by}=${id}`
  }
  const check = (cost: string) => session.faultOf('shipping', [...chosen, `${text},cost=${cost}`])
  const usual = way?.cost === undefined ? {} : { default: String(way.cost) }
  const { cost } = await prompts.fill([{ ...asked, key: 'cost', message: 'Buyer pays for it, kronor', ...usual, check }])
  return `${text},cost=${cost}`
}

/** Whether the service takes it beside those chosen: at most two, three with pickup (docs/service.md, Shipping options). */
function isFree(session: Session, chosen: readonly string[], text: string): boolean {
  return session.faultOf('shipping', [...chosen, text]) === undefined
}

function isOf({ text }: Way, chosen: string): boolean {
  return chosen === text || chosen.startsWith(`${text},`)
}
