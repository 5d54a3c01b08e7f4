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

interface Stored {
  step: number
  operation: ListingOperation
  subject: string
  state: ListingStepState
  message: string | null
  bytes: number | null
  format: ImageFormatName | null
  mega: number | null
  sha256: string | null
  started_at: number | null
  finished_at: number | null
}

/** Writes the steps of a new job, all waiting. Call it within the transaction that creates the job. */
export function writeSteps(store: Store, jobId: number, steps: readonly NewStep[]): void {
  steps.forEach(({ operation, subject, image }, index) => {
    store.run(
      `INSERT INTO listing_steps (job_id, step, operation, subject, state, bytes, format, mega, sha256)
       VALUES (?, ?, ?, ?, 'waiting', ?, ?, ?, ?)`,
      jobId,
      index + 1,
      operation,
      subject,
      image?.bytes ?? null,
      image?.format ?? null,
      image === undefined ? null : Number(image.mega),
      image?.sha256 ?? null,
    )
  })
}

/** The steps of a job, in their order. */
export function readSteps(store: Store, jobId: number): ListingStep[] {
  return store
    .all<Stored>(
      `SELECT step, operation, subject, state, message, bytes, format, mega, sha256, started_at, finished_at
       FROM listing_steps WHERE job_id = ? ORDER BY step`,
      jobId,
    )
    .map((stored) => ({
      Step: stored.step,
      Operation: stored.operation,
      Subject: stored.subject,
      State: stored.state,
      Message: stored.message,
      Bytes: stored.bytes,
      Format: stored.format,
      Mega: stored.mega === null ? null : stored.mega === 1,
      Sha256: stored.sha256,
      StartedAt: isoOrNull(stored.started_at),
      FinishedAt: isoOrNull(stored.finished_at),
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
  store.run(
    `UPDATE listing_steps SET state = ?, message = ?,
       started_at = CASE ? WHEN 'sending' THEN ? ELSE started_at END,
       finished_at = CASE ? WHEN 'sending' THEN NULL WHEN 'waiting' THEN NULL ELSE ? END
     WHERE job_id = ? AND step = ?`,
    state,
    message,
    state,
    now,
    state,
    now,
    jobId,
    step,
  )
}
