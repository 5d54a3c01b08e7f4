import type { Operation } from '../contract/index.js'

export type SoapVersion = '1.1' | '1.2'
export interface RequestHeaders {
  AuthenticationHeader?: { AppId: number; AppKey?: string }
  AuthorizationHeader?: { UserId: number; Token?: string }
  ConfigurationHeader?: { Sandbox: number; MaxResultAge: number }
}
export interface DecodedRequest {
  version: SoapVersion
  operation: Operation
  params: Record<string, unknown>
  headers: RequestHeaders
}
export interface DecodeOptions {
  /** The operation of an element's local name and namespace, or of an action's last segment and what precedes it. */
  operationOf(element: string, namespace: string): Operation | undefined
  /** SOAPAction, or the action of a SOAP 1.2 content type; quotes allowed. Unset: the body element decides. */
  action?: string
  /** Headers from the query string, taken where the envelope has none of that name. */
  defaultHeaders?: RequestHeaders
}
export declare class MalformedXml extends Error {}
export declare class UnreadableRequest extends Error {
  readonly line: number
  readonly column: number
  readonly detail: string
}
/** No operation for the action, or for the body element. The message is the service's text, a Client fault. */
export declare class UnrecognizedAction extends Error {
  readonly action: string
}
/** The message is the service's text (contract.md 3.4). */
export declare class UnreadableParameter extends Error {}
export declare function decodeRequest(xml: Buffer | string, options: DecodeOptions): DecodedRequest
export declare function writeReply(
  version: SoapVersion,
  namespace: string,
  operation: Operation,
  result: unknown,
): Iterable<string>
export declare function writeFault(version: SoapVersion, fault: { code: 'Client' | 'Server'; text: string }): string
export declare function writePlainResult(namespace: string, operation: Operation, result: unknown): Iterable<string>
export declare function decodeUrlParams(operation: Operation, pairs: Iterable<[string, string]>): Record<string, unknown>
