/** Small charts of block characters, for a terminal. */
import type { Canvas, Tone } from './types.js'
import { thousands } from './values.js'
import { pad, textWidth } from './width.js'

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const
const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** A bar of at most `width` columns, in eighths of a column. Any value above 0 is visible. */
export function barOf(value: number, max: number, width: number): string {
  if (!(value > 0) || !(max > 0)) return ''
  const eighths = Math.max(1, Math.round((Math.min(value, max) / max) * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

/** One character per value, lowest to highest. */
export function sparkline(values: readonly number[]): string {
  const finite = values.filter(Number.isFinite)
  const low = Math.min(...finite)
  const span = Math.max(...finite) - low
  return values
    .map((value) => {
      if (!Number.isFinite(value)) return ' '
      return HEIGHTS[span === 0 ? 3 : Math.min(7, Math.floor(((value - low) / span) * 8))]
    })
    .join('')
}

export interface Bin {
  readonly label: string
  readonly count: number
  readonly tone?: Tone
}

/** One line per bin: label, bar and count. The bars fill the rest of `width` columns; where nothing is drawn, there are none. */
export function histogram(bins: readonly Bin[], { width, paint, plain }: Canvas): string {
  if (plain) return bins.map(({ label, count }) => `${label}: ${thousands(count)}`).join('\n')
  const labels = Math.max(0, ...bins.map(({ label }) => textWidth(label)))
  const counts = Math.max(0, ...bins.map(({ count }) => thousands(count).length))
  const most = Math.max(0, ...bins.map(({ count }) => count))
  const space = Math.max(1, Math.min(60, width - labels - counts - 4))
  return bins
    .map(({ label, count, tone }) => {
      const bar = barOf(count, most, space)
      const paintedBar = tone === undefined ? bar : paint[tone](bar)
      return `${pad(label, labels, 'right')} │ ${paintedBar}${bar === '' ? '' : ' '}${thousands(count)}`
    })
    .join('\n')
}
