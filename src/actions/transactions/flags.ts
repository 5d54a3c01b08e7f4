/** Flags of transactions:watch. */
import { Flags } from '@oclif/core'
import { SellerError } from '../../cli/errors.js'
import { readSetting } from '../../cli/settings.js'
import { readDuration } from '../../cli/values.js'
import { MINUTE_MS, SECOND_MS } from '../../system/durations.js'

const DEFAULT_INTERVAL_MS = 5 * MINUTE_MS

/** ms between two looks, a second at least: a look is a call. */
export const watchIntervalFlag = Flags.custom<number>({
  helpValue: 'DURATION',
  default: DEFAULT_INTERVAL_MS,
  // Keeps the number of ms out of the help.
  noCacheDefault: true,
  parse: async (text, _context, { name }) => {
    const ms = readDuration(text, `--${name}`)
    if (ms >= SECOND_MS) return ms
    throw new SellerError('invalid_duration', `--${name}: "${text}" is too short.`, 'Give 1s or more, e.g. 5m.')
  },
})

/** The name of a watch without one. */
export const DEFAULT_WATCH = 'default'

/** What tells watches apart. */
export const watchNameFlag = Flags.custom<string>({
  helpValue: 'NAME',
  parse: async (text, _context, { name }) => {
    if (/^[\w.-]{1,40}$/.test(text)) return text
    throw new SellerError(
      'wrong_usage',
      `--${name}: "${text}" is not a name.`,
      'Give up to 40 letters of a to z, digits, - . and _.',
    )
  },
})

/** A command: a line for the shell, or a JSON array of words, which runs without one. */
export const commandFlag = Flags.custom<string>({
  helpValue: 'COMMAND',
  parse: async (text, _context, { name }) => String(readSetting('token_command', text, `--${name}`)),
})
