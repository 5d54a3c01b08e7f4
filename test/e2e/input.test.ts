/**
 * Requests that items:add and shop:add make of flags, files and images: the request as a dry run shows it, or every fault of it,
 * without a call.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { ItemRequest, ShopItemData } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { opened } from '../opened.js'
import { Hands } from './clock.js'
import { openHome, type Run } from './harness.js'
import { openObserved, PIXEL } from './observed.js'

const ITEM = ['--title', 'V', '--category', '1', '--opening', '5']
const SHOP = ['--title', 'V', '--category', '1', '--price', '5']
const YAML = 'Title: V\nCategoryId: 1\nStartPrice: 5\n'

/** Names of fields in a skeleton, where these are not those of the service. */
const SELLERS: Readonly<Record<string, string>> = {
  ...{
    OwnReferences: 'Reference',
    CategoryId: 'Category',
    Duration: 'Days',
    PaymentOptionIds: 'Payment',
    ShippingOptions: 'Shipping',
  },
  ...{ AcceptedBidderId: 'Accepted', AcceptedBuyerId: 'Accepted', CustomEndDate: 'Ends', ItemAttributes: 'Condition' },
  ...{ ItemType: 'Type', AttributeValues: 'Attributes', AbsoluteQuantity: 'Stock' },
}

