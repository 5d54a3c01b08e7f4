/** The questions of a listing, in their order. Each sets the answers of its flags; each answer is checked when it is given. */
import type { Question } from '../../cli/prompts.js'
import { ITEM_TYPE_IDS } from '../../contract/index.js'
import type { InputKind, Values } from '../input/kinds.js'
import { CONDITION_WORDS, type FieldWords, TYPE_WORDS } from '../input/words.js'
import { askForAttributes, askForCategory, askForPayment, askForShipping } from './choices.js'
import { askForImages } from './images.js'
import type { Session } from './session.js'

export interface Step {
  /** The flag whose answer it sets; the step is not asked if the flag is given. */
  readonly flag: string
  readonly label: string
  /** Other flags that answer it too. */
  readonly or?: readonly string[]
  /** True if the question is asked for what is known so far. */
  readonly applies?: (values: Values) => boolean
  readonly ask: (session: Session) => Promise<void>
}

const isAuction = ({ ItemType = ITEM_TYPE_IDS.Auction }: Values): boolean => ItemType === ITEM_TYPE_IDS.Auction
const isBuyNow = ({ ItemType }: Values): boolean => ItemType === ITEM_TYPE_IDS.PureBuyItNow

/** A description is HTML, where only <br> ends a line. A text that has marks of its own stays as it is. */
export function htmlOf(text: string): string {
  return /<(?:br|p|div|[uo]l|h[1-6]|table)\b/i.test(text) ? text : text.replaceAll('\n', '<br>')
}

function textOf(html: string): string {
  return /<(?!br>)/.test(html) ? html : html.replace(/<br>\n?/g, '\n')
}

/** A question that is answered by typing a line, or by one of its choices. */
function line(flag: string, label: string, message: string, more: Partial<Question> = {}): Step {
  return {
    flag,
    label,
    async ask(session) {
      const isText = more.choices === undefined
      const now = session.answers[flag]
      const hasLines = more.kind === 'lines'
      const current = typeof now === 'string' && hasLines ? textOf(now) : now
      const before =
        typeof current === 'string' && current !== '' ? { default: current, ...(isText ? { editable: true } : {}) } : {}
      const fieldOf = (text: string): string => (hasLines ? htmlOf(text) : text)
      const check = isText ? (text: string) => session.faultOf(flag, fieldOf(text)) : undefined
      const question = {
        kind: isText ? 'text' : 'select',
        key: 'answer',
        flag: `--${flag}`,
        message,
        ...more,
        ...before,
        check,
      } as const
      const { answer = '' } = await session.prompts.fill([question])
      session.set(flag, fieldOf(more.optional === true ? answer : answer.trim()))
    },
  }
}

/** A choice among a few words. */
function choice(flag: string, label: string, message: string, words: FieldWords): Step {
  const choices = Object.entries(words).map(([value, { choice: name = value }]) => ({ value, name }))
  return line(flag, label, message, { choices })
}

const TITLE = line('title', 'Title', 'Title')
const CATEGORY: Step = { flag: 'category', label: 'Category', ask: askForCategory }
const CONDITION = choice('condition', 'Condition', 'Condition', CONDITION_WORDS)
const ATTRIBUTES: Step = { flag: 'attribute', label: 'Attributes', ask: askForAttributes }
const DESCRIPTION: Step = {
  ...line('description', 'Description', 'Description', { optional: true, kind: 'lines' }),
  or: ['description-file'],
}
const PAYMENT: Step = { flag: 'payment', label: 'Payment', ask: askForPayment }
/** Whoever is interested in a contact writes: nothing is sent. */
const SHIPPING: Step = {
  flag: 'shipping',
  label: 'Shipping',
  applies: ({ ItemType }) => ItemType !== ITEM_TYPE_IDS.ContactOnly,
  ask: askForShipping,
}
const IMAGES: Step = { flag: 'image', label: 'Images', or: ['mega-image'], ask: askForImages }

/** Steps of every item, after those of its kind. */
const LAST_STEPS: readonly Step[] = [CONDITION, ATTRIBUTES, DESCRIPTION, PAYMENT, SHIPPING, IMAGES]

const ITEM_STEPS: readonly Step[] = [
  TITLE,
  CATEGORY,
  choice('type', 'Sale', 'Kind of sale', TYPE_WORDS),
  { ...line('opening', 'Opening price', 'Opening price, kronor'), applies: isAuction },
  { ...line('reserve', 'Reserve price', 'Reserve price, kronor (Enter for none)', { optional: true }), applies: isAuction },
  { ...line('buy-now', 'Buy now', 'Buy-now price, kronor'), applies: isBuyNow },
  {
    ...line('buy-now', 'Buy now', 'Buy-now price, kronor (Enter for none)', { optional: true }),
    applies: (values) => !isBuyNow(values),
  },
  {
    ...line('days', 'Days', 'Days on sale, 1 to 14', { default: '7' }),
    or: ['until'],
    applies: (values) => !isBuyNow(values),
  },
  ...LAST_STEPS,
]

const SHOP_STEPS: readonly Step[] = [
  TITLE,
  CATEGORY,
  line('price', 'Price', 'Price, kronor'),
  line('quantity', 'Quantity', 'Quantity', { default: '1' }),
  ...LAST_STEPS,
]

export function stepsOf<T>({ operation }: InputKind<T>): readonly Step[] {
  return operation === 'AddItem' ? ITEM_STEPS : SHOP_STEPS
}
