/** Files of one item, and of several. */
import { expect } from 'chai'
import { holdsSeveral } from '../../../src/actions/listing/command.js'

const SEVERAL: readonly (readonly [what: string, text: string])[] = [
  ['a CSV', 'Title,Price\nA,1\n'],
  ['a CSV with semicolons and a byte order mark', '\ufeffTitle;Price\r\nA;1\r\n'],
  ['a CSV of one row', 'Title\tPrice\nA\t1\n'],
  ['a JSON array', ' [{"Title":"A"}]'],
  ['NDJSON', '{"Title":"A"}\n{"Title":"B"}\n'],
  ['what jq prints of several', '{\n  "Title": "A"\n}\n{\n  "Title": "B"\n}\n'],
  ['a YAML sequence', '- Title: A\n- Title: B\n'],
  ['a YAML sequence below a comment and a document mark', '# mugs\n\n---\n- Title: A\n'],
  ['several YAML documents', 'Title: A\n---\nTitle: B\n'],
]
const ONE: readonly (readonly [what: string, text: string])[] = [
  ['a YAML mapping', 'Title: A, B; C\nPrice: 1\n'],
  ['a YAML mapping below comments', '# An item, filled in\n\nTitle: A\n'],
  ['a YAML document with its marks', '---\nTitle: A\n---\n'],
  ['a JSON object', '{"Title":"A","Shipping":[{"Cost":1},\n{"Cost":2}]}'],
  ['a JSON object over several lines', '{\n "A": {\n "B": 1\n}\n}\n'],
  ['a broken JSON object, for its message', '{"Title": }'],
  ['a single word', 'hello'],
  ['nothing', '\n'],
]

const ODD = [
  ['"Title": A\n', false],
  ["'Title' : A\n", false],
  ['Title:\n  x, y\n', false],
  ['Title:A,B\n', true],
  ['a b\n', false],
  ['a;b\n', true],
  ['-A\n', false],
  ['---\n- A: 1\n', true],
  ['--- # x\n- A: 1\n', true],
  ['A: 1\n--- \nB: 2\n', true],
  ['A: 1\n---x\nB: 2\n', false],
  ['A: 1\n---\n \n', false],
  ['{"A":1} {"B":2}', false],
  ['{"A":1}\n\n  {"B":2}', true],
  ['# [\n{"A":1}', false],
  ['\n  # a, b\n\nTitle: A', false],
  ['x: 1\n[', false],
] as const

describe('whether a file holds several items', () => {
  for (const [what, text] of SEVERAL) it(`${what}: yes`, () => expect(holdsSeveral(text)).to.equal(true))
  for (const [what, text] of ONE) it(`${what}: no`, () => expect(holdsSeveral(text)).to.equal(false))
  for (const [text, is] of ODD) it(`${JSON.stringify(text)}: ${is ? 'yes' : 'no'}`, () => expect(holdsSeveral(text)).to.equal(is))
})
