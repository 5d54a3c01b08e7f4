/** A chart of a value that stays until it changes, in characters of a terminal; it can be read without colour. */
import { pad, textWidth } from './width.js'

/** A value from a time on. */
export interface Step {
  /** ms since 1970. */
  readonly at: number
  /** null: there is none from here on. */
  readonly value: number | null
}

export interface StepChartOptions {
  /** Columns of the terminal. */
  readonly width: number
  /** Where the chart ends, ms since 1970; not before the last step. */
  readonly until: number
  /** A value as the axis shows it. */
  readonly label: (value: number) => string
  /** A time as the axis shows it. */
  readonly date: (at: number) => string
}

/** The most lines of a chart; up to here each value has a line of its own. */
const MOST_LINES = 9
const MOST_COLUMNS = 70
const LEAST_COLUMNS = 10

/**
 * Draws steps from left to right in even time. The axis names each value, or the values that lines stand for if there are many.
 * @param steps oldest first, at least one
 * @returns lines of at most `width` columns; empty if there is no value
 */
export function stepChart(steps: readonly Step[], { width, until, label, date }: StepChartOptions): string {
  const values = [...new Set(steps.flatMap(({ value }) => value ?? []))].sort((one, other) => other - one)
  const from = steps[0]?.at ?? until
  if (values.length === 0) return ''
  const lines = chartLines(values)
  const labels = lines.map(label)
  const margin = Math.max(...labels.map((text) => textWidth(text)))
  const columns = Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, width - margin - 3))
  const lineOf = (value: number): number => nearestLine(lines, value)
  const grid = lines.map(() => new Array<string>(columns).fill(' '))
  const putText = (line: number, column: number, text: string): void => {
    const row = grid[line]
    if (row !== undefined) row[column] = text
  }
  let line: number | undefined
  let next = 0
  for (let column = 0; column < columns; column++) {
    const end = from + ((until - from) * (column + 1)) / columns
    const takenLines: number[] = line === undefined ? [] : [line]
    let now = line
    for (
      ;
      next < steps.length && ((steps[next]?.at ?? until) < end || column === columns - 1 || (steps[next]?.at ?? until) <= from);
      next++
    ) {
      const value = steps[next]?.value ?? null
      now = value === null ? undefined : lineOf(value)
      if (now !== undefined) takenLines.push(now)
    }
    drawColumn({ column, before: line, now, met: takenLines, put: putText })
    line = now
  }
  const rows = grid.map((row, at) => `${pad(labels[at] ?? '', margin, 'right')} ┤ ${row.join('')}`.trimEnd())
  return [...rows, axisLine(margin, columns, date(from), date(until))].join('\n')
}

interface ChartColumn {
  readonly column: number
  readonly before: number | undefined
  readonly now: number | undefined
  /** All lines that the value was on within the column. */
  readonly met: readonly number[]
  readonly put: (line: number, column: number, text: string) => void
}

function drawColumn({ column, before, now, met, put }: ChartColumn): void {
  const [top, bottom] = [Math.min(...met), Math.max(...met)]
  for (let line = top; line <= bottom; line++) put(line, column, '│')
  if (before !== undefined && now !== undefined && before !== now) {
    put(before, column, before < now ? '┐' : '┘')
    put(now, column, before < now ? '└' : '┌')
  } else if (now !== undefined) put(now, column, top === bottom ? '─' : now === top ? '┬' : now === bottom ? '┴' : '┼')
  else if (before !== undefined) put(before, column, '╴')
}

/** The values that the lines stand for, highest first: each value, or even steps from the highest to the lowest. */
function chartLines(values: readonly number[]): number[] {
  if (values.length <= MOST_LINES) return [...values]
  const [high = 0, low = 0] = [values[0], values.at(-1)]
  return Array.from({ length: MOST_LINES }, (_, at) => Math.round(high - ((high - low) * at) / (MOST_LINES - 1)))
}

function nearestLine(lines: readonly number[], value: number): number {
  let nearest = 0
  for (const [at, line] of lines.entries()) {
    if (Math.abs(line - value) < Math.abs((lines[nearest] ?? 0) - value)) nearest = at
  }
  return nearest
}

function axisLine(margin: number, columns: number, from: string, until: string): string {
  const gap = columns - textWidth(from) - textWidth(until)
  const words = gap < 1 ? from : `${from}${' '.repeat(gap)}${until}`
  return `${' '.repeat(margin)}   ${words}`
}
