/** How far the work is, on a terminal's stderr. One at a time; it steps aside for notes and results. */
import type { SingleBar } from 'cli-progress'
import type { Ora } from 'ora'
import { safeLine } from './safe-text.js'
import type { Paint, Progress, ProgressOptions, TextStream } from './types.js'
import { thousands } from './values.js'
import { truncate } from './width.js'

/** A progress that stands on the terminal and can be taken off it for a moment. */
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

/** Nothing at all: stderr is no terminal, or is to be quiet. */
export const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined }

/** Begins to show progress; the library it needs is loaded meanwhile. */
export function showProgress(options: ProgressOptions, stage: Stage): Shown {
  switch (options.kind) {
    case 'bar':
      return showBar(options, stage)
    case 'spinner':
      return showTurning({ text: options.text, done: 0, total: 0, calls: undefined }, stage, ({ text }) => text)
    case 'steps':
      return showSteps(options.steps, stage)
  }
}

const ERASE_LINE = '\r\u001b[K'

function showBar(options: Extract<ProgressOptions, { kind: 'bar' }>, stage: Stage): Shown {
  const state: State = { done: 0, total: options.total, text: options.text, calls: undefined }
  const began = stage.now()
  let bar: (SingleBar & { render(): void }) | undefined
  let stopped = false
  void import('cli-progress').then(({ default: { SingleBar: Bar } }) => {
    if (stopped) return
    bar = new Bar({
      stream: stage.stream as NodeJS.WritableStream,
      format: () => barLine(state, options.unit ?? 'rows', stage, stage.now() - began),
      clearOnComplete: true,
      forceRedraw: true,
      // true leaves the terminal's setting alone: a killed process could not put it back.
      linewrap: true,
      hideCursor: false,
    }) as SingleBar & { render(): void }
    bar.start(Math.max(1, state.total), state.done)
  })
  return {
    update(change) {
      Object.assign(state, change)
      bar?.setTotal(Math.max(1, state.total))
      bar?.update(state.done)
    },
    hide: () => {
      if (bar !== undefined && !stopped) stage.stream.write(ERASE_LINE)
    },
    show: () => {
      if (!stopped) bar?.render()
    },
    stop() {
      if (stopped) return
      stopped = true
      bar?.stop()
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
    if (share < 1) facts.push(`${timeText(((state.total - state.done) / rate) * 1000)} left`)
  }
  const text = safeLine(state.text)
  const words = facts.join('  ')
  const length = Math.min(30, stage.width - text.length - words.length - 5)
  if (length < 5) return truncate(`${text}  ${words}`, stage.width - 1)
  const full = Math.round(share * length)
  return `${text}  ${stage.paint.cyan('█'.repeat(full))}${stage.paint.dim('─'.repeat(length - full))}  ${words}`
}

/** A time as a person counts it: `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function timeText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function showSteps(steps: readonly string[], stage: Stage): Shown {
  const state: State = { done: 0, total: steps.length, text: '', calls: undefined }
  const words = ({ done, text }: State) => {
    const step = steps[done]
    if (step === undefined) return text
    return `${done + 1}/${steps.length} ${step}${text === '' ? '' : `: ${text}`}`
  }
  return showTurning(state, stage, words)
}

function showTurning(state: State, stage: Stage, words: (state: State) => string): Shown {
  let turning: Ora | undefined
  let stopped = false
  const line = () => truncate(safeLine(words(state)), Math.max(8, stage.width - 4))
  void import('ora').then(({ default: ora }) => {
    if (stopped) return
    turning = ora({
      stream: stage.stream as NodeJS.WritableStream,
      text: line(),
      color: stage.paint.level > 0 ? 'cyan' : false,
      isEnabled: true,
      // Both would leave the terminal changed if the process were killed.
      hideCursor: false,
      discardStdin: false,
    }).start()
  })
  return {
    update(change) {
      Object.assign(state, change)
      if (turning !== undefined) turning.text = line()
    },
    hide: () => {
      if (!stopped) turning?.clear()
    },
    show: () => {
      if (!stopped) turning?.render()
    },
    stop() {
      if (stopped) return
      stopped = true
      turning?.stop()
    },
  }
}
