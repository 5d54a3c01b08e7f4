/** The interface: why rows are held, as data. */
export {
  codesOf,
  type HoldShown,
  held,
  isHeldBy,
  keptHold,
  packHold,
  passByAllow,
  passFlags,
  type StoredHold,
  sentenceOf,
  shownHold,
  shownRow,
  storedHold,
  unpackHold,
} from './hold.js'
export { type AnyHold, type FieldFault, HOLDS, type Hold, type HoldCode, type HoldKind, wordsOf } from './table.js'
