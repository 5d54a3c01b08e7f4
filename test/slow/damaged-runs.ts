/**
 * The built `seller shop:price` and `shop:add` against a service that carries out its calls and damages its replies: cut off,
 * with a field missing, repeated or 0, an entry or a whole list that is wrong, faults of 1 MB before and after the work, web
 * pages. Then it does what a seller would do: resume the job. Shared by the test with few rows and by `npm run soak` with many.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sequence } from '../../src/system/random.js'
import { someDamage, startBetween } from '../e2e/damaged-lists.js'
import { type Home, openHome } from '../e2e/harness.js'
import { pricesOf, stock } from '../e2e/shop.js'

export interface DamagedRuns {
  readonly rows: number
  /** Items that are added, a call each. */
  readonly additions: number
  readonly seed: number
  /** Share of replies that are damaged, 0 to 1. */
  readonly share: number
}

export interface DamagedOutcome {
  /** Commands it took, the first one included. */
  readonly runs: number
  /** Replies that were damaged, by the way. */
  readonly damaged: Readonly<Record<string, number>>
  readonly ledgerBytes: number
  /** Figures of the same work without damage. */
  readonly undisturbedBytes: number
  /** The largest process, MB. */
  readonly peakMB: number
  /** Additions whose outcome stayed unknown, for the seller to look at. */
  readonly unknown: number
}

const MOST_RUNS = 300
const RELIED = /<(RequestId|ItemId|OrderId|ResultCode|Id)>[^<]*<\/\1>/g
const ENTRY = /<(RequestResult|QueuedRequestResponse|SellerOrder|FreightLabel)>.*?<\/\1>/s
const MEGABYTE = 'x'.repeat(1024 * 1024)
const FAULT = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">Server was unable to process request. ---&gt; ${MEGABYTE}</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`

type Way = 'cut' | 'missing' | 'repeated' | 'zero' | 'entry twice' | 'fault' | 'fault before' | 'page' | 'list'
const WAYS: readonly Way[] = ['cut', 'missing', 'repeated', 'zero', 'entry twice', 'fault', 'fault before', 'page', 'list']

/** Changes one element that decisions depend on; returns the text unchanged if there is none. */
function changed(xml: string, random: () => number, change: (element: string, name: string) => string): string {
  const found = [...xml.matchAll(RELIED)]
  const match = found[Math.floor(random() * found.length)]
  if (match === undefined) return xml
  return xml.slice(0, match.index) + change(match[0], match[1] ?? '') + xml.slice(match.index + match[0].length)
}

/** A server in front of the sandbox that damages some of its replies. */
export async function startDamager(target: string, seed: number, most: number) {
  let share = most
  const random = sequence(seed)
  const damaged: Record<string, number> = {}
  const soap = { 'content-type': 'application/soap+xml; charset=utf-8' }
  const server = await startBetween(target, async ({ response, reply }) => {
    const way = random() < share ? WAYS[Math.floor(random() * WAYS.length)] : undefined
    if (way !== undefined) damaged[way] = (damaged[way] ?? 0) + 1
    if (way === 'fault before') return void response.writeHead(500, soap).end(FAULT)
    const { status, text: xml } = await reply()
    const send = (body: string) => void response.writeHead(status, soap).end(body)
    switch (way) {
      case 'cut':
        response.writeHead(200, { ...soap, 'content-length': Buffer.byteLength(xml) })
        return void response.write(xml.slice(0, Math.floor(random() * xml.length)), () => response.destroy())
      case 'missing':
        return send(changed(xml, random, () => ''))
      case 'repeated':
        return send(changed(xml, random, (element) => element + element))
      case 'zero':
        return send(changed(xml, random, (_element, name) => `<${name}>0</${name}>`))
      case 'entry twice':
        return send(xml.replace(ENTRY, (entry) => entry + entry))
      case 'fault':
        return void response.writeHead(500, soap).end(FAULT)
      case 'page':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
      case 'list':
        return send(someDamage(random())(xml))
      default:
        return send(xml)
    }
  })
  /** From now on nothing is damaged. */
  const rest = (): void => {
    share = 0
  }
  return { ...server, damaged, rest }
}

interface Shop {
  readonly home: Home
  readonly ids: readonly number[]
  readonly prices: readonly number[]
  readonly file: string
  readonly additions: string
}

