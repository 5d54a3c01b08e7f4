/** schedule:show: what lets the timer of the system run jobs:due every minute. */
import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.js'
import { matchingProfiles } from '../../cli/profile-names.js'
import { shellWord } from '../../cli/profiles.js'
import { SETTING_NAMES, SETTINGS } from '../../cli/settings.js'
import { countOf, type ScheduleFile, type ScheduleRecord } from '../../format/views/index.js'

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
  /** What runs the tool: absolute paths of the program and its script. */
  readonly program: readonly string[]
  /** `--profiles`; the one profile of the context by default. */
  readonly profiles?: string
}

/** @throws {SellerError} usage for patterns that match no profile */
export function scheduleOf(ctx: Context, timer: Timer, { program, profiles }: Scheduled): ScheduleRecord {
  const shops = profiles === undefined ? oneShop(ctx) : severalShops(ctx, profiles)
  const command = [...program, 'jobs:due', ...shops, '--quiet']
  const environment = environmentOf(ctx)
  const made = MAKERS[timer](command, environment, unitName(shops[1] ?? ''))
  return { Timer: timer, Command: command, Environment: Object.fromEntries(environment), ...made }
}

function oneShop(ctx: Context): readonly string[] {
  const { name, embedded } = ctx.profile
  if (embedded) ctx.output.hint('This is for the profile "sandbox". Give --profile NAME for a shop.')
  warnSecrets(ctx, ctx.profileFlag())
  return ['--profile', name]
}

/** The patterns are kept in the line, so that a profile that is made later is served too. */
function severalShops(ctx: Context, profiles: string): readonly string[] {
  const names = matchingProfiles(profiles, ctx)
  warnSecrets(ctx, ' --profile NAME')
  ctx.output.note(`Now it is for ${countOf(names.length, 'profile')}: ${names.join(', ')}.`)
  return ['--profiles', profiles]
}

/** The lines with how to install them, as comments: what a person reads and a file may hold. */
export function scheduleText({ Files, Install, Command }: ScheduleRecord): string {
  const run = Command.slice(-4).map(shellWord).join(' ')
  const how = [`# Runs seller ${run} every minute. To install:`, ...Install.map((line) => `#   ${line}`)]
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
function warnSecrets({ env, output }: Context, flag: string): void {
  const names = SETTING_NAMES.flatMap((name) => (SETTINGS[name].secret === true ? (SETTINGS[name].env ?? []) : []))
  const set = names.filter((name) => (env[name] ?? '') !== '')
  if (set.length === 0) return
  output.warn(
    `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set here, and a secret is not printed: the timer will not have it.`,
  )
  output.hint(`Store it in the profile with: seller auth:login --stdin${flag}`)
}

type Made = Pick<ScheduleRecord, 'Files' | 'Install'>

function cron(command: readonly string[], environment: Variables): Made {
  const variables = environment.map(([name, value]) => `${name}=${shellWord(value)}`)
  // In a crontab a percent sign ends the command (crontab(5)).
  const line = ['* * * * *', ...variables, ...command.map(shellWord)].join(' ').replaceAll('%', '\\%')
  const file: ScheduleFile = { Path: null, Text: `${line}\n` }
  return { Files: [file], Install: ['Add the line below to your crontab with: crontab -e', 'Remove it there again to stop.'] }
}

function systemd(command: readonly string[], environment: Variables, unit: string): Made {
  const directory = '~/.config/systemd/user'
  const service = [
    '[Unit]',
    'Description=Send the starts and ends of discounts that are due (seller jobs:due)',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    ...environment.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
  ]
  const timer = [
    '[Unit]',
    'Description=Run seller jobs:due every minute',
    '',
    '[Timer]',
    'OnCalendar=*-*-* *:*:00',
    'AccuracySec=1s',
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
function launchd(command: readonly string[], environment: Variables, unit: string): Made {
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
    '  <key>StartInterval</key><integer>60</integer>',
    '  <key>RunAtLoad</key><true/>',
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
 * A task of Windows (learn.microsoft.com, "Task Scheduler Schema"). S4U: it runs without a window, also while nobody is logged on, and no password is
 * stored. The schema has no variables, so cmd sets them. ASCII alone: then it does not matter in which encoding PowerShell saves it.
 */
function taskScheduler(command: readonly string[], environment: Variables, unit: string): Made {
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
    '  <Triggers><TimeTrigger>',
    '    <Repetition><Interval>PT1M</Interval></Repetition>',
    '    <StartBoundary>2026-01-01T00:00:00</StartBoundary>',
    '  </TimeTrigger></Triggers>',
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
  return {
    Files: [{ Path: file, Text: `${text.join('\n')}\n` }],
    Install: [
      `Save the task in ${file}, in PowerShell: (seller schedule:show${words
        .slice(words.indexOf('jobs:due') + 1, -1)
        .map((word) => ` ${windowsWord(word)}`)
        .join('')} --json | ConvertFrom-Json).Files[0].Text > ${file}`,
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

const MAKERS: Readonly<Record<Timer, (command: readonly string[], environment: Variables, unit: string) => Made>> = {
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
  return `seller-due-${profile.replace(/\*/g, 'all').replace(/[^A-Za-z0-9_.-]/g, '_')}`
}
