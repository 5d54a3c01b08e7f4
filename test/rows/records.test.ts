import { expect } from 'chai'
import { messageOf, readCatalogue, readItemRecords } from '../../src/rows/index.js'
import { faultsOf } from '../pricing/support.js'

const shop = { Title: 'Lampa', CategoryId: 1612, Price: 499 }

describe('reading items from a file', () => {
  it('as CSV: typed by the contract, lists parted by |, structures as JSON', async () => {
    const { form, records } = await readItemRecords(
      [
        'title;CategoryId;Price;AbsoluteQuantity;OwnReferences;ShippingOptions;Description;_row\nLampa;1612;1 234 kr;3;A-1|B-2;"[{""ShippingOptionId"":1,""Cost"":59}]";;x\n',
      ],
      'AddShopItem',
    )
    expect(records).to.deep.equal([
      {
        line: 2,
        value: {
          Title: 'Lampa',
          CategoryId: 1612,
          Price: 1234,
          AbsoluteQuantity: 3,
          OwnReferences: ['A-1', 'B-2'],
          ShippingOptions: [{ ShippingOptionId: 1, Cost: 59 }],
        },
        extra: ['x'],
      },
    ])
    expect(form.kind).to.equal('csv')
  })
  for (const [name, text, lines] of [
    ['JSON', JSON.stringify([shop, { ...shop, VAT: 25 }]), [1, 1]],
    ['NDJSON', `${JSON.stringify(shop)}\n${JSON.stringify({ ...shop, VAT: 25 })}\n`, [1, 2]],
    [
      'a YAML sequence',
      '- Title: Lampa\n  CategoryId: 1612\n  Price: 499\n- Title: Lampa\n  CategoryId: 1612\n  Price: 499\n  VAT: 25\n',
      [1, 4],
    ],
    [
      'YAML documents',
      '---\nTitle: Lampa\nCategoryId: 1612\nPrice: 499\n---\nTitle: Lampa\nCategoryId: 1612\nPrice: 499\nVAT: 25\n',
      [2, 6],
    ],
  ] as const) {
    it(`as ${name}`, async () => {
      const { records } = await readItemRecords([text], 'AddShopItem')
      expect(records.map((record) => record.value)).to.deep.equal([shop, { ...shop, VAT: 25 }])
      expect(records.map((record) => record.line)).to.deep.equal(lines)
    })
  }
  it('adds what items leave out, and what the caller gives', async () => {
    const { records } = await readItemRecords(
      [JSON.stringify([{ Title: 'Lampa', CategoryId: 1612, StartPrice: 10 }])],
      'AddItem',
      {
        Duration: 7,
        ItemType: 1,
        AcceptedBidderId: 1,
      },
    )
    expect(records[0]?.value).to.deep.equal({
      Title: 'Lampa',
      CategoryId: 1612,
      StartPrice: 10,
      Restarts: 0,
      ReservePrice: 0,
      BuyItNowPrice: 0,
      AutoCommit: true,
      Duration: 7,
      ItemType: 1,
      AcceptedBidderId: 1,
    })
  })
  it('refuses the faults of all items at once, by line and field', async () => {
    const faults = await faultsOf(
      readItemRecords(
        ['Title,CategoryId,Price,VAT,OwnReferences\nLampa,1612,"199,90",,\n,1612,5,,\nLampa,x,5,,\nLampa,1612,5,101,\n'],
        'AddShopItem',
      ),
    )
    expect(faults.map((fault) => fault.split('|').slice(0, 2).join('|'))).to.deep.equal([
      '2|Price',
      '3|Title',
      '4|CategoryId',
      '5|VAT',
    ])
  })

  it('names a title above the columns and sums below the rows, and nothing that follows from them', async () => {
    for (const [text, wanted] of [
      ['Nya varor våren 2026;;\nVas;344481;5\n', ['1||Nya varor våren 2026|is the title of the list']],
      ['Title;CategoryId;Price\nVas;344481;5\nSumma:;;5 kr\n', ['3||Summa:|is a row of sums']],
      ['Title;CategoryId;Price\nTotal recall;;5\n', ['2|CategoryId||is missing']],
    ] as const) {
      const faults = await faultsOf(readItemRecords([text], 'AddShopItem'))
      expect(
        faults.map((fault, at) => fault.slice(0, wanted[at]?.length)),
        text,
      ).to.deep.equal(wanted)
    }
  })

  it('names the nearest field of an unknown one', async () => {
    expect((await faultsOf(readItemRecords(['Tilte,CategoryId,Price\nx,1,1\n'], 'AddShopItem'))).join()).to.contain(
      'Did you mean Title?',
    )
    expect((await faultsOf(readItemRecords([JSON.stringify([{ ...shop, Tilte: 1 }])], 'AddShopItem'))).join()).to.contain(
      'Did you mean Title?',
    )
  })
  it('names all columns that are known where none is near, in a sentence of its own', async () => {
    const [far = ''] = await faultsOf(readItemRecords(['Title,CategoryId,Price,Utropspris (kr)\nx,1,1,2\n'], 'AddShopItem'))
    expect(far).to.match(
      /^1\|\|Utropspris \(kr\)\|is not a column of this input\. Known columns: [\w, ]*Title[\w, ]*\. Columns of your own begin with _\.$/,
    )
    const [near = ''] = await faultsOf(readItemRecords(['Tilte,CategoryId,Price\nx,1,1\n'], 'AddShopItem'))
    expect(near).to.equal('1||Tilte|is not a column of this input. Did you mean Title? Columns of your own begin with _.')
    // Keys of JSON come with the spaces that they have.
    const json = (title: string, value: string) => [JSON.stringify([{ CategoryId: 1612, Price: 499, [title]: value }])]
    const spaced = (await faultsOf(readItemRecords(json('      Tilte      ', 'x'), 'AddShopItem'))).join()
    expect(spaced).to.include('Did you mean Title?')
    const { records } = await readItemRecords(json(' TITLE ', 'Lampa'), 'AddShopItem')
    expect(records[0]?.value).to.deep.equal(shop)
    const [nameless = ''] = await faultsOf(readItemRecords(['Title,CategoryId,Price,\nx,1,1,2\n'], 'AddShopItem'))
    expect(nameless).to.match(/^1\|\|\|is a column without a name\. /)
  })
  it('reads the images of shop items as paths and addresses', async () => {
    const read = async (ItemImages: unknown) => {
      const { records } = await readItemRecords([JSON.stringify([{ ...shop, ItemImages }])], 'AddShopItem')
      expect(records[0]?.value).to.not.have.property('ItemImages')
      return records[0]?.images
    }
    expect(await read([])).to.equal(undefined)
    expect(await read('')).to.equal(undefined)
    expect(await read(['a, b.jpg', { Path: '/c.gif', Format: 'Gif' }])).to.deep.equal(['a, b.jpg', '/c.gif'])
    expect(await read('a.jpg, b.png')).to.deep.equal(['a.jpg', 'b.png'])
    expect(await read('a b.jpg')).to.deep.equal(['a b.jpg'])
    expect(await read('Kopp, blå.jpg')).to.deep.equal(['Kopp, blå.jpg'])
    expect(await read('a.jpg;b,c.jpg')).to.deep.equal(['a.jpg', 'b,c.jpg'])
    expect(await read('https://x/1 https://x/2')).to.deep.equal(['https://x/1', 'https://x/2'])
    const faults = await faultsOf(readItemRecords([JSON.stringify([{ ...shop, ItemImages: [{ Data: 'x' }] }])], 'AddShopItem'))
    expect(faults.join()).to.contain('does not name image files')
  })
  it('refuses AutoCommit, which a file cannot carry', async () => {
    expect((await faultsOf(readItemRecords([JSON.stringify([{ Title: 'x', AutoCommit: false }])], 'AddItem'))).join()).to.contain(
      'every item of a file is committed',
    )
  })
  it('adds the VAT that all items have to prices without it', async () => {
    const text = 'Title,CategoryId,Pris exkl. moms\nVas,1612,100\n'
    const { records } = await readItemRecords([text], 'AddShopItem', { VAT: 12 }, undefined, { vat: 0.25 })
    expect(records[0]?.value).to.include({ Price: 112, VAT: 12 })
  })
  it('refuses a formula in place of its value', async () => {
    const faults = await faultsOf(
      readItemRecords(['Title,CategoryId,Price\n=B2,1612,5\n#N/A,1612,5\n# 1 vas,1612,5\n'], 'AddShopItem'),
    )
    expect(faults.map((fault) => fault.split(';', 1)[0])).to.deep.equal([
      '2|Title|=B2|is a formula without its value',
      '3|Title|#N/A|is an error of a formula, not a value',
    ])
  })
  it('proposes what a cell that cannot be read may have meant: prices without VAT of öre alone', async () => {
    const faults = await faultsOf(
      readItemRecords(['Title,CategoryId,Price,VAT\nVas,1612,"199,90",25\nVas,1612,5,"25,5"\nVas,1612,x,25\n'], 'AddShopItem'),
    )
    expect(faults.map((fault) => [fault.split('|', 2).join('|'), fault.includes('--prices net')])).to.deep.equal([
      ['2|Price', true],
      ['3|VAT', false],
      ['4|Price', false],
    ])
  })
  it('names each column by the field that it holds, for rows that are written back', async () => {
    const { form } = await readItemRecords(['Rubrik,CategoryId,Pris,_Note\nVas,1612,5,x\n'], 'AddShopItem')
    expect([form.columns, form.fields]).to.deep.equal([
      ['Rubrik', 'CategoryId', 'Pris', '_Note'],
      ['Title', 'CategoryId', 'Price', '_Note'],
    ])
  })
  it('says a hint after its fault, and nothing where there is none', () => {
    const fault = { field: 'Price', value: 1, message: 'is too low' }
    expect(messageOf(fault)).to.equal('is too low')
    expect(messageOf({ ...fault, hint: 'Write 2' })).to.equal('is too low. Write 2')
  })
})

describe('a row of a catalogue', () => {
  it('may leave out a column with a name that nobody can look up, and no other', async () => {
    const faults = await faultsOf(() => readCatalogue(['SKU,Price,CategoryId,VAT\nA-1,5,Lampor,25\nB-1,5,,"25,5"\n'], {}))
    expect(faults.map((fault) => [fault.split('|', 2).join('|'), fault.includes('leave the column out')])).to.deep.equal([
      ['2|CategoryId', true],
      ['3|VAT', false],
    ])
    const [added = ''] = await faultsOf(readItemRecords(['Title,CategoryId,Price\nVas,Lampor,5\n'], 'AddShopItem'))
    expect(added)
      .to.match(/^2\|CategoryId\|Lampor\|/)
      .and.not.include('leave the column out')
  })
  it('has the images that it names, and says so only where it names some', async () => {
    const { rows } = await readCatalogue(['SKU,Price,ItemImages\nA-1,5,a.jpg\nB-1,6,\n'], {})
    expect(Array.from(rows, ({ given }) => given.ItemImages)).to.deep.equal([['a.jpg'], undefined])
    expect([0, 1].map((at) => rows.fieldsAt(at).includes('ItemImages'))).to.deep.equal([true, false])
  })
})
