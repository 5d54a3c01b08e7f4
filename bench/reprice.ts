/**
 * Repricing a shop from a CSV: a million rows through a service on loopback that answers at once, with the durable ledger on, compared
 * with a plain loop on node-soap over 20,000 rows and with the same loop on PHP's SoapClient, if it is installed; and the same at 40 ms
 * of latency with 8 calls at once. Goals: 5 times node-soap's rows per CPU second, 1.2 times PHP's CPU time, 125 MB, exactly 2,000
 * sending calls; 90 % of the rate that latency allows, 8 times that of PHP's loop. `REPRICE_ROWS` makes the large run smaller.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wsdlOf } from '../src/sandbox/wsdl/document.js'
import { bundled, withService } from './loopback-service.js'
import { measureProgram, median, plainEnvironment, printTable, say } from './measure.js'

const ROWS = Number(process.env.REPRICE_ROWS ?? 1_000_000)
const FEWER_ROWS = ROWS / 10
const BESIDE_ROWS = 20_000
const ROWS_PER_CALL = 500
const LATENCY_MS = 40
const AT_ONCE = 8
const ROUNDS = 5
/** Rows of PHP's loop at 40 ms, which makes one call after the other. */
const PHP_ROWS = 50_000

interface Run {
  readonly cpuMs: number
  readonly peakMb: number
  readonly rows: number
  readonly calls: number
  readonly sendingMs: number
}

function writeCsv(path: string, rows: number): void {
  const lines = ['Id,Price']
  for (let at = 0; at < rows; at++) lines.push(`${1_000_000 + at},${100 + ((at * 7919) % 1900)}`)
  writeFileSync(path, `${lines.join('\n')}\n`)
}

function hasPhp(): boolean {
  return spawnSync('php', ['-r', 'exit(extension_loaded("soap") ? 0 : 1);']).status === 0
}

const rowsPerSecond = ({ rows, cpuMs }: Run) => rows / (cpuMs / 1000)
const round = (value: number) => Math.round(value).toLocaleString('en')

export async function benchReprice(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  try {
    const [one, loopback] = [await bundled('reprice-one'), await bundled('loopback')]
    const [large, fewer, beside, wsdl] = ['large.csv', 'fewer.csv', 'beside.csv', 'service.wsdl'].map((file) =>
      join(directory, file),
    ) as [string, string, string, string]
    writeCsv(large, ROWS)
    writeCsv(fewer, FEWER_ROWS)
    writeCsv(beside, BESIDE_ROWS)
    writeFileSync(wsdl, wsdlOf('RestrictedService', 'http://bench.example/api', 'http://127.0.0.1:1'))
    const run = async (client: string, csv: string, url: string, atOnce = AT_ONCE): Promise<Run> => {
      const { cpuMs, peakMb, note } = await measureProgram([one, client, csv, url, String(atOnce), wsdl])
      return { cpuMs, peakMb, ...(JSON.parse(note ?? '{}') as Pick<Run, 'rows' | 'calls' | 'sendingMs'>) }
    }

    const runPhp = async (csv: string, url: string): Promise<Run> => {
      const program = new URL('reprice-one.php', import.meta.url).pathname
      const { cpuMs, peakMb, note } = await measureProgram([program, csv, url, wsdl], plainEnvironment(), 'php')
      return { cpuMs, peakMb, ...(JSON.parse(note ?? '{}') as Pick<Run, 'rows' | 'calls' | 'sendingMs'>) }
    }
    const withPhp = hasPhp()
    if (!withPhp) say("PHP's SoapClient is not installed, and is left out.")

    await withService(loopback, [], async (url) => {
      const pairs: { ours: Run; theirs: Run; php?: Run }[] = []
      for (let at = 0; at < ROUNDS; at++)
        pairs.push({
          theirs: await run('node-soap', beside, url),
          ours: await run('seller', large, url),
          ...(withPhp ? { php: await runPhp(large, url) } : {}),
        })
      const small = await run('seller', fewer, url)
      const row = (name: string, runs: readonly Run[]) => {
        const of = (value: (run: Run) => number) => median(runs.map(value))
        return [
          name,
          round(of((r) => r.rows)),
          (of((r) => r.cpuMs) / 1000).toFixed(2),
          round(of(rowsPerSecond)),
          of((r) => r.peakMb).toFixed(0),
          round(of((r) => r.calls)),
        ]
      }
      printTable(
        `Repricing from a CSV through a service on loopback, median of ${ROUNDS} rounds taking turns; ledger on disk and ${AT_ONCE} calls at once for ours, neither for node-soap`,
        [
          ['', 'rows', 'CPU seconds', 'rows per CPU second', 'peak MB', 'sending calls'],
          row(
            'seller',
            pairs.map((pair) => pair.ours),
          ),
          row('seller, a tenth of the rows', [small]),
          row(
            'node-soap, a plain loop',
            pairs.map((pair) => pair.theirs),
          ),
          ...(withPhp
            ? [
                row(
                  "PHP's SoapClient, a plain loop",
                  pairs.flatMap(({ php }) => php ?? []),
                ),
              ]
            : []),
        ],
      )
      const times = median(pairs.map(({ ours, theirs }) => rowsPerSecond(ours) / rowsPerSecond(theirs)))
      const peak = median(pairs.map((pair) => pair.ours.peakMb))
      say(`seller does ${times.toFixed(1)} times node-soap's rows per CPU second (goal: 5)`)
      if (withPhp) {
        const cpu = median(pairs.map(({ ours, php }) => ours.cpuMs / (php?.cpuMs ?? Number.NaN)))
        say(`seller takes ${cpu.toFixed(1)} times the CPU time of PHP's loop, which has no ledger and no checks (goal: 1.2)`)
      }
      say(`peak memory ${peak.toFixed(0)} MB (goal: 125), ${(peak / small.peakMb).toFixed(2)} times that of a tenth of the rows`)
      const calls = pairs[0]?.ours.calls
      say(`sending calls: ${calls} (goal: exactly ${Math.ceil(ROWS / ROWS_PER_CALL)})`)
    })

    await withService(loopback, [LATENCY_MS], async (url) => {
      const { rows, sendingMs, peakMb } = await run('seller', large, url)
      const possible = (AT_ONCE * ROWS_PER_CALL * 1000) / LATENCY_MS
      const reached = (rows / sendingMs) * 1000
      const share = ((reached / possible) * 100).toFixed(0)
      say(
        `at ${LATENCY_MS} ms of latency, ${AT_ONCE} calls at once: ${round(reached)} rows a second, ${share} % of ${round(possible)} (goal: 90 %); peak ${peakMb.toFixed(0)} MB (goal: 125)`,
      )
      if (!withPhp) return
      const few = join(directory, 'few.csv')
      writeCsv(few, PHP_ROWS)
      const php = await runPhp(few, url)
      say(`that is ${(reached / ((php.rows / php.sendingMs) * 1000)).toFixed(1)} times the rate of PHP's loop (goal: 8)`)
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
