/** What items:add and shop:add make of flags, files and images: the request as a dry run shows it, or every fault of it, without a call. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { ItemRequest, ShopItemData } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { Hands } from './clock.js'
import { type Home, openHome, type Run } from './harness.js'
import { PIXEL } from './observed.js'

const ITEM = ['--title', 'V', '--category', '1', '--start-price', '5']
const SHOP = ['--title', 'V', '--category', '1', '--price', '5']
const YAML = 'Title: V\nCategoryId: 1\nStartPrice: 5\n'

describe('the input of an item', () => {
  let home: Home
  const clock = new Hands()
  before(async () => {
    home = await openHome()
    clock.time = Date.UTC(2026, 9, 5, 12)
  })
  after(() => home.close())

  const dry = (command: string, args: readonly string[], stdin?: string | Buffer): Promise<Run> =>
    home.run([command, ...args, '--dry-run', '--json'], { clock, stdin })
  const request = async (command: string, args: readonly string[], stdin?: string | Buffer) => {
    const run = await dry(command, args, stdin)
    expect(run.code, run.stdout + run.stderr).to.equal(EXIT.ok)
    return run.json().Request
  }
  const file = (stdin: string | Buffer, ...args: string[]) => request('items:add', ['--file', '-', ...args], stdin)
  const refused = async (command: string, args: readonly string[], stdin?: string | Buffer) => {
    const run = await dry(command, args, stdin)
    const { error } = run.json()
    expect(run.code, run.stdout).to.equal(error.exitCode)
    return error
  }
  const fields = ({ faults }: { faults: readonly { field: string }[] }) => faults.map(({ field }) => field)

  it('is made of flags, with defaults for the rest', async () => {
    const args = ['--title', 'Vas', '--category', '1612', '--start-price', '1 000', '--buy-now', '2500kr']
    const ship = ['--shipping', 'provider=12,cost=59,weight=0.5', '--shipping', 'pickup', '--payment', '8', '--payment', '4096']
    const more = [
      '--accepted',
      'EU',
      '--condition',
      'used',
      '--reference',
      'A-1',
      '--reference',
      'B-2',
      '--ends',
      '2026-10-09T18:00',
    ]
    expect(await request('items:add', [...args, ...ship, ...more])).to.deep.equal({
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
    const shop = { Title: 'V', CategoryId: 1, Price: 5, AcceptedBuyerId: 1 }
    expect(await request('shop:add', SHOP)).to.deep.equal({ ...shop, AbsoluteQuantity: 1 })
    expect(await request('shop:add', [...SHOP, '--file', '-'], 'Quantity: 2\n')).to.deep.equal({ ...shop, Quantity: 2 })
    expect(await request('shop:add', [...SHOP, '--activate', 'tomorrow']))
      .to.have.property('ActivateDate')
      .that.match(/^2026-10-06T/)
  })

  it('comes from YAML and JSON alike, and flags override', async () => {
    const json = JSON.stringify({ Title: 'V', CategoryId: 1, StartPrice: 5, ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }] })
    const yaml = `${YAML}ShippingOptions:\n  - ShippingOptionId: 8\n    Cost: 0\n`
    expect(await file(yaml, '--title', 'Kruka')).to.deep.equal(await file(json, '--title', 'Kruka'))
    expect(await file(yaml, '--title', 'Kruka')).to.include({ Title: 'Kruka', StartPrice: 5 })
    expect(await file(`${YAML}StartPrice: 1.5\n`.replace('StartPrice: 5\n', ''), '--start-price', '7')).to.include({
      StartPrice: 7,
    })
    const weight = 'ShippingOptions:\n  - {ShippingProviderId: 1, Cost: 9, ShippingWeight: 1.0}\n'
    expect((await file(YAML + weight)).ShippingOptions).to.deep.equal([{ ShippingProviderId: 1, Cost: 9, ShippingWeight: 1 }])
    expect(await file(`${YAML}Description:\nVAT: ~\n`)).to.not.have.any.keys('Description', 'VAT')
    expect((await file(`${YAML}CustomEndDate: 2026-10-10\n`)).CustomEndDate).to.equal('2026-10-10T00:00:00+02:00')
    const description = await home.file('text.html', '\uFEFF  Fin vas<br>\n\n')
    expect((await request('items:add', [...ITEM, '--description-file', description])).Description).to.equal('  Fin vas<br>')
  })

  it('is refused with everything that is wrong at once: 2 for what cannot be read, 3 for what will not do', async () => {
    const flags = { '--start-price': '12,50', '--buy-now': '-5', '--reserve': '99999999999', '--days': '31', '--type': 'aucton' }
    const more = { '--title': 'x'.repeat(81), '--shipping': 'porto=59', '--ends': '2026-02-30' }
    const wrong = { ...flags, ...more }
    const usage = await refused('items:add', Object.entries(wrong).flat())
    expect(usage.exitCode).to.equal(EXIT.usage)
    expect(fields(usage)).to.have.members([...Object.keys(wrong), '--category'])
    expect(usage.message).to.include('"12,50"').and.include('at most 80 characters, it has 81').and.include('at most 14')
    const prices = ['--start-price', '500', '--reserve', '400', '--buy-now', '450']
    const validation = await refused('items:add', ['--title', 'Vas\u0007', '--category', '1', ...prices])
    expect([validation.exitCode, fields(validation)]).to.deep.equal([EXIT.validation, ['--title', '--reserve', '--buy-now']])
    expect(validation.message).to.include('U+0007').and.include('greater than the opening price of 500 kr')
    for (const args of [
      ['--category', '1.5', '--reserve', '1'],
      ['--category', '1.5', '--reserve', '1', '--start-price', '1,5'],
    ]) {
      const error = await refused('items:add', ['--title', 'V', ...args])
      expect(fields(error), 'no price is compared with one that is missing').to.not.include('--reserve')
    }
    const priceless = await refused('items:add', ['--title', 'V', '--category', '1', '--type', 'buy-now'])
    expect([priceless.exitCode, priceless.missing]).to.deep.equal([EXIT.usage, ['--buy-now']])
    const past = await refused('items:add', [...ITEM, '--ends', '2026-10-01'])
    expect(past.faults[0]).to.include({
      field: '--ends',
      message: 'lies in the past',
      hint: 'Give a later date, or leave it out.',
    })
    const both = await refused('shop:add', [...SHOP, '--file', '-', '--quantity', '2'], 'Quantity: 3\n')
    expect(both.message).to.include('--quantity').and.include('cannot be sent together')
  })

  it('is refused by the line of a file', async () => {
    const limits = 'Title: V\nCategoryId: 1.5\nDuration: 99\nStartPrice: 4\nReservePrice: 2\n'
    expect((await refused('items:add', ['--file', '-'], limits)).message.split('\n')).to.deep.equal([
      'CategoryId (stdin, line 2): "1.5": a whole number is expected. Give digits only, e.g. 42.',
      'Duration (stdin, line 3): "99" must be at most 14 days.',
      'ReservePrice (stdin, line 5): "2": a reserve price must be greater than the opening price of 4 kr.',
    ])
    const mixed = await refused('items:add', ['--file', '-', '--days', 'x'], limits)
    expect([mixed.exitCode, fields(mixed)]).to.deep.equal([
      EXIT.usage,
      ['--days', 'CategoryId (stdin, line 2)', 'ReservePrice (stdin, line 5)'],
    ])
    const names = 'Title: V\nCategoryId: 1\nStartprice: 5\nShippingOptions:\n  - Kost: 3\n    ShippingOptionId: 8\n__proto__: 1\n'
    const unknown = await refused('items:add', ['--file', '-'], names)
    const shown = unknown.faults.map(({ field, hint }: { field: string; hint: string }) => `${field}|${hint}`)
    expect(shown).to.include.members([
      'Startprice (stdin, line 3)|Did you mean StartPrice?',
      'ShippingOptions[0].Kost (stdin, line 5)|Did you mean Cost?',
    ])
    expect(unknown.message).to.include('__proto__')
  })

  for (const [written, why] of [
    ...['12.50', '100.0', '1e3', '0x10', "'100'", '1_000', 'true', '[5]'].map((text) => [text, 'a whole number is expected']),
    ['-5', 'must be at least 0'],
    ['2147483648', 'does not fit in a 32-bit int'],
  ] as const) {
    it(`is refused for StartPrice: ${written} in a file`, async () => {
      const error = await refused('items:add', ['--file', '-'], `Title: V\nCategoryId: 1\nStartPrice: ${written}\n`)
      expect(error.exitCode).to.equal(EXIT.validation)
      expect(error.message).to.include('StartPrice (stdin, line 3)').and.include(why)
    })
  }

  const aliases = Array.from(
    { length: 9 },
    (_, at) =>
      `a${at}: &a${at} [${Array(10)
        .fill(at === 0 ? 'x' : `*a${at - 1}`)
        .join(', ')}]`,
  )
  for (const [name, text, why] of [
    ['broken YAML', 'Title: V\nB: [', 'line 2'],
    ['a key twice', 'Title: a\nTitle: b\n', 'unique'],
    ['an unknown tag', 'Title: !run x\n', 'tag'],
    ['a bare text', 'hello', 'a single value was found'],
    ['only comments', '# nothing\n', 'there is nothing in it'],
    ['nothing', '', 'is empty'],
    ['aliases that grow without end', aliases.join('\n'), ''],
    ['bytes that are text in no encoding', Buffer.from('Title: K\x81pa', 'latin1'), 'not text in utf-8'],
    ['UTF-8 only in part', Buffer.concat([Buffer.from('Title: Köpa\n'), Buffer.from('# \xf6\n', 'latin1')]), 'not text in utf-8'],
  ] as const) {
    it(`is refused for ${name} as a file: exit 2`, async () => {
      const error = await refused('items:add', ['--file', '-'], text)
      expect(error.exitCode).to.equal(EXIT.usage)
      expect(error.message.toLowerCase()).to.include(why)
    })
  }

  it('comes from stdin once, never from a terminal, and from no directory', async () => {
    const path = await home.file('item.yaml', YAML)
    await mkdir(join(home.dir, 'folder'))
    for (const [args, code] of [
      [['--file', '-', '--description-file', '-'], 'stdin_twice'],
      [['--file', 'folder'], 'unreadable_file'],
      [['--file', path, '--description-file', 'none'], 'unreadable_file'],
    ] as const) {
      expect((await refused('items:add', args, YAML)).code, args.join(' ')).to.equal(code)
    }
    const typed = await home.run(['items:add', '--file', '-', '--dry-run', '--json'], { clock, terminal: true })
    expect(typed.json().error.code).to.equal('stdin_is_terminal')
  })

  describe('of images', () => {
    const image = (Data: string, Format = 'Png') =>
      JSON.stringify({ Title: 'V', CategoryId: 1, Price: 5, ItemImages: [{ HasMega: false, Format, Data }] })

    it('has them in their order, those shown extra large last, and as many as the service takes', async () => {
      const paths = await Promise.all(['a.png', 'b.png', 'c.png'].map((name) => home.file(name, PIXEL.png)))
      const run = await dry('shop:add', [...SHOP, '--image', 'b.png', '--image', 'a.png', '--mega-image', 'c.png'])
      expect(run.json().Images.map(({ File, HasMega }: { File: string; HasMega: boolean }) => [File, HasMega])).to.deep.equal([
        [paths[1], false],
        [paths[0], false],
        [paths[2], true],
      ])
      const many = (count: number) => Array(count).fill(['--image', 'a.png']).flat()
      const own = await home.file('own.json', image(`@${paths[0]}`))
      expect((await dry('shop:add', ['--file', own, ...many(39)])).json().Images).to.have.length(40)
      expect((await refused('shop:add', ['--file', own, ...many(40)])).message).to.include('must be at most 40 images')
    })

    it('names each that will not do by its flag or field, beside other faults', async () => {
      const flags = ['--image', 'none.png', '--mega-image', 'folder', '--price', 'x']
      expect(fields(await refused('shop:add', ['--title', 'V', '--category', '1', ...flags]))).to.have.members([
        '--image',
        '--mega-image',
        '--price',
      ])
      const png = await home.file('good.png', PIXEL.png)
      expect((await dry('shop:add', ['--file', '-'], image(`@${png}`))).json().Images).to.deep.equal([
        { File: '', Format: 'Png', Bytes: PIXEL.png.length, HasMega: false },
      ])
      for (const [data, why] of [
        [PIXEL.gif.toString('base64'), 'is Gif by its content, not Png'],
        ['YWJj', 'does not contain a Gif, Jpeg or Png'],
        ['@/nowhere.png', 'the file cannot be read: it does not exist'],
        ['no base64!', 'is not base64'],
      ] as const) {
        const error = await refused('shop:add', ['--file', '-'], image(data))
        expect(fields(error), data).to.deep.equal(['ItemImages[0].Data (stdin, line 1)'])
        expect(error.message).to.include(why)
      }
    })
  })

  for (const [command, struct, filled] of [
    ['items:add', ItemRequest, { Title: 'Vas', CategoryId: '1612', StartPrice: '100' }],
    ['shop:add', ShopItemData, { Title: 'Vas', CategoryId: '1612', Price: '100' }],
  ] as const) {
    it(`has a skeleton for ${command} with every field of the contract, which is accepted when all of it is filled in`, async () => {
      const { stdout } = await home.run([command, '--skeleton'], { clock })
      expect(stdout).to.match(new RegExp(`^# One item for: seller ${command} --file FILE\n`))
      for (const [name, { rule }] of Object.entries(struct.fields)) {
        const block = stdout.split('\n\n').find((text) => new RegExp(`^#?${name}:`, 'm').test(text))
        expect(block, name).to.include(rule?.maxLength === undefined ? '# ' : `At most ${rule.maxLength} characters.`)
      }
      const given: Readonly<Record<string, string>> = filled
      const whole = stdout
        .replace(/^(\w+):$/gm, (_line, name: string) => `${name}: ${given[name]}`)
        .replace(/^#(?! )/gm, '')
        .replace(/^#( +(- )?\w+:)/gm, '$1')
        .replace(/^#( {2}(Hand|Picked))/gm, '$1')
      const made = await request(command, ['--file', '-'], whole)
      expect(made).to.include({ Title: 'Vas', CategoryId: 1612 })
      for (const name of ['VAT', 'ShippingOptions', 'AttributeValues', 'Description']) expect(made).to.have.property(name)
    })
  }
})
