/**
 * Steps due for the discounts of a shop: which items join a discount, which leave one, and which price each then has. It is
 * judged against the live list first, and then written into the ledger piece by piece, each with the rows of jobs and everything
 * that they will send. Killed in between, the jobs are there and are gone on with, and the next step has the items that are left.
 * The items go by one at a time: what is known of all of them is in ints.
 */
import { setImmediate } from 'node:timers/promises'
import { type Hold, held, type StoredHold, storedHold } from '../../holds/index.js'
import {
  type DiscountTerms,
  discountPrice,
  type Guards,
  type Known,
  lowestPrice,
  type PlanCosts,
  planPrices,
  type RowPlan,
} from '../../pricing/index.js'
import { PriceRows, RULE_FORM } from '../../rows/index.js'
import { holdOf } from '../bulk/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { type DiscountedItem, DiscountedItems } from './discounted-items.js'
import { type DiscountItemPrices, discountItemPrices } from './items.js'
import type { LiveShop } from './live-shop.js'
import { type MadeJob, type StepPart, StepPieces } from './pieces.js'
import { isLastTry } from './results.js'
import { guardsOfDiscount, readTerms, vatOfDiscount } from './terms.js'
import { begins } from './turns.js'

export interface StepOptions {
  readonly ledger: Ledger
  readonly shop: ShopKey
  /** The discounts that are due, in that order. */
  readonly due: readonly StoredDiscount[]
  readonly live: LiveShop
  /** Items of a discount that ends which the service lists as ended: their prices need not be restored. */
  readonly ended?: ReadonlySet<number> | undefined
  /** Price history in the ledger, beside the guards of a discount. */
  readonly known: (guards: Guards) => Known
  /** Costs of the items, with the VAT that the discount was made with. */
  readonly costs?: ((vat: string | undefined) => PlanCosts) | undefined
  /** Guards that a discount does not have, because its version did not know them. */
  readonly guards: Guards
  /** Rows a call. */
  readonly perCall: number
}

export interface WrittenStep {
  /** The jobs to be run, in that order. */
  readonly made: readonly MadeJob[]
  /** Number of items that each discount could not restore because the live list does not have them, by its id. */
  readonly absent: ReadonlyMap<number, number>
}

/** Judges what is due. Nothing is written yet. */
export async function planStep(options: StepOptions): Promise<Step> {
  const step = new Step(options)
  for (const discount of options.due) if (begins(discount, step.now)) await step.judge(discount)
  return step
}

/** Standing of a live item. Kronor. */
interface Standing {
  /** 0 for none. */
  readonly live: number
  readonly normal: number
  /** Price that the discounts have set; another live price was set by somebody else. */
  readonly expected: number
  /** True if it is in no discount yet. */
  readonly isNew: boolean
  /** Outcome of the price that a job was setting. */
  readonly job?: 'arrived' | 'notSent'
  /** Why it is left alone until a later step. */
  readonly waits?: Hold
}

/** The items that join a discount, and what its guards say of each. */
interface Judged {
  readonly discount: StoredDiscount
  readonly rows: PriceRows
  readonly plan: RowPlan
}

class Step {
  readonly now: number
  readonly #options: StepOptions
  readonly #items: DiscountedItems
  /** For prices that other jobs have on the way. */
  readonly #pending: Known
  readonly #judgements: Judged[] = []
  readonly #pieces: StepPieces
  readonly #absentCounts = new Map<number, number>()
  /** True if a job of a discount is still to be gone on with, by its id. */
  readonly #open = new Map<number, boolean>()

  constructor(options: StepOptions) {
    const { ledger, shop, guards, perCall } = options
    this.#options = options
    this.now = ledger.clock.now()
    this.#pieces = new StepPieces(ledger, shop, perCall)
    this.#items = new DiscountedItems(ledger, shop)
    this.#pending = options.known(guards)
  }

