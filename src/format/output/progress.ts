/**
 * The progress of the work: one line on a terminal's stderr, which makes way for messages and results; otherwise a line now and
 * then. One at a time.
 */
import { countOf } from '../../contract/numbers.js'
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

/** Shows nothing: --quiet is set. */
export const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined }

const ERASE_LINE = '\r\u001b[K'
const REDRAW_MS = 100
/** Time between two lines without a terminal: the log of an hour gets 120 of them, and most commands end before the first. */
const TELL_MS = 30_000
/** Columns left free at the right: a terminal writes ^C there, which must not begin a new line. */
const SPARE = 4
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const

/**
 * Begins to show progress. Written here, because ora replaces process.stdout.write while it runs and takes 50 ms to load
 * (measured), and all that we need of it is this timer. It does not touch the cursor and the wrapping of the terminal, because a
 * killed process could not restore them. The timer does not keep the process alive.
 */
export function showProgress(options: ProgressOptions, stage: Stage): Shown {
  const state = stateOf(options)
  const began = stage.now()
  let frame = 0
  let isStopped = false
  const line = (): string => {
    if (options.kind === 'bar') return barLine(state, options.unit, stage, stage.now() - began)
    const spinner = stage.paint.cyan(FRAMES[frame % FRAMES.length] ?? '')
    return `${spinner} ${truncate(safeLine(state.text), Math.max(8, stage.width - 2 - SPARE))}`
  }
  const draw = () => {
    if (!isStopped) stage.stream.write(`${ERASE_LINE}${line()}`)
  }
  const timer = setInterval(() => {
    frame++
    draw()
  }, REDRAW_MS)
  timer.unref()
  draw()
  return {
    update: (change) => assignKnown(state, change),
    hide: () => {
      if (!isStopped) stage.stream.write(ERASE_LINE)
    },
    show: draw,
    stop: () => {
      if (isStopped) return
      isStopped = true
      clearInterval(timer)
      stage.stream.write(ERASE_LINE)
    },
  }
}

/**
 * Begins to report progress as separate lines, for logs: one every 30 s, with the text of the terminal but without its bar.
 * Nothing is printed for work that ends sooner. The timer does not keep the process alive.
 */
export function logProgress(
  options: ProgressOptions,
  { say, now, everyMs = TELL_MS }: { say(line: string): void; now(): number; everyMs?: number },
): Shown {
  const state = stateOf(options)
  const began = now()
  const timer = setInterval(() => {
    const facts = options.kind === 'bar' ? `: ${factsOf(state, options.unit, now() - began).join(', ')}` : ''
    say(`${safeLine(state.text)}${facts}`)
  }, everyMs)
  timer.unref()
  return {
    update: (change) => assignKnown(state, change),
    hide: () => undefined,
    show: () => undefined,
    stop: () => clearInterval(timer),
  }
}

function stateOf(options: ProgressOptions): State {
  return { done: 0, total: options.kind === 'bar' ? options.total : 0, text: options.text, calls: undefined }
}

function assignKnown(state: State, change: Partial<State>): void {
  for (const [name, value] of Object.entries(change)) if (value !== undefined) Object.assign(state, { [name]: value })
}

/** `Sending  ████████──────  1 200/5 000 rows  24 %  12 calls  400 rows/s  10 s left`, cut to the terminal. */
export function barLine(
  state: State,
  unit: string | undefined,
  stage: Pick<Stage, 'paint' | 'width'>,
  elapsedMs: number,
): string {
  const share = shareOf(state)
  const text = safeLine(state.text)
  const words = factsOf(state, unit, elapsedMs).join('  ')
  const length = Math.min(30, stage.width - text.length - words.length - 4 - SPARE)
  if (length < 5) return truncate(`${text}  ${words}`, stage.width - SPARE)
  const full = Math.round(share * length)
  return `${text}  ${stage.paint.cyan('█'.repeat(full))}${stage.paint.dim('─'.repeat(length - full))}  ${words}`
}

function shareOf({ done, total }: State): number {
  return total > 0 ? Math.min(1, done / total) : 0
}

/** `1 200/5 000 rows`, `24 %`, `12 calls`, `400 rows/s`, `10 s left`, as far as they are known. */
function factsOf(state: State, unit = 'rows', elapsedMs = 0): string[] {
  const share = shareOf(state)
  const rate = elapsedMs > 0 ? (state.done / elapsedMs) * 1000 : 0
  const facts = [`${thousands(state.done)}/${thousands(state.total)} ${unit}`, `${Math.floor(share * 100)} %`]
  if (state.calls !== undefined) facts.push(countOf(state.calls, 'call'))
  if (rate > 0) {
    facts.push(`${thousands(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))} ${unit}/s`)
    if (share < 1) facts.push(`${durationText(((state.total - state.done) / rate) * 1000)} left`)
  }
  return facts
}
