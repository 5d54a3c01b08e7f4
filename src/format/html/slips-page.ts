/** Packing slips: a page in one file, one order to a sheet of paper. It makes no request and runs nothing. */
import { shownText } from '../output/values.js'
import { addressLines, type OrderRecord } from '../views/orders.js'
import { escapeHtml, headOf } from './page.js'

export type SlipLanguage = 'sv' | 'en'

const WORDS = {
  sv: {
    title: 'Packsedel',
    order: 'Order',
    orders: 'ordrar',
    date: 'Datum',
    to: 'Till',
    number: 'Antal',
    item: 'Vara',
    reference: 'Artikelnr',
    weight: 'Vikt',
    thanks: 'Tack för ditt köp!',
  },
  en: {
    title: 'Packing slip',
    order: 'Order',
    orders: 'orders',
    date: 'Date',
    to: 'To',
    number: 'Quantity',
    item: 'Item',
    reference: 'Reference',
    weight: 'Weight',
    thanks: 'Thank you for your purchase!',
  },
} as const

const STYLE = `
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 42rem; padding: 1rem; background: #fff; color: #000; font: 15px/1.4 system-ui, sans-serif; }
article { padding: 1rem 0 2rem; border-bottom: 1px dashed #777; }
h1 { margin: 0; font-size: 1.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .8rem 0; }
dt { color: #444; }
dd { margin: 0; overflow-wrap: anywhere; }
.to { font-size: 1.15rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .4rem; border-bottom: 1px solid #bbb; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th:first-child, td:first-child { width: 5rem; text-align: right; }
@media print {
  @page { size: A4; margin: 15mm; }
  body { max-width: none; padding: 0; }
  article { break-after: page; border: 0; padding: 0; }
  article:last-child { break-after: auto; }
  tr { break-inside: avoid; }
}`

/** Pieces of the page, in order. @param shop who sends, above each slip */
export function* slipsPage(orders: readonly OrderRecord[], language: SlipLanguage, shop: string): Generator<string, void> {
  const words = WORDS[language]
  const title = `${words.title}: ${orders.length} ${orders.length === 1 ? words.order.toLowerCase() : words.orders}`
  yield headOf(title, STYLE, { language })
  for (const order of orders) yield slip(order, language, shop)
  yield '</body>\n</html>\n'
}

function slip(order: OrderRecord, language: SlipLanguage, shop: string): string {
  const words = WORDS[language]
  const { ShippingWeight: weight } = order
  const rows = order.Items.map(({ Quantity, Title = '', OwnReferences, MerchantPartNumber }) => {
    const reference = [...OwnReferences, MerchantPartNumber].filter(Boolean).join(', ')
    return `<tr><td>${Quantity}</td><td>${escapeHtml(Title)}</td><td>${escapeHtml(reference)}</td></tr>`
  })
  return `<article>
<h1>${words.title} ${order.OrderId}</h1>
<p>${escapeHtml(shop)}</p>
<dl>
<dt>${words.date}</dt><dd>${escapeHtml(shownText(order.CreatedDate, 'date').slice(0, 10))}</dd>
<dt>${words.to}</dt><dd class="to">${addressLines(order).map(escapeHtml).join('<br>')}</dd>
${weight === null ? '' : `<dt>${words.weight}</dt><dd>${weight.toLocaleString(language)} kg</dd>\n`}</dl>
<table>
<thead><tr><th scope="col">${words.number}</th><th scope="col">${words.item}</th><th scope="col">${words.reference}</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p>${words.thanks}</p>
</article>
`
}
