/** items:relist: unsold auctions again, each with everything that it had, as a job of one row for each. */

import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { instantOf } from '../../contract/index.js'
import { amountText } from '../../contract/numbers.js'
import { imageLinksOf } from '../../format/views/items.js'
import { type RelistPlanRowShown, relistPlanView } from '../../format/views/sending.js'
import { type Hold, type HoldShown, held } from '../../holds/index.js'
import { callsOfRelist, findRelists, holdOf, type NewBulkRow, type Relisted, type RelistToSend } from '../../jobs/bulk/index.js'
import type { Ledger } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import { applyRule, auctionJudge, countsOf, type PriceRule, ruleWords } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { isoOrNull, LISTING_FEES, type Period, periodOf, periodShown, periodWords, reserveFees } from '../listing/terms.js'
import { shopOf } from '../own.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { RULING, type RuleFlags, typedRule } from '../prices/selection.js'
import type { Result } from '../result.js'
import { explained } from '../rows/explained.js'
import { inputFile } from '../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import { type Judged, judgeRelists, type RelistLimits, upAlready } from './doubles.js'
import { type Choice, chosenAuctions, requestOf, type Wanted, whyIncomplete, whyNotUnsold } from './unsold.js'

export interface RelistFlags extends RowsFlags, GuardFlags, RuleFlags, Choice, Partial<Omit<RelistLimits, 'max-shrink'>> {
  readonly vat?: string | undefined
  /** ms between two starts. */
  readonly stagger?: number | undefined
  /** Reserve price of each, kronor; the one that it had by default. */
  readonly reserve?: number | undefined
  readonly 'no-reserve'?: boolean | undefined
  /** When the first starts, ISO 8601. */
  readonly from?: string | undefined
  readonly 'save-plan'?: string | undefined
  readonly force?: boolean | undefined
}

/**
 * Plans which auctions are put up again, and shows, saves or sends the plan.
 * @returns as runRows
 * @throws {SellerError} usage; validation for the file; what runRows throws
 */
export function relistItems(ctx: Context, ids: readonly number[], flags: RelistFlags): Promise<Result> {
  const { 'save-plan': save, 'dry-run': dryRun, file, force = false } = flags
  return runRows(ctx, {
    flags,
    input: file === undefined ? undefined : inputFile(file, flags),
    outputs: { '--save-plan': save },
    showOnly: dryRun || save !== undefined,
    plan: async () => {
      if (save !== undefined) await checkOutputFile(ctx, save, { force })
      const plan = await relistPlan(ctx, ids, flags)
      if (save === undefined) return plan
      const rows = [...plan.shown.rows(true)].filter(({ State }) => State === 'change')
      const text = rows.map(({ Id, OpeningPrice, Title }) => `${JSON.stringify({ Id, OpeningPrice, Title })}\n`)
      await writeOutputFile(ctx, save, text, { force })
      const send =
        flags['no-reserve'] === true
          ? run('items:relist', { '--file': save, '--no-reserve': true })
          : run('items:relist', { '--file': save, '--reserve': flags.reserve })
      return { ...plan, next: say`The plan is in ${save}. Send it with: ${send}` }
    },
  })
}

async function relistPlan(ctx: Context, ids: readonly number[], flags: RelistFlags): Promise<RowsPlan<RelistPlanRowShown>> {
  const { again = false, file, unsold: all, since } = flags
  const guards = guardsOf(flags, ctx.profile.settings)
  const rule = RULING.some((name) => flags[name] !== undefined) ? await typedRule(ctx, flags) : undefined
  const found = await chosenAuctions(ctx, ids, flags)
  const unsold = found.rows.flatMap(({ item }) => (item === undefined || whyNotUnsold(item) !== undefined ? [] : [item]))
  const limits = { again, 'max-relists': flags['max-relists'], 'max-shrink': flags['max-shrink'] }
  const { holds, times, restarts, calls } = await judgeRelists(ctx, unsold, limits)
  const priced = found.rows.map((wanted) => pricedRow(wanted, { rule, restarts, times, reserve: wishedReserve(flags) }))
  const costs = await knownCosts(ctx, flags.vat)
  const items = new Map(unsold.map((item) => [item.Id, item]))
  const priceGuard = auctionJudge(
    priced.map(({ row }) => changeOf(row)),
    guards,
    ({ Id }) => ({ cost: costs.of({ Id, OwnReferences: items.get(Id)?.OwnReferences, VAT: items.get(Id)?.VAT }) }),
  )
  const starts = startTimes(ctx, flags)
  const now = ctx.clock.now()
  const planned = priced.map((each): Planned => {
    const { row, payload, price } = each
    const guarded = rule !== undefined || price !== undefined || flags.reserve !== undefined
    const hold = row.Hold ?? holds.get(row.Id) ?? (guarded ? priceGuard(changeOf(row)) : undefined)
    if (payload === undefined) return each
    if (hold !== undefined) return { ...each, row: { ...row, State: 'held', Hold: hold } }
    const StartsAt = starts()
    const { ends } = periodOf({ ...payload.Request, ActivateDate: StartsAt }, now)
    const EndsAt = isoOrNull(ends)
    return { ...each, row: { ...row, StartsAt, EndsAt }, payload: { ...payload, StartsAt } }
  })
  const sent = planned.filter(({ row }) => row.State === 'change')
  const sum = (of: (each: Planned) => number): number => sent.reduce((total, each) => total + of(each), 0)
  if (sent.some(({ item }) => item !== undefined && (item.Bold || item.Highlight || item.FeaturedItem)))
    ctx.output.note(
      'Bold, highlighted and featured auctions are put up without it: it costs extra, and the service does not tell its ids.',
    )
  if (sent.some(({ item }) => item !== undefined && item.Duration === undefined))
    ctx.output.note('The service does not tell how long an auction was to run: each runs for the days from its start to its end.')
  const period = since === undefined ? '' : ` since ${since.slice(0, 10)}`
  const what = file !== undefined ? `--file ${file}` : all ? `--unsold${period}` : planned.map(({ id }) => id).join(' ')
  const moved = sent.some(({ row }) => row.OldOpeningPrice !== row.OpeningPrice)
  const at = (text: string | null) => (text === null ? null : instantOf(text))
  const periods = sent.map(({ row }): Period => ({ starts: at(row.StartsAt), ends: at(row.EndsAt) }))
  const shownPeriod = periodShown(periods)
  const ledger = await ctx.ledger()
  return {
    parts: [{ kind: 'relist', rows: jobRows(ctx, ledger, planned, again) }],
    title: `items:relist ${what}${rule === undefined ? '' : `: ${ruleWords(rule, ctx.output.unit)}`}`,
    form: found.form,
    summary: {
      ...countsOf(planned.map(({ row }) => row)),
      OldTotal: moved ? sum(({ row }) => row.OldOpeningPrice ?? 0) : null,
      NewTotal: sum(({ row }) => row.OpeningPrice),
      Fees: reserveFees(sent.flatMap(({ payload }) => payload?.Request ?? [])),
      Calls: sum(({ payload }) => (payload === undefined ? 0 : callsOfRelist(payload))),
      Stopped: null,
    },
    calls: found.calls + calls,
    ...{ verb: 'Put up', noun: 'auction', toDo: 'to put up again' },
    shown: {
      view: relistPlanView,
      rows: () => planned.map(({ row }) => explained(ctx, row)),
      beside: () => shownPeriod,
      facts: (unit) => [
        ...(moved
          ? []
          : [
              `Sum of the start prices: ${amountText(
                sum(({ row }) => row.OpeningPrice),
                unit,
              )}.`,
            ]),
        periodWords(periods),
        LISTING_FEES,
      ],
    },
  }
}

