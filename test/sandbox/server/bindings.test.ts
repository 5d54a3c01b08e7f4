import { expect } from 'chai'
import {
  type Fields,
  type Operation,
  operations,
  parametersBeyondText,
  resolved,
  type Type,
} from '../../../src/contract/index.js'
import { CREDENTIALS, type Got, NS, openSandbox, order, post, send, type TestSandbox } from '../support.js'
import { at, bodyOf, type Tree, treeOf } from '../tree.js'

const BINDINGS = ['SOAP 1.1', 'SOAP 1.2', 'HTTP GET', 'HTTP POST'] as const
type Binding = (typeof BINDINGS)[number]

const IMAGE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

interface Known {
  readonly auction: number
  readonly shopItem: number
  readonly otherShopItem: number
  readonly uncommitted: number
  readonly transaction: number
}

const itemRequest = {
  Title: 'Vas & "krus" <gammal>',
  CategoryId: 344481,
  Duration: 7,
  Restarts: 0,
  StartPrice: 100,
  ReservePrice: 0,
  BuyItNowPrice: 0,
  Description: 'Ett krus.<br>Öländskt.',
  PaymentOptionIds: [4096],
  ShippingOptions: [{ ShippingOptionId: 8, Cost: 0, ShippingProviderId: null }],
  AcceptedBidderId: 1,
  CustomEndDate: null,
  ItemAttributes: [2],
  ItemType: 1,
  AutoCommit: false,
  VAT: null,
  RestartedFromItemId: null,
}

/** Parameters for every operation, in an order in which each can be carried out. */
const CASES: [keyof typeof operations, (known: Known) => Record<string, unknown>][] = [
  ['GetOfficalTime', () => ({})],
  ['GetCategories', () => ({})],
  ['GetPaymentTypes', () => ({})],
  ['GetAcceptedBidderTypes', () => ({})],
  ['GetExpoItemTypes', () => ({})],
  ['GetItemTypes', () => ({})],
  ['GetCounties', () => ({})],
  ['PublicService.GetItem', ({ auction }) => ({ itemId: auction })],
  [
    'PublicService.GetSellerItems',
    () => ({ userId: 1002, categoryId: 0, filterActive: 'Active', minEndDate: null, maxEndDate: null, filterItemType: 'All' }),
  ],
  ['GetItem', ({ shopItem }) => ({ itemId: shopItem })],
  [
    'GetSellerItems',
    () => ({
      categoryId: 0,
      filterActive: 'Active',
      minEndDate: null,
      maxEndDate: '2026-03-20T00:00:00+01:00',
      filterItemType: 'Auction',
      maxStartDate: null,
    }),
  ],
  ['GetSellerTransactions', () => ({ request: { MinTransactionDate: null, MaxTransactionDate: null, Filter: 'New' } })],
  ['GetShopSettings', () => ({})],
  ['GetUserInfo', () => ({})],
  ['GetMemberPaymentOptions', () => ({ memberId: 1002 })],
  ['ValidateCampaignCode', () => ({ campaignCode: 'FINNS-INTE', categoryId: 0 })],
  ['AddItem', () => ({ itemRequest })],
  ['AddItemImage', ({ uncommitted }) => ({ requestId: uncommitted, imageData: IMAGE, imageFormat: 'Gif', hasMega: false })],
  ['AddItemCampaignCode', ({ uncommitted }) => ({ requestId: uncommitted, campaignCode: 'VALKOMMEN' })],
  ['AddItemCommit', ({ uncommitted }) => ({ requestId: uncommitted })],
  [
    'AddShopItem',
    () => ({
      shopItemData: {
        Title: 'Strumpor',
        CategoryId: 344481,
        Price: 99,
        AbsoluteQuantity: 3,
        AcceptedBuyerId: 1,
        Description: 'Ull.',
      },
    }),
  ],
  ['RemoveShopItem', ({ otherShopItem }) => ({ shopItemId: otherShopItem })],
  [
    'SetPriceOnShopItems',
    ({ shopItem }) => ({
      request: {
        ShopItems: [
          { Id: shopItem, Price: 249 },
          { Id: 1, Price: 5 },
        ],
      },
    }),
  ],
  ['SetPricesOnNonShopItems', ({ auction }) => ({ itemId: auction, openingPrice: 300, ReservedPrice: null, BinPrice: 200 })],
  ['GetRequestResults', ({ uncommitted }) => ({ requestIds: [uncommitted, uncommitted + 1, 2_000_000_000] })],
  ['LeaveFeedback', ({ transaction }) => ({ transactionId: transaction, comment: 'Tack så mycket!', type: 'Positive' })],
  ['LeaveOrderFeedbackToBuyer', () => ({ orderNumber: 2_000_000_000, comment: 'Tack!', type: 'Negative' })],
  ['GetSellerOrders', () => ({ request: { FromDate: null, ToDate: null, QueryDateMode: 'LastUpdatedDate' } })],
  ['GetOrders', () => ({ request: { OrderIds: [70_001, 1] } })],
  ['SetSellerOrderAsPaid', () => ({ request: { OrderId: 70_001 } })],
  ['SetSellerOrderAsShipped', () => ({ request: { OrderId: 1 } })],
  ['GetFreightLabels', () => ({ request: { OrderIds: [70_001, 70_002, 70_003] } })],
  ['GetEidVerificationProgress', () => ({})],
  ['BeginEidVerification', () => ({})],
  ['CancelEidVerification', () => ({})],
  ['BeginEidOnFileVerification', () => ({})],
  ['EndItem', ({ auction }) => ({ itemId: auction })],
  [
    'UpdateShopItem',
    ({ shopItem }) => ({ updateData: { ItemId: shopItem, ItemData: { Title: 'Kopp', Price: 99, AbsoluteQuantity: 4 } } }),
  ],
  [
    'UpdateTransactionStatus',
    ({ transaction }) => ({
      transactionStatusUpdateData: { TransactionId: transaction, MarkAsPaidConfirmed: true, MarkedAsShipped: null },
    }),
  ],
  [
    'SetActivateDateOnShopItems',
    ({ shopItem }) => ({ request: { ShopItems: [{ Id: shopItem, ActivateDate: '2099-05-01T00:00:00+02:00' }] } }),
  ],
  [
    'SetQuantityOnShopItems',
    ({ shopItem }) => ({
      request: {
        ShopItems: [
          { Id: shopItem, Quantity: 3 },
          { Id: 1, Quantity: 1 },
        ],
      },
    }),
  ],
]

