/** Carries out the steps of a listing, from the first one that is not done. */
import { isUncommitted, requestState, resultMeaning } from '../../contract/index.js'
import { type SoapClient, SoapError } from '../../soap/client/index.js'
import type { JobLock } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { type Failed, settleCall, type Unknown } from '../ledger/outcome.js'
import { fetchResultCode, type WaitProgress, waitForRequests } from '../poller.js'
import { applyChoices, checkImages, type ListingChoices } from './choices.js'
import { chooseForImage, chooseForItem, jobIsOver } from './errors.js'
import { type ImageFile, imageOfStep } from './images.js'
import { ListingJournal, type ListingOutcome } from './journal.js'
import { showListing } from './listing.js'
import type { ListingStep } from './steps.js'

export interface RunListingOptions extends ListingChoices {
  client: Pick<SoapClient, 'call'>
  ledger: Ledger
  jobId: number
  /** Wait for the request's result after the commit. */
  wait?: boolean | undefined
  /** Time to wait, ms (default 10 minutes). */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
  /** Images that this run has inspected: what was made to fit is not made again. */
  images?: readonly ImageFile[] | undefined
  /** Bytes of one image that were sent so far. */
  onUploadProgress?: ((step: ListingStep, sentBytes: number, totalBytes: number) => void) | undefined
}

/** A step that begins (state `sending`) or has ended, or a look at the result. */
export type ListingProgress = { phase: 'step'; step: ListingStep; steps: number } | { phase: 'wait'; wait: WaitProgress }

const DEFAULT_TIMEOUT_MS = 10 * 60 * 1000

/**
 * Runs a listing from the first step that is not done: a new one from the start, an interrupted one from where it stopped. Yields
 * before and after each step, and after each look at the result.
 *
 * This is guaranteed however often and at whatever moment the process is killed and the job resumed:
 * - A step is on disk as "sending" before its call is sent, and as done only after the service answered. So a confirmed step is
 *   never sent again, and a step that was not sent never counts as done.
 * - After a call is sent and before its answer is on disk, it is not known whether it was carried out, because the service lists
 *   neither uncommitted requests nor their images. AddItem and AddItemImage (single writes) then are *unknown* and are never sent
 *   again by themselves: the job stops before the commit and asks for a choice. So by itself it never makes two items, never
 *   sends an image twice, and never commits an item with an image missing.
 * - AddItemCampaignCode and AddItemCommit (repeatable) are sent again. Before a commit is repeated, the result of the request is
 *   read.
 * - So if no kill hit a single write under way, the result is one item with all its images, as in an undisturbed run. If one did,
 *   the seller's choice decides: `assume-sent` may leave that image out, `send-again` may show it twice. An AddItem that is sent
 *   again does not make a second item, because the first request was never committed.
 *
 * Two processes cannot run one job at once (the job's lock).
 * @returns its state: `ok`, `failed`, or `waiting` if it was not waited for or the time was up
 * @throws JobsError: codes `item_outcome_unknown`, `image_outcome_unknown` (a choice is needed), `image_changed`,
 * `image_not_cleaned`, `job_locked`, `job_over`; what the client threw for any other step (SoapError, BudgetError), once it is
 * recorded; LedgerError
 */
export async function* runListing(options: RunListingOptions): AsyncGenerator<ListingProgress, ListingOutcome> {
  const { ledger, jobId } = options
  showListing(ledger, jobId)
  const lock = ledger.jobs.lock(jobId)
  try {
    return yield* new ListingRun(options, lock).run()
  } finally {
    lock.release()
  }
}

class ListingRun {
  readonly #options: RunListingOptions
  readonly #journal: ListingJournal
  readonly #lock: JobLock

  constructor(options: RunListingOptions, lock: JobLock) {
    this.#options = options
    this.#journal = new ListingJournal(options.ledger, options.jobId)
    this.#lock = lock
  }

