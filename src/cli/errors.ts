/** Errors and exit codes for the frame and the actions (src/errors). */
export {
  type Category,
  type Detail,
  type DetailsOf,
  type ErrorCode,
  EXIT,
  EXIT_MEANINGS,
  type ExitCode,
  SellerError,
  worseExitCode,
  worstExitCode,
} from '../errors/index.js'
