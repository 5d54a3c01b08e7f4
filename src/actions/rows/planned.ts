/** A plan of rows that are judged one by one: its totals, and what a job sends of it. */
import type { PlanSummaryShown } from '../../format/views/index.js'
import type { BulkKind, NewBulkRow } from '../../jobs/bulk/index.js'
import { countsOf } from '../../pricing/index.js'
import type { RowsPlan } from './run-rows.js'
import type { PlanRow } from './show.js'

/** A row as it is shown, and what of it is sent where that is not its line, id, own reference and title. */
export interface PlannedRow<T extends PlanRow> {
  readonly shown: T
  readonly sent?: Partial<NewBulkRow>
}

/**
 * @param stopped the guard over all rows that is broken
 * @returns the rows of the job, without those that stay as they are, and the totals: one call for each row that is sent
 */
export function plannedRows<T extends PlanRow>(
  kind: BulkKind,
  planned: readonly PlannedRow<T>[],
  stopped: PlanSummaryShown['Stopped'] = null,
): Pick<RowsPlan<T>, 'parts' | 'summary'> {
  const counts = countsOf(planned.map(({ shown }) => shown))
  const rows = planned.filter(({ shown }) => shown.State !== 'unchanged').map(jobRow)
  return { parts: [{ kind, rows }], summary: { ...counts, Calls: counts.Change, Stopped: stopped } }
}

function jobRow<T extends PlanRow>({ shown, sent }: PlannedRow<T>): NewBulkRow {
  const { Line, Id, OwnReference, Title, State, Reason } = shown
  return {
    ...{ line: Line, id: Id ?? 0, ownReference: OwnReference, title: Title },
    held: State === 'held' ? Reason : null,
    skipped: State === 'unknown' ? Reason : null,
    ...sent,
  }
}
