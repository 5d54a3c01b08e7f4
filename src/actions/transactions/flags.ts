/** Flags of transactions:watch and orders:watch. */
import * as Flags from '@oclif/core/flags'
import { callTimeoutFlag, dateTimeFlag, durationFlag, idFlag, intFlag } from '../../cli/flags.js'
import { readSetting } from '../../cli/settings.js'
import { readDuration } from '../../cli/values.js'
import { ValueError } from '../../errors/index.js'
import { SECOND_MS } from '../../system/durations.js'

/** ms between two looks, a second at least: a look is a call. */
const watchIntervalFlag = Flags.custom<number>({
  helpValue: 'DURATION',
  parse: async (text, _context, { name }) => {
    const ms = readDuration(text, `--${name}`)
    if (ms >= SECOND_MS) return ms
    throw new ValueError('invalid_duration', { name: `--${name}`, value: text, why: 'is too short' }, 'Give 1s or more, e.g. 5m.')
  },
})

/** The name of a watch without one. */
export const DEFAULT_WATCH = 'default'

/** Name that tells watches apart. */
const watchNameFlag = Flags.custom<string>({
  helpValue: 'NAME',
  parse: async (text, _context, { name }) => {
    if (/^[\w.-]{1,40}$/.test(text)) return text
    throw new ValueError(
      'wrong_usage',
      { name: `--${name}`, value: text, why: 'is not a name' },
      'Give up to 40 letters of a to z, digits, - . and _.',
    )
  },
})

/** A command: a line for the shell, or a JSON array of words, which runs without one. */
export const commandFlag = Flags.custom<string>({
  helpValue: 'COMMAND',
  parse: async (text, _context, { name }) => String(readSetting('token_command', text, `--${name}`)),
})

/** @param noun what is delivered, e.g. `sale` */
export function watchFlags(noun: string) {
  return {
    ...callTimeoutFlag,
    interval: watchIntervalFlag({
      summary:
        'Time between two checks (default 5m, or longer to fit what is left of the call budget; at least 1s). Each check is one call.',
    }),
    once: Flags.boolean({ summary: 'Check once and end.' }),
    since: dateTimeFlag({ summary: 'Where the first run of this watch begins (default: now).' }),
    name: watchNameFlag({ default: DEFAULT_WATCH, summary: `Name of the watch. Each name delivers each ${noun} once.` }),
    exec: commandFlag({ summary: `Command to run for each ${noun}. A line for the shell, or a JSON array of words.` }),
    'exec-timeout': durationFlag({
      dependsOn: ['exec'],
      summary: `Stop a command that takes longer (default 10m). Its ${noun} is unknown then.`,
    }),
    attempts: intFlag({ min: 1, max: 100, default: 3, summary: `How often a failing command is run for one ${noun}.` }),
    'keep-calls': intFlag({
      min: 0,
      summary: 'Calls to leave to other commands (default: 10, at most half the call budget).',
    }),
    again: idFlag({
      multiple: true,
      summary: `Deliver this ${noun} again. One that is unknown or was given up. May be repeated.`,
    }),
  }
}
