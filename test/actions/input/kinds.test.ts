/** The two things that a seller adds: what is asked for, the defaults, and what is checked before the service is asked. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { faultsIn, topOf } from '../../../src/actions/input/check.js'
import { readDocument, WrittenNumber } from '../../../src/actions/input/document.js'
import { type FlagField, ITEM_FLAG_FIELDS, SHOP_FLAG_FIELDS } from '../../../src/actions/input/flag-fields.js'
import { imageFormatOf } from '../../../src/actions/input/image-format.js'
import { ITEM_INPUT, readRequest, SHOP_INPUT } from '../../../src/actions/input/index.js'
import { bytesOf, typedFields } from '../../../src/actions/input/typed.js'
import type { Question } from '../../../src/cli/prompts.js'
import { ACCEPTED_BIDDERS, type InputFault, ITEM_TYPE_IDS } from '../../../src/contract/index.js'
import {
  arrayOf,
  base64Binary,
  dateTime,
  decimal,
  type Field,
  int,
  optional,
  repeated,
  string,
  struct,
} from '../../../src/contract/vocabulary.js'
import { GIF, JPEG, PNG } from '../../jobs/harness.js'
import { thrownBy } from '../support.js'

const NOW = Date.UTC(2026, 9, 5, 12)
const { Auction, PureBuyItNow, ContactOnly } = ITEM_TYPE_IDS

describe('what is asked of an item', () => {
  const keys = (questions: readonly Question[]) => questions.map(({ key }) => key)

  for (const [values, missing] of [
    [{}, ['title', 'category', 'start-price']],
    [{ Title: 'a', CategoryId: 1, StartPrice: 0 }, []],
    [{ Title: '', CategoryId: 0 }, ['start-price']],
    [{ ItemType: Auction, Title: 'a', CategoryId: 1 }, ['start-price']],
    [{ ItemType: PureBuyItNow, Title: 'a', CategoryId: 1 }, ['buy-now']],
    [{ ItemType: PureBuyItNow, BuyItNowPrice: 5, Title: 'a' }, ['category']],
    [{ ItemType: ContactOnly }, ['title', 'category']],
  ] as const) {
    it(`is ${missing.join(', ') || 'nothing'} beside ${JSON.stringify(values)}`, () => {
      expect(keys(ITEM_INPUT.missing(values))).to.deep.equal(missing)
    })
  }

  it('is of a shop item its price, and of whom is asked for everything the rest too', () => {
    expect(keys(SHOP_INPUT.missing({}))).to.deep.equal(['title', 'category', 'price'])
    expect(keys(SHOP_INPUT.missing({ Title: 'a', CategoryId: 1, Price: 1 }))).to.deep.equal([])
    expect(keys(SHOP_INPUT.also({}))).to.deep.equal(['quantity', 'description'])
    expect(keys(SHOP_INPUT.also({ Quantity: 1 }))).to.deep.equal(['description'])
    expect(keys(SHOP_INPUT.also({ AbsoluteQuantity: 1, Description: 'a' }))).to.deep.equal([])
    expect(keys(ITEM_INPUT.also({}))).to.deep.equal(['type', 'description'])
    expect(keys(ITEM_INPUT.also({ ItemType: Auction, Description: '' }))).to.deep.equal([])
  })

  it('has the flag that a script would use, and defaults', () => {
    const all = [...ITEM_INPUT.missing({}), ...ITEM_INPUT.missing({ ItemType: PureBuyItNow }), ...SHOP_INPUT.missing({})]
    for (const { key, flag } of [...all, ...ITEM_INPUT.also({}), ...SHOP_INPUT.also({})]) expect(flag).to.equal(`--${key}`)
    expect(ITEM_INPUT.also({})[0]).to.deep.include({
      kind: 'select',
      default: 'auction',
      choices: ['auction', 'buy-now', 'contact'].map((value) => ({ name: value, value })),
    })
    expect(ITEM_INPUT.also({})[1]).to.include({ optional: true, kind: 'text' })
    expect(SHOP_INPUT.also({})[0]).to.include({ kind: 'int', default: '1' })
    expect(all.map(({ kind }) => kind)).to.deep.equal(['text', 'int', 'int', 'text', 'int', 'int', 'text', 'int', 'int'])
  })

  it('has defaults for the rest', () => {
    expect(ITEM_INPUT.complete({ Title: 'a' })).to.deep.equal({
      Title: 'a',
      Duration: 7,
      Restarts: 0,
      StartPrice: 0,
      ReservePrice: 0,
      BuyItNowPrice: 0,
      AcceptedBidderId: 1,
      ItemType: Auction,
      AutoCommit: true,
    })
    expect(ITEM_INPUT.complete({ ItemType: PureBuyItNow })).to.include({ Duration: 30, ItemType: PureBuyItNow })
    expect(ITEM_INPUT.complete({ ItemType: ContactOnly, Duration: 3 })).to.include({ Duration: 3 })
    expect(SHOP_INPUT.complete({})).to.deep.equal({ AcceptedBuyerId: 1, AbsoluteQuantity: 1 })
    expect(SHOP_INPUT.complete({ Quantity: 2 })).to.deep.equal({ AcceptedBuyerId: 1, Quantity: 2 })
    expect(SHOP_INPUT.complete({ AbsoluteQuantity: 0, AcceptedBuyerId: 2 })).to.deep.equal({
      AcceptedBuyerId: 2,
      AbsoluteQuantity: 0,
    })
  })
})

describe('the faults of an item', () => {
  const item = { Title: 'a', CategoryId: 1, StartPrice: 5 }
  const faults = (values: object, unreadable: string[] = []) => faultsIn(ITEM_INPUT, values as never, unreadable, NOW)
  const fields = (found: InputFault[]) => found.map(({ field }) => field)

  it('are those of what was given, not of what is not given yet', () => {
    expect(faults({})).to.deep.equal([])
    expect(fields(faults({ ...item, Duration: 99, Title: 'x'.repeat(81) })).sort()).to.deep.equal(['Duration', 'Title'])
    expect(faults({ ...item }, ['Duration'])).to.deep.equal([])
  })

  it('are dates that have passed, unless the date itself will not do', () => {
    const iso = (ms: number) => new Date(ms).toISOString()
    for (const [at, past] of [
      [NOW - 1, true],
      [NOW, true],
      [NOW + 60_000, false],
    ] as const) {
      expect(fields(faults({ ...item, CustomEndDate: iso(at) })), iso(at)).to.deep.equal(past ? ['CustomEndDate'] : [])
    }
    expect(faults({ ...item, CustomEndDate: iso(NOW - 1) })[0]).to.deep.include({
      message: 'lies in the past',
      hint: 'Give a later date, or leave it out.',
    })
    expect(ITEM_INPUT.further({ CustomEndDate: 5 }, NOW)).to.deep.equal([])
    expect(ITEM_INPUT.further({ CustomEndDate: 'x' }, NOW)).to.deep.equal([])
    expect(faults({ ...item, CustomEndDate: 'x' })).to.have.length(1)
    expect(fields(SHOP_INPUT.further({ DeactivateDate: iso(NOW - 1), ActivateDate: iso(NOW - 1) }, NOW))).to.deep.equal([
      'DeactivateDate',
    ])
  })

  it('are images whose bytes are not what is said of them', () => {
    const images = [
      { Data: PNG, Format: 'Png' },
      { Data: GIF, Format: 'Jpeg' },
      { Format: 'Png' },
      { Data: Buffer.from('text'), Format: 'Png' },
    ]
    expect(SHOP_INPUT.further({ ItemImages: images }, NOW).map(({ field, message }) => [field, message])).to.deep.equal([
      ['ItemImages[1].Data', 'is Gif by its content, not Jpeg'],
      ['ItemImages[3].Data', 'does not contain a Gif, Jpeg or Png image'],
    ])
    expect(SHOP_INPUT.further({ ItemImages: 'x' }, NOW)).to.deep.equal([])
  })

  it('have the top of their field', () => {
    for (const path of ['A', 'A.B', 'A[0]', 'A[0].B', 'A.B[1]']) expect(topOf(path)).to.equal('A')
    expect(topOf('')).to.equal('')
  })

  it('know a picture by its first bytes', () => {
    expect([PNG, JPEG, GIF].map(imageFormatOf)).to.deep.equal(['Png', 'Jpeg', 'Gif'])
    expect(imageFormatOf(Buffer.from('GIF87a'))).to.equal('Gif')
    for (const bytes of ['GIF88a', 'GIF8', 'xGIF89a', '', 'x'])
      expect(imageFormatOf(Buffer.from(bytes)), bytes).to.equal(undefined)
    expect(imageFormatOf(PNG.subarray(0, 7))).to.equal(undefined)
    expect(imageFormatOf(Buffer.concat([Buffer.from([0]), PNG]))).to.equal(undefined)
    expect(imageFormatOf(Buffer.concat([Buffer.from([0]), JPEG]))).to.equal(undefined)
    expect(imageFormatOf(Buffer.from([0xff, 0xd8, 0xff]))).to.equal('Jpeg')
    expect(imageFormatOf(Buffer.from([0xff, 0xd8]))).to.equal(undefined)
  })
})

describe('the flags of an item', () => {
  const read = (fields: readonly FlagField[], flag: string, text: string) =>
    fields.find((field) => field.flag === flag)?.read(text, `--${flag}`, NOW)

  it('set the fields of the service, and lists where they may be repeated', () => {
    const shared = ['title', 'category', 'description', 'shipping', 'payment', 'accepted', 'condition', 'reference', 'vat']
    expect(ITEM_FLAG_FIELDS.map(({ flag }) => flag)).to.deep.equal([
      ...shared,
      ...['type', 'start-price', 'reserve', 'buy-now', 'days', 'restarts', 'ends'],
    ])
    expect(SHOP_FLAG_FIELDS.map(({ flag }) => flag)).to.deep.equal([
      ...shared,
      ...['price', 'quantity', 'activate', 'deactivate', 'external-id'],
    ])
    for (const fields of [ITEM_FLAG_FIELDS, SHOP_FLAG_FIELDS]) {
      expect(fields.filter(({ list }) => list === true).map(({ flag }) => flag)).to.deep.equal([
        'shipping',
        'payment',
        'reference',
      ])
    }
  })

  it('take words in any case, and the service’s names of types', () => {
    for (const [text, id] of [
      ['auction', Auction],
      ['AUCTION', Auction],
      ['Buy-Now', PureBuyItNow],
      ['purebuyitnow', PureBuyItNow],
      ['ContactOnly', ContactOnly],
    ] as const) {
      expect(read(ITEM_FLAG_FIELDS, 'type', text)).to.equal(id)
    }
    expect(read(ITEM_FLAG_FIELDS, 'accepted', 'EU')).to.equal(ACCEPTED_BIDDERS.EU)
    expect(read(SHOP_FLAG_FIELDS, 'accepted', 'International')).to.equal(ACCEPTED_BIDDERS.International)
    expect(read(SHOP_FLAG_FIELDS, 'condition', 'used')).to.deep.equal([2])
  })

  it('name the words, the nearest one, and the command for a word of another', async () => {
    const refused = (flag: string, text: string) => thrownBy(() => read(ITEM_FLAG_FIELDS, flag, text))
    expect(await refused('type', 'Shop')).to.include({
      message: '--type: "Shop" is not for this command',
      hint: 'Shop items are added with: seller shop:add.',
    })
    expect((await refused('type', 'shopitem')).message).to.contain('is not for this command')
    expect(await refused('type', 'actuion')).to.include({
      message: '--type: "actuion" is not one of auction, buy-now, contact',
      hint: 'Did you mean auction?',
    })
    expect((await refused('type', 'xyzzyqwert')).hint).to.equal('Give one of these words.')
    expect((await refused('type', 'constructor')).message).to.contain('is not one of')
    expect((await refused('accepted', 'norway')).message).to.equal('--accepted: "norway" is not one of sweden, eu, international')
  })

  it('mean the future by days', () => {
    expect(read(ITEM_FLAG_FIELDS, 'ends', '2d')).to.match(/^2026-10-07T/)
    expect(read(SHOP_FLAG_FIELDS, 'activate', 'tomorrow')).to.match(/^2026-10-06T/)
  })
})

describe('an item that is read', () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'seller-kinds-'))
    await mkdir(join(home, 'folder'))
  })
  after(() => rm(home, { recursive: true }))
  const read = (flags: Record<string, unknown>, more: object = {}, kind: never = SHOP_INPUT as never) =>
    readRequest<Record<string, unknown>>(
      kind,
      {
        stdin: Readable.from([]) as never,
        path: (given: string) => join(home, given),
        prompts: { available: false, fill: async () => ({}) } as never,
        clock: { now: () => NOW, sleep: async () => {}, random: () => 0 },
        ...more,
      },
      { title: 'Vas', category: '1', price: '5', ...flags },
    )

  it('has its images in their order, those shown extra large last', async () => {
    for (const name of ['a.png', 'b.png', 'c.png']) await writeFile(join(home, name), PNG)
    const { images } = await read({ image: ['b.png', 'a.png'], 'mega-image': ['c.png'] })
    expect(images.map(({ path, mega }) => [path.split('/').at(-1), mega])).to.deep.equal([
      ['b.png', false],
      ['a.png', false],
      ['c.png', true],
    ])
    expect((await read({})).images).to.deep.equal([])
  })

  it('names each image that will not do by its flag, beside other faults', async () => {
    const error = await thrownBy(() => read({ image: ['none.png'], 'mega-image': ['folder'], price: 'x' }))
    const faults = error.details.faults as { field: string }[]
    expect(faults.map(({ field }) => field).sort()).to.deep.equal(['--image', '--mega-image', '--price'])
  })

  it('has as many images as the service takes, with those of its file', async () => {
    await writeFile(join(home, 'a.png'), PNG)
    const images = (count: number) => Array(count).fill('a.png')
    const most = SHOP_INPUT.maxImages ?? 0
    expect(most).to.be.greaterThan(1)
    expect((await read({ image: images(most) })).images).to.have.length(most)
    const error = await thrownBy(() => read({ image: images(most), 'mega-image': ['a.png'] }))
    expect(error.message).to.contain(`must be at most ${most} images`)
    const entry = { HasMega: false, Format: 'Png', Data: PNG.toString('base64') }
    await writeFile(join(home, 'item.json'), JSON.stringify({ ItemImages: [entry] }))
    expect((await read({ file: 'item.json', image: images(most - 1) })).images).to.have.length(most - 1)
    expect((await thrownBy(() => read({ file: 'item.json', image: images(most) }))).message).to.contain('must be at most')
  })

  it('has names looked up in its file, where they can be, and says where they are', async () => {
    await writeFile(join(home, 'named.yaml'), 'Description: x\nCategoryId: vaser\n')
    const places: string[] = []
    const category = async (_: string, where: string) => {
      places.push(where)
      return 55
    }
    const ids = { category, payment: async () => 1, shipping: async () => '' }
    const { request } = await read({ file: 'named.yaml', category: undefined }, { ids })
    expect(request.CategoryId).to.equal(55)
    expect(places).to.deep.equal(['CategoryId (named.yaml, line 2)'])
    const error = await thrownBy(() => read({ file: 'named.yaml', category: undefined }))
    expect(error.message).to.contain('CategoryId (named.yaml, line 2): "vaser"')
  })

  it('says what is to be said of its files', async () => {
    await writeFile(join(home, 'latin.yaml'), Buffer.from('Description: K\xf6pa\n', 'latin1'))
    const notes: string[] = []
    const note = (text: string) => void notes.push(text)
    expect((await read({ file: 'latin.yaml' }, { note })).request.Description).to.equal('Köpa')
    expect(notes).to.have.length(1)
    expect(notes[0]).to.match(/^latin\.yaml /)
    await read({ 'description-file': 'latin.yaml' }, { note })
    expect(notes).to.have.length(2)
    await read({ file: 'latin.yaml' })
  })

  it('takes an empty line of its file for nothing, and trims only the end of a description', async () => {
    await writeFile(join(home, 'empty.yaml'), 'Description:\nVAT: ~\nQuantity: null\n')
    const { request } = await read({ file: 'empty.yaml' })
    expect(request).to.not.have.any.keys('Description', 'VAT', 'Quantity')
    expect(request.AbsoluteQuantity).to.equal(1)
    await writeFile(join(home, 'text'), '  words \n\n')
    expect((await read({ 'description-file': 'text' })).request.Description).to.equal('  words')
    expect((await read({ 'description-file': 'text', description: 'x' })).request.Description).to.equal('  words')
  })

  it('lets a flag take the place of what cannot be read in its file', async () => {
    await writeFile(join(home, 'odd.yaml'), 'Price: 1.5\nItemImages: []\n')
    expect((await read({ file: 'odd.yaml' })).request.Price).to.equal(5)
    await writeFile(
      join(home, 'bytes.json'),
      JSON.stringify({ ItemImages: [{ Data: '@none.png', Format: 'Png', HasMega: false }] }),
    )
    const error = await thrownBy(() => read({ file: 'bytes.json' }))
    expect((error.details.faults as { field: string }[]).map(({ field }) => field)).to.deep.equal([
      'ItemImages[0].Data (bytes.json, line 1)',
    ])
  })
})

describe('a document', () => {
  const document = (text: string, path = '-') => readDocument(Buffer.from(text), path)

  it('has the line of each value', async () => {
    const { lineOf, name } = await document('A: 1\nB:\n  - C: 2\n  - C: 3\n', 'x.yaml')
    expect([
      lineOf(['A']),
      lineOf(['B']),
      lineOf(['B', 1]),
      lineOf(['B', 1, 'C']),
      lineOf(['D']),
      lineOf(['B', 7]),
    ]).to.deep.equal([1, 3, 4, 4, undefined, undefined])
    expect(name).to.equal('x.yaml')
    expect((await document('A: 1')).name).to.equal('stdin')
  })

  it('keeps how a number is written, unless it is plain', async () => {
    const { value } = await document('{"a": 1, "b": -2, "c": +3, "d": 1.0, "e": 1e3, "f": 0x10, "g": "5", "h": 1.5, "4.0": 1}')
    const { a, b, c, d, e, f, g, h } = value as Record<string, unknown>
    expect([a, b, c, g]).to.deep.equal([1, -2, 3, '5'])
    for (const [written, text, number] of [
      [d, '1.0', 1],
      [e, '1e3', 1000],
      [f, '0x10', 16],
      [h, '1.5', 1.5],
    ] as const) {
      expect(written).to.deep.equal(new WrittenNumber(text, number))
    }
    expect(Object.keys(value as object)).to.include('4.0')
  })

  it('says where it is broken, in whole sentences', async () => {
    const error = await thrownBy(() => document('A: 1\nB: [', 'x.yaml'))
    expect(error.code).to.equal('unreadable_input')
    expect(error.message).to.match(/^x\.yaml: line 2, column \d+: .*[.!?]$/)
    expect(error.message).to.not.match(/\.\.$/)
    for (const empty of ['# nothing', 'null', '~']) {
      expect((await thrownBy(() => document(empty))).message).to.equal('stdin: there is nothing in it.')
    }
    expect((await document('0')).value).to.equal(0)
    expect((await document('false')).value).to.equal(false)
  })
})

describe('values of a document', () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'seller-typed-'))
    await writeFile(join(home, 'a.bin'), 'abc')
  })
  after(() => rm(home, { recursive: true }))
  const INNER = struct('Inner', { Id: optional(int), When: optional(dateTime) })
  const FIELDS: Record<string, Field> = {
    Whole: optional(int),
    Weight: optional(decimal),
    When: optional(dateTime),
    Bytes: optional(base64Binary),
    Text: optional(string),
    Inner: optional(INNER),
    List: optional(arrayOf('Inner', INNER)),
    Weights: repeated(decimal),
  }
  const typed = async (value: unknown) => {
    const faults: InputFault[] = []
    const result = await typedFields(FIELDS, value, '', { faults, locate: (path) => join(home, path) })
    return { result: result as Record<string, unknown>, faults: faults.map(({ field, message }) => [field, message]) }
  }
  const odd = new WrittenNumber('1.0', 1)

  it('have the types of the fields, as far as these allow', async () => {
    const { result, faults } = await typed({
      Whole: odd,
      Weight: odd,
      When: '2026-11-30',
      Bytes: '@a.bin',
      Text: odd,
      Inner: { Id: odd, When: '2026-11-30', Other: odd },
      List: [{ When: '2026-11-30' }, 5],
      Weights: [odd, 2],
      Unknown: { deep: [odd] },
    })
    const day = '2026-11-30T00:00:00+01:00'
    expect(result).to.deep.equal({
      Whole: '1.0',
      Weight: 1,
      When: day,
      Bytes: Buffer.from('abc'),
      Text: '1.0',
      Inner: { Id: '1.0', When: day, Other: '1.0' },
      List: [{ When: day }, 5],
      Weights: [1, 2],
      Unknown: { deep: ['1.0'] },
    })
    expect(faults).to.deep.equal([])
  })

  it('stay as they are where they are of another shape', async () => {
    const given = { List: 'x', Weights: 5, Inner: [1], When: 7, Bytes: 8, Whole: null }
    expect((await typed(given)).result).to.deep.equal(given)
    expect((await typed({ When: 'never' })).result).to.deep.equal({ When: 'never' })
    for (const value of ['text', 5, null, [odd]]) {
      expect((await typed(value)).result).to.deep.equal(Array.isArray(value) ? ['1.0'] : value)
    }
    const bytes = new Uint8Array([1])
    expect((await typed({ Text: bytes })).result.Text).to.equal(bytes)
  })

  it('have a fault by their path where bytes cannot be read', async () => {
    const { result, faults } = await typed({ Bytes: '@none', Other: '@none' })
    expect(result).to.deep.equal({ Bytes: undefined, Other: '@none' })
    expect(faults).to.deep.equal([['Bytes', 'the file cannot be read (ENOENT)']])
    const wrong: InputFault[] = []
    expect(await bytesOf('no base64!', 'A.B', { faults: wrong, locate: String })).to.equal(undefined)
    expect(wrong).to.deep.equal([
      { field: 'A.B', value: 'no base64!', message: 'is not base64', hint: 'Name a file instead: @photo.jpg.' },
    ])
    expect(Buffer.from((await bytesOf('YWJj', 'A', { faults: wrong, locate: String })) ?? []).toString()).to.equal('abc')
  })
})
