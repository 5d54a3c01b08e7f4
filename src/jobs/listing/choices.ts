/** Before a listing goes on: what a killed process left behind, the seller's choices about it, and the image files. */

import { chooseForImage, chooseForItem } from './errors.js'
import { readImage } from './images.js'
import type { ListingJournal } from './journal.js'
import type { ListingStep } from './steps.js'

/** What the seller decided beforehand. */
export interface ListingChoices {
  /** Commit although an image (or the campaign code) was refused, or its file is gone, or (on resuming) its sending is unknown. */
  commitAnyway?: boolean
  /**
   * About a step whose outcome is unknown: that it arrived, or to send it again at the risk of sending it twice. Without it such a
   * step stops the job.
   */
  choice?: 'assume-sent' | 'send-again'
  /** The request id of an AddItem whose reply was lost, when the seller has learnt it elsewhere. */
  requestId?: number
}

const ENDED = 'The program ended before the reply came.'

/**
 * Turns what is "sending" into what can be said of it, for the holder of the job's lock knows that its sender is dead; then applies the
 * seller's choices to what is unknown.
 * @throws JobsError codes `item_outcome_unknown`, `image_outcome_unknown` when a choice is needed; the job is marked so
 */
export function applyChoices(journal: ListingJournal, choices: ListingChoices): void {
  const { requests, store } = journal.ledger
  store.transaction(() => {
    for (const { Row } of requests.list({ jobId: journal.jobId, state: 'sending' })) requests.unknown(Row, ENDED)
    for (const step of journal.steps()) {
      // A campaign code set twice is set once.
      if (step.State === 'sending') journal.mark(step, step.Operation === 'AddItemCampaignCode' ? 'waiting' : 'unknown', ENDED)
    }
  })
  for (const step of journal.steps()) {
    if (step.State !== 'unknown') continue
    if (step.Operation === 'AddItem') applyItemChoice(journal, step, choices)
    if (step.Operation === 'AddItemImage') applyImageChoice(journal, step, choices)
    // A commit that is unknown is looked after at its turn.
  }
}

function applyItemChoice(journal: ListingJournal, step: ListingStep, { choice, requestId }: ListingChoices): void {
  const { requests, store } = journal.ledger
  if (requestId !== undefined) {
    store.transaction(() => {
      const lost = requests.list({ jobId: journal.jobId, operation: 'AddItem' })[0]
      if (lost !== undefined) requests.queued(lost.Row, { RequestId: requestId, ItemId: null })
      journal.mark(step, 'done', 'Its request id was given by the seller.')
    })
  } else if (choice === 'send-again') journal.mark(step, 'waiting')
  else throw journal.stop(chooseForItem(journal.jobId, step))
}

function applyImageChoice(journal: ListingJournal, step: ListingStep, { choice, commitAnyway }: ListingChoices): void {
  if (choice === 'assume-sent') journal.mark(step, 'done', 'Its answer was lost; the seller took it as sent.')
  else if (choice === 'send-again') journal.mark(step, 'waiting')
  else if (!commitAnyway) throw journal.stop(chooseForImage(journal.jobId, step))
}

/**
 * Every image still to be sent must be the file it was, before anything is sent in this run.
 * @throws JobsError code `image_changed`, naming the file
 */
export async function checkImages(journal: ListingJournal, { commitAnyway }: ListingChoices): Promise<void> {
  for (const step of journal.steps()) {
    if (step.Operation !== 'AddItemImage' || (step.State !== 'waiting' && step.State !== 'failed')) continue
    try {
      await readImage({ path: step.Subject, sha256: step.Sha256 ?? '' })
    } catch (error) {
      if (!commitAnyway) throw error
      journal.mark(step, 'skipped', error instanceof Error ? error.message : String(error))
    }
  }
}
