/**
 * Steps before a listing continues: the leftovers of a killed process, the seller's choices about them, and the check of
 * the image files.
 */

import { chooseForImage, chooseForItem } from './errors.js'
import { imageOfStep } from './images.js'
import type { ListingJournal } from './journal.js'
import type { ListingStep } from './steps.js'

/** Decisions that the seller made in advance. */
export interface ListingChoices {
  /**
   * Commit even if an image (or the campaign code) was refused, its file is gone, or (when resuming) it is unknown whether it
   * arrived.
   */
  commitAnyway?: boolean | undefined
  /**
   * For a step of unknown outcome: it arrived, or send it again at the risk of sending it twice. Without a choice, such a step
   * stops the job.
   */
  choice?: 'assume-sent' | 'send-again' | undefined
  /** Send the metadata of images, too. */
  keepMetadata?: boolean | undefined
  /** The request id of an AddItem whose reply was lost, if the seller found it out elsewhere. */
  requestId?: number | undefined
}

const ENDED = 'The program ended before the reply came.'

/**
 * Decides what a step that is "sending" has become, since the holder of the job's lock knows that its sender is dead. Then
 * applies the seller's choices to what is unknown.
 * @throws JobsError codes `item_outcome_unknown`, `image_outcome_unknown` if a choice is needed; the job is marked so
 */
export function applyChoices(journal: ListingJournal, choices: ListingChoices): void {
  const { requests, store } = journal.ledger
  store.transaction(() => {
    for (const { Row } of requests.list({ jobId: journal.jobId, state: 'sending' })) requests.markUnknown(Row, ENDED)
    for (const step of journal.steps()) {
      // Setting a campaign code twice is the same as setting it once.
      if (step.State === 'sending') journal.mark(step, step.Operation === 'AddItemCampaignCode' ? 'waiting' : 'unknown', ENDED)
    }
  })
  for (const step of journal.steps()) {
    if (step.State !== 'unknown') continue
    if (step.Operation === 'AddItem') applyItemChoice(journal, step, choices)
    if (step.Operation === 'AddItemImage') applyImageChoice(journal, step, choices)
    // A commit of unknown outcome is handled when its turn comes.
  }
}

function applyItemChoice(journal: ListingJournal, step: ListingStep, { choice, requestId }: ListingChoices): void {
  const { requests, store } = journal.ledger
  if (requestId !== undefined) {
    store.transaction(() => {
      const lostRequest = requests.list({ jobId: journal.jobId, operation: 'AddItem' })[0]
      if (lostRequest !== undefined) requests.markQueued(lostRequest.Row, { RequestId: requestId, ItemId: null })
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
 * Every image still to be sent must be the same file as before. Checked before anything is sent in this run.
 * @throws JobsError code `image_changed` or `image_not_cleaned`, which names the file
 */
export async function checkImages(
  journal: ListingJournal,
  { commitAnyway, keepMetadata = false }: ListingChoices,
): Promise<void> {
  for (const step of journal.steps()) {
    if (step.Operation !== 'AddItemImage' || (step.State !== 'waiting' && step.State !== 'failed')) continue
    try {
      await imageOfStep(step, keepMetadata, { onlyCheck: true })
    } catch (error) {
      if (!commitAnyway) throw error
      journal.mark(step, 'skipped', error instanceof Error ? error.message : String(error))
    }
  }
}
