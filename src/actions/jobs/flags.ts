/** Flags that commands of many rows share. */
import { Flags } from '@oclif/core'
import { intFlag, kronorFlag, waitFlags, yesFlag } from '../../cli/flags.js'

const RUN = 'RUN'
const GUARD = 'GUARD'

/** How a job is sent and followed: `...runFlags`. */
export const runFlags = {
  ...yesFlag,
  ...waitFlags,
  verify: Flags.boolean({
    helpGroup: RUN,
    summary: 'Wait, then read the live list again and report every difference (exit 5).',
  }),
  concurrency: intFlag({ helpGroup: RUN, min: 1, max: 16, summary: 'Number of calls at once (default 2).' }),
  'failed-file': Flags.string({
    helpGroup: RUN,
    helpValue: 'FILE',
    summary: 'Write failed and held rows to this file, in the form of the input, with a _Reason column.',
  }),
}

/** For commands that may hold rows back: `...heldFlag`. */
export const heldFlag = {
  'held-file': Flags.string({
    helpGroup: RUN,
    helpValue: 'FILE',
    summary: 'Write held rows with their reason to this file (default: held-JOB.csv in this directory, or .json, .ndjson).',
  }),
}

/** The price guards: `...guardFlags`. */
export const guardFlags = {
  'max-change': Flags.string({
    helpGroup: GUARD,
    helpValue: 'PERCENT|off',
    summary: 'Hold a price that changes by more; the max_change of the profile, or 50%, unless told.',
  }),
  'factor-ten': Flags.boolean({
    helpGroup: GUARD,
    allowNo: true,
    summary: 'Hold a price ten times the present one or more, or a tenth or less; on unless told.',
  }),
  'min-price': kronorFlag({
    helpGroup: GUARD,
    summary: 'Hold prices below this; the min_price of the profile, or none, unless told.',
  }),
  'max-same': Flags.string({
    helpGroup: GUARD,
    helpValue: 'PERCENT|off',
    summary: 'Hold one price that more than this share of 10 or more changed rows would get; 50% unless told.',
  }),
}

/** `--file` for rows. */
export const rowsFileFlag = {
  file: Flags.string({
    char: 'f',
    helpValue: 'FILE',
    summary: 'Read rows from CSV (comma, semicolon or tab), a JSON array or NDJSON; - is stdin.',
  }),
}

/** Flags that need --file. */
export function withFile<T extends Record<string, { dependsOn?: string[] }>>(flags: T): T {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, dependsOn: ['file'] }])) as T
}
