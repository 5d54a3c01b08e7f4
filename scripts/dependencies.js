/**
 * npm runs it after it has installed packages: builds what is older than its sources. JavaScript, because with --omit=dev the package that reads
 * TypeScript is not there.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const hasTools = ['tsx', 'esbuild'].every((name) => {
  try {
    return createRequire(import.meta.url).resolve(name) !== ''
  } catch {
    return false
  }
})
if (hasTools) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-newer'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!existsSync('dist/main.cjs')) {
  process.stderr.write('seller cannot be built without its development packages: run npm ci, then npm prune --omit=dev.\n')
}
