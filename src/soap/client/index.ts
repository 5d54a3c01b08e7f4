/** The interface for callers of the service. */

export { type Clock, systemClock } from '../../system/clock.js'
export type { Replaced, UnreadValue } from '../wire/reader.js'
export { faultReason } from '../wire/words.js'
export type { Cause } from './causes.js'
export { createClient } from './client.js'
export {
  descriptionAddress,
  FetchError,
  type FetchedFile,
  type FetchFault,
  type FetchOptions,
  fetchFile,
} from './description.js'
export { isNotRecognized, isRefusal, SoapError, type SoapErrorKind } from './errors.js'
export type {
  Binding,
  CallObserver,
  CallOptions,
  ClientOptions,
  Credentials,
  OperationRef,
  RecordEnd,
  RequestDescription,
  SoapClient,
  UntypedOperation,
} from './options.js'
