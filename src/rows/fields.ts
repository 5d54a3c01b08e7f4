/**
 * The one table of columns: what sellers, the service and other systems call each field, in every input. A name means the same
 * wherever it is taken. Names are read generously: in any case, with spaces or underscores, with a unit after the name
 * (column-names.ts).
 */
import { readColumnName } from './column-names.js'

/** Kind of cells in a column. Inputs that cannot be undone refuse a price or a number in stock that they have no place for. */
type FieldKind = 'item' | 'price' | 'amount' | 'stock' | 'text'

/** The column with the reason of failed rows. It is ignored when they are used as input again. */
export const REASON_COLUMN = '_Reason'
/** The exact price that may pass the guards. */
export const ALLOW_COLUMN = '_Allow'
/** The live price that the row expects. */
export const OLD_COLUMN = '_Old'

interface NamedField {
  readonly kind: FieldKind
  /**
   * By their plain names (readColumnName). The names in our own output are among them, so that a list or a plan can be used as
   * input. One with `*` at its end is the start of a name: the rest is a place, such as a shop's.
   */
  readonly names: readonly string[]
  /** Names of other systems, which count where a file has none of the names above: the best first, those of a list alike. */
  readonly others: readonly (readonly string[])[]
}

function field(kind: FieldKind, ...names: string[]): NamedField {
  return { kind, names, others: [] }
}

/** A field that other systems have too. */
function shared(kind: FieldKind, names: readonly string[], ...others: (readonly string[])[]): NamedField {
  return { kind, names, others }
}

/** More than the names of a field have ranks. */
const AFTER = 10

