/**
 * Texts of strangers that a spreadsheet program would run as a formula when it opens a CSV, such as an alias `=HYPERLINK(…)`
 * (OWASP, CSV Injection). A workbook needs none of this: its cells say that they are texts.
 */

/** `=1`, `@SUM`, `-20% off`, also behind apostrophes of their own; not `-5`, `+46 70 123 45 67`, which are numbers at worst. */
const FORMULA = /^'*\s*(?:[=@]|[+-](?![\d\s.,:/()-]*$))/

/** The text behind an apostrophe if it would be run: spreadsheet programs show it as a text then. */
export function guardedText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** The text of a cell that `guardedText` may have written. */
export function unguardedText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** A text that begins as a formula without a value does, behind an apostrophe: only such a formula then begins so. */
export function guardedEqual(text: string): string {
  return text.startsWith('=') ? `'${text}` : text
}

/** True for a formula that has no value. A text that begins so stands behind an apostrophe; `=== SALE ===` is no formula. */
export function isFormula(cell: string): boolean {
  return /^\s*=\s*[^=\s]/.test(cell)
}
