/**
 * Columns that the seller has named, with --column, for files of one layout. They are kept in the settings, so that a file of the
 * same program is asked about once.
 */
import { createHash } from 'node:crypto'
import type { Context } from '../../cli/context.js'
import { changeStored } from '../../cli/settings-file.js'
import { SellerError } from '../../errors/index.js'
import { plainName } from '../../rows/fields.js'
import type { ColumnAnswers, LayoutAnswers } from '../../rows/index.js'

/** Flags about the columns of a file. */
export interface ColumnFlags {
  /** `FIELD=NAME`; an empty name leaves the field out. */
  readonly column?: readonly string[] | undefined
  /** True prices of the file: without VAT, or with it. */
  readonly prices?: string | undefined
}

/** Answers that go with the reading of one file. */
export interface FileAnswers extends LayoutAnswers {
  /** Keeps what was typed, once the file could be read with it. */
  keep(): Promise<void>
}

/** Layouts whose answers are kept; the oldest goes first. */
const MOST_LAYOUTS = 50

/** Name of a layout: its columns, whatever their order and spelling. */
function layoutKey(names: readonly string[]): string {
  const plain = names.map(plainName).filter((name) => name !== '')
  return createHash('sha256')
    .update([...new Set(plain)].sort().join('\n'))
    .digest('hex')
    .slice(0, 12)
}

type Kept = Readonly<Record<string, ColumnAnswers>>

/** @throws {SellerError} usage for a flag without a field */
export function readAnswers(ctx: Context, { column = [], prices }: ColumnFlags): FileAnswers {
  const columns = Object.fromEntries(column.map(fieldAndName))
  const typedAnswers: ColumnAnswers = {
    ...(column.length > 0 ? { columns } : {}),
    ...(prices === undefined ? {} : { prices: prices === 'net' ? 'net' : 'gross' }),
  }
  const isTyped = column.length > 0 || prices !== undefined
  let layout: string | undefined
  let wasNoted = false
  return {
    ...typedAnswers,
    forLayout(names) {
      layout = layoutKey(names)
      const storedAnswers = readKept(ctx.profile.settings.file_columns)[layout]
      if (storedAnswers === undefined) return typedAnswers
      const answers = { ...storedAnswers, ...typedAnswers, columns: { ...storedAnswers.columns, ...typedAnswers.columns } }
      if (!isTyped && !wasNoted)
        ctx.output.note(
          `Columns as you named them for files of this layout: ${inWords(answers)}. --column FIELD=NAME changes it.`,
        )
      wasNoted = true
      return answers
    },
    async keep() {
      const key = layout
      if (!isTyped || key === undefined) return
      await changeStored(ctx, ({ profiles }) => {
        const settings = profiles[ctx.profile.name] ?? {}
        const before = readKept(settings.file_columns)
        const { [key]: own, ...others } = before
        const answers = { ...own, ...typedAnswers, columns: { ...own?.columns, ...typedAnswers.columns } }
        const all = Object.entries(others).slice(1 - MOST_LAYOUTS)
        profiles[ctx.profile.name] = { ...settings, file_columns: JSON.stringify(Object.fromEntries([...all, [key, answers]])) }
      })
      ctx.output.note('Kept for files of this layout.')
    },
  }
}

function fieldAndName(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  throw new SellerError(
    'wrong_usage',
    `--column "${text}" does not say which field the column is for.`,
    "Write FIELD=NAME, e.g. --column Price='Regular price'.",
  )
}

function inWords({ columns = {}, prices }: ColumnAnswers): string {
  const fields = Object.entries(columns).map(([field, name]) => (name === '' ? `no ${field}` : `${field} is "${name}"`))
  return [...fields, ...(prices === undefined ? [] : [`prices are ${prices === 'net' ? 'without' : 'with'} VAT`])].join(', ')
}

function readKept(text: string | undefined): Kept {
  return text === undefined ? {} : (JSON.parse(text) as Kept)
}
