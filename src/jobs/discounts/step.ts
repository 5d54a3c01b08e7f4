/**
 * What is due for the discounts of a shop, planned against the live list: which items join a discount, which leave one, and which price each then has.
 * Nothing is written and nothing is sent here.
 */
import { kronorText } from '../../contract/numbers.js'
import { discountPrice, type Known, lowestPrice, NO_GUARDS, planPrices } from '../../pricing/index.js'
import { PriceRows } from '../../rows/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import { type DiscountPriceRow, DiscountPrices } from './discounted-items.js'
import { type DiscountItemRow, discountItems } from './items.js'
import { isLastTry } from './settle.js'
import { guardsOfDiscount, termsOf, vatOfDiscount } from './terms.js'
import { begins, type DiscountStep, type ItemChange, type Sending, type StepJob, type StepOptions } from './turns.js'

/** Plans what is due. Each item gets one price at a time; what else concerns it waits for a later step. */
export async function planStep(options: StepOptions): Promise<DiscountStep> {
  const step = new Step(options)
  for (const discount of options.due) {
    if (begins(discount, options.ledger.clock.now())) await step.start(discount)
    else step.end(discount)
  }
  return step.finish()
}

/** An item that the step is about. */
interface ItemTurn {
  readonly id: number
  /** Kronor, 0 for none. */
  readonly live: number
  readonly normal: number
  readonly isNew: boolean
  /** Discounts that take it in, and those it leaves. */
  readonly joins: { discount: StoredDiscount; item: DiscountItemRow; price: number; note: string | null }[]
  readonly leaves: StoredDiscount[]
}

interface JobRows {
  readonly discount: StoredDiscount
  readonly part: 'start' | 'end'
  readonly rows: PriceRows
  readonly sending: Sending[]
}

class Step {
  readonly #options: StepOptions
  readonly #now: number
  readonly #prices: Map<number, DiscountPriceRow>
  readonly #terms: ReturnType<DiscountPrices['terms']>
  readonly #turns = new Map<number, ItemTurn>()
  readonly #changes: ItemChange[] = []
  readonly #jobs = new Map<string, JobRows>()
  /** For prices that other jobs have on the way. */
  readonly #pending: Known

  constructor(options: StepOptions) {
    const { ledger, shop, guards } = options
    const prices = new DiscountPrices(ledger, shop)
    this.#options = options
    this.#now = ledger.clock.now()
    this.#prices = prices.all()
    this.#terms = prices.terms()
    this.#pending = options.known(guards)
  }

