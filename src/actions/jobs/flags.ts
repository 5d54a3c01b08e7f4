/** Flags that commands of many rows share. */
import { Flags } from '@oclif/core'
import { intFlag, waitFlags, yesFlag } from '../../cli/flags.js'

const RUN = 'RUN'

/** How a job is sent and followed: `...runFlags`. */
export const runFlags = {
  ...yesFlag,
  ...waitFlags,
  verify: Flags.boolean({
    helpGroup: RUN,
    summary: 'Wait, then read the live list again and report every difference (exit 5).',
  }),
  concurrency: intFlag({
    helpGroup: RUN,
    min: 1,
    max: 16,
    summary: 'Number of calls at once. By default as many as the service keeps up with, at most 8.',
  }),
  'failed-file': Flags.string({
    helpGroup: RUN,
    helpValue: 'FILE',
    summary:
      'Write failed and held rows to this file, in the form of the input (a workbook if it ends in .xlsx), with a _Reason column.',
  }),
}

/** For commands that may hold rows: `...heldFlag`. */
export const heldFlag = {
  'held-file': Flags.string({
    helpGroup: RUN,
    helpValue: 'FILE',
    summary:
      'Write held rows with their reason to this file (default: held-JOB.csv, .xlsx, .json or .ndjson in the data directory).',
  }),
}

/** For commands whose rows name live items: `...strictFlag`. */
export const strictFlag = {
  strict: Flags.boolean({ helpGroup: RUN, summary: 'Exit with 5 when a row names an item that is not live.' }),
}

/** For commands that read a workbook: `...sheetFlag`. */
export const sheetFlag = {
  sheet: Flags.string({
    helpValue: 'NAME',
    dependsOn: ['file'],
    summary: 'Sheet of the workbook (.xlsx) to read, if several have rows.',
  }),
}

/** `--file` for rows. */
export const rowsFileFlag = {
  file: Flags.string({
    char: 'f',
    helpValue: 'FILE',
    summary: 'Read rows from a workbook (.xlsx), CSV (comma, semicolon or tab), a JSON array or NDJSON; - is stdin.',
  }),
  ...sheetFlag,
}

/** Flags that need --file. */
export function withFile<T extends Record<string, { dependsOn?: string[] }>>(flags: T): T {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, dependsOn: ['file'] }])) as T
}
