/**
 * The cost of a start of the built tool compared with a bare start of Node: `--version`, `--help`, and `items:list` until its
 * first request has arrived at a service on loopback. In CPU time, which a busy machine hardly changes; needs bash, and /proc.
 * Goals: 1.2, 1.5 and 3.3 times bare Node, and 2.5 for the last in the packages.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contender, type Cost, median, node, plainEnvironment, printTable, ratio, takeTurns } from './measure.js'

const bin = new URL('../bin/run.js', import.meta.url).pathname
const ROUNDS = Number(process.env.START_ROUNDS ?? 15)
/**
 * The product as one program (`npm run package -- linux-x64 --folders`), beside the Node that it has in it (SELLER_BENCH_NODE).
 */
const single = process.env.SELLER_BENCH_SINGLE

/** bash measures what it ran, also if it was killed, and adds nothing. */
const TIMED = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" > /dev/null 2>&1'

/** Runs to the end, or until `until` resolves, and then ends the process. */
async function time(command: readonly string[], env: NodeJS.ProcessEnv, until?: Promise<void>): Promise<Cost> {
  const started = performance.now()
  const shell = spawn('bash', ['-c', TIMED, ...command], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  shell.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  await (until === undefined ? ended : Promise.race([until, ended]))
  const wallMs = performance.now() - started
  if (shell.exitCode === null) {
    const [pid] = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').trim().split(' ')
    if (pid) process.kill(Number(pid), 'SIGKILL')
  }
  await ended
  const [user = Number.NaN, system = Number.NaN] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { wallMs, cpuMs: (user + system) * 1000, peakMb: Number.NaN }
}

export async function benchStart(): Promise<void> {
  let arrived = () => {}
  let answering = true
  const server = createServer((_request, response) => {
    if (answering) response.end()
    else arrived()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const home = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  const env = plainEnvironment({
    SELLER_CONFIG_DIR: join(home, 'config'),
    SELLER_DATA_DIR: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    SELLER_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SELLER_NAMESPACE: 'http://bench.example/api',
    SELLER_APP_ID: '1',
    SELLER_APP_KEY: 'key',
    SELLER_USER_ID: '100',
    SELLER_TOKEN: 'token',
  })
  // One complete run, like an earlier run of the user: it leaves its compiled code.
  for (const program of [[node, bin], ...(single === undefined ? [] : [[single]])])
    await time([...program, 'items:list', '--json'], env)
  answering = false
  const firstCall =
    (...program: string[]) =>
    async () => {
      let reached = false
      const until = new Promise<void>((resolve) => {
        arrived = () => {
          reached = true
          resolve()
        }
      })
      const cost = await time([...program, 'items:list', '--json'], env, until)
      if (!reached) throw new Error('items:list ended without a call: the figure would be worth nothing')
      return cost
    }
  const contenders: Contender[] = [
    { name: 'node -e 0', run: () => time([node, '-e', '0'], env) },
    { name: 'seller --version', run: () => time([node, bin, '--version'], env) },
    { name: 'seller --help', run: () => time([node, bin, '--help'], env) },
    { name: 'seller items:list, to its first call', run: firstCall(node, bin) },
    ...(single === undefined ? [] : [{ name: 'the same, as one program', run: firstCall(single) }]),
  ]
  try {
    const costs = await takeTurns(contenders, ROUNDS)
    const aims = ['', '1.2', '1.5', '3.3', '2.5']
    printTable(`Start, median of ${ROUNDS} rounds taking turns`, [
      ['', 'CPU ms', 'times bare Node', 'aim'],
      ...contenders.map(({ name }, index) => [
        name,
        median((costs.get(name) ?? []).map((cost) => cost.cpuMs)).toFixed(0),
        ratio(costs, name, 'node -e 0', 'cpuMs').toFixed(2),
        aims[index] === '' ? '' : `<= ${aims[index]}`,
      ]),
    ])
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(home, { recursive: true, force: true })
  }
}
