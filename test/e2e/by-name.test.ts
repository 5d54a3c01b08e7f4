/** Categories, payment types and shipping by words instead of ids, in flags and files, and reference:shipping. */
import { expect } from 'chai'
import { operationsOf } from '../../src/contract/index.js'
import { EXIT } from '../../src/errors/index.js'
import { wsdlOf } from '../../src/sandbox/wsdl/document.js'
import { type ObservedHome, openObserved } from './observed.js'

const KERAMIK = 120503
const ADD = ['items:add', '--title', 'Vas', '--start-price', '100', '--dry-run', '--json']

describe('names instead of ids', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved()
  })
  beforeEach(() => void home.calls())
  after(() => home.close())

  it('takes the one leaf that words match, in any case and without accents, and names it on stderr', async () => {
    for (const words of ['keramik', 'KERAMIK', 'design keramik', 'Antikt & design > Design > Keramik']) {
      const run = await home.seller(...ADD, '--category', words)
      expect([run.code, run.json().Request?.CategoryId], run.stdout).to.deep.equal([0, KERAMIK])
      expect(run.stderr).to.include(`Category: Antikt & design > Design > Keramik (${KERAMIK}).`)
    }
    const folded = await home.seller(...ADD, '--category', 'ovrigt porslin')
    expect(folded.json().Request.CategoryId).to.be.a('number')
  })

  it('reads the tree once in a week, and never for an id', async () => {
    await home.seller(...ADD, '--category', 'keramik')
    home.calls()
    await home.seller(...ADD, '--category', 'keramik')
    await home.seller(...ADD, '--category', String(KERAMIK))
    expect(home.calls()).to.deep.equal([])
  })

  it('lists the leaves that words match, with their paths and ids', async () => {
    const run = await home.seller(...ADD, '--category', 'sandaler')
    expect(run.code).to.equal(EXIT.usage)
    const { code, hint, matches } = run.json().error
    expect(code).to.equal('ambiguous_name')
    expect(matches.map(({ name }: { name: string }) => name)).to.have.members([
      'Barn & baby > Barnskor > Sandaler',
      'Skor > Damskor > Sandaler dam',
    ])
    for (const { id, name } of matches) expect(hint).to.include(`${id}  ${name}`)
    const one = await home.seller(...ADD, '--category', 'barnskor sandaler')
    expect(one.json().Request.CategoryId).to.equal(matches.find(({ name }: { name: string }) => name.startsWith('Barn')).id)
  })

  it('never takes a category with subcategories, and offers the nearest name for a slip', async () => {
    const branch = await home.seller(...ADD, '--category', 'Keramik & trä')
    expect(branch.json().error.matches).to.have.lengthOf(3)
    const slip = await home.seller(...ADD, '--category', 'Keramikk')
    expect([slip.code, slip.json().error.code]).to.deep.equal([EXIT.usage, 'unknown_name'])
    expect(slip.json().error.hint).to.include('Did you mean Keramik?')
    const number = await home.seller(...ADD, '--category', '12.5')
    expect(number.json().error.message).to.include('"12.5"')
  })

  it('takes payment types by a whole name, else by words that one has', async () => {
    const flags = ['--category', '344481', '--payment', 'swish', '--payment', 'postförskott', '--payment', '32']
    const run = await home.seller(...ADD, ...flags)
    expect(run.json().Request.PaymentOptionIds, run.stdout).to.deep.equal([4096, 16, 32])
    expect(run.stderr)
      .to.match(/Payment: .*Swish.* \(4096\)\.\n.*Payment: Postförskott \(16\)\./)
      .and.not.include('(32)')
    const two = await home.seller(...ADD, '--category', '344481', '--payment', 'bank')
    expect(two.json().error.matches.map(({ id }: { id: number }) => id)).to.deep.equal([4, 8])
    const none = await home.seller(...ADD, '--category', '344481', '--payment', 'guld')
    expect(none.json().error.hint).to.include('Banköverföring')
  })

  it('takes the words for shipping that every service has, and says where providers have no names', async () => {
    const flags = ['--category', '344481', '--shipping', 'pickup', '--shipping', 'own-cost,cost=40']
    const run = await home.seller(...ADD, ...flags)
    expect(run.json().Request.ShippingOptions, run.stdout).to.deep.equal([
      { Cost: 0, ShippingOptionId: 8 },
      { Cost: 40, ShippingOptionId: 10 },
    ])
    home.calls()
    const slip = await home.seller(...ADD, '--category', '344481', '--shipping', 'pickp')
    expect([slip.json().error.code, home.calls()]).to.deep.equal(['unknown_name', []])
    expect(slip.json().error.hint).to.include('Did you mean pickup?')
    const carrier = await home.seller(...ADD, '--category', '344481', '--shipping', 'Sandbudet,cost=59')
    expect(carrier.json().error.hint).to.include(
      'The service lists no providers by name. Give provider=ID; see what is known with: seller reference:shipping',
    )
  })

  it('chooses items by the words of a category, and never guesses between two', async () => {
    const lists = (args: string[]) => home.seller(...args, '--json')
    const commands: readonly (readonly string[])[] = [
      ['items:list', '--type', 'shop'],
      ['shop:price', '--add', '1kr', '--dry-run'],
      ['shop:discount', 'Rea', '--add', '-5%', '--from', 'now', '--until', '+6h', '--dry-run'],
      ['campaigns:validate', 'VAR10'],
    ]
    for (const command of commands) {
      const [byWords, byId] = [
        await lists([...command, '--category', 'keramik']),
        await lists([...command, '--category', `${KERAMIK}`]),
      ]
      const plain = ({ code, stdout }: { code: number | null; stdout: string }) => [code, stdout.replaceAll(/"\w*At": .*/g, '')]
      expect(plain(byWords), command[0]).to.deep.equal(plain(byId))
      expect(byWords.stderr, command[0]).to.include(`Category: Antikt & design > Design > Keramik (${KERAMIK}).`)
      const two = await lists([...command, '--category', 'sandaler'])
      expect([two.code, two.json().error.code, two.json().error.matches.length], command[0]).to.deep.equal([
        EXIT.usage,
        'ambiguous_name',
        2,
      ])
    }
  })

  it('reads names in a file of one item too', async () => {
    const yaml = 'Title: Vas\nCategoryId: keramik\nStartPrice: 5\nPaymentOptionIds: [Swish, 8]\nShippingOptions: [pickup]\n'
    const run = await home.run(['items:add', '-f', '-', '--dry-run', '--json'], { stdin: yaml })
    expect(run.json().Request, run.stdout).to.deep.include({
      CategoryId: KERAMIK,
      PaymentOptionIds: [4096, 8],
      ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }],
    })
    const wrong = await home.run(['shop:add', '-f', '-', '--dry-run', '--json'], { stdin: yaml.replace('keramik', 'sandaler') })
    expect(wrong.json().error.message).to.include('CategoryId (stdin, line 2)')
  })

  it('reads names in sheets, each looked up once, and names every row whose name fits several or none', async () => {
    const head = 'Title;CategoryId;Price;PaymentOptionIds;ShippingOptions\n'
    const file = await home.file(
      'muggar.csv',
      `${head}Kanna;keramik;50;Swish|8;pickup\nMugg;344481;70;32;"own-cost,cost=40|pickup"\nFat;Keramik;90;;\n`,
    )
    home.calls()
    const run = await home.seller('shop:add', '--file', file, '--dry-run', '--json')
    expect(run.code, run.stdout + run.stderr).to.equal(0)
    const [jug, mug, dish] = run.json().Rows.map(({ Request }: { Request: unknown }) => Request)
    expect(jug).to.deep.include({ CategoryId: KERAMIK, PaymentOptionIds: [4096, 8] })
    expect(jug.ShippingOptions).to.deep.equal([{ ShippingOptionId: 8, Cost: 0 }])
    expect(mug).to.deep.include({ CategoryId: 344481, PaymentOptionIds: [32] })
    expect(mug.ShippingOptions).to.deep.equal([
      { Cost: 40, ShippingOptionId: 10 },
      { ShippingOptionId: 8, Cost: 0 },
    ])
    expect(dish.CategoryId).to.equal(KERAMIK)
    const wrong = await home.file('fel.csv', `${head}A;sandaler;1;;\nB;finnsinte;1;guld;\nC;344481;1;;frakt\n`)
    const { error } = (await home.seller('shop:add', '--file', wrong, '--dry-run', '--json')).json()
    expect(error.faults.map(({ line, field }: { line: number; field: string }) => [line, field])).to.deep.equal([
      [2, 'CategoryId'],
      [3, 'CategoryId'],
      [3, 'PaymentOptionIds'],
      [4, 'ShippingOptions'],
    ])
    expect(error.message).to.include('may mean 130203 (Barn & baby > Barnskor > Sandaler)')
    const json = await home.file('muggar.json', '[{"Title":"A","CategoryId":"keramik","Price":5,"PaymentOptionIds":["swish",8]}]')
    const rows = (await home.seller('shop:add', '--file', json, '--dry-run', '--json')).json().Rows
    expect(rows[0].Request).to.deep.include({ CategoryId: KERAMIK, PaymentOptionIds: [4096, 8] })
  })

  it('lists the shipping of own items where the service has no list', async () => {
    const run = await home.seller('reference:shipping', '--json')
    const rows = run.json()
    expect(rows[0]).to.include({ Name: 'pickup', ShippingOptionId: 8, Cost: 0, From: 'known' })
    const used = rows.filter(({ From }: { From: string }) => From === 'items')
    expect(used.some(({ ShippingProviderId: id }: { ShippingProviderId: number }) => id === 2)).to.equal(true)
    for (const { Items, Cost } of used) expect([Items, Cost].every((value) => value > 0)).to.equal(true)
    expect(run.stderr).to.include('The service lists no providers')
    const columns = await home.seller('reference:shipping', '--columns', 'Flag', '--no-header')
    expect(columns.lines()).to.include.members(['pickup', 'provider=2', 'own-cost'])
  })
})

