/** How the processing of a queued request ended. */
export interface Outcome {
  /** The ResultCode in GetRequestResults. */
  readonly code: string
  /** What happened, if the code's own meaning does not say enough. */
  readonly message?: string
}

export const DONE: Outcome = { code: 'Ok' }
