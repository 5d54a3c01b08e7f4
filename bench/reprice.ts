/**
 * Reprices a shop from a CSV: a million rows through a service on loopback that answers at once, with the durable ledger on,
 * compared with a plain loop on node-soap over 20,000 rows; memory from 100,000 to 1,000,000 rows; and the same with 40 ms of
 * latency and 8 calls at once. Goals: 4 times node-soap's rows per CPU second, under 180 MB and flat, exactly 2,000 sending
 * calls, 90 % of the rate that latency allows. `REPRICE_ROWS` makes the large run smaller on a busy machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wsdlOf } from '../src/sandbox/wsdl/document.js'
import { bundled, withService } from './loopback-service.js'
import { measureProgram, median, printTable, say } from './measure.js'

const ROWS = Number(process.env.REPRICE_ROWS ?? 1_000_000)
const FEWER_ROWS = ROWS / 10
const BESIDE_ROWS = 20_000
const ROWS_PER_CALL = 500
const LATENCY_MS = 40
const AT_ONCE = 8
const ROUNDS = 3

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

    await withService(loopback, [], async (url) => {
      const pairs: { ours: Run; theirs: Run }[] = []
      for (let at = 0; at < ROUNDS; at++)
        pairs.push({ theirs: await run('node-soap', beside, url), ours: await run('seller', large, url) })
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
        ],
      )
      const times = median(pairs.map(({ ours, theirs }) => rowsPerSecond(ours) / rowsPerSecond(theirs)))
      const peak = median(pairs.map((pair) => pair.ours.peakMb))
      say(`seller does ${times.toFixed(1)} times node-soap's rows per CPU second (aim: 4)`)
      say(
        `peak memory ${peak.toFixed(0)} MB (aim: under 180), ${(peak / small.peakMb).toFixed(2)} times that of a tenth of the rows`,
      )
      const calls = pairs[0]?.ours.calls
      say(`sending calls: ${calls} (aim: exactly ${Math.ceil(ROWS / ROWS_PER_CALL)})`)
    })

    await withService(loopback, [LATENCY_MS], async (url) => {
      const { rows, sendingMs } = await run('seller', large, url)
      const possible = (AT_ONCE * ROWS_PER_CALL * 1000) / LATENCY_MS
      const reached = (rows / sendingMs) * 1000
      const share = ((reached / possible) * 100).toFixed(0)
      say(
        `at ${LATENCY_MS} ms of latency, ${AT_ONCE} calls at once: ${round(reached)} rows a second, ${share} % of ${round(possible)} (aim: 90 %)`,
      )
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
