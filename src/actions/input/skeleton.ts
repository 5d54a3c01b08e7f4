/** Makes a commented YAML with every field of a request from the contract. `--file` accepts it once it is filled in. */

import { capital, dateTimeOf, type Field, limitWords, type Rule, resolved } from '../../contract/index.js'
import { blank, run, say, textOf, type Words } from '../../messages/index.js'
import { DAY_MS, HOUR_MS } from '../../system/durations.js'
import type { InputKind } from './kinds.js'

/**
 * @param now ms since 1970, for example dates in the future
 * @returns the YAML, with a final line break. Required fields are not commented; `#Field:` without a space is an optional field;
 * `# text` is prose.
 */
export function skeletonOf<T>(kind: InputKind<T>, now: number): string {
  const command = kind.operation === 'AddItem' ? 'items:add' : 'shop:add'
  const lines = [
    textOf(say`# One item for: ${run(command, { '--file': blank('FILE') })}`),
    '# Fill in the fields without a #. Remove the # from any other field you need; a field that is left out gets its default.',
  ]
  for (const [name, field] of Object.entries(kind.struct.fields)) {
    const note = SKELETON_NOTES[name]
    lines.push('', `# ${[note && textOf(note.says), typeWords(field), limitsOf(field.rule ?? {})].filter(Boolean).join(' ')}`)
    const example = note?.example?.(now).split('\n')
    lines.push(...(example?.map((line) => `#${line}`) ?? [`${name}:`]))
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
  readonly says: Words
  /** The field with a value, as YAML; `now` is ms since 1970. One that must be filled in has none. */
  readonly example?: (now: number) => string
}

/** A date some days ahead, on the hour. */
function ahead(now: number, days: number): string {
  return dateTimeOf(Math.floor((now + days * DAY_MS) / HOUR_MS) * HOUR_MS)
}

const accepted = (field: string): SkeletonNote => ({ says: 'Whom you sell to.', example: () => `${field}: 1` })

const SKELETON_NOTES: Readonly<Record<string, SkeletonNote>> = {
  Title: { says: 'What buyers see first.' },
  OwnReferences: { says: 'Your own references, e.g. article or shelf numbers.', example: () => 'OwnReferences: [A-17]' },
  CategoryId: { says: say`A leaf of ${run('reference:categories')}.` },
  Duration: { says: 'How long the auction runs.', example: () => 'Duration: 7' },
  Restarts: { says: 'How many times to restart it if unsold.', example: () => 'Restarts: 0' },
  StartPrice: { says: 'Where the bidding starts, kronor.' },
  ReservePrice: { says: 'Not sold below this, kronor; above the start price.', example: () => 'ReservePrice: 0' },
  BuyItNowPrice: { says: 'Sold at once for this, kronor; above start and reserve price.', example: () => 'BuyItNowPrice: 0' },
  Description: {
    says: 'HTML such as <br> is allowed.',
    example: () => 'Description: |\n  Hand-made, never used.<br>\n  Picked up in Lund, or sent.',
  },
  PaymentOptionIds: { says: say`Ids of ${run('reference:payment-types')}.`, example: () => 'PaymentOptionIds: [4096]' },
  ShippingOptions: {
    says: say`Ids of ${run('reference:shipping')}. Exactly one of ShippingProviderId and ShippingOptionId in each; ShippingOptionId 8 is pickup. At most 2, with pickup 3.`,
    example: () => 'ShippingOptions:\n  - ShippingProviderId: 12\n    Cost: 59\n  - ShippingOptionId: 8\n    Cost: 0',
  },
  AcceptedBidderId: accepted('AcceptedBidderId'),
  AcceptedBuyerId: accepted('AcceptedBuyerId'),
  ExpoItemIds: {
    says: say`Extra exposure, ids of ${run('reference:expo-item-types')}; each costs.`,
    example: () => 'ExpoItemIds: []',
  },
  CustomEndDate: {
    says: 'Ends at this time instead of after Duration; costs extra.',
    example: (now) => `CustomEndDate: ${ahead(now, 10)}`,
  },
  ItemAttributes: { says: 'Condition.', example: () => 'ItemAttributes: [2]' },
  ItemType: { says: 'Kind of sale.', example: () => 'ItemType: 1' },
  AutoCommit: {
    says: 'Set by --image and --campaign; false alone leaves the item to images:upload REQUEST_ID … --commit.',
    example: () => 'AutoCommit: true',
  },
  VAT: { says: 'VAT in percent.', example: () => 'VAT: 25' },
  ShippingCondition: { says: 'Your words on shipping.', example: () => 'ShippingCondition: Sent within two days.' },
  PaymentCondition: { says: 'Your words on payment.', example: () => 'PaymentCondition: Pay within a week.' },
  CampaignCode: { says: 'A campaign code; --campaign attaches one afterwards.', example: () => "CampaignCode: ''" },
  DescriptionLanguageCodeIso2: { says: 'Language of the description.', example: () => 'DescriptionLanguageCodeIso2: sv' },
  AttributeValues: {
    says: "The category's own attributes, by name, such as {Märke: Höganäs}, or by id: texts under Terms, numbers under Numbers.",
    example: () => 'AttributeValues:\n  Terms:\n    - Id: 1\n      Values: [Blue]\n  Numbers:\n    - Id: 2\n      Values: [42.5]',
  },
  RestartedFromItemId: { says: 'The ended item that this one restarts.', example: () => 'RestartedFromItemId: 1001' },
  ActivateDate: {
    says: 'When it appears in the shop; at once when left out.',
    example: (now) => `ActivateDate: ${ahead(now, 1)}`,
  },
  DeactivateDate: { says: 'When it leaves the shop.', example: (now) => `DeactivateDate: ${ahead(now, 365)}` },
  Price: { says: 'Kronor.' },
  Quantity: {
    says: 'A change of the present quantity; for a new item give AbsoluteQuantity instead, never both.',
    example: () => 'Quantity: null',
  },
  AbsoluteQuantity: { says: 'How many there are.', example: () => 'AbsoluteQuantity: 1' },
  ItemImages: { says: '--image adds images too. Data is base64 text, or a file named with @.', example: () => 'ItemImages: []' },
  ExternalId: { says: 'Its id in your own system.', example: () => 'ExternalId: 4711' },
}
