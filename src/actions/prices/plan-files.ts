/** The files that a plan of shop prices is written to: the plan itself (--save-plan), and a page to read and to send (--html). */

import type { Context } from '../../cli/context.js'
import { writeOutputFile } from '../../cli/output-file.js'
import { dateTimeOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { type PlanEntry, type RowPlan, writePlan } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { explained, explainedTotals } from '../rows/explained.js'
import { writePageFile } from '../rows/page-file.js'
import type { LiveLook, SeenItem } from './live.js'

/** The files that are asked for. */
export interface PlanFileFlags {
  readonly 'save-plan'?: string | undefined
  /** Write the plan to this file as a page, with pictures in it where they are asked for. */
  readonly html?: string | undefined
  readonly pictures?: boolean | undefined
  readonly force?: boolean | undefined
}

/** A plan of prices that has a title. */
interface Titled {
  readonly plan: RowPlan
  readonly title: string
}

/**
 * @returns what sees the items for the page, and writes the files
 * @throws {SellerError} usage for a file that cannot be written
 */
export function planFiles(
  ctx: Context,
  { 'save-plan': save, html, pictures, force = false }: PlanFileFlags,
): { readonly seen?: SeenItems | undefined; write(planned: Titled): Promise<void> } {
  const seenItems = html === undefined ? undefined : new SeenItems(pictures === true)
  return {
    seen: seenItems,
    async write(planToWrite) {
      const { name: Profile, settings } = ctx.profile
      const header = { Profile, UserId: settings.user_id ?? null, CreatedAt: isoOf(ctx.clock.now()) }
      if (save !== undefined) await writeOutputFile(ctx, save, writePlan(planToWrite.plan, header), { force })
      if (html !== undefined && seenItems !== undefined) await writePlanPage(ctx, planToWrite, seenItems, { file: html, force })
    },
  }
}

/** Titles of the live items, and where their smallest pictures are. */
export class SeenItems implements LiveLook {
  readonly titles = new Map<number, string>()
  /** Addresses, by item. */
  readonly links = new Map<number, string>()

  constructor(readonly pictures: boolean) {}

  see(item: SeenItem): void {
    if (item.ShortDescription !== undefined) this.titles.set(item.Id, item.ShortDescription)
    const link = this.pictures ? smallestPicture(item) : undefined
    if (link !== undefined) this.links.set(item.Id, link)
  }
}

/** Sizes of pictures, best for a small one first (docs/service.md, Service pages). */
const SIZES = ['thumb', 'minithumb', 'gallery', 'normal']

function smallestPicture({ DetailedImageLinks: detailed = [], ImageLinks: links = [] }: SeenItem): string | undefined {
  for (const size of SIZES) {
    const picture = detailed.find(({ Format, Url }) => Format?.toLowerCase() === size && Url !== undefined)
    if (picture !== undefined) return picture.Url
  }
  return detailed[0]?.Url ?? links[0]
}

/** Rows of one page: with more, browsers take seconds to open it. */
export const MOST_ROWS = 50_000

/**
 * Rows in the order of interest: held ones, then the largest changes; the smallest changes are left out if there are too many.
 */
export function rowsOfPage(plan: Pick<RowPlan, 'entries'>, most = MOST_ROWS): { rows: PlanEntry[]; left: number } {
  const size = ({ Percent: percent }: PlanEntry): number => Math.abs(percent ?? 0)
  const rows = (['held', 'unknown', 'change'] as const).flatMap((state) =>
    [...plan.entries(state)].sort((one, other) => size(other) - size(one)),
  )
  return { rows: rows.slice(0, most), left: Math.max(0, rows.length - most) }
}

async function writePlanPage(
  ctx: Context,
  { plan, title }: Titled,
  { titles, links, pictures: wanted }: SeenItems,
  { file, force }: { readonly file: string; readonly force: boolean },
): Promise<void> {
  const { rows, left } = rowsOfPage(plan)
  let pictures: ReadonlyMap<number, string> = new Map()
  if (wanted) {
    const { fetchPictures } = await import('./pictures.js')
    pictures = await fetchPictures(
      ctx,
      rows.flatMap(({ Id }): [number, string][] => {
        const link = links.get(Id)
        return link === undefined ? [] : [[Id, link]]
      }),
    )
  }
  const { planPage } = await import('../../format/html/plan-page.js')
  const page = planPage({
    shop: ctx.profile.name,
    at: dateTimeOf(ctx.clock.now()),
    title,
    summary: explainedTotals(ctx, plan.summary),
    histogram: plan.histogram(),
    rows: rows.map((row) => explained(ctx, row)),
    left,
    unit: ctx.output.unit,
    titleOf: (id) => titles.get(id),
    pictureOf: wanted ? (id) => pictures.get(id) : undefined,
  })
  const more = left === 0 ? '' : `${countOf(left, 'row')} with the smallest changes did not fit; -o csv has all.`
  await writePageFile(ctx, page, { file, rows, more, force })
}
