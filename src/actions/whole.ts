/** Lists that may lack a part: what is missing is a warning or, with --whole, the error that names it. */
import type { Context } from '../cli/context.js'
import { instantOf, minuteOf } from '../contract/index.js'
import { SellerError } from '../errors/index.js'
import { type NotRead, notRead } from '../format/views/not-read.js'

export interface WholeFlags {
  /** A list that lacks a part is an error. */
  readonly whole?: boolean | undefined
}

/** Warns about the parts of a list that were not read. @throws {SellerError} not_whole, with --whole */
export function tellMissing({ output }: Pick<Context, 'output'>, missing: readonly NotRead[], { whole }: WholeFlags): void {
  if (missing.length === 0) return
  if (whole === true) throw notWhole(missing)
  output.warn(`${wordsOf(missing)} Part of the list may be missing.`)
}

/**
 * The rows, or an error after the last that a limit allows where there is one more. Without --whole all of them, for the output
 * to cut.
 */
export async function* rowsWithin<T>(
  rows: AsyncIterable<T> | Iterable<T>,
  limit: number | undefined,
  { whole }: WholeFlags,
): AsyncGenerator<T, void> {
  let count = 0
  for await (const row of rows) {
    if (whole === true && count++ === limit) throw notWhole([notRead('rows', 'limit')])
    yield row
  }
}

/** Number of rows of a list to read from the ledger: with --whole one more, which tells that there are more. */
export function readLimit(limit: number | undefined, { whole }: WholeFlags): number | undefined {
  return whole === true && limit !== undefined ? limit + 1 : limit
}

function notWhole(missing: readonly NotRead[]): SellerError {
  const offline = missing.some(({ Reason }) => Reason === 'offline')
  const hint = offline
    ? 'Run it without --offline to read them, or without --whole.'
    : 'Give a higher --limit, or leave out --whole.'
  return new SellerError('not_whole', `The list is not whole. ${wordsOf(missing)}`, hint, {
    notRead: missing.map(({ What, Reason, From, Until }) => ({ what: What, reason: Reason, from: From, until: Until })),
  })
}

function wordsOf(missing: readonly NotRead[]): string {
  if (missing.every(({ What }) => What === 'rows')) return 'There are more rows than --limit allows.'
  const spans = missing.flatMap(({ From, Until }) =>
    From === null || Until === null ? [] : [`${minuteOf(instantOf(From))} to ${minuteOf(instantOf(Until))}`],
  )
  return `Not read, or read less than a day ago: ${spans.join(', ')}.`
}
