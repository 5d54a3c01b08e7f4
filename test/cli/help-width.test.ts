/** Help on terminals of any width: broken between words, and never inside a command that is there to be copied. */
import { expect } from 'chai'
import { runOn } from '../e2e/product.js'
import { createTestHost } from '../test-host.js'

async function helpAt(columns: number, ...argv: string[]): Promise<string[]> {
  const host = createTestHost({ terminal: true, columns, env: { NO_COLOR: '1' } })
  const { code, stderr, stdout } = await runOn(host, argv)
  expect([code, stderr]).to.deep.equal([0, ''])
  return stdout.split('\n')
}

/** What a line may be longer for: one word, or a command with its arguments. */
const WHOLE = /^\s*(?:\$ )?(?:\S+|.*\bseller\b.*)$/

describe('help', () => {
  for (const argv of [
    ['--help'],
    ['items', '--help'],
    ['items:list', '--help'],
    ['shop:price', '--help'],
    ['auth:login', '--help'],
  ]) {
    it(`of "${argv.join(' ')}" fits terminals of 12 to 100 columns`, async () => {
      const wide = await helpAt(100, ...argv)
      const words = (lines: readonly string[]) => lines.join(' ').split(/\s+/).sort()
      for (const columns of [12, 20, 30, 39]) {
        const lines = await helpAt(columns, ...argv)
        const over = lines.filter((line) => line.length > columns && !WHOLE.test(line))
        expect(over, `${columns} columns`).to.deep.equal([])
        // Narrower, long words are broken too.
        if (columns >= 20)
          expect(words(lines), `${columns} columns`).to.include.members(words(wide).filter((word) => /^[a-z]+$/i.test(word)))
      }
    })
  }

  it('keeps commands whole on a narrow terminal', async () => {
    const lines = await helpAt(24, 'shop:price', '--help')
    expect(lines.map((line) => line.trim())).to.include('$ seller shop:price --file prices.csv --dry-run')
  })

  it('takes a terminal without a size for one of 80 columns', async () => {
    expect(await helpAt(0, '--help')).to.deep.equal(await helpAt(80, '--help'))
    expect(await helpAt(0, 'items:list', '--help')).to.deep.equal(await helpAt(80, 'items:list', '--help'))
  })
})
