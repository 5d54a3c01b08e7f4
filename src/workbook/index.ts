/** The door of spreadsheets. What reads and writes workbooks (.xlsx) is loaded by those who have one: `read.js`, `write.js`. */
export { WorkbookError } from './errors.js'
export { guardedText, isFormula, unguardedText } from './formulas.js'
