import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BulkKind,
  type BulkOutcome,
  type BulkRowState,
  bulkRows,
  createBulkJob,
  type NewBulkJob,
  type NewBulkRow,
  type NewPart,
  type RunBulkOptions,
  runBulkJob,
} from '../../../src/jobs/bulk/index.js'
import { type Ledger, openLedger } from '../../../src/jobs/index.js'
import type { LiveItem } from '../../../src/pricing/index.js'
import type { InputForm } from '../../../src/rows/index.js'
import { SoapError, type SoapErrorKind } from '../../../src/soap/client/index.js'
import { said } from '../../said.js'
import { scratch } from '../../scratch.js'
import { FakeClock } from '../harness.js'

export const FORM: InputForm = { kind: 'csv', delimiter: ',', newline: '\n', bom: false, columns: ['Id', 'Price'] }

/** Parts of a job of several: new prices of 90 kronor, additions by their names, and removals. */
export const price = (...ids: number[]): NewPart => ({
  kind: 'price',
  rows: ids.map((id) => ({ line: id, id, price: 90, oldPrice: 100 })),
})
export const add = (...names: string[]): NewPart => ({
  kind: 'add-shop',
  rows: names.map((name, at) => ({ line: at + 2, id: 0, payload: { Title: name, Price: 5, OwnReferences: [name] } })),
})
export const remove = (...ids: number[]): NewPart => ({ kind: 'remove', rows: ids.map((id) => ({ line: 0, id })) })

/** Fate of one call: answered, or one of the ways it can fail. */
export type CallOutcome =
  | 'answered'
  | 'lost'
  | { kind: SoapErrorKind; sent?: boolean; faultString?: string; faultCode?: 'Client' | 'Server'; before?: boolean }

interface NewItem {
  Title?: string
  Price?: number
  StartPrice?: number
  OwnReferences?: string[]
}

/** The parameters of all operations that a job sends. */
interface Params {
  request?: { ShopItems: { Id: number; Price: number }[] }
  requestIds?: number[]
  shopItemId?: number
  itemId?: number
  openingPrice?: number
  ReservedPrice?: number | null
  BinPrice?: number | null
  shopItemData?: NewItem
  itemRequest?: NewItem
}

/** The service in memory: a shop with prices, a queue whose results take some looks, and an outcome for every call. */
export class FakeService {
  readonly items = new Map<number, LiveItem & { BuyItNowPrice: number | null }>()
  readonly calls: { operation: string; rows: number; params: Params }[] = []
  /** Calls under way, and the most there were at once. */
  atOnce = 0
  mostAtOnce = 0
  /** Items under way: none may be in two calls at once. */
  readonly underWay = new Set<number>()
  maxItems = 500
  maxIds = 100_000
  /** Number of looks until there is a result. */
  looks = 1
  outcome: (call: number, operation: string, params: Params) => CallOutcome = () => 'answered'
  /** Work before a call; what it throws is thrown instead of it. */
  before: (operation: string, params: Params) => unknown = () => undefined
  /** A result code for a request instead of Ok. */
  code: (itemId: number) => string = () => 'Ok'
  /** Entries refused by validation. */
  invalid: (itemId: number) => string | undefined = (id) =>
    this.items.has(id) ? undefined : `Shop item with id ${id} does not exist.`
  private nextRequest = 5000
  private nextItem = 900_000
  private readonly queue = new Map<number, { looks: number; itemId: number; apply: () => void; result?: string }>()

  static shop(prices: Record<number, number> | number, price = 100): FakeService {
    const service = new FakeService()
    const entries =
      typeof prices === 'number' ? Array.from({ length: prices }, (_, at) => [at + 1, price]) : Object.entries(prices)
    for (const [id, value] of entries) service.put(Number(id), Number(value))
    return service
  }

  put(Id: number, price: number | null, more: Partial<LiveItem & { BuyItNowPrice: number | null }> = {}): void {
    this.items.set(Id, { Id, ItemType: 'ShopItem', BuyItNowPrice: price, OwnReferences: [], ...more })
  }

