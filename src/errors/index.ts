/** Entry of this module: error codes, exit codes, and the error that users see. */
export { ERROR_CODES, type ErrorCode, type ErrorEntry, JOB_KEYS } from './codes.js'
export { type Category, EXIT, EXIT_MEANINGS, type ExitCode, worseExitCode, worstExitCode } from './exit-codes.js'
export { type Detail, type DetailsOf, SellerError } from './seller-error.js'
export { type Fault, faultText, reasonText, ValueError } from './value-error.js'
