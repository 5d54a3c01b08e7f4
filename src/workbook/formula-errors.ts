/** Cells whose formula has failed. Only what reads sheets loads this. */

/**
 * Words that a cell shows in place of a value when its formula fails, in the languages of the programs (Excel's table of error
 * values, LibreOffice's list of error codes).
 */
const ERROR_WORDS: ReadonlySet<string> = new Set([
  ...['#REF!', '#N/A', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#FIELD!', '#BLOCKED!'],
  ...['#CONNECT!', '#UNKNOWN!', '#BUSY!', '#PYTHON!', '#GETTING_DATA', '#ERROR!', '#MACRO?', '#ARG!'],
  // Swedish
  ...['#REFERENS!', '#REF', '#SAKNAS!', '#SAKNAS', '#VÄRDEFEL!', '#VÄRDE!', '#DIVISION/0!', '#NAMN?', '#OGILTIGT!', '#SKÄRNING!'],
  // German, French
  ...['#BEZUG!', '#NV', '#WERT!', '#ZAHL!', '#ÜBERLAUF!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
  // Danish, Norwegian, Finnish
  ...['#REFERENCE!', '#I/T', '#VÆRDI!', '#VERDI!', '#NAVN?', '#TALL!', '#VIITTAUS!', '#PUUTTUU!', '#ARVO!', '#JAKO/0!', '#NIMI?'],
  ...['#LUKU!', '#TYHJÄ!'],
])

/** An error of a cell whose own word is not known. */
export const SOME_ERROR = '#ERROR!'

/** True if a cell holds nothing but the word for an error of its formula. */
export function isFormulaError(cell: string): boolean {
  const text = cell.trim()
  return text.startsWith('#') ? ERROR_WORDS.has(text.toUpperCase()) : /^(?:Err|Fel|Fehl|Virhe):\d{3}$/i.test(text)
}
