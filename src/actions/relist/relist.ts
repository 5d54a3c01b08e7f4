/** items:relist: unsold auctions again, each with everything that it had, as a job of one row for each. */
import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { RESERVE_PRICE_FEE } from '../../contract/index.js'
import { imageLinksOf, type RelistPlanRowShown, relistPlanView } from '../../format/views/index.js'
import { callsOfRelist, findRelists, type NewBulkRow, type Relisted, type RelistToSend } from '../../jobs/bulk/index.js'
import type { Ledger } from '../../jobs/index.js'
import { applyRule, auctionJudge, countsOf, type PriceRule, ruleWords } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { shopOf } from '../own.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { RULING, type RuleFlags, typedRule } from '../prices/selection.js'
import type { Result } from '../result.js'
import { inputFile } from '../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import { type Judged, judgeRelists, type RelistLimits, upAlready } from './doubles.js'
import { type Choice, chosenAuctions, requestOf, type Wanted, whyIncomplete, whyNotUnsold } from './unsold.js'

export interface RelistFlags extends RowsFlags, GuardFlags, RuleFlags, Choice, Partial<Omit<RelistLimits, 'max-shrink'>> {
  readonly vat?: string
  /** ms between two starts. */
  readonly stagger?: number
  /** When the first starts, ISO 8601. */
  readonly from?: string
  readonly 'save-plan'?: string
  readonly force?: boolean
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
    input: file === undefined ? undefined : inputFile(file, flags.sheet),
    outputs: { '--save-plan': save },
    showOnly: dryRun || save !== undefined,
    plan: async () => {
      if (save !== undefined) await checkOutputFile(ctx, save, { force, follow: false })
      const plan = await relistPlan(ctx, ids, flags)
      if (save === undefined) return plan
      const rows = [...plan.shown.rows(true)].filter(({ State }) => State === 'change')
      const text = rows.map(({ Id, OpeningPrice, Title }) => `${JSON.stringify({ Id, OpeningPrice, Title })}\n`)
      await writeOutputFile(ctx, save, text, { force, follow: false })
      return { ...plan, next: `The plan is in ${save}. Send it with: seller items:relist --file ${save}` }
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
  const { reasons, times, restarts, calls } = await judgeRelists(ctx, unsold, limits)
  const priced = found.rows.map((wanted) => pricedRow(wanted, { rule, restarts, times }))
  const costs = await knownCosts(ctx, flags.vat)
  const items = new Map(unsold.map((item) => [item.Id, item]))
  const priceGuard = auctionJudge(
    priced.map(({ row }) => changeOf(row)),
    guards,
    ({ Id }) => ({ cost: costs.of(costs.find({ Id, OwnReferences: items.get(Id)?.OwnReferences })) }),
  )
  const starts = startTimes(ctx, flags)
  const planned = priced.map((each): Planned => {
    const { row, payload, price } = each
    const guarded = rule !== undefined || price !== undefined
    const reason = row.Reason ?? reasons.get(row.Id) ?? (guarded ? priceGuard(changeOf(row))?.reason : undefined)
    if (payload === undefined) return each
    if (reason !== undefined) return { ...each, row: { ...row, State: 'held', Reason: reason } }
    const StartsAt = starts()
    return { ...each, row: { ...row, StartsAt }, payload: { ...payload, StartsAt } }
  })
  const sent = planned.filter(({ row }) => row.State === 'change')
  const sum = (of: (each: Planned) => number): number => sent.reduce((total, each) => total + of(each), 0)
  if (sent.some(({ item }) => item !== undefined && (item.Bold || item.Highlight || item.FeaturedItem)))
    ctx.output.note(
      'Bold, highlighted and featured auctions are put up without it: it costs extra, and the service does not tell its ids.',
    )
  if (sent.length > 0) ctx.output.note('The service does not tell its listing fee and commission: see its price list.')
  const period = since === undefined ? '' : ` since ${since.slice(0, 10)}`
  const what = file !== undefined ? `--file ${file}` : all ? `--unsold${period}` : planned.map(({ id }) => id).join(' ')
  const moved = sent.some(({ row }) => row.OldOpeningPrice !== row.OpeningPrice)
  const ledger = await ctx.ledger()
  return {
    parts: [{ kind: 'relist', rows: jobRows(ctx, ledger, planned, again) }],
    title: `items:relist ${what}${rule === undefined ? '' : `: ${ruleWords(rule)}`}`,
    form: found.form,
    summary: {
      ...countsOf(planned.map(({ row }) => row)),
      OldTotal: moved ? sum(({ row }) => row.OldOpeningPrice ?? 0) : null,
      NewTotal: sum(({ row }) => row.OpeningPrice),
      Fees: sum(({ payload }) => ((payload?.Request.ReservePrice ?? 0) > 0 ? RESERVE_PRICE_FEE : 0)),
      Calls: sum(({ payload }) => (payload === undefined ? 0 : callsOfRelist(payload))),
      Stopped: null,
    },
    calls: found.calls + calls,
    ...{ verb: 'Put up', noun: 'auction', toDo: 'to put up again' },
    shown: { view: relistPlanView, rows: () => planned.map(({ row }) => row) },
  }
}

/** A row while it is planned. */
interface Planned extends Wanted {
  readonly row: RelistPlanRowShown
  readonly payload: RelistToSend | undefined
}

/** The prices of a row as the guards take them. */
function changeOf({ Id, OldOpeningPrice, OpeningPrice }: RelistPlanRowShown) {
  return { Id, OldOpeningPrice, OpeningPrice, OldReservedPrice: null, ReservedPrice: null, OldBinPrice: null, BinPrice: null }
}

/** A row with its start price, and why it cannot be sent as it is. */
function pricedRow(
  wanted: Wanted,
  { rule, restarts, times }: Pick<Judged, 'restarts' | 'times'> & { readonly rule: PriceRule | undefined },
): Planned {
  const { line, id, item, price } = wanted
  const old = item?.OpeningBid ?? 0
  const base = price ?? old
  const OpeningPrice = rule === undefined || base === 0 ? base : applyRule(rule, base)
  const row = {
    ...{ Line: line, Id: id, Title: item?.ShortDescription ?? null, EndDate: item?.EndDate ?? null },
    ...{ OldOpeningPrice: old === 0 ? null : old, OpeningPrice, Relists: times(id), StartsAt: null },
  }
  if (item === undefined) {
    const Reason = 'there is no item with this id'
    return { ...wanted, row: { ...row, Images: 0, State: 'unknown', Reason }, payload: undefined }
  }
  const Images = imageLinksOf(item).map(({ Url }) => Url)
  const Request = requestOf(item, OpeningPrice)
  const Reason = whyNotUnsold(item) ?? whyIncomplete(item, Request, Images.length) ?? null
  const payload = { OpeningPrice, Request, Images, StartsAt: null, Restarts: restarts }
  return { ...wanted, row: { ...row, Images: Images.length, State: 'change', Reason }, payload }
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
      held: row.State === 'held' ? row.Reason : row.State === 'change' ? upAlready(relists.get(id), again) : null,
      skipped: row.State === 'unknown' ? row.Reason : null,
    }
  }
}
