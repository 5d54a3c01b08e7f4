/** The built product, as a seller gets it: its commands run in the test's own process. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { run } from '../../src/cli/run.js'
import { isCompiled } from '../program.js'
import type { TestHost } from '../test-host.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

let built = false

/** Builds once in a test run, if the sources are newer than the build. `npm test` has built just before. */
export function ensureBuilt(): void {
  if (built || isCompiled) return
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-newer'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`These tests run what is built, and the build failed:\n${stderr}`)
  built = true
}

/** The sources in place of the bundle, only for the coverage: source maps of a bundle of many sources give it wrong figures. */
async function ofSources(host: TestHost, argv: readonly string[]): Promise<number> {
  const [{ run }, { readManifest }] = await Promise.all([import('../../src/cli/run.js'), import('../../src/cli/manifest.js')])
  const load = async (id: string) => (await import(`../../src/commands/${id.replaceAll(':', '/')}.js`)).default
  return run(argv, host, { root, load, commands: readManifest(root) })
}

function ofBundle(host: TestHost, argv: readonly string[], from: string): Promise<number> {
  if (from === root) ensureBuilt()
  const main: { readonly run: typeof run } = createRequire(import.meta.url)(join(from, 'dist', 'main.cjs'))
  return main.run(argv, host, { root: from })
}

/**
 * Runs one command line of a built product to its end, or to a call of `exit`.
 * @param from the directory of the product; by default this one's
 */
export async function runOn(host: TestHost, argv: readonly string[], from = root) {
  const running = process.env.SELLER_TEST_SOURCES && from === root ? ofSources(host, argv) : ofBundle(host, argv, from)
  const code = await Promise.race([running, host.exited])
  return { code, ...host.written }
}
