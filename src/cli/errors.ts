/** Errors and exit codes as the frame and the actions use them (src/errors). */
export {
  type Detail,
  type DetailsOf,
  type ErrorCode,
  EXIT,
  EXIT_MEANINGS,
  type ExitCode,
  SellerError,
  weightier,
} from '../errors/index.js'
