/**
 * Flags and arguments that mean the same everywhere, and their strict parsers: "5x" is not a duration, "199,90" is not a price. A
 * parser throws a usage error (exit 2) that names the flag, the value and what is accepted.
 */

import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { unitBeside } from '../contract/kronor.js'
import { SellerError, ValueError } from '../errors/index.js'
import { FORMS } from '../format/output/types.js'
import { choiceTable } from './choices.js'
import type { Host } from './host.js'
import { type Now, readDateTime, readDuration, readEnd, readInt, readKronor, readStartTime } from './values.js'

const GLOBAL = 'GLOBAL'

/** A duration with a unit, e.g. 90s, 10m, 1h30m, 2d; the value is in ms. */
export const durationFlag = Flags.custom<number>({
  helpValue: 'DURATION',
  parse: async (text, _context, flag) => readDuration(text, `--${flag.name}`),
})

/**
 * A date, or a date and time, e.g. 2026-11-30, 2026-11-30T18:00, 2026-11-30T18:00Z, or relative: yesterday, tomorrow, 7d (in the
 * past unless `direction` says otherwise), +7d; the value is ISO text with its zone.
 */
export const dateTimeFlag = Flags.custom<string, { direction?: Now['direction'] }>({
  helpValue: 'DATE',
  parse: async (text, context, { name, direction = 'past' }) => {
    // The command that is being parsed; it has the host's clock.
    const { host } = context as unknown as { readonly host: Host }
    return readDateTime(text, `--${name}`, { now: host.clock.now(), direction })
  },
})

/**
 * An end: as dateTimeFlag, but a day alone is meant to its end, which is the midnight after it, and `+7d` counts from the start:
 * `endAt`.
 */
export const endFlag = Flags.custom<string>({
  helpValue: 'DATE',
  parse: async (text, context, { name }) => {
    const { host } = context as unknown as { readonly host: Host }
    return readEnd(text, `--${name}`, host.clock.now())
  },
})

/** A time to come: as dateTimeFlag, or a Swedish time of day, e.g. 18:00, today or, if that is past, tomorrow. */
export const startTimeFlag = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text, context, { name }) => {
    const { host } = context as unknown as { readonly host: Host }
    return readStartTime(text, `--${name}`, host.clock.now())
  },
})

/** A price in whole kronor, e.g. 499, "1 234", 1234kr. */
export const kronorFlag = Flags.custom<number>({
  helpValue: 'KR',
  parse: async (text, context, flag) => readTyped(text, `--${flag.name}`, context),
})

/** A price in whole kronor, or the word `none`, which is null. */
export const kronorOrNoneFlag = Flags.custom<number | null>({
  helpValue: 'KR|none',
  parse: async (text, context, flag) => (text === 'none' ? null : readTyped(text, `--${flag.name}`, context)),
})

/** The currency of the account is known with the profile only: the command judges the units that were typed, once it is open. */
export function readTyped(text: string, name: string, context: unknown): number {
  const { amountsTyped } = context as { readonly amountsTyped: (readonly [name: string, text: string])[] }
  if (unitBeside(text) !== undefined) amountsTyped.push([name, text])
  return readKronor(text, name)
}

/** A whole number that fits in 32 bits, between min and max if given. */
export const intFlag = Flags.custom<number, { min?: number; max?: number }>({
  helpValue: 'N',
  parse: async (text, _context, flag) => readInt(text, `--${flag.name}`, flag),
})

/** An id: a positive int. */
export const idFlag = Flags.custom<number>({
  helpValue: 'ID',
  parse: async (text, _context, flag) => readInt(text, `--${flag.name}`, { min: 1 }),
})

/** An id as an argument. Never read from stdin: by default oclif takes a missing argument from a pipe. */
export const idArg = Args.custom<number>({
  ignoreStdin: true,
  parse: async (text, _context, arg) => readInt(text, arg.name.toUpperCase(), { min: 1 }),
})

/** A text as an argument; never read from stdin. */
export const textArg = Args.custom<string>({ ignoreStdin: true, parse: async (text) => text })

/** A flag whose values are NAME=VALUE, or NAME alone; it is typed once for each name. The command reads the values. */
export const namedFlag = Flags.custom<readonly [name: string, value: string | undefined]>({
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'NAME=VALUE',
  parse: async (text) => {
    const at = text.indexOf('=')
    return at === -1 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1)]
  },
})

