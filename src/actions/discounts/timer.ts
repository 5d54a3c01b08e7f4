/** Timers that run jobs:due and ledger:backup: what schedule:show has shown of them, and whether the system has them. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Context } from '../../cli/context.js'
import type { ScheduleRecord } from '../../format/views/discounts.js'
import { endOf, startChild } from '../../system/child.js'
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
  const shown: ShownSchedule = { Timer: timer as Timer, Command, Paths: Files.map(({ Path }) => Path) }
  const ledger = await ctx.ledger({ reading: true })
  if (ledger.state === 'copy') return
  // Copies are of no profile.
  if (ownWords(Command)[0] === 'jobs:due') ledger.signs.note(ctx.profile.name, 'schedule', shown)
  else ledger.signs.note('', 'backup schedule', shown)
}

/** Fault of the timer that was shown; undefined if it has none, or it cannot be checked. */
export async function timerFault(ctx: Context, shown: ShownSchedule): Promise<string | undefined> {
  const [program = '', script] = shown.Command
  for (const path of [program, ...(script !== undefined && !script.includes(':') ? [script] : [])]) {
    if (!existsSync(path)) return `the timer names ${path}, which is not there any more`
  }
  const paths = shown.Paths.flatMap((path) => (path === null ? [] : [path.replace(/^~/, ctx.env.HOME ?? homedir())]))
  if (shown.Timer === 'systemd' || shown.Timer === 'launchd') {
    const missing = paths.find((path) => !existsSync(path))
    if (missing !== undefined) return `there is no ${missing}`
  }
  const [command, lives] = LOOKS[shown.Timer](paths, shown.Command)
  const said = await output(ctx, command)
  return said === undefined || lives(said) !== false ? undefined : `the system has no timer for it (${command.join(' ')})`
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
      const named = id === 'jobs:due' ? (own.at(-2) ?? '') : ''
      return text.split('\n').some((line) => !/^\s*#/.test(line) && line.includes(id) && line.includes(named))
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
  const started = startChild({ command, env: ctx.env, cwd: ctx.dataDir, stdin: 'ignore' })
  const { how, code } = await endOf(started, {
    signal: ctx.signal,
    timeoutMs: WITHIN_MS,
    take: (piece) => {
      text += piece
      return text.length < 1_000_000
    },
  })
  return how === 'ended' ? { code, text } : undefined
}
