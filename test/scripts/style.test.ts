import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))

/** `private name` of TypeScript, as a member or as a parameter of a constructor; not a word of a comment. */
const PRIVATE = /^\s*(?:constructor\()?private (?:readonly |static |async )*[\w*]/

describe('the style of the sources', () => {
  it('finds a private member where there is one', () => {
    for (const line of [
      '  private readonly rows = 1',
      '  constructor(private readonly rows: Row[]) {}',
      '  private async send() {',
    ]) {
      expect(line).to.match(PRIVATE)
    }
    expect(' * private words').to.not.match(PRIVATE)
  })

  it('writes private members as #name', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const found = files.flatMap((file) =>
      readFileSync(join(SRC, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (PRIVATE.test(line) ? [`${file}:${index + 1}`] : [])),
    )
    expect(files.length).to.be.greaterThan(100)
    expect(found).to.deep.equal([])
  })
})
