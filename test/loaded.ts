/** Which modules a program of the tests loads. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { programOf } from './program.js'

const MARK = 'LOADED '
const HOOK = `export async function resolve(name, context, next) {
  const found = await next(name, context)
  process._rawDebug(${JSON.stringify(MARK)} + found.url)
  return found
}`
const REGISTER = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(HOOK)}))`

/**
 * Runs a program to its end.
 * @param source see programOf
 * @returns its exit code, what it wrote, and the URLs of the modules, source or compiled
 */
export async function modulesLoadedBy(source: URL, ...args: readonly string[]) {
  const { path, execArgv } = programOf(source)
  const hook = ['--import', `data:text/javascript,${encodeURIComponent(REGISTER)}`]
  const child = spawn(process.execPath, [...execArgv, ...hook, path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      written[name] += piece
    })
  }
  const [code] = await once(child, 'close')
  const lines = written.stderr.split('\n').filter((line) => line.startsWith(MARK))
  return { code: code as number | null, ...written, urls: lines.map((line) => line.slice(MARK.length)) }
}
