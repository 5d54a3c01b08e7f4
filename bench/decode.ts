/**
 * Decodes a GetSellerItems reply of 10,000 items (about 20 MB), compared with xml2js, node-soap's parser, and PHP's SoapClient,
 * libxml2's stream and zeep if they are installed; and our peak memory for a list ten times as long. Goals: 6 times as fast as
 * node-soap and 1.8 times as fast as PHP, which is written in C; 75 MB for 100,000 items, 1.15 times that of 10,000.
 */
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { build } from 'esbuild'
import { type EntryOf, operations } from '../src/contract/index.js'
import { buildWsdl } from '../src/sandbox/wsdl/document.js'
import { writeReply } from '../src/soap/server/index.js'
import { item } from './item.js'
import {
  type Contender,
  type Cost,
  measureProgram,
  median,
  plainEnvironment,
  printTable,
  ratio,
  say,
  sayFaster,
  takeTurns,
} from './measure.js'

const NAMESPACE = 'http://bench.example/api'
const ROUNDS = 5
/** Ends the names of contenders that read only the fields of a plan, and are compared with each other. */
const FEW = ', 9 fields'

/** Decoders of other languages, and how to check whether they are installed. */
const ELSEWHERE = [
  {
    name: "PHP's SoapClient",
    command: 'php',
    script: 'decode-one.php',
    check: ['-r', 'exit(extension_loaded("soap") ? 0 : 1);'],
  },
  {
    name: "libxml2's stream (PHP's XMLReader), 9 fields",
    command: 'php',
    script: 'decode-stream.php',
    check: ['-r', 'exit(extension_loaded("xmlreader") ? 0 : 1);'],
  },
  { name: 'zeep', command: 'python3', script: 'decode-one.py', check: ['-c', 'import zeep'] },
]

function* items(count: number): Generator<EntryOf<'GetSellerItems'>> {
  for (let id = 1; id <= count; id++) yield item(id)
}

async function writeList(path: string, count: number): Promise<number> {
  await pipeline(Readable.from(writeReply('1.2', NAMESPACE, operations.GetSellerItems, items(count))), createWriteStream(path))
  return statSync(path).size / 1e6
}

export async function benchDecode(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'seller-bench-'))
  // Bundled like the product, but inside node_modules, where the other parsers are found.
  const program = new URL('../node_modules/.cache/seller-bench/decode-one.mjs', import.meta.url).pathname
  try {
    await build({
      entryPoints: [new URL('decode-one.ts', import.meta.url).pathname],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['xml2js', 'soap'],
      logLevel: 'error',
    })
    const [short, long, wsdl] = [join(directory, 'short.xml'), join(directory, 'long.xml'), join(directory, 'service.wsdl')]
    const size = await writeList(short, 10_000)
    const longSize = await writeList(long, 100_000)
    writeFileSync(wsdl, buildWsdl('RestrictedService', NAMESPACE, 'http://127.0.0.1:1'))

    const read: string[] = []
    const run = async (decoder: string, file: string): Promise<Cost> => {
      const cost = await measureProgram([program, decoder, file, wsdl], plainEnvironment())
      if (file === short) read.push(cost.note ?? '')
      return cost
    }
    const contenders: Contender[] = ['seller', 'seller, 9 fields', 'xml2js', 'node-soap'].map((name) => ({
      name,
      run: () => run(name, short),
    }))
    for (const { name, command, script, check } of ELSEWHERE) {
      if (spawnSync(command, check, { stdio: 'ignore' }).status !== 0) {
        say(`${name} is not installed, and is left out.`)
        continue
      }
      const program = new URL(script, import.meta.url).pathname
      const once = async () => {
        const cost = await measureProgram([program, short, wsdl], plainEnvironment(), command)
        read.push(cost.note ?? '')
        return cost
      }
      contenders.push({ name, run: once })
    }
    const costs = await takeTurns(contenders, ROUNDS)
    if (new Set(read).size !== 1) throw new Error(`the decoders did not read the same: ${[...new Set(read)].join(', ')}`)

    const of = (name: string, by: keyof Cost) => median((costs.get(name) ?? []).map((cost) => cost[by]))
    printTable(
      `Decoding 10,000 items (${size.toFixed(0)} MB), median of ${ROUNDS} rounds taking turns; aims: 6 times node-soap, 1.8 times PHP`,
      [
        ['', 'MB per CPU second', 'seller is faster', 'peak MB'],
        ...contenders.map(({ name }) => [
          name,
          (size / (of(name, 'cpuMs') / 1000)).toFixed(0),
          `${ratio(costs, name, 'seller', 'cpuMs').toFixed(1)} times`,
          of(name, 'peakMb').toFixed(0),
        ]),
      ],
    )
    sayFaster(
      contenders.slice(2),
      (name) => ratio(costs, name, name.endsWith(FEW) ? `seller${FEW}` : 'seller', 'cpuMs'),
      'reads the list',
    )
    const peaks = (await takeTurns([{ name: 'long', run: () => run('seller', long) }], 3)).get('long') ?? []
    const peak = median(peaks.map((cost) => cost.peakMb))
    say(
      `100,000 items (${longSize.toFixed(0)} MB): peak ${peak.toFixed(0)} MB, ${(peak / of('seller', 'peakMb')).toFixed(2)} times that of 10,000; aims: 75 MB, 1.15 times`,
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
