import { expect } from 'chai'
import fc from 'fast-check'
import { type InputForm, readPriceRows, refusedValues, writeRefusedRows } from '../../src/rows/index.js'
import { readCut, records } from '../pricing/support.js'

const again = async (input: string) => {
  const rows = await readCut(input)
  const refused = Array.from(rows, ({ id, reference, price, extra = [] }, at) => ({
    fields: { Id: id || null, OwnReference: reference, Price: price },
    extra,
    reason: `too "much"; row ${at}`,
  }))
  return [...writeRefusedRows(rows.form, refused)].join('')
}

describe('giving refused rows back', () => {
  it('as the CSV that came in: delimiter, columns in order, newline, byte order mark, and why', async () => {
    expect(await again('\ufeff_Title;Pris;id\r\n"Lamp; old";1 234 kr;1001\r\nå;5;1002\r\n')).to.equal(
      '\ufeff_Title;Pris;id;_Reason\r\n"Lamp; old";1234;1001;"too ""much""; row 0"\r\nå;5;1002;"too ""much""; row 1"\r\n',
    )
  })
  it('as JSON and as NDJSON', async () => {
    expect(JSON.parse(await again('[{"Id":1,"Price":2,"_n":{"a":[1]}},{"Id":2,"Price":3}]'))).to.deep.equal([
      { Id: 1, Price: 2, _n: { a: [1] }, _Reason: 'too "much"; row 0' },
      { Id: 2, Price: 3, _Reason: 'too "much"; row 1' },
    ])
    expect(
      (await again('{"Id":1,"Price":2}\n{"OwnReference":"A","Price":3}\n'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).to.deep.equal([
      { Id: 1, Price: 2, _Reason: 'too "much"; row 0' },
      { OwnReference: 'A', Price: 3, _Reason: 'too "much"; row 1' },
    ])
  })
  it('as JSON when there are none', () => {
    expect(JSON.parse([...writeRefusedRows({ kind: 'json', columns: ['Id'] }, [])].join(''))).to.deep.equal([])
  })
  it('as CSV where no file came in', () => {
    const row = { fields: { Id: 1, Price: 2 }, extra: [], reason: 'no' }
    for (const kind of ['arguments', 'rule'] as const) {
      expect([...writeRefusedRows({ kind, columns: ['Id', 'Price'] }, [row])].join('')).to.equal('Id,Price,_Reason\n1,2,no\n')
    }
  })
  it('as cells: a list with bars, anything deeper as JSON', () => {
    const fields = {
      Id: 1,
      PaymentOptionIds: [1, 2],
      ShippingOptions: [{ Cost: 5 }, 'x'],
      OwnReferences: [],
      VAT: null,
      Title: undefined,
    }
    const form = { kind: 'arguments', columns: Object.keys(fields) } as const
    const row = { fields, extra: [], reason: 'no' }
    expect([...writeRefusedRows(form, [row])].join('')).to.equal(
      'Id,PaymentOptionIds,ShippingOptions,OwnReferences,VAT,Title,_Reason\n1,1|2,"[{""Cost"":5},""x""]",,,,no\n',
    )
  })
  it('under the columns as they are called, whatever each holds', () => {
    const fields = {
      Id: 7,
      OwnReference: 'A',
      Price: 5,
      OpeningPrice: 1,
      ReservedPrice: 2,
      BinPrice: 3,
      Quantity: 4,
      Title: 'Vas',
    }
    const columns = [
      '_a',
      ' ID ',
      'OpeningBid',
      'ReservePrice',
      'BuyItNowPrice',
      'PRIS',
      '_b',
      'AbsoluteQuantity',
      'OwnReferences',
      'title',
      'Färg',
      '_c',
    ]
    const row = { fields, extra: ['x', null, 'z'], reason: 'no' }
    expect(refusedValues({ kind: 'arguments', columns }, row)).to.deep.equal([
      'x',
      7,
      1,
      2,
      3,
      5,
      null,
      4,
      'A',
      'Vas',
      undefined,
      'z',
      'no',
    ])
    const form: InputForm = { kind: 'ndjson', columns: ['Artikelnr', 'Nytt', '_n'], fields: ['Number', 'Price', '_n'] }
    expect(refusedValues(form, { fields: { Id: 7, Price: 5 }, extra: ['x'], reason: 'no' })).to.deep.equal([7, 5, 'x', 'no'])
    expect(refusedValues(form, { fields: { Id: null, OwnReference: 'A' }, extra: [], reason: 'no' })).to.deep.equal([
      'A',
      undefined,
      undefined,
      'no',
    ])
    // A catalogue names the same values in its own way.
    const own = { fields: { OwnReferences: ['A', 'B'], AbsoluteQuantity: 3 }, extra: [], reason: 'no' }
    expect(refusedValues({ kind: 'ndjson', columns: ['OwnReferences', 'AbsoluteQuantity'] }, own)).to.deep.equal([
      ['A', 'B'],
      3,
      'no',
    ])
  })
  it('as lines of JSON where they were YAML, without what is empty', () => {
    const row = { fields: { Id: 7, Price: null, Title: undefined }, extra: [], reason: 'no' }
    const form: InputForm = { kind: 'yaml', columns: ['Id', 'Price', 'Title'] }
    expect([...writeRefusedRows(form, [row, row])]).to.deep.equal(Array(2).fill('{"Id":7,"_Reason":"no"}\n'))
    expect([...writeRefusedRows({ ...form, kind: 'json' }, [row, row])].join('')).to.equal(
      '[\n{"Id":7,"_Reason":"no"},\n{"Id":7,"_Reason":"no"}\n]\n',
    )
  })
  it('as cells in quotes only where they need them', () => {
    const form: InputForm = {
      kind: 'csv',
      delimiter: ';',
      newline: '\n',
      bom: false,
      columns: ['_a', '_b', '_c', '_d', '_e', '_f', '_g'],
    }
    const row = { fields: {}, extra: [' a', 'b ', 'c;d', 'e,f', 'g"h', 'i\nj', 'k\rl'], reason: '=no' }
    expect([...writeRefusedRows(form, [row])][1]).to.equal('" a";"b ";"c;d";e,f;"g""h";"i\nj";"k\rl";\'=no\n')
  })
  it('is read again as the same rows, reasons left out, however often', async () => {
    const entry = fc.record({ price: fc.integer({ min: 1, max: 2147483647 }), note: fc.string() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 20 }),
        fc.constantFrom(',', ';', '\t', 'json', 'ndjson'),
        async (list, form) => {
          const notes = list.map(({ note }) => note.replaceAll('\0', ''))
          const objects = list.map(({ price }, at) => ({ _Note: notes[at], Id: at + 1, Price: price }))
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
          const text =
            form === 'json'
              ? JSON.stringify(objects)
              : form === 'ndjson'
                ? `${objects.map((object) => JSON.stringify(object)).join('\n')}\n `
                : `${['_Note', 'Id', 'Price'].join(form)}\n${objects.map((row) => [quoted(row._Note ?? ''), row.Id, row.Price].join(form)).join('\n')}`
          if (text.trim() === '') return
          const once = await again(text)
          const rows = await readPriceRows([once.trim() === '' ? '[]' : once])
          expect(records(rows).map(({ id, price }) => [id, price])).to.deep.equal(list.map(({ price }, at) => [at + 1, price]))
          expect(list.map((_, at) => rows.at(at).extra?.[0])).to.deep.equal(notes)
          if (list.length > 0) expect(await again(once)).to.equal(once)
        },
      ),
      { numRuns: 60 },
    )
  })
})
