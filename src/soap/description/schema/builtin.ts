/** XML Schema's own simple types in the words of the contract. */
import {
  base64Binary,
  boolean,
  dateTime,
  decimal,
  int,
  long,
  type Rule,
  type Scalar,
  string,
} from '../../../contract/vocabulary.js'

export const XSD = 'http://www.w3.org/2001/XMLSchema'

export interface Builtin {
  readonly type: Scalar
  readonly rule?: Rule
  /** What differs here from the service. */
  readonly note?: string
}

const AS_TEXT = 'is read and sent as text'

/** By name (XML Schema 2, 3). What is narrower than an int is an int with limits; what may be wider is a long. */
const BUILTINS: Readonly<Record<string, Builtin>> = {
  string: { type: string },
  normalizedString: { type: string },
  token: { type: string },
  anyURI: { type: string },
  language: { type: string },
  Name: { type: string },
  NCName: { type: string },
  NMTOKEN: { type: string },
  ID: { type: string },
  IDREF: { type: string },
  int: { type: int },
  short: { type: int, rule: { min: -32_768, max: 32_767 } },
  byte: { type: int, rule: { min: -128, max: 127 } },
  unsignedByte: { type: int, rule: { min: 0, max: 255 } },
  unsignedShort: { type: int, rule: { min: 0, max: 65_535 } },
  decimal: { type: decimal },
  unsignedInt: { type: long },
  long: { type: long },
  unsignedLong: { type: long },
  integer: { type: long },
  positiveInteger: { type: long },
  nonNegativeInteger: { type: long },
  nonPositiveInteger: { type: long },
  negativeInteger: { type: long },
  boolean: { type: boolean },
  dateTime: { type: dateTime },
  base64Binary: { type: base64Binary },
  // A float may have an exponent, or be INF, which a decimal cannot.
  float: { type: string, note: AS_TEXT },
  double: { type: string, note: AS_TEXT },
  date: { type: string, note: AS_TEXT },
  time: { type: string, note: AS_TEXT },
  duration: { type: string, note: AS_TEXT },
  gYear: { type: string, note: AS_TEXT },
  gYearMonth: { type: string, note: AS_TEXT },
  gMonth: { type: string, note: AS_TEXT },
  gMonthDay: { type: string, note: AS_TEXT },
  gDay: { type: string, note: AS_TEXT },
  hexBinary: { type: string, note: AS_TEXT },
  QName: { type: string, note: AS_TEXT },
  anySimpleType: { type: string, note: AS_TEXT },
}

/** A simple type of XML Schema by its local name; undefined for one that is not known here (such as anyType). */
export function builtinOf(local: string): Builtin | undefined {
  return Object.hasOwn(BUILTINS, local) ? BUILTINS[local] : undefined
}
