/**
 * Writes a step in pieces: thousands of items by one transaction, and other processes write between two. All that is known of an
 * item is written with its row, and its row with a whole call: killed between two pieces, what is written is a job like any
 * other, and the items that are left wait for the next step.
 */

import { RULE_FORM } from '../../rows/index.js'
import { BulkJobWriter, bulkRows, type NewBulkRow } from '../bulk/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import type { JobLock, ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { type DiscountChange, DiscountChanges, ITEMS_A_PIECE } from './changes.js'
import type { DiscountPart } from './results.js'
import { discountName } from './terms.js'

export type StepPart = Exclude<DiscountPart, 'change'>

/** A job that a step has made. */
export interface MadeJob {
  readonly jobId: number
  readonly discount: StoredDiscount
  readonly part: StepPart
}

/** Effect of a step on an item. */
interface Turned {
  readonly id: number
  readonly changes: DiscountChange[]
  row?: PriceRow
  /** Kronor. */
  normal: number
}

type PriceRow = NewBulkRow & { readonly price: number }

/** The rows of a discount that wait to be written, and the job that has those before. */
interface Waiting {
  readonly discount: StoredDiscount
  readonly part: StepPart
  readonly toSend: Turned[]
  readonly held: Turned[]
  job?: { readonly writer: BulkJobWriter; readonly lock: JobLock }
}

export class StepPieces {
  readonly #ledger: Ledger
  readonly #shop: ShopKey
  readonly #perCall: number
  readonly #jobs = new Map<string, Waiting>()
  #turned: Turned = { id: 0, changes: [], normal: 0 }
  /** Items without a row. */
  readonly #others: Turned[] = []
  #items = 0
  /** The newest job that was looked at, and the items that jobs of others have since the step began to be judged. */
  #lastJob: number
  readonly #takenIds = new Set<number>()

  /** Make it before what is known of the prices is read. @param perCall rows */
  constructor(ledger: Ledger, shop: ShopKey, perCall: number) {
    this.#ledger = ledger
    this.#shop = shop
    this.#perCall = perCall
    this.#lastJob = ledger.store.number('SELECT max(id) FROM jobs')
  }

  /** Begins with an item. */
  item(id: number): void {
    this.#turned = { id, changes: [], normal: 0 }
  }

  add(...change: DiscountChange): void {
    this.#turned.changes.push(change)
  }

  /** The row of the item, in the job of a discount. @param normal kronor: what the end restores */
  row(discount: StoredDiscount, part: StepPart, row: PriceRow, normal: number): void {
    const key = `${discount.id} ${part}`
    const job = this.#jobs.get(key) ?? { discount, part, toSend: [], held: [] }
    this.#jobs.set(key, job)
    this.#turned.row = row
    this.#turned.normal = normal
    job[row.held === undefined ? 'toSend' : 'held'].push(this.#turned)
  }

  /** Ends with the item. @returns whether it is time to write a piece */
  endItem(): boolean {
    if (this.#turned.row === undefined && this.#turned.changes.length > 0) this.#others.push(this.#turned)
    return ++this.#items >= ITEMS_A_PIECE
  }

  /** Writes what fills calls, and at the end everything. */
  write(end: boolean): void {
    this.#items = 0
    this.#ledger.store.piece(() => {
      this.#lookAtOthers()
      const changes = new DiscountChanges(this.#ledger, this.#shop)
      const isWritten = ({ id, changes: its }: Turned): boolean => {
        if (this.#takenIds.has(id)) return false
        for (const change of its) changes.add(...change)
        return true
      }
      this.#others.splice(0).forEach(isWritten)
      for (const job of this.#jobs.values()) {
        const { toSend, held } = job
        const whole = end ? toSend.length : toSend.length - (toSend.length % this.#perCall)
        const ready = [...toSend.splice(0, whole), ...held.splice(0)].filter(isWritten)
        if (ready.length > 0) this.#addRows(job, ready, changes)
      }
      changes.write()
    })
  }

  #addRows(job: Waiting, items: readonly Turned[], changes: DiscountChanges): void {
    job.job ??= this.#begin(job)
    const { writer, lock } = job.job
    lock.beat()
    for (const { id, row, normal } of items) {
      if (row === undefined) continue
      writer.add(row)
      if (row.held === undefined) changes.add('sending', id, normal, row.oldPrice ?? 0, row.price, writer.jobId)
    }
    writer.write()
    // As long as all its rows were held, another process may have settled it.
    const { discount, part } = job
    this.#ledger.store.put('discount_jobs', { job_id: writer.jobId, discount_id: discount.id, part, settled: 0 })
  }

  /** Nobody else sends the job before it is whole. */
  #begin({ discount, part }: Waiting): Waiting['job'] & object {
    const title = `${discountName(discount)}: ${part}`
    const writer = new BulkJobWriter(this.#ledger, { ...this.#shop, kind: 'price', title, form: RULE_FORM })
    return { writer, lock: this.#ledger.jobs.lock(writer.jobId) }
  }

  /** An item that somebody else has given a price meanwhile is left to the next step, which knows of it. */
  #lookAtOthers(): void {
    const jobs = this.#ledger.store.rows<[number]>(
      "SELECT id FROM jobs WHERE id > ? AND kind = 'price' AND profile = ? ORDER BY id",
      this.#lastJob,
      this.#shop.profile,
    )
    const own = this.madeJobs()
    for (const [id] of jobs) {
      this.#lastJob = id
      if (own.some(({ jobId }) => jobId === id)) continue
      for (const { Id } of bulkRows(this.#ledger, id)) if (Id !== null) this.#takenIds.add(Id)
    }
  }

  /** The jobs that were written, in the order in which they are to be run. */
  madeJobs(): MadeJob[] {
    return [...this.#jobs.values()].flatMap(({ job, discount, part }) =>
      job === undefined ? [] : [{ jobId: job.writer.jobId, discount, part }],
    )
  }

  /** Lets go of the jobs: they may be run. */
  release(): void {
    for (const { job } of this.#jobs.values()) job?.lock.release()
  }
}
