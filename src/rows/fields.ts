/**
 * The one table of columns: what sellers and the service call each field, in every input. A name means the same wherever it is taken.
 * Names are read generously: in any case, with spaces or underscores, with a unit after the name.
 */

/** What the cells of a column are. Inputs that cannot be undone refuse a price or a number in stock that they have no place for. */
type FieldKind = 'item' | 'price' | 'amount' | 'stock' | 'text'

/** The column with the reason of failed rows. It is ignored when they are used as input again. */
export const REASON_COLUMN = '_Reason'
/** The exact price that may pass the guards. */
export const ALLOW_COLUMN = '_Allow'
/** The live price that the row expects. */
export const OLD_COLUMN = '_Old'

interface NamedField {
  readonly kind: FieldKind
  /** By their plain names (plainName). The names in our own output are among them, so that a list or a plan can be used as input. */
  readonly names: readonly string[]
}

function field(kind: FieldKind, ...names: string[]): NamedField {
  return { kind, names }
}

export const FIELDS = {
  Id: field('item', 'id', 'itemid', 'objektid', 'objektnr', 'objektnummer', 'annonsid', 'annonsnr', 'annonsnummer'),
  /** Digits that are the id of a live item are that id; anything else is an own reference. */
  Number: field('item', 'artikelnr', 'artikelnummer', 'artikelid', 'artnr', 'artikel'),
  OwnReference: field(
    'item',
    ...['ownreference', 'ownref', 'egenreferens', 'egenref', 'egetartikelnr', 'egetartikelnummer', 'sku'],
  ),
  /** All of an item: what names an item is one of them. */
  OwnReferences: field('text', 'ownreferences'),
  Price: field(
    'price',
    ...['price', 'pris', 'newprice', 'nyttpris', 'nypris', 'nyapriset', 'prisny', 'försäljningspris', 'salesprice'],
  ),
  BuyItNowPrice: field('price', 'buyitnowprice', 'binprice', 'köpnupris'),
  OpeningPrice: field('price', 'openingprice', 'openingbid', 'startprice', 'startpris', 'utropspris'),
  ReservedPrice: field('price', 'reservedprice', 'reserveprice', 'reservationspris'),
  [ALLOW_COLUMN]: field('price', '_allow'),
  [OLD_COLUMN]: field('price', '_old', 'oldprice'),
  Cost: field(
    'amount',
    ...['cost', 'costprice', 'unitcost', 'purchaseprice', 'kostnad', 'inköpspris', 'inpris', 'inköp', 'självkostnad'],
  ),
  LowestPrice: field(
    'amount',
    ...['lowestprice', 'lowest', 'minprice', 'minimumprice', 'lägsta', 'lägstapris', 'lägstpris', 'minpris', 'minstapris'],
  ),
  RecommendedPrice: field(
    'amount',
    ...['recommendedprice', 'recommended', 'rrp', 'msrp', 'rekpris', 'rek', 'rekommenderatpris', 'riktpris'],
    ...['rekommenderatutpris', 'cirkapris', 'capris', 'retailprice'],
  ),
  Quantity: field('stock', 'quantity', 'absolutequantity', 'stock', 'antal', 'lager', 'lagersaldo', 'saldo'),
  RemainingQuantity: field('stock', 'remainingquantity'),
  Title: field('text', 'title', 'shortdescription', 'titel', 'rubrik'),
  Description: field('text', 'description', 'longdescription', 'beskrivning'),
  CategoryId: field('text', 'categoryid', 'category', 'kategori', 'kategoriid'),
  VAT: field('text', 'vat', 'moms'),
  ShippingOptions: field('text', 'shippingoptions', 'shipping', 'frakt', 'leverans'),
  PaymentOptionIds: field('text', 'paymentoptionids', 'payment', 'betalning', 'betalsätt'),
  AttributeValues: field('text', 'attributevalues', 'attributes', 'attribut', 'egenskaper'),
  ItemType: field('text', 'itemtype'),
  OrderId: field('text', 'orderid', 'ordernr', 'ordernummer', 'ordernumber'),
} as const satisfies Readonly<Record<string, NamedField>>

export type FieldName = keyof typeof FIELDS

/** What an input takes of the table. */
export interface InputFields<F extends string> {
  /** The name that each field has in this input; several may be one. */
  readonly takes: Readonly<Partial<Record<FieldName, F>>>
  /** Of each group, some column must be there. The first name of the group is suggested for a mistyped one. */
  readonly required: readonly { readonly oneOf: readonly F[]; readonly words: string }[]
  /** Fields that may be left out, and whose mistyped names are refused all the same: what they hold cannot be taken back. */
  readonly near?: readonly F[]
  /** Kinds of columns that show that the file was made for something else. */
  readonly refuses?: readonly FieldKind[]
}

/** What names an item, in every input that is about live ones. */
export const ITEM = { Id: 'Id', Number: 'Number', OwnReference: 'OwnReference' } as const
export const NAMES_ITEM = { oneOf: ['Id', 'Number', 'OwnReference'], words: 'Id (or OwnReference)' } as const
const MARKS = { [ALLOW_COLUMN]: ALLOW_COLUMN, [OLD_COLUMN]: OLD_COLUMN } as const

export type PriceField =
  | keyof typeof ITEM
  | 'Price'
  | 'Listed'
  | typeof ALLOW_COLUMN
  | typeof OLD_COLUMN
  | 'Title'
  | 'Category'
  | 'Remaining'
  | 'Type'
