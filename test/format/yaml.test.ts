/** Our own writer of YAML beside the library: the same text for whatever a record may hold, at a part of its cost. */
import { expect } from 'chai'
import { stringify } from 'yaml'
import { yamlText } from '../../src/format/output/yaml.js'

const TEXTS = [
  ...[
    'a',
    '',
    'yes',
    'True',
    'null',
    '12',
    '1e5',
    '0x1f',
    '2026-11-02T08:00:00Z',
    '2026-11-02',
    '08:00',
    'a: b',
    'a:',
    ' a',
    'a ',
    '- a',
  ],
  ...[
    'Röd tröja, stl 38',
    'http://x.y/z?a=1',
    'https://a/#b',
    'a #b',
    "it's",
    "'q",
    'x]',
    '#a',
    '&a',
    '*a',
    '!a',
    '%a',
    '@a',
    '`a',
    '(x)',
  ],
  ...[
    '{a',
    '[a',
    '~',
    '.5',
    '-',
    '? a',
    'a\tb',
    'a\\b',
    '"',
    '=',
    '<<',
    'Ö',
    'a  b',
    'NaN',
    '.inf',
    '0o17',
    '1_000',
    '---',
    '...',
    '--- a',
  ],
  ...[
    `# ${'a long text of more columns than a line of the library '.repeat(3)}.`,
    'a%',
    'a\u00a0b',
    '😀',
    'TRUE',
    'Null',
    '12kr',
    'a-',
    '-1',
    '+1',
    '|',
    '>',
    'a\nb',
    'a\n',
    '\n',
    'x\r',
    '×',
    'a/b|c',
    'ÿ',
  ],
]
const NUMBERS = [0, 1, -1, 1.5, -0.25, 1e-7, 1e21, 123456789012, 9.99, 1e-6]
const KEYS = ['Id', 'a', 'null', 'x y', 'Title', '1', 'B_c', 'a:b']

describe('YAML', () => {
  it('is what the library writes, for each text, number and key, in each place', () => {
    const values: unknown[] = [...TEXTS, ...NUMBERS, null, true, false, [], {}, [[]], [{}], [[1], [{ a: [] }]]]
    for (const value of values) {
      const places = [[value], [[value, value]], { a: value, b: { c: value, d: [value, { e: value }] } }, { a: [[value]], z: 1 }]
      for (const place of places) expect(yamlText(place)).to.equal(stringify(JSON.parse(JSON.stringify(place)), { lineWidth: 0 }))
    }
    for (const key of KEYS)
      expect(yamlText({ [key]: { [key]: 1 } })).to.equal(stringify({ [key]: { [key]: 1 } }, { lineWidth: 0 }))
  })

  it('of 2,000 items costs less than half of what the library takes', () => {
    const rows = Array.from({ length: 2000 }, (_, at) => ({
      Id: at,
      Title: `Röd tröja ${at}`,
      Ends: '2026-11-02T08:00:00Z',
      Tags: [1, 2],
    }))
    const cpu = (write: (row: object) => unknown): number => {
      const { user } = process.cpuUsage()
      for (const row of rows) write([row])
      return process.cpuUsage().user - user
    }
    const times = [1, 2, 3].map(() => cpu(yamlText) / cpu((row) => stringify(row, { lineWidth: 0 })))
    expect(Math.min(...times)).to.be.below(0.5)
  })
})
