/**
 * Repricing a shop from a CSV, with equal rows for all: ours with the durable ledger on, and plain loops on node-soap, PHP's
 * SoapClient and zeep as far as they are installed, through a service on loopback that answers at once, and after 40 ms. Then
 * ours alone with ten times the rows, for its memory. Goals: 1.0 CPU seconds for 100,000 rows and 3 times the rate of PHP's loop
 * at 40 ms; exactly one call for 500 rows. `REPRICE_ROWS` sets another number, `REPRICE_ROUNDS` how often.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWsdl } from '../src/sandbox/wsdl/document.js'
import { bundled, withService } from './loopback-service.js'
import { measureProgram, median, plainEnvironment, printTable, say, sayFaster } from './measure.js'

const ROWS = Number(process.env.REPRICE_ROWS ?? 100_000)
const ROUNDS = Number(process.env.REPRICE_ROUNDS ?? 5)
const MANY = 10
const ROWS_PER_CALL = 500
const LATENCY_MS = 40
const AT_ONCE = 8

interface Run {
  readonly cpuMs: number
  readonly peakMb: number
  readonly rows: number
  readonly calls: number
  readonly sendingMs: number
}

interface Peer {
  readonly name: string
  run(csv: string, url: string): Promise<Run>
}

const OURS = 'seller'
const PHP = "PHP's SoapClient"
const NODE_SOAP = 'node-soap'

/** Loops in other languages, and how to check whether they are installed. */
const ELSEWHERE = [
  { name: PHP, command: 'php', script: 'reprice-one.php', check: ['-r', 'exit(extension_loaded("soap") ? 0 : 1);'] },
  { name: 'zeep', command: 'python3', script: 'reprice-one.py', check: ['-c', 'import zeep'] },
] as const

function writeCsv(path: string, rows: number): void {
  const lines = ['Id,Price']
  for (let at = 0; at < rows; at++) lines.push(`${1_000_000 + at},${100 + ((at * 7919) % 1900)}`)
  writeFileSync(path, `${lines.join('\n')}\n`)
}

const round = (value: number) => Math.round(value).toLocaleString('en')

function peersOf(one: string, wsdl: string): Peer[] {
  const measured = async (args: readonly string[], command?: string): Promise<Run> => {
    const { cpuMs, peakMb, note } = await measureProgram(args, plainEnvironment(), command)
    return { cpuMs, peakMb, ...(JSON.parse(note ?? '{}') as Pick<Run, 'rows' | 'calls' | 'sendingMs'>) }
  }
  const peers: Peer[] = [OURS, NODE_SOAP].map((name) => ({
    name,
    run: (csv, url) => measured([one, name, csv, url, String(AT_ONCE), wsdl]),
  }))
  for (const { name, command, script, check } of ELSEWHERE) {
    if (spawnSync(command, check, { stdio: 'ignore' }).status !== 0) {
      say(`${name} is not installed, and is left out.`)
      continue
    }
    const program = new URL(script, import.meta.url).pathname
    peers.push({ name, run: (csv, url) => measured([program, csv, url, wsdl], command) })
  }
  return peers
}

/** Lets the peers take turns. */
async function roundsOf(peers: readonly Peer[], csv: string, url: string, rounds: number): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(peers.map(({ name }) => [name, []]))
  for (let at = 0; at < rounds; at++) for (const { name, run } of peers) runs.get(name)?.push(await run(csv, url))
  return runs
}

export async function benchReprice(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  try {
    const [one, loopback] = [await bundled('reprice-one'), await bundled('loopback')]
    const [csv, many, wsdl] = ['rows.csv', 'many.csv', 'service.wsdl'].map((file) => join(directory, file)) as [
      string,
      string,
      string,
    ]
    writeCsv(csv, ROWS)
    writeCsv(many, MANY * ROWS)
    writeFileSync(wsdl, buildWsdl('RestrictedService', 'http://bench.example/api', 'http://127.0.0.1:1'))
    const peers = peersOf(one, wsdl)
    const [ours] = peers
    if (ours === undefined) return
    const atOnce = await withService(loopback, [], (url) => roundsOf(peers, csv, url, ROUNDS))
    const large = await withService(loopback, [], (url) => ours.run(many, url))
    const late = await withService(loopback, [LATENCY_MS], (url) => roundsOf(peers, csv, url, Math.min(ROUNDS, 3)))
    const of = (runs: Map<string, Run[]>, name: string, value: (run: Run) => number) => median((runs.get(name) ?? []).map(value))
    const share = (name: string) => {
      const theirs = atOnce.get(name) ?? []
      return median((atOnce.get(OURS) ?? []).map(({ cpuMs }, at) => (theirs[at]?.cpuMs ?? Number.NaN) / cpuMs))
    }
    const rate = (runs: Map<string, Run[]>, name: string) => of(runs, name, ({ rows, sendingMs }) => (rows / sendingMs) * 1000)
    printTable(
      `Repricing ${round(ROWS)} rows from a CSV through a service on loopback, median of ${ROUNDS} rounds taking turns; ledger on disk and ${AT_ONCE} calls at once for ours, neither for the loops`,
      [
        ['', 'CPU seconds', 'times ours', 'peak MB', 'sending calls', 'rows a second', `at ${LATENCY_MS} ms`],
        ...peers.map(({ name }) => [
          name,
          (of(atOnce, name, (run) => run.cpuMs) / 1000).toFixed(2),
          share(name).toFixed(2),
          of(atOnce, name, (run) => run.peakMb).toFixed(0),
          round(of(atOnce, name, (run) => run.calls)),
          round(rate(atOnce, name)),
          round(rate(late, name)),
        ]),
      ],
    )
    sayFaster(peers.slice(1), share, 'sends the same rows')
    say(`seller takes ${(of(atOnce, OURS, (run) => run.cpuMs) / 1000).toFixed(2)} CPU seconds (goal: 1.0), from a cold start`)
    say(`seller does ${share(NODE_SOAP).toFixed(1)} times node-soap's rows per CPU second`)
    say(`sending calls: ${of(atOnce, OURS, (run) => run.calls)} (goal: exactly ${Math.ceil(ROWS / ROWS_PER_CALL)})`)
    say(
      `${round(MANY * ROWS)} rows: ${(large.cpuMs / 1000).toFixed(2)} CPU seconds, peak ${large.peakMb.toFixed(0)} MB, ${(large.peakMb / of(atOnce, OURS, (run) => run.peakMb)).toFixed(2)} times that of a tenth of the rows`,
    )
    const possible = (AT_ONCE * ROWS_PER_CALL * 1000) / LATENCY_MS
    say(
      `at ${LATENCY_MS} ms of latency: ${((rate(late, OURS) / possible) * 100).toFixed(0)} % of the ${round(possible)} rows a second that ${AT_ONCE} calls at once allow`,
    )
    if (late.has(PHP)) say(`that is ${(rate(late, OURS) / rate(late, PHP)).toFixed(1)} times the rate of PHP's loop (goal: 3)`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
