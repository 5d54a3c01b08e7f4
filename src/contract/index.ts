/** The interface of the contract. */
export { capital, checkInput, sentence } from './check.js'
export { type Dialect, namesIn, type OfferedOperations, otherFormsIn, parameterPaths, Speaker, type Spoken } from './dialect.js'
export * from './discounts.js'
export {
  EDITIONS,
  type Edition,
  fieldIn,
  hasOperation,
  isGivenBySellers,
  isNewerField,
  isNewerNil,
  isNewerOperation,
  isOnlyAsked,
  isUnpublished,
} from './editions.js'
export * from './enums.js'
export { headerNames, headers, urlHeaderParameters } from './headers.js'
export type { Entry, Input, InputFields, Output, OutputFields, Params, Result } from './inferred.js'
export * from './items.js'
export * from './jobs.js'
export { kindByName } from './kinds.js'
export { type NumberRead, plainDigits, readKronor, unitBeside, wholeNumber } from './kronor.js'
export { limitWords } from './limit-rules.js'
export * from './limits.js'
export { type RestartChain, restartChain } from './listing.js'
export {
  type Adapt,
  fieldWireName,
  type NameMap,
  NameMapError,
  type NamePair,
  type Rename,
  Renamer,
  readNameMap,
  renaming,
  renamingBack,
  wireNameOf,
  writeNameMap,
} from './names.js'
export { nearest } from './nearest.js'
export type { InputFault, InputRule, Kind, Operation, OtherForm, ReplyFault, ReplyRule, ServiceName } from './operation.js'
export { ALL_SERVICES, actsForUser, namedService } from './operation.js'
export {
  type EntryOf,
  type ListOperationName,
  type OperationName,
  operations,
  operationsOf,
  type ParamsOf,
  parametersBeyondText,
  type ResultOf,
  resolved,
  structIn,
  typeName,
  wrapper,
} from './operations.js'
export { SellerOrder } from './orders.js'
export { AttributeDefinition, publicExtended, ShippingProducts, Token } from './public-extended.js'
export { type CategoryValue, IdDescriptionPair } from './reference.js'
export { checkReply, checkReplyEntry, isRelied, noteUnread, unreadFields, withoutList } from './reply.js'
export * from './requests.js'
export {
  isUncommitted,
  RESULT_CODE_MEANINGS,
  type RequestState,
  type ResultCodeName,
  requestState,
  resultCodes,
  resultMeaning,
} from './results.js'
export { type AuctionPriceFields, type AuctionPrices, priceOrder } from './rules.js'
export {
  dateTimeOf,
  instantOf,
  LexicalError,
  minuteOf,
  notXml,
  readSimple,
  type SimpleType,
  type SimpleValue,
  writeSimple,
} from './scalars.js'
export type {
  Enumeration,
  Field,
  Fields,
  Flags,
  List,
  Recursive,
  Reliance,
  Rule,
  Scalar,
  ScalarName,
  Struct,
  Type,
} from './vocabulary.js'
