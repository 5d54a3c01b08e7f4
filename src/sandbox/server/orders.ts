/** Sends commands to a running sandbox's control plane, from another process. */
import { request } from 'node:http'

const ANSWER_WITHIN_MS = 30_000

/**
 * Posts one command as JSON and returns the answer.
 * @param url of the sandbox, `http://127.0.0.1:PORT`
 * @throws {Error} with the server's own message if it refuses, or saying that there is none
 */
export async function sendOrder(url: string, action: string, body: object): Promise<unknown> {
  const { status, text } = await post(new URL(`/_sandbox/${action}`, url), JSON.stringify(body))
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new Error(`The server at ${url} is not a sandbox (HTTP ${status}). Give the address that sandbox:start printed.`)
  }
  if (status === 200) return answer
  const { error } = answer as { error?: unknown }
  throw new Error(typeof error === 'string' ? error : `The sandbox at ${url} refused with HTTP ${status}.`)
}

function post(url: URL, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', headers, timeout: ANSWER_WITHIN_MS, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }))
      response.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`it did not answer within ${ANSWER_WITHIN_MS / 1000} s`)))
    sent.on('error', (error) =>
      reject(new Error(`No sandbox answers at ${url.origin}: ${error.message}. Start one with sandbox:start.`)),
    )
    sent.end(body)
  })
}
