/**
 * shop:activate: when shop items go on sale, as a job. An item that is on sale now leaves the shop until its date, so it is asked
 * about; one that waits for its date is not in the live list, and is looked at by itself.
 */

import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { readDateTime } from '../../cli/values.js'
import { dateTimeOf, type Item, instantOf, minuteOf, type Output, SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import type { ValueSet } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { type ActivationRowShown, activationPlanView } from '../../format/views/plans.js'
import { itemsPerCall } from '../../jobs/bulk/index.js'
import { ownHelp, say } from '../../messages/index.js'
import { type LiveItem, planValues, type ValuePlan } from '../../pricing/index.js'
import { type InputOptions, type RowValue, readValueRows, type Source, type ValueRows } from '../../rows/index.js'
import { confirmOnTerminal, showAsked } from '../jobs/confirm.js'
import { liveItems, SHOP } from '../prices/live.js'
import { ListDoubt } from '../prices/seen.js'
import type { Result } from '../result.js'
import { chooseInput, type FileFlags, type RowsInput, readRows } from '../rows/input.js'
import { plannedRows, type RowsFlags, runRows } from '../rows/run-rows.js'

export interface ActivateFlags extends RowsFlags, FileFlags {
  readonly file?: string | undefined
  /** ISO 8601; needed for rows that have no date. */
  readonly at?: string | undefined
}

/** More are read by one list than one by one. */
const FEW = 3
/** Items that the live list does not have are looked at one by one, so many. */
const LOOKED_AT = 50

/** An item with its start, ms since 1970. */
type StartingItem = LiveItem & { readonly StartsAt: number }
/** The plan compares instants; the field is one of ours. */
const START = { name: 'ActivateDate', live: 'StartsAt' as ValueSet['live'], noun: 'start' } satisfies ValueSet

/**
 * Plans when shop items go on sale, and shows or sends the plan.
 * @param ids of shop items
 * @returns as runRows
 * @throws {SellerError} usage: no items, or two inputs; validation for a date that has passed, and for the file; what runRows
 * throws
 */
export function activateShopItems(ctx: Context, ids: readonly number[], flags: ActivateFlags): Promise<Result> {
  const input = chooseInput(ids, flags, {
    what: 'shop items',
    nothing: {
      code: 'missing_argument',
      message: 'Missing argument: ID.',
      hint: say`Give the ids of shop items, or --file FILE. See ${ownHelp}.`,
    },
  })
  const { at } = flags
  if (at === undefined && input.origin.kind === 'arguments')
    throw new SellerError('missing_flags', 'Missing: --at.', say`Give the time from which they are on sale. See ${ownHelp}.`)
  if (at !== undefined) refusePast(ctx, at)
  return runRows<ActivationRowShown>(ctx, {
    flags,
    input,
    plan: async () => {
      const rows = await readRows(ctx, input, readDates(ctx, at), () => typedRows(ids, at ?? ''))
      const looks = new ItemLooks(ctx, rows)
      const perCall = itemsPerCall(await ctx.ledger(), ctx.profile.name)
      const plan = await planValues(START, rows, looks.items(flags), { perCall: Math.min(perCall, SHOP_ITEMS_PER_CALL) })
      looks.doubt?.refuseMissing(plan.summary.Unknown)
      const plannedActivations = plan.entries.map((entry, index) => plannedRow(ctx, entry, plan.extras[index] ?? []))
      const { shownRows, summary, parts } = plannedRows<ActivationRowShown>(ctx, 'activate', plannedActivations)
      const takenRows = shownRows.filter(({ State, OnSale }) => State === 'change' && OnSale === true)
      return {
        ...{ parts, form: plan.form, calls: looks.calls },
        summary: { ...summary, Calls: plan.summary.Calls },
        ...{ title: `shop:activate ${input.words}${at === undefined ? '' : ` --at ${minuteOf(instantOf(at))}`}` },
        ...{ verb: 'Set the start of', noun: 'shop item' },
        shown: { view: activationPlanView, rows: () => shownRows, also: () => warnTaken(ctx, takenRows) },
        // Rows of a file are asked about all together, below the warning.
        accept: () => (isTyped(input) ? askTaken(ctx, takenRows, flags) : Promise.resolve()),
      }
    },
  })
}

const isTyped = ({ origin }: RowsInput): boolean => origin.kind === 'arguments'

function refusePast(ctx: Context, at: string): void {
  const faults = new InputFaults()
  if (instantOf(at) <= ctx.clock.now())
    faults.add({
      field: '--at',
      value: at,
      message: 'must lie in the future',
      hint: 'An item that is active already needs no date.',
    })
  faults.throwIfAny()
}

function typedRows(ids: readonly number[], at: string): ValueRows {
  const rows = [...new Set(ids)].map((id, index) => ({
    ...{ line: index + 1, id, reference: undefined, value: instantOf(at) },
    extra: [],
  }))
  return { form: { kind: 'arguments', columns: ['Id'] }, rows, notes: [] }
}

/** @param at time of rows that have none of their own */
function readDates(ctx: Context, at: string | undefined) {
  const now = ctx.clock.now()
  const value: RowValue = {
    ...{ name: 'ActivateDate', columns: ['ActivateDate'], example: 'ID=DATE' },
    read(text) {
      if (text.trim() === '') return { why: 'is empty; write when the item goes on sale, such as 2026-12-01 08:00, or give --at' }
      try {
        const instant = instantOf(readDateTime(text.trim(), 'ActivateDate', { now, direction: 'future' }))
        return instant > now ? { value: instant } : { why: 'must lie in the future' }
      } catch (error) {
        if (!(error instanceof SellerError)) throw error
        return { why: 'is not a date; write it such as 2026-12-01, or 2026-12-01 08:00' }
      }
    },
  }
  const otherwise = at === undefined ? undefined : instantOf(at)
  return (source: Source, options: InputOptions) => readValueRows(value, source, options, otherwise)
}

/** The items of the rows: those of the live list, and those that it does not have, one call each. */
class ItemLooks {
  calls = 0
  /** Set where the list was read. */
  doubt: ListDoubt | undefined
  readonly #ctx: Context
  readonly #rows: ValueRows

  constructor(ctx: Context, rows: ValueRows) {
    this.#ctx = ctx
    this.#rows = rows
  }

  async *items(flags: ActivateFlags): AsyncGenerator<LiveItem, void> {
    const { rows } = this.#rows
    const remainingIds = new Set(rows.flatMap(({ id }) => (id > 0 ? [id] : [])))
    if (rows.length > FEW || remainingIds.size < rows.length) {
      this.calls++
      this.doubt = new ListDoubt(flags)
      const references = remainingIds.size < rows.length || this.#rows.numbered ? (true as const) : undefined
      const list = { ...SHOP, also: ['StartDate'] as const, absence: this.doubt, references }
      for await (const item of liveItems(this.#ctx, await this.#ctx.client(), list)) {
        remainingIds.delete(item.Id)
        yield starting(item as Listed)
      }
    }
    for (const itemId of [...remainingIds].slice(0, LOOKED_AT)) {
      this.calls++
      const client = await this.#ctx.client()
      const item = await client.call('GetItem', { itemId }, { signal: this.#ctx.signal })
      // One that has ended stays ended.
      if (item !== null && instantOf(item.EndDate) > this.#ctx.clock.now()) yield starting(item)
    }
    if (remainingIds.size > LOOKED_AT)
      this.#ctx.output.warn(
        `${countOf(remainingIds.size - LOOKED_AT, 'item')} of the file ${remainingIds.size - LOOKED_AT === 1 ? 'is' : 'are'} not in the live list and ${remainingIds.size - LOOKED_AT === 1 ? 'was' : 'were'} not looked at: at most ${LOOKED_AT} are, one call each.`,
      )
  }
}

type Listed = LiveItem & Pick<Output<typeof Item>, 'StartDate'>

function starting(item: Listed): StartingItem {
  return { ...item, StartsAt: instantOf(item.StartDate) }
}

function plannedRow(ctx: Context, entry: ValuePlan['entries'][number], extra: readonly unknown[]) {
  const { Line, Id, OwnReference, Title, Old, Value, State, Hold } = entry
  const dates = { OldActivateDate: Old === null ? null : dateTimeOf(Old), ActivateDate: dateTimeOf(Value) }
  const OnSale = Old === null ? null : Old <= ctx.clock.now()
  const payload = { ActivateDate: dates.ActivateDate }
  const oldPayload = dates.OldActivateDate === null ? null : { ActivateDate: dates.OldActivateDate }
  return {
    shown: { Line, Id, OwnReference, Title, OnSale, ...dates, State },
    hold: Hold,
    sent: { extra, payload, oldPayload },
  }
}

function warnTaken({ output }: Context, takenRows: readonly ActivationRowShown[]): void {
  if (takenRows.length === 0) return
  const [is, they] =
    takenRows.length === 1 ? ['is', 'It leaves the shop until its date.'] : ['are', 'They leave the shop until their dates.']
  output.warn(`${countOf(takenRows.length, 'item')} of the plan ${is} on sale now. ${they}`)
}

/** @throws {SellerError} guard (6): declined */
async function askTaken(ctx: Context, takenRows: readonly ActivationRowShown[], flags: ActivateFlags): Promise<void> {
  const [one, ...others] = takenRows
  if (one === undefined) return
  const what = others.length === 0 ? `item ${one.Id} "${one.Title ?? ''}"` : countOf(takenRows.length, 'item')
  const until = takenRows.map(({ ActivateDate }) => minuteOf(instantOf(ActivateDate))).sort()
  const [first, last] = [until[0], until.at(-1)]
  if (others.length > 0) await showAsked(ctx, takenRows, { columns: activationPlanView.columns, yes: flags.yes })
  const dateWords = first === last ? first : `their dates, ${first} to ${last}`
  await confirmOnTerminal(ctx, `Take ${what} out of the shop until ${dateWords}?`, flags)
}