describe('a service that lists its shipping', () => {
  let home: ObservedHome
  before(async () => {
    home = await openObserved({ extended: true })
  })
  after(() => home.close())

  it('has providers by name in reference:shipping, --shipping, files and items:show', async () => {
    const listed = await home.seller('reference:shipping', '--json')
    expect(listed.json().filter(({ From }: { From: string }) => From === 'items')).to.deep.equal([])
    expect(listed.json()).to.deep.include({
      Name: 'Sandbudet, Paket 1 kg',
      ShippingProviderId: 2,
      ShippingOptionId: null,
      ShippingProductId: 21,
      Weight: 1,
      Cost: 62,
      Items: 0,
      From: 'service',
    })
    home.calls()
    const add = await home.seller(...ADD, '--category', '344481', '--shipping', 'sandbudet,product=paket 1,cost=62')
    expect(add.code, add.stdout).to.equal(0)
    expect(home.calls(), 'kept from the list above').to.deep.equal([])
    expect(add.json().Request.ShippingOptions).to.deep.equal([{ Cost: 62, ShippingProviderId: 2, ShippingProductId: 21 }])
    const yaml =
      'Title: V\nCategoryId: 344481\nStartPrice: 5\nShippingOptions:\n  - ShippingProviderId: Sandposten\n    Cost: 59\n'
    const file = await home.run(['items:add', '-f', '-', '--wait', '--json'], { stdin: yaml })
    expect(file.code, file.stdout + file.stderr).to.equal(0)
    const shown = await home.seller('items:show', String(file.json().ItemId), '-o', 'table')
    expect(shown.stdout).to.include('59 kr (Sandposten, provider 1)')
    const row = await home.seller('items:show', String(file.json().ItemId), '--columns', 'ShippingNames', '--json')
    expect(row.json()).to.deep.equal({ ShippingNames: ['59 kr (Sandposten, provider 1)'] })
  })

  it('reads each part of --shipping by its name or its id, and a product of the provider that is named', async () => {
    const pickup = { ShippingOptionId: 8, Cost: 0 }
    for (const [given, read] of [
      ['sandbudet', { ShippingProviderId: 2, Cost: 0 }],
      [' Sandbudet , cost=59', { ShippingProviderId: 2, Cost: 59 }],
      ['provider=Sandbudet, product = Paket 1 kg,cost=9', { ShippingProviderId: 2, ShippingProductId: 21, Cost: 9 }],
      ['provider=5,product=8,cost=1', { ShippingProviderId: 5, ShippingProductId: 8, Cost: 1 }],
      ['option=pickup', pickup],
      ['PICKUP', pickup],
      ['own-cost,cost=9', { ShippingOptionId: 10, Cost: 9 }],
      ['Own cost,cost=9', { ShippingOptionId: 10, Cost: 9 }],
      ['sandbudet,surcharge=5', { ShippingProviderId: 2, SellerSurcharge: 5, Cost: 0 }],
    ] as const) {
      const run = await home.seller(...ADD, '--category', '344481', '--shipping', given)
      expect(run.json().Request?.ShippingOptions, given + run.stdout).to.deep.equal([read])
    }
    for (const [given, code] of [
      ['Gubben', 'unknown_name'],
      ['provider=Sandposten,product=No such', 'unknown_name'],
      ['pikup', 'unknown_name'],
    ] as const) {
      const { error } = (await home.seller(...ADD, '--category', '344481', '--shipping', given)).json()
      expect(error.code, given).to.equal(code)
      expect(error.hint).to.include('seller reference:shipping').and.not.include('Give provider=ID')
    }
  })

  it('lists the attributes of a category, and takes them by name in flags and files, each list read once', async () => {
    const listed = await home.seller('reference:attributes', 'Design > Keramik', '--json')
    expect(listed.code, listed.stdout).to.equal(0)
    const brand = { Id: 101, Name: 'Märke', MinNumberOfValues: 1, MaxNumberOfValues: 1, Key: 'brand' }
    expect(listed.json()[0]).to.include(brand)
    expect(listed.json()[0].PossibleTermValues).to.include('Höganäs')
    const shown = await home.run(['reference:attributes', String(KERAMIK), '-o', 'table'], { columns: 120 })
    expect(shown.stdout).to.match(/Märke +yes +1 +Gustavsberg, Höganäs/)
    home.calls()
    const Terms = [
      { Id: 101, Values: ['Höganäs'] },
      { Id: 103, Values: ['Blå', 'Vit'] },
    ]
    const whole = { Terms, Numbers: [{ Id: 203, Values: [1952] }] }
    const texts = ['märke=höganäs', 'Färg=blå', 'colour=Vit', 'Tillverkningsår=1952']
    const one = await home.seller(...ADD, '--category', 'keramik', ...texts.flatMap((text) => ['--attribute', text]))
    expect(one.json().Request.AttributeValues, one.stdout).to.deep.equal(whole)
    const yaml = `Title: V\nCategoryId: ${KERAMIK}\nStartPrice: 5\nAttributeValues: {Märke: Höganäs, Färg: [Blå, Vit], Tillverkningsår: 1952}\n`
    const file = await home.run(['items:add', '-f', '-', '--dry-run', '--json'], { stdin: yaml })
    expect(file.json().Request.AttributeValues, file.stdout).to.deep.equal(whole)
    const rows = await home.file(
      'egenskaper.csv',
      `Title;Kategori;Price;Egenskaper\nKanna;keramik;50;${texts.join('|')}\nMugg;344481;70;\nFat;${KERAMIK};9;Märke=Kosta\n`,
    )
    const many = await home.seller('shop:add', '--file', rows, '--dry-run', '--json')
    expect(
      many.json().Rows.map(({ Request }: { Request: { AttributeValues?: unknown } }) => Request.AttributeValues ?? null),
      many.stdout,
    ).to.deep.equal([whole, null, { Terms: [{ Id: 101, Values: ['Kosta'] }] }])
    expect(home.calls()).to.not.include('GetAttributeDefinitions')
    for (const [given, category, words] of [
      ['Märke=Arabia', 'keramik', 'Its values: Gustavsberg, Höganäs'],
      ['Marke', 'keramik', 'Give e.g. Märke=Höganäs'],
      ['Smak=Salt', 'keramik', 'They are Märke, Färg, Material, Tillverkningsår'],
      ['Märke=Kosta', '344481', 'The category has no attributes.'],
    ] as const) {
      const run = await home.seller(...ADD, '--category', category, '--attribute', given)
      expect([run.code, run.json().error.hint.includes(words)], run.stdout).to.deep.equal([EXIT.usage, true])
    }
    const two = await home.seller(...ADD, '--category', 'keramik', '--attribute', '101=Kosta', '--attribute', 'brand=Höganäs')
    expect(two.json().error.message).to.include('Märke takes 1 value, and 2 are given')
    const wrong = await home.file('fel.csv', 'Title,Price,AttributeValues\nA,1,Märke=Kosta\n')
    expect((await home.seller('shop:add', '--file', wrong, '--dry-run', '--json')).json().error.message).to.include(
      'needs a category in its row',
    )
  })

  it('is called for the seller who is logged in, and names its obsolete options', async () => {
    const shown = await home.seller('call', 'GetShippingOptions', '--service', 'public', '--print-request')
    expect(shown.stdout).to.include('AuthorizationHeader').and.include('1001')
    const anybody = await home.seller('call', 'GetShippingOptions', '--service', 'public', '--json')
    expect(anybody.code, anybody.stderr).to.equal(0)
    const types = await home.seller('call', 'GetShippingTypes', '--service', 'public', '--json')
    expect(types.json()).to.deep.include({ Id: 12, Value: 'Parcel', Description: 'Sandposten paket' })
  })

  it('takes an option by its name, and by the name alone where the service lists no products', async () => {
    const shippingOf = async (text: string) =>
      (await home.seller(...ADD, '--category', '344481', '--shipping', text)).json().Request?.ShippingOptions
    const parcel = [{ ShippingOptionId: 12, Cost: 59 }]
    expect(await shippingOf('option=sandposten paket,cost=59')).to.deep.equal(parcel)
    const operations = Object.values(operationsOf('PublicService', 'all')).filter(({ name }) => name !== 'GetShippingOptions')
    const url = `${home.sandbox.url}/v3/PublicService.asmx`
    const file = await home.file('public.wsdl', wsdlOf('PublicService', home.env.SELLER_NAMESPACE ?? '', url, operations))
    await home.seller('service:check', '--file', file, '--save', '--yes')
    const listed = await home.seller('reference:shipping', '--json')
    const [express] = listed.json().filter(({ ShippingOptionId: id }: { ShippingOptionId: number }) => id === 20)
    expect(express, listed.stdout).to.include({ Name: 'Sandbudet express', Cost: null, Items: 0, From: 'service' })
    expect(await shippingOf('sandposten paket,cost=59')).to.deep.equal(parcel)
  })
})
