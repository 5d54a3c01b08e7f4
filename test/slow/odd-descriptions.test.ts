/** Descriptions that are wrong in unexpected ways: each is read as far as possible or refused, and nothing else happens. */
import { expect } from 'chai'
import fc from 'fast-check'
import { checkInput, operationsOf } from '../../src/contract/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'
import { compareService, knownDescription, knownService } from '../../src/soap/description/compare/compare.js'
import { DescriptionError, readDescription } from '../../src/soap/description/index.js'
import { NS } from '../soap/description/support.js'

const own = buildWsdl('RestrictedService', NS, 'http://127.0.0.1:1/v3/RestrictedService.asmx')
const ATTRIBUTE = / (\w+)="([^"]*)"/g
/** The places of attribute values, without those of the first element, which are the namespaces. */
const values = [...own.matchAll(ATTRIBUTE)].filter(({ index }) => index > own.indexOf('<wsdl:types>'))
const lines = own.split('\n')
/** Lines that are a whole element: without them, the text is still well-formed. */
const whole = lines.flatMap((line, index) => (/^\s*<[^/?][^>]*\/>$/.test(line) ? [index] : []))

function survives(text: string): void {
  let description: ReturnType<typeof readDescription>
  try {
    description = readDescription(text)
  } catch (error) {
    expect(error).to.be.instanceOf(DescriptionError)
    return
  }
  const known = knownService('RestrictedService', operationsOf('RestrictedService'), { namespace: NS, bindings: ['soap12'] })
  expect(compareService(known, description)).to.be.an('array')
  expect(compareService(knownDescription(description), description).filter(({ effect }) => effect !== 'unread')).to.deep.equal([])
  for (const { operation } of description.operations.values()) expect(checkInput(operation, {})).to.be.an('array')
}

describe('an odd description', () => {
  it('with attributes that have the values of others', () => {
    const place = fc.nat({ max: values.length - 1 })
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 20 }), (swaps) => {
        const changes = new Map(swaps.map(([to, from]) => [values[to]!.index, values[from]![2] as string]))
        survives(
          own.replace(ATTRIBUTE, (text, name: string, _value, index: number) =>
            changes.has(index) ? ` ${name}="${changes.get(index)}"` : text,
          ),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('with attributes that have any value', () => {
    const odd = fc.oneof(
      fc.constantFrom('', ':', 'tns:', 's:anyType', 'unbounded', '-1', '1e9', '__proto__', 'tns:__proto__', 'constructor', ' '),
      fc.stringMatching(/^[\w: .-]{0,12}$/),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: values.length - 1 }), odd), { minLength: 1, maxLength: 20 }), (given) => {
        const changes = new Map(given.map(([to, value]) => [values[to]!.index, value]))
        survives(
          own.replace(ATTRIBUTE, (text, name: string, _value, index: number) =>
            changes.has(index) ? ` ${name}="${changes.get(index)}"` : text,
          ),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('with elements left out, or twice', () => {
    fc.assert(
      fc.property(fc.subarray(whole, { minLength: 1, maxLength: 30 }), fc.subarray(whole, { maxLength: 30 }), (gone, twice) => {
        const [without, again] = [new Set(gone), new Set(twice)]
        survives(lines.flatMap((line, index) => (without.has(index) ? [] : again.has(index) ? [line, line] : [line])).join('\n'))
      }),
      { numRuns: 60 },
    )
  })
})
