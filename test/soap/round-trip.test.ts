import { expect } from 'chai'
import fc from 'fast-check'
import { type Operation, operations, parametersBeyondText } from '../../src/contract/index.js'
import { decodeRequest, decodeUrlParams, writePlainResult, writeReply } from '../../src/soap/server/index.js'
import { buildEnvelope, headerValues } from '../../src/soap/wire/encode.js'
import { expectedReply, plainReplyReader, type ReplyReader, soapReplyReader } from '../../src/soap/wire/reply.js'
import { textChunks } from '../../src/soap/wire/text.js'
import { encodeForm } from '../../src/soap/wire/url-form.js'
import { cut, places, valueOfField, valueOfFields } from './arbitraries.js'
import { NS } from './service.js'

const all = Object.entries(operations) as [string, Operation][]
const runs = { numRuns: 25 }

/** Reads bytes cut anywhere, and takes a list's entries out between the pieces as a stream does. */
function read(reader: ReplyReader, pieces: readonly Buffer[], streams: boolean): unknown {
  const text = textChunks(undefined)
  const taken: unknown[] = []
  for (const piece of pieces) {
    reader.write(text.push(piece))
    if (streams) taken.push(...reader.take())
  }
  text.end()
  reader.end()
  return streams ? [...taken, ...(reader.value as unknown[])] : reader.value
}

describe('what is written is what is read', () => {
  for (const [name, operation] of all) {
    const { result } = operation
    if (result !== undefined) {
      it(`the reply of ${name}, in both envelopes and bare, cut anywhere`, () => {
        fc.assert(
          fc.property(valueOfField(result), places, fc.constantFrom('1.1', '1.2'), (value, at, version) => {
            const streams = result.type.kind === 'list' && at.length % 2 === 0
            const envelope = Buffer.from([...writeReply(version as '1.1', NS, operation, value)].join(''))
            expect(read(soapReplyReader(expectedReply(operation)), cut(envelope, at), streams)).to.deep.equal(value)
            const plain = Buffer.from([...writePlainResult(NS, operation, value)].join(''))
            expect(read(plainReplyReader(expectedReply(operation)), cut(plain, at), streams)).to.deep.equal(value)
          }),
          runs,
        )
      })
    }

    it(`the request of ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(valueOfFields(operation.params), fc.constantFrom('1.1', '1.2'), async (params, version) => {
          const content = { service: operation.service, name: operation.name, operation, params }
          const values = headerValues({ appId: 7, appKey: 'k&y', userId: 8, token: '<t>' }, operation.user, {
            sandbox: 1,
            maxResultAge: 60,
          })
          const xml = await buildEnvelope(version as '1.1', NS, content, values, false)
          const decoded = decodeRequest(Buffer.from(xml), {
            operationOf: (element, namespace) => (namespace === NS && element === operation.name ? operation : undefined),
          })
          expect(decoded.version).to.equal(version)
          expect(decoded.params).to.deep.include(params)
          expect(decoded.headers).to.deep.equal({
            AuthenticationHeader: { AppId: 7, AppKey: 'k&y' },
            ...(operation.user ? { AuthorizationHeader: { UserId: 8, Token: '<t>' } } : {}),
            ConfigurationHeader: { Sandbox: 1, MaxResultAge: 60 },
          })
        }),
        runs,
      )
    })

    if (parametersBeyondText(operation).length === 0) {
      it(`the request of ${name} as a form`, () => {
        fc.assert(
          fc.property(valueOfFields(operation.params), (params) => {
            const content = { service: operation.service, name: operation.name, operation, params }
            const values = headerValues({ appId: 7 }, false, { sandbox: 0, maxResultAge: 0 })
            const pairs = new URLSearchParams(encodeForm(content, values, false))
            const decoded = decodeUrlParams(operation, pairs)
            for (const [param, value] of Object.entries(params)) {
              // The form cannot distinguish empty bytes from unset ones.
              if (value instanceof Uint8Array && value.length === 0) continue
              expect(decoded[param], param).to.deep.equal(value)
            }
          }),
          runs,
        )
      })
    }
  }
})
