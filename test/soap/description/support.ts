/** Descriptions for tests: those of the contract, changed ones, and small ones written by hand. */
import {
  type Field,
  type Fields,
  type Operation,
  operationsOf,
  type ServiceName,
  type Struct,
  type Type,
} from '../../../src/contract/index.js'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'
import { compareService, knownService } from '../../../src/soap/description/compare/compare.js'
import { type Difference, readDescription } from '../../../src/soap/description/index.js'

export const NS = 'http://api.marketplace.example'
export const ADDRESS = 'http://127.0.0.1:8080/v3/RestrictedService.asmx'
export const SERVICES: readonly ServiceName[] = ['RestrictedService', 'PublicService']

export function operationsIn(service: ServiceName): Operation[] {
  return Object.values(operationsOf(service))
}

/** The differences between the contract and a description of these operations. */
export function differencesOf(service: ServiceName, operations: readonly Operation[], namespace = NS): Difference[] {
  const description = readDescription(buildWsdl(service, namespace, `http://127.0.0.1:1/v3/${service}.asmx`, operations))
  return compareService(knownService(service, operationsOf(service), { namespace: NS, bindings: ['soap12'] }), description)
}

/** A change of the fields of one type or operation, by its name. */
export type Change = (fields: Fields) => Fields

/** The operations with the fields of one operation's parameters, or of one type wherever it is used, changed. */
export function changed(operations: readonly Operation[], owner: string, change: Change): Operation[] {
  const structs = new Map<Struct, Struct>()
  const inType = (type: Type): Type => {
    if (type.kind === 'list') return { ...type, item: inType(type.item) }
    if (type.kind === 'enumeration' || type.kind === 'flags') return type
    if (type.kind !== 'struct') return type
    const known = structs.get(type)
    if (known !== undefined) return known
    const inner = inFields(type.fields)
    const struct: Struct = { ...type, fields: type.name === owner ? change(inner) : inner }
    structs.set(type, struct)
    return struct
  }
  const inField = (field: Field): Field => ({ ...field, type: inType(field.type) })
  const inFields = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inField(field)]))
  return operations.map((operation) => {
    const params = inFields(operation.params)
    return {
      ...operation,
      params: operation.name === owner ? change(params) : params,
      result: operation.result === undefined ? undefined : inField(operation.result),
    }
  })
}

/** The operations with the words of an enumeration changed. */
export function withValues(operations: readonly Operation[], name: string, values: readonly string[]): Operation[] {
  const inType = (type: Type): Type => {
    if (type.kind === 'list') return { ...type, item: inType(type.item) }
    if (type.kind === 'struct') return { ...type, fields: inFields(type.fields) }
    return 'values' in type && type.name === name ? { ...type, values } : type
  }
  const inFields = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([each, field]) => [each, { ...field, type: inType(field.type) }]))
  return operations.map((operation) => ({
    ...operation,
    params: inFields(operation.params),
    result: operation.result === undefined ? undefined : { ...operation.result, type: inType(operation.result.type) },
  }))
}

/** Reorders or replaces the entries of an object. @returns an object */
export function entries(fields: Fields, change: (entries: [string, Field][]) => [string, Field][]): Fields {
  return Object.fromEntries(change(Object.entries(fields)))
}

/** A description with one operation, from the schema of its parameters and of its answer. */
export function wsdlWith(
  params: string,
  more: { types?: string | undefined; result?: string; schema?: string; definitions?: string } = {},
): string {
  const { types = '', result = '', schema = 'elementFormDefault="qualified"', definitions = '' } = more
  return `<?xml version="1.0" encoding="utf-8"?>
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="${NS}"
  xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" targetNamespace="${NS}">${definitions}
  <w:types><xs:schema targetNamespace="${NS}" ${schema}>
    <xs:element name="Probe"><xs:complexType>${params}</xs:complexType></xs:element>
    <xs:element name="ProbeResponse"><xs:complexType><xs:sequence>${result}</xs:sequence></xs:complexType></xs:element>
    ${types}
  </xs:schema></w:types>
  <w:message name="In"><w:part name="parameters" element="t:Probe"/></w:message>
  <w:message name="Out"><w:part name="parameters" element="t:ProbeResponse"/></w:message>
  <w:portType name="P"><w:operation name="Probe"><w:documentation>Tries
    something.</w:documentation><w:input message="t:In"/><w:output message="t:Out"/></w:operation></w:portType>
  <w:binding name="B" type="t:P"><soap12:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <w:operation name="Probe"><soap12:operation soapAction="${NS}/Probe" style="document"/>
      <w:input><soap12:body use="literal"/></w:input><w:output><soap12:body use="literal"/></w:output></w:operation></w:binding>
  <w:service name="RestrictedService"><w:port name="P12" binding="t:B"><soap12:address location="${ADDRESS}"/></w:port></w:service>
</w:definitions>`
}

/** The one operation of `wsdlWith`. */
export function probe(wsdl: string): { operation: Operation; unread: string[] } {
  const { operations, unread } = readDescription(wsdl)
  const described = operations.get('Probe')
  if (described === undefined) throw new Error(`Probe was not read: ${JSON.stringify(unread)}`)
  return { operation: described.operation, unread: unread.map(({ where, what }) => `${where} ${what}`) }
}
