/** A marketplace in its own folder, with a clock that moves only when it is told to. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Operation, type OperationName, operations, type ParamsOf, type ResultOf } from '../../../src/contract/index.js'
import {
  type Caller,
  type Marketplace,
  type MarketplaceSettings,
  openMarketplace,
  Refusal,
  SANDBOX_SELLERS,
  ServiceFault,
} from '../../../src/sandbox/marketplace/index.js'
import { SANDBOX_PROFILE } from '../../../src/sandbox/profile.js'
import { grow } from '../../grow.js'
import { scratch } from '../../scratch.js'
import { copySeeded } from '../../seeded.js'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** A moment in Swedish summer time. */
export const START = Date.UTC(2026, 5, 15, 10, 0, 0)

export const APPLICATION = { appId: SANDBOX_PROFILE.appId, appKey: SANDBOX_PROFILE.appKey }

/** The credentials of a member of the fresh sandbox. */
export function member(userId: number): Caller {
  const seller = SANDBOX_SELLERS.find((candidate) => candidate.userId === userId)
  if (seller === undefined) throw new Error(`There is no member ${userId}.`)
  return { ...APPLICATION, userId, token: seller.token }
}

export const ME = member(SANDBOX_PROFILE.userId)
export const [SECOND, NO_SHOP, EXPIRED, NO_EID, FULL_SHOP] = [1002, 1003, 1004, 1005, 1006] as const

/** Every item whatever its state. */
export const ALL = {
  categoryId: 0,
  filterActive: 'All',
  minEndDate: null,
  maxEndDate: null,
  filterItemType: 'All',
  maxStartDate: null,
} as const

export class Market {
  readonly folder = mkdtempSync(join(scratch(), 'marketplace-'))
  readonly path = join(this.folder, 'market.db')
  readonly marketplace: Marketplace
  now = START

  constructor(settings: Partial<MarketplaceSettings> = {}) {
    copySeeded(this.path, START)
    this.marketplace = this.another(settings)
  }

  /** A further marketplace on the same file, as another process would have it. */
  another(settings: Partial<MarketplaceSettings> = {}): Marketplace {
    return openMarketplace({ path: this.path, clock: { now: () => this.now }, settings })
  }

  call<N extends OperationName>(name: N, params: ParamsOf<N> | Record<string, unknown>, who: Caller = ME): ResultOf<N> {
    return this.answer(operations[name] as Operation, params as Record<string, unknown>, who) as ResultOf<N>
  }

  /** Answer of an operation, a list as a whole. */
  answer(operation: Operation, params: Record<string, unknown>, who: Caller): unknown {
    const result = this.marketplace.perform(operation, params, who)
    const list = typeof result === 'object' && result !== null && Symbol.iterator in result
    return list ? [...(result as Iterable<unknown>)] : result
  }

  /** The fault that a call ends with. */
  fault<N extends OperationName>(name: N, params: ParamsOf<N> | Record<string, unknown>, who: Caller = ME): ServiceFault {
    try {
      this.call(name, params, who)
    } catch (error) {
      if (error instanceof ServiceFault) return error
      throw error
    }
    throw new Error(`${name} was expected to fail.`)
  }

  /** The refusal that a call ends with. */
  refusal<N extends OperationName>(name: N, params: ParamsOf<N> | Record<string, unknown>, who: Caller): Refusal {
    try {
      this.call(name, params, who)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    throw new Error(`${name} was expected to be refused.`)
  }

  items(filter: Partial<ParamsOf<'GetSellerItems'>> = {}, who: Caller = ME): ResultOf<'GetSellerItems'> {
    return this.call('GetSellerItems', { ...ALL, ...filter }, who)
  }

  item(itemId: number, who: Caller = ME): NonNullable<ResultOf<'GetItem'>> {
    const item = this.call('GetItem', { itemId }, who)
    if (item === null) throw new Error(`There is no item ${itemId}.`)
    return item
  }

  /** The result of one request; undefined if there is none. */
  result(requestId: number, who: Caller = ME): ResultOf<'GetRequestResults'>[number] | undefined {
    return this.call('GetRequestResults', { requestIds: [requestId] }, who)[0]
  }

  grow(count: number, sellerId?: number): { first: number; last: number } {
    return grow(this.path, count, sellerId)
  }

  /** Time enough for everything that is queued. */
  pass(ms = this.marketplace.settings.queueDelayMs): void {
    this.now += ms
  }

  close(): void {
    this.marketplace.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A request that AddItem takes. */
export const AUCTION = {
  Title: 'Vas i glas – blå & "fin"',
  OwnReferences: ['A-1'],
  CategoryId: 344481,
  Duration: 7,
  Restarts: 0,
  StartPrice: 100,
  ReservePrice: 0,
  BuyItNowPrice: 0,
  Description: 'Hel.<br>Inga nagg.',
  PaymentOptionIds: [4096],
  ShippingOptions: [{ ShippingOptionId: 12, Cost: 59, ShippingProviderId: null }],
  AcceptedBidderId: 1,
  CustomEndDate: null,
  ItemAttributes: [2],
  ItemType: 1,
  AutoCommit: true,
  VAT: null,
  RestartedFromItemId: null,
} as const satisfies NonNullable<ParamsOf<'AddItem'>['itemRequest']>

/** A request that AddShopItem takes. */
export const SHOP_ITEM = {
  ActivateDate: null,
  AcceptedBuyerId: 1,
  CategoryId: 344481,
  DeactivateDate: null,
  Description: 'Nystan.',
  Price: 49,
  Quantity: null,
  AbsoluteQuantity: 12,
  Title: 'Bomullsgarn, röd',
  VAT: 25,
  OwnReferences: ['G-7'],
  ExternalId: null,
} as const satisfies NonNullable<ParamsOf<'AddShopItem'>['shopItemData']>