describe('the input of an item', () => {
  const home = opened(openHome)
  const online = opened(() => openObserved({ extended: true }))
  const clock = new Hands()
  before(() => {
    clock.time = Date.UTC(2026, 9, 5, 12)
  })

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

  it('comes from YAML and JSON alike, and flags override', async () => {
    const json = JSON.stringify({ Title: 'V', CategoryId: 1, StartPrice: 5, ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }] })
    const yaml = `${YAML}ShippingOptions:\n  - ShippingOptionId: 8\n    Cost: 0\n`
    expect(await file(yaml, '--title', 'Kruka')).to.deep.equal(await file(json, '--title', 'Kruka'))
    expect(await file(yaml, '--title', 'Kruka')).to.include({ Title: 'Kruka', StartPrice: 5 })
    expect(await file(`${YAML}StartPrice: 1.5\n`.replace('StartPrice: 5\n', ''), '--opening', '7')).to.include({
      StartPrice: 7,
    })
    const weight = 'ShippingOptions:\n  - {ShippingProviderId: 1, Cost: 9, ShippingWeight: 1.0}\n'
    expect((await file(YAML + weight)).ShippingOptions).to.deep.equal([{ ShippingProviderId: 1, Cost: 9, ShippingWeight: 1 }])
    expect(await file(`${YAML}Description:\nVAT: ~\n`)).to.not.have.any.keys('Description', 'VAT')
    expect((await file(`${YAML}CustomEndDate: 2026-10-10\n`)).CustomEndDate).to.equal('2026-10-10T00:00:00+02:00')
    const description = await home.file('text.html', '\uFEFF  Fin vas<br>\n\n')
    expect((await request('items:add', [...ITEM, '--description-file', description])).Description).to.equal('  Fin vas<br>')
  })

  for (const [written, why] of [
    ...['12.50', '100.0', '1e3', '0x10', "'100'", '1_000', 'true', '[5]'].map((text) => [text, 'must be a whole number']),
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
        ['@/nowhere.png', 'cannot be read: it does not exist'],
        ['no base64!', 'is not base64'],
      ] as const) {
        const error = await refused('shop:add', ['--file', '-'], image(data))
        expect(fields(error), data).to.deep.equal(['ItemImages[0].Data (stdin, line 1)'])
        expect(error.message).to.include(why)
      }
    })
  })

  for (const [command, struct, filled] of [
    ['items:add', ItemRequest, { Title: 'Vas', Category: 'keramik', StartPrice: '100' }],
    ['shop:add', ShopItemData, { Title: 'Vas', Category: 'keramik', Price: '100' }],
  ] as const) {
    it(`has a skeleton for ${command} with every field of the contract, which is accepted when all of it is filled in`, async () => {
      const { stdout } = await online.run([command, '--skeleton'], { clock })
      expect(stdout).to.match(new RegExp(`^# One item for: seller ${command} --file FILE\n`))
      for (const name of Object.keys(struct.fields)) {
        const block = stdout.split('\n\n').find((text) => new RegExp(`^#?${SELLERS[name] ?? name}:`, 'm').test(text))
        expect(block, name).to.match(/^# \S/)
      }
      // A choice of the seller is no number of the service.
      for (const name of ['Type', 'Condition', 'Accepted', 'Category', 'Payment'])
        expect(stdout).to.not.match(new RegExp(`^#?${name}: *\\[?\\d`, 'm'))
      const given: Readonly<Record<string, string>> = filled
      const whole = stdout
        .replace(/^(\w+):$/gm, (_line, name: string) => `${name}: ${given[name]}`)
        .replace('provider=12', 'Sandbudet')
        .replace(/^#(?! )/gm, '')
        .replace(/^#( +(- |Märke))/gm, '$1')
        .replace(/^#( {2}(Hand|Picked))/gm, '$1')
      const made = async (text: string) => {
        const run = await online.run([command, '--file', '-', '--dry-run', '--json'], { clock, stdin: text })
        expect(run.code, run.stderr + run.stdout).to.equal(EXIT.ok)
        return run.json().Request
      }
      const request = await made(whole)
      expect(request).to.include({ Title: 'Vas', CategoryId: 120503, VAT: 25 })
      expect(request).to.have.any.keys('AcceptedBidderId', 'AcceptedBuyerId')
      // The same item as with the names and ids of the service.
      const service = Object.entries(request).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      expect(await made(service.join('\n'))).to.deep.equal(request)
      const ofType =
        command === 'items:add' ? { ItemType: 1, AcceptedBidderId: 1, Duration: 7 } : { AcceptedBuyerId: 1, AbsoluteQuantity: 1 }
      expect(request).to.deep.include({ ...ofType, ItemAttributes: [2], PaymentOptionIds: [4096], OwnReferences: ['A-17'] })
      expect(request.ShippingOptions).to.deep.equal([
        { ShippingOptionId: 8, Cost: 0 },
        { ShippingProviderId: 2, Cost: 59 },
      ])
    })
  }

  it('is the same by Swedish names and words, by English ones, and by flags', async () => {
    const flags = [
      '--type',
      'buy-now',
      '--condition',
      'new',
      '--accepted',
      'international',
      '--vat',
      '25',
      '--until',
      '2026-10-10T18:00',
    ]
    const ids = ['--title', 'V', '--category', '1', '--buy-now', '90', '--payment', '8', '--payment', '4', '--reference', 'A-1']
    const wanted = await request('items:add', [...flags, ...ids, '--days', '30', '--shipping', 'pickup'])
    expect(wanted).to.deep.include({
      ItemType: 3,
      ItemAttributes: [1],
      AcceptedBidderId: 3,
      CustomEndDate: '2026-10-10T18:00:00+02:00',
    })
    const swedish =
      'Rubrik: V\nKategori: 1\nKöpnupris: 90\nTyp: Köp nu\nSkick: ny\nFår köpa: hela världen\nMoms: 25 %\nSlutar: 2026-10-10 18:00\n' +
      'Dagar: 30 dagar\nBetalning: 8|4\nFrakt: pickup\nSKU: A-1\n'
    expect(await file(swedish)).to.deep.equal(wanted)
    const english = {
      ...{ Title: 'V', Category: 1, BuyItNowPrice: 90, Type: 'Fixed price', Condition: ['NEW'], Accepted: 'worldwide', VAT: 25 },
      ...{ Ends: '2026-10-10T18:00', Days: 30, Payment: [8, 4], Shipping: ['pickup'], Reference: 'A-1' },
    }
    expect(await file(JSON.stringify(english))).to.deep.equal(wanted)
    const rows = `Rubrik;Kategori;Köpnupris;Typ;Skick;Får köpa;Moms;Slutar;Dagar;Betalning;Frakt;SKU\nV;1;90;köp-nu;Nytt;Hela världen;0,25;2026-10-10 18:00;30 d;8|4;pickup;A-1\n`
    const run = await home.run(['items:add', '--file', '-', '--dry-run', '-o', 'ndjson'], { clock, stdin: rows })
    expect(JSON.parse(run.stdout).Request, run.stderr).to.deep.equal(wanted)
  })

  it('with a word that is not known lists those that are, by the name in the file', async () => {
    const one =
      'Rubrik: V\nKategori: 1\nStartpris: 5\nSkick: begangad\nTyp: byte\nFår köpa: alla\nTitle: W\nDagar: en vecka\nMoms: lite\n'
    const { message, exitCode } = await refused('items:add', ['--file', '-'], one)
    expect(exitCode, message).to.equal(EXIT.validation)
    for (const said of [
      'Skick (stdin, line 4): "begangad" is not one of used (begagnad), new (ny). Did you mean begagnad?',
      'Typ (stdin, line 5): "byte" is not one of auction (auktion), buy-now (köp nu), contact (kontakt).',
      'Får köpa (stdin, line 6): "alla" is not one of sweden (sverige), eu (EU-länder), international (hela världen).',
      'Rubrik (stdin, line 1): is given a second time, as Title.',
      'Dagar (stdin, line 8): "en vecka" is not a whole number.',
      'Moms (stdin, line 9): "lite" is not a rate of VAT.',
    ])
      expect(message).to.include(said)
    const rows = await refused('shop:add', ['--file', '-'], 'Title,Category,Price,Skick\nV,1,5,trasig\n')
    expect(rows.message)
      .to.include('Skick "trasig": is not one of used (begagnad), new (ny).')
      .and.include('--column ItemAttributes=')
    // A flag overrides what cannot be read.
    expect(await file('Rubrik: V\nKategori: 1\nStartpris: 5\nSkick: trasig\n', '--condition', 'begagnad')).to.deep.include({
      ItemAttributes: [2],
    })
  })
})
