/** JSON text that is split into its rows. */
import { expect } from 'chai'
import { JsonSplitter } from '../../src/rows/json.js'
import { faultsOf, readCut, records } from '../pricing/support.js'

/** The rows with their lines, and what is around them. */
const split = (text: string, under?: string) => {
  const rows: [string, number][] = []
  const splitter = new JsonSplitter((raw, line) => rows.push([raw, line]), under)
  splitter.feed(text)
  splitter.end()
  return { rows, frame: splitter.frame, array: splitter.array }
}

describe('JSON that is split into rows', () => {
  it('has them in the list of that name in the object itself, and nowhere deeper', () => {
    const deep = '{"a":{"Rows":[9]},"b":["Rows",[8]],"Rows" : [{"x":[1]},\n2],"c":3}'
    expect(split(deep, 'Rows')).to.deep.equal({
      rows: [
        ['{"x":[1]}', 1],
        ['2', 2],
      ],
      frame: '{"a":{"Rows":[9]},"b":["Rows",[8]],"Rows" : [],"c":3}',
      array: false,
    })
  })

  it('has none where that name holds something other than a list', async () => {
    for (const text of ['{"Rows":{"a":[1]}}', '{"Rows":"[1]"}', '{"Others":[1]}', '[{"Rows":[1]}]'])
      expect(await faultsOf(() => split(text, 'Rows')), text).to.deep.equal(['1|||no list "Rows" is in it'])
  })

  it('has whole values where no list is named, whatever their keys', () => {
    const odd = '{"undefined":[{"Id":1}],"Id":2}'
    expect(split(odd).rows).to.deep.equal([[odd, 1]])
    expect(split(`[${odd}]`).rows).to.deep.equal([[odd, 1]])
  })

  it('has bare values as far as a space, a comma, a newline or the bracket', () => {
    expect(split('[1 ,2\t, "a b" ,3\n,4]').rows).to.deep.equal([
      ['1', 1],
      ['2', 1],
      // A text goes on until its value ends, spaces inside it included.
      ['"a b"', 1],
      ['3', 1],
      ['4', 2],
    ])
    expect(split('[1,"a",2]').rows).to.deep.equal([
      ['1', 1],
      ['"a"', 1],
      ['2', 1],
    ])
    expect(split('1 2\n3').rows).to.deep.equal([
      ['1', 1],
      ['2', 1],
      ['3', 2],
    ])
  })

  it('has its lines counted in texts too, and the list found however long it is', () => {
    expect(split('["a\nb",\n2]').rows).to.deep.equal([
      ['"a\nb"', 1],
      ['2', 3],
    ])
    const long = '"a long text, longer than what is looked at before a bracket to find the name of its list, and then some more"'
    expect(split(`{"Rows":[${long}],"a":${long}}`, 'Rows').rows).to.deep.equal([[long, 1]])
    expect(split(`{"a":${long},"Rows":[1]}`, 'Rows').rows).to.deep.equal([['1', 1]])
  })

  it('is the same in pieces of one character, escapes and all', () => {
    for (const [text, under] of [
      ['["a\\"b",{"c":"\\\\"},[1]]', undefined],
      ['{"a":"\\""}\n{"b":[{}]} 5 "x"', undefined],
      ['{"a":"x","Rows":["a\\"]",2],"b":[3]}', 'Rows'],
    ] as const) {
      const rows: [string, number][] = []
      const splitter = new JsonSplitter((raw, line) => rows.push([raw, line]), under)
      for (const character of text) splitter.feed(character)
      splitter.end()
      expect({ rows, frame: splitter.frame, array: splitter.array }).to.deep.equal(split(text, under))
    }
  })

  it('says where it ends too early', async () => {
    for (const [text, under, where] of [
      ['[{"a":1},\n{"b"', undefined, 'inside a value begun on line 2'],
      ['[\n1,', undefined, 'before its closing bracket'],
      ['{"a":[1', undefined, 'inside a value begun on line 1'],
      ['\n\n"abc', undefined, 'inside a value begun on line 3'],
      ['{"Rows":[1', 'Rows', 'inside a value begun on line 1'],
      ['{"Rows":[1,\n', 'Rows', 'before its closing bracket'],
      ['{"a":1,', 'Rows', 'inside a value begun on line 1'],
    ] as const) {
      const [fault = ''] = await faultsOf(() => split(text, under))
      expect(fault, text).to.include(`the JSON ends too early, ${where}; was the file cut short?`)
    }
    expect(split('5').rows).to.deep.equal([['5', 1]])
    expect(split('').rows).to.deep.equal([])
  })

  it('is refused with the comma or the bracket that should not be there', async () => {
    const [one, two] = ['{"Id":1,"Price":5}', '{"Id":2,"Price":6}']
    const comma = 'a comma between two values that are not in an array; remove it, or put all of them in [ and ]'
    for (const [text, fault] of [
      [`${one},\n${two}\n`, `1|||${comma}`],
      [`${one}\n,${two}\n`, `2|||${comma}`],
      [`${one}\n${two},`, `2|||${comma}`],
      [`${one}}\n${two}`, '1|||a closing } without its opening one'],
      [`${one}\n]`, '2|||a closing ] without its opening one'],
      [`[${one},\n}]`, '2|||a closing } without its opening one'],
      [`[${one},,${two}]`, '1|||a comma where a value should be'],
      [`[,${one}]`, '1|||a comma where a value should be'],
      [`[${one},]`, '1|||a comma before the closing bracket'],
      [`[${one} ${two}]`, '1|||a comma is missing between two values'],
      [`[${one}] ${two}`, '1|||something follows the end of the array'],
    ] as const) {
      for (const bytes of [1, 1000]) expect(await faultsOf(readCut(text, bytes)), text).to.deep.equal([fault])
    }
    expect(records(await readCut(`${one}\n\n ${two}`))).to.have.length(2)
  })
})
