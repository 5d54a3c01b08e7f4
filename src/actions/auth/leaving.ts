/** Facts about a profile that a person is about to remove: whose it is, and what waits in the ledger for it. */
import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.js'
import { readStored } from '../../cli/settings-file.js'
import { countOf } from '../../contract/numbers.js'
import { UNFINISHED } from '../jobs/list.js'

/** @param name of a profile @returns sentences, a line each; empty for the sandbox with nothing to finish */
export async function leavingWords(ctx: Context, name: string): Promise<string> {
  const { user_id: userId, base_url: address } = readStored(ctx.configDir).profiles[name] ?? {}
  const whose = [userId === undefined ? undefined : `user ${userId}`, address].filter((part) => part !== undefined).join(' at ')
  const lines = whose === '' ? [] : [`Profile "${name}": ${whose}.`]
  if (!existsSync(ctx.ledgerPath)) return lines.join('\n')
  const { jobs, discounts } = await ctx.ledger()
  const open = jobs.list({ profile: name, state: UNFINISHED, partOf: null }).length
  const ahead = discounts.list({ profile: name, state: ['planned', 'running', 'ending'] }).length
  const waits = [...(open === 0 ? [] : [countOf(open, 'job')]), ...(ahead === 0 ? [] : [countOf(ahead, 'discount')])]
  if (waits.length > 0)
    lines.push(
      `${waits.join(' and ')} of it ${open + ahead === 1 ? 'is' : 'are'} not finished, and nothing continues without it.`,
    )
  return lines.join('\n')
}
