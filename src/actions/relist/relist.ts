/** items:relist: unsold auctions again, each with everything that it had, as a job of one row for each. */

import type { Context } from '../../cli/context.js'
import { writeOutputFile } from '../../cli/output-file.js'
import { instantOf } from '../../contract/index.js'
import { amountText } from '../../contract/numbers.js'
import { imageLinksOf } from '../../format/views/items.js'
import { type RelistPlanRowShown, relistPlanView } from '../../format/views/sending.js'
import { type Hold, type HoldShown, held } from '../../holds/index.js'
import { callsOfRelist, findRelists, holdOf, type NewBulkRow, type Relisted, type RelistToSend } from '../../jobs/bulk/index.js'
import type { Ledger } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import { applyRule, auctionJudge, countRows, type PriceRule, ruleWords } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { isoOrNull, LISTING_FEES, listingPeriod, type Period, periodShown, periodWords, reserveFees } from '../listing/terms.js'
import { shopOf } from '../own.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { RULING, type RuleFlags, typedRule } from '../prices/selection.js'
import type { Result } from '../result.js'
import { explained } from '../rows/explained.js'
import { inputFile } from '../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import { type Judged, judgeRelists, type RelistLimits, upAlready } from './doubles.js'
import { type Choice, chosenAuctions, relistRequest, type Wanted, whyIncomplete, whyNotUnsold } from './unsold.js'

export interface RelistFlags extends RowsFlags, GuardFlags, RuleFlags, Choice, Partial<RelistLimits> {
  readonly vat?: string | undefined
  /** ms between two starts. */
  readonly interval?: number | undefined
  /** Reserve price of each, kronor; the one that it had by default. */
  readonly reserve?: number | null | undefined
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
      const plan = await relistPlan(ctx, ids, flags)
      if (save === undefined) return plan
      const rows = [...plan.shown.rows(true)].filter(({ State }) => State === 'change')
      const text = rows.map(
        ({ Id, OpeningPrice, ReservedPrice, Title }) =>
          `${JSON.stringify({ Id, OpeningPrice, ReservedPrice: ReservedPrice ?? 0, Title })}\n`,
      )
      await writeOutputFile(ctx, save, text, { force })
      return { ...plan, next: say`The plan is in ${save}. Send it with: ${run('items:relist', { '--file': save })}` }
    },
  })
}

