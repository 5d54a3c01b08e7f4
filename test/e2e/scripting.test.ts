import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT, EXIT_MEANINGS } from '../../src/cli/errors.js'
import { type Home, openHome, root } from './harness.js'

const text = readFileSync(join(root, 'docs', 'scripting.md'), 'utf8')
const recipes = [...text.slice(text.indexOf('## Recipes')).matchAll(/([^\n]+)\n\n```sh\n([\s\S]*?)```/g)].map(
  ([, says = '', script = '']) => ({ says, script }),
)

describe('docs/scripting.md', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
  })
  after(() => home.close())

  it('has recipes, and every exit code with its meaning', () => {
    expect(recipes.length).to.be.at.least(8)
    const rows = [...text.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [Number(code), meaning])
    expect(rows).to.deep.equal(EXIT_MEANINGS)
    expect(rows.map(([code]) => code)).to.have.members(Object.values(EXIT))
  })

  for (const { says, script } of recipes) {
    it(`runs: ${says}`, async () => {
      const run = await home.shell(script)
      expect(run.code, run.stdout + run.stderr).to.equal(0)
      expect(run.stderr).to.not.include('Error')
      expect(run.stdout.trim(), 'what it prints').to.not.be.oneOf(['', 'null'])
    })
  }
})
