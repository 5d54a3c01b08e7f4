/**
 * Drives the product like a user: in a home of its own, over real HTTP. Commands run in the test's own process, unless the test
 * is about the process. The machine's own configuration and environment do not reach them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readNameMap, renamingBack } from '../../src/contract/index.js'
import {
  SANDBOX_PROFILE,
  type SandboxForms,
  type SandboxOptions,
  type SandboxServer,
  startSandbox,
} from '../../src/sandbox/index.js'
import { systemClock } from '../../src/system/clock.js'
import { scratch } from '../scratch.js'
import { copySeeded } from '../seeded.js'
import { saveOffered } from './offered.js'
import { ensureBuilt, root } from './product.js'
import {
  type HereOptions,
  type Run,
  type Running,
  type RunOptions,
  type Spawned,
  startHere,
  startProcess,
  type WholeOptions,
} from './runs.js'
import { openTerminal, type Terminal } from './terminal.js'

export { ensureBuilt, root } from './product.js'
export type { Run, Running, RunOptions, Spawned } from './runs.js'

export const bin = join(root, 'bin', 'run.js')

/**
 * A service of another make, for all homes of a run with SELLER_TEST_SERVICE=another: another namespace, names and form of its
 * own. Its description is read and its names are learned by themselves; what tests see must be the same.
 */
const ANOTHER: (SandboxForms & { readonly namespace: string }) | undefined =
  process.env.SELLER_TEST_SERVICE === 'another'
    ? {
        names: readNameMap('Eid=Zed,ExternalPayment=OuterPayment,ShopItem=StallItem'),
        shape: 'nested',
        namespace: 'urn:another-shop:v7',
      }
    : undefined

/** The name by which the contract knows an operation that such a service was called by. */
export const knownName = renamingBack(ANOTHER?.names ?? [])

export interface Home {
  readonly dir: string
  readonly configDir: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** The server that plain commands of this home use, if it was opened with one. */
  readonly sandbox: SandboxServer
  /** Runs `seller …args` to its end, in the test's own process. */
  seller(...args: string[]): Promise<Run>
  /** The same, of a command that must end with exit code 0. */
  done(...args: string[]): Promise<Run>
  run(args: readonly string[], options?: HereOptions): Promise<Run>
  start(args: readonly string[], options?: HereOptions): Running
  /** Starts the built product as a process. */
  spawn(args: readonly string[], options?: RunOptions): Spawned
  /** Runs the built product in a real terminal (tmux). */
  terminal(
    args: readonly string[],
    options?: { env?: Readonly<Record<string, string | undefined>>; width?: number; height?: number },
  ): Promise<Terminal>
  /** A pipeline of the shell, with the built `seller` on its path. */
  shell(script: string, options?: RunOptions): Promise<Run>
  /** Writes a file in the home. @returns its path */
  file(name: string, content: string | Buffer): Promise<string>
  close(): Promise<void>
}

export interface HomeOptions {
  /** Starts a sandbox server with fresh state, and sets the environment so that plain commands talk to it. */
  readonly sandbox?: boolean | OwnSandbox
}

export interface OwnSandbox extends Omit<SandboxOptions, 'path'> {
  /**
   * True if its shops are empty, for tests that add their own items. Every list of a shop that a command reads has the 142 items
   * of a fresh sandbox otherwise, which is most of what the command costs.
   */
  readonly emptyShops?: boolean
  /** True if the home has what the service offers, as `service:check --save` saves it. */
  readonly described?: boolean
}

/** A home of its own, removed by `close`. */
export async function openHome(options: HomeOptions = {}): Promise<Home> {
  const dir = await mkdtemp(join(scratch(), 'seller-e2e-'))
  const configDir = join(dir, 'config')
  const dataDir = join(dir, 'data')
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    TMPDIR: process.env.TMPDIR ?? tmpdir(),
    LANG: 'C.UTF-8',
    // All homes share compiled code, like all commands of a user.
    XDG_CACHE_HOME: join(root, 'node_modules', '.cache', 'seller-test'),
    SELLER_CONFIG_DIR: configDir,
    SELLER_DATA_DIR: dataDir,
    ...(process.env.NODE_V8_COVERAGE === undefined ? {} : { NODE_V8_COVERAGE: process.env.NODE_V8_COVERAGE }),
  }
  let server: SandboxServer | undefined
  let describe = async (_home: Home): Promise<void> => {}
  if (options.sandbox !== undefined && options.sandbox !== false) {
    const { emptyShops, described, ...wanted }: OwnSandbox = { ...ANOTHER, ...(options.sandbox === true ? {} : options.sandbox) }
    const path = join(dir, 'server.db')
    copySeeded(path, wanted.clock?.now(), emptyShops)
    server = await startSandbox({ ...wanted, path })
    Object.assign(env, environmentOf(server))
    if (described === true) {
      const { clock = systemClock, log: _, faults: __, ...kind } = wanted
      describe = (home) => saveOffered(home, JSON.stringify(kind), () => clock.now())
    }
  }
  const running = new Set<Spawned>()
  const here = new Set<Running>()
  const terminals = new Set<Terminal>()
  const whole = (given: RunOptions = {}): WholeOptions => ({ ...given, cwd: given.cwd ?? dir, env: mixed(env, given.env) })
  const start = (command: string, args: readonly string[], given?: RunOptions): Spawned => {
    ensureBuilt()
    const spawned = startProcess(command, args, whole(given))
    running.add(spawned)
    spawned.child.once('close', () => running.delete(spawned))
    return spawned
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
    async done(...args) {
      const ended = await home.run(args)
      expect(ended.code, `seller ${args.join(' ')}: ${ended.stdout}${ended.stderr}`).to.equal(0)
      return ended
    },
    run: (args, given) => home.start(args, given).done,
    start(args, given) {
      const started = startHere(args, { ...given, ...whole({ env: given?.env, cwd: given?.cwd }) })
      here.add(started)
      return started
    },
    spawn: (args, given) => start(process.execPath, [bin, ...args], given),
    shell: (script, given) =>
      start('bash', ['-c', `set -o pipefail\nseller() { '${process.execPath}' '${bin}' "$@"; }\n${script}`], given).done,
    async terminal(args, given = {}) {
      ensureBuilt()
      const terminal = await openTerminal([process.execPath, bin, ...args], {
        ...given,
        // Tests look at the screen as it is; the tests of the pager set their own.
        env: mixed(env, { PAGER: 'cat', ...given.env }),
        cwd: dir,
      })
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
      for (const spawned of running) spawned.kill('SIGKILL')
      // Ends what a failed test left running; commands that have ended ignore it.
      for (const started of here) started.interrupt('SIGINT')
      await server?.close()
      // A shell that a terminal left behind may still write its history.
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
  await describe(home)
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

/**
 * The words of a command line, one for each part between blanks; a value is a word, or a part of one, with the blanks that it
 * has.
 */
export function words(parts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string[] {
  const line: string[] = []
  let open = false
  for (const [at, part] of parts.entries()) {
    for (const [place, piece] of part.split(/\s+/).entries()) {
      if (place > 0) open = false
      if (piece === '') continue
      if (open) line.push(`${line.pop()}${piece}`)
      else line.push(piece)
      open = true
    }
    if (at === values.length) break
    if (open) line.push(`${line.pop()}${values[at]}`)
    else line.push(String(values[at]))
    open = true
  }
  return line
}