/** The values of such a flag by name. @throws {SellerError} usage for a name that is given twice */
export function byName<K extends string, V>(flag: string, pairs: readonly (readonly [K, V])[]): Partial<Record<K, V>> {
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at)
  if (twice === undefined) return Object.fromEntries(pairs) as Partial<Record<K, V>>
  throw new SellerError('wrong_usage', `${flag} ${twice[0]} is given twice.`, 'Give it once.')
}

/** A name that a flag of several takes: what its value looks like, none for a switch, and its meaning. */
export interface Choice {
  readonly value?: string
  /** The name may stand alone too. */
  readonly optional?: boolean
  readonly summary: string
}

/** A flag that takes such names: `--with fees=FILE --with margin-vat`. */
export function choicesFlag<N extends string>(
  choices: Readonly<Record<N, Choice>>,
  about: { readonly summary: string; readonly dependsOn?: string[] },
) {
  const usages = Object.entries<Choice>(choices).map(([name, { value, optional, summary }]) => {
    const shown = value === undefined ? '' : `=${value}`
    return [`${name}${optional === true ? `[${shown}]` : shown}`, summary] as const
  })
  return Flags.custom<readonly [name: N, value: string | undefined]>({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: usages.length === 1 ? String(usages[0]?.[0]) : 'WHAT',
    ...about,
    description: choiceTable(usages),
    parse: async (text, _context, flag) => readChoice(text, `--${flag.name}`, choices),
  })()
}

/** `Give a, b or c.` */
export function giveOne(names: readonly string[]): string {
  return `Give ${names.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`
}

/** @throws {ValueError} wrong_usage */
function readChoice<N extends string>(text: string, flag: string, choices: Readonly<Record<N, Choice>>) {
  const at = text.includes('=') ? text.indexOf('=') : text.length
  const typed = text.slice(0, at).trim()
  const names = Object.keys(choices) as N[]
  const name = names.find((each) => each === typed)
  if (name === undefined)
    throw new ValueError('wrong_usage', { name: flag, value: text, why: 'is not one of its choices' }, giveOne(names))
  const { value, optional = false } = choices[name]
  const given = at === text.length ? undefined : text.slice(at + 1)
  if (value === undefined ? given !== undefined : (given ?? '') === '' && !(optional && given === undefined))
    throw new ValueError(
      'wrong_usage',
      { name: `${flag} ${name}`, why: value === undefined ? 'It takes no value' : 'It has no value' },
      `Give ${flag} ${name}${value === undefined ? '' : `=${value}`}.`,
    )
  return [name, given] as const
}

/** True if such a flag has the name. */
export function chosen<N extends string>(given: readonly (readonly [N, unknown])[] | undefined, name: N): boolean {
  return given?.some(([each]) => each === name) ?? false
}

/** On every command (SellerCommand.baseFlags). */
export const globalFlags = {
  profile: Flags.string({
    char: 'p',
    helpGroup: GLOBAL,
    helpValue: 'NAME',
    summary: 'Profile to use. "sandbox" always exists. Also SELLER_PROFILE.',
  }),
  output: Flags.option({
    char: 'o',
    helpGroup: GLOBAL,
    options: FORMS,
    exclusive: ['json'],
    summary: 'Output form (default: a table, or tab-separated rows in a pipe).',
  })(),
  json: Flags.boolean({
    helpGroup: GLOBAL,
    summary: 'Print one JSON document on stdout, errors included. Same as --output json.',
  }),
  out: Flags.string({
    helpGroup: GLOBAL,
    helpValue: 'FILE',
    summary: 'Write the result to a file, in the form of its ending: .csv, .xlsx, .json, .ndjson, .tsv, .yaml, .txt.',
  }),
  force: Flags.boolean({ helpGroup: GLOBAL, dependsOn: ['out'], summary: 'Overwrite the file of --out if it exists.' }),
  columns: Flags.string({ helpGroup: GLOBAL, helpValue: 'A,B', summary: 'Columns to show, in this order.' }),
  sort: Flags.string({ helpGroup: GLOBAL, helpValue: 'COLUMN', summary: 'Sort rows by a column; -COLUMN sorts descending.' }),
  'no-header': Flags.boolean({ helpGroup: GLOBAL, summary: 'Omit the header row.' }),
  'no-pager': Flags.boolean({ helpGroup: GLOBAL, summary: 'Print long results at once on a terminal. Also PAGER=cat.' }),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: GLOBAL,
    summary: 'Print no notes, hints or progress on stderr. Warnings and errors stay.',
  }),
  trace: Flags.boolean({ helpGroup: GLOBAL, summary: 'Print every request and reply on stderr, with secrets masked.' }),
  'no-input': Flags.boolean({ helpGroup: GLOBAL, summary: 'Never prompt. Fail with a list of what is missing.' }),
  'max-calls': intFlag({
    min: 1,
    helpGroup: GLOBAL,
    helpValue: 'N',
    summary: 'Stop before making more than N calls in this run (exit 7).',
  }),
}

