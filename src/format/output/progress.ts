/** How far the work is, on one line of a terminal's stderr. One at a time; it steps aside for words and results. */
import { durationText } from '../../system/durations.js'
import { safeLine } from './safe-text.js'
import type { Paint, Progress, ProgressOptions, TextStream } from './types.js'
import { thousands } from './values.js'
import { truncate } from './width.js'

/** A progress line on the terminal that can be erased for a moment. */
export interface Shown extends Progress {
  hide(): void
  show(): void
}

export interface Stage {
  readonly stream: TextStream
  readonly paint: Paint
  readonly width: number
  now(): number
}

interface State {
  done: number
  total: number
  text: string
  calls: number | undefined
}

/** Shows nothing: stderr is not a terminal, or --quiet is set. */
export const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined }

const ERASE_LINE = '\r\u001b[K'
const REDRAW_MS = 100
/** Columns left free at the right: a terminal writes ^C there, and must not begin a new line by it. */
const SPARE = 4
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const

/**
 * Begins to show progress. By hand: ora takes over process.stdout.write while it turns and costs 50 ms to load (measured), and what
 * is left of a bar when its line is our own is this timer. The cursor and the wrapping of the terminal are left alone, for a killed
 * process could not put them back; the timer keeps no process alive.
 */
export function showProgress(options: ProgressOptions, stage: Stage): Shown {
  const state: State = {
    done: 0,
    total: options.kind === 'bar' ? options.total : 0,
    text: options.text,
    calls: undefined,
  }
  const began = stage.now()
  let frame = 0
  let stopped = false
  const line = (): string => {
    if (options.kind === 'bar') return barLine(state, options.unit ?? 'rows', stage, stage.now() - began)
    const turning = stage.paint.cyan(FRAMES[frame % FRAMES.length] ?? '')
    return `${turning} ${truncate(safeLine(state.text), Math.max(8, stage.width - 2 - SPARE))}`
  }
  const draw = () => {
    if (!stopped) stage.stream.write(`${ERASE_LINE}${line()}`)
  }
  const timer = setInterval(() => {
    frame++
    draw()
  }, REDRAW_MS)
  timer.unref()
  draw()
  return {
    update: (change) => {
      for (const [name, value] of Object.entries(change)) if (value !== undefined) Object.assign(state, { [name]: value })
    },
    hide: () => {
      if (!stopped) stage.stream.write(ERASE_LINE)
    },
    show: draw,
    stop: () => {
      if (stopped) return
      stopped = true
      clearInterval(timer)
      stage.stream.write(ERASE_LINE)
    },
  }
}

/** `Sending  ████████──────  1 200/5 000 rows  24 %  12 calls  400 rows/s  10 s left`, cut to the terminal. */
export function barLine(state: State, unit: string, stage: Pick<Stage, 'paint' | 'width'>, elapsedMs: number): string {
  const share = state.total > 0 ? Math.min(1, state.done / state.total) : 0
  const rate = elapsedMs > 0 ? (state.done / elapsedMs) * 1000 : 0
  const facts = [`${thousands(state.done)}/${thousands(state.total)} ${unit}`, `${Math.floor(share * 100)} %`]
  if (state.calls !== undefined) facts.push(`${thousands(state.calls)} ${state.calls === 1 ? 'call' : 'calls'}`)
  if (rate > 0) {
    facts.push(`${thousands(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))} ${unit}/s`)
    if (share < 1) facts.push(`${durationText(((state.total - state.done) / rate) * 1000)} left`)
  }
  const text = safeLine(state.text)
  const words = facts.join('  ')
  const length = Math.min(30, stage.width - text.length - words.length - 4 - SPARE)
  if (length < 5) return truncate(`${text}  ${words}`, stage.width - SPARE)
  const full = Math.round(share * length)
  return `${text}  ${stage.paint.cyan('█'.repeat(full))}${stage.paint.dim('─'.repeat(length - full))}  ${words}`
}
