/** The steps of a listing on disk. */

import type { Store } from '../../system/sqlite.js'
import { isoOrNull } from '../../system/time.js'
import { type JobCounts, noCounts, type RowState } from '../ledger/counts.js'
import type { ImageFormatName } from './images.js'

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

/** Number of steps in each state. */
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
  /** Facts about an image: size of what is sent, its format, whether a Mega image is asked for, SHA-256 of what is sent. */
  Bytes: number | null
  Format: ImageFormatName | null
  Mega: boolean | null
  Sha256: string | null
  StartedAt: string | null
  FinishedAt: string | null
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