async function relistPlan(ctx: Context, ids: readonly number[], flags: RelistFlags): Promise<RowsPlan<RelistPlanRowShown>> {
  const { again = false, file, unsold: all, since } = flags
  const guards = readGuards(flags, ctx.profile.settings)
  const rule = RULING.some((name) => flags[name] !== undefined) ? await typedRule(ctx, flags) : undefined
  const auctions = await chosenAuctions(ctx, ids, flags)
  const unsold = auctions.rows.flatMap(({ item }) => (item === undefined || whyNotUnsold(item) !== undefined ? [] : [item]))
  const limits = { again, 'max-relists': flags['max-relists'], allow: flags.allow }
  const { holds, times, restarts, calls } = await judgeRelists(ctx, unsold, limits)
  const pricedRows = auctions.rows.map((auction) => pricedRow(auction, { rule, restarts, times, reserve: wishedReserve(flags) }))
  const costs = await knownCosts(ctx, flags.vat)
  const items = new Map(unsold.map((item) => [item.Id, item]))
  const priceGuard = auctionJudge(
    pricedRows.map(({ row }) => changeOf(row)),
    guards,
    ({ Id }) => ({ cost: costs.of({ Id, OwnReferences: items.get(Id)?.OwnReferences, VAT: items.get(Id)?.VAT }) }),
  )
  const starts = startTimes(ctx, flags)
  const now = ctx.clock.now()
  const plannedRelists = pricedRows.map((each): Planned => {
    const { row, payload, price, reserve } = each
    const isGuarded = rule !== undefined || price !== undefined || (reserve ?? flags.reserve ?? undefined) !== undefined
    const hold = row.Hold ?? holds.get(row.Id) ?? (isGuarded ? priceGuard(changeOf(row)) : undefined)
    if (payload === undefined) return each
    if (hold !== undefined) return { ...each, row: { ...row, State: 'held', Hold: hold } }
    const StartsAt = starts()
    const { ends } = listingPeriod({ ...payload.Request, ActivateDate: StartsAt }, now)
    const EndsAt = isoOrNull(ends)
    return { ...each, row: { ...row, StartsAt, EndsAt }, payload: { ...payload, StartsAt } }
  })
  const changes = plannedRelists.filter(({ row }) => row.State === 'change')
  const sum = (of: (each: Planned) => number): number => changes.reduce((total, each) => total + of(each), 0)
  if (changes.some(({ item }) => item !== undefined && (item.Bold || item.Highlight || item.FeaturedItem)))
    ctx.output.note(
      'Bold, highlighted and featured auctions are put up without it: it costs extra, and the service does not publish its ids.',
    )
  if (changes.some(({ item }) => item !== undefined && item.Duration === undefined))
    ctx.output.note('The service does not say how long an auction was to run: each runs for the days from its start to its end.')
  const period = since === undefined ? '' : ` since ${since.slice(0, 10)}`
  const what = file !== undefined ? `--file ${file}` : all ? `--unsold${period}` : plannedRelists.map(({ id }) => id).join(' ')
  const hasMoved = changes.some(({ row }) => row.OldOpeningPrice !== row.OpeningPrice)
  const at = (text: string | null) => (text === null ? null : instantOf(text))
  const periods = changes.map(({ row }): Period => ({ starts: at(row.StartsAt), ends: at(row.EndsAt) }))
  const shownPeriod = periodShown(periods)
  const ledger = await ctx.ledger()
  return {
    parts: [{ kind: 'relist', rows: jobRows(ctx, ledger, plannedRelists, again) }],
    title: `items:relist ${what}${rule === undefined ? '' : `: ${ruleWords(rule, ctx.output.unit)}`}`,
    form: auctions.form,
    summary: {
      ...countRows(plannedRelists.map(({ row }) => row)),
      OldTotal: hasMoved ? sum(({ row }) => row.OldOpeningPrice ?? 0) : null,
      NewTotal: sum(({ row }) => row.OpeningPrice),
      Fees: reserveFees(changes.flatMap(({ payload }) => payload?.Request ?? [])),
      Calls: sum(({ payload }) => (payload === undefined ? 0 : callsOfRelist(payload))),
      Stopped: null,
    },
    calls: auctions.calls + calls,
    ...{ verb: 'Put up', noun: 'auction', toDo: 'to put up again' },
    shown: {
      view: relistPlanView,
      rows: () => plannedRelists.map(({ row }) => explained(ctx, row)),
      beside: () => shownPeriod,
      facts: (unit) => [
        ...(hasMoved
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

/** The reserve price that the flag asks for where a row names none: 0 for none, undefined for the one that each had. */
function wishedReserve({ reserve }: RelistFlags): number | undefined {
  return reserve === null ? 0 : reserve
}

/** A row with its start price, and why it cannot be sent as it is. */
function pricedRow(
  auction: Wanted,
  {
    rule,
    restarts,
    times,
    reserve: asked,
  }: Pick<Judged, 'restarts' | 'times'> & { readonly rule: PriceRule | undefined; readonly reserve: number | undefined },
): Planned {
  const { line, id, item, price } = auction
  const old = item?.OpeningBid ?? 0
  const base = price ?? old
  const OpeningPrice = rule === undefined || base === 0 ? base : applyRule(rule, base)
  const OldReservedPrice = item?.ReservePrice || null
  const wishedAmount = auction.reserve ?? asked
  const reserve = wishedAmount ?? item?.ReservePrice ?? 0
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
    return { ...auction, row: { ...row, Images: 0, State: 'unknown', Hold }, payload: undefined }
  }
  const Images = imageLinksOf(item).map(({ Url }) => Url)
  const Request = { ...relistRequest(item, OpeningPrice), ReservePrice: reserve }
  const Hold = whyNotUnsold(item) ?? whyIncomplete(item, Request, Images.length, wishedAmount !== undefined) ?? null
  const payload = { OpeningPrice, Request, Images, StartsAt: null, Restarts: restarts }
  return { ...auction, row: { ...row, Images: Images.length, State: 'change', Hold }, payload }
}

/** Gives each row that is sent its time: null for at once. */
function startTimes({ clock }: Context, { from, interval }: RelistFlags): () => string | null {
  if (from === undefined && interval === undefined) return () => null
  let next = from === undefined ? clock.now() : Date.parse(from)
  return () => {
    const at = isoOf(next)
    next += interval ?? 0
    return at
  }
}

/**
 * The rows of the job. They are taken while it is written, so that of two runs at once only one has an auction: the other one
 * then finds it in the ledger.
 */
function* jobRows(ctx: Context, ledger: Ledger, plannedRelists: readonly Planned[], again: boolean): Generator<NewBulkRow> {
  const relists = findRelists(ledger, shopOf(ctx))
  for (const { line, id, item, row, payload, extra = [] } of plannedRelists) {
    yield {
      ...{ line, id, title: row.Title, ownReference: item?.OwnReferences?.[0], payload, extra },
      oldPayload: item && ({ OpeningPrice: row.OldOpeningPrice, StartDate: item.StartDate } satisfies Relisted),
      held: row.State === 'held' ? holdOf(row) : row.State === 'change' ? upAlready(relists.get(id), again) : null,
      skipped: row.State === 'unknown' ? holdOf(row) : null,
    }
  }
}
