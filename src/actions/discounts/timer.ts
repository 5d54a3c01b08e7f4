/** Timers that run jobs:due and ledger:backup: what schedule:show has shown of them, and whether the system has them. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Context } from '../../cli/context.js'
import type { ScheduleRecord } from '../../format/views/discounts.js'
import { type Overdue, overdueWork, scheduledAt } from '../../jobs/index.js'
import { startChild, waitForEnd } from '../../system/child.js'
import { unfinishedJobs } from '../jobs/list.js'
import { shopOf } from '../own.js'
import { ago, DEAD_TIMER_MS, runsSince } from './overdue.js'
import { ownWords, type Timer } from './schedule.js'

/** Part of a schedule that is stored. */
export interface ShownSchedule {
  readonly Timer: Timer
  readonly Command: readonly string[]
  /** The paths of its files; null for a line of a crontab. */
  readonly Paths: readonly (string | null)[]
}

/** Keeps what was shown, for seller doctor. A ledger that cannot be written keeps nothing. */
export async function noteSchedule(ctx: Context, { Timer: timer, Command, Files }: ScheduleRecord): Promise<void> {
  const schedule: ShownSchedule = { Timer: timer as Timer, Command, Paths: Files.map(({ Path }) => Path) }
  const ledger = await ctx.ledger({ reading: true })
  if (ledger.state === 'copy') return
  // Copies are of no profile.
  if (ownWords(Command)[0] === 'jobs:due') ledger.signs.note(ctx.profile.name, 'schedule', schedule)
  else ledger.signs.note('', 'backup schedule', schedule)
}

/** Work of a shop that waits for jobs:due, and the timer that runs it. */
export interface DueTimer {
  /** Discounts, jobs and the closing of the shop whose time is still to come, or has come. */
  readonly waiting: { readonly discounts: number; readonly jobs: number; readonly closings: number }
  readonly overdue: readonly Overdue[]
  /** Words after "jobs:due": `last ran 3 days ago`, or `has not run yet`. */
  readonly ran: string
  readonly hasRun: boolean
  readonly isShown: boolean
  /** Fault of the timer that was shown. */
  readonly fault: string | undefined
  /** True if jobs:due has not run for longer than a timer would leave it. */
  readonly isDead: boolean
  /** True if a timer is known that runs jobs:due: it was shown and is there, or its runs follow each other. */
  readonly isKnown: boolean
}

/** Looks for the timer that runs jobs:due for the shop of a context. Makes no call; starts a program if one was shown. */
export async function dueTimer(ctx: Context): Promise<DueTimer> {
  const ledger = await ctx.ledger()
  const now = ctx.clock.now()
  const shop = shopOf(ctx)
  const schedule = ledger.signs.last(shop.profile, 'schedule')?.detail as ShownSchedule | undefined
  const last = ledger.signs.last(shop.profile, 'due')
  const fault = schedule === undefined ? undefined : await timerFault(ctx, schedule)
  const isDead = last === undefined || now - last.at > DEAD_TIMER_MS
  return {
    waiting: {
      discounts: ledger.discounts.inStates(shop, ['planned', 'running', 'ending']).length,
      jobs: unfinishedJobs(ctx, ledger).filter((job) => scheduledAt(ledger, job) !== undefined).length,
      closings: ledger.closings.open(shop) === undefined ? 0 : 1,
    },
    overdue: overdueWork(ledger, shop),
    ran: last === undefined ? 'has not run yet' : `last ran ${ago(last.at, now)}`,
    hasRun: last !== undefined,
    isShown: schedule !== undefined,
    fault,
    isDead,
    // A run by hand leaves the same sign: a timer that was never shown here is known by its runs.
    isKnown: !isDead && fault === undefined && (schedule !== undefined || last.at - runsSince(last) > DEAD_TIMER_MS),
  }
}

/** Fault of the timer that was shown; undefined if it has none, or it cannot be checked. */
export async function timerFault(ctx: Context, schedule: ShownSchedule): Promise<string | undefined> {
  const [program = '', script] = schedule.Command
  for (const path of [program, ...(script !== undefined && !script.includes(':') ? [script] : [])]) {
    if (!existsSync(path)) return `the timer names ${path}, which is not there any more`
  }
  const paths = schedule.Paths.flatMap((path) => (path === null ? [] : [path.replace(/^~/, ctx.env.HOME ?? homedir())]))
  if (schedule.Timer === 'systemd' || schedule.Timer === 'launchd') {
    const missing = paths.find((path) => !existsSync(path))
    if (missing !== undefined) return `there is no ${missing}`
  }
  const [command, lives] = LOOKS[schedule.Timer](paths, schedule.Command)
  const outputText = await output(ctx, command)
  return outputText === undefined || lives(outputText) !== false
    ? undefined
    : `the system has no timer for it (${command.join(' ')})`
}

interface Said {
  readonly code: number | null
  readonly text: string
}

type Look = (
  paths: readonly string[],
  command: readonly string[],
) => readonly [command: readonly string[], lives: (said: Said) => boolean | undefined]

const unitOf = (path = ''): string => path.split(/[\\/]/).at(-1) ?? ''

/** States of a unit, in the words of systemctl(1). If it reaches no manager, the state is unknown. */
const UNIT_STATES: Readonly<Record<string, boolean>> = {
  active: true,
  activating: true,
  inactive: false,
  failed: false,
  unknown: false,
}

/** Checks whether a timer exists, by system. */
const LOOKS: Readonly<Record<Timer, Look>> = {
  cron: (_, words) => [
    ['crontab', '-l'],
    // A crontab may be written by hand, with other paths.
    ({ text }) => {
      const [id = '', ...own] = ownWords(words)
      const profileName = id === 'jobs:due' ? (own.at(-2) ?? '') : ''
      return text.split('\n').some((line) => !/^\s*#/.test(line) && line.includes(id) && line.includes(profileName))
    },
  ],
  systemd: ([, timer]) => [['systemctl', '--user', 'is-active', unitOf(timer)], ({ text }) => UNIT_STATES[text.trim()]],
  launchd: ([plist]) => [['launchctl', 'list', unitOf(plist).replace(/\.plist$/, '')], ({ code }) => code === 0],
  'task-scheduler': ([file]) => [['schtasks', '/query', '/tn', unitOf(file).replace(/\.xml$/, '')], ({ code }) => code === 0],
}

const WITHIN_MS = 5000

/** Output of a program; undefined if it cannot be started, or hangs. */
async function output(ctx: Context, command: readonly string[]): Promise<Said | undefined> {
  let text = ''
  const child = startChild({ command, env: ctx.env, cwd: ctx.dataDir, stdin: 'ignore' })
  const { how, code } = await waitForEnd(child, {
    signal: ctx.signal,
    timeoutMs: WITHIN_MS,
    take: (piece) => {
      text += piece
      return text.length < 1_000_000
    },
  })
  return how === 'ended' ? { code, text } : undefined
}
