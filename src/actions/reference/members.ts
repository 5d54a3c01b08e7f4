/** Finds members by their alias. The service looks up only ids, so an alias is known once it was shown. */

import type { Context } from '../../cli/context.js'
import { readInt } from '../../cli/values.js'
import { nearest } from '../../contract/index.js'
import { ValueError } from '../../errors/index.js'
import { run, say } from '../../messages/index.js'
import { keep, readKept } from './store.js'

type Place = Pick<Context, 'dataDir' | 'profile'>

/** Number of aliases kept for a profile; the oldest are removed first. */
const MOST = 5000

/** Id and alias. */
type Known = readonly (readonly [id: number, alias: string])[]

interface Member {
  readonly Id: number
  readonly Alias?: string
}

/** Passes on the rows, and stores the members in them at the end. */
export async function* rememberingMembers<T>(
  ctx: Place,
  rows: AsyncIterable<T>,
  membersOf: (row: T) => readonly (Member | undefined)[],
): AsyncGenerator<T, void> {
  const aliasById = new Map<number, string>()
  try {
    for await (const row of rows) {
      for (const member of membersOf(row)) {
        if (member?.Alias !== undefined && member.Alias !== '') aliasById.set(member.Id, member.Alias)
      }
      yield row
    }
  } finally {
    await rememberMembers(ctx, aliasById)
  }
}

async function rememberMembers(ctx: Place, aliasById: ReadonlyMap<number, string>): Promise<void> {
  if (aliasById.size === 0) return
  const knownAliases = new Map((await readKept<Known>(ctx, 'members')) ?? [])
  if ([...aliasById].every(([id, alias]) => knownAliases.get(id) === alias)) return
  for (const [id, alias] of aliasById) {
    // The newest comes last.
    knownAliases.delete(id)
    knownAliases.set(id, alias)
  }
  await keep<Known>(ctx, 'members', [...knownAliases].slice(-MOST))
}

/**
 * The user id for an id or an alias, in upper or lower case.
 * @param what the flag or argument, for messages
 * @throws {SellerError} usage: not a number, and not an alias that was shown before
 */
export async function memberId(ctx: Place, text: string, what: string): Promise<number> {
  if (/^[-+\d\s]*$/.test(text)) return readInt(text, what, { min: 1 })
  const knownMembers = (await readKept<Known>(ctx, 'members')) ?? []
  const alias = text.toLowerCase()
  const matches = knownMembers.filter(([, name]) => name.toLowerCase() === alias)
  const [one] = matches.length > 1 ? matches.filter(([, name]) => name === text) : matches
  if (one !== undefined) return one[0]
  const names = knownMembers.map(([, name]) => name)
  const near = nearest(text, names)
  throw new ValueError(
    'unknown_member',
    { name: what, value: text, why: 'is neither a user id nor an alias that was shown before' },
    say`${near === undefined ? '' : `Did you mean ${near}? `}The service finds members only by id. Give the user id, or list your sales first, so that the aliases in them are known: ${run('transactions:list')}`,
  )
}
