/** Sends the unsent rows of a job with several calls at once. Each call is on disk before it is sent. */
import type { SoapClient } from '../../soap/client/index.js'
import type { JobLock } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Batch } from './batch.js'
import { type BulkJournal, itemsPerCall, rememberItemsPerCall } from './journal.js'
import { Pace } from './pace.js'
import type { Strategy } from './strategies.js'
import { type Trouble, troubleOf } from './trouble.js'
import type { BulkStop } from './types.js'

/** Calls at once of single writes. Each of them becomes a row of unknown outcome if the connection is lost. */
const SINGLE_AT_ONCE = 2

/** After this many calls in a row that failed alike, the cause is the service or the network, and not their rows. */
const SAME_TROUBLE = 3

export interface SenderOptions {
  readonly ledger: Ledger
  readonly client: Pick<SoapClient, 'call'>
  readonly journal: BulkJournal
  readonly strategy: Strategy
  readonly profile: string
  /** Calls at once; undefined means as many as the service keeps up with. */
  readonly concurrency: number | undefined
  readonly signal: AbortSignal | undefined
  readonly lock: JobLock
  /** Called after every call. */
  readonly onCall: () => void
}

/** Rows of a failed call, and their batch. */
interface Faulted {
  readonly batch: Batch
  readonly places: readonly number[]
  /** Whether nothing of it was carried out. */
  readonly proven: boolean
}

