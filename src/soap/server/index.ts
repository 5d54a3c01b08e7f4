/** The interface for servers of the service: requests in, replies and faults out. */
export { CONTENT_TYPES, type HostKind, type SoapVersion } from '../wire/names.js'
export { writePlainResult, writeReply } from '../wire/write.js'
export {
  type DecodedRequest,
  type DecodeOptions,
  decodeRequest,
  EnvelopeRefused,
  MalformedXml,
  type RequestHeaders,
  readRequest,
  UnreadableRequest,
  UnrecognizedAction,
  WrongMediaType,
} from './request.js'
export { decodeUrlParams, UnreadableParameter } from './url-params.js'
export { type FaultCode, writeFault } from './write-fault.js'