/** `Listed`: the price as in a list of items. What stands beside prices is only compared. */
export const PRICES: InputFields<PriceField> = {
  takes: {
    ...ITEM,
    ...MARKS,
    Price: 'Price',
    BuyItNowPrice: 'Listed',
    Title: 'Title',
    CategoryId: 'Category',
    RemainingQuantity: 'Remaining',
    ItemType: 'Type',
  },
  required: [NAMES_ITEM, { oneOf: ['Price', 'Listed'], words: 'Price' }],
}

/** Items to remove: a file with prices or numbers in stock was made for something else. */
export const REMOVALS: InputFields<PriceField> = {
  takes: ITEM,
  required: [NAMES_ITEM],
  refuses: ['price', 'amount', 'stock'],
}

/** Auctions to put up again, with the start prices that they get. */
export const RELISTS: InputFields<PriceField> = {
  takes: { Id: 'Id', Number: 'Number', OpeningPrice: 'Price', Title: 'Title' },
  required: [{ oneOf: ['Id', 'Number'], words: 'Id' }],
}

/** Orders to mark. */
export const ORDERS: InputFields<PriceField> = { takes: { OrderId: 'Id' }, required: [{ oneOf: ['Id'], words: 'OrderId' }] }

export type AuctionField =
  | 'Id'
  | 'Number'
  | 'OpeningPrice'
  | 'ReservedPrice'
  | 'BinPrice'
  | typeof ALLOW_COLUMN
  | typeof OLD_COLUMN
/** An auction is named by its id: own references are those of stock, of which one auction sells one. */
export const AUCTIONS: InputFields<AuctionField> = {
  takes: {
    Id: 'Id',
    Number: 'Number',
    ...MARKS,
    OpeningPrice: 'OpeningPrice',
    ReservedPrice: 'ReservedPrice',
    BuyItNowPrice: 'BinPrice',
  },
  required: [
    { oneOf: ['Id', 'Number'], words: 'Id' },
    { oneOf: ['OpeningPrice'], words: 'OpeningPrice' },
  ],
  near: ['ReservedPrice', 'BinPrice'],
}

export type CostValue = 'Cost' | 'LowestPrice' | 'RecommendedPrice'
export type CostField = keyof typeof ITEM | CostValue
const COST_ITEM = { ...ITEM, Cost: 'Cost', LowestPrice: 'LowestPrice', RecommendedPrice: 'RecommendedPrice' } as const
/** @param removing rows need to name items only */
export function costFields(removing: boolean): InputFields<CostField> {
  const values = { oneOf: ['Cost', 'LowestPrice', 'RecommendedPrice'], words: 'Cost (or LowestPrice, RecommendedPrice)' } as const
  return { takes: COST_ITEM, required: removing ? [NAMES_ITEM] : [NAMES_ITEM, values] }
}

/** What every description of an item has. */
const DESCRIBED = {
  OwnReferences: 'OwnReferences',
  OwnReference: 'OwnReferences',
  Number: 'OwnReferences',
  Title: 'Title',
  Description: 'Description',
  CategoryId: 'CategoryId',
  VAT: 'VAT',
  ShippingOptions: 'ShippingOptions',
  PaymentOptionIds: 'PaymentOptionIds',
  AttributeValues: 'AttributeValues',
} as const

/** Names of the fields of a shop item. The number in stock is that of the file: it is set, never added. */
export const SHOP_ITEM_NAMES = namesOf<string>({
  ...DESCRIBED,
  Price: 'Price',
  BuyItNowPrice: 'Price',
  Quantity: 'AbsoluteQuantity',
  RemainingQuantity: 'AbsoluteQuantity',
})

/** Names of the fields of an auction or a fixed price item. `Pris` may be any of its prices, so it is none. */
export const ITEM_NAMES = namesOf<string>({
  ...DESCRIBED,
  OpeningPrice: 'StartPrice',
  ReservedPrice: 'ReservePrice',
  BuyItNowPrice: 'BuyItNowPrice',
})

/** The fields of an input by the plain names of their columns. */
export function namesOf<F extends string>(takes: InputFields<F>['takes']): Readonly<Record<string, F>> {
  return Object.fromEntries(
    Object.entries(takes).flatMap(([name, as]) => FIELDS[name as FieldName].names.map((plain) => [plain, as as F] as const)),
  )
}

/** The kind of a column of any input, by its plain name; undefined for one that no input takes. */
export function kindOf(plain: string): FieldKind | undefined {
  return Object.values<NamedField>(FIELDS).find(({ names }) => names.includes(plain))?.kind
}

/**
 * A column's name without what does not matter: `Pris (kr)`, `pris_sek`, ` PRIS ` are `pris`; `Nytt pris` is `nyttpris`. A
 * leading underscore stays, because it marks the seller's own columns.
 */
export function plainName(name: string): string {
  const trimmed = name.trim().normalize('NFC').toLowerCase()
  const words = trimmed
    .replace(/[([].*?[)\]]/g, ' ')
    .split(/[\s\u00a0_.,:/-]+/)
    .filter((word) => word !== '')
  while (words.length > 1 && UNITS.has(words.at(-1) ?? '')) words.pop()
  return `${trimmed.startsWith('_') ? '_' : ''}${words.join('')}`
}

const UNITS: ReadonlySet<string> = new Set(['kr', 'sek', 'kronor', 'i'])