  get live(): Iterable<LiveItem> {
    return this.items.values()
  }

  price(id: number): number | null | undefined {
    return this.items.get(id)?.BuyItNowPrice
  }

  of(operation: string): { rows: number; params: Params }[] {
    return this.calls.filter((call) => call.operation === operation)
  }

  /** Carries out everything that is queued. */
  carryOut(): void {
    for (const entry of this.queue.values()) this.process(entry)
  }

  readonly client = {
    call: async (operation: string, params: Params): Promise<unknown> => {
      await this.before(operation, params)
      const rows = params.request?.ShopItems?.length ?? params.requestIds?.length ?? 1
      const number = this.calls.push({ operation, rows, params })
      const ids: number[] = params.request?.ShopItems?.map((entry: { Id: number }) => entry.Id) ?? []
      const ending = this.outcome(number, operation, params)
      for (const id of ids) {
        if (this.underWay.has(id)) throw new Error(`item ${id} is in two calls at once`)
        this.underWay.add(id)
      }
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      try {
        if (typeof ending === 'object' && ending.before !== false) throw failure(operation, ending)
        const answer = this.answer(operation, params)
        if (ending === 'lost')
          throw failure(operation, { kind: operation.startsWith('Add') ? 'unknown-outcome' : 'interrupted', sent: true })
        if (typeof ending === 'object') throw failure(operation, ending)
        return answer
      } finally {
        this.atOnce--
        for (const id of ids) this.underWay.delete(id)
      }
    },
  } as unknown as RunBulkOptions['client']

  private answer(operation: string, params: Params): unknown {
    switch (operation) {
      case 'SetPriceOnShopItems': {
        const entries: { Id: number; Price: number }[] = params.request?.ShopItems ?? []
        if (entries.length > this.maxItems) {
          throw failure(operation, {
            kind: 'fault',
            sent: true,
            faultCode: 'Client',
            faultString: `Invalid request ---> Too many shop items: ${entries.length}`,
          })
        }
        const errors = entries.filter((entry) => this.invalid(entry.Id) !== undefined)
        return {
          QueuedRequestResponses: entries
            .filter((entry) => this.invalid(entry.Id) === undefined)
            .map(({ Id, Price }) => ({
              RequestId: this.enqueue(Id, () => this.put(Id, Price, { ...this.items.get(Id), BuyItNowPrice: Price })),
              ItemId: Id,
            })),
          ValidationErrors: errors.map((entry) => ({ Item: entry, ErrorMessage: this.invalid(entry.Id) })),
        }
      }
      case 'RemoveShopItem': {
        const { shopItemId = 0 } = params
        const wrong = this.invalid(shopItemId)
        if (wrong !== undefined)
          throw failure(operation, {
            kind: 'fault',
            sent: true,
            faultCode: 'Client',
            faultString: `Invalid request ---> ${wrong}`,
          })
        return {
          RequestId: this.enqueue(shopItemId, () => this.items.delete(shopItemId)),
          ItemId: shopItemId,
        }
      }
      case 'AddShopItem':
      case 'AddItem': {
        const id = this.nextItem++
        const data = params.shopItemData ?? params.itemRequest ?? {}
        const add = () =>
          this.put(id, data.Price ?? data.StartPrice ?? null, {
            ShortDescription: data.Title,
            OwnReferences: data.OwnReferences ?? [],
          })
        return { RequestId: this.enqueue(id, add), ItemId: id }
      }
      case 'SetPricesOnNonShopItems': {
        const item = this.items.get(params.itemId ?? 0)
        if (item === undefined || (item.TotalBids ?? 0) > 0)
          return { IsSuccessful: false, ValidationErrors: [{ ErrorMessage: 'It has bids.' }] }
        Object.assign(item, {
          OpeningBid: params.openingPrice,
          ReservePrice: params.ReservedPrice,
          BuyItNowPrice: params.BinPrice,
        })
        return { IsSuccessful: true, ValidationErrors: [] }
      }
      case 'GetRequestResults': {
        if ((params.requestIds ?? []).length > this.maxIds) {
          throw failure(operation, {
            kind: 'fault',
            sent: true,
            faultCode: 'Client',
            faultString: 'Invalid request ---> too many ids',
          })
        }
        return (params.requestIds ?? []).flatMap((RequestId: number) => {
          const entry = this.queue.get(RequestId)
          if (entry === undefined || --entry.looks > 0) return []
          this.process(entry)
          return [{ RequestId, ResultCode: entry.result, Message: entry.result === 'Ok' ? '' : 'because' }]
        })
      }
      default:
        throw new Error(`not expected: ${operation}`)
    }
  }