/** A row before it is shown. */
type RelistRow = Omit<RelistPlanRowShown, keyof HoldShown> & { readonly Hold: Hold | null }

/** A row while it is planned. */
interface Planned extends Wanted {
  readonly row: RelistRow
  readonly payload: RelistToSend | undefined
}

/** The prices of a row as the guards take them. */
function changeOf({ Id, OldOpeningPrice, OpeningPrice, OldReservedPrice, ReservedPrice }: RelistRow) {
  return { Id, OldOpeningPrice, OpeningPrice, OldReservedPrice, ReservedPrice, OldBinPrice: null, BinPrice: null }
}

/** The reserve price that the flags ask for: 0 for none, undefined for the one that each had. */
function wishedReserve({ reserve, 'no-reserve': none }: RelistFlags): number | undefined {
  return none === true ? 0 : reserve
}

/** A row with its start price, and why it cannot be sent as it is. */
function pricedRow(
  wanted: Wanted,
  {
    rule,
    restarts,
    times,
    reserve: wished,
  }: Pick<Judged, 'restarts' | 'times'> & { readonly rule: PriceRule | undefined; readonly reserve: number | undefined },
): Planned {
  const { line, id, item, price } = wanted
  const old = item?.OpeningBid ?? 0
  const base = price ?? old
  const OpeningPrice = rule === undefined || base === 0 ? base : applyRule(rule, base)
  const OldReservedPrice = item?.ReservePrice || null
  const reserve = wished ?? item?.ReservePrice ?? 0
  const row = {
    ...{ Line: line, Id: id, Title: item?.ShortDescription ?? null, EndDate: item?.EndDate ?? null },
    ...{
      OldOpeningPrice: old === 0 ? null : old,
      OpeningPrice,
      OldReservedPrice,
      ReservedPrice: reserve || null,
      Relists: times(id),
      StartsAt: null,
      EndsAt: null,
    },
  }
  if (item === undefined) {
    const Hold = held('no_item', { Id: id })
    return { ...wanted, row: { ...row, Images: 0, State: 'unknown', Hold }, payload: undefined }
  }
  const Images = imageLinksOf(item).map(({ Url }) => Url)
  const Request = { ...requestOf(item, OpeningPrice), ReservePrice: reserve }
  const Hold = whyNotUnsold(item) ?? whyIncomplete(item, Request, Images.length, wished !== undefined) ?? null
  const payload = { OpeningPrice, Request, Images, StartsAt: null, Restarts: restarts }
  return { ...wanted, row: { ...row, Images: Images.length, State: 'change', Hold }, payload }
}

/** Gives each row that is sent its time: null for at once. */
function startTimes({ clock }: Context, { from, stagger }: RelistFlags): () => string | null {
  if (from === undefined && stagger === undefined) return () => null
  let next = from === undefined ? clock.now() : Date.parse(from)
  return () => {
    const at = isoOf(next)
    next += stagger ?? 0
    return at
  }
}

/**
 * The rows of the job. They are taken while it is written, so that of two runs at once only one has an auction: the other one then finds it in
 * the ledger.
 */
function* jobRows(ctx: Context, ledger: Ledger, planned: readonly Planned[], again: boolean): Generator<NewBulkRow> {
  const relists = findRelists(ledger, shopOf(ctx))
  for (const { line, id, item, row, payload } of planned) {
    yield {
      ...{ line, id, title: row.Title, ownReference: item?.OwnReferences?.[0], payload },
      oldPayload: item && ({ OpeningPrice: row.OldOpeningPrice, StartDate: item.StartDate } satisfies Relisted),
      held: row.State === 'held' ? holdOf(row) : row.State === 'change' ? upAlready(relists.get(id), again) : null,
      skipped: row.State === 'unknown' ? holdOf(row) : null,
    }
  }
}
