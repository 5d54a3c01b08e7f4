import { expect } from 'chai'
import fc from 'fast-check'
import { apart, callParams, givenTree, isTree, numbered, untyped, untypedParams } from '../../../src/actions/call/arguments.js'
import { InputFaults } from '../../../src/cli/input-faults.js'
import { operations } from '../../../src/contract/index.js'
import { SellerError } from '../../../src/errors/index.js'
import { rejectedBy } from '../../thrown.js'

const refusal = (work: Promise<unknown>) => rejectedBy(SellerError, work)

const input = (text: string) => ({ bytes: Buffer.from(text), path: 'params.yaml' })

describe('arguments of call', () => {
  it('gives values the types of the contract', async () => {
    expect(await callParams(operations.GetItem, ['itemId=+17'])).to.deep.equal({ itemId: 17 })
    const image = await callParams(operations.AddItemImage, ['requestId=1', 'imageData=YWJj', 'imageFormat=Png', 'hasMega=true'])
    expect(image).to.deep.include({ requestId: 1, imageFormat: 'Png', hasMega: true })
    expect(Buffer.from(image.imageData as Uint8Array).toString()).to.equal('abc')
  })

  it('keeps = and dots in values, and takes an empty one', async () => {
    const given = await callParams(operations.LeaveFeedback, ['transactionId=1', 'comment=a=b.c', 'type=Positive'])
    expect(given.comment).to.equal('a=b.c')
    expect(await callParams(operations.AddItemCampaignCode, ['requestId=1', 'campaignCode='])).to.deep.include({
      campaignCode: '',
    })
  })

  it('refuses a name that is given as a value and by its parts, in either order', async () => {
    const parts = 'request.ShopItems.0.Id=1'
    for (const args of [
      ['request=1', parts],
      [parts, 'request=1'],
    ]) {
      const error = await refusal(callParams(operations.SetPriceOnShopItems, args))
      expect(error.message, args.join(' ')).to.include('is given both as a value and by its parts')
    }
  })

  it('reads dates as flags do, and null as nil', async () => {
    const dates = ['categoryId=0', 'filterActive=All', 'filterItemType=All', 'minEndDate=2026-11-30', 'maxEndDate=null']
    expect(await callParams(operations.GetSellerItems, dates)).to.deep.include({
      minEndDate: '2026-11-30T00:00:00+01:00',
      maxEndDate: null,
    })
  })

  it('takes lists by repetition, one entry too, and as JSON', async () => {
    expect(await callParams(operations.GetRequestResults, ['requestIds=1', 'requestIds=2'])).to.deep.equal({ requestIds: [1, 2] })
    expect(await callParams(operations.GetRequestResults, ['requestIds=1'])).to.deep.equal({ requestIds: [1] })
    expect(await callParams(operations.GetRequestResults, ['requestIds=[3, 4]'])).to.deep.equal({ requestIds: [3, 4] })
  })

  it('takes entries of a list by number in any order, or by repeated names', async () => {
    const wanted = {
      request: {
        ShopItems: [
          { Id: 1, Price: 5 },
          { Id: 2, Price: 6 },
        ],
      },
    }
    const at = 'request.ShopItems'
    const numbered = [`${at}.1.Id=2`, `${at}.0.Id=1`, `${at}.0.Price=5`, `${at}.1.Price=6`]
    const repeated = [`${at}.Id=1`, `${at}.Price=5`, `${at}.Id=2`, `${at}.Price=6`]
    expect(await callParams(operations.SetPriceOnShopItems, numbered)).to.deep.equal(wanted)
    expect(await callParams(operations.SetPriceOnShopItems, repeated)).to.deep.equal(wanted)
    expect(
      await callParams(operations.SetPriceOnShopItems, ['request={"ShopItems":[{"Id":1,"Price":5},{"Id":2,"Price":6}]}']),
    ).to.deep.equal(wanted)
  })

  it('reads a document, whose top-level names arguments override', async () => {
    const yaml = input('itemId: 1\nopeningPrice: 5\nBinPrice: 90\n')
    expect(await callParams(operations.SetPricesOnNonShopItems, ['openingPrice=7'], yaml)).to.deep.equal({
      itemId: 1,
      openingPrice: 7,
      BinPrice: 90,
    })
    const error = await refusal(callParams(operations.SetPricesOnNonShopItems, [], input('itemId: 1\nopeningPrice: 5.0\n')))
    expect([error.exitCode, error.message]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('openingPrice: "5.0"'),
    )
    expect((await refusal(callParams(operations.GetItem, [], input('[1]')))).exitCode).to.equal(2)
  })

  it('tells every fault at once', async () => {
    const error = await refusal(
      callParams(operations.LeaveFeedback, ['transactionId=x', 'coment=a', 'type=positive', 'nonsense']),
    )
    expect(error.exitCode).to.equal(2)
    for (const word of ['transactionId: "x"', 'Did you mean comment?', '"positive"', 'nonsense'])
      expect(error.message).to.include(word)
  })

  it('has no way into the prototype', async () => {
    const error = await refusal(callParams(operations.GetItem, ['itemId=1', '__proto__.polluted=1']))
    expect(error.message).to.include('__proto__')
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
    const untyped = await untypedParams(['constructor.prototype.polluted=1', '__proto__.polluted=1'])
    expect(Object.keys(untyped)).to.deep.equal(['constructor', '__proto__'])
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
  })

  it('leaves the values of an unknown operation as texts', async () => {
    expect(await untypedParams(['a.b=1', 'a.c=x', 'list=1', 'list=2', 'rows.0.id=1', 'rows.1.id=2'])).to.deep.equal({
      a: { b: '1', c: 'x' },
      list: ['1', '2'],
      rows: [{ id: '1' }, { id: '2' }],
    })
    expect(await untypedParams(['b=2'], input('a: 1.50\nb: 1\nc: [true, null]\n'))).to.deep.equal({
      a: '1.50',
      b: '2',
      c: ['true', ''],
    })
  })

  it('gives back every int and every text it is given', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2_147_483_647 }),
        fc.string({ minLength: 1, maxLength: 20 }),
        async (id, text) => {
          const comment = `x${text}`.replace(/[^ -~]/g, '')
          const given = await callParams(operations.LeaveFeedback, [`transactionId=${id}`, `comment=${comment}`, 'type=Negative'])
          expect(given).to.deep.equal({ transactionId: id, comment, type: 'Negative' })
        },
      ),
    ))
})

