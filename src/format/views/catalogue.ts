/** The shop as a catalogue: what shop:sync reads, a row for each item. */
import type { Column, View } from '../output/types.js'
import { columnsOf } from './columns.js'

/** An item by the names of the fields of shop:add; what it does not have is null. */
export interface CatalogueRowShown {
  readonly OwnReferences: readonly string[]
  readonly Title: string | null
  readonly CategoryId: number | null
  /** Kronor. */
  readonly Price: number | null
  readonly AbsoluteQuantity: number | null
  readonly Description: string | null
  readonly VAT: number | null
  readonly ShippingOptions: readonly object[] | null
  readonly PaymentOptionIds: readonly number[] | null
  readonly ShippingCondition: string | null
  readonly PaymentCondition: string | null
  readonly AcceptedBuyerId: number | null
  readonly ItemAttributes: readonly number[] | null
  readonly DeactivateDate: string | null
}

/** Texts of cells instead of ids. */
export interface CatalogueCells {
  payment(id: number): string
  /** Undefined for a way that only JSON can say. */
  shipping(way: object): string | undefined
}

/** Separates the entries of a list in one cell, as tables of items have it. */
const BETWEEN = '|'

function listColumn(key: 'OwnReferences' | 'ItemAttributes', maxWidth?: number): Column<CatalogueRowShown> {
  return { key, value: ({ [key]: list }) => list?.join(BETWEEN) ?? null, maxWidth }
}

function waysIn(ways: readonly object[], { shipping }: CatalogueCells): string {
  const words = ways.map(shipping)
  return words.includes(undefined) ? JSON.stringify(ways) : words.join(BETWEEN)
}

export const catalogueViewOf = (cells: CatalogueCells): View<CatalogueRowShown> => ({
  empty: 'No shop items with an own reference.',
  columns: [
    listColumn('OwnReferences', 24),
    { key: 'Title', maxWidth: 40 },
    ...columnsOf('CategoryId', 'Price', { AbsoluteQuantity: 'Stock' }),
  ],
  plain: [
    listColumn('OwnReferences'),
    ...columnsOf('Title', { CategoryId: 'CategoryId' }, 'Price', { AbsoluteQuantity: 'AbsoluteQuantity' }, 'Description'),
    ...columnsOf('VAT'),
    { key: 'ShippingOptions', value: ({ ShippingOptions: ways }) => (ways === null ? null : waysIn(ways, cells)) },
    { key: 'PaymentOptionIds', value: ({ PaymentOptionIds: ids }) => ids?.map(cells.payment).join(BETWEEN) ?? null },
    ...columnsOf({ ShippingCondition: 'ShippingCondition', PaymentCondition: 'PaymentCondition' }),
    ...columnsOf({ AcceptedBuyerId: 'AcceptedBuyerId' }),
    listColumn('ItemAttributes'),
    { key: 'DeactivateDate' },
  ],
})

/** With ids. */
export const catalogueView = catalogueViewOf({ payment: String, shipping: () => undefined })
