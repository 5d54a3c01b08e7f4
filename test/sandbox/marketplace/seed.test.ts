/** The content of a fresh sandbox: what documents, demonstrations and the tests of others name is there every time. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect } from 'chai'
import { dateTimeOf, type Operation, operations, publicExtended } from '../../../src/contract/index.js'
import type { Caller } from '../../../src/sandbox/marketplace/index.js'
import { CAMPAIGNS } from '../../../src/sandbox/marketplace/seed/campaigns.js'
import { seed } from '../../../src/sandbox/marketplace/seed/seed.js'
import { openMarketStore } from '../../../src/sandbox/marketplace/store/store.js'
import { closing } from '../../opened.js'
import { scratch } from '../../scratch.js'
import { ALL, DAY, Market, member, START } from './market.js'

/** Where the data of a PNG's pixels begins, and what follows it: the checksum, and a part without data. */
const [PIXELS, AFTER] = [41, 16]

/** Number of rows of a table, and a digest of them. If the content is meant to change, so are these. */
const CONTENT: Readonly<Record<string, string>> = {
  applications: '2 6e5c18fc54cd',
  calls: '0 4f53cda18c2b',
  campaign_uses: '1 c343e150e193',
  campaigns: '7 cca4c15598f6',
  eid_sessions: '0 4f53cda18c2b',
  feedback: '15 e516e1bfdf17',
  grants: '0 4f53cda18c2b',
  images: '24 767d44531b29',
  items: '420 95199d161243',
  members: '12 90e17ed9455f',
  meta: '6 6bd2dac2b9e8',
  orders: '30 cb5f14af0ad6',
  payments: '0 4f53cda18c2b',
  request_images: '0 4f53cda18c2b',
  requests: '0 4f53cda18c2b',
  restarts: '0 4f53cda18c2b',
  shop_sizes: '3 84cb3eaf761e',
  transactions: '32 20d5f50f351c',
}

/** Answers of each operation that reads, to members and strangers: a digest of its answers, or of the texts of its faults. */
const ANSWERS: Readonly<Record<string, string>> = {
  GetAcceptedBidderTypes: '8389c800bbc0',
  GetAttributeDefinitions: 'c3a9153ee10a',
  GetCategories: '4264c2f627ad',
  GetCounties: '7e32a794d041',
  GetEidVerificationProgress: 'b59f60dcfa81',
  GetExpoItemTypes: '865956c0db14',
  GetFreightLabels: 'c2eee319dac6',
  GetItem: '9d9fd22110bb',
  GetItemRestarts: '0b87750191e6',
  GetItemTypes: '8022a0f57593',
  GetMemberPaymentOptions: '9f38bf9ceb84',
  GetOfficalTime: '505a39a4e448',
  GetOrders: 'e60f33b9758a',
  GetPaymentTypes: 'b949ae504cf8',
  GetRequestResults: '72ae5179cb29',
  GetSellerItems: '767250864bda',
  GetSellerOrders: '9bfc6bf8b5bb',
  GetSellerTransactions: 'eeccd39ecb82',
  GetShippingOptions: '31bab6d0a523',
  GetShippingTypes: 'e3063fc8996c',
  GetShopSettings: '233bdcd61181',
  GetUserByAlias: '06fb180c9d02',
  GetUserInfo: '6a4cc001a3bd',
  ValidateCampaignCode: 'dcb8a9e0e3fc',
}

const day = (at: number) => dateTimeOf(START - at * DAY)
const dates = (from?: number, to?: number) => ({ FromDate: from && day(from), ToDate: to && day(to) })

/** Members, as their own callers; those whose tokens have expired, or who are no sellers, see what strangers see. */
const SELLERS = [1001, 1002, 1003, 1005, 1006].map(member)

