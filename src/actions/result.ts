/**
 * Result of an action: data. The action writes no result itself; its command does, or a run over several shops shows what all of
 * them came to.
 */
import type { Ended } from '../cli/base.js'
import { EXIT, type ExitCode } from '../errors/index.js'
import { type Form, type Output, type View, wholeRecord, withLists } from '../format/output/index.js'
import type { PlanSummaryShown } from '../format/views/plans.js'

/** One document of a result. */
export interface Shown {
  /** Writes it in the form that was asked for, and beside it what is for a person. */
  write(output: Output): Promise<void>
  /** Its value in JSON. @param rows whether the rows of a list are wanted, and not only the record that they are in */
  value(rows: boolean): Promise<unknown>
}

/** Facts that a result has about a job. */
export interface JobShown {
  readonly JobId: number | null
  readonly Kind?: string | null
  readonly Counts?: Readonly<Record<string, number>> | null
  readonly Unchanged?: number | null
}

export interface Result extends Ended {
  readonly shown: readonly Shown[]
  /** The jobs that it made or continued. */
  readonly jobs?: readonly JobShown[]
  /** A plan that was made; `waiting` where nothing of it was sent. */
  readonly plan?: PlanSummaryShown
  readonly waiting?: boolean
  readonly discountId?: number | null | undefined
  /** Outcome in one line, for the row of its shop. */
  readonly message?: string | null
}

/** One record, and how it ended. @param below says what belongs below it */
export function recordResult<T>(view: View<T>, row: T, code: ExitCode = EXIT.ok, below?: ListShown<T>['below']): Result {
  const record = shownRecord(view, row)
  const write = (output: Output) => record.write(output).then(() => below?.(output))
  return { shown: [{ ...record, write }], code }
}

/** One list, and how it ended. */
export function listResult<T>(list: ListShown<T>, code: ExitCode = EXIT.ok): Result {
  return { shown: [shownList(list)], code }
}

/** A record. */
export function shownRecord<T>(view: View<T>, row: T): Shown {
  return { write: (output) => output.record(view, row), value: async () => wholeRecord(view)?.(row) ?? row }
}

/** Several records, each in full; one alone is a record. Records that are still to come are read once. */
export function shownRecords<T>(view: View<T>, rows: AsyncIterable<T> | readonly T[], alone: boolean): Shown[] {
  if (Array.isArray(rows) && rows.length === 0) return []
  const list = shownList({ view, rows: () => rows })
  const write = async (output: Output): Promise<void> => {
    if (!alone) await output.records(view, rows)
    else for await (const row of rows) await output.record(view, row)
  }
  return [{ write, value: async (isWanted) => (alone ? ((await list.value(true)) as unknown[])[0] : list.value(isWanted)) }]
}

interface ListShown<T> {
  readonly view: View<T>
  /** Read once. @param human whether a person reads them */
  rows(human: boolean): AsyncIterable<T> | Iterable<T>
  readonly limit?: number | undefined
  /** The form off a terminal where none was chosen, instead of tab-separated rows. */
  readonly piped?: Form | undefined
  /** Writes a card above the list, for a person. */
  above?(output: Output): Promise<void>
  /** Says what belongs below the list. */
  below?(output: Output): void
}

/** A list. */
export function shownList<T>({ view, rows, limit, piped, above, below }: ListShown<T>): Shown {
  const { within } = view
  return {
    async write(output) {
      // Chosen columns are those of the list.
      if (output.human && !output.chosen) await above?.(output)
      await output.list(view, rows(output.human), { limit, piped })
      below?.(output)
    },
    async value(isWanted) {
      const heldRows: unknown[] = []
      if (isWanted || within === undefined) {
        const whole = wholeRecord(view)
        for await (const row of rows(false)) {
          if (heldRows.length === limit) break
          heldRows.push(whole?.(row) ?? row)
        }
      }
      if (within === undefined) return heldRows
      // A list that is made when it is asked for would hold its plan: of thousands of shops only the values may stay.
      return { ...withLists(within.record), [within.key]: heldRows }
    },
  }
}