async function openShop({ rows, additions }: DamagedRuns): Promise<Shop> {
  const home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
  const ids = await stock(
    home,
    Array.from({ length: rows }, (_, at) => 200 + (at % 90)),
  )
  const prices = ids.map((_, at) => 200 + ((at * 7 + 13) % 90))
  const file = await home.file('prices.csv', `Id,Price\n${ids.map((id, at) => `${id},${prices[at]}`).join('\n')}\n`)
  const items = Array.from({ length: additions }, (_, at) => `Ny vara ${at};344481;${100 + at}`)
  return { home, ids, prices, file, additions: await home.file('items.csv', `Title;CategoryId;Price\n${items.join('\n')}\n`) }
}

/** Runs a command, then resumes its job until it is over. @returns how many commands it took */
async function carryOut({ home }: Shop, args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const newest = async () => {
    const [job] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
    return job as { JobId: number; State: string; Counts: Record<string, number> } | undefined
  }
  const before = (await newest())?.JobId ?? 0
  let next: readonly string[] = args
  for (let runs = 1; runs <= MOST_RUNS; runs++) {
    const run = await home.spawn([...next, '--json'], { env }).done
    const job = await newest()
    const made = job !== undefined && job.JobId > before
    if (made && (job.State === 'ok' || job.State === 'unknown')) return runs
    if (run.code === 0) throw new Error(`exit 0, but the job is ${JSON.stringify(job)}: ${run.stderr}`)
    next = made ? ['jobs:resume', String(job.JobId), '--wait', '--timeout', '20s', '--retry-failed'] : args
  }
  throw new Error(`${args.join(' ')} did not end in ${MOST_RUNS} runs`)
}

const wait = ['--yes', '--wait', '--timeout', '20s'] as const

/** Does the work with and without damage; throws what is wrong. */
export async function damagedRuns(options: DamagedRuns): Promise<DamagedOutcome> {
  const [shop, undisturbed] = [await openShop(options), await openShop(options)]
  const damager = await startDamager(shop.home.sandbox.url, options.seed, options.share)
  try {
    for (const args of [
      ['shop:price', '--file', undisturbed.file],
      ['shop:add', '--file', undisturbed.additions],
    ]) {
      if ((await carryOut(undisturbed, [...args, ...wait], {})) !== 1) throw new Error('the undisturbed run was disturbed')
    }
    const peaks = join(shop.home.dir, 'peaks')
    // At its end, each process reports its size: kilobytes (getrusage).
    const teller = `process.on('exit',()=>require('node:fs').appendFileSync(${JSON.stringify(peaks)},process.resourceUsage().maxRSS+'\\n'))`
    const preload = await shop.home.file('peak.cjs', teller)
    const env = { SELLER_BASE_URL: damager.url, NODE_OPTIONS: `--require=${preload}` }
    let runs = await carryOut(shop, ['shop:price', '--file', shop.file, ...wait], env)
    const live = await pricesOf(shop.home, shop.ids)
    const wrong = shop.ids.filter((_, at) => live[at] !== shop.prices[at])
    if (wrong.length > 0) throw new Error(`${wrong.length} prices are not those of an undisturbed run: ${wrong.slice(0, 5)}`)
    runs += await carryOut(shop, ['shop:add', '--file', shop.additions, ...wait], env)
    const unknown = await checkAdditions(shop, options.additions)
    return {
      runs,
      damaged: damager.damaged,
      ledgerBytes: ledgerBytes(shop.home),
      undisturbedBytes: ledgerBytes(undisturbed.home),
      peakMB: Math.max(...readFileSync(peaks, 'utf8').trim().split('\n').map(Number)) / 1024,
      unknown,
    }
  } finally {
    damager.close()
    await shop.home.close()
    await undisturbed.home.close()
  }
}

/** Checks that every item is there once, or unknown in the ledger. @returns how many are unknown */
async function checkAdditions({ home }: Shop, additions: number): Promise<number> {
  const items = (await home.seller('items:list', '--type', 'shop', '--columns', 'ShortDescription', '--json')).json()
  const titles = (items as { ShortDescription: string }[]).map(({ ShortDescription }) => ShortDescription)
  const [{ JobId, Counts }] = (await home.seller('jobs:list', '--limit', '1', '--json')).json()
  const { Rows } = (await home.seller('jobs:show', String(JobId), '--json')).json()
  for (const { Payload, State } of Rows as { Payload: { Title: string }; State: string }[]) {
    const there = titles.filter((title) => title === Payload.Title).length
    if (there > 1) throw new Error(`${Payload.Title} is there ${there} times`)
    if (State === 'ok' ? there !== 1 : State !== 'unknown')
      throw new Error(`${Payload.Title} is ${State} and there ${there} times`)
  }
  if (Rows.length !== additions) throw new Error(`the job has ${Rows.length} rows of ${additions}`)
  return Counts.unknown
}

function ledgerBytes(home: Home): number {
  return statSync(join(home.dataDir, 'ledger.db')).size
}
