import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { type InputKind, ITEM_INPUT, readRequest, SHOP_INPUT, skeletonOf } from '../../../src/actions/input/index.js'
import { SellerError } from '../../../src/cli/errors.js'
import type { Prompts } from '../../../src/cli/prompts.js'
import { createPrompts } from '../../../src/cli/prompts.js'
import { ItemRequest, type Operation, operations, ShopItemData } from '../../../src/contract/index.js'

const NOW = Date.UTC(2026, 9, 5, 12)
const clock = { now: () => NOW, sleep: async () => {}, random: () => 0.5 }
const nobody = createPrompts({ available: false, host: process })

interface FaultShown {
  field: string
  value: string | null
  message: string
  hint: string | null
}

describe('reading an item', () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'seller-input-'))
  })
  after(() => rm(home, { recursive: true }))

  async function read<T>(kind: InputKind<T>, flags: Record<string, unknown>, stdin = '', prompts: Prompts = nobody): Promise<T> {
    const ctx = {
      stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) as never,
      path: (given: string) => given,
      prompts,
      clock,
    }
    const { request } = await readRequest(kind, ctx, flags)
    return request
  }

  async function refusal<T>(kind: InputKind<T>, flags: Record<string, unknown>, stdin = ''): Promise<SellerError> {
    try {
      await read(kind, flags, stdin)
    } catch (error) {
      expect(error).to.be.instanceOf(SellerError)
      return error as SellerError
    }
    throw new Error('it was accepted')
  }

  const faultsOf = (error: SellerError): FaultShown[] => (error.details?.faults ?? []) as unknown as FaultShown[]

  it('takes the service’s own names of the types too, and sends shop items elsewhere', async () => {
    const flags = { title: 'Vas', category: '344481', 'start-price': '100' }
    for (const [type, id] of [
      ['auction', 1],
      ['Auction', 1],
      ['ContactOnly', 5],
      ['contact', 5],
    ] as const) {
      expect((await read(ITEM_INPUT, { ...flags, type })).ItemType, type).to.equal(id)
    }
    expect((await refusal(ITEM_INPUT, { ...flags, type: 'ShopItem' })).message).to.include('seller shop:add')
    expect((await refusal(ITEM_INPUT, { ...flags, type: 'sale' })).message).to.include('not one of auction, buy-now, contact')
  })

  it('turns flags into a request, with defaults for the rest', async () => {
    const request = await read(ITEM_INPUT, {
      title: 'Vas',
      category: '1612',
      'start-price': '1 000',
      'buy-now': '2500kr',
      shipping: ['provider=12,cost=59,weight=0.5', 'pickup'],
      payment: ['8', '4096'],
      accepted: 'eu',
      condition: 'used',
      reference: ['A-1', 'B-2'],
      ends: '2026-10-09T18:00',
    })
    expect(request).to.deep.equal({
      Title: 'Vas',
      CategoryId: 1612,
      StartPrice: 1000,
      ReservePrice: 0,
      BuyItNowPrice: 2500,
      Duration: 7,
      Restarts: 0,
      ItemType: 1,
      AcceptedBidderId: 4,
      AutoCommit: true,
      ShippingOptions: [
        { ShippingProviderId: 12, Cost: 59, ShippingWeight: 0.5 },
        { ShippingOptionId: 8, Cost: 0 },
      ],
      PaymentOptionIds: [8, 4096],
      ItemAttributes: [2],
      OwnReferences: ['A-1', 'B-2'],
      CustomEndDate: '2026-10-09T18:00:00+02:00',
    })
  })

  it('reads YAML and JSON alike, and lets flags override', async () => {
    const yaml =
      'Title: Vas\nCategoryId: 1612\nStartPrice: 100\nOwnReferences: [A-1]\nShippingOptions:\n  - ShippingOptionId: 8\n    Cost: 0\n'
    const json = JSON.stringify({
      Title: 'Vas',
      CategoryId: 1612,
      StartPrice: 100,
      OwnReferences: ['A-1'],
      ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }],
    })
    const fromYaml = await read(ITEM_INPUT, { file: '-', title: 'Kruka' }, yaml)
    expect(fromYaml).to.deep.equal(await read(ITEM_INPUT, { file: '-', title: 'Kruka' }, json))
    expect(fromYaml).to.include({ Title: 'Kruka', StartPrice: 100 })
  })

  it('reads the description from a file of its own', async () => {
    const path = join(home, 'text.html')
    await writeFile(path, '\uFEFFFin vas<br>\n')
    const request = await read(ITEM_INPUT, { title: 'V', category: '1', 'start-price': '1', 'description-file': path })
    expect(request.Description).to.equal('Fin vas<br>')
  })

  it('does not read stdin twice', async () => {
    expect((await refusal(ITEM_INPUT, { file: '-', 'description-file': '-' }, 'Title: V')).code).to.equal('stdin_twice')
  })

  it('gives a buy-now item its 30 days and asks no start price of it', async () => {
    const request = await read(ITEM_INPUT, { title: 'V', category: '1', type: 'buy-now', 'buy-now': '200' })
    expect(request).to.include({ ItemType: 3, Duration: 30, StartPrice: 0, BuyItNowPrice: 200 })
  })

  it('tells everything that is wrong with the flags at once, as wrong usage', async () => {
    const error = await refusal(ITEM_INPUT, {
      title: 'x'.repeat(81),
      'start-price': '12,50',
      'buy-now': '-5',
      reserve: '99999999999',
      days: '31',
      type: 'aucton',
      shipping: ['porto=59'],
      ends: '2026-02-30',
    })
    expect(error.exitCode).to.equal(2)
    const faults = faultsOf(error)
    expect(faults.map(({ field }) => field).sort()).to.deep.equal(
      ['--buy-now', '--category', '--days', '--ends', '--reserve', '--shipping', '--start-price', '--title', '--type'].sort(),
    )
    expect(faults.find(({ field }) => field === '--type')?.hint).to.equal('Did you mean auction?')
    expect(error.message).to.include('"12,50"').and.include('at most 80 characters, it has 81').and.include('at most 14')
  })

  it('refuses values that will not do with exit 3, rules over several fields beside limits of one', async () => {
    const error = await refusal(ITEM_INPUT, {
      title: 'Vas\u0007',
      category: '1612',
      'start-price': '500',
      reserve: '400',
      'buy-now': '450',
    })
    expect(error.exitCode).to.equal(3)
    expect(faultsOf(error).map(({ field }) => field)).to.deep.equal(['--title', '--reserve', '--buy-now'])
    expect(error.message).to.include('U+0007').and.include('greater than the opening price of 500 kr')
  })

  it('names unknown fields of a file with the nearest known name, and the line', async () => {
    const error = await refusal(
      ITEM_INPUT,
      { file: '-' },
      'Title: V\nCategoryId: 1\nStartprice: 5\nShippingOptions:\n  - Kost: 3\n    ShippingOptionId: 8\n',
    )
    expect(error.exitCode).to.equal(3)
    const shown = faultsOf(error).map(({ field, hint }) => `${field}|${hint}`)
    expect(shown).to.include('Startprice (stdin, line 3)|Did you mean StartPrice?')
    expect(shown).to.include('ShippingOptions[0].Kost (stdin, line 5)|Did you mean Cost?')
    expect(shown.some((line) => line.startsWith('ShippingOptions[0].Cost'))).to.equal(true)
  })

  for (const [written, why] of [
    ['12.50', 'a whole number is expected'],
    ['100.0', 'a whole number is expected'],
    ['1e3', 'a whole number is expected'],
    ['0x10', 'a whole number is expected'],
    ["'100'", 'a whole number is expected'],
    ['1_000', 'a whole number is expected'],
    ['-5', 'must be at least 0'],
    ['2147483648', 'does not fit in a 32-bit int'],
    ['true', 'a whole number is expected'],
    ['[5]', 'a whole number is expected'],
  ] as const) {
    it(`refuses StartPrice: ${written} in a file`, async () => {
      const error = await refusal(ITEM_INPUT, { file: '-' }, `Title: V\nCategoryId: 1\nStartPrice: ${written}\n`)
      expect(error.exitCode).to.equal(3)
      expect(error.message).to.include('StartPrice (stdin, line 3)').and.include(why)
    })
  }

  it('tells limits and rules over several fields beside a field that cannot be read', async () => {
    const file = 'Title: V\nCategoryId: abc\nDuration: 99\nStartPrice: 4\nReservePrice: 2\n'
    const error = await refusal(ITEM_INPUT, { file: '-' }, file)
    expect(error.exitCode).to.equal(3)
    expect(error.message.split('\n')).to.deep.equal([
      'CategoryId (stdin, line 2): "abc": a whole number is expected. Give digits only, e.g. 42.',
      'Duration (stdin, line 3): "99" must be at most 14 days.',
      'ReservePrice (stdin, line 5): "2": a reserve price must be greater than the opening price of 4 kr.',
    ])
    const mixed = await refusal(ITEM_INPUT, { file: '-', days: 'x' }, file)
    expect(mixed.exitCode).to.equal(2)
    expect(faultsOf(mixed).map(({ field }) => field)).to.deep.equal([
      '--days',
      'CategoryId (stdin, line 2)',
      'ReservePrice (stdin, line 5)',
    ])
  })

  it('says nothing of a price in comparison with one that is missing or unreadable', async () => {
    const flags = { title: 'Vas', category: 'x', reserve: '1' }
    expect(faultsOf(await refusal(ITEM_INPUT, flags)).map(({ field }) => field)).to.deep.equal(['--category', '--start-price'])
    const other = faultsOf(await refusal(ITEM_INPUT, { ...flags, 'start-price': '1,5' })).map(({ field }) => field)
    expect(other).to.deep.equal(['--category', '--start-price'])
  })

  it('takes decimals where the field is one', async () => {
    const file =
      'Title: V\nCategoryId: 1\nStartPrice: 5\nShippingOptions:\n  - {ShippingProviderId: 1, Cost: 9, ShippingWeight: 1.0}\n'
    const request = await read(ITEM_INPUT, { file: '-' }, file)
    expect(request.ShippingOptions).to.deep.equal([{ ShippingProviderId: 1, Cost: 9, ShippingWeight: 1 }])
  })

  for (const [name, text, why] of [
    ['broken YAML', 'Title: [1', 'line'],
    ['a key twice', 'Title: a\nTitle: b\n', 'unique'],
    ['an unknown tag', 'Title: !run x\n', 'tag'],
    ['two documents', 'Title: a\n---\nTitle: b\n', 'document'],
    ['a list', '- Title: a\n', 'a list was found'],
    ['a bare text', 'hello', 'a single value was found'],
    ['only comments', '# nothing\n', 'there is nothing in it'],
    ['nothing', '', 'is empty'],
  ] as const) {
    it(`refuses ${name} as a file, exit 2`, async () => {
      const error = await refusal(ITEM_INPUT, { file: '-' }, text)
      expect(error.exitCode).to.equal(2)
      expect(error.message.toLowerCase()).to.include(why)
    })
  }

  it('refuses bytes that are text in no encoding, and text that is UTF-8 only in part', async () => {
    const path = join(home, 'bytes.yaml')
    const latin = Buffer.from('# \xf6\n', 'latin1')
    for (const bytes of [
      Buffer.from('Title: K\x81pa', 'latin1'),
      Buffer.concat([Buffer.from('Title: Köpa\n'), latin]),
      Buffer.from([0x54, 1, 2, 3, 0, 0]),
    ]) {
      await writeFile(path, bytes)
      expect((await refusal(ITEM_INPUT, { file: path })).message).to.include('not text in UTF-8')
    }
  })

  it('refuses a file whose aliases grow without end', async () => {
    const rows = Array.from(
      { length: 9 },
      (_, i) =>
        `a${i}: &a${i} [${Array(10)
          .fill(i === 0 ? 'x' : `*a${i - 1}`)
          .join(', ')}]`,
    )
    const error = await refusal(ITEM_INPUT, { file: '-' }, rows.join('\n'))
    expect(error.exitCode).to.equal(2)
  })

  it('keeps a field called __proto__ an unknown field', async () => {
    const error = await refusal(
      ITEM_INPUT,
      { file: '-' },
      '{"Title":"V","CategoryId":1,"StartPrice":1,"__proto__":{"Duration":3}}',
    )
    expect(error.message).to.include('__proto__').and.include('is not a field')
  })

  it('refuses dates that have passed', async () => {
    const error = await refusal(ITEM_INPUT, { title: 'V', category: '1', 'start-price': '1', ends: '2026-10-01' })
    expect(error.message).to.include('--ends').and.include('lies in the past')
  })

  it('names every missing flag when nobody can be asked', async () => {
    const error = await refusal(ITEM_INPUT, {})
    expect(error.exitCode).to.equal(2)
    expect(error.details?.missing).to.deep.equal(['--title', '--category', '--start-price'])
    expect((await refusal(SHOP_INPUT, {})).details?.missing).to.deep.equal(['--title', '--category', '--price'])
  })

  it('asks a person for what is missing, and for what the answers make necessary', async () => {
    const answers: Record<string, string> = { title: 'Vas', category: '1612', type: 'buy-now', 'buy-now': '300' }
    const asked: string[] = []
    const prompts = {
      available: true,
      fill: async (questions: ReadonlyArray<{ key: string }>) => {
        asked.push(...questions.map(({ key }) => key))
        return Object.fromEntries(questions.flatMap(({ key }) => (answers[key] === undefined ? [] : [[key, answers[key]]])))
      },
      confirm: async () => {},
    } as unknown as Prompts
    const request = await read(ITEM_INPUT, {}, '', prompts)
    expect(asked).to.deep.equal(['title', 'category', 'type', 'description', 'buy-now'])
    expect(request).to.include({ Title: 'Vas', ItemType: 3, BuyItNowPrice: 300, Duration: 30 })
  })

  it('refuses both kinds of quantity for a shop item', async () => {
    const error = await refusal(SHOP_INPUT, { file: '-', quantity: '2', title: 'V', category: '1', price: '5' }, 'Quantity: 3\n')
    expect(error.exitCode).to.equal(3)
    expect(error.message).to.include('--quantity').and.include('cannot be sent together')
  })

  it('reads a file named in base64 fields, and says which one is not there', async () => {
    const path = join(home, 'a.bin')
    const png = Buffer.from('89504e470d0a1a0a00', 'hex')
    await writeFile(path, png)
    const file = (data: string) =>
      JSON.stringify({ Title: 'V', CategoryId: 1, Price: 5, ItemImages: [{ HasMega: false, Format: 'Png', Data: data }] })
    const request = await read(SHOP_INPUT, { file: '-' }, file(`@${path}`))
    expect(Buffer.from(request.ItemImages?.[0]?.Data ?? [])).to.deep.equal(png)
    const gif = Buffer.from('GIF89a').toString('base64')
    expect((await refusal(SHOP_INPUT, { file: '-' }, file(gif))).message).to.include('is Gif by its content, not Png')
    expect((await refusal(SHOP_INPUT, { file: '-' }, file('YWJj'))).message).to.include('does not contain a Gif, Jpeg or Png')
    expect((await refusal(SHOP_INPUT, { file: '-' }, file('@/nowhere.png'))).message)
      .to.include('ENOENT')
      .and.include('ItemImages[0].Data')
    expect((await refusal(SHOP_INPUT, { file: '-' }, file('no base64!'))).message).to.include('is not base64')
  })

  describe('skeleton', () => {
    for (const [kind, struct, filled] of [
      [ITEM_INPUT, ItemRequest, { Title: 'Vas', CategoryId: '1612', StartPrice: '100' }],
      [SHOP_INPUT, ShopItemData, { Title: 'Vas', CategoryId: '1612', Price: '100' }],
    ] as const) {
      it(`of ${kind.operation} has every field of the contract, and is accepted when filled in`, async () => {
        const text = skeletonOf(kind as InputKind<unknown>, NOW)
        for (const name of Object.keys(struct.fields)) expect(text).to.match(new RegExp(`^#?${name}:`, 'm'))
        const required = text.replace(
          /^(\w+):$/gm,
          (_line, name: string) => `${name}: ${(filled as Record<string, string>)[name]}`,
        )
        expect(await read(kind as InputKind<unknown>, { file: '-' }, required)).to.include({ Title: 'Vas', CategoryId: 1612 })
        const whole = required
          .replace(/^#(?! )/gm, '')
          .replace(/^#( +(- )?\w+:)/gm, '$1')
          .replace(/^#( {2}(Hand|Picked))/gm, '$1')
        const request = (await read(kind as InputKind<unknown>, { file: '-' }, whole)) as Record<string, unknown>
        for (const name of ['VAT', 'ShippingOptions', 'AttributeValues', 'Description']) expect(request).to.have.property(name)
      })
    }

    it('belongs to an operation with one parameter of its struct', () => {
      for (const kind of [ITEM_INPUT, SHOP_INPUT]) {
        const operation: Operation = operations[kind.operation]
        expect(operation.params[kind.param]?.type).to.equal(kind.struct)
      }
    })
  })
})
