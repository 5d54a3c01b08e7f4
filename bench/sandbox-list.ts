/**
 * The sandbox's answer to GetSellerItems of 10,000 items, compared with our client's reading of the same bytes. The sandbox
 * should be faster, so that measurements with it measure the client. Servers are separate processes: this file again, with what
 * to serve as argument.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SANDBOX_PROFILE, startSandbox } from '../src/sandbox/index.js'
import { openMarketplace } from '../src/sandbox/marketplace/index.js'
import { createClient } from '../src/soap/client/index.js'
import { grow } from '../test/grow.js'
import { median, printTable } from './measure.js'

const ROUNDS = 5
const { appId, appKey, userId, token, namespace } = SANDBOX_PROFILE
const CREDENTIALS = new URLSearchParams({ appId: String(appId), appKey, userId: String(userId), token })

/** A child that serves: the sandbox on a file, or the bytes of a file for any request. */
async function serve(kind: string, file: string): Promise<void> {
  if (kind === 'sandbox') {
    const { url } = await startSandbox({ path: file })
    process.send?.(url)
    return
  }
  const bytes = readFileSync(file)
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('Content-Type', 'application/soap+xml; charset=utf-8')
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

function child(kind: string, file: string): Promise<{ url: string; process: ChildProcess }> {
  const started = fork(fileURLToPath(import.meta.url), ['serve', kind, file], { execArgv: ['--import', 'tsx'] })
  return new Promise((resolve, reject) => {
    started.once('message', (url) => resolve({ url: String(url), process: started }))
    started.once('exit', (code) => reject(new Error(`The ${kind} child ended with ${code}.`)))
  })
}

const ENVELOPE = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body><GetSellerItems xmlns="${namespace}"><categoryId>0</categoryId><filterActive>All</filterActive><filterItemType>All</filterItemType></GetSellerItems></e:Body></e:Envelope>`

/** ms until the whole reply has come, and the reply. */
function drain(baseUrl: string): Promise<{ ms: number; body: Buffer }> {
  const begun = performance.now()
  const url = `${baseUrl}/v3/RestrictedService.asmx?${CREDENTIALS}`
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { 'Content-Type': 'application/soap+xml' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ ms: performance.now() - begun, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject)
    sent.end(ENVELOPE)
  })
}

async function readBy(baseUrl: string): Promise<{ ms: number; items: number }> {
  const client = createClient({ baseUrl, namespace, credentials: { appId, appKey, userId, token } })
  const begun = performance.now()
  let items = 0
  const params = {
    categoryId: 0,
    filterActive: 'All',
    minEndDate: null,
    maxEndDate: null,
    filterItemType: 'All',
    maxStartDate: null,
  } as const
  for await (const item of client.stream('GetSellerItems', params)) if (item.Id > 0) items++
  const ms = performance.now() - begun
  client.close()
  return { ms, items }
}

export async function benchSandboxList(count = 10_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'seller-list-'))
  const children: ChildProcess[] = []
  try {
    const file = join(folder, 'sandbox.db')
    openMarketplace({ path: file, clock: { now: Date.now } }).close()
    grow(file, count)
    const sandbox = await child('sandbox', file)
    children.push(sandbox.process)
    const answers: number[] = []
    const reply = join(folder, 'reply.xml')
    let bytes = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { ms, body } = await drain(sandbox.url)
      answers.push(ms)
      bytes = body.length
      writeFileSync(reply, body)
    }
    const canned = await child('canned', reply)
    children.push(canned.process)
    const readings: number[] = []
    let items = 0
    for (let round = 0; round < ROUNDS; round++) {
      const reading = await readBy(canned.url)
      readings.push(reading.ms)
      items = reading.items
    }
    const answer = median(answers)
    const reading = median(readings)
    printTable(
      `A list of ${items} items (${(bytes / 1e6).toFixed(0)} MB), median of ${ROUNDS}; aim: the sandbox answers faster than the client reads`,
      [
        ['', 'wall ms'],
        ['the sandbox answers', answer.toFixed(0)],
        ['the client reads the same bytes', reading.toFixed(0)],
        ['the client takes', `${(reading / answer).toFixed(2)} times as long`],
      ],
    )
  } finally {
    for (const one of children) one.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, kind = '', file = ''] = process.argv.slice(2)
  await serve(kind, file)
}