/** Writes values as XML, by the contract. Only for tests: it shares nothing with the codec. */
function xmlOf(fields: Fields, values: Record<string, unknown>): string {
  return Object.entries(fields)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, field]) => elementOf(name, field.type, values[name]))
    .join('')
}

function elementOf(name: string, type: Type, value: unknown): string {
  if (value === null) return `<${name} xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" />`
  const whole = resolved(type)
  if (whole.kind === 'struct') return `<${name}>${xmlOf(whole.fields, value as Record<string, unknown>)}</${name}>`
  if (whole.kind === 'list') {
    return `<${name}>${(value as unknown[]).map((one) => elementOf(whole.itemName, whole.item, one)).join('')}</${name}>`
  }
  return `<${name}>${textOf(value).replace(/&/g, '&amp;').replace(/</g, '&lt;')}</${name}>`
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
}

function pairsOf(values: Record<string, unknown>): URLSearchParams {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, one === null ? '' : textOf(one))
  }
  return pairs
}

function callBy(binding: Binding, sandbox: TestSandbox, operation: Operation, values: Record<string, unknown>): Promise<Got> {
  const { service, name } = operation
  if (binding === 'SOAP 1.1' || binding === 'SOAP 1.2') {
    return post(sandbox, binding === 'SOAP 1.1' ? '1.1' : '1.2', name, xmlOf(operation.params, values), { service })
  }
  const credentials = service === 'PublicService' ? CREDENTIALS.replace(/&userId.*/, '') : CREDENTIALS
  const pairs = `${pairsOf(values)}&${credentials}`.replace(/^&/, '')
  const url = `${sandbox.url}/v3/${service}.asmx/${name}`
  if (binding === 'HTTP GET') return send(`${url}?${pairs}`)
  return send(url, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: pairs })
}

