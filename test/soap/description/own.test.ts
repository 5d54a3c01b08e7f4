/** The descriptions that the sandbox makes from the contract, read back. */
import { expect } from 'chai'
import fc from 'fast-check'
import {
  checkInput,
  type Field,
  type Fields,
  headerNames,
  type Operation,
  operationsOf,
  resolved,
  type Type,
} from '../../../src/contract/index.js'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'
import { readDescription } from '../../../src/soap/description/index.js'
import { buildEnvelope } from '../../../src/soap/wire/encode.js'
import { expectedReply, soapReplyReader } from '../../../src/soap/wire/reply.js'
import { anyText } from '../../any-text.js'
import { valueOfField, valueOfFields } from '../arbitraries.js'
import { ADDRESS, changed, differencesOf, entries, NS, operationsIn, SERVICES } from './support.js'

/**
 * Any address with a path and a query. fast-check's own `webUrl` first maps all 1.1 million characters that a path may have,
 * which takes half a second each time.
 */
const anyAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), anyPart('/'), anyPart('&'))
  .map(([scheme, authority, path, query]) => `${scheme}://${authority}/${path}?${query}`)

/** Part of an address: any characters in the form that an address has them, and those that it has as they are. */
function anyPart(separator: string): fc.Arbitrary<string> {
  const encoded = anyText(4).map((text) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '')))
  const piece = fc.oneof(encoded, fc.constantFrom(...";,/?:@&=+$-_.!~*'()"))
  return fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(separator))
}

/** A type as far as a description can express it: without limits, and with only the name of a type that contains itself. */
function plain(type: Type, inside: readonly string[] = []): unknown {
  const form = resolved(type)
  if (form.kind === 'struct') {
    if (inside.includes(form.name)) return { again: form.name }
    return { struct: form.name, fields: plainFields(form.fields, [...inside, form.name]) }
  }
  if (form.kind === 'list') return { ...form, item: plain(form.item, inside) }
  return form
}

const plainField = ({ type, min, nillable, repeated, attribute }: Field, inside: readonly string[]) => ({
  type: plain(type, inside),
  min,
  nillable,
  repeated,
  attribute,
})

/** In order, because that is the order on the wire. */
const plainFields = (fields: Fields, inside: readonly string[]) =>
  Object.entries(fields).map(([name, field]) => [name, plainField(field, inside)])

const plainOperation = ({
  params,
  result,
  rules: _,
  alsoAccepts: __,
  otherForm: _____,
  internal: ___,
  replyRule: ____,
  ...rest
}: Operation) => ({
  ...rest,
  params: plainFields(params, []),
  result: result === undefined ? undefined : plainField(result, []),
})

