/**
 * Questions whose answers the service lists: the category, its attributes, and by name how buyers pay and how the item is sent.
 */
import type { Choice } from '../../cli/prompts.js'
import { takesProviders } from '../../cli/saved-description.js'
import { capital, SHIPPING_OPTIONS } from '../../contract/index.js'
import { kronor } from '../../format/output/index.js'
import { type AttributeRecord, type ShippingRecord, shippingFlag, shippingTitle } from '../../format/views/reference.js'
import { nameOf, readAttribute } from '../input/attributes.js'
import { loadAttributes } from '../reference/attributes.js'
import { foldedWords, holdsAll, rankedLeaves } from '../reference/match.js'
import type { Leaf } from '../reference/names.js'
import { knownShipping } from '../reference/shipping.js'
import type { Session } from './session.js'

/** Matches that are listed; more words narrow them down. */
const LISTED = 100
/** Letters of a word of the title from which on it may suggest a category. */
const LONG_ENOUGH = 3

export async function askForCategory(session: Session): Promise<void> {
  const { prompts } = session
  const leaves = (await session.names('categories'))?.leaves() ?? []
  if (leaves.length === 0) {
    const { id = '' } = await prompts.fill([
      { kind: 'text', key: 'id', flag: '--category', message: 'Category id', check: (text) => session.faultOf('category', text) },
    ])
    session.set('category', id)
    return
  }
  const title = String(session.answers.title ?? '')
  session.set(
    'category',
    await prompts.search({ message: 'Category (type words)', source: (term) => choicesFor(leaves, term, title) }),
  )
}

/** Leaves for what was typed; for nothing, those that words of the title suggest, then all. */
export function choicesFor(leaves: readonly Leaf[], term: string, title: string): Choice[] {
  const matches = term.trim() === '' ? suggestedBy(leaves, title) : matching(leaves, term)
  const choices = matches
    .slice(0, LISTED)
    .map(({ id, path }) => ({ value: String(id), name: path, description: `Category ${id}` }))
  if (matches.length <= LISTED) return choices
  return [...choices, { value: '', name: '…', disabled: `and ${matches.length - LISTED} more: type another word` }]
}

function matching(leaves: readonly Leaf[], term: string): Leaf[] {
  const id = /^\d+$/.exec(term.trim())?.[0]
  return id === undefined ? rankedLeaves(leaves, term) : leaves.filter((leaf) => String(leaf.id).startsWith(id))
}

/** Leaves that a word of the title is in the name of, first. */
function suggestedBy(leaves: readonly Leaf[], title: string): Leaf[] {
  const words = foldedWords(title).filter((word) => word.length >= LONG_ENOUGH)
  const suggestions = new Set(words.flatMap((word) => rankedLeaves(leaves, word).filter(({ name }) => holdsAll(name, [word]))))
  return [...suggestions, ...leaves.filter((leaf) => !suggestions.has(leaf))]
}

export async function askForAttributes(session: Session): Promise<void> {
  const { prompts } = session
  const read = async () => (await loadAttributes(session.ctx, () => session.client(), Number(session.answers.category))) ?? []
  // Where they cannot be read, the service says what it misses.
  const all = await session.orElse([], 'Attributes of the category cannot be read', read)
  const others = all.filter(({ MinNumberOfValues: least }) => least === 0)
  const answers: string[] = []
  const ask = async (definition: AttributeRecord): Promise<void> => {
    const name = nameOf(definition)
    answers.push(...(await valuesFor(session, definition)).map((value) => `${name}=${value}`))
  }
  for (const definition of all) if (!others.includes(definition)) await ask(definition)
  const choices = others.map((definition) => ({ value: String(definition.Id), name: nameOf(definition) }))
  const markedIds = choices.length === 0 ? [] : await prompts.many({ message: 'More to say', choices })
  for (const definition of others) if (markedIds.includes(String(definition.Id))) await ask(definition)
  session.set('attribute', answers)
}

async function valuesFor({ prompts }: Session, definition: AttributeRecord): Promise<readonly string[]> {
  const { PossibleTermValues: possible = [], MinNumberOfValues: least, MaxNumberOfValues: most } = definition
  const message = nameOf(definition)
  const choices = possible.map((value) => ({ value, name: value }))
  const question = { key: 'value', flag: '--attribute', message } as const
  if (choices.length > 0 && most === 1) {
    const { value = '' } = await prompts.fill([{ ...question, kind: 'select', choices }])
    return [value]
  }
  if (choices.length > 0) {
    const check = ({ length }: readonly string[]) =>
      length < least || length > Math.max(least, most) ? `Mark ${least} to ${most}.` : undefined
    return prompts.many({ message, choices, check })
  }
  const check = (text: string) => {
    readAttribute(`${definition.Id}=${text}`, [definition], '--attribute')
    return undefined
  }
  const { value = '' } = await prompts.fill([{ ...question, kind: 'text', check }])
  return [value]
}

export async function askForPayment(session: Session): Promise<void> {
  const { prompts } = session
  const payments = (await session.names('payments'))?.payments() ?? []
  if (payments.length === 0) {
    const message = 'Payment type ids, with commas between (Enter for none)'
    const check = (text: string) => session.faultOf('payment', idsIn(text))
    const { ids = '' } = await prompts.fill([{ kind: 'text', key: 'ids', flag: '--payment', message, optional: true, check }])
    session.set('payment', idsIn(ids))
    return
  }
  let isEmpty = false
  const chosenPayments = await prompts.many({
    message: 'Payment',
    choices: payments.map(({ id, name }) => ({ value: String(id), name })),
    chosen: session.list('payment'),
    check: (values) => {
      // Who has not found how to mark presses Enter at once.
      const again = isEmpty
      isEmpty = values.length === 0
      if (isEmpty && !again) return 'Nothing is chosen. To choose none, press Enter again.'
      return isEmpty ? undefined : session.faultOf('payment', values)
    },
  })
  session.set('payment', chosenPayments)
}

