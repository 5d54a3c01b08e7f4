/** The WSDL 1.1 document of a service, in the form of the service's own: docs/service.md, Service pages. */
import { headerNames, type Operation, operationsOf, parametersBeyondText, type ServiceName } from '../../contract/index.js'
import { escaped } from '../markup.js'
import { buildSchema, plainRoot } from './schema.js'

const HTTP_VERBS = ['Get', 'Post'] as const
type Verb = (typeof HTTP_VERBS)[number]
type Lines = string[]

/**
 * Writes the WSDL of a service.
 * @param address URL of the service as used by the caller, such as `http://127.0.0.1:8080/v3/RestrictedService.asmx`.
 * @param operations by default those of the service
 * @param plainForms whether HTTP GET and POST are offered
 */
export function buildWsdl(
  service: ServiceName,
  namespace: string,
  address: string,
  operations: readonly Operation[] = Object.values(operationsOf(service)),
  plainForms = true,
): string {
  // An operation with a complex parameter has no HTTP form (docs/service.md, Choices between sources).
  const plain = operations.filter((operation) => plainForms && parametersBeyondText(operation).length === 0)
  const verbs = plainForms ? HTTP_VERBS : []
  const target = escaped(namespace)
  const lines = [
    '<wsdl:types>',
    ...indent(buildSchema(target, operations)),
    ...indent(abstractTypes(target)),
    '</wsdl:types>',
    ...operations.flatMap((operation) => soapMessages(operation)),
    ...HTTP_VERBS.flatMap((verb) => plain.flatMap((operation) => httpMessages(operation, verb))),
    ...portType(`${service}Soap`, operations, 'Soap'),
    ...verbs.flatMap((verb) => portType(`${service}Http${verb}`, plain, `Http${verb}`)),
    ...soapBinding(service, operations, target, 'soap', `${service}Soap`),
    ...soapBinding(service, operations, target, 'soap12', `${service}Soap12`),
    ...verbs.flatMap((verb) => httpBinding(service, plain, verb)),
    ...serviceElement(service, escaped(address), verbs),
  ]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema"' +
      ' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"' +
      ' xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"' +
      ` xmlns:tns="${target}" xmlns:s1="${target}/AbstractTypes" targetNamespace="${target}">`,
    ...indent(lines),
    '</wsdl:definitions>',
    '',
  ].join('\n')
}

const indent = (lines: Lines): Lines => lines.map((line) => `  ${line}`)

/**
 * The repeated texts of the HTTP forms (docs/service.md, Service pages). The original restricts soapenc:Array, which would make
 * every reader fetch another schema from elsewhere; a plain sequence means the same.
 */
function abstractTypes(namespace: string): Lines {
  return [
    `<s:schema targetNamespace="${namespace}/AbstractTypes">`,
    '  <s:complexType name="StringArray">',
    '    <s:sequence>',
    '      <s:element minOccurs="0" maxOccurs="unbounded" name="String" type="s:string" />',
    '    </s:sequence>',
    '  </s:complexType>',
    '</s:schema>',
  ]
}

function message(name: string, parts: Lines): Lines {
  return parts.length === 0
    ? [`<wsdl:message name="${name}" />`]
    : [`<wsdl:message name="${name}">`, ...indent(parts), '</wsdl:message>']
}

function soapMessages({ name, service, asSeller }: Operation): Lines {
  return [
    ...message(`${name}SoapIn`, [`<wsdl:part name="parameters" element="tns:${name}" />`]),
    ...message(`${name}SoapOut`, [`<wsdl:part name="parameters" element="tns:${name}Response" />`]),
    ...headerNames(service, asSeller).flatMap((header) =>
      message(`${name}${header}`, [`<wsdl:part name="${header}" element="tns:${header}" />`]),
    ),
  ]
}

function httpMessages(operation: Operation, verb: Verb): Lines {
  const parts = Object.entries(operation.params).map(
    ([name, { type }]) => `<wsdl:part name="${name}" type="${type.kind === 'list' ? 's1:StringArray' : 's:string'}" />`,
  )
  const root = plainRoot(operation)
  return [
    ...message(`${operation.name}Http${verb}In`, parts),
    ...message(
      `${operation.name}Http${verb}Out`,
      root === undefined ? [] : [`<wsdl:part name="Body" element="tns:${root.name}" />`],
    ),
  ]
}

function portType(name: string, operations: readonly Operation[], suffix: string): Lines {
  const lines = operations.flatMap((operation) => [
    `<wsdl:operation name="${operation.name}">`,
    `  <wsdl:documentation>${escaped(operation.summary)}</wsdl:documentation>`,
    `  <wsdl:input message="tns:${operation.name}${suffix}In" />`,
    `  <wsdl:output message="tns:${operation.name}${suffix}Out" />`,
    '</wsdl:operation>',
  ])
  return [`<wsdl:portType name="${name}">`, ...indent(lines), '</wsdl:portType>']
}

function soapBinding(
  service: ServiceName,
  operations: readonly Operation[],
  namespace: string,
  prefix: string,
  name: string,
): Lines {
  const lines = operations.flatMap((operation) => [
    `<wsdl:operation name="${operation.name}">`,
    `  <${prefix}:operation soapAction="${namespace}/${operation.name}" style="document" />`,
    '  <wsdl:input>',
    `    <${prefix}:body use="literal" />`,
    ...headerNames(service, operation.asSeller).map(
      (header) => `    <${prefix}:header message="tns:${operation.name}${header}" part="${header}" use="literal" />`,
    ),
    '  </wsdl:input>',
    '  <wsdl:output>',
    `    <${prefix}:body use="literal" />`,
    '  </wsdl:output>',
    '</wsdl:operation>',
  ])
  return [
    `<wsdl:binding name="${name}" type="tns:${service}Soap">`,
    `  <${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http" />`,
    ...indent(lines),
    '</wsdl:binding>',
  ]
}

function httpBinding(service: ServiceName, operations: readonly Operation[], verb: Verb): Lines {
  const input = verb === 'Get' ? '<http:urlEncoded />' : '<mime:content type="application/x-www-form-urlencoded" />'
  const lines = operations.flatMap((operation) => [
    `<wsdl:operation name="${operation.name}">`,
    `  <http:operation location="/${operation.name}" />`,
    `  <wsdl:input>${input}</wsdl:input>`,
    operation.result === undefined ? '  <wsdl:output />' : '  <wsdl:output><mime:mimeXml part="Body" /></wsdl:output>',
    '</wsdl:operation>',
  ])
  return [
    `<wsdl:binding name="${service}Http${verb}" type="tns:${service}Http${verb}">`,
    `  <http:binding verb="${verb.toUpperCase()}" />`,
    ...indent(lines),
    '</wsdl:binding>',
  ]
}

function serviceElement(service: ServiceName, address: string, verbs: readonly Verb[]): Lines {
  const port = (name: string, prefix: string) => [
    `<wsdl:port name="${service}${name}" binding="tns:${service}${name}">`,
    `  <${prefix}:address location="${address}" />`,
    '</wsdl:port>',
  ]
  const plain = verbs.flatMap((verb) => port(`Http${verb}`, 'http'))
  const ports = [...port('Soap', 'soap'), ...port('Soap12', 'soap12'), ...plain]
  return [`<wsdl:service name="${service}">`, ...indent(ports), '</wsdl:service>']
}