/** The calls of each operation, for each caller. */
const READS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  GetItem: [],
  GetSellerItems: [
    ...['All', 'Auction', 'PureBuyItNow', 'ShopItem', 'ContactOnly'].map((filterItemType) => ({ ...ALL, filterItemType })),
    ...['Active', 'Inactive'].map((filterActive) => ({ ...ALL, filterActive })),
    ...[12, 1202, 120201].map((categoryId) => ({ ...ALL, categoryId })),
    { ...ALL, filterActive: 'Active', minEndDate: day(10), maxEndDate: day(0) },
    { ...ALL, filterActive: 'Inactive', maxEndDate: day(-3), maxStartDate: day(20) },
    { ...ALL, filterItemType: undefined, minEndDate: '0001-01-01T00:00:00', maxEndDate: '9999-12-31T00:00:00' },
  ],
  GetSellerTransactions: [
    {},
    ...['New', 'NewAndUpdated'].flatMap((Filter) => [
      { request: { Filter } },
      { request: { Filter, MinTransactionDate: day(10), MaxTransactionDate: day(3) } },
      { request: { Filter, MinTransactionDate: day(4) } },
      { request: { Filter, MaxTransactionDate: day(12) } },
    ]),
  ],
  GetSellerOrders: [
    {},
    ...['CreatedDate', 'LastUpdatedDate'].flatMap((QueryDateMode) =>
      [dates(), dates(10, 3), dates(4), dates(undefined, 12)].map((bounds) => ({ request: { QueryDateMode, ...bounds } })),
    ),
  ],
  GetOrders: [{}, { request: { OrderIds: Array.from({ length: 30 }, (_, at) => 70_030 - at) } }],
  GetFreightLabels: [{ request: { OrderIds: Array.from({ length: 30 }, (_, at) => 70_001 + at) } }],
  GetRequestResults: [{ requestIds: [90_000_001] }],
  GetItemRestarts: [{ itemId: 600_000_001 }],
  GetEidVerificationProgress: [{}],
  GetShopSettings: [{}],
  GetUserInfo: [{}],
  GetMemberPaymentOptions: [1001, 2001, 9].map((memberId) => ({ memberId })),
  ValidateCampaignCode: CAMPAIGNS.flatMap(({ code }) =>
    [0, 16, 160301, 120201].map((categoryId) => ({ campaignCode: code, categoryId })),
  ),
  GetOfficalTime: [{}],
  GetCategories: [{}],
  GetPaymentTypes: [{}],
  GetAcceptedBidderTypes: [{}],
  GetExpoItemTypes: [{}],
  GetItemTypes: [{}],
  GetCounties: [{}],
  GetAttributeDefinitions: [120503, 120201, 160301, 110102, 9].map((categoryId) => ({ categoryId })),
  GetUserByAlias: [' SÖDERMALMS_LOPPIS', 'k.nilsson', 'k_nilsson', undefined].map((alias) => ({ alias })),
  GetShippingTypes: [{}],
  GetShippingOptions: [{}],
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}

/** The pixels of a PNG and not their compressed form, which is another one in another Node. */
function shown(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value
  const bytes = Buffer.from(value)
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return bytes.toString('hex')
  return [bytes.subarray(0, 33), inflateSync(bytes.subarray(PIXELS, -AFTER)), bytes.subarray(-12)].map((part) =>
    part.toString('hex'),
  )
}

describe('a fresh sandbox', () => {
  it('answers operations that read in the same way every time, each kind of member', () => {
    using market = closing(new Market({ linkBase: 'http://127.0.0.1:8080' }))
    const all: Readonly<Record<string, Operation>> = { ...operations, ...publicExtended }
    const answered = (name: string, params: Readonly<Record<string, unknown>>, who: Caller) => {
      try {
        return market.answer(all[name] as Operation, params, who)
      } catch (error) {
        return (error as Error).message
      }
    }
    const ids = market.items().map(({ Id }) => ({ itemId: Id }))
    const answers = Object.entries({ ...READS, GetItem: ids }).map(([name, calls]) => [
      name,
      digestOf(SELLERS.map((who) => calls.map((params) => answered(name, params, who)))),
    ])
    expect(Object.fromEntries(answers)).to.deep.equal(ANSWERS)
  })

  it('has the same members, items, sales, codes and pictures every time', () => {
    const folder = mkdtempSync(join(scratch(), 'seed-'))
    const path = join(folder, 'market.db')
    const store = openMarketStore(path, (fresh) => seed(fresh, START + 999))
    try {
      const tables = store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      const content = tables.map(({ name }) => {
        const rows = store.rows(`SELECT * FROM ${name} ORDER BY 1, 2`)
        return [name, `${rows.length} ${digestOf(rows.map((row) => row.map(shown)))}`]
      })
      expect(Object.fromEntries(content)).to.deep.equal(CONTENT)
    } finally {
      store.close()
      rmSync(folder, { recursive: true })
    }
  })
})
