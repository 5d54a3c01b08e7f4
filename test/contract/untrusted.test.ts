/** Every text of the contract's replies is decided on: written by others, or by the service and this seller. */
import { expect } from 'chai'
import { type Operation, operations, resolved, type Type } from '../../src/contract/index.js'
import { isUntrusted } from '../../src/contract/untrusted.js'

/** Texts by the service, or by the seller: links, keys, words of lists, the shop's own settings. */
const KNOWN = new Set([
  ...[
    'Item.OwnReferences',
    'TransactionItem.OwnReferences',
    'SellerOrderItem.OwnReferences',
    'SellerOrderItem.MerchantPartNumber',
  ],
  ...['ImageLink.Url', 'ImageLink.Format', 'Item.ItemLink', 'Item.ThumbnailLink', 'SellerOrder.PurchaseOrderId'],
  ...['Item.ImageLinks', 'SellerOrderPayment.PaymentType', 'SellerOrder.ShippingType'],
  ...['MemberPaymentOption.Name', 'MemberPaymentOption.Description', 'MemberPaymentOption.DisplayName'],
])

/** Types of which a member never writes a text. */
const OF_SERVICE =
  /^(?:ShopSettings|ShopLogo|Category|IdDescription|IdValue|Payment|Attribute|Term|Number|Shipping|Begin|Get|Cancel|Token|Freight|Validate)/

interface Text {
  readonly owner: string
  readonly path: string
  readonly isPersonal: boolean
}

function textsOf({ name, result }: Operation): Text[] {
  const found: Text[] = []
  const seen = new Set<Type>()
  const look = (type: Type, path: string, owner: string, isPersonal: boolean): void => {
    const plain = resolved(type)
    if (plain.kind === 'list') look(plain.item, path, owner, isPersonal)
    else if (plain.kind === 'string') found.push({ owner, path, isPersonal })
    else if (plain.kind === 'struct' && !seen.has(plain)) {
      seen.add(plain)
      for (const [field, { type: inner }] of Object.entries(plain.fields))
        look(inner, path === '' ? field : `${path}.${field}`, `${plain.name}.${field}`, isPersonal || plain.personal === true)
      seen.delete(plain)
    }
  }
  if (result !== undefined) look(result.type, '', name, false)
  return found
}

describe('texts that others write', () => {
  const texts = Object.values<Operation>(operations).flatMap(textsOf)

  it('are all that stand in a person', () => {
    const persons = texts.filter(({ isPersonal }) => isPersonal)
    expect(persons.length).to.be.greaterThan(30)
    expect(persons.filter(({ path }) => !isUntrusted(path)).map(({ path }) => path)).to.deep.equal([])
  })

  it('are told from those of the service and the seller, each by name', () => {
    const open = texts.filter(({ path, owner }) => !isUntrusted(path) && !KNOWN.has(owner) && !OF_SERVICE.test(owner))
    expect([...new Set(open.map(({ owner }) => owner))]).to.deep.equal([])
  })

  it('are titles, descriptions and messages', () => {
    for (const key of ['Title', 'ShortDescription', 'Rows.Title', 'Item.Title', 'Buyer.Alias', 'ShipTo.Name', 'Message'])
      expect(isUntrusted(key), key).to.equal(true)
    for (const key of ['Id', 'Name', 'Command', 'Words', 'Reason', 'ItemLink']) expect(isUntrusted(key), key).to.equal(false)
  })
})
