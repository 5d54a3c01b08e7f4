import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { ERROR_CODES, type ErrorCode, type ErrorEntry, EXIT_MEANINGS, SellerError } from '../../src/errors/index.js'

/** Codes that scripts compare. UPDATE_GOLDEN=1 rewrites it; use it only for intended changes. */
const GOLDEN = new URL('codes.golden.json', import.meta.url)

describe('the promise of each error code', () => {
  const codes = Object.entries(ERROR_CODES as Record<string, ErrorEntry>)
  // An error as it is created; its exit code is the one that a shell would see.
  const made = (code: string) => new SellerError(code as ErrorCode, 'Message.', 'Hint.', {} as never)
  const promised = Object.fromEntries(
    codes.map(([code, { category, keys }]) => [code, { category, exitCode: made(code).exitCode, keys: [...keys].sort() }]),
  )
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, `${JSON.stringify(promised, null, 2)}\n`)
  const golden: Record<string, unknown> = JSON.parse(readFileSync(GOLDEN, 'utf8'))

  for (const code of new Set([...Object.keys(promised), ...Object.keys(golden)])) {
    it(`${code}: its category, exit code and keys are those that scripts know`, () => {
      expect(promised[code], 'changed? Say so in CHANGELOG.md and run with UPDATE_GOLDEN=1.').to.deep.equal(golden[code])
    })
  }

  it('has an exit code that is documented', () => {
    const exits = EXIT_MEANINGS.map(([exit]) => exit)
    for (const [code] of codes) expect(exits, code).to.include(made(code).exitCode)
  })
})
