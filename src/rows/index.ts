/** The interface of rows: one reader for files and arguments of every kind, and the writer of rows that come back. */
export { type AuctionRow, type AuctionRows, readAuctionRows } from './auctions.js'
export { isArchive, readText } from './bytes.js'
export { type Catalogue, type CatalogueList, type CatalogueRow, readCatalogue, shopField } from './catalogue.js'
export type { ColumnAnswers, LayoutAnswers } from './columns.js'
export { type CostInput, type CostInputs, type CostVersion, costRowsFromArguments, readCostRows } from './costs.js'
export { type Entry, readEntries } from './entries.js'
export { FaultList, faultLines, InputRefused, TWICE } from './faults.js'
export { isAddress, readImages as readImageNames } from './image-cells.js'
export { type CellRead, readVat } from './named.js'
export { type NumberRead, readPrice } from './number.js'
export { type PriceRow, PriceRows, RULE_FORM } from './price-rows.js'
export { idRowsFromArguments, priceRowsFromArguments, readIdRows, readPriceRows } from './read-prices.js'
export {
  type ItemRecord,
  type ItemRecords,
  itemField,
  messageOf,
  type RecordOperation,
  readItemRecords,
  recordFaults,
} from './records.js'
export { type RefusedRow, refusedValues, writeRefusedRows } from './refused.js'
export type { InputOptions } from './rows.js'
export { IntMap, listOf, listOfPlaces, type Made, type Spill, StoredById, StoredList } from './stored-list.js'
export type { InputForm, RowFault, Source } from './types.js'
export { QUANTITY, type RowValue, readValueRows, type ValueRow, type ValueRows, valueRowsFromArguments } from './values.js'
