import { expect } from 'chai'
import { unchecked } from '../../scripts/lint.js'

const PASSED = {
  'biome.json': 'a',
  'package-lock.json': 'a',
  '.gitignore': 'a',
  'src/a.ts': 'a',
  'src/b.ts': 'a',
  'test/a.ts': 'a',
}

describe('what the linter looks at', () => {
  it('is nothing where nothing changed since all was right', () => {
    expect(unchecked(PASSED, PASSED)).to.deep.equal([])
  })

  it('is a file that changed or is new, and all sources with one of them, whose types reach the others', () => {
    expect(unchecked({ ...PASSED, 'test/a.ts': 'b', 'test/new.ts': 'a' }, PASSED)).to.deep.equal(['test/a.ts', 'test/new.ts'])
    expect(unchecked({ ...PASSED, 'src/a.ts': 'b', 'test/a.ts': 'b' }, PASSED)).to.deep.equal(['src', 'test/a.ts'])
    const { 'src/b.ts': _, ...without } = PASSED
    expect(unchecked(without, PASSED)).to.deep.equal(['src'])
  })

  it('is everything the first time, after a change of the rules, and where a line has no room for the names', () => {
    expect(unchecked(PASSED, {})).to.deep.equal(['.'])
    for (const rules of ['biome.json', 'package-lock.json', '.gitignore'])
      expect(unchecked({ ...PASSED, [rules]: 'b' }, PASSED)).to.deep.equal(['.'])
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`test/${at}.ts`, 'a']))
    expect(unchecked({ ...PASSED, ...many }, PASSED)).to.deep.equal(['.'])
  })
})
