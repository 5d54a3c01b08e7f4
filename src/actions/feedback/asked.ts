/** feedback:leave before a person: which sale, and what is said of it. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { MAX_COMMENT_LENGTH } from '../../contract/index.js'
import { saleWords } from '../../format/views/index.js'
import { readSales } from '../transactions/list.js'

/** Sales that are offered; older ones are named by their ids. */
const OFFERED = 50

/** The transaction that a person chooses among those without feedback. @throws {SellerError} missing_argument where nobody can be asked */
export async function askForTransaction(ctx: Context): Promise<number> {
  if (!ctx.prompts.available)
    throw new SellerError(
      'missing_argument',
      'Missing argument: TRANSACTION.',
      'List those without feedback: seller feedback:pending',
    )
  const sales = []
  for await (const sale of readSales(ctx, { unrated: true, filter: 'NewAndUpdated', fresh: false })) {
    sales.push(sale)
    if (sales.length >= OFFERED) break
  }
  if (sales.length === 0)
    throw new SellerError('nothing_to_do', 'All your sales have feedback from you.', 'There is nothing to leave.')
  const choices = sales.map((sale) => ({ value: String(sale.Id), name: saleWords(sale) }))
  const source = (term: string) => choices.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase()))
  return Number(await ctx.prompts.search({ message: 'Sale (type words)', source }))
}

export async function askForType({ prompts }: Context): Promise<'Positive' | 'Negative'> {
  const choices = [
    { value: 'Positive', name: 'Positive' },
    { value: 'Negative', name: 'Negative: it cannot be taken back' },
  ]
  const question = { key: 'type', flag: '--positive or --negative', message: 'Feedback', kind: 'select', choices } as const
  return (await prompts.fill([question])).type === 'Negative' ? 'Negative' : 'Positive'
}

export async function askForComment({ prompts }: Context): Promise<string> {
  const check = ({ length }: string) =>
    length > MAX_COMMENT_LENGTH ? `At most ${MAX_COMMENT_LENGTH} characters; it has ${length}.` : undefined
  const message = 'Comment, which everybody can read'
  return (await prompts.fill([{ key: 'comment', flag: 'COMMENT', message, kind: 'text', check }])).comment ?? ''
}
