/** The door for servers of the service: requests in, replies and faults out. */
export { CONTENT_TYPES, type SoapVersion } from './names.js'
export {
  type DecodedRequest,
  type DecodeOptions,
  decodeRequest,
  EnvelopeRefused,
  MalformedXml,
  type RequestHeaders,
  UnreadableRequest,
  UnrecognizedAction,
} from './request.js'
export { decodeUrlParams, UnreadableParameter } from './url-params.js'
export { writePlainResult, writeReply } from './write.js'
export { type FaultCode, writeFault } from './write-fault.js'
