/** Programs of the tests that run as processes of their own. */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * How Node runs a program of the tests: compiled, where this file is (scripts/compile-tests.ts), or through tsx.
 * @param source e.g. `new URL('child.ts', import.meta.url)`
 */
export function programOf(source: URL): { readonly path: string; readonly execArgv: string[] } {
  const here = import.meta.filename
  const path = join(dirname(here), relative(import.meta.dirname, fileURLToPath(source)))
  return here.endsWith('.js') ? { path: path.replace(/\.ts$/, '.js'), execArgv: [] } : { path, execArgv: ['--import', 'tsx'] }
}
