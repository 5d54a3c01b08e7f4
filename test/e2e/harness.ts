/**
 * Drives the built product as a user does: a real process in a home of its own, over real HTTP. Nothing of the machine's own
 * configuration or environment reaches it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SANDBOX_PROFILE, type SandboxOptions, type SandboxServer, startSandbox } from '../../src/sandbox/index.js'
import { openTerminal, type Terminal } from './terminal.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const bin = join(root, 'bin', 'run.js')

let built = false

/** Builds once in a test run, when the sources are newer than what is built. */
function ensureBuilt(): void {
  if (built) return
  built = true
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-newer'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) return
  if (!existsSync(join(root, 'dist', 'main.cjs'))) throw new Error(`The build failed:\n${stderr}`)
  console.warn(`THE BUILD FAILED; what was built before is tested:\n${stderr}`)
}

export interface Run {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Stdout as one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: what a script would read, unchecked.
  json(): any
  /** Stdout as lines. */
  lines(): string[]
}

export interface RunOptions {
  /** Piped in; stdin is empty unless given. */
  readonly stdin?: string | Buffer
  /** Added to the home's environment; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Sends the signal after so many ms. */
  readonly killAfterMs?: number
  /** SIGKILL unless told. */
  readonly signal?: NodeJS.Signals
  /** The run fails the test when it takes longer; 15 s unless told. */
  readonly timeoutMs?: number
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcess
  /** Resolves when stdout and stderr together match; rejects when it ends before. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>
  kill(signal: NodeJS.Signals): void
  readonly done: Promise<Run>
}

export interface Home {
  readonly dir: string
  readonly configDir: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** The server that plain commands of this home talk to, when opened with one. */
  readonly sandbox: SandboxServer
  /** Runs `seller …args` to its end. */
  seller(...args: string[]): Promise<Run>
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  start(args: readonly string[], options?: RunOptions): Running
  /** Runs it in a real terminal (tmux). */
  terminal(
    args: readonly string[],
    options?: { env?: Readonly<Record<string, string | undefined>>; width?: number; height?: number },
  ): Promise<Terminal>
  /** A pipeline of the shell, with `seller` on its path. */
  shell(script: string, options?: RunOptions): Promise<Run>
  /** Writes a file in the home. @returns its path */
  file(name: string, content: string | Buffer): Promise<string>
  close(): Promise<void>
}

export interface HomeOptions {
  /** Starts a sandbox server with fresh state, and sets the environment so that plain commands talk to it. */
  readonly sandbox?: boolean | Omit<SandboxOptions, 'path'>
}

/** A home of its own, removed by `close`. */
export async function openHome(options: HomeOptions = {}): Promise<Home> {
  ensureBuilt()
  const dir = await mkdtemp(join(tmpdir(), 'seller-e2e-'))
  const configDir = join(dir, 'config')
  const dataDir = join(dir, 'data')
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    TMPDIR: process.env.TMPDIR ?? tmpdir(),
    LANG: 'C.UTF-8',
    // Compiled code is shared by all homes, as it is by all commands of a user.
    XDG_CACHE_HOME: join(root, 'node_modules', '.cache', 'seller-test'),
    SELLER_CONFIG_DIR: configDir,
    SELLER_DATA_DIR: dataDir,
    ...(process.env.NODE_V8_COVERAGE === undefined ? {} : { NODE_V8_COVERAGE: process.env.NODE_V8_COVERAGE }),
  }
  let server: SandboxServer | undefined
  if (options.sandbox !== undefined && options.sandbox !== false) {
    server = await startSandbox({ ...(options.sandbox === true ? {} : options.sandbox), path: join(dir, 'server.db') })
    Object.assign(env, environmentOf(server))
  }
  const running = new Set<ChildProcess>()
  const terminals = new Set<Terminal>()
  const start = (command: string, args: readonly string[], given: RunOptions = {}): Running => {
    const { child, ...rest } = launch(command, args, { ...given, cwd: given.cwd ?? dir, env: mixed(env, given.env) })
    running.add(child)
    child.once('close', () => running.delete(child))
    return { child, ...rest }
  }
  const home: Home = {
    dir,
    configDir,
    dataDir,
    env,
    get sandbox() {
      if (server === undefined) throw new Error('This home was opened without a sandbox.')
      return server
    },
    seller: (...args) => home.run(args),
    run: (args, given) => home.start(args, given).done,
    start: (args, given) => start(process.execPath, [bin, ...args], given),
    shell: (script, given) =>
      start('bash', ['-c', `set -o pipefail\nseller() { '${process.execPath}' '${bin}' "$@"; }\n${script}`], given).done,
    async terminal(args, given = {}) {
      const terminal = await openTerminal([process.execPath, bin, ...args], { ...given, env: mixed(env, given.env), cwd: dir })
      terminals.add(terminal)
      return terminal
    },
    async file(name, content) {
      const path = join(dir, name)
      await writeFile(path, content)
      return path
    },
    async close() {
      for (const terminal of terminals) terminal.close()
      for (const child of running) child.kill('SIGKILL')
      await server?.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
  return home
}

/** The environment with which commands talk to a server. */
export function environmentOf(server: Pick<SandboxServer, 'url' | 'namespace'>): Record<string, string> {
  return {
    SELLER_BASE_URL: server.url,
    SELLER_NAMESPACE: server.namespace,
    SELLER_APP_ID: String(SANDBOX_PROFILE.appId),
    SELLER_APP_KEY: SANDBOX_PROFILE.appKey,
    SELLER_USER_ID: String(SANDBOX_PROFILE.userId),
    SELLER_TOKEN: SANDBOX_PROFILE.token,
  }
}

function mixed(env: Readonly<Record<string, string>>, more: RunOptions['env'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...env, ...more }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function launch(command: string, args: readonly string[], options: RunOptions & { env: Record<string, string> }): Running {
  const { stdin, cwd, env, killAfterMs, signal = 'SIGKILL', timeoutMs = 15_000 } = options
  const child = spawn(command, args, { cwd, env, stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  let ended = false
  const watchers = new Set<() => void>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (const look of watchers) look()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const look of watchers) look()
  })
  // A command may end before it has read all of its stdin.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const said = (): string => `${command} ${args.join(' ')}\nstdout: ${stdout}\nstderr: ${stderr}`
  const timers: NodeJS.Timeout[] = []
  if (killAfterMs !== undefined) timers.push(setTimeout(() => child.kill(signal), killAfterMs))
  const done = new Promise<Run>((resolve, reject) => {
    timers.push(
      setTimeout(() => {
        child.kill('SIGKILL')
        reject(new Error(`Not done after ${timeoutMs} ms: ${said()}`))
      }, timeoutMs),
    )
    child.once('error', reject)
    child.once('close', (code, by) => {
      ended = true
      for (const timer of timers) clearTimeout(timer)
      for (const look of watchers) look()
      resolve({
        code,
        signal: by,
        stdout,
        stderr,
        json() {
          try {
            return JSON.parse(stdout)
          } catch {
            throw new Error(`Stdout is no JSON document: ${said()}`)
          }
        },
        lines: () => stdout.split('\n').filter((line) => line !== ''),
      })
    })
  })
  done.catch(() => {})
  return {
    child,
    done,
    kill: (name) => void child.kill(name),
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = `${stdout}${stderr}`.match(pattern)
          if (match === null && !ended) return
          watchers.delete(look)
          if (match === null) reject(new Error(`It ended without printing ${pattern}: ${said()}`))
          else resolve(match)
        }
        watchers.add(look)
        look()
      }),
  }
}
