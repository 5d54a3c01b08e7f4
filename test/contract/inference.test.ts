/** The types that the contract infers. The compiler is the test: each expected error must be one, and nothing else may be. */
import { expect } from 'chai'
import { type EntryOf, type ListOperationName, operations, type ParamsOf, type ResultOf } from '../../src/contract/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(answer: T) => expect(answer).to.equal(true)

describe('types inferred from the contract', () => {
  it('are those of the parameters', () => {
    holds<Equal<ParamsOf<'GetItem'>, { readonly itemId: number }>>(true)
    // @ts-expect-error an id is a number
    const wrongType: ParamsOf<'GetItem'> = { itemId: '1' }
    // @ts-expect-error the id is required
    const absent: ParamsOf<'GetItem'> = {}
    const unset: ParamsOf<'SetPricesOnNonShopItems'> = { itemId: 1, openingPrice: 1, ReservedPrice: null }
    expect([wrongType, absent, unset]).to.have.length(3)
  })

  it('are those of the results', () => {
    type Item = NonNullable<ResultOf<'GetItem'>>
    holds<Equal<Item['Id'], number>>(true)
    holds<Equal<Item['ShortDescription'], string | undefined>>(true)
    holds<Equal<Item['ReservePriceReached'], boolean | null>>(true)
    holds<Equal<Item['VAT'], number | null | undefined>>(true)
    holds<Equal<Item['PaymentOptions'], number[]>>(true)
    holds<Equal<Item['ItemType'], 'Auction' | 'PureBuyItNow' | 'ShopItem' | 'ContactOnly'>>(true)
    holds<Equal<EntryOf<'GetSellerItems'>, Item>>(true)
    holds<Equal<ResultOf<'LeaveFeedback'>, boolean>>(true)
    holds<Equal<ResultOf<'AddItemCommit'>, null>>(true)
    type Category = ResultOf<'GetCategories'>[number]
    holds<Equal<Category['Category'][number]['Name'], string | undefined>>(true)
  })

  it('tell the operations that answer with lists', () => {
    const lists: ListOperationName[] = ['GetSellerItems', 'PublicService.GetSellerItems', 'GetCategories', 'GetRequestResults']
    // @ts-expect-error one item is not a list
    const single: ListOperationName = 'GetItem'
    for (const name of lists) expect(operations[name].result.type.kind).to.equal('list')
    expect(operations[single as 'GetItem'].result.type.kind).to.equal('struct')
  })
})
