/**
 * Makes a commented YAML with every field of a request from the contract, in the words of a seller. `--file` accepts it once it
 * is filled in.
 */

import { capital, dateTimeOf, type Field, limitWords, type Rule, resolved } from '../../contract/index.js'
import { blank, run, say, textOf, type Words } from '../../messages/index.js'
import { DAY_MS, HOUR_MS } from '../../system/durations.js'
import type { InputKind } from './kinds.js'
import { ACCEPTED_WORDS, CONDITION_WORDS, listed, TYPE_WORDS } from './words.js'

/**
 * @param now ms since 1970, for example dates in the future
 * @returns the YAML, with a final line break. Required fields are not commented; `#Field:` without a space is an optional field;
 * `# text` is prose.
 */
export function writeSkeleton<T>(kind: InputKind<T>, now: number): string {
  const command = kind.operation === 'AddItem' ? 'items:add' : 'shop:add'
  const fields = Object.entries(kind.struct.fields).map(([name, field]) => ({ name, field, note: SKELETON_NOTES[name] }))
  const mustBeFilled = fields.filter(({ note }) => note?.example === undefined)
  const lines = [
    textOf(say`# One item for: ${run(command, { '--file': blank('FILE') })}`),
    '# Fill in the fields without a #. Remove the # from any other field you need; a field that is left out gets its default.',
    '# Names and words may be Swedish too: Rubrik, Kategori, Skick: begagnad. Names and ids of the service are read as well.',
  ]
  for (const { name, field, note } of [...mustBeFilled, ...fields.filter((each) => !mustBeFilled.includes(each))]) {
    const form = note?.words === true ? [] : [typeWords(field), limitsOf(field.rule ?? {})]
    lines.push('', `# ${[note && textOf(note.says), ...form].filter(Boolean).join(' ')}`)
    const fieldName = note?.name ?? name
    const example = note?.example?.(now)
    const fieldLines =
      example === undefined ? [`${fieldName}:`] : `${fieldName}:${/^\n/.test(example) ? '' : ' '}${example}`.split('\n')
    lines.push(...fieldLines.map((line) => (example === undefined ? line : `#${line}`)))
  }
  return `${lines.join('\n')}\n`
}

function typeWords({ type, repeated }: Field): string {
  const form = resolved(type)
  if (repeated) return 'A list.'
  switch (form.kind) {
    case 'int':
    case 'long':
      return 'Whole number.'
    case 'decimal':
      return 'Number.'
    case 'boolean':
      return 'true or false.'
    case 'dateTime':
      return 'Date and time; without a zone it is Swedish time.'
    case 'enumeration':
      return `One of ${form.values.join(', ')}.`
    case 'list':
      return 'A list.'
    case 'struct':
      return 'Fields of its own.'
    default:
      return 'Text.'
  }
}

/** The reason of a rule says what its numbers mean. */
function limitsOf({ why, ...rule }: Rule): string {
  const { oneOf: _, min, ...others } = rule
  const words = limitWords(why === undefined ? rule : others.max === undefined || min === undefined ? others : { ...others, min })
  return [...words, ...(why === undefined ? [] : [why])].map((each) => `${capital(each)}.`).join(' ')
}

interface SkeletonNote {
  /** Name of the field for a seller, where the service calls it otherwise. */
  readonly name?: string
  readonly says: Words
  /** True if what it says has all that may be written. */
  readonly words?: true
  /** A value, as YAML; `now` is ms since 1970. A field that must be filled in has none. */
  readonly example?: (now: number) => string
}

/** A date some days ahead, on the hour, in Swedish time. */
function ahead(now: number, days: number): string {
  return dateTimeOf(Math.floor((now + days * DAY_MS) / HOUR_MS) * HOUR_MS).slice(0, 16)
}

const bidder: SkeletonNote = {
  ...{ name: 'Accepted', words: true, says: `Who may buy: ${listed(ACCEPTED_WORDS)}.` },
  example: () => 'sweden',
}

