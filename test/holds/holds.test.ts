/** Holds: their codes, values and words, which are promised to scripts; how they are kept, and what older versions kept. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  codesOf,
  HOLDS,
  type Hold,
  held,
  keptHold,
  packHold,
  passByAllow,
  passFlags,
  sentenceOf,
  shownRow,
  unpackHold,
  wordsOf,
} from '../../src/holds/index.js'
import { textOf } from '../../src/messages/index.js'
import { because, said } from '../said.js'

const SRC = join(import.meta.dirname, '..', '..', 'src')
const manifest = JSON.parse(readFileSync(join(SRC, '..', 'oclif.manifest.json'), 'utf8')) as {
  commands: Record<string, { flags: Record<string, { allowNo?: boolean }> }>
}

const GOLDEN = join(import.meta.dirname, 'holds.golden.json')
const CHANGED =
  'Codes and names of values are promised: add, never rename. Accept new ones, and other words, with "UPDATE_GOLDEN=1 npx mocha test/holds/holds.test.ts".'
/** The flags of all commands. */
const known = new Set(
  Object.values(manifest.commands).flatMap(({ flags }) =>
    Object.entries(flags).flatMap(([name, { allowNo }]) => [`--${name}`, ...(allowNo === true ? [`--no-${name}`] : [])]),
  ),
)
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith(join('holds', 'table.ts')))
  .map((file) => readFileSync(join(SRC, file), 'utf8'))