  /** Judges the items that a discount takes in, by its guards, from their normal prices, as when the discount was made. */
  async judge(discount: StoredDiscount): Promise<void> {
    const { ledger, live, known, perCall, costs, guards: otherwise } = this.#options
    const rows = new PriceRows(RULE_FORM)
    const terms = readTerms(discount)
    for (const { item_id: id, line, price, allow } of discountItemPrices(ledger, discount.id, 'planned')) {
      const standing = this.#standing(id)
      if (standing === undefined || standing.waits !== undefined || standing.live !== standing.expected) continue
      const own = discountPrice(terms(price), standing.normal)
      rows.add({ line, id, price: own, allow: allow > 0 ? allow : undefined })
    }
    const guards = guardsOfDiscount(discount, otherwise)
    const history = known(guards)
    const plan = await planPrices({
      rows,
      // The live price of an item in no discount is its normal one.
      live: live.items((id) => (this.#items.get(id) === undefined || rows.find(id) < 0 ? undefined : this.#standing(id)?.normal)),
      guards,
      // Prices on the way were checked for each item.
      known: { of: (id) => ({ first: history.of(id)?.first ?? 0, pending: undefined }) },
      costs: costs?.(vatOfDiscount(discount)),
      perCall,
    })
    this.#judgements.push({ discount, rows, plan })
  }

  /**
   * Writes it. Each item gets one price at a time; what else concerns it waits for a later step.
   * @param beat is called before each piece
   * @throws the reason of the signal; what is written until then is kept
   */
  async write({ beat, signal }: { beat?: () => void; signal?: AbortSignal } = {}): Promise<WrittenStep> {
    const [{ ledger }, pieces] = [this.#options, this.#pieces]
    const due = this.#begin()
    try {
      for (const discount of due) {
        const part = begins(discount, this.now) ? 'start' : 'end'
        for (const item of discountItemPrices(ledger, discount.id, part === 'start' ? 'planned' : 'on')) {
          pieces.item(item.item_id)
          this.#turn(item, { discount, part, due })
          if (!pieces.endItem()) continue
          beat?.()
          pieces.write(false)
          await setImmediate()
          signal?.throwIfAborted()
        }
      }
      beat?.()
      pieces.write(true)
    } finally {
      pieces.release()
    }
    return { made: pieces.madeJobs(), absent: this.#absentCounts }
  }

  /** @returns the discounts that are due: one may have been given up since it was judged, and none that has begun is given up */
  #begin(): readonly StoredDiscount[] {
    const { ledger } = this.#options
    return ledger.store.transaction(() => {
      const due = this.#options.due.filter(({ id }) => ledger.discounts.stored(id).state !== 'dropped')
      for (const { id, started_at } of due.filter((discount) => begins(discount, this.now)))
        ledger.store.update('discounts', { state: 'running', started_at: started_at ?? this.now }, { id })
      return due
    })
  }

  /** Decides what becomes of an item that a discount takes in or lets go. */
  #turn(item: DiscountItemPrices, turn: { discount: StoredDiscount; part: StepPart; due: readonly StoredDiscount[] }): void {
    const { discount, part, due } = turn
    const { item_id: id } = item
    const pieces = this.#pieces
    const standing = this.#standing(id)
    if (standing === undefined) {
      this.#leaveAbsent(discount, id, part)
      return
    }
    const { live, normal, expected, job, waits } = standing
    const oldPrice = live > 0 ? live : null
    if (job !== undefined) pieces.add(job, id)
    if (waits !== undefined) {
      pieces.add('note', discount.id, id, storedHold(waits))
      return
    }
    const hold = (price: number, why: Hold): void => {
      this.#state(discount, id, 'held', why)
      pieces.row(discount, part, { line: item.line, id, price, oldPrice, held: why }, normal)
    }
    if (live !== expected) {
      hold(normal, held('moved', { Live: live, Expected: expected, Discount: part }))
      return
    }
    const rowJudgement = this.#heldBy(discount, id)
    if (rowJudgement !== undefined) {
      hold(rowJudgement.price, rowJudgement.why)
      return
    }
    const memberships = this.#items.having(id)
    const joins = this.#judgements.flatMap((judgement) => (due.includes(judgement.discount) ? joinOf(judgement, id) : []))
    const leaves = due.filter((each) => !begins(each, this.now) && memberships.some((its) => its.discount.id === each.id))
    const concernedDiscounts = [...joins.map((join) => join.discount), ...leaves]
    // Whoever comes first has decided; one that was not there to be judged waits.
    if (due.find((each) => concernedDiscounts.includes(each)) !== discount) return
    // Terms are read of those that stay only: a discount ends also where another version wrote its rule.
    const stay = memberships
      .filter((its) => !leaves.some((each) => each.id === its.discount.id))
      .flatMap((its) => its.terms(id) ?? [])
    const price = lowestPrice(normal, [...stay, ...joins.map((join): DiscountTerms => ({ kronor: join.price }))])
    const lowest = joins.reduce<Join | undefined>(
      (low, join) => (low === undefined || join.price < low.price ? join : low),
      undefined,
    )
    const join = (each: Join): void => {
      // Nearly always its own discount, whose row is at hand.
      const planned = each.discount === discount && part === 'start' ? item : this.#planned(each.discount, id)
      if (planned?.before === normal && planned.price === each.price) pieces.add('join', each.discount.id, id)
      else {
        const note = storedOrNull(moveNote(planned?.before ?? null, normal))
        pieces.add('joinMoved', each.discount.id, id, normal, each.price, note)
      }
    }
    if (price === live) {
      for (const each of joins) join(each)
      if (joins.length > 0) pieces.add('normal', id, normal)
      for (const each of leaves) this.#state(each, id, 'done', null)
      return
    }
    // One price at a time is on its way, and belongs to one discount: were it lost, the others would not know it.
    if (lowest !== undefined) {
      join(lowest)
      pieces.row(lowest.discount, 'start', { line: lowest.line, id, price, oldPrice }, normal)
    } else if (standing.isNew) {
      for (const each of leaves) this.#state(each, id, 'held', held('normal_unknown'))
    } else pieces.row(discount, 'end', { line: 0, id, price, oldPrice }, normal)
  }

  #state({ id: discountId }: StoredDiscount, id: number, state: 'done' | 'held' | 'skipped', why: Hold | null): void {
    this.#pieces.add('state', discountId, id, state, storedOrNull(why))
    this.#pieces.add('leave', id)
  }

  /**
   * Absence at the end of a discount is not yet: its price would stay for ever. That an item has ended is said by the service.
   */
  #leaveAbsent(discount: StoredDiscount, id: number, part: StepPart): void {
    const hasEnded = this.#options.ended?.has(id) === true
    if (part === 'start' || hasEnded) {
      const why = part === 'start' ? held('not_live', { Id: id, OwnReference: null, Type: 'ShopItem' }) : held('item_ended')
      this.#state(discount, id, 'skipped', why)
      return
    }
    this.#absentCounts.set(discount.id, (this.#absentCounts.get(discount.id) ?? 0) + 1)
    // The normal price of one that was not restored is kept: discounts:end tries again.
    if (isLastTry(discount)) this.#pieces.add('state', discount.id, id, 'failed', storedOrNull(held('absent', { Last: true })))
    else this.#pieces.add('note', discount.id, id, storedHold(held('absent', { Last: false })))
  }

