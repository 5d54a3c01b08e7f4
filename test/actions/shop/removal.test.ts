/** Removals one by one: what is checked first, and what is said when some are refused. */
import { expect } from 'chai'
import { removable, removeShopItems } from '../../../src/actions/shop/removal.js'
import type { Context, Interruption } from '../../../src/cli/context.js'
import type { ItemRecord } from '../../../src/format/views/index.js'
import { type SoapClient, SoapError } from '../../../src/soap/client/index.js'
import { cleanUp, FakeClient, FakeClock, temporaryLedger, thrown } from '../../jobs/harness.js'

describe('removing shop items', () => {
  afterEach(cleanUp)

  const clock = new FakeClock()
  const speaking = () => {
    const lines: string[] = []
    const interruptions: Interruption[] = []
    const ledger = temporaryLedger(clock)
    const ctx = {
      clock,
      signal: new AbortController().signal,
      profile: { name: 'shop', settings: { user_id: 7 } },
      profileFlag: () => ' -p q',
      ledger: async () => ledger,
      ifInterrupted: (said: Interruption) => void interruptions.push(said),
      output: {
        warn: (text: string) => void lines.push(`! ${text}`),
        hint: (text: string) => void lines.push(`? ${text}`),
      },
    } as unknown as Context
    return { ctx, ledger, lines, interruptions }
  }
  const clientOf = (answers: ConstructorParameters<typeof FakeClient>[0]) => {
    const fake = new FakeClient(answers)
    return { fake, client: fake as unknown as SoapClient }
  }
  const fault = (what: string) =>
    new SoapError('fault', what, { operation: 'RemoveShopItem', sent: true, faultString: what } as never)
  const items = (...ids: number[]) => ids.map((Id) => ({ Id, ShortDescription: `Vara ${Id}` })) as unknown as ItemRecord[]

  it('says at each step what was sent before Ctrl-C, and hands back every request', async () => {
    const { ctx, interruptions, ledger } = speaking()
    const { client, fake } = clientOf({
      RemoveShopItem: ({ shopItemId }: { shopItemId: number }) => ({ RequestId: shopItemId * 10 }),
    })
    const { rows, code } = await removeShopItems(ctx, client, items(1, 2, 3), { wait: false, timeout: 1 })
    expect(fake.calls.map(({ params }) => params)).to.deep.equal([{ shopItemId: 1 }, { shopItemId: 2 }, { shopItemId: 3 }])
    expect(interruptions).to.deep.equal(
      [0, 1, 2].map((sent) => ({ sent: `${sent} of 3 were sent.`, next: 'seller requests:list -p q' })),
    )
    expect(rows.map(({ Subject, State }) => [Subject, State])).to.deep.equal([
      ['1 Vara 1', 'queued'],
      ['2 Vara 2', 'queued'],
      ['3 Vara 3', 'queued'],
    ])
    expect(code).to.equal(0)
    expect(ledger.requests.list()).to.have.lengthOf(3)
  })

  it('goes on after a refusal and ends with 3, and stops at any other error', async () => {
    const { ctx, lines } = speaking()
    const { client, fake } = clientOf({
      RemoveShopItem: ({ shopItemId }: { shopItemId: number }) => {
        if (shopItemId === 1) throw fault('Invalid request ---> No such item')
        if (shopItemId === 3) throw new SoapError('unreachable', 'away', { operation: 'RemoveShopItem', sent: false } as never)
        return { RequestId: 5 }
      },
    })
    const { rows, code } = await removeShopItems(ctx, client, items(1, 2), { wait: false, timeout: 1 })
    expect(rows.map(({ State }) => State)).to.deep.equal(['refused', 'queued'])
    expect(code).to.equal(3)
    expect(lines[0]).to.match(/^! Shop item 1: .*No such item/)
    await thrown(() => removeShopItems(ctx, client, items(3, 4), { wait: false, timeout: 1 }))
    expect(fake.calls.at(-1)?.params).to.deep.equal({ shopItemId: 3 })
  })

  describe('is refused before anything is sent', () => {
    const at = (ms: number) => new Date(clock.time + ms).toISOString()
    const { client } = clientOf({
      GetItem: ({ itemId: Id }: { itemId: number }) => {
        if (Id === 404) return null
        return { Id, ItemType: Id === 9 ? 'Auction' : 'ShopItem', StartDate: at(Id === 8 ? 1000 : 0) }
      },
    })
    const judge = async (ids: readonly number[], force = false) => {
      const { ctx, lines } = speaking()
      const result = await removable(ctx, client, ids, { force }).catch((error: unknown) => error)
      return { result: result as { code: string; message: string; hint: string }, lines }
    }

    it('where an item is not active yet, unless forced', async () => {
      const { result } = await judge([1, 8])
      expect(result).to.have.property('code', 'not_active_yet')
      expect(result.hint).to.include('--force')
      const { result: passed, lines } = await judge([1, 8], true)
      expect(passed).to.have.lengthOf(2)
      expect(lines).to.have.lengthOf(1)
      expect(lines[0]).to.match(/^! Shop item 8 is not active yet/)
    })

    it('with the reason that is left where the other one was forced', async () => {
      const { result } = await judge([8, 9, 404], true)
      expect(result.code).to.equal('cannot_be_removed')
      expect(result.message).to.equal('Item 9 is not a shop item; its type is Auction.\nThere is no item 404.')
      expect(result.hint).to.not.include('--force')
    })

    it('and not where it becomes active this moment', async () => {
      expect((await judge([1])).result).to.have.lengthOf(1)
    })
  })
})