/** Other values of holds whose words depend on them, laid over those of the example. */
const OTHERS: Readonly<Record<string, readonly object[]>> = {
  absent: [{ Last: true }],
  accept_fees: [{ Reserves: 1 }],
  ambiguous_reference: [{ OwnReference: null }],
  being_relisted: [{ Item: 9 }],
  being_removed: [
    { State: 'unsent' },
    { State: 'removed' },
    { Job: null, Request: 3 },
    { Job: null, Request: null, State: 'removed' },
  ],
  factor_ten: [{ Old: 104, Price: 1040 }],
  has_bids: [{ Bids: 2 }],
  image: ['no_web_address', 'not_fetched', 'changed', 'refused'].map((Problem) => ({ Problem })),
  invalid_request: [
    {
      Faults: [
        { Field: 'Title', Value: '', Message: 'is empty' },
        { Field: 'BinPrice', Value: null, Message: 'is missing' },
      ],
    },
    { Faults: [{ Field: 'Title', Value: 'A  B', Message: 'has two spaces' }] },
  ],
  min_margin: [{ Own: true }, { Vat: 'margin' }, { Limit: 0 }],
  moved: [{ Discount: 'start' }, { Discount: 'end' }],
  moved_since_plan: [{ Then: 0 }, { Now: 0 }],
  near_reference: [{ Near: null }],
  not_live: [{ Id: null, OwnReference: 'A-1', Type: 'any' }],
  on_the_way: [{ Job: null }],
  queued: [{ Sent: 'sending' }, { Sent: 'same' }],
  reference_added: [
    { State: 'unsent' },
    { State: 'sent', Item: null, Lost: true },
    { Job: null, Request: 3, State: 'sent', Item: null, Lost: true },
  ],
  reference_sold: [{ Item: null }],
  relisted: [{ Item: null }],
  relisted_often: [{ Times: 1, Limit: 1 }],
  rule: [{ Case: 'too_large', Price: 3e9, Most: 2147483647 }],
  sent_unknown: [{ Price: null }],
  service_said: [{ Result: null }],
  set_some: [{ Said: 'try again' }],
  unreadable: [{ Fields: null }],
  wrong_way: [{ Old: 100, Price: 99 }],
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

describe('holds', () => {
  it('have the codes, values, words and ways to pass that are promised', () => {
    const all = Object.entries(HOLDS).map(([Code, { example, pass }]) => {
      const values = Object.entries(example).map(([name, value]) => [name, typeOf(value)])
      const wordsFor = (more: object) => textOf(wordsOf({ Code, Values: { ...example, ...more } } as Hold))
      const words = [{}, ...(OTHERS[Code] ?? [])].map(wordsFor)
      return [Code, { values: Object.fromEntries(values), words, ...(pass === undefined ? {} : { pass }) }]
    })
    const text = `{\n${all.map(([code, of]) => `  ${JSON.stringify(code)}: ${JSON.stringify(of)}`).join(',\n')}\n}\n`
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
    expect(text, CHANGED).to.equal(readFileSync(GOLDEN, 'utf8'))
  })

  for (const [Code, { example, pass }] of Object.entries(HOLDS)) {
    it(`of ${Code} are made somewhere, are one sentence without a full stop, and come back as they were kept`, () => {
      const hold = { Code, Values: example } as Hold
      const words = textOf(wordsOf(hold))
      expect(words)
        .to.match(/\S/)
        .and.not.match(/undefined|NaN|\[object|\.$/)
      expect(unpackHold(packHold(hold))).to.deep.equal(hold)
      expect(
        sources.some((text) => text.includes(`'${Code}'`)),
        'made',
      ).to.equal(true)
      for (const flag of pass?.flag?.match(/--[\w-]+/g) ?? []) expect(known.has(flag), flag).to.equal(true)
    })
  }

  it('name the price that they are about, and those of other prices behind it', () => {
    const like = (Code: string) => ({ Code, Values: HOLDS[Code]?.example }) as Hold
    const one = like('max_change')
    const other = like('min_price')
    const Also = [{ ...other, Values: { ...other.Values, Field: 'BinPrice' } }]
    const both = { ...one, Values: { ...one.Values, Field: 'OpeningPrice', Also } } as Hold
    expect(said({ Hold: both })).to.equal(`OpeningPrice: ${said({ Hold: one })}; BinPrice: ${said({ Hold: other })}`)
    expect(codesOf(both)).to.deep.equal(['max_change', 'min_price'])
    expect(passFlags(codesOf(both))).to.deep.equal(['--allow max_change=PERCENT', '--allow min_price=KR'])
  })

  it('let an exact price in the column _Allow pass where one of them is about the price of a row alone', () => {
    for (const code of ['min_price', 'max_change', 'same_price', 'no_price']) expect(passByAllow([code]), code).to.equal(true)
    for (const code of ['max_held', 'whole_ratio', 'below_one', 'gone', 'restored', 'of_a_later_version'])
      expect(passByAllow([code]), code).to.equal(false)
    expect(passByAllow(['gone', 'max_change'])).to.equal(true)
    expect(passByAllow([])).to.equal(false)
  })

  it('are shown as they stand where the ledger has a damaged one', () => {
    for (const text of ['["gone",{', '7', '["gone"]', 'gone'])
      expect(unpackHold(text)).to.deep.equal({ Code: 'text', Values: { Said: text } })
  })

  it('are put into words where they are shown: with the profile, and the money of the account', () => {
    const hold = held('queued', { Job: 7, Price: 90, Sent: 'queued' })
    const edge = { profile: 'second', unit: () => 'EUR' }
    expect(shownRow((words) => textOf(words, edge), { Id: 5, Hold: hold })).to.deep.equal({
      Id: 5,
      Code: 'queued',
      Values: { Job: 7, Price: 90, Sent: 'queued' },
      Reason:
        'job 7 has queued 90 EUR, which may be set after this price. Wait for it: seller jobs:resume 7 --wait --profile second',
    })
    expect(shownRow(textOf, { Hold: null })).to.deep.equal({ Code: null, Values: null, Reason: null })
  })

  it('are sentences with a full stop, but not behind a command', () => {
    expect(textOf(sentenceOf(held('gone')))).to.equal('It is no longer in the live list.')
    expect(textOf(sentenceOf(held('gone'), false))).to.equal('it is no longer in the live list.')
    expect(textOf(sentenceOf(held('still_queued', { Job: 7 })))).to.match(/jobs:resume 7 --wait$/)
    expect(textOf(sentenceOf(held('factor_ten', { Old: 249, Price: 24 })))).to.match(/missing\?$/)
    // The service's own sentence has one already, or has only a point in a number.
    const answered = (Said: string) => textOf(sentenceOf(held('service_said', { Result: 'ErrorX', Said })))
    expect(answered('The price is too low.')).to.equal('ErrorX: The price is too low.')
    expect(answered('At least 2.5 kr')).to.equal('ErrorX: At least 2.5 kr.')
    expect(textOf(sentenceOf(held('raises', { Old: 100, Price: 110 })))).to.match(/ to 110 kr\.$/)
  })

  it('are shown by their code where an earlier version kept fewer values', () => {
    for (const [Code, { example }] of Object.entries(HOLDS))
      for (const key of Object.keys(example)) {
        const { [key]: _, ...Values } = example as Readonly<Record<string, unknown>>
        expect(textOf(wordsOf({ Code, Values })).replace(/^.*: /, ''), key).to.equal(Code)
      }
  })

  it('of older versions are their texts, and a code where something was decided by them', () => {
    expect(keptHold('a change over the limit')).to.deep.equal(because('a change over the limit'))
    expect(keptHold(['text', { Said: 'a change' }])).to.deep.equal(because('a change'))
    expect(keptHold('it is not in the live list any more')).to.deep.equal(held('gone'))
    expect(keptHold(['text', { Said: 'it is not in the live list any more' }])).to.deep.equal(held('gone'))
    expect(said({ Hold: keptHold(['of_a_later_version', { Some: 1 }]) ?? null })).to.equal('of_a_later_version')
    for (const kept of [null, 5, {}, [], ['gone'], ['gone', null], ['gone', 'x'], [5, {}]])
      expect(keptHold(kept)).to.equal(undefined)
  })
})
