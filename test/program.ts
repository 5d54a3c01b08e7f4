/** Programs of the tests that run as processes of their own. */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** True if `npm test` has compiled this file, and built the product just before. */
export const isCompiled = import.meta.filename.endsWith('.js')

/**
 * Arguments with which Node runs a program of the tests: compiled, where this file is (scripts/compile-tests.ts), or through tsx.
 * @param source e.g. `new URL('child.ts', import.meta.url)`
 */
export function programOf(source: URL): { readonly path: string; readonly execArgv: string[] } {
  const path = join(dirname(import.meta.filename), relative(import.meta.dirname, fileURLToPath(source)))
  return isCompiled ? { path: path.replace(/\.ts$/, '.js'), execArgv: [] } : { path, execArgv: ['--import', 'tsx'] }
}
