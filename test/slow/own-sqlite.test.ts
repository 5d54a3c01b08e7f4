/**
 * The ledger on Node's own SQLite, which is in the packages: the tests of the wrapper and of the ledger, with the Node that
 * ships.
 */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { fetched, unpacked } from '../../scripts/package/registry.js'
import { TARGETS } from '../../scripts/package/targets.js'
import { root } from '../e2e/product.js'

const run = promisify(execFile)

/** Relative to the project; of one process at a time, of several, and of files of other versions. */
const TESTS = ['system/sqlite', 'jobs/processes', 'jobs/ledger', 'jobs/upkeep', 'jobs/layouts', 'jobs/reopen', 'jobs/odd-ledgers']

describe("Node's own SQLite", () => {
  it('holds what the tests of the wrapper and of the ledger ask of libsql', async function () {
    const target = TARGETS.find(({ name }) => name === `${process.platform}-${process.arch}`)
    if (target === undefined || process.platform === 'win32') return this.skip()
    const folder = await mkdtemp(join(tmpdir(), 'seller-node-'))
    try {
      const tarball = await fetched(...target.node, join(root, 'node_modules', '.cache', 'seller', 'node')).catch((error) => {
        if (!/E404|ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/.test(String(error))) throw error
      })
      if (tarball === undefined) return this.skip()
      const [program = ''] = await unpacked(tarball.path, folder, ['bin/node'])
      await chmod(program, 0o755)
      const files = TESTS.map((name) => join('test', `${name}.test.ts`))
      const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
      const { stdout } = await run(program, [mocha, '--reporter', 'json', ...files], { cwd: root, maxBuffer: 2 ** 26 })
      const { stats } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { stats: { passes: number; failures: number } }
      expect(stats.failures).to.equal(0)
      expect(stats.passes).to.be.above(100)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }).timeout(1_200_000)
})
