/** The journal of one listing: its record on disk while it runs. */
import type { JobRecord, JobState } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import type { RequestRow } from '../ledger/requests.js'
import { LISTING_DETAIL, type ListingDetail, requestOf, showListing } from './listing.js'
import { countSteps, type ListingStep, type ListingStepState, readSteps } from './steps.js'

export interface ListingOutcome {
  JobId: number
  State: JobState
  RequestId: number | null
  ItemId: number | null
  /** The request in the ledger, with its result once it is known. */
  Request: RequestRow | null
  Steps: ListingStep[]
  /** The time for waiting was over before the result came. */
  TimedOut: boolean
}

export class ListingJournal {
  readonly ledger: Ledger
  readonly jobId: number
  readonly detail: ListingDetail

  constructor(ledger: Ledger, jobId: number) {
    this.ledger = ledger
    this.jobId = jobId
    this.detail = ledger.jobs.detail(jobId, LISTING_DETAIL)
  }

  job(): JobRecord {
    return this.ledger.jobs.show(this.jobId)
  }

  steps(): ListingStep[] {
    return readSteps(this.ledger.store, this.jobId)
  }

  step(number: number): ListingStep {
    const step = this.steps().find(({ Step }) => Step === number)
    if (step === undefined) throw new Error(`Job ${this.jobId} has no step ${number}.`)
    return step
  }

  /** Sets the state of a step, and updates the job's counts. A step that is being sent makes the job open again. */
  mark(step: ListingStep, state: ListingStepState, message: string | null = null): void {
    const { store, jobs, clock } = this.ledger
    store.transaction(() => {
      const now = clock.now()
      const times = { sending: { started_at: now, finished_at: null }, waiting: { finished_at: null } }
      const at = state === 'sending' || state === 'waiting' ? times[state] : { finished_at: now }
      store.update('listing_steps', { state, message, ...at }, { job_id: this.jobId, step: step.Step })
      const jobChange = state === 'sending' ? { state: 'open' as const, message: null } : {}
      jobs.update(this.jobId, { counts: countSteps(this.steps()), ...jobChange })
    })
  }

  /** Records other bytes for an image, before they are sent. */
  replaceImage(step: ListingStep, { bytes, sha256 }: { readonly bytes: number; readonly sha256: string }): void {
    this.ledger.store.update('listing_steps', { bytes, sha256 }, { job_id: this.jobId, step: step.Step })
  }

  /** Marks the job as waiting for the seller's choice. @returns the error to throw */
  stop(error: Error): Error {
    this.ledger.jobs.update(this.jobId, { state: 'unknown', message: error.message })
    return error
  }

  /** The request of the steps; known once AddItem is done. */
  requestId(): number {
    const id = this.detail.requestId ?? requestOf(this.ledger, this.job())?.RequestId ?? null
    if (id === null) throw new Error(`Job ${this.jobId} has no request id after its AddItem.`)
    return id
  }

  outcome(timedOut: boolean): ListingOutcome {
    const { JobId, Profile, State, RequestId, ItemId, Steps } = showListing(this.ledger, this.jobId)
    const request = requestOf(this.ledger, { JobId, Profile }) ?? null
    return { JobId, State, RequestId, ItemId, Request: request, Steps, TimedOut: timedOut }
  }
}
