/** A discount from its plan to its end: what is refused, shown, sent and said. */
import { expect } from 'chai'
import { createDiscount } from '../../../src/actions/discounts/create.js'
import { sendDue } from '../../../src/actions/discounts/due.js'
import { writeDue, writeDueShops } from '../../../src/actions/discounts/due-shown.js'
import { dropPlannedDiscount, endDiscount } from '../../../src/actions/discounts/end.js'
import { ownDiscount, writeDiscount } from '../../../src/actions/discounts/list.js'
import { shopPrices } from '../../../src/actions/shop/prices.js'
import { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import type { ShopEnd } from '../../../src/format/views/index.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const HOUR = 3_600_000
const RUN = { wait: true, timeout: HOUR }

interface Live {
  readonly Id: number
  readonly price: number
  readonly more?: object
}

/** A shop whose prices change when they are sent. */
const shopWith = (
  options: FakeShopOptions = {},
  items: readonly Live[] = [
    { Id: 1, price: 100 },
    { Id: 2, price: 200 },
    { Id: 3, price: 300 },
  ],
) => {
  const prices = new Map(items.map(({ Id, price }) => [Id, price]))
  let request = 1000
  const results = new Map<number, string>()
  let outcome = (_id: number): string => 'Ok'
  const shop = fakeShop({
    answers: {
      GetSellerItems: () =>
        [...prices].map(([Id, BuyItNowPrice]) => ({
          Id,
          ItemType: 'ShopItem',
          BuyItNowPrice,
          OwnReferences: [`R${Id}`],
          ShortDescription: `T${Id}`,
        })),
      SetPriceOnShopItems: ({ request: { ShopItems } }: { request: { ShopItems: { Id: number; Price: number }[] } }) => ({
        QueuedRequestResponses: ShopItems.map(({ Id, Price }) => {
          const RequestId = request++
          results.set(RequestId, outcome(Id))
          if (results.get(RequestId) === 'Ok') prices.set(Id, Price)
          return { ItemId: Id, RequestId }
        }),
        ValidationErrors: [],
      }),
      GetRequestResults: ({ requestIds }: { requestIds: number[] }) =>
        requestIds.map((RequestId) => ({ RequestId, ResultCode: results.get(RequestId), Message: '' })),
    },
    ...options,
  })
  const times = (from: number, until: number) => ({
    from: dateTimeOf(shop.clock.time + from * HOUR),
    until: dateTimeOf(shop.clock.time + until * HOUR),
  })
  const discount = (name: string, args: readonly string[], flags: object = {}, when = times(1, 5)) =>
    createDiscount(shop.ctx, name, args, { ...when, yes: true, ...flags })
  const fail = (code: (id: number) => string): void => {
    outcome = code
  }
  return { ...shop, prices, times, discount, fail }
}

describe('a discount that is made', () => {
  afterEach(cleanUp)

  it('needs a name, an end after its beginning, and a beginning that is not past', async () => {
    const shop = shopWith()
    const refused = (name: string, from: number, until: number) =>
      thrown(() => shop.discount(name, ['1=90'], {}, shop.times(from, until)))
    expect(await refused(' ', 1, 2)).to.include({ code: 'wrong_usage', message: 'The name of the discount is empty.' })
    expect(await refused('A', 2, 2)).to.include({ code: 'empty_period' })
    expect(await refused('A', 3, 2)).to.include({ code: 'empty_period' })
    expect(await refused('A', -61 / 3600, 2)).to.include({ code: 'invalid_date' })
    expect(shop.streams).to.deep.equal([])
    expect(await shop.discount('A', ['1=90'], {}, shop.times(-60 / 3600, 2))).to.equal(0)
  })

  it('shows each price before, during and after, is asked about and is kept', async () => {
    const shop = shopWith({ terminal: true })
    expect(await shop.discount('Black', ['1=80', '2=150', '3=300', '9=5'])).to.equal(0)
    const list = shop.lists[0]
    expect(list?.view.within?.record).to.deep.include({
      DiscountId: 1,
      StartsAt: new Date(shop.clock.time + HOUR).toISOString(),
      EndsAt: new Date(shop.clock.time + 5 * HOUR).toISOString(),
    })
    expect(
      list?.rows.map(({ Id, Before, During, After, DiscountPrice, State }) => [Id, Before, During, After, DiscountPrice, State]),
    ).to.deep.equal([
      [1, 100, 80, 100, 80, 'planned'],
      [2, 200, 150, 200, 150, 'planned'],
      [3, 300, 300, 300, 300, 'unchanged'],
      [9, null, 5, null, 5, 'unknown'],
    ])
    expect(shop.lists).to.have.lengthOf(1)
    expect(shop.said.some((text) => text.startsWith('warn: 1 row not part of the discount:\n'))).to.equal(true)
    expect(shop.said.slice(-2)).to.deep.equal([
      'note: Discount 1 "Black" is planned: 2 prices. Nothing was sent yet.',
      'hint: seller jobs:due sends its start and its end. Let the system run it every minute: seller schedule:show cron -p q',
    ])
    expect(shop.asked, 'typed on a terminal').to.deep.equal([])
    expect((await shop.ctx.ledger()).discounts.show(1)).to.deep.include({
      Name: 'Black',
      State: 'planned',
      Title: 'shop:discount "Black" 1=80 2=150 3=300 9=5',
    })
    expect(shop.client.calls).to.deep.equal([])
    expect(shop.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent, and no discount was made.' })
  })

  it('is shown to a person before it is asked about, without rows that stay', async () => {
    const shop = shopWith({ human: true })
    await shop.discount('Black', [], { all: true, add: '-10%', 'max-total-fall': 'off' })
    expect(shop.lists).to.have.lengthOf(1)
    expect(shop.lists[0]?.view.within?.record.DiscountId).to.equal(null)
    expect(shop.asked[0]).to.include({ message: 'Make a discount of 3 prices?', given: true })
    const same = shopWith({ human: true })
    await same.discount('Black', ['1=90', '2=200'])
    expect(same.lists[0]?.rows.map(({ Id }) => Id)).to.deep.equal([1])
  })

  it('is not made by a dry run, or where nothing is to be sent', async () => {
    const dry = shopWith()
    expect(await dry.discount('A', ['1=90'], { 'dry-run': true })).to.equal(0)
    expect(dry.said.at(-1)).to.equal('note: No discount was made: it is a dry run.')
    expect([dry.lists.length, (await dry.ctx.ledger()).discounts.list().length]).to.deep.equal([1, 0])
    const human = shopWith({ human: true })
    await human.discount('A', ['1=90'], { 'dry-run': true })
    expect(human.lists).to.have.lengthOf(1)
    for (const [args, code, flags] of [
      [['1=100'], 0, {}],
      [['9=5'], 6, {}],
      [['1=1'], 6, {}],
      [['1=100', '9=5'], 0, {}],
      [['9=5'], 5, { strict: true }],
    ] as const) {
      const shop = shopWith()
      expect(await shop.discount('A', args, flags), args.join()).to.equal(code)
      expect(shop.said.at(-1)).to.equal('note: No discount was made: there is nothing to send.')
      expect((await shop.ctx.ledger()).discounts.list()).to.deep.equal([])
      cleanUp()
    }
  })

  it('ends with 6 where rows are held, 5 where some are not live and it is strict, else with 0', async () => {
    const codes = []
    for (const [args, flags] of [
      [['1=90', '2=1'], {}],
      [['1=90', '9=5'], {}],
      [['1=90', '9=5'], { strict: true }],
      [['1=90', '2=1', '9=5'], { strict: true }],
      [['1=90'], { strict: true }],
    ] as const) {
      codes.push(await shopWith().discount('A', args, { ...flags, 'max-held': 'off' }))
      cleanUp()
    }
    expect(codes).to.deep.equal([6, 0, 5, 5, 0])
  })

  it('names twenty rows that are no part of it', async () => {
    const lines = async (count: number) => {
      const shop = shopWith()
      await shop.discount('A', ['1=90', ...Array.from({ length: count }, (_, at) => `${at + 50}=5`)])
      return shop.said.find((text) => text.includes('not part of the discount'))?.split('\n') ?? []
    }
    expect(await lines(20)).to.have.lengthOf(21)
    const more = await lines(21)
    expect([more.length, more[0], more.at(-1)]).to.deep.equal([22, 'warn: 21 rows not part of the discount:', '  … and 1 more'])
  })

  it('beside another discount says so, and shows the lowest price of both', async () => {
    const shop = shopWith()
    await shop.discount('First', ['1=80', '2=150'])
    const shown = async (args: readonly string[], when: ReturnType<typeof shop.times>) => {
      shop.said.length = 0
      shop.lists.length = 0
      await shop.discount('Second', args, { 'dry-run': true }, when)
      return {
        rows: shop.lists[0]?.rows.map(({ Id, Before, During, After }) => [Id, Before, During, After]),
        words: shop.said.filter((text) => text.includes('at the same time')),
      }
    }
    const within = await shown(['1=90', '2=120', '3=250'], shop.times(2, 4))
    expect(within.words).to.deep.equal([
      'note: 2 items are in discount 1 "First" at the same time: the lowest price counts, each from the normal price.',
    ])
    expect(within.rows).to.deep.equal([
      [1, 80, 80, 80],
      [2, 150, 120, 150],
      [3, 300, 250, 300],
    ])
    expect((await shown(['1=90'], shop.times(4, 6))).words[0]).to.match(/^note: 1 item is in discount 1 "First"/)
    expect((await shown(['1=90'], shop.times(0, 2))).words).to.have.lengthOf(1)
    expect((await shown(['1=90'], shop.times(5, 6))).words).to.deep.equal([])
    expect((await shown(['1=90'], shop.times(0, 1))).words).to.deep.equal([])
    expect((await shown(['3=250'], shop.times(2, 4))).words).to.deep.equal([])
    expect((await shown(['1=90'], shop.times(0, 1))).rows).to.deep.equal([[1, 100, 90, 80]])
  })

  it('says nothing of normal prices, which are about a change during a discount', async () => {
    const shop = shopWith()
    await shop.discount('First', ['1=80'], {}, shop.times(0, 5))
    await sendDue(shop.ctx, RUN)
    shop.said.length = 0
    expect(await shop.discount('Second', ['1=70'])).to.equal(0)
    expect(await shop.discount('Third', [], { reference: 'R1', add: '-40%', 'max-change': 'off' })).to.equal(0)
    expect(shop.said.join()).to.not.include('normal price, which the end')
  })

  it('applies its rule again when it begins, but keeps a price that comes from a cost', async () => {
    const shop = shopWith()
    await shop.discount('Rule', [], { reference: 'R1', add: '-10%' })
    await shop.discount('Fixed', ['2=150'])
    shop.prices.set(1, 200)
    shop.clock.time += HOUR
    const { runs } = await sendDue(shop.ctx, RUN)
    expect(runs.map(({ Discount, Part }) => [Discount, Part])).to.have.deep.members([
      ['Rule', 'start'],
      ['Fixed', 'start'],
    ])
    expect([...shop.prices]).to.deep.equal([
      [1, 180],
      [2, 150],
      [3, 300],
    ])
  })
})

describe('discounts that are due', () => {
  afterEach(cleanUp)

  const begun = async (options: FakeShopOptions = {}) => {
    const shop = shopWith(options)
    await shop.discount('Black', ['1=80', '2=150'])
    return shop
  }

  it('are none before their time, begin and end once, and restore the prices', async () => {
    const shop = await begun()
    expect(await sendDue(shop.ctx, RUN)).to.deep.equal({ runs: [], code: 0 })
    expect(shop.client.calls).to.deep.equal([])
    shop.clock.time += HOUR
    const dry = await sendDue(shop.ctx, { ...RUN, 'dry-run': true })
    expect(dry.runs).to.deep.equal([
      {
        DiscountId: 1,
        Discount: 'Black',
        Part: 'start',
        JobId: null,
        State: 'due',
        Counts: null,
        DueAt: new Date(shop.clock.time).toISOString(),
      },
    ])
    expect(shop.client.calls).to.deep.equal([])
    const start = await sendDue(shop.ctx, RUN)
    expect(start.runs.map(({ Part, State, DueAt }) => [Part, State, DueAt])).to.deep.equal([['start', 'ok', null]])
    expect([shop.prices.get(1), shop.prices.get(2), start.code]).to.deep.equal([80, 150, 0])
    expect((await sendDue(shop.ctx, RUN)).runs).to.deep.equal([])
    shop.clock.time += 4 * HOUR
    expect((await sendDue(shop.ctx, { ...RUN, 'dry-run': true })).runs[0]).to.include({ Part: 'end' })
    const end = await sendDue(shop.ctx, RUN)
    expect(end.runs.map(({ Part }) => Part)).to.deep.equal(['end'])
    expect([shop.prices.get(1), shop.prices.get(2)]).to.deep.equal([100, 200])
    shop.clock.time += HOUR
    expect((await sendDue(shop.ctx, RUN)).runs).to.deep.equal([])
  })

  it('never begin after their end, nor late where the profile skips a start that was missed', async () => {
    const late = await begun()
    late.clock.time += 6 * HOUR
    expect((await sendDue(late.ctx, { ...RUN, 'dry-run': true })).runs[0]).to.include({ Part: 'missed' })
    const { runs, code } = await sendDue(late.ctx, RUN)
    const startsAt = new Date(late.clock.time - 5 * HOUR).toISOString()
    expect(runs).to.deep.equal([
      { DiscountId: 1, Discount: 'Black', Part: 'missed', JobId: null, State: 'missed', Counts: null, DueAt: startsAt },
    ])
    expect(code).to.equal(6)
    expect(late.said.at(-1)).to.equal(`warn: Discount 1 "Black" was to begin at ${startsAt} and does not begin: its end is past.`)
    const skipping = await begun({ settings: { missed_start: 'skip' } as never })
    skipping.clock.time += 3 * HOUR
    expect((await sendDue(skipping.ctx, { ...RUN, 'dry-run': true })).runs[0]).to.include({ Part: 'missed' })
    expect((await sendDue(skipping.ctx, RUN)).code).to.equal(6)
    expect(skipping.said.at(-1)).to.include('the profile skips a start that was missed (missed_start)')
    const usual = await begun()
    usual.clock.time += 3 * HOUR
    expect((await sendDue(usual.ctx, RUN)).runs.map(({ Part }) => Part)).to.deep.equal(['start'])
  })

  it('are told apart: one that was asked for is dealt with alone', async () => {
    const shop = await begun()
    await shop.discount('Other', ['3=250'])
    shop.clock.time += HOUR
    expect((await sendDue(shop.ctx, RUN, 2)).runs.map(({ DiscountId }) => DiscountId)).to.deep.equal([2])
    expect([shop.prices.get(1), shop.prices.get(3)]).to.deep.equal([100, 250])
    expect((await sendDue(shop.ctx, RUN, 99)).runs).to.deep.equal([])
  })

  it('have the trouble of another discount told by its own run', async () => {
    const shop = await begun()
    await shop.discount('Other', ['3=250'], {}, shop.times(2, 5))
    shop.fail((id) => (id === 3 ? 'Ok' : 'UnspecifiedError'))
    shop.clock.time += HOUR
    await sendDue(shop.ctx, { wait: false, timeout: 1000 })
    shop.clock.time += HOUR
    shop.said.length = 0
    const { runs } = await sendDue(shop.ctx, RUN, 2)
    expect(runs.map(({ DiscountId }) => DiscountId)).to.deep.equal([2])
    expect(shop.said).to.include('note: 2 calls in this run, 3 in the last 24 hours.')
  })

  it('are left to the process that works on them: quietly, but for one that was asked for', async () => {
    const shop = await begun()
    shop.clock.time += HOUR
    const claim = (await shop.ctx.ledger()).discounts.claim({ profile: 'shop', userId: 7 })
    expect(await sendDue(shop.ctx, RUN)).to.deep.equal({ runs: [], code: 0 })
    expect(await thrown(() => sendDue(shop.ctx, RUN, 1))).to.include({ code: 'discounts_claimed' })
    claim?.release()
    expect((await sendDue(shop.ctx, RUN)).runs).to.have.lengthOf(1)
    const again = (await shop.ctx.ledger()).discounts.claim({ profile: 'shop', userId: 7 })
    expect(again, 'the claim was released').to.not.equal(undefined)
  })

  it('are on record where another discount has the lower price, so that nothing is to be sent', async () => {
    const shop = await begun()
    await shop.discount('Weak', ['1=90'])
    shop.clock.time += HOUR
    const { runs } = await sendDue(shop.ctx, RUN)
    expect(runs.map(({ Discount, Part, State, JobId }) => [Discount, Part, State, JobId === null])).to.have.deep.members([
      ['Weak', 'start', 'ok', true],
      ['Black', 'start', 'ok', false],
    ])
  })

  it('hold a price that somebody else has changed too far, and name the command that shows every item', async () => {
    const shop = await begun()
    shop.prices.set(1, 900)
    shop.clock.time += HOUR
    const { runs, code } = await sendDue(shop.ctx, RUN)
    expect([runs[0]?.Counts?.held, runs[0]?.Counts?.ok, code]).to.deep.equal([1, 1, 6])
    expect(shop.said).to.include('hint: See every item with: seller discounts:show 1 -p q')
    const fine = await begun()
    fine.clock.time += HOUR
    await sendDue(fine.ctx, RUN)
    expect(fine.said.join()).to.not.include('discounts:show')
  })

  it('whose results come later are looked at, and trouble is told once', async () => {
    const shop = await begun()
    shop.fail(() => 'UnspecifiedError')
    shop.clock.time += HOUR
    const first = await sendDue(shop.ctx, { wait: false, timeout: 1000 })
    expect(first.runs.map(({ State }) => State)).to.deep.equal(['waiting'])
    shop.clock.time += HOUR
    const second = await sendDue(shop.ctx, { wait: false, timeout: 1000 })
    expect(second.runs.map(({ Part, JobId, Counts }) => [Part, JobId, Counts?.failed])).to.deep.equal([['start', 1, 2]])
    expect(second.code).to.equal(5)
    expect(shop.said.filter((text) => text.includes('the service failed'))).to.deep.equal([
      'warn: Discount 1 "Black": the service failed 2 prices of job 1.',
    ])
  })

  it('are written: nothing where nothing is due, but an empty list for a script', async () => {
    const shop = await begun({ form: 'table' })
    expect(await writeDue(shop.ctx, RUN)).to.equal(0)
    expect(shop.lists.slice(1)).to.deep.equal([])
    for (const [form, rows] of [
      ['json', []],
      ['yaml', []],
      ['ndjson', undefined],
      ['csv', undefined],
    ] as const) {
      const script = await begun({ form })
      script.lists.length = 0
      await writeDue(script.ctx, RUN)
      expect(script.lists[0]?.rows, form).to.deep.equal(rows)
    }
    shop.clock.time += HOUR
    await writeDue(shop.ctx, RUN)
    expect(shop.lists.at(-1)?.rows).to.have.lengthOf(1)
  })

  it('of several shops are a row for each where something was due or went wrong, for a script for all', async () => {
    const end = (Profile: string, ExitCode: number, Result: unknown) => ({ Profile, ExitCode, Result }) as unknown as ShopEnd
    const ends = [end('a', 0, []), end('b', 0, [[]]), end('c', 5, []), end('d', 0, null)]
    const written = async (form: string, rows = ends) => {
      const shop = fakeShop({ form })
      await writeDueShops(shop.ctx, rows)
      return shop.lists[0]?.rows.map(({ Profile }) => Profile)
    }
    expect(await written('table')).to.deep.equal(['b', 'c'])
    expect(await written('json')).to.deep.equal(['a', 'b', 'c', 'd'])
    expect(await written('table', [end('a', 0, [])])).to.equal(undefined)
    expect(await written('json', [])).to.deep.equal([])
    expect(await written('yaml', [])).to.deep.equal([])
  })
})

describe('a discount that is ended, dropped or shown', () => {
  afterEach(cleanUp)

  const begun = async (options: FakeShopOptions = {}) => {
    const shop = shopWith(options)
    await shop.discount('Black', ['1=80', '2=150'])
    return shop
  }

  it('ends before its time after a question, once', async () => {
    const shop = await begun()
    const early = (await thrown(() => endDiscount(shop.ctx, 1, RUN))) as SellerError
    expect(early).to.deep.include({ code: 'discount_state', details: { discountId: 1, state: 'planned' } })
    expect(early.message).to.equal('Discount 1 "Black" does not run (planned), so it cannot be ended.')
    expect(early.hint).to.equal('It has not begun. Give it up with: seller discounts:drop 1 -p q')
    shop.clock.time += HOUR
    await sendDue(shop.ctx, RUN)
    const { record, code } = await endDiscount(shop.ctx, 1, RUN)
    expect([record.State, code, shop.prices.get(1)]).to.deep.equal(['ended', 0, 100])
    expect(shop.asked.at(-1)).to.include({ message: 'End the discount and restore 2 prices?', given: undefined })
    const twice = (await thrown(() => endDiscount(shop.ctx, 1, RUN))) as SellerError
    expect(twice.hint).to.equal('See what became of it with: seller discounts:show 1 -p q')
  })

  it('is not ended without a yes', async () => {
    const decline = new SellerError('declined', 'No.', 'No.')
    const shop = await begun()
    shop.clock.time += HOUR
    await sendDue(shop.ctx, RUN)
    const declining = { ...shop.ctx, prompts: { available: true, confirm: () => Promise.reject(decline) } } as never
    expect(await thrown(() => endDiscount(declining, 1, RUN))).to.equal(decline)
    expect((await shop.ctx.ledger()).discounts.show(1).State).to.equal('running')
  })

  it('is dropped before it has begun, and not after', async () => {
    const shop = await begun()
    await shop.discount('Second', ['3=250'])
    expect((await dropPlannedDiscount(shop.ctx, 2)).State).to.equal('dropped')
    const dropped = (await thrown(() => dropPlannedDiscount(shop.ctx, 2))) as SellerError
    expect(dropped.message).to.equal(
      'Discount 2 "Second" is dropped, so it cannot be dropped: only a discount that has not begun can.',
    )
    expect(dropped.hint).to.match(/^See what became of it with: seller discounts:show 2/)
    shop.clock.time += HOUR
    await sendDue(shop.ctx, RUN)
    const running = (await thrown(() => dropPlannedDiscount(shop.ctx, 1))) as SellerError
    expect(running).to.deep.include({ code: 'discount_state', details: { discountId: 1, state: 'running' } })
    expect(running.hint).to.equal('End it now, which restores its prices, with: seller discounts:end 1 -p q')
  })

  it('shows the normal price to which an item goes back, also after a change during the discount', async () => {
    const shop = await begun()
    shop.clock.time += HOUR
    await sendDue(shop.ctx, RUN)
    await shopPrices(shop.ctx, ['1=120'], { ...RUN, yes: true })
    shop.lists.length = 0
    await writeDiscount(shop.ctx, 1)
    expect(shop.lists[0]?.rows.map(({ Before, After }) => [Before, After])).to.deep.equal([
      [100, 120],
      [200, 200],
    ])
  })

  it('belongs to its shop', async () => {
    const shop = await begun()
    const ledger = await shop.ctx.ledger()
    expect(ownDiscount(shop.ctx, ledger, 1).Name).to.equal('Black')
    const as = (name: string, user: number | undefined) =>
      ({ ...shop.ctx, profile: { ...shop.ctx.profile, name, settings: { user_id: user } } }) as typeof shop.ctx
    const refused = async (name: string, user?: number) =>
      ((await thrown(() => ownDiscount(as(name, user), ledger, 1))) as SellerError).message
    expect(await refused('b', 7)).to.equal(
      'Discount 1 belongs to the profile "shop", seller 7, but the current profile is "b", seller 7.',
    )
    expect(await refused('shop', 8)).to.match(/"shop", seller 8\.$/)
    expect(await refused('shop')).to.match(/but the current profile is "shop"\.$/)
  })

  it('is a card above its items for a person, and one document for a script', async () => {
    const shop = await begun()
    const script = async () => {
      shop.lists.length = 0
      shop.said.length = 0
      await writeDiscount(shop.ctx, 1)
      return { list: shop.lists[0], said: [...shop.said] }
    }
    const planned = await script()
    expect(planned.said).to.deep.equal(['hint: Give it up with: seller discounts:drop 1 -p q'])
    expect(planned.list?.view.within?.record).to.deep.include({ DiscountId: 1, Jobs: [] })
    expect(planned.list?.rows.map(({ Id, Before, During, After, State }) => [Id, Before, During, After, State])).to.deep.equal([
      [1, 100, 80, 100, 'planned'],
      [2, 200, 150, 200, 'planned'],
    ])
    shop.clock.time += HOUR
    await sendDue(shop.ctx, RUN)
    const running = await script()
    expect(running.said).to.deep.equal(['hint: End it now with: seller discounts:end 1 -p q'])
    expect(running.list?.rows.map(({ After, State }) => [After, State])).to.deep.equal([
      [100, 'on'],
      [200, 'on'],
    ])
    const person = { ...shop.ctx, output: { ...shop.ctx.output, human: true } } as typeof shop.ctx
    shop.said.length = 0
    await writeDiscount(person, 1)
    expect(shop.records).to.have.lengthOf(1)
    expect(shop.said.slice(0, 2)).to.deep.equal(['aside: Jobs   1 (start)', 'aside: '])
    const other = { ...shop.ctx, profile: { ...shop.ctx.profile, name: 'other' } } as typeof shop.ctx
    shop.said.length = 0
    await writeDiscount(other, 1)
    expect(shop.said).to.deep.equal(['hint: End it now with: seller discounts:end 1 --profile shop'])
    await endDiscount(shop.ctx, 1, RUN)
    expect((await script()).said).to.deep.equal([])
  })
})
