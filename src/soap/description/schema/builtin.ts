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
  /** Difference from the service. */
  readonly note?: string
}

const AS_TEXT: Builtin = { type: string, note: 'is read and sent as text' }

const all = (names: string, builtin: Builtin) => Object.fromEntries(names.split(' ').map((name) => [name, builtin]))

/** By name (XML Schema 2, 3). What is narrower than an int is an int with limits; what may be wider is a long. */
const BUILTINS: Readonly<Record<string, Builtin>> = {
  ...all('string normalizedString token anyURI language Name NCName NMTOKEN ID IDREF', { type: string }),
  int: { type: int },
  short: { type: int, rule: { min: -32_768, max: 32_767 } },
  byte: { type: int, rule: { min: -128, max: 127 } },
  unsignedByte: { type: int, rule: { min: 0, max: 255 } },
  unsignedShort: { type: int, rule: { min: 0, max: 65_535 } },
  decimal: { type: decimal },
  ...all('unsignedInt long unsignedLong', { type: long }),
  ...all('integer positiveInteger nonNegativeInteger nonPositiveInteger negativeInteger', { type: long }),
  boolean: { type: boolean },
  dateTime: { type: dateTime },
  base64Binary: { type: base64Binary },
  // A float may have an exponent, or be INF, which a decimal cannot.
  ...all('float double date time duration gYear gYearMonth gMonth gMonthDay gDay hexBinary QName anySimpleType', AS_TEXT),
}

/** A simple type of XML Schema by its local name; undefined for one that is not known here (such as anyType). */
export function builtinOf(local: string): Builtin | undefined {
  return Object.hasOwn(BUILTINS, local) ? BUILTINS[local] : undefined
}