for (const service of SERVICES) {
  describe(`the description of ${service}`, () => {
    const description = readDescription(buildWsdl(service, NS, ADDRESS.replace('RestrictedService', service)))

    it('gives back every operation, type, order and occurrence of the contract', () => {
      expect([...description.operations.keys()]).to.deep.equal(operationsIn(service).map(({ name }) => name))
      for (const known of operationsIn(service)) {
        expect(plainOperation(description.operations.get(known.name)!.operation), known.name).to.deep.equal(plainOperation(known))
      }
      expect(description.unread).to.deep.equal([])
    })

    it('gives back name, namespace, addresses, headers and bindings', () => {
      expect(description).to.include({ service, serviceName: service, namespace: NS })
      expect(new Set(description.addresses.map(({ url }) => url))).to.deep.equal(
        new Set([ADDRESS.replace('RestrictedService', service)]),
      )
      expect(description.addresses.map(({ binding }) => binding)).to.deep.equal(['soap11', 'soap12', 'get', 'post'])
      expect([...description.headers.keys()]).to.deep.equal(headerNames(service))
      for (const { headers, bindings, soapAction, operation } of description.operations.values()) {
        expect(headers).to.deep.equal(headerNames(service))
        expect(bindings).to.include.members(['soap11', 'soap12'])
        expect(soapAction).to.equal(`${NS}/${operation.name}`)
      }
    })

    it('differs from the contract in nothing, whatever the namespace and address', () => {
      fc.assert(
        fc.property(anyAddress, anyAddress, (namespace, address) => {
          const read = readDescription(buildWsdl(service, namespace, address), { service })
          expect(read.namespace).to.equal(namespace)
          expect(read.addresses[0]?.url).to.equal(address)
        }),
        { numRuns: 5 },
      )
      expect(differencesOf(service, operationsIn(service))).to.deep.equal([])
    })

    it('differs in nothing when any part of the operations is left out or their order is another', () => {
      fc.assert(
        fc.property(fc.shuffledSubarray(operationsIn(service), { minLength: 1 }), (some) => {
          const found = differencesOf(service, some)
          const gone = operationsIn(service)
            .filter((operation) => !some.includes(operation))
            .map(({ name }) => name)
          expect(found.filter(({ kind }) => kind !== 'operation_missing')).to.deep.equal([])
          expect(found.map(({ operation }) => operation)).to.have.members(gone)
        }),
        { numRuns: 15 },
      )
    })

    it('serves to check, encode and decode as the contract does', async () => {
      for (const known of operationsIn(service)) {
        const { operation } = description.operations.get(known.name)!
        const values = fc.sample(valueOfFields(known.params), { numRuns: 5, seed: 7 })
        for (const params of values) {
          const inContract = { ...known, params: bare(known.params), rules: undefined }
          expect(checkInput(operation, params), known.name).to.deep.equal(checkInput(inContract, params))
          const content = { service, name: known.name, params }
          const headers = {
            AuthenticationHeader: { AppId: 1 },
            AuthorizationHeader: null,
            ConfigurationHeader: { Sandbox: 0, MaxResultAge: 0 },
          }
          const [one, other] = await Promise.all(
            [known, operation].map((each) => buildEnvelope('1.2', NS, { ...content, operation: each }, headers, false)),
          )
          expect(one, known.name).to.equal(other)
        }
        if (known.result === undefined) continue
        const [value] = fc.sample(valueOfField(known.result), { numRuns: 1, seed: 7 })
        const reply = await replyWith(known, value)
        const read = [known, operation].map((each) => {
          const reader = soapReplyReader(expectedReply(each))
          reader.write(reply)
          reader.end()
          return reader.value
        })
        expect(read[0], known.name).to.deep.equal(read[1])
      }
    })
  })
}

/** The parameters without the limits that only the contract knows. */
function bare(fields: Fields): Fields {
  const holder: Operation = { ...(operationsOf('PublicService').GetItem as Operation), name: 'Bare', params: fields }
  const strip = (inner: Fields): Fields =>
    entries(inner, (all) => all.map(([name, field]) => [name, { ...field, rule: undefined }]))
  const names = new Set<string>()
  const collect = (type: Type): void => {
    const form = resolved(type)
    if (form.kind === 'list') collect(form.item)
    if (form.kind !== 'struct' || names.has(form.name)) return
    names.add(form.name)
    for (const field of Object.values(form.fields)) collect(field.type)
  }
  for (const field of Object.values(fields)) collect(field.type)
  let [changedHolder] = changed([holder], 'Bare', strip)
  for (const name of names) [changedHolder] = changed([changedHolder as Operation], name, strip)
  return changedHolder!.params
}

/** A reply envelope with a value as the operation's result, encoded as a request would be. */
async function replyWith({ name, service, result }: Operation, value: unknown): Promise<string> {
  const operation: Operation = {
    ...(operationsOf(service)[name] as Operation),
    name: `${name}Response`,
    params: { [`${name}Result`]: result! },
  }
  const content = { service, name: `${name}Response`, operation, params: { [`${name}Result`]: value } }
  const headers = {
    AuthenticationHeader: { AppId: 1 },
    AuthorizationHeader: null,
    ConfigurationHeader: { Sandbox: 0, MaxResultAge: 0 },
  }
  return buildEnvelope('1.2', NS, content, headers, false)
}