  /** True if everything that is queued from now on is one request. */
  oneRequest = false

  private enqueue(itemId: number, apply: () => void): number {
    const id = this.oneRequest ? this.nextRequest : this.nextRequest++
    const known = this.queue.get(id)
    if (known !== undefined) {
      const { apply: before } = known
      known.apply = () => {
        before()
        apply()
      }
      return id
    }
    this.queue.set(id, { looks: this.looks, itemId, apply })
    return id
  }

  private process(entry: { itemId: number; apply: () => void; result?: string }): void {
    if (entry.result !== undefined) return
    entry.result = this.code(entry.itemId)
    if (entry.result === 'Ok') entry.apply()
  }
}

export function failure(operation: string, ending: Exclude<CallOutcome, string>): SoapError {
  const { kind, sent = kind !== 'unreachable' && kind !== 'input', faultString, faultCode } = ending
  return new SoapError(kind, faultString ?? `${operation}: ${kind}`, {
    operation,
    sent,
    faultString,
    faultCode: kind === 'fault' ? (faultCode ?? 'Client') : undefined,
    httpStatus: kind === 'refused' ? 403 : undefined,
  })
}

/** A ledger on disk in a directory of its own, with a service and a clock. */
export class Bench {
  readonly directory = mkdtempSync(join(scratch(), 'seller-bulk-'))
  readonly clock = new FakeClock()
  readonly path = join(this.directory, 'ledger.db')
  ledger: Ledger
  service: FakeService

  constructor(service: FakeService) {
    this.service = service
    this.ledger = openLedger(this.path, this.clock)
  }

  /** A job of prices: item id to price; the old price is what the service has. */
  price(prices: Record<number, number> | number, more: Partial<NewBulkJob> = {}): number {
    const entries =
      typeof prices === 'number'
        ? Array.from({ length: prices }, (_, at): [number, number] => [at + 1, 200 + (at % 7)])
        : Object.entries(prices).map(([id, price]): [number, number] => [Number(id), price])
    const rows = entries.map(([id, price], at) => ({ line: at + 2, id, price, oldPrice: this.service.price(id) ?? null }))
    return this.job('price', rows, { userId: 7, ...more })
  }

  /** A job of rows. @returns its id */
  job(kind: BulkKind, rows: Iterable<NewBulkRow>, more: Partial<NewBulkJob> = {}): number {
    return createBulkJob(this.ledger, { kind, profile: 'shop', title: 't', form: FORM, rows, ...more }).JobId
  }

  /** The state of each row of a job. */
  states(jobId: number): BulkRowState[] {
    return [...bulkRows(this.ledger, jobId)].map(({ State }) => State)
  }

  /** The state of each row, and why. */
  reasons(jobId: number): [BulkRowState, string | null][] {
    return [...bulkRows(this.ledger, jobId)].map(({ State, Hold }) => [State, said({ Hold })])
  }

  run(jobId: number, options: Partial<RunBulkOptions> = {}): Promise<BulkOutcome> {
    return runBulkJob({ ledger: this.ledger, client: this.service.client, clock: this.clock, jobId, ...options })
  }

  /** Closes the ledger like a dying process, without releasing anything, and opens it again. */
  reopen(): void {
    this.ledger.close()
    this.ledger = openLedger(this.path, this.clock)
  }

  close(): void {
    this.ledger.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
