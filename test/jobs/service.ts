/** The part of the service that a listing uses, in memory. It can lose an answer or refuse a call. */
import type { ItemRequestInput } from '../../src/jobs/listing/listing.js'
import { SoapError } from '../../src/soap/client/index.js'
import { FakeClient } from './harness.js'

interface Draft {
  title: string
  images: string[]
  campaignCode?: string
  commits: number
}

export const LAMP: ItemRequestInput = {
  Title: 'Lampa',
  CategoryId: 1612,
  Duration: 7,
  Restarts: 0,
  StartPrice: 100,
  ReservePrice: 0,
  BuyItNowPrice: 0,
  AcceptedBidderId: 1,
  ItemType: 1,
  AutoCommit: true,
}

export class FakeService {
  readonly drafts = new Map<number, Draft>()
  /**
   * Fate of the call with this number, from 1: an error instead of it, a lost answer, or an error after it was carried
   * out.
   */
  readonly mishaps = new Map<number, Error | 'lost' | { after: Error }>()
  /** Result code of a committed request. */
  code: string | undefined = 'Ok'
  readonly client: FakeClient
  #call = 0

  constructor() {
    this.client = new FakeClient({
      AddItem: this.#guarded('AddItem', ({ itemRequest }: { itemRequest: ItemRequestInput }) => {
        if (itemRequest.AutoCommit) throw new Error('The item request would be committed at once.')
        const RequestId = 900 + this.drafts.size
        this.drafts.set(RequestId, { title: itemRequest.Title ?? '', images: [], commits: 0 })
        return { RequestId, ItemId: RequestId * 10 }
      }),
      AddItemImage: this.#guarded(
        'AddItemImage',
        (image: { requestId: number; imageData: Buffer; imageFormat: string; hasMega: boolean }) => {
          this.#draft(image.requestId).images.push(`${image.imageFormat}${image.hasMega ? '+' : ''} ${image.imageData.length}`)
          return null
        },
      ),
      AddItemCampaignCode: this.#guarded('AddItemCampaignCode', (p: { requestId: number; campaignCode: string }) => {
        this.#draft(p.requestId).campaignCode = p.campaignCode
        return null
      }),
      AddItemCommit: this.#guarded('AddItemCommit', ({ requestId }: { requestId: number }) => {
        this.#draft(requestId).commits += 1
        return null
      }),
      GetRequestResults: ({ requestIds }: { requestIds: number[] }) =>
        requestIds.flatMap((RequestId) => {
          const draft = this.drafts.get(RequestId)
          if (draft === undefined) return []
          if (draft.commits === 0) return [{ RequestId, ResultCode: 'Uncommited' }]
          return this.code === undefined ? [] : [{ RequestId, ResultCode: this.code }]
        }),
    })
  }

  /** Items on sale: committed drafts. */
  get items(): Draft[] {
    return [...this.drafts.values()].filter(({ commits }) => commits > 0)
  }

  /** Names of the calls, without the looks at results. */
  get writes(): string[] {
    return this.client.names.filter((name) => name !== 'GetRequestResults')
  }

  #draft(requestId: number): Draft {
    const draft = this.drafts.get(requestId)
    if (draft === undefined) throw new Error(`No request ${requestId}.`)
    return draft
  }

  #guarded<P>(operation: string, work: (params: P) => unknown): (params: P) => unknown {
    return (params) => {
      this.#call += 1
      const mishap = this.mishaps.get(this.#call)
      this.mishaps.delete(this.#call)
      if (mishap instanceof Error) throw mishap
      const answer = work(params)
      if (typeof mishap === 'object') throw mishap.after
      if (mishap === 'lost') {
        const kind = operation === 'AddItem' || operation === 'AddItemImage' ? 'unknown-outcome' : 'interrupted'
        throw new SoapError(kind, `The answer to ${operation} was lost.`, { operation, sent: true })
      }
      return answer
    }
  }
}