  /** The items that a discount takes in: judged by its guards from their normal prices, as when the discount was made. */
  async start(discount: StoredDiscount): Promise<void> {
    const { ledger, live, known, perCall, costs, guards: otherwise } = this.#options
    const rows = new PriceRows({ kind: 'rule', columns: ['Id', 'Price'] })
    const candidates: { item: DiscountItemRow; turn: ItemTurn; price: number }[] = []
    for (const item of discountItems(ledger, discount.id, ['planned'])) {
      const turn = this.#turn(discount, item, 'start')
      if (turn === undefined) continue
      const price = discountPrice(termsOf(discount.rule, item.price), turn.normal)
      candidates.push({ item, turn, price })
      rows.add({ line: item.line, id: item.item_id, price, allow: item.allow > 0 ? item.allow : undefined })
    }
    const guards = guardsOfDiscount(discount, otherwise)
    const history = known(guards)
    const plan = await planPrices({
      rows,
      live: live.items((id) => this.#turns.get(id)?.normal),
      guards,
      // What is on the way was looked at for each item.
      known: { of: (id) => ({ first: history.of(id)?.first ?? 0, pending: undefined }) },
      costs: costs?.(vatOfDiscount(discount)),
      perCall,
    })
    for (const [at, { item, turn, price }] of candidates.entries()) {
      const { State, Reason } = plan.entry(at)
      if (State === 'held') this.#hold(discount, 'start', item, { live: turn.live, price, reason: Reason ?? 'held' })
      else turn.joins.push({ discount, item, price, note: moveNote(item, turn.normal) })
    }
  }

  /** The items that leave a discount whose time is up. */
  end(discount: StoredDiscount): void {
    for (const item of discountItems(this.#options.ledger, discount.id, ['on']))
      this.#turn(discount, item, 'end')?.leaves.push(discount)
  }

  /** Decides the price of each item and puts it into a job. */
  async finish(): Promise<DiscountStep> {
    for (const turn of this.#turns.values()) this.#decide(turn)
    const { live, perCall } = this.#options
    const jobs: StepJob[] = []
    for (const { discount, part, rows, sending } of this.#jobs.values()) {
      // The guards are those of the start, applied above; an end restores what was there.
      const plan = await planPrices({ rows, live: live.items(), guards: NO_GUARDS, perCall })
      jobs.push({ discount, part, plan, sending })
    }
    return { jobs, changes: this.#changes }
  }

  #decide({ id, live, normal, isNew, joins, leaves }: ItemTurn): void {
    if (joins.length + leaves.length === 0) return
    const gone = new Set(leaves.map((discount) => discount.id))
    const stay = (this.#terms.get(id) ?? []).filter(({ discountId }) => !gone.has(discountId)).map(({ terms }) => terms)
    const price = lowestPrice(normal, [...stay, ...joins.map((each) => ({ kronor: each.price }))])
    const lowest = [...joins].sort((one, other) => one.price - other.price)[0]
    const join = (each: (typeof joins)[number]): void => {
      const { discount, price: own, note } = each
      this.#changes.push({ kind: 'join', discountId: discount.id, id, normal, price: own, note })
    }
    if (price === live) {
      for (const each of joins) join(each)
      for (const discount of leaves)
        this.#changes.push({ kind: 'state', discountId: discount.id, id, state: 'done', reason: null })
      return
    }
    // One price at a time is on its way, and belongs to one discount: were it lost, the others would not know it.
    if (lowest !== undefined) {
      join(lowest)
      this.#send(lowest.discount, 'start', { id, price, live }, lowest.item)
      return
    }
    const [discount] = leaves
    if (discount === undefined) return
    if (isNew) {
      const reason = 'its normal price is not in the ledger'
      for (const each of leaves) this.#changes.push({ kind: 'state', discountId: each.id, id, state: 'held', reason })
      return
    }
    this.#send(discount, 'end', { id, price, live })
  }

  /** What is known of an item that a discount is about; undefined where it cannot be moved now, and then the reason is noted. */
  #turn(discount: StoredDiscount, item: DiscountItemRow, part: 'start' | 'end'): ItemTurn | undefined {
    const { item_id: id } = item
    const known = this.#turns.get(id)
    if (known !== undefined) return known
    const live = this.#options.live.priceOf(id)
    const row = this.#prices.get(id)
    if (live === undefined) {
      this.#changes.push(this.#withoutLive(discount, id, part))
      return undefined
    }
    const wait = (reason: string): undefined => {
      this.#changes.push({ kind: 'note', discountId: discount.id, id, reason })
    }
    let expected = row?.price
    if (row !== undefined && row.sent !== null) {
      if (live === row.sent) {
        this.#changes.push({ kind: 'arrived', row })
        expected = row.sent
      } else if (!this.#isComing(row)) this.#changes.push({ kind: 'not sent', id })
      else return wait(`job ${row.job_id} has ${kronorText(row.sent)} on the way`)
    }
    const pending = this.#pending.of(id)?.pending
    if (row?.sent == null && pending !== undefined && pending.price !== live) {
      return wait(`job ${pending.jobId} has ${kronorText(pending.price)} on the way`)
    }
    if (expected !== undefined && live !== expected) {
      const other =
        part === 'end'
          ? `the discount price ${kronorText(expected)}`
          : `${kronorText(expected)}, the price of the discount it is in`
      const reason = `the live price is ${kronorText(live)} and not ${other}: it was changed since`
      this.#hold(discount, part, item, { live, price: row?.normal ?? live, reason })
      return undefined
    }
    const normal = this.#normalOf(row, expected, live)
    const turn: ItemTurn = { id, live, normal, isNew: row === undefined, joins: [], leaves: [] }
    this.#turns.set(id, turn)
    return turn
  }

  /** Absence at the end of a discount is not yet: its price would stay for ever. That an item has ended is said by the service. */
  #withoutLive(discount: StoredDiscount, id: number, part: 'start' | 'end'): ItemChange {
    const skipped = (reason: string) => ({ kind: 'state', discountId: discount.id, id, state: 'skipped', reason }) as const
    if (part === 'start') return skipped('no live shop item has this id')
    if (this.#options.ended?.has(id) === true) return skipped('the item has ended, so its price is not restored')
    return { kind: 'absent', discountId: discount.id, id, last: isLastTry(discount) }
  }

  /** Whether a price that a job was setting, and that is not live, may still come. */
  #isComing({ item_id: id, job_id: jobId, sure_at: sureAt }: DiscountPriceRow): boolean {
    if (sureAt !== null) return this.#now < sureAt
    if (jobId === null) return false
    if (this.#pending.of(id)?.pending?.jobId === jobId) return true
    // Its rows are not sent. A job of a discount is gone on with; a change that was interrupted is the seller's, and does not keep a discount from its end.
    const { DiscountId, State } = this.#options.ledger.jobs.show(jobId)
    return DiscountId !== null && State === 'open'
  }

  #normalOf(row: DiscountPriceRow | undefined, expected: number | undefined, live: number): number {
    if (row === undefined) return live
    if (expected !== row.sent || row.job_id === null) return row.normal
    // A change of the normal price that has arrived, and is recorded by this step.
    const change = this.#options.ledger.store.first<{ normal_to: number }>(
      'SELECT normal_to FROM discount_changes WHERE job_id = ? AND item_id = ?',
      row.job_id,
      row.item_id,
    )
    return change?.normal_to ?? row.normal
  }

  #rows(discount: StoredDiscount, part: 'start' | 'end'): JobRows {
    const key = `${discount.id} ${part}`
    let job = this.#jobs.get(key)
    if (job === undefined) {
      job = { discount, part, rows: new PriceRows({ kind: 'rule', columns: ['Id', 'Price'] }), sending: [] }
      this.#jobs.set(key, job)
    }
    return job
  }

  #send(discount: StoredDiscount, part: 'start' | 'end', sending: Sending, item?: DiscountItemRow): void {
    const job = this.#rows(discount, part)
    job.rows.add({ line: item?.line ?? 0, id: sending.id, price: sending.price })
    job.sending.push(sending)
  }

  /** A row that is shown in the job and in the discount with its reason, and not sent. */
  #hold(
    discount: StoredDiscount,
    part: 'start' | 'end',
    item: DiscountItemRow,
    { price, reason }: { live: number; price: number; reason: string },
  ): void {
    this.#changes.push({ kind: 'state', discountId: discount.id, id: item.item_id, state: 'held', reason })
    this.#rows(discount, part).rows.add({ line: item.line, id: item.item_id, price, hold: reason })
  }
}

/** Said of an item whose normal price is another than when the discount was made. */
function moveNote({ before }: DiscountItemRow, normal: number): string | null {
  return before === null || before === normal
    ? null
    : `its price was ${kronorText(before)} when the discount was made, and ${kronorText(normal)} when it began`
}