export class Sender {
  readonly #options: SenderOptions
  #perCall: number
  /** The last batch given to a worker. Batches are handed out in order, each to one worker. */
  #last = 0
  #ended: { stop: BulkStop; error: unknown } | undefined
  /** The calls that failed in a row. */
  #inARow: Faulted[] = []
  /** Changes that wait for the commit at the end of this turn of the event loop. */
  #waiting: { save: () => void; done: () => void; failed: (error: unknown) => void }[] = []
  /** The size of a call that the service explicitly refused, until a smaller one is accepted. */
  #refusedSize = 0
  /** Rows of the largest call that was accepted. */
  #taken = 0
  readonly #pace = new Pace()
  readonly #workers: Promise<void>[] = []
  /** Workers that have not ended. */
  #working = 0
  /** Whether every batch was given to a worker. */
  #emptied = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#perCall = options.strategy.many ? itemsPerCall(options.ledger, options.profile) : 1
  }

  /** Sends until nothing is unsent or something stops it. @throws LedgerError, JobsError if the job was taken over */
  async run(): Promise<{ stop: BulkStop | null; error: unknown }> {
    this.#addWorkers()
    // The number of workers follows the pace; workers that were added meanwhile are waited for too.
    for (let ended = 0; ended < this.#workers.length; ) {
      ended = this.#workers.length
      await Promise.allSettled(this.#workers)
    }
    await Promise.all(this.#workers)
    return this.#ended ?? { stop: null, error: null }
  }

  /** How many calls may run at once now. */
  get #atOnce(): number {
    const { concurrency, strategy } = this.#options
    return concurrency ?? (strategy.single ? SINGLE_AT_ONCE : this.#pace.atOnce)
  }

  #addWorkers(): void {
    while (this.#working < Math.max(1, this.#atOnce) && !this.#emptied && this.#ended === undefined) {
      this.#working++
      const worker = this.#work()
      // `run` throws its error, but may still be waiting for another worker.
      worker.catch(() => undefined)
      this.#workers.push(worker)
    }
  }

  async #work(): Promise<void> {
    try {
      for (let dirty: Batch | undefined; ; ) {
        const surplus = this.#working > this.#atOnce
        const batch = this.#ended === undefined && !surplus ? this.#next() : undefined
        if (batch === undefined) {
          // Decreased before anything is awaited: if two workers see that there is one too many, only one may end.
          this.#working--
          if (dirty !== undefined) await this.#commit([dirty])
          return
        }
        dirty = await this.#sendBatch(batch, dirty)
      }
    } catch (error) {
      // Not an error of the service, but of the ledger or of this program. The other workers finish their calls and send no more.
      this.#ended ??= { stop: 'fault', error }
      throw error
    }
  }

  #next(): Batch | undefined {
    const batch = this.#options.journal.next('unsent', this.#last)
    if (batch === undefined) this.#emptied = true
    else this.#last = batch.batch
    return batch
  }

  /**
   * Sends the unsent rows of a batch, call by call. The changes of a reply are written together with the next call's "sending",
   * by one commit. Nothing is awaited between the two, so the process cannot end between the reply and its record.
   * @param dirty the batch before, whose last reply is not written yet
   * @returns this batch, whose last reply is not written yet
   */
  async #sendBatch(batch: Batch, dirty: Batch | undefined): Promise<Batch> {
    let unwritten = dirty === undefined ? [batch] : [dirty, batch]
    while (this.#ended === undefined) {
      const places = batch.places('unsent', this.#perCall)
      if (places.length === 0) break
      batch.move(places, 'unsent', 'sending')
      await this.#commit(unwritten)
      unwritten = [batch]
      await this.#call(batch, places)
    }
    return batch
  }

  async #call(batch: Batch, places: readonly number[]): Promise<void> {
    const { strategy, client, signal, onCall } = this.#options
    const began = performance.now()
    try {
      await strategy.send(client, batch, places, { signal })
      this.#pace.noteAnswer(performance.now() - began)
      this.#inARow = []
      this.#taken = Math.max(this.#taken, places.length)
      if (this.#refusedSize > places.length && strategy.many) this.#remember()
    } catch (error) {
      const trouble = troubleOf(error, { rows: places.length, taken: this.#taken, single: strategy.single })
      if (trouble === undefined) {
        // The rows stay "sending"; the next run handles them.
        throw error
      }
      this.#apply(trouble, error, batch, places)
    }
    this.#addWorkers()
    onCall()
  }

  #apply(trouble: Trouble, error: unknown, batch: Batch, places: readonly number[]): void {
    switch (trouble.rows) {
      case 'split':
        if (trouble.sure) this.#refusedSize = places.length
        this.#perCall = Math.max(1, Math.min(this.#perCall, Math.ceil(places.length / 2)))
        batch.move(places, 'sending', 'unsent')
        return
      case 'back':
        batch.move(places, 'sending', 'unsent')
        break
      case 'again':
        // Stays "sending": it may have been carried out, which undo must know. Another run sends it again.
        break
      default:
        for (const at of places) batch.set(at, trouble.rows, trouble.message)
    }
    if (trouble.severity === 'ends' && trouble.stop !== undefined) this.#end(trouble.stop, error)
    if (trouble.severity === 'counts' && trouble.stop !== undefined) this.#count(trouble, error, batch, places)
  }

  /**
   * Counts a failed call. The last one allowed ends the run and, if nothing was carried out, makes the rows of all of them unsent
   * again.
   */
  #count(trouble: Trouble, error: unknown, batch: Batch, places: readonly number[]): void {
    this.#pace.noteFailure()
    this.#inARow.push({ batch, places, proven: trouble.proven })
    if (this.#inARow.length < SAME_TROUBLE || trouble.stop === undefined) return
    if (trouble.rows === 'failed') {
      const { journal } = this.#options
      for (const faulted of this.#inARow) {
        // What may have been carried out stays "sending": undo must know it, and another run sends it again.
        const state = faulted.proven ? 'unsent' : 'sending'
        for (const at of faulted.places) if (faulted.batch.state(at) === 'failed') faulted.batch.set(at, state)
        // Batches of other workers are written with their next change, but those already finished are not.
        journal.save(faulted.batch)
      }
    }
    this.#end(trouble.stop, error)
  }

  #end(stop: BulkStop, error: unknown): void {
    this.#ended ??= { stop, error }
  }

  /** A smaller call was accepted where a larger one was refused: that is the limit from now on, in this run and the next ones. */
  #remember(): void {
    this.#refusedSize = 0
    rememberItemsPerCall(this.#options.ledger, this.#options.profile, this.#perCall)
  }

  /**
   * Writes batches together with those of other workers of the same turn, by one commit: on a slow disk a flush takes longer than
   * a call.
   */
  #commit(batches: readonly Batch[]): Promise<void> {
    const { journal } = this.#options
    return new Promise((done, failed) => {
      const save = () => {
        for (const batch of batches) journal.save(batch)
      }
      this.#waiting.push({ save, done, failed })
      if (this.#waiting.length === 1) setImmediate(() => this.#flush())
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      this.#options.lock.beat()
      this.#options.journal.transaction(() => {
        for (const { save } of waiting) save()
      })
      for (const { done } of waiting) done()
    } catch (error) {
      for (const { failed } of waiting) failed(error)
    }
  }
}