const SKELETON_NOTES: Readonly<Record<string, SkeletonNote>> = {
  Title: { says: 'What buyers see first.' },
  OwnReferences: {
    ...{ name: 'Reference', says: 'Your own references, e.g. article or shelf numbers; several with | between.' },
    example: () => 'A-17',
  },
  CategoryId: {
    ...{ name: 'Category', words: true },
    says: say`Words that only one category has, or its id: ${run('reference:categories')}.`,
  },
  Duration: {
    ...{ name: 'Days', words: true, says: 'How many days the auction runs, 1 to 14; a buy-now item always runs 30.' },
    example: () => '7',
  },
  Restarts: { says: 'How many times to restart it if unsold.', example: () => '0' },
  StartPrice: { says: 'Where the bidding starts, kronor.' },
  ReservePrice: { says: 'Not sold below this, kronor; above the opening price.', example: () => '0' },
  BuyItNowPrice: { says: 'Sold at once for this, kronor; above start and reserve price.', example: () => '0' },
  Description: {
    says: 'HTML such as <br> is allowed.',
    example: () => '|\n  Hand-made, never used.<br>\n  Picked up in Lund, or sent.',
  },
  PaymentOptionIds: {
    ...{ name: 'Payment', words: true, says: say`Names of ${run('reference:payment-types')}, or ids; several with | between.` },
    example: () => 'Swish',
  },
  ShippingOptions: {
    ...{ name: 'Shipping', words: true },
    says: say`At most 2 ways, with pickup 3, as --shipping takes them: a name of ${run('reference:shipping')} or provider=ID, and its cost.`,
    example: () => '\n  - pickup\n  - provider=12,cost=59',
  },
  AcceptedBidderId: bidder,
  AcceptedBuyerId: bidder,
  ExpoItemIds: { says: say`Extra exposure, ids of ${run('reference:expo-item-types')}; each costs.`, example: () => '[]' },
  CustomEndDate: {
    ...{ name: 'Ends', says: 'Ends at this time instead of after Days, also e.g. 7d or tomorrow; costs extra.' },
    example: (now) => ahead(now, 10),
  },
  ItemAttributes: {
    ...{ name: 'Condition', words: true, says: `Condition: ${listed(CONDITION_WORDS)}.` },
    example: () => 'used',
  },
  ItemType: { name: 'Type', words: true, says: `Kind of sale: ${listed(TYPE_WORDS)}.`, example: () => 'auction' },
  AutoCommit: {
    says: 'Set by --image and --campaign; false alone leaves the item to images:upload REQUEST_ID … --commit.',
    example: () => 'true',
  },
  VAT: { words: true, says: 'VAT in per cent: 25, 12, 6 or 0.', example: () => '25' },
  ShippingCondition: { says: 'Your words on shipping.', example: () => 'Sent within two days.' },
  PaymentCondition: { says: 'Your words on payment.', example: () => 'Pay within a week.' },
  CampaignCode: { says: 'A campaign code; --campaign attaches one afterwards.', example: () => "''" },
  DescriptionLanguageCodeIso2: { says: 'Language of the description.', example: () => 'sv' },
  AttributeValues: {
    ...{ name: 'Attributes', words: true },
    says: say`The category's own attributes, by their names: ${run('reference:attributes', { category: blank('CATEGORY') })}.`,
    example: () => '\n  Märke: Höganäs',
  },
  RestartedFromItemId: { says: 'The ended item that this one restarts.', example: () => '1001' },
  ActivateDate: { says: 'When it appears in the shop; at once when left out.', example: (now) => ahead(now, 1) },
  DeactivateDate: { says: 'When it leaves the shop.', example: (now) => ahead(now, 365) },
  Price: { says: 'Kronor.' },
  Quantity: {
    says: 'A change of the present quantity; for a new item give Stock instead, never both.',
    example: () => 'null',
  },
  AbsoluteQuantity: { name: 'Stock', says: 'How many there are.', example: () => '1' },
  ItemImages: {
    says: 'Names of image files next to this one. Or Data: base64 text, or a file named with @. --image adds more.',
    example: () => '[]',
  },
  ExternalId: { says: 'Its id in your own system.', example: () => '4711' },
}