function idsIn(text: string): string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

const DONE = 'done'
const OTHER = 'other'

interface Way {
  /** Value that --shipping takes, without the cost. */
  readonly text: string
  readonly name: string
  /** Kronor; undefined if none is usual. */
  readonly cost: number | undefined
  readonly free: boolean
}

export async function askForShipping(session: Session): Promise<void> {
  const { prompts } = session
  const ways = await readWays(session)
  const by = (await takesProviders(session.ctx)) ? 'provider' : 'option'
  const chosenWays: string[] = []
  for (;;) {
    const remainingWays = ways.filter(
      (way) => !chosenWays.some((text) => isChosenWay(way, text)) && isFree(session, chosenWays, way.text),
    )
    // Nothing more may be added.
    if (chosenWays.length > 0 && remainingWays.length === 0) break
    const choice = await prompts.search({
      message: chosenWays.length === 0 ? 'Shipping' : 'Another way of shipping',
      source: (term) =>
        waysFor(remainingWays, term, {
          first: chosenWays.length === 0,
          other: isFree(session, chosenWays, `${by}=1`) ? by : undefined,
        }),
    })
    if (choice === DONE) break
    chosenWays.push(
      await withCost(
        session,
        remainingWays.find(({ text }) => text === choice),
        { chosen: chosenWays, by },
      ),
    )
  }
  session.set('shipping', chosenWays)
}

async function readWays(session: Session): Promise<Way[]> {
  const read = async () => (await knownShipping(session.ctx, await session.client())).records
  const records = await session.orElse(PICKUP_ONLY, 'Ways of shipping cannot be read', read)
  return records.map((record) => ({
    text: flagOf(record),
    name: labelOf(record, session.ctx.output.unit),
    cost: record.Cost ?? undefined,
    free: record.ShippingOptionId === SHIPPING_OPTIONS.pickup,
  }))
}

const PICKUP_ONLY: readonly ShippingRecord[] = [
  {
    ...{ Name: 'pickup', ShippingOptionId: SHIPPING_OPTIONS.pickup, ShippingProviderId: null, ShippingProductId: null },
    ...{ Weight: null, Cost: 0, Items: null, From: 'known' },
  },
]

/** The weight of a product is the most that it takes. */
function flagOf(record: ShippingRecord): string {
  if (record.ShippingOptionId !== null && record.ShippingOptionId !== SHIPPING_OPTIONS.pickup)
    return `option=${record.ShippingOptionId}`
  return `${shippingFlag(record)}${record.Weight === null ? '' : `,weight=${record.Weight}`}`
}

function labelOf(record: ShippingRecord, unit: string): string {
  const facts = [
    ...(record.Cost === null || record.Cost === 0 ? [] : [kronor(record.Cost, unit)]),
    ...((record.Items ?? 0) === 0 ? [] : [record.Items === 1 ? 'on 1 of your items' : `on ${record.Items} of your items`]),
  ]
  return `${capital(shippingTitle(record)).replaceAll('-', ' ')}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** A listing without a way to the buyer is not one, so there is an end only after the first. */
function waysFor(
  ways: readonly Way[],
  term: string,
  { first, other }: { readonly first: boolean; readonly other: 'provider' | 'option' | undefined },
): Choice[] {
  const end: Choice[] = first ? [] : [{ value: DONE, name: 'No more' }]
  const more: Choice[] = other === undefined ? [] : [{ value: OTHER, name: `Another ${other}, by its id` }]
  const all = [...end, ...ways.map(({ text, name }) => ({ value: text, name })), ...more]
  return all.filter(({ name }) => holdsAll(name, foldedWords(term)))
}

async function withCost(
  session: Session,
  way: Way | undefined,
  { chosen, by }: { readonly chosen: readonly string[]; readonly by: 'provider' | 'option' },
): Promise<string> {
  if (way?.free === true) return way.text
  const { prompts } = session
  const question = { kind: 'text', flag: '--shipping' } as const
  let text = way?.text
  if (text === undefined) {
    const check = (id: string) => session.faultOf('shipping', [...chosen, `${by}=${id}`])
    const { id } = await prompts.fill([
      { ...question, key: 'id', message: `${by === 'provider' ? 'Provider' : 'Option'} id`, check },
    ])
    text = `${by}=${id}`
  }
  const check = (cost: string) => session.faultOf('shipping', [...chosen, `${text},cost=${cost}`])
  const usual = way?.cost === undefined ? {} : { default: String(way.cost) }
  const { cost } = await prompts.fill([{ ...question, key: 'cost', message: 'Buyer pays for it, kronor', ...usual, check }])
  return `${text},cost=${cost}`
}

/** True if the service takes it beside those chosen: at most two, three with pickup (docs/service.md, Shipping options). */
function isFree(session: Session, chosenTexts: readonly string[], text: string): boolean {
  return session.faultOf('shipping', [...chosenTexts, text]) === undefined
}

function isChosenWay({ text }: Way, chosenText: string): boolean {
  return chosenText === text || chosenText.startsWith(`${text},`)
}
