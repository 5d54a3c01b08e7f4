/**
 * Many clients at once on one sandbox, with fault injection on. It fails if a request gets neither an answer nor a closed
 * connection, if the store is damaged, or if what was written and what is there differ.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_PROFILE, type SandboxServer, startSandbox } from '../src/sandbox/index.js'
import { openMarketplace } from '../src/sandbox/marketplace/index.js'
import { sequence } from '../src/system/random.js'
import { grow, integrityFaults } from '../test/grow.js'
import { printTable } from './measure.js'

export interface Load {
  readonly clients: number
  /** When to stop, whichever comes first. */
  readonly seconds?: number
  readonly calls?: number
}

export interface LoadResult {
  readonly calls: number
  /** By HTTP status, or `closed`. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly perSecond: number
  /** ms, including the injected latency. */
  readonly slowest: number
  /** Faults; empty if there is none. */
  readonly faults: readonly string[]
}

/** A request that gets no answer and no end in this time was forgotten, ms. */
const FORGOTTEN_MS = 120_000
const NS = SANDBOX_PROFILE.namespace
const { appId, appKey, userId, token } = SANDBOX_PROFILE
const CREDENTIALS = new URLSearchParams({ appId: String(appId), appKey, userId: String(userId), token })
const ADDED_TITLE = 'Tillagd under belastning'

interface Shot {
  readonly path: string
  readonly type?: string
  readonly body?: string
  readonly adds?: boolean
}

function soap(operation: string, inner: string, version: '1.1' | '1.2' = '1.2', service = 'RestrictedService'): Shot {
  const namespace = version === '1.1' ? 'http://schemas.xmlsoap.org/soap/envelope/' : 'http://www.w3.org/2003/05/soap-envelope'
  const body = `<e:Envelope xmlns:e="${namespace}"><e:Body><${operation} xmlns="${NS}">${inner}</${operation}></e:Body></e:Envelope>`
  const type = version === '1.1' ? 'text/xml; charset=utf-8' : 'application/soap+xml; charset=utf-8'
  return { path: `/v3/${service}.asmx?${CREDENTIALS}`, type, body }
}

const plain = (path: string): Shot => ({ path: `/v3/${path}${path.includes('?') ? '&' : '?'}${CREDENTIALS}` })

/** The requests of clients, cheap ones most often. */
function shots(ids: readonly number[], requests: readonly number[], random: () => number): Shot {
  const id = ids[Math.floor(random() * ids.length)] ?? 1
  const pick = Math.floor(random() * 40)
  if (pick < 8) return soap('GetItem', `<itemId>${id}</itemId>`)
  if (pick < 12) return plain(`PublicService.asmx/GetItem?itemId=${id}`)
  if (pick < 16) return soap('GetUserInfo', '', '1.1')
  if (pick < 22) {
    const price = 1 + Math.floor(random() * 5000)
    return soap(
      'SetPriceOnShopItems',
      `<request><ShopItems><SetPriceShopItem><Id>${id}</Id><Price>${price}</Price></SetPriceShopItem></ShopItems></request>`,
    )
  }
  if (pick < 28)
    return soap(
      'GetRequestResults',
      `<requestIds>${requests
        .slice(-20)
        .map((one) => `<int>${one}</int>`)
        .join('')}</requestIds>`,
    )
  if (pick < 32) {
    const fields = `<CategoryId>344481</CategoryId><Description>d</Description><Price>10</Price><AbsoluteQuantity>1</AbsoluteQuantity><AcceptedBuyerId>1</AcceptedBuyerId><Title>${ADDED_TITLE}</Title>`
    return { ...soap('AddShopItem', `<shopItemData>${fields}</shopItemData>`), adds: true }
  }
  if (pick < 34) return soap('RemoveShopItem', '<shopItemId>1</shopItemId>')
  if (pick < 36) return plain('PublicService.asmx/GetOfficalTime')
  if (pick < 37) return soap('GetSellerItems', '<filterActive>Active</filterActive><filterItemType>Auction</filterItemType>')
  if (pick < 38) return { path: '/v3/RestrictedService.asmx', type: 'text/xml', body: '<broken' }
  if (pick < 39) return { path: '/' }
  return { path: '/_sandbox/state' }
}

