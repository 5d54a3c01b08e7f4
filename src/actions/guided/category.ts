/** The category, found by typing words: only leaves are offered, each with its path. */
import type { Choice } from '../../cli/prompts.js'
import { holdsAll, rankedLeaves, wordsOf } from '../reference/match.js'
import type { Leaf } from '../reference/names.js'
import type { Session } from './session.js'

/** Matches that are listed; more words narrow them down. */
const LISTED = 100
/** Letters of a word of the title from which on it may suggest a category. */
const LONG_ENOUGH = 3

export async function askForCategory(session: Session): Promise<void> {
  const { prompts } = session.ctx
  const leaves = (await session.names('categories'))?.leaves() ?? []
  if (leaves.length === 0) {
    const { id = '' } = await prompts.fill([
      { kind: 'text', key: 'id', flag: '--category', message: 'Category id', check: (text) => session.faultOf('category', text) },
    ])
    session.set('category', id)
    return
  }
  const title = String(session.answers.title ?? '')
  session.set(
    'category',
    await prompts.search({ message: 'Category (type words)', source: (term) => choicesFor(leaves, term, title) }),
  )
}

/** Leaves for what was typed; for nothing, those that words of the title suggest, then all. */
export function choicesFor(leaves: readonly Leaf[], term: string, title: string): Choice[] {
  const found = term.trim() === '' ? suggestedBy(leaves, title) : matching(leaves, term)
  const choices = found.slice(0, LISTED).map(({ id, path }) => ({ value: String(id), name: path, description: `Category ${id}` }))
  if (found.length <= LISTED) return choices
  return [...choices, { value: '', name: '…', disabled: `and ${found.length - LISTED} more: type another word` }]
}

function matching(leaves: readonly Leaf[], term: string): Leaf[] {
  const id = /^\d+$/.exec(term.trim())?.[0]
  return id === undefined ? rankedLeaves(leaves, term) : leaves.filter((leaf) => String(leaf.id).startsWith(id))
}

/** Leaves that a word of the title is in the name of, first. */
function suggestedBy(leaves: readonly Leaf[], title: string): Leaf[] {
  const words = wordsOf(title).filter((word) => word.length >= LONG_ENOUGH)
  const suggested = new Set(words.flatMap((word) => rankedLeaves(leaves, word).filter(({ name }) => holdsAll(name, [word]))))
  return [...suggested, ...leaves.filter((leaf) => !suggested.has(leaf))]
}
