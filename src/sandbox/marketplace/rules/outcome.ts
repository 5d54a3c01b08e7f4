/** How the processing of a queued request ends. */
export interface Outcome {
  /** As GetRequestResults gives it. */
  readonly code: string
  /** What happened, where the code's own meaning does not say enough. */
  readonly message?: string
}

export const DONE: Outcome = { code: 'Ok' }