/** For commands that write further files: `...forceFlag('html')`. @param files the flags that name them */
export const forceFlag = (...files: readonly [string, ...string[]]) => ({
  force: Flags.boolean({
    relationships: [{ type: 'some', flags: [...files, 'out'] }],
    summary: `Overwrite the files that it writes. Those of ${files.map((name) => `--${name}`).join(', ')} and --out.`,
  }),
})

/** Time to wait, ms; ten minutes by default. */
export const timeoutFlag = (summary: string) =>
  durationFlag({
    default: 600_000,
    // Keeps the number of ms out of the help.
    noCacheDefault: true,
    summary,
  })

/** For commands that make calls, and do not wait: how long a call may take, in ms. The client of the run has it. */
export const callTimeoutFlag = {
  'call-timeout': durationFlag({
    // Its name in versions before 0.4. In a command that waits, --timeout is how long it does.
    aliases: ['timeout'],
    // Short, so that it leaves room for what flags mean.
    helpValue: 'MAX',
    summary: 'Give up when a call takes longer, e.g. 30s (default 5m, 30m for lists, or call_timeout of the profile).',
  }),
}

/** For lists that a reading of the last minute serves: `...refreshFlag`. */
export const refreshFlag = {
  refresh: Flags.boolean({
    // Its name in versions before 0.4.
    aliases: ['fresh'],
    summary: 'Read it again. On a terminal, where calls are limited, a list from the last minute is used otherwise.',
  }),
}

/** For lists that may lack a part: `...wholeFlag`. */
export const wholeFlag = {
  whole: Flags.boolean({
    summary: 'End with an error (not_whole) if a part is missing. It was not read, or is beyond --limit.',
  }),
}

/** For commands about an electronic-ID session: `...orderRefFlag`. */
export const orderRefFlag = {
  'order-ref': Flags.string({
    helpValue: 'REF',
    summary: 'Order reference of the session (EidOrderRef). By default the one that was begun last from here.',
  }),
}

/** For commands that queue work: `...waitFlags`. `timeout` is in ms. */
export const waitFlags = {
  wait: Flags.boolean({ char: 'w', summary: 'Wait until the service has processed the request.' }),
  timeout: timeoutFlag('How long --wait waits, e.g. 90s or 1h30m (default 10m). Then exit 8 with the command to continue.'),
}

/** For commands whose operation answers at once: `--wait` is taken as everywhere, and there is nothing to wait for. */
export const idleWaitFlag = {
  wait: Flags.boolean({ char: 'w', summary: 'Has no effect here. The operation answers at once, so there is no wait.' }),
}

/** For commands that change something: `...dryRunFlag`. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ char: 'n', summary: 'Show what would be sent, and send nothing.' }),
}

/** For commands that ask before they act: `...yesFlag`. */
export const yesFlag = {
  yes: Flags.boolean({ char: 'y', summary: 'Answer yes to the confirmation.' }),
}

/**
 * For commands that change something and ask nothing, so that a script may give --yes to every one that does:
 * `...acceptedYesFlag`.
 */
export const acceptedYesFlag = {
  yes: Flags.boolean({
    char: 'y',
    hidden: true,
    summary: 'Accepted, as in every command that changes something. Nothing is asked.',
  }),
}

/** For commands that run over several shops: `...profilesFlag`. */
export const profilesFlag = {
  profiles: Flags.string({
    exclusive: ['profile'],
    helpValue: 'GLOB',
    summary:
      "Run for every profile that matches, e.g. 'shop-*'. Several patterns with commas. {profile} in a file name is its name.",
  }),
  'at-once': intFlag({
    min: 1,
    max: 64,
    dependsOn: ['profiles'],
    summary: 'So many shops side by side (default 8). They share the quota.',
  }),
}

/** Where the browser comes back to after a login (docs/service.md, Token login). */
export const acceptPortFlag = intFlag({
  min: 1,
  max: 65_535,
  helpValue: 'PORT',
  summary: 'Wait for the browser at http://127.0.0.1:PORT. For an application whose accept address leads there.',
})
