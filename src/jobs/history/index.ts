/** The interface of the price history: what readings of the live list have seen, and what jobs have set. */
export { changesSince, type ShopChange } from './changes.js'
export { type PriceEvent, priceEvents } from './item.js'
export { lastPrices } from './last-prices.js'
export { ABSENT } from './moves.js'
export { PriceReading, type ShortList } from './record.js'
export { numbersBeforeSales, StockReading } from './stock.js'
