/** A home whose service answers what a test sets; by default well-formed replies, for ids that are all 7. */
import type { ServerResponse } from 'node:http'
import { type Operation, operationsOf } from '../../src/contract/index.js'
import { replyOf } from '../soap/damage.js'
import { NS, type Service, SOAP_TYPE, startService } from '../soap/service.js'
import { type Home, openHome } from './harness.js'

/** Secrets of the profile. They must not appear in anything that a command writes. */
export const SECRETS = { key: 'a-planted-key-nobody-may-see', token: 'a-planted-token-nobody-may-see' } as const

export interface Reply {
  readonly status?: number
  readonly type?: string
  readonly body: string
  /** Bytes after which the connection is cut. */
  readonly cutAfter?: number
}

export interface HostileHome extends Home {
  /** Sets the answer of an operation; a text is the body of a reply with HTTP 200. Other operations get a well-formed reply. */
  answer(reply: (operation: Operation, request: string) => Reply | string | undefined): void
  /** Writes each reply by hand, in place of `answer`. */
  write(reply: (response: ServerResponse) => void): void
  /** Operations called since the last look. */
  calls(): string[]
}

export async function openHostile(): Promise<HostileHome> {
  const called: string[] = []
  let reply: Parameters<HostileHome['answer']>[0] = () => undefined
  let byHand: Parameters<HostileHome['write']>[0] | undefined
  const service: Service = await startService(({ url, body }, response) => {
    // It has no description.
    if (/\?wsdl$/i.test(url)) return void response.writeHead(404).end()
    const operation = operationOf(url, body)
    called.push(operation.name)
    if (byHand !== undefined) return byHand(response)
    const given = reply(operation, body) ?? replyOf(operation)
    const {
      status = 200,
      type = SOAP_TYPE['content-type'],
      body: text,
      cutAfter,
    } = typeof given === 'string' ? { body: given } : given
    const bytes = Buffer.from(text)
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
    if (cutAfter === undefined) response.end(bytes)
    else response.write(bytes.subarray(0, cutAfter), () => response.destroy())
  })
  const home = await openHome()
  Object.assign(home.env, {
    SELLER_BASE_URL: service.url,
    SELLER_NAMESPACE: NS,
    SELLER_APP_ID: '1',
    SELLER_APP_KEY: SECRETS.key,
    SELLER_USER_ID: '7',
    SELLER_TOKEN: SECRETS.token,
  })
  const more = {
    answer(next: typeof reply) {
      reply = next
    },
    write(next: NonNullable<typeof byHand>) {
      byHand = next
    },
    calls: () => called.splice(0),
    async close() {
      await home.close()
      await service.close()
    },
  }
  // Not a prototype: the getters of the home must stay getters.
  return Object.defineProperties(more as unknown as HostileHome, {
    ...Object.getOwnPropertyDescriptors(home),
    ...Object.getOwnPropertyDescriptors(more),
  })
}

/** By the address in the HTTP forms, otherwise by the first element of the body. */
function operationOf(url: string, body: string): Operation {
  const [, service = 'RestrictedService', path] = /\/v3\/(\w+)\.asmx(?:\/(\w+))?/.exec(url) ?? []
  const name = path ?? /Body>\s*<(\w+)/.exec(body)?.[1] ?? ''
  const found = operationsOf(service as 'RestrictedService' | 'PublicService', 'all')[name]
  if (found === undefined) throw new Error(`no such operation: ${url} ${name}`)
  return found
}

export function fault(text: string, code: 'Sender' | 'Receiver' = 'Receiver'): Reply {
  return {
    status: 500,
    body: `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:${code}</s:Value></s:Code><s:Reason><s:Text xml:lang="en">${text}</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`,
  }
}
