/** `npm run demo`: builds what is not built, and plays the demo in a temporary folder, which is removed at the end. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/system/clock.js'
import { playDemo } from './demo/play.js'

const build = fileURLToPath(new URL('build.ts', import.meta.url))
const { status } = spawnSync(process.execPath, ['--import', 'tsx', build, '--if-newer'], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (status !== 0) process.exit(1)

const dir = mkdtempSync(join(tmpdir(), 'seller-demo-'))
process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130))

const { stdout } = process
await playDemo({
  dir,
  write: (text) => void stdout.write(text),
  terminal: stdout.isTTY === true,
  columns: stdout.columns ?? 80,
  clock: systemClock,
  pauseMs: stdout.isTTY ? 1000 : 0,
  env: process.env,
})
