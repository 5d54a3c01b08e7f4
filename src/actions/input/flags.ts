/**
 * The flags of items:add and shop:add. Their values are texts here; read.ts reads them together, so that all faults are reported
 * at once.
 */
import * as Flags from '@oclif/core/flags'
import { readCategory } from './named.js'

/** A category to choose items by: its id, or words for `categoryId` to look up. */
export const categoryFlag = Flags.custom<number | string, { min?: number }>({
  helpValue: 'ID|WORDS',
  parse: async (text, _context, { name, min = 1 }) => readCategory(text, `--${name}`, min),
})

const several = { multiple: true, multipleNonGreedy: true } as const

const described = {
  title: Flags.string({ helpValue: 'TEXT', summary: 'Title, at most 80 characters.' }),
  category: Flags.string({
    helpValue: 'ID|WORDS',
    summary: 'Category: an id, or words that only one has. The id of a leaf of reference:categories, or e.g. keramik.',
  }),
  description: Flags.string({
    helpValue: 'TEXT',
    summary: 'Description. HTML such as <br> is allowed, at most 7000 characters.',
  }),
  'description-file': Flags.string({
    helpValue: 'FILE',
    exclusive: ['description'],
    summary: 'Read the description from a file; - is stdin.',
  }),
  shipping: Flags.string({
    ...several,
    helpValue: 'PARTS',
    summary:
      'Shipping, e.g. provider=12,cost=59, or pickup. May be repeated. Parts: provider (id or name of reference:shipping), option, cost, weight, product, surcharge, discount.',
  }),
  payment: Flags.string({
    ...several,
    helpValue: 'ID|NAME',
    summary: 'Payment type, by id or name (reference:payment-types); may be repeated.',
  }),
  accepted: Flags.string({ helpValue: 'WHO', summary: 'Who may buy: sweden (default), eu or international.' }),
  condition: Flags.string({ helpValue: 'new|used', summary: 'Condition: new or used.' }),
  attribute: Flags.string({
    ...several,
    helpValue: 'NAME=VALUE',
    summary: 'Attribute of the category (reference:attributes), e.g. Märke=Höganäs; may be repeated.',
  }),
  reference: Flags.string({
    ...several,
    helpValue: 'TEXT',
    summary: 'Your own reference, at most 60 characters; may be repeated.',
  }),
  vat: Flags.string({ helpValue: 'PERCENT', summary: 'VAT in percent, e.g. 25.' }),
}

const file = Flags.string({
  char: 'f',
  helpValue: 'FILE',
  summary:
    'Read one item or many: YAML, JSON, CSV, Excel. Names as in --skeleton; - is stdin. Flags override an item of YAML or JSON.',
})
const skeleton = Flags.boolean({
  summary: 'Print a commented YAML file to fill in. For --file; sends nothing.',
  // Not `exclusive`: the usage line of the help would then say that --file, --wait and --dry-run exclude each other. Nor is it
  // JSON.
  relationships: [{ type: 'none', flags: ['file', 'wait', 'dry-run', 'json', 'output'] }],
})
const image = Flags.string({ ...several, helpValue: 'FILE', summary: 'GIF, JPEG or PNG file of at most 4 MB. May be repeated.' })
export const fitFlag = {
  fit: Flags.boolean({ summary: 'Turn and shrink JPEGs not upright or over 4 MB.' }),
}
const mega = Flags.string({ ...several, helpValue: 'FILE', summary: 'Image to show extra large (Mega); may be repeated.' })

/** items:add. */
export const itemInputFlags = {
  ...described,
  type: Flags.string({ helpValue: 'TYPE', summary: 'Kind of sale: auction (default), buy-now or contact.' }),
  // The aliases here are the names of versions before 0.4.
  opening: Flags.string({ aliases: ['start-price'], helpValue: 'KR', summary: 'Opening price in whole kronor.' }),
  reserve: Flags.string({ helpValue: 'KR', summary: 'Reserve price, above the opening price.' }),
  'buy-now': Flags.string({ helpValue: 'KR', summary: 'Buy-it-now price, above the opening and the reserve price.' }),
  days: Flags.string({ helpValue: 'N', summary: 'Days the auction runs, 1 to 14 (default 7). Buy-now items always run 30.' }),
  restarts: Flags.string({
    helpValue: 'N',
    summary: 'How many times to restart an unsold auction, 0 to 2. Each restart costs as much as a new auction.',
  }),
  until: Flags.string({
    aliases: ['ends'],
    helpValue: 'DATE',
    summary: 'End at this time instead of after --days. Costs extra.',
  }),
  image,
  'mega-image': mega,
  ...fitFlag,
  campaign: Flags.string({ helpValue: 'CODE', summary: 'Campaign code to attach.' }),
  file,
  skeleton,
}

/** shop:add. */
export const shopInputFlags = {
  ...described,
  price: Flags.string({ helpValue: 'KR', summary: 'Price in whole kronor.' }),
  quantity: Flags.string({ helpValue: 'N', summary: 'Quantity (default 1).' }),
  // The aliases here are the names of versions before 0.4.
  from: Flags.string({ aliases: ['activate'], helpValue: 'DATE', summary: 'When the item goes on sale (default: at once).' }),
  until: Flags.string({ aliases: ['deactivate'], helpValue: 'DATE', summary: 'When the item leaves the shop.' }),
  'external-id': Flags.string({ helpValue: 'N', summary: 'Id of the item in your own system.' }),
  image,
  'mega-image': mega,
  ...fitFlag,
  file,
  skeleton,
}

export const draftFlag = {
  draft: Flags.boolean({
    allowNo: true,
    // Not `exclusive`: see --skeleton.
    relationships: [{ type: 'none', flags: ['file', 'skeleton'] }],
    summary: 'Go on with the draft of an earlier run without asking; --no-draft deletes it and starts over.',
  }),
}
