/** Flags that commands of many rows share. */
import * as Flags from '@oclif/core/flags'
import { choicesFlag, intFlag, waitFlags, yesFlag } from '../../cli/flags.js'
import { readInt } from '../../cli/values.js'
import { similar } from '../../contract/nearest.js'
import { SellerError } from '../../errors/index.js'
import { HOLDS } from '../../holds/index.js'

const RUN = 'RUN'

/** Flags for sending and following a job: `...runFlags`. */
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

/** For commands whose jobs may be sent by the day: `...perDayFlag`. */
export const perDayFlag = {
  'per-day': intFlag({
    helpGroup: RUN,
    min: 1,
    summary: 'Send with so many calls a day, the rest by jobs:due on the days after. Calls that only read are not counted.',
  }),
}

/** A number of calls a day, or `off`, which is null. */
const paceFlag = Flags.custom<number | null>({
  helpValue: 'N|off',
  parse: async (text, _context, { name }) => (text === 'off' ? null : readInt(text, `--${name}`, { min: 1 })),
})

/** For jobs:resume: `...paceOfJobFlag`. */
export const paceOfJobFlag = {
  'per-day': paceFlag({
    helpGroup: RUN,
    summary: 'Send the rest of the job with so many calls a day, by jobs:due from then on; off: all at once.',
  }),
}

/** Shows the rows that one of some codes holds. */
const heldByCodes = Flags.custom<readonly string[]>({
  helpValue: 'CODE',
  parse: async (text) => readHoldCodes(text),
})

/** For commands that list held rows: `...heldByFlag`. */
export const heldByFlag = { 'held-by': heldByCodes({ summary: 'Only rows that this code holds; several with commas.' }) }

/** For commands that list them in a dry run only: `...plannedByFlag`. */
export const plannedByFlag = {
  'held-by': heldByCodes({
    helpGroup: RUN,
    dependsOn: ['dry-run'],
    summary: 'With --dry-run, show only rows that this code holds; several with commas.',
  }),
}

/** @throws {SellerError} usage for what is not a code of a hold */
function readHoldCodes(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim())
  const unknown = codes.find((code) => !Object.hasOwn(HOLDS, code))
  if (unknown === undefined) return codes
  const near = similar(unknown, Object.keys(HOLDS)).slice(0, 3)
  const hint =
    near.length === 0 ? 'docs/scripting.md has all codes; --json shows them as Code.' : `Did you mean ${near.join(' or ')}?`
  throw new SellerError('wrong_usage', `--held-by: "${unknown}" is not a code of a held row.`, hint)
}

/** For commands that may hold rows: `...heldFlag`. */
export const heldFlag = {
  ...plannedByFlag,
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

/** For commands that read a table: `...sheetFlag`. */
export const sheetFlag = {
  sheet: Flags.string({
    helpValue: 'NAME',
    dependsOn: ['file'],
    summary: 'Sheet of the workbook (.xlsx, .ods) to read, if several have rows.',
  }),
  column: Flags.string({
    helpValue: 'FIELD=NAME',
    multiple: true,
    dependsOn: ['file'],
    summary: "Column of the file for a field. Price='Regular price', or Price= for none. Kept for files with the same columns.",
  }),
}

/** For commands that set numbers in stock from a file: `...restockFlag`. */
export const restockFlag = {
  restock: Flags.boolean({
    dependsOn: ['file'],
    summary: 'Set numbers in stock also where they are those from before goods were sold.',
  }),
}

/** For commands whose plan can be a page, with the flags that it depends on: `...planPageFlag('dry-run')`. */
export const planPageFlag = (...needs: readonly string[]) => ({
  html: Flags.string({
    helpValue: 'FILE',
    dependsOn: [...needs],
    summary: 'With --dry-run: write the plan also as a page, one file that makes no request, with small pictures of the images.',
  }),
})

/** For commands that send the images of a file for live items: `...allImagesFlag`. */
export const allImagesFlag = {
  with: choicesFlag(
    { 'all-images': { summary: 'Images of items whose pictures were not sent from here: they cannot be compared.' } },
    { dependsOn: ['file'], summary: 'Send images that cannot be compared, too.' },
  ),
}

/** For commands that read prices of a shop: `...netFlag`. */
export const netFlag = {
  prices: Flags.option({ options: ['net', 'gross'] as const })({
    dependsOn: ['file'],
    summary: 'The prices of the file are without VAT (net), which is added by the rate of each item, or with it (gross).',
  }),
}

/** `--file` for rows. */
export const rowsFileFlag = {
  file: Flags.string({
    char: 'f',
    helpValue: 'FILE',
    summary:
      'Read rows from a file; - is stdin. A workbook (.xlsx, .ods), CSV (comma, semicolon or tab), a JSON array or NDJSON.',
  }),
  ...sheetFlag,
}

/** Flags that need --file, or one of others that give rows. */
export function withFile<T extends Record<string, { dependsOn?: string[] }>>(flags: T, others: readonly string[] = []): T {
  const needs =
    others.length === 0 ? { dependsOn: ['file'] } : { relationships: [{ type: 'some' as const, flags: ['file', ...others] }] }
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, ...needs }])) as T
}
