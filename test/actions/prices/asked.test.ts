import { expect } from 'chai'
import { askForItems } from '../../../src/actions/prices/asked.js'
import { SHOP } from '../../../src/actions/prices/live.js'
import type { Context } from '../../../src/cli/context.js'
import { type SoapClient, SoapError, type SoapErrorKind } from '../../../src/soap/client/index.js'

describe('items that are asked for one by one', () => {
  const ctx = {
    profile: { name: 'default', settings: { user_id: 100 } },
    clock: { now: () => Date.UTC(2026, 10, 22) },
    ledger: async () => ({ history: { shop: () => ({ items: 4000 }) } }),
  } as unknown as Context
  const item = { ItemType: 'ShopItem', Status: { Ended: false }, StartDate: '2026-11-01T00:00:00', Seller: { Id: 100 } }
  const ask = (call: (params: { itemId: number }) => unknown) =>
    askForItems(ctx, { call: async (_: string, params: never) => call(params) } as unknown as SoapClient, [1, 2, 3], {
      ...SHOP,
      fields: ['Id', 'ItemType'],
    })

  it('leave it to the list where the service refuses one, and to nobody where it cannot be reached', async () => {
    const failing = (kind: SoapErrorKind) =>
      ask(() => Promise.reject(new SoapError(kind, 'No.', { operation: 'GetItem', sent: true })))
    for (const kind of ['fault', 'broken', 'changed', 'binding'] as const)
      expect(await failing(kind), kind).to.deep.equal({ calls: 3 })
    for (const kind of ['unreachable', 'quota', 'refused', 'aborted'] as const)
      expect(await failing(kind).catch((error: SoapError) => error.kind)).to.equal(kind)
  })

  it('have the fields that the list is read for, and are the seller’s own', async () => {
    const found = await ask(({ itemId }) => ({ ...item, Id: itemId, LongDescription: 'x' }))
    expect(found).to.deep.equal({ items: [1, 2, 3].map((Id) => ({ Id, ItemType: 'ShopItem' })), calls: 3 })
    expect(await ask(({ itemId }) => ({ ...item, Id: itemId, Seller: { Id: 7 } }))).to.deep.equal({ calls: 3 })
    expect(await ask(({ itemId }) => (itemId === 2 ? { ...item, Status: undefined } : { ...item, Id: itemId }))).to.deep.equal({
      calls: 3,
    })
  })
})
