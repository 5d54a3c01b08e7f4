/** The steps of a listing on disk. */

import type { Store } from '../../system/sqlite.js'
import { isoOrNull } from '../../system/time.js'
import { type JobCounts, noCounts, type RowState } from '../ledger/counts.js'
import type { ImageFile, ImageFormatName } from './images.js'

export type ListingOperation = 'AddItem' | 'AddItemImage' | 'AddItemCampaignCode' | 'AddItemCommit'

/**
 * waiting: not sent, or sent and certainly not carried out; sending: under way; done: the service answered; failed: the service
 * refused it; unknown: sent, and it is not known whether it arrived; skipped: left out because the seller said to commit anyway.
 */
export type ListingStepState = 'waiting' | 'sending' | 'done' | 'failed' | 'unknown' | 'skipped'

/** The state of a step in the counts of its job. */
const COUNTED: Readonly<Record<ListingStepState, RowState>> = {
  waiting: 'unsent',
  sending: 'sending',
  done: 'ok',
  failed: 'failed',
  unknown: 'unknown',
  skipped: 'held',
}

/** How many steps are in which state. */
export function countSteps(steps: readonly ListingStep[]): JobCounts {
  const counts = noCounts()
  for (const { State } of steps) counts[COUNTED[State]]++
  return counts
}

/** A step as commands show it. Times are ISO 8601, UTC. */
export interface ListingStep {
  /** From 1. */
  Step: number
  Operation: ListingOperation
  /** Its subject: the title, the image's path, the campaign code; empty for the commit. */
  Subject: string
  State: ListingStepState
  Message: string | null
  /** Of images: size of the file, its format, whether a Mega image is asked for, its SHA-256. */
  Bytes: number | null
  Format: ImageFormatName | null
  Mega: boolean | null
  Sha256: string | null
  StartedAt: string | null
  FinishedAt: string | null
}

/** The data of a new step. */
export interface NewStep {
  operation: ListingOperation
  subject: string
  image?: ImageFile
}

/** Writes the steps of a new job, all waiting. Call it within the transaction that creates the job. */
export function writeSteps(store: Store, jobId: number, steps: readonly NewStep[]): void {
  steps.forEach(({ operation, subject, image }, index) => {
    store.insert('listing_steps', {
      ...{ job_id: jobId, step: index + 1, operation, subject, state: 'waiting' },
      ...{ bytes: image?.bytes, format: image?.format, mega: image?.mega, sha256: image?.sha256 },
    })
  })
}

/** The steps of a job, in their order. */
export function readSteps(store: Store, jobId: number): ListingStep[] {
  type Stored = Omit<ListingStep, 'Mega' | 'StartedAt' | 'FinishedAt'> &
    Record<'Mega' | 'StartedAt' | 'FinishedAt', number | null>
  const steps = store.all<Stored>(
    `SELECT step AS Step, operation AS Operation, subject AS Subject, state AS State, message AS Message, bytes AS Bytes, format AS Format,
       mega AS Mega, sha256 AS Sha256, started_at AS StartedAt, finished_at AS FinishedAt
     FROM listing_steps WHERE job_id = ? ORDER BY step`,
    jobId,
  )
  return steps.map((step) => ({
    ...step,
    Mega: step.Mega === null ? null : step.Mega === 1,
    StartedAt: isoOrNull(step.StartedAt),
    FinishedAt: isoOrNull(step.FinishedAt),
  }))
}

/** Sets the state of a step; `now` in ms since 1970. Sending sets its start, waiting sets nothing, other states set its end. */
export function markStep(
  store: Store,
  jobId: number,
  step: number,
  state: ListingStepState,
  now: number,
  message: string | null = null,
): void {
  const times = { sending: { started_at: now, finished_at: null }, waiting: { finished_at: null } }
  const ended = { finished_at: now }
  store.update(
    'listing_steps',
    { state, message, ...(state in times ? times[state as keyof typeof times] : ended) },
    { job_id: jobId, step },
  )
}
