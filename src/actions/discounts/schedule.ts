/** schedule:show: what lets the timer of the system run jobs:due every minute, or ledger:backup every night. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { matchingProfiles } from '../../cli/profile-names.js'
import { shellWord } from '../../cli/profiles.js'
import { SETTING_NAMES, SETTINGS } from '../../cli/settings.js'
import { countOf } from '../../contract/numbers.js'
import type { ScheduleFile, ScheduleRecord } from '../../format/views/discounts.js'
import { type Blank, blank, type Message, run, say, textOf, typedCommand } from '../../messages/index.js'

export const TIMERS = ['cron', 'systemd', 'launchd', 'task-scheduler'] as const
export type Timer = (typeof TIMERS)[number]

/** The timer that this system has. */
export function timerHere(platform = process.platform): Timer {
  if (platform === 'win32') return 'task-scheduler'
  if (platform === 'darwin') return 'launchd'
  // sd_booted(3)
  return existsSync('/run/systemd/system') ? 'systemd' : 'cron'
}

/** Variables that a timer needs too; besides them the settings of the profile that are not secret. */
const ENVIRONMENT = ['SELLER_CONFIG_DIR', 'SELLER_DATA_DIR', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'] as const

export interface Scheduled {
  /** Command that runs the tool: absolute paths of the program and its script. */
  readonly program: readonly string[]
  /** `--profiles`; the one profile of the context by default. */
  readonly profiles?: string | undefined
  /** `--backup`: the folder that the ledger is copied to every night, instead. */
  readonly backup?: string | undefined
}

/** A timer's command and its time. */
interface Task {
  readonly unit: string
  /** Description of the task, as a sentence without its end. */
  readonly words: Message
  readonly command: readonly string[]
  readonly environment: Variables
  /** Each night it runs once. */
  readonly nightly: boolean
  /** Arguments and flags of the schedule:show that shows it. */
  readonly shownBy: readonly string[]
}

/** Copies that a timer keeps: two weeks of nights. */
const KEPT_COPIES = 14
/** When the ledger is copied, by the clock of the machine. */
const [NIGHT_HOUR, NIGHT_MINUTE] = [3, 17]

/** @throws {SellerError} usage for patterns that match no profile */
export function buildSchedule(ctx: Context, timer: Timer, scheduled: Scheduled): ScheduleRecord {
  const task = scheduled.backup === undefined ? dueTask(ctx, scheduled) : backupTask(ctx, scheduled.program, scheduled.backup)
  const { command, environment } = task
  return { Timer: timer, Command: command, Environment: Object.fromEntries(environment), ...MAKERS[timer](task) }
}

function dueTask(ctx: Context, { program, profiles }: Scheduled): Task {
  const shops = profiles === undefined ? oneShop(ctx) : severalShops(ctx, profiles)
  return {
    unit: `seller-due-${unitName(shops[1] ?? '')}`,
    words: say`Send the starts and ends of discounts that are due (${run('jobs:due')})`,
    command: [...program, 'jobs:due', ...shops, '--quiet'],
    environment: environmentOf(ctx),
    nightly: false,
    shownBy: shops,
  }
}

/** The ledger is of no profile, and a copy makes no call: only the directories are needed. */
function backupTask(ctx: Context, program: readonly string[], given: string): Task {
  // The timer runs it in a directory of its own.
  const folder = resolve(ctx.path(given))
  return {
    unit: 'seller-backup',
    words: say`Copy the ledger of seller (${run('ledger:backup', { file: folder, '--keep': KEPT_COPIES })})`,
    command: [...program, 'ledger:backup', folder, '--keep', String(KEPT_COPIES), '--quiet'],
    environment: environmentOf(ctx).filter(([name]) => /^SELLER_(?:CONFIG|DATA)_DIR$/.test(name)),
    nightly: true,
    shownBy: ['--backup', folder],
  }
}

/** The words of a scheduled command without the program. */
export function ownWords(command: readonly string[]): readonly string[] {
  return command.slice(command.findIndex((word) => word === 'jobs:due' || word === 'ledger:backup'))
}

function oneShop(ctx: Context): readonly string[] {
  const { name, embedded } = ctx.profile
  if (embedded) ctx.output.hint('This is for the profile "sandbox". Give --profile NAME for a shop.')
  warnSecrets(ctx)
  return ['--profile', name]
}

/** The patterns are kept in the line, so that a profile that is made later is served too. */
function severalShops(ctx: Context, profiles: string): readonly string[] {
  const names = matchingProfiles(profiles, ctx)
  warnSecrets(ctx, blank('NAME'))
  ctx.output.note(`Now it is for ${countOf(names.length, 'profile')}: ${names.join(', ')}.`)
  return ['--profiles', profiles]
}

/** The lines with how to install them, as comments: what a person reads and a file may hold. */
export function scheduleText({ Files, Install, Command }: ScheduleRecord): string {
  const words = ownWords(Command)
  const often = words[0] === 'jobs:due' ? 'every minute' : 'every night'
  const how = [`# Runs seller ${words.map(shellWord).join(' ')} ${often}. To install:`, ...Install.map((line) => `#   ${line}`)]
  const files = Files.flatMap(({ Path, Text }) => ['', ...(Path === null ? [] : [`# ${Path}`]), Text.trimEnd()])
  return `${[...how, ...files].join('\n')}\n`
}

type Variables = readonly (readonly [name: string, value: string])[]

function environmentOf({ env }: Context): Variables {
  const settings = SETTING_NAMES.flatMap((name) => (SETTINGS[name].secret === true ? [] : (SETTINGS[name].env ?? [])))
  return [...ENVIRONMENT, ...settings].flatMap((name) => {
    const value = env[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
}

/** A secret is never printed: one that only the environment has, the timer does not have. */
function warnSecrets({ env, output }: Context, profile?: Blank): void {
  const names = SETTING_NAMES.flatMap((name) => (SETTINGS[name].secret === true ? (SETTINGS[name].env ?? []) : []))
  const set = names.filter((name) => (env[name] ?? '') !== '')
  if (set.length === 0) return
  output.warn(
    `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set here, and a secret is not printed: the timer will not have it.`,
  )
  output.hint(say`Store it in the profile with: ${run('auth:login', { '--stdin': true, '--profile': profile })}`)
}

type Made = Pick<ScheduleRecord, 'Files' | 'Install'>

/** 03:17 */
const clockTime = [NIGHT_HOUR, NIGHT_MINUTE].map((part) => String(part).padStart(2, '0')).join(':')

function cron({ command, environment, nightly }: Task): Made {
  const variables = environment.map(([name, value]) => `${name}=${shellWord(value)}`)
  // In a crontab a percent sign ends the command (crontab(5)).
  const line = [nightly ? `${NIGHT_MINUTE} ${NIGHT_HOUR} * * *` : '* * * * *', ...variables, ...command.map(shellWord)]
    .join(' ')
    .replaceAll('%', '\\%')
  const file: ScheduleFile = { Path: null, Text: `${line}\n` }
  return { Files: [file], Install: ['Add the line below to your crontab with: crontab -e', 'Remove it there again to stop.'] }
}

function systemd({ unit, words, command, environment, nightly }: Task): Made {
  const directory = '~/.config/systemd/user'
  const service = [
    '[Unit]',
    `Description=${textOf(words).replaceAll('%', '%%')}`,
    ...(nightly ? [] : ['Wants=network-online.target', 'After=network-online.target']),
    '',
    '[Service]',
    'Type=oneshot',
    ...environment.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
  ]
  const timer = [
    '[Unit]',
    nightly ? 'Description=Copy the ledger of seller every night' : textOf(say`Description=Run ${run('jobs:due')} every minute`),
    '',
    '[Timer]',
    ...(nightly ? [`OnCalendar=*-*-* ${clockTime}:00`] : ['OnCalendar=*-*-* *:*:00', 'AccuracySec=1s']),
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
  ]
  return {
    Files: [
      { Path: `${directory}/${unit}.service`, Text: `${service.join('\n')}\n` },
      { Path: `${directory}/${unit}.timer`, Text: `${timer.join('\n')}\n` },
    ],
    Install: [
      `Write the two files below, then: systemctl --user daemon-reload && systemctl --user enable --now ${unit}.timer`,
      'To run while you are not logged in: loginctl enable-linger',
      `See what it did with: journalctl --user -u ${unit}. Stop it with: systemctl --user disable --now ${unit}.timer`,
    ],
  }
}

/** launchd.plist(5). launchd begins no run while one works, and makes up for those that the machine slept through by one. */
function launchd({ unit, command, environment, nightly }: Task): Made {
  const label = `local.${unit.replaceAll('_', '-')}`
  const path = `~/Library/LaunchAgents/${label}.plist`
  const pairs = environment.map(([name, value]) => `    <key>${xml(name)}</key><string>${xml(value)}</string>`)
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${xml(label)}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...command.map((word) => `    <string>${xml(word)}</string>`),
    '  </array>',
    ...(pairs.length === 0 ? [] : ['  <key>EnvironmentVariables</key>', '  <dict>', ...pairs, '  </dict>']),
    ...(nightly
      ? [
          '  <key>StartCalendarInterval</key>',
          `  <dict><key>Hour</key><integer>${NIGHT_HOUR}</integer><key>Minute</key><integer>${NIGHT_MINUTE}</integer></dict>`,
        ]
      : ['  <key>StartInterval</key><integer>60</integer>', '  <key>RunAtLoad</key><true/>']),
    '  <key>ProcessType</key><string>Background</string>',
    '</dict>',
    '</plist>',
  ]
  return {
    Files: [{ Path: path, Text: `${text.join('\n')}\n` }],
    Install: [
      `Write the file below, then: launchctl bootstrap gui/$(id -u) ${path}`,
      `Stop it with: launchctl bootout gui/$(id -u)/${label}`,
    ],
  }
}

/**
 * A task of Windows (learn.microsoft.com, "Task Scheduler Schema"). S4U: it runs without a window, also while nobody is logged
 * on, and no password is stored. The schema has no variables, so cmd sets them. ASCII alone: then it does not matter in which
 * encoding PowerShell saves it.
 */
function taskScheduler({ unit, command, environment, nightly, shownBy }: Task): Made {
  const [program = '', ...words] = command
  const sets = environment.map(([name, value]) => `set "${name}=${value.replaceAll('%', '%%cd:~,%')}"&& `)
  const line = [program, ...words].map(windowsWord).join(' ')
  const [run, args] =
    sets.length === 0
      ? [program, words.map(windowsWord).join(' ')]
      : ['%SystemRoot%\\System32\\cmd.exe', `/d /s /c "${sets.join('')}${line}"`]
  const file = `${unit}.xml`
  const text = [
    '<?xml version="1.0"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    ...(nightly
      ? [
          '  <Triggers><CalendarTrigger>',
          `    <StartBoundary>2026-01-01T${clockTime}:00</StartBoundary>`,
          '    <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>',
          '  </CalendarTrigger></Triggers>',
        ]
      : [
          '  <Triggers><TimeTrigger>',
          '    <Repetition><Interval>PT1M</Interval></Repetition>',
          '    <StartBoundary>2026-01-01T00:00:00</StartBoundary>',
          '  </TimeTrigger></Triggers>',
        ]),
    '  <Principals><Principal id="Author"><LogonType>S4U</LogonType></Principal></Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <StartWhenAvailable>true</StartWhenAvailable>',
    '    <Hidden>true</Hidden>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '  </Settings>',
    `  <Actions Context="Author"><Exec><Command>${xml(run)}</Command><Arguments>${xml(args)}</Arguments></Exec></Actions>`,
    '</Task>',
  ]
  const showCommand = typedCommand('schedule:show', ...shownBy, '--json')
  return {
    Files: [{ Path: file, Text: `${text.join('\n')}\n` }],
    Install: [
      `Save the task in ${file}, in PowerShell: (${textOf(say`${showCommand}`, { shell: 'windows' })} | ConvertFrom-Json).Files[0].Text > ${file}`,
      `Then, as an administrator: schtasks /create /tn ${unit} /xml ${file}`,
      `See how it ended with: schtasks /query /v /tn ${unit}. Stop it with: schtasks /delete /tn ${unit}`,
    ],
  }
}

/** A word of a command line, as programs read it on Windows. */
function windowsWord(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word)
    ? word
    : `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => `${slashes}${slashes}${quote === '' ? '' : '\\"'}`)}"`
}

function xml(text: string): string {
  return text.replace(/[&<>"]|[^\n -~]/gu, (letter) => `&#${letter.codePointAt(0)};`)
}

const MAKERS: Readonly<Record<Timer, (task: Task) => Made>> = {
  cron,
  systemd,
  launchd,
  'task-scheduler': taskScheduler,
}

/** A word of a unit file (systemd.syntax(7)): in quotes where it needs them, percent signs doubled. */
function quoted(word: string): string {
  const text = word.replaceAll('%', '%%')
  return /^[\w@+=:,./-]+$/.test(text) ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function unitName(profile: string): string {
  return profile.replace(/\*/g, 'all').replace(/[^A-Za-z0-9_.-]/g, '_')
}