/** The meaning of an answer in any binding: a fault's text, nothing, or the children of the result with random values masked. */
function meaning(binding: Binding, sandbox: TestSandbox, operation: Operation, { status, text }: Got): unknown {
  const masked = text
    .replaceAll(sandbox.url, 'URL')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
  if (status === 500) {
    const said = binding.startsWith('SOAP') ? at(treeOf(masked), 'Body', 'Fault') : undefined
    const words = said === undefined ? unescaped(masked.trimEnd()) : (at(said, 'faultstring') ?? at(said, 'Reason', 'Text'))?.text
    return { fault: words?.replace(/\r\n/g, '\n') }
  }
  expect(status, `${binding} ${operation.name}: ${text.slice(0, 300)}`).to.equal(200)
  if (!binding.startsWith('SOAP')) return masked === '' ? 'nothing' : content(treeOf(masked))
  const reply = bodyOf(masked)
  expect(reply?.name).to.equal(`${operation.name}Response`)
  expect(reply?.namespace).to.equal(NS)
  return operation.result === undefined ? 'nothing' : content(at(reply, `${operation.name}Result`))
}

function content(tree: Tree | undefined): unknown {
  if (tree === undefined || tree.attributes.nil === 'true') return 'no result'
  return { text: tree.text, children: tree.children, attributes: tree.attributes }
}

function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

describe('the four bindings', () => {
  const sandboxes = new Map<Binding, TestSandbox>()
  let known: Known

  before(async () => {
    const found: Known[] = []
    for (const binding of BINDINGS) {
      const sandbox = await openSandbox({ extended: true })
      sandboxes.set(binding, sandbox)
      found.push(await lookAround(sandbox))
    }
    for (const one of found) expect(one, 'all four begin alike').to.deep.equal(found[0])
    known = found[0] as Known
  })
  after(async () => {
    for (const sandbox of sandboxes.values()) await sandbox.close()
  })

  for (const [key, valuesFor] of CASES) {
    const operation: Operation = operations[key]
    const beyond = parametersBeyondText(operation)
    it(`answer ${key} alike${beyond.length > 0 ? ', but for HTTP, which cannot carry it' : ''}`, async () => {
      const values = valuesFor(known)
      const answers: unknown[] = []
      for (const [binding, sandbox] of sandboxes) {
        if (key === 'GetRequestResults') sandbox.clock.at += 60_000
        const got = await callBy(binding, sandbox, operation, values)
        if (beyond.length > 0 && binding.startsWith('HTTP')) {
          expect(got.status).to.equal(500)
          expect(got.headers['content-type']).to.equal('text/plain; charset=utf-8')
          expect(got.text).to.equal(
            `${operation.name} Web Service method name is not valid. Its parameter ${beyond[0]} is more than a text can carry; call ${operation.name} by SOAP.\r\n`,
          )
          // So that the four stay alike, it is carried out there by SOAP.
          await callBy('SOAP 1.2', sandbox, operation, values)
          continue
        }
        answers.push(meaning(binding, sandbox, operation, got))
      }
      expect(answers).to.have.lengthOf(beyond.length > 0 ? 2 : 4)
      for (const answer of answers) expect(answer).to.deep.equal(answers[0])
      expect(JSON.stringify(answers[0]).length, 'the answer says something').to.be.greaterThan(8)
    })
  }
})

/** Ids that the cases need, found as a client would find them. */
async function lookAround(sandbox: TestSandbox): Promise<Known> {
  const list = async (type: string): Promise<Tree[]> => {
    const inner = `<categoryId>0</categoryId><filterActive>Active</filterActive><filterItemType>${type}</filterItemType>`
    const got = await post(sandbox, '1.2', 'GetSellerItems', inner)
    return at(bodyOf(got.text), 'GetSellerItemsResult')?.children ?? []
  }
  const id = (tree: Tree | undefined) => Number(at(tree, 'Id')?.text)
  const shop = await list('ShopItem')
  const auctions = (await list('Auction')).filter((item) => at(item, 'TotalBids')?.text === '0')
  await order(sandbox, 'faults', { 'queue-delay': '10s' })
  const added = await post(sandbox, '1.2', 'AddItem', xmlOf(operations.AddItem.params, { itemRequest }))
  const filter = '<request><Filter>New</Filter></request>'
  const sold = await post(sandbox, '1.2', 'GetSellerTransactions', filter)
  const open = at(bodyOf(sold.text), 'GetSellerTransactionsResult')?.children.find(
    (one) => at(one, 'IsFeedbackLeftBySeller')?.text === 'false',
  )
  return {
    transaction: id(open),
    auction: id(auctions[0]),
    shopItem: id(shop[0]),
    otherShopItem: id(shop[1]),
    uncommitted: Number(at(bodyOf(added.text), 'AddItemResult', 'RequestId')?.text),
  }
}
