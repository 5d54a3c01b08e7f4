/** A server in front of a sandbox that changes replies, and the ways in which the list of a seller's items can be wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Passed {
  readonly request: IncomingMessage
  readonly body: Buffer
  readonly response: ServerResponse
  /** Lets the sandbox carry it out. */
  reply(): Promise<{ readonly status: number; readonly text: string }>
}

/** @param answer answers what is passed; one that throws breaks the connection */
export async function startBetween(target: string, answer: (passed: Passed) => Promise<void>) {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const reply = async () => {
      const headers = { 'content-type': String(request.headers['content-type']) }
      const given = await fetch(target + request.url, {
        method: request.method ?? 'GET',
        headers,
        ...(body.length > 0 ? { body } : {}),
      })
      return { status: given.status, text: await given.text() }
    }
    await answer({ request, body, response, reply })
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const RESULT = /<GetSellerItemsResult>.*<\/GetSellerItemsResult>|<GetSellerItemsResult\s*\/>/s
const ITEMS = /<Item>.*?<\/Item>/gs
const only = (xml: string, keep: (items: readonly string[]) => readonly string[]): string =>
  xml.replace(RESULT, (all) => `<GetSellerItemsResult>${keep(all.match(ITEMS) ?? []).join('')}</GetSellerItemsResult>`)

/** Damage to the list. The first four break the contract; the next three are lists that are too short. */
export const LIST_DAMAGES = {
  'no result': (xml) => xml.replace(RESULT, ''),
  nil: (xml) => xml.replace(RESULT, '<GetSellerItemsResult xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'),
  'of another seller': (xml) => xml.replaceAll(/(<Seller>\s*<Id>)\d+/g, '$199999'),
  'twice the same id': (xml) => only(xml, (items) => [...items, ...items.slice(-1)]),
  empty: (xml) => only(xml, () => []),
  half: (xml) => only(xml, (items) => items.slice(0, Math.floor(items.length / 2))),
  'first 10': (xml) => only(xml, (items) => items.slice(0, 10)),
  'without references': (xml) => xml.replaceAll(/<OwnReferences>.*?<\/OwnReferences>/gs, ''),
} as const satisfies Readonly<Record<string, (xml: string) => string>>

export type ListDamage = keyof typeof LIST_DAMAGES

/** One of the damages, by a number from 0 to 1. */
export function someDamage(random: number): (xml: string) => string {
  const all = Object.values(LIST_DAMAGES)
  return all[Math.floor(random * all.length)] ?? LIST_DAMAGES.empty
}

/** Removes items from the list. */
export const without =
  (...ids: readonly number[]) =>
  (xml: string): string =>
    only(xml, (items) => items.filter((item) => !ids.some((id) => item.includes(`<Id>${id}</Id>`))))

/** Removes one of the items, by a number from 0 to 1. */
export const withoutOne =
  (random: number) =>
  (xml: string): string =>
    only(xml, (items) => items.filter((_, at) => at !== Math.floor(random * items.length)))

/** Passes everything on, and damages the lists. @param way of the next reply; undefined for none */
export function startListDamager(target: string, way: () => ((xml: string) => string) | undefined) {
  return startBetween(target, async ({ request, body, response, reply }) => {
    const { status, text } = await reply()
    const damage = /<GetSellerItems[ >]/.test(body.toString('utf8')) ? way() : undefined
    const type = String(request.headers['content-type'] ?? 'text/xml')
    response.writeHead(status, { 'content-type': type }).end(damage === undefined ? text : damage(text))
  })
}