describe('the arguments of call as a tree', () => {
  const tree = (...args: string[]) => {
    const faults = new InputFaults()
    return { tree: givenTree(args, faults), faults: faults.all.map(({ field, value, message }) => [field, value, message]) }
  }

  it('has names, parts and repeats', () => {
    expect(tree('a=1', 'b.c=2', 'b.d.e=3', 'a=4', 'a=5', 'f==x', 'g=').tree).to.deep.equal({
      a: ['1', '4', '5'],
      b: { c: '2', d: { e: '3' } },
      f: '=x',
      g: '',
    })
  })

  it('has a fault for each argument without a name or a part', () => {
    const none = 'is not name=value'
    for (const arg of ['a', '=1', '.a=1', 'a.=1', 'a..b=1', '']) {
      expect(tree(arg).faults, arg).to.deep.equal([['argument', arg, none]])
    }
    const both = 'is given both as a value and by its parts'
    expect(tree('a=1', 'a.b=2').faults).to.deep.equal([['a.b', 'a.b=2', both]])
    expect(tree('a.b=2', 'a=1').faults).to.deep.equal([['a', 'a=1', both]])
    expect(tree('a=1', 'a=2', 'a.b=3').faults).to.deep.equal([['a.b', 'a.b=3', both]])
  })

  it('has lists by number, in the order of the numbers', () => {
    expect(numbered({ 10: 'c', 2: 'b', 0: 'a' })).to.deep.equal(['a', 'b', 'c'])
    for (const names of [[], ['a'], ['0', 'b'], ['0x'], ['x0']])
      expect(numbered(Object.fromEntries(names.map((name) => [name, '1'])))).to.equal(undefined)
    expect(untyped({ rows: { 1: { Id: '2' }, 0: { Id: '1' } }, a: ['1', '2'], b: 'x' })).to.deep.equal({
      rows: [{ Id: '1' }, { Id: '2' }],
      a: ['1', '2'],
      b: 'x',
    })
  })

  it('comes apart where names are repeated', () => {
    expect(apart({ Id: ['1', '2'], Price: ['5'] })).to.deep.equal([{ Id: '1', Price: '5' }, { Id: '2' }])
    expect(apart({ Id: '1' })).to.deep.equal([{ Id: '1' }])
    expect(apart({})).to.deep.equal([])
    for (const [given, is] of [
      [{}, true],
      [{ a: '1' }, true],
      [['a'], false],
      ['a', false],
      [undefined, false],
    ] as const) {
      expect(isTree(given as never)).to.equal(is)
    }
  })
})