export const FIELDS = {
  Id: field('item', 'id', 'itemid', 'objektid', 'objektnr', 'objektnummer', 'annonsid', 'annonsnr', 'annonsnummer'),
  /** Digits that are the id of a live item are that id; anything else is an own reference. */
  Number: field('item', 'artikelnr', 'artikelnummer', 'artikelid', 'artnr', 'artikel'),
  OwnReference: shared(
    'item',
    ['ownreference', 'ownref', 'egenreferens', 'egenref', 'egetartikelnr', 'egetartikelnummer', 'sku'],
    ['variantsku', 'productsku', 'sellersku', 'customlabelsku', 'customlabel', 'customsku', 'artikelnummersku', 'artikelnrsku'],
    ['internalreference', 'itemcode', 'variationnumber', 'reference', 'referens', 'bestallningsnummer', 'beställningsnummer'],
    ['externalid'],
  ),
  /** All of an item: what names an item is one of them. */
  OwnReferences: field('text', 'ownreferences'),
  Price: shared(
    'price',
    ['price', 'pris', 'newprice', 'nyttpris', 'nypris', 'nyapriset', 'prisny', 'försäljningspris', 'salesprice'],
    ['regularprice', 'ordinariepris', 'regulärerpreis', 'preis', 'variantprice', 'productprice', 'utpris', 'butikspris'],
    [
      'verkaufspreis',
      'vk',
      'sellingprice',
      'retailsalesprice',
      'pristills',
      'baspris',
      'variationsalespriceprice',
      'prix',
      'prijs',
    ],
    ['currentprice'],
    ['startprice', 'startpris'],
  ),
  BuyItNowPrice: field('price', 'buyitnowprice', 'binprice', 'köpnupris'),
  OpeningPrice: field('price', 'openingprice', 'openingbid', 'startprice', 'startpris', 'utropspris'),
  ReservedPrice: field('price', 'reservedprice', 'reserveprice', 'reservationspris'),
  [ALLOW_COLUMN]: field('price', '_allow'),
  [OLD_COLUMN]: field('price', '_old'),
  /** The price before, in our own plans. A shop system calls the price that is struck through so. */
  OldPrice: field('price', 'oldprice'),
  Cost: shared(
    'amount',
    ['cost', 'costprice', 'unitcost', 'purchaseprice', 'kostnad', 'inköpspris', 'inpris', 'inköp', 'självkostnad'],
    ['costperitem', 'variantcost', 'productcostprice', 'costofgoods', 'costofgoodssold', 'variationpurchaseprice'],
    [
      'defaultcost',
      'defaultunitcost',
      'averagecost',
      'valuationrate',
      'ek',
      'einkaufspreis',
      'wholesaleprice',
      'anskaffningspris',
    ],
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
  /** Stock that may be sold counts before what is on hand. */
  Quantity: shared(
    'stock',
    ['absolutequantity'],
    ['available', 'availablequantity', 'disponibeltsaldo', 'disponibelt', 'tillgängligt', 'tillgängligtsaldo'],
    ['quantityavailable', 'availablestock', 'netstock', 'variationstocknetstock', 'verfügbar', 'verfügbarerbestand'],
    ['quantity', 'stock', 'antal', 'lager', 'lagersaldo', 'saldo', 'antalilager', 'qty', 'inventoryquantity', 'inventory'],
    [
      'variantinventoryqty',
      'productquantity',
      'instock*',
      'currentquantity*',
      'quantityonhand',
      'onhandquantity',
      'stockquantity',
    ],
    ['onhandcurrent', 'onhand', 'bestandist', 'bestand', 'lagerbestand', 'lagerantal', 'stocklevel', 'stockonhand'],
    ['variationstockphysicalstock', 'physicalstock'],
  ),
  RemainingQuantity: field('stock', 'remainingquantity'),
  /** `ShortDescription` is what the service calls the title; other systems call a short text so, beside a title. */
  Title: shared(
    'text',
    ['title', 'titel', 'rubrik'],
    ['name', 'namn', 'artikelnamn', 'benämning', 'itemname', 'productname', 'produktnamn', 'itemtextname', 'produkt', 'item'],
    ['shortdescription'],
  ),
  Description: shared(
    'text',
    ['description', 'longdescription', 'beskrivning'],
    ['bodyhtml', 'productdescription', 'itemdescription', 'beschreibung', 'salesdescription', 'itemtextdescription'],
  ),
  CategoryId: field('text', 'categoryid', 'category', 'kategori', 'kategoriid'),
  VAT: shared('text', ['vat', 'moms'], ['taxrate', 'momssats', 'vatrate']),
  ShippingOptions: field('text', 'shippingoptions', 'shipping', 'frakt', 'leverans'),
  PaymentOptionIds: field('text', 'paymentoptionids', 'payment', 'betalning', 'betalsätt'),
  AttributeValues: field('text', 'attributevalues', 'attributes', 'attribut', 'egenskaper'),
  /** Paths of image files. Other systems have addresses here. */
  ItemImages: shared(
    'text',
    ['itemimages', 'images', 'image', 'bilder', 'bild'],
    ['imagesrc', 'productimageurl', 'hostedimageurls', 'picurl', 'imageurls', 'imageurl', 'baseimage', 'imagelink'],
  ),
  ItemType: field('text', 'itemtype'),
  /** The kind of sale of an item that is added. Lists of goods have words of other kinds in a column of this name. */
  Sale: field('text', 'type', 'typ', 'saletype', 'kindofsale', 'försäljningssätt', 'säljform', 'annonstyp', 'försäljningstyp'),
  Condition: field('text', 'condition', 'skick', 'varansskick'),
  Accepted: field('text', 'accepted', 'acceptedbuyers', 'acceptedbidders', 'soldto', 'fårköpa', 'vemfårköpa'),
  Days: field('text', 'days', 'duration', 'dagar', 'antaldagar', 'löptid', 'auktionstid', 'auktionslängd'),
  Ends: field('text', 'ends', 'slutar', 'slutdatum', 'sluttid', 'avslutas', 'customenddate'),
  Restarts: field('text', 'restarts', 'omstarter'),
  DeactivateDate: field('text', 'deactivatedate', 'deactivate', 'onsaleuntil', 'tillsalutill'),
  ShippingCondition: field('text', 'shippingcondition', 'shippingterms', 'fraktvillkor'),
  PaymentCondition: field('text', 'paymentcondition', 'paymentterms', 'betalningsvillkor'),
  ActivateDate: field('text', 'activatedate', 'activate', 'onsalefrom', 'tillsalufrån'),
  OrderId: field('text', 'orderid', 'ordernr', 'ordernummer', 'ordernumber'),
  /** Fields of payouts and fees. */
  Date: field('text', 'date', 'datum', 'dag'),
  Amount: field('text', 'amount', 'belopp', 'summa'),
  Orders: field('text', 'orders', 'ordrar', 'orderids'),
  Fee: field('text', 'fee', 'avgift'),
  /** Currency of the amounts of a row. */
  Currency: field('text', 'currency', 'currencycode', 'valuta', 'valutakod', 'währung'),
} as const satisfies Readonly<Record<string, NamedField>>

export type FieldName = keyof typeof FIELDS

/** Fields of the table that an input takes. */
export interface InputFields<F extends string> {
  /** The name that each field has in this input; several may be one. */
  readonly takes: Readonly<Partial<Record<FieldName, F>>>
  /** Groups of which some column must be present. The first name of the group is suggested for a mistyped one. */
  readonly required: readonly { readonly oneOf: readonly F[]; readonly words: string }[]
  /** Fields that may be left out, and whose mistyped names are refused all the same: what they hold cannot be taken back. */
  readonly near?: readonly F[]
  /** True if rows that another system is told to delete are what the input is about, and no others then. */
  readonly removes?: true
  /** Kinds of columns that show that the file was made for something else, unless rows are marked as deleted. */
  readonly refuses?: readonly FieldKind[]
  /** The field that a row of a table may leave empty, so that its item stays as it is. */
  readonly about?: F
  /** Use of the columns of the input; by default they are sent. */
  readonly done?: 'read'
}

/** Columns that name an item, in every input about live ones. Of all own references the first one names it. */
export const ITEM = { Id: 'Id', Number: 'Number', OwnReference: 'OwnReference', OwnReferences: 'OwnReference' } as const
type ItemField = 'Id' | 'Number' | 'OwnReference'
export const NAMES_ITEM = { oneOf: ['Id', 'Number', 'OwnReference'], words: 'Id (or OwnReference)' } as const
const MARKS = { [ALLOW_COLUMN]: ALLOW_COLUMN, [OLD_COLUMN]: OLD_COLUMN } as const

export type PriceField =
  | ItemField
  | 'Price'
  | 'Listed'
  | 'Before'
  | typeof ALLOW_COLUMN
  | typeof OLD_COLUMN
  | 'Title'
  | 'Category'
  | 'Remaining'
  | 'Type'
  | 'Reserve'
/** `Listed`: the price as in a list of items. What stands beside prices is only compared. */
export const PRICES: InputFields<PriceField> = {
  takes: {
    ...ITEM,
    ...MARKS,
    Price: 'Price',
    OldPrice: 'Before',
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
  removes: true,
  refuses: ['price', 'amount', 'stock'],
}

/** Auctions to put up again, with the start and reserve prices that they get. */
export const RELISTS: InputFields<PriceField> = {
  takes: { Id: 'Id', Number: 'Number', OpeningPrice: 'Price', ReservedPrice: 'Reserve', Title: 'Title' },
  required: [{ oneOf: ['Id', 'Number'], words: 'Id' }],
}

/** Orders to mark. */
export const ORDERS: InputFields<PriceField> = { takes: { OrderId: 'Id' }, required: [{ oneOf: ['Id'], words: 'OrderId' }] }

export type EntryField = 'Date' | 'Amount' | 'Orders' | 'Fee' | 'VAT'
/** Payouts or fees of the marketplace, for the books. */
export const ENTRIES: InputFields<EntryField> = {
  takes: { Date: 'Date', Amount: 'Amount', Orders: 'Orders', OrderId: 'Orders', Fee: 'Fee', VAT: 'VAT' },
  required: [
    { oneOf: ['Date'], words: 'Date' },
    { oneOf: ['Amount'], words: 'Amount' },
  ],
  done: 'read',
}

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
export type CostField = ItemField | CostValue
const COST_ITEM = { ...ITEM, Cost: 'Cost', LowestPrice: 'LowestPrice', RecommendedPrice: 'RecommendedPrice' } as const
/** @param removing rows need to name items only */
export function costFields(removing: boolean): InputFields<CostField> {
  const values = { oneOf: ['Cost', 'LowestPrice', 'RecommendedPrice'], words: 'Cost (or LowestPrice, RecommendedPrice)' } as const
  return { takes: COST_ITEM, required: removing ? [NAMES_ITEM] : [NAMES_ITEM, values], done: 'read' }
}

/** Columns that every description of an item has. */
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
  Condition: 'ItemAttributes',
  ShippingCondition: 'ShippingCondition',
  PaymentCondition: 'PaymentCondition',
} as const

/** Names of the fields of a shop item. The number in stock is that of the file: it is set, never added. */
export const SHOP_ITEM_NAMES = namesOf<string>({
  ...DESCRIBED,
  Price: 'Price',
  BuyItNowPrice: 'Price',
  Quantity: 'AbsoluteQuantity',
  RemainingQuantity: 'AbsoluteQuantity',
  ItemImages: 'ItemImages',
  Accepted: 'AcceptedBuyerId',
  ActivateDate: 'ActivateDate',
  DeactivateDate: 'DeactivateDate',
})

/** Names of the fields of an auction or a fixed price item. `Pris` may be any of its prices, so it is none. */
export const ITEM_NAMES = namesOf<string>({
  ...DESCRIBED,
  OpeningPrice: 'StartPrice',
  ReservedPrice: 'ReservePrice',
  BuyItNowPrice: 'BuyItNowPrice',
  ItemImages: 'ItemImages',
  Sale: 'ItemType',
  Accepted: 'AcceptedBidderId',
  Days: 'Duration',
  Ends: 'CustomEndDate',
  Restarts: 'Restarts',
})

/** The field that a name of a column means in an input, and how good the name is: 0 is the best. */
export interface NameMeaning<F extends string> {
  readonly field: F
  readonly kind: FieldKind
  readonly rank: number
}

/** The fields of an input by the plain names of their columns; a name that ends with `*` is the start of one. */
export type ColumnNames<F extends string> = Readonly<Record<string, NameMeaning<F>>>

export function namesOf<F extends string>(takes: InputFields<F>['takes']): ColumnNames<F> {
  const names: Record<string, NameMeaning<F>> = {}
  for (const [at, [name, as]] of Object.entries(takes).entries()) {
    const { kind, names: own, others }: NamedField = FIELDS[name as FieldName]
    // The first counts of two fields of the table that are one here.
    const before = Object.values(takes).indexOf(as) < at ? AFTER * at : 0
    for (const [rank, plains] of [own, ...others].entries())
      for (const plain of plains) names[plain] ??= { field: as as F, kind, rank: before + rank }
  }
  return names
}

/** The service's own names of fields as names of columns. */
export function ownNames(fields: readonly string[]): ColumnNames<string> {
  return Object.fromEntries(
    fields.map((field) => [field.toLowerCase(), { field, kind: kindOf(field.toLowerCase()) ?? 'text', rank: 0 }]),
  )
}

/** The kind of a column of any input, by its plain name; undefined for one that no input takes. */
export function kindOf(plain: string): FieldKind | undefined {
  return Object.values<NamedField>(FIELDS).find(({ names, others }) => [names, ...others].some((each) => each.includes(plain)))
    ?.kind
}

/**
 * A column's name without what does not matter: `Pris (kr)`, `pris_sek`, ` PRIS ` are `pris`; `Nytt pris` is `nyttpris`. A
 * leading underscore stays, because it marks the seller's own columns.
 */
export function plainName(name: string): string {
  return readColumnName(name).plain
}

/** Systems whose sale prices are without VAT although no name says so: the plain name of the price, and of columns beside it. */
export const NET_SYSTEMS: readonly { readonly price: string; readonly beside: string }[] = [
  { price: 'försäljningspris', beside: 'benämning' },
  { price: 'försäljningspris', beside: 'försäljningskonto' },
]

/** Cells of other systems in a column whose name is one of ours: `SE:::49.00 SEK` is the shipping of a product feed. */
export const FOREIGN_CELLS: Readonly<Record<string, RegExp>> = { ShippingOptions: /^[A-Z]{2}:[^:]*:[^:]*:/ }

/** Columns of the place of a row: an item has a row for each of its places. A shelf is one too, and then each item has one. */
export const PLACE_COLUMNS: ReadonlySet<string> = new Set([
  ...['location', 'locationname', 'inventorylocation', 'stocklocation', 'place', 'plats', 'lagerplats', 'lagerställe'],
  ...['lagernamn', 'lagerkod', 'warehouse', 'warehousename', 'warehousecode', 'outlet', 'outletname', 'butik', 'butiksnamn'],
  ...['filial', 'depot', 'standort', 'lagerort', 'lagername'],
])

/** Columns by which a system is told what to do with a row. */
const ROW_COMMANDS: ReadonlySet<string> = new Set(['command', 'variantcommand', 'action', 'adddelete', 'updatedelete'])
const DELETES = /^(?:delete|deleted|end|enditem|remove|ta bort|radera|avsluta)$/i

/**
 * Places of the columns that say which rows a system deletes.
 * @param typed the one that the seller has named; an empty name for none
 */
export function commandColumns(names: readonly string[], column: string | undefined): number[] {
  return names.flatMap((name, at) =>
    (column === undefined ? ROW_COMMANDS.has(plainName(name)) : plainName(column) !== '' && plainName(column) === plainName(name))
      ? [at]
      : [],
  )
}

/** Reads what a system is told to do with a row: its item goes, or nothing is done; undefined for any other word. */
export function rowCommand(column: string, cell: string): 'delete' | 'ignore' | undefined {
  const word = cell.trim()
  if (DELETES.test(word) || (/^[dx]$/i.test(word) && plainName(column).endsWith('delete'))) return 'delete'
  return /^ignore$/i.test(word) ? 'ignore' : undefined
}

/** Words of names of money that is not what a buyer pays. */
export const NO_SALE_PRICE =
  /compare|before|old|msrp|rek|list|min|max|unit|base|grund|shipping|frakt|ecotax|inköp|einkauf|cost|kost|reserv|surcharge|markup|discount|rabatt/i

/** Prices of a sale: a row that has one has two prices, and only the seller knows which is meant. */
export const SALE_PRICES: ReadonlySet<string> = new Set([
  'saleprice',
  'reapris',
  'angebotspreis',
  'specialprice',
  'kampanjpris',
  'discountvalue',
  'discountprice',
  'rabattpris',
  'reducedprice',
])

/**
 * Columns by which a table of another system is known whose rows may be parents of variants, or further images: such rows name no
 * item of their own.
 */
export const VARIANT_TABLES: ReadonlySet<string> = new Set([
  ...[
    'parent',
    'förälder',
    'übergeordnetesprodukt',
    'variationdetails',
    'relationship',
    'relationshipdetails',
    'handle',
    'handleid',
  ],
  ...['urlhandle', 'option1name', 'optionname1', 'productoptionname1', 'imagesrc', 'productimageurl', 'productoptionname'],
  ...['configurablevariations', 'variantid', 'variation1name', 'itemgroupid'],
])

/** Columns whose words say that a row is the parent of variants. */
export const ROW_TYPES: ReadonlySet<string> = new Set(['type', 'typ', 'producttype', 'fieldtype'])
export const PARENT_TYPES: ReadonlySet<string> = new Set([
  'variable',
  'configurable',
  'grouped',
  'bundle',
  'productoption',
  'category',
])

/** Columns whose filled cells make a row the same item in another view of the shop, with texts of another language. */
export const SHOP_VIEWS: ReadonlySet<string> = new Set(['storeviewcode', 'storeview'])

/** Words of names that are about money or numbers, in the order in which unread columns are named. */
export const MONEY_NAME = /pris|price|preis|cost|kost|inköp|einkauf|belopp|amount|msrp|rabatt|surcharge|markup|\brate\b|rea\b/i
export const NUMBER_NAME = /antal|lager|saldo|qty|quantity|stock|bestand|inventory|on hand|available|disponibel/i