  /** Standing of an item; undefined if it is not live. */
  #standing(id: number): Standing | undefined {
    const live = this.#options.live.priceOf(id)
    if (live === undefined) return undefined
    const item = this.#items.get(id)
    const standing = { live, normal: item?.normal ?? live, expected: item?.price ?? live, isNew: item === undefined }
    if (item === undefined || item.sent === null) {
      const pending = this.#pending.of(id)?.pending
      if (pending === undefined || pending.price === live) return standing
      return { ...standing, waits: onTheWay(pending.jobId, pending.price) }
    }
    if (live === item.sent) return { ...standing, normal: this.#normalNow(id, item), expected: live, job: 'arrived' }
    return this.#isComing(id, item) ? { ...standing, waits: onTheWay(item.jobId, item.sent) } : { ...standing, job: 'notSent' }
  }

  /** True if a price that a job was setting, and that is not live, may still come. */
  #isComing(id: number, { jobId, sureAt }: DiscountedItem): boolean {
    if (sureAt !== null) return this.now < sureAt
    if (jobId === null) return false
    if (this.#pending.of(id)?.pending?.jobId === jobId) return true
    // Its rows are not sent. A job of a discount is gone on with; a change that was interrupted is the seller's, and does not
    // keep a discount from its end.
    let open = this.#open.get(jobId)
    if (open === undefined) {
      const { DiscountId, State } = this.#options.ledger.jobs.show(jobId)
      open = DiscountId !== null && State === 'open'
      this.#open.set(jobId, open)
    }
    return open
  }

  /** The normal price once the price of a job has arrived: that job may have changed it. */
  #normalNow(id: number, { jobId, normal }: DiscountedItem): number {
    const sql = 'SELECT normal_to FROM discount_changes WHERE job_id = ? AND item_id = ?'
    return this.#options.ledger.store.first<{ normal_to: number }>(sql, jobId, id)?.normal_to ?? normal
  }

  #heldBy(discount: StoredDiscount, id: number): { price: number; why: Hold } | undefined {
    const judgement = this.#judgements.find((each) => each.discount === discount)
    const at = judgement?.rows.find(id) ?? -1
    if (judgement === undefined || at < 0) return undefined
    if (judgement.plan.state(at) !== 'held') return undefined
    const entry = judgement.plan.entry(at)
    return { price: entry.NewPrice, why: holdOf(entry) }
  }

  /** Prices that an item was planned with. */
  #planned({ id: discountId }: StoredDiscount, id: number): Pick<DiscountItemPrices, 'before' | 'price'> | undefined {
    const sql = 'SELECT before, price FROM discount_items WHERE discount_id = ? AND item_id = ?'
    return this.#options.ledger.store.first(sql, discountId, id)
  }
}

/** A discount that takes an item in. */
interface Join {
  readonly discount: StoredDiscount
  readonly line: number
  /** Kronor, of this discount alone. */
  readonly price: number
}

function joinOf({ discount, rows, plan }: Judged, id: number): Join[] {
  const at = rows.find(id)
  if (at < 0 || plan.state(at) === 'held') return []
  const { line, price } = rows.at(at)
  return [{ discount, line, price }]
}

function onTheWay(Job: number | null, Price: number): Hold {
  return held('on_the_way', { Job, Price })
}

function storedOrNull(hold: Hold | null): StoredHold | null {
  return hold && storedHold(hold)
}

/** Said of an item whose normal price is another than when the discount was made. */
function moveNote(before: number | null, normal: number): Hold | null {
  return before === null || before === normal ? null : held('normal_moved', { Before: before, Normal: normal })
}
