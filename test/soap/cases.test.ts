import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type OperationName, operations } from '../../src/contract/index.js'
import { createClient, SoapError } from '../../src/soap/client/index.js'
import { opened } from '../opened.js'
import { SOAP_TYPE, startService } from './service.js'

/**
 * One folder per case: `args.json` has the caller's parameters, `request.xml` what is sent, `response.xml` what comes back,
 * `result.json` what the caller gets (`{"error": …}` for a refusal). White space between tags does not count. `{"$base64": "…"}`
 * means bytes. UPDATE_CASES=1 rewrites request.xml and result.json, which must be read
 * before they are committed.
 */
const cases = join(import.meta.dirname, 'cases')
const folders = readdirSync(cases).sort()

describe('cases of the wire', () => {
  const service = opened(() =>
    startService((_asked, response) => {
      response.writeHead(reply.status, SOAP_TYPE)
      response.end(reply.body)
    }),
  )
  let reply = { status: 200, body: '' }

  for (const folder of folders) {
    const name = folder.split('__')[0] as OperationName
    it(folder, async () => {
      const read = (file: string) => readFileSync(join(cases, folder, file), 'utf8')
      const keep = (file: string, text: string) => {
        const path = join(cases, folder, file)
        if (process.env.UPDATE_CASES || !existsSync(path)) writeFileSync(path, text)
      }
      const body = read('response.xml')
      reply = { status: body.includes('Fault>') ? 500 : 200, body }
      const client = createClient({
        baseUrl: service.url,
        namespace: 'http://ns.example/v3',
        credentials: { appId: 1234, appKey: 'an-application-key', userId: 5678, token: 'a-user-token' },
      })
      const params = JSON.parse(read('args.json'), (_key, value) =>
        value?.$base64 === undefined ? value : Buffer.from(value.$base64, 'base64'),
      )
      const result = await client.callAny(name, params).catch((error: unknown) => {
        if (!(error instanceof SoapError)) throw error
        const { kind, faultCode, faultString, httpStatus } = error
        return { error: { kind, faultCode, faultString, httpStatus } }
      })
      client.close()
      const sent = service.asked.at(-1)!
      keep('request.xml', indented(sent.body))
      keep('result.json', `${JSON.stringify(asJson(result), null, 2)}\n`)
      expect(sent.url).to.equal(`/v3/${operations[name].service}.asmx`)
      expect(dense(sent.body)).to.equal(dense(read('request.xml')))
      expect(asJson(result)).to.deep.equal(JSON.parse(read('result.json')))
    })
  }
})

function dense(xml: string): string {
  return xml.trim().replace(/>\s+</g, '><')
}

/** One element per line, for the reader of a new case. */
function indented(xml: string): string {
  let depth = 0
  const lines = dense(xml)
    .replace(/></g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--
      const text = '  '.repeat(depth) + line
      if (/^<[^/?]/.test(line) && !line.includes('</') && !line.endsWith('/>')) depth++
      return text
    })
  return `${lines.join('\n')}\n`
}

/** Bytes as `{"$base64": …}`, and no undefined. */
function asJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, entry) =>
      entry?.type === 'Buffer' ? { $base64: Buffer.from(entry.data).toString('base64') } : entry,
    ),
  )
}