  async *run(): AsyncGenerator<ListingProgress, ListingOutcome> {
    const journal = this.#journal
    const { State } = journal.job()
    if (State === 'failed' || State === 'cancelled') throw jobIsOver(showListing(journal.ledger, journal.jobId))
    if (State === 'ok') return journal.outcome(false)
    const unsent = journal.steps().some(({ State }) => State !== 'done' && State !== 'skipped')
    applyChoices(journal, this.#options)
    await checkImages(journal, this.#options)
    for (const { Step } of journal.steps()) yield* this.#carryOut(Step)
    return yield* this.#finish(unsent)
  }

  async *#carryOut(number: number): AsyncGenerator<ListingProgress, void> {
    const step = this.#journal.step(number)
    const steps = this.#journal.steps().length
    // An image that is still unknown here was accepted by `commitAnyway`.
    const isPassed = step.State === 'unknown' && step.Operation === 'AddItemImage'
    if (step.State === 'done' || step.State === 'skipped' || isPassed) return
    this.#lock.beat()
    yield { phase: 'step', step: { ...step, State: 'sending' }, steps }
    // A commit that was ever begun may have been carried out, whatever the outcome of its last attempt.
    if (step.Operation === 'AddItemCommit' && step.StartedAt !== null && (await this.#isCommitted())) {
      this.#journal.mark(step, 'done', 'The request was committed already.')
    } else await this.#send(step)
    yield { phase: 'step', step: this.#journal.step(number), steps }
  }

  /** Sends a step. It is on disk as "sending" before, and with its outcome after. @throws the error to report if it failed */
  async #send(step: ListingStep): Promise<void> {
    if (step.Operation === 'AddItem') return this.#addItem(step)
    const { client, onUploadProgress: told, keepMetadata = false, images } = this.#options
    const requestId = this.#journal.requestId()
    // Read before the step counts as "sending": if the file has changed, it was certainly not sent.
    const image = step.Operation === 'AddItemImage' ? await imageOfStep(step, keepMetadata, { images }) : undefined
    const imageData = image?.data
    if (image?.changed !== undefined) this.#journal.replaceImage(step, image.changed)
    this.#journal.mark(step, 'sending')
    // Only errors of the call are judged. An error while its answer is written leaves the step "sending", that is unknown.
    const outcome = await settleCall<unknown>(() => {
      if (imageData !== undefined) {
        const image = { requestId, imageData, imageFormat: step.Format ?? 'Jpeg', hasMega: step.Mega ?? false }
        return client.call('AddItemImage', image, {
          onUploadProgress: told && ((sentBytes, total) => told(step, sentBytes, total)),
        })
      }
      if (step.Operation === 'AddItemCampaignCode') {
        return client.call('AddItemCampaignCode', { requestId, campaignCode: step.Subject })
      }
      return client.call('AddItemCommit', { requestId })
    })
    if (outcome.kind === 'answered') this.#journal.mark(step, 'done')
    else this.#failed(step, outcome, await this.#mayBeLeftOut(step, outcome))
  }

  /**
   * True if a refused image or code may be left out: the seller said so, and the request is certainly not committed yet. If it
   * is, the commit would be answered with ok as if the image had been left out, although the item is on sale unchanged.
   */
  async #mayBeLeftOut({ Operation }: ListingStep, { kind, error }: Failed): Promise<boolean> {
    const isRefusal = kind !== 'unknown' && error instanceof SoapError && (error.kind === 'fault' || error.kind === 'input')
    if (!isRefusal || !this.#options.commitAnyway || Operation === 'AddItemCommit') return false
    // The refusal is still to be recorded. If this look fails, nothing is left out.
    return this.#journal.detail.itemRequest !== undefined || (await this.#isCommitted().catch(() => undefined)) === false
  }

  async #addItem(step: ListingStep): Promise<void> {
    const { client } = this.#options
    const { ledger, jobId, detail } = this.#journal
    const { itemRequest } = detail
    if (itemRequest === undefined) throw new Error(`Job ${jobId} has a step that adds an item, and no item.`)
    const { Profile, UserId, Title } = this.#journal.job()
    const { Row } = ledger.store.transaction(() => {
      this.#journal.mark(step, 'sending')
      return ledger.requests.begin({ operation: 'AddItem', subject: Title, profile: Profile, userId: UserId, jobId })
    })
    const outcome = await settleCall(() => client.call('AddItem', { itemRequest }))
    switch (outcome.kind) {
      case 'answered':
        ledger.store.transaction(() => {
          ledger.requests.markQueued(Row, outcome.value)
          this.#journal.mark(step, 'done')
        })
        return
      case 'unknown':
        ledger.requests.markUnknown(Row, outcome.message)
        break
      default:
        ledger.requests.markRefused(Row, outcome)
    }
    this.#failed(step, outcome)
  }

  /**
   * True if the service has committed the request (it has a result, or waits in the queue); undefined if it says nothing of it.
   */
  async #isCommitted(): Promise<boolean | undefined> {
    const code = await fetchResultCode(this.#options.client, this.#journal.requestId())
    return code === undefined || requestState(code) === 'unknown' ? undefined : !isUncommitted(code)
  }

  /** Records how a step failed, and throws the error to report, unless the seller said to commit anyway. */
  #failed(step: ListingStep, outcome: Failed, mayBeLeftOut = false): void {
    const { error, message } = outcome
    if (outcome.kind === 'unknown') throw this.#recordLost(step, outcome)
    const { jobs } = this.#journal.ledger
    const isRefusal = error instanceof SoapError && (error.kind === 'fault' || error.kind === 'input')
    if (mayBeLeftOut) {
      this.#journal.mark(step, 'skipped', message)
      return
    }
    this.#journal.mark(step, isRefusal ? 'failed' : 'waiting', message)
    if (isRefusal && step.Operation === 'AddItem') {
      jobs.finish(this.#journal.jobId, { state: 'failed', message: `The item was refused and not queued: ${message}` })
    } else jobs.update(this.#journal.jobId, { message })
    throw error
  }

  /** Records that a step was sent and its answer lost. @returns what to throw */
  #recordLost(step: ListingStep, { error, message }: Unknown): unknown {
    // Setting a campaign code again changes nothing, so there is no need to ask about it.
    this.#journal.mark(step, step.Operation === 'AddItemCampaignCode' ? 'waiting' : 'unknown', message)
    if (step.Operation === 'AddItemCampaignCode' || step.Operation === 'AddItemCommit') return error
    const choose = step.Operation === 'AddItem' ? chooseForItem : chooseForImage
    const stop = this.#journal.stop(choose(this.#journal.jobId, this.#journal.step(step.Step)))
    return error instanceof SoapError && error.kind === 'aborted' ? error : stop
  }

  /** After the last step: waits for the result if asked to. A resumed job that had nothing else to do looks once. */
  async *#finish(unsent: boolean): AsyncGenerator<ListingProgress, ListingOutcome> {
    const { client, signal, wait } = this.#options
    const { ledger, jobId, detail } = this.#journal
    const isCommitted = this.#journal.steps().some(({ Operation, State }) => Operation === 'AddItemCommit' && State === 'done')
    if (!isCommitted || (detail.itemRequest === undefined && !wait)) {
      // Images for a request that is committed later, or by a command that does not wait: sending them was the whole job.
      ledger.jobs.finish(jobId, { state: 'ok', message: null })
      return this.#journal.outcome(false)
    }
    ledger.jobs.update(jobId, { state: 'waiting', message: null })
    if (!wait && unsent) return this.#journal.outcome(false)
    const timeoutMs = wait ? (this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS) : 0
    const requestIds = [this.#journal.requestId()]
    const looks = waitForRequests({
      client,
      ledger,
      requestIds,
      timeoutMs,
      clock: ledger.clock,
      signal,
      profile: this.#journal.job().Profile,
    })
    for (;;) {
      const look = await looks.next()
      if (look.done) {
        const [row] = look.value.results
        // A result that nobody can read ends nothing: jobs:resume asks for it again.
        if (row?.State === 'unknown') ledger.jobs.update(jobId, { message: resultMeaning(row.ResultCode ?? '') })
        else if (row !== undefined)
          ledger.jobs.finish(jobId, { state: row.State === 'ok' ? 'ok' : 'failed', message: row.Message })
        return this.#journal.outcome(look.value.timedOut && wait === true)
      }
      this.#lock.beat()
      yield { phase: 'wait', wait: look.value }
    }
  }
}
