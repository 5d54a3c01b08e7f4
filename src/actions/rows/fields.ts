/** Changes of fields as a job takes them, and as a person sees them: a row for each field. */

import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { type SyncRowShown, syncPlanView } from '../../format/views/sync.js'
import { type Hold, type HoldShown, held } from '../../holds/index.js'
import { type NewBulkRow, type StoredImage, type UpdateUndoPlan, updateJobRows } from '../../jobs/bulk/index.js'
import type { UpdatePlan } from '../../pricing/index.js'
import type { InputForm } from '../../rows/index.js'
import { shownImages } from '../listing/row-images.js'
import { explained, explainedStop } from './explained.js'
import type { PlannedKind } from './show.js'

/** A row of a plan before it is shown. */
export type FieldRow = Omit<SyncRowShown, keyof HoldShown> & { readonly Hold: Hold | null }

const RULE: InputForm = { kind: 'rule', columns: ['Id'] }

/** A row for each field that changes. */
export function* fieldRows({ entries }: Pick<UpdatePlan, 'entries'>): Generator<FieldRow> {
  for (const { row, item, differences, state, limit, hold } of entries) {
    const OwnReference = row.references.length === 0 ? null : row.references.join('|')
    const of = { Line: row.line, Action: 'update', Id: item.Id, OwnReference, Title: item.ShortDescription ?? null } as const
    for (const { field, live, wanted } of differences)
      yield {
        ...of,
        Field: field,
        Live: shownValue(field, live ?? null),
        Wanted: shownValue(field, wanted),
        State: state,
        Limit: limit,
        Hold: hold,
      }
  }
}

function shownValue(field: string, value: unknown): unknown {
  return field === 'ItemImages' && Array.isArray(value) ? shownImages(value as StoredImage[]) : value
}

/** Held changes of fields, by the guard that holds them. */
export function heldByLimit({ entries, held: rows }: UpdatePlan): Record<string, number> {
  const counts: Record<string, number> = {}
  if (rows === 0) return counts
  for (const { limit, state } of entries) if (state === 'held' && limit !== null) counts[limit] = (counts[limit] ?? 0) + 1
  return counts
}

/** Names the fields that stay, because the service cannot set them back to no value, or nobody knows what they were. */
export function noteLeft({ output }: Pick<Context, 'output'>, leftFields: UpdateUndoPlan['left'] = new Map()): void {
  if (leftFields.size === 0) return
  const fields = [...leftFields].map(([field, items]) => `${field} of ${countOf(items, 'item')}`)
  output.warn(`Not set back, because the service cannot empty it or its value before is not known: ${fields.join(', ')}.`)
}

type FieldsPlan = UpdatePlan & Partial<Pick<UpdateUndoPlan, 'unknown' | 'unchanged' | 'left'>>

/** A plan that changes nothing but fields. */
export function fieldsToSend(ctx: Context, plan: FieldsPlan, form: InputForm = RULE): PlannedKind<SyncRowShown> {
  const { entries, change, held: heldRows, pending, stopped, unknown = [], unchanged = 0 } = plan
  const [Change, Held] = stopped === null ? [change, heldRows] : [0, heldRows + change]
  const stop = stopped === null ? undefined : ({ Limit: stopped.Limit, Hold: stopped.Hold, State: 'held' } as const)
  return {
    parts: [{ kind: 'update', rows: jobRows() }],
    form,
    summary: {
      Rows: entries.length + unknown.length + unchanged,
      ...{ Change, Held, Unknown: unknown.length, Unchanged: unchanged + pending },
      ...{ Calls: Change, HeldBy: heldByLimit(plan), Stopped: explainedStop(ctx, stopped) },
    },
    noun: 'item',
    shown: {
      view: syncPlanView,
      guarded: true,
      also: () => noteLeft(ctx, plan.left),
      *rows() {
        for (const row of fieldRows(plan))
          yield explained(ctx, stop !== undefined && row.State === 'change' ? { ...row, ...stop } : row)
        for (const { Id, change } of unknown) {
          const of = { Line: change.line, Action: 'update', Id, OwnReference: change.reference, Title: change.title } as const
          yield explained(ctx, {
            ...of,
            Field: null,
            Live: null,
            Wanted: null,
            State: 'unknown' as const,
            Limit: null,
            Hold: notLive(Id),
          })
        }
      },
    },
  }

  function* jobRows(): Generator<NewBulkRow> {
    for (const row of updateJobRows(plan)) yield stopped === null || row.held ? row : { ...row, held: stopped.Hold }
    yield* unknownJobRows(unknown)
  }
}

const notLive = (Id: number): Hold => held('not_live', { Id, OwnReference: null, Type: 'ShopItem' })

/** The rows of a job about items that are not live. */
export function* unknownJobRows(unknown: Iterable<UnknownItem>): Generator<NewBulkRow> {
  for (const { Id: id, change } of unknown)
    yield { line: change.line, id, ownReference: change.reference, title: change.title, payload: {}, skipped: notLive(id) }
}

type UnknownItem = UpdateUndoPlan['unknown'] extends Iterable<infer Item> ? Item : never