/** Sends one request; resolves with its status and text, or "closed". Rejects if it was forgotten. */
function fire(server: SandboxServer, agent: Agent, { path, type, body }: Shot): Promise<{ outcome: string; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': type ?? '', 'Content-Length': Buffer.byteLength(body) }
    const options = { host: '127.0.0.1', port: server.port, path, method: body === undefined ? 'GET' : 'POST', headers, agent }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ outcome: String(response.statusCode), text: Buffer.concat(chunks).toString('utf8') }))
      response.on('error', () => resolve({ outcome: 'closed', text: '' }))
    })
    sent.setTimeout(FORGOTTEN_MS, () => {
      reject(new Error(`${path.split('?')[0]} got no answer and no end in ${FORGOTTEN_MS} ms`))
      sent.destroy()
    })
    sent.on('error', () => resolve({ outcome: 'closed', text: '' }))
    sent.end(body)
  })
}

/** Runs the load on a new sandbox. */
export async function runLoad({
  clients,
  seconds = Number.POSITIVE_INFINITY,
  calls: most = Number.POSITIVE_INFINITY,
}: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'seller-load-'))
  const path = join(folder, 'sandbox.db')
  const faults: string[] = []
  const outcomes: Record<string, number> = {}
  const own: string[] = []
  const server = await startSandbox({
    path,
    faults: {
      latency: { minMs: 0, maxMs: 30 },
      dropBefore: 0.02,
      dropAfter: 0.02,
      unavailable: 0.01,
      queueDelayMs: 100,
      queueCodes: [{ codes: 'Error TryAgain', probability: 0.05 }],
      seed: 7,
    },
    log: (line) => {
      if (line.includes('itself failed')) own.push(line)
    },
  })
  const probe = openMarketplace({ path, clock: { now: Date.now } })
  const { first, last } = grow(path, 200)
  const ids = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const requests: number[] = []
  let calls = 0
  let slowest = 0
  let added = 0
  let maybeAdded = 0
  const started = performance.now()
  const ends = started + seconds * 1000

  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const random = sequence(number + 1)
    try {
      while (performance.now() < ends && calls < most) {
        const shot = shots(ids, requests, random)
        const begun = performance.now()
        const { outcome, text } = await fire(server, agent, shot)
        slowest = Math.max(slowest, performance.now() - begun)
        calls++
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        const queued = /<RequestId>(\d+)<\/RequestId>/.exec(text)?.[1]
        if (queued !== undefined) requests.push(Number(queued))
        if (shot.adds && outcome === '200') added++
        if (shot.adds && outcome === 'closed') maybeAdded++
      }
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    } finally {
      agent.destroy()
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const elapsed = (performance.now() - started) / 1000

  const expected = ['200', '400', '500', '503', 'closed']
  for (const outcome of Object.keys(outcomes))
    if (!expected.includes(outcome)) faults.push(`HTTP ${outcome} came ${outcomes[outcome]} times`)
  faults.push(...own, ...integrityFaults(path))
  // Requests that wait are carried out first, so that the two readings below show one state.
  probe.control.advance(1000)
  const pending = probe.console
    .requests(100_000)
    .filter(
      ({ operation, state, resultCode }) => operation === 'AddShopItem' && !(state === 'finished' && resultCode === 'Ok'),
    ).length
  const there = probe.console.items(100_000, 0).filter(({ title }) => title === ADDED_TITLE).length
  if (there + pending < added || there > added + maybeAdded) {
    faults.push(
      `${added} items were added for certain and up to ${maybeAdded} more, yet ${there} are there and ${pending} came to nothing or wait`,
    )
  }
  probe.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  return { calls, outcomes, perSecond: Math.round(calls / elapsed), slowest: Math.round(slowest), faults }
}

/** The whole load, and its result. @throws if anything is wrong */
export async function benchSandboxLoad(load: Load & { seconds: number } = { seconds: 30, clients: 100 }): Promise<void> {
  const { calls, outcomes, perSecond, slowest, faults } = await runLoad(load)
  printTable(
    `${load.clients} clients at once for ${load.seconds} s with fault injection; aim: every call answered or closed, the store whole`,
    [
      ['', 'calls'],
      ['all', `${calls}, ${perSecond} a second`],
      ...Object.entries(outcomes).map(([outcome, count]) => [outcome === 'closed' ? outcome : `HTTP ${outcome}`, String(count)]),
      ['slowest', `${slowest} ms`],
      ['wrong', String(faults.length)],
    ],
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
