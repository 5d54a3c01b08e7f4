/** node-soap, built from our WSDL: a stack that shares nothing with our encoder and decoder. */
import { expect } from 'chai'
import { type Client, createClientAsync } from 'soap'
import { operations } from '../../../src/contract/index.js'
import { SANDBOX_PROFILE } from '../../../src/sandbox/index.js'
import { opened } from '../../opened.js'
import { NS, openSandbox } from '../support.js'

type Value = Record<string, unknown>

describe('node-soap, built from the WSDL', () => {
  const sandbox = opened(() => openSandbox({ clock: { now: Date.now }, faults: { queueDelayMs: 0 } }))

  async function clientOf(service: 'RestrictedService' | 'PublicService', soap12: boolean): Promise<Client> {
    const address = `${sandbox.url}/v3/${service}.asmx`
    const client = await createClientAsync(`${address}?WSDL`, { forceSoap12Headers: soap12 })
    const { appId, appKey, userId, token } = SANDBOX_PROFILE
    client.addSoapHeader({ AuthenticationHeader: { AppId: appId, AppKey: appKey } }, '', 'tns', NS)
    if (service === 'RestrictedService') {
      client.addSoapHeader({ AuthorizationHeader: { UserId: userId, Token: token } }, '', 'tns', NS)
    }
    return client
  }

  /** Calls an operation and returns its result. */
  async function call(client: Client, name: string, params: Value = {}): Promise<unknown> {
    const [reply] = (await client[`${name}Async`](params)) as [Value | null]
    return reply?.[`${name}Result`]
  }

  for (const soap12 of [false, true]) {
    describe(soap12 ? 'over SOAP 1.2' : 'over SOAP 1.1', () => {
      let restricted: Client
      let open: Client
      before(async () => {
        restricted = await clientOf('RestrictedService', soap12)
        open = await clientOf('PublicService', soap12)
      })
      const seller = (name: string, params?: Value) => call(restricted, name, params)
      const anyone = (name: string, params?: Value) => call(open, name, params)
      const everything = {
        categoryId: 0,
        filterActive: 'Active',
        minEndDate: null,
        maxEndDate: null,
        filterItemType: 'All',
        maxStartDate: null,
      }
      const items = async (filterItemType: string) =>
        ((await seller('GetSellerItems', { ...everything, filterItemType })) as { Item: Value[] }).Item

      it('sees four ports and every operation', () => {
        for (const [client, service] of [
          [restricted, 'RestrictedService'],
          [open, 'PublicService'],
        ] as const) {
          const ports = (client.describe() as Record<string, Record<string, Value>>)[service] ?? {}
          expect(Object.keys(ports)).to.include.members([`${service}Soap`, `${service}Soap12`])
          const names = Object.values(operations)
            .filter((operation) => operation.service === service && operation.extended !== true)
            .map(({ name }) => name)
          expect(Object.keys(ports[`${service}Soap12`] ?? {})).to.have.members(names)
        }
      })

      it('reads reference data', async () => {
        expect(await anyone('GetOfficalTime')).to.be.instanceOf(Date)
        const { Category: roots } = (await anyone('GetCategories')) as { Category: { attributes: Value; Category: Value[] }[] }
        expect(roots[0]?.attributes).to.have.all.keys('Id', 'Name')
        expect(roots[0]?.Category.length).to.be.greaterThan(0)
        for (const name of ['GetPaymentTypes', 'GetAcceptedBidderTypes', 'GetExpoItemTypes', 'GetItemTypes', 'GetCounties']) {
          const { IdDescriptionPair: pairs } = (await anyone(name)) as { IdDescriptionPair: Value[] }
          expect(pairs[0]?.Id, name).to.be.a('number')
          expect(pairs[0]?.Description, name).to.be.a('string')
        }
      })

      it('reads items, typed', async () => {
        const { Item: shown } = (await anyone('GetSellerItems', { userId: 1002, ...everything })) as { Item: Value[] }
        const [first] = shown
        expect(first?.Id).to.be.a('number')
        expect(first?.EndDate).to.be.instanceOf(Date)
        expect(first?.AcceptsPickup).to.be.a('boolean')
        expect(await anyone('GetItem', { itemId: first?.Id })).to.deep.equal(first)
        const [own] = await items('ShopItem')
        expect(own?.BuyItNowPrice).to.be.a('number')
        expect(own?.ItemType).to.equal('ShopItem')
        expect(await seller('GetItem', { itemId: own?.Id })).to.deep.equal(own)
      })

      it('reads the seller', async () => {
        expect(await seller('GetUserInfo')).to.include({ Id: 1001, Alias: 'Södermalms_Loppis' })
        expect(((await seller('GetShopSettings')) as Value).MaxActiveItems).to.be.a('number')
        const { Transaction: sold } = (await seller('GetSellerTransactions', {
          request: { MinTransactionDate: null, MaxTransactionDate: null, Filter: 'New' },
        })) as { Transaction: Value[] }
        expect(sold[0]?.Date).to.be.instanceOf(Date)
        expect(sold[0]?.Buyer).to.be.an('object')
        const { PaymentOptions } = (await seller('GetMemberPaymentOptions', { memberId: 1002 })) as {
          PaymentOptions: { MemberPaymentOption: Value[] }
        }
        expect(PaymentOptions.MemberPaymentOption[0]?.Name).to.be.a('string')
      })

      it('lists an item with an image and a campaign code', async () => {
        const itemRequest = {
          Title: 'Vas & krus <1950>',
          CategoryId: 344481,
          Duration: 7,
          Restarts: 0,
          StartPrice: 100,
          ReservePrice: 0,
          BuyItNowPrice: 0,
          Description: 'Öländskt krus.',
          PaymentOptionIds: { int: [4096] },
          ShippingOptions: { ItemShipping: [{ ShippingOptionId: 8, Cost: 0, ShippingProviderId: null }] },
          AcceptedBidderId: 1,
          CustomEndDate: null,
          ItemAttributes: { int: [2] },
          ItemType: 1,
          AutoCommit: false,
          VAT: null,
          RestartedFromItemId: null,
        }
        const queued = (await seller('AddItem', { itemRequest })) as { RequestId: number; ItemId: number }
        const requestId = queued.RequestId
        const imageData = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
        expect(await seller('AddItemImage', { requestId, imageData, imageFormat: 'Gif', hasMega: false })).to.equal(undefined)
        const verdict = (await seller('ValidateCampaignCode', { campaignCode: 'STORRABATT', categoryId: 0 })) as Value
        expect(verdict.IsValid).to.be.a('boolean')
        if (verdict.IsValid === true) await seller('AddItemCampaignCode', { requestId, campaignCode: 'STORRABATT' })
        await seller('AddItemCommit', { requestId })
        const { RequestResult: results } = (await seller('GetRequestResults', { requestIds: { int: [requestId] } })) as {
          RequestResult: Value[]
        }
        expect(results).to.have.lengthOf(1)
        expect(results[0]).to.include({ RequestId: requestId, ResultCode: 'Ok' })
        const item = (await seller('GetItem', { itemId: queued.ItemId })) as Value
        expect(item.ShortDescription).to.equal('Vas & krus <1950>')
        expect((item.DetailedImageLinks as Value[])[0]?.Url).to.match(/^http:/)
      })

      it('runs a shop', async () => {
        const added = (await seller('AddShopItem', {
          shopItemData: {
            Title: 'Strumpor',
            CategoryId: 344481,
            Price: 99,
            AbsoluteQuantity: 3,
            AcceptedBuyerId: 1,
            Description: 'Ull.',
          },
        })) as Value
        expect(added.ItemId).to.be.a('number')
        const [item] = await items('ShopItem')
        const priced = (await seller('SetPriceOnShopItems', {
          request: {
            ShopItems: {
              SetPriceShopItem: [
                { Id: item?.Id, Price: 321 },
                { Id: 1, Price: 5 },
              ],
            },
          },
        })) as {
          QueuedRequestResponses: { QueuedRequestResponse: Value[] }
          ValidationErrors: { SetPriceOnShopItemsError: { Item: Value; ErrorMessage: string }[] }
        }
        expect(priced.QueuedRequestResponses.QueuedRequestResponse[0]?.ItemId).to.equal(item?.Id)
        expect(priced.ValidationErrors.SetPriceOnShopItemsError[0]?.Item.Id).to.equal(1)
        expect(((await seller('GetItem', { itemId: item?.Id })) as Value).BuyItNowPrice).to.equal(321)
        expect((await seller('RemoveShopItem', { shopItemId: item?.Id })) as Value).to.include({ ItemId: item?.Id })
        const auction = (await items('Auction')).find(({ TotalBids }) => TotalBids === 0)
        const set = (await seller('SetPricesOnNonShopItems', {
          itemId: auction?.Id,
          openingPrice: 50,
          ReservedPrice: null,
          BinPrice: 500,
        })) as Value
        expect(set.IsSuccessful).to.equal(true)
      })

      it('leaves feedback', async () => {
        expect(await seller('LeaveFeedback', { transactionId: 2_000_000_000, comment: 'Tack!', type: 'Positive' })).to.equal(
          false,
        )
        const refused = await seller('LeaveOrderFeedbackToBuyer', {
          orderNumber: 2_000_000_000,
          comment: 'Tack!',
          type: 'Positive',
        }).catch((error: Error) => error.message)
        expect(refused).to.match(/Order with number 2000000000 does not exist/)
      })

      it('verifies by electronic ID', async () => {
        await seller('CancelEidVerification')
        const begun = (await seller('BeginEidVerification')) as Value
        expect(begun.EidOrderRef).to.be.a('string').and.not.equal('')
        expect(((await seller('GetEidVerificationProgress')) as Value).IsCompleted).to.equal(false)
        await seller('CancelEidVerification')
        expect(((await seller('BeginEidOnFileVerification')) as Value).AutoStartToken).to.be.a('string')
        await seller('CancelEidVerification')
      })

      it('learns what is wrong', async () => {
        const said = await seller('GetItem', { itemId: 'one' }).catch((error: Error) => error.message)
        expect(said).to.match(/Server was unable to read request\. ---> There is an error in XML document \(\d+, \d+\)/)
        const removed = await seller('RemoveShopItem', { shopItemId: 1 }).catch((error: Error) => error.message)
        expect(removed).to.match(/Shop item with id 1 does not exist for user 1001\./)
      })
    })
  }
})
