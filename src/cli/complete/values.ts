/** Values for completion that are not in the manifest: profiles, and ids from the ledger. An unreadable source gives no candidates. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { directoriesOf } from '../directories.js'
import type { Host } from '../host.js'
import type { ManifestCommand } from '../manifest.js'
import type { Candidate, ValueSource } from './candidates.js'

/** Only the newest entries are offered. */
const MOST = 50

export async function valuesOf(source: ValueSource, host: Host, commands: readonly ManifestCommand[]): Promise<Candidate[]> {
  try {
    if (source === 'operations') return operationsOf(commands)
    if (source === 'profiles') return await profilesOf(host)
    return await ledgerIds(source, host)
  } catch {
    // A message would break the line that is being typed.
    return []
  }
}

function operationsOf(commands: readonly ManifestCommand[]): Candidate[] {
  return [...new Set(commands.flatMap(({ operations = [] }) => operations))].sort().map((value) => ({ value }))
}

async function profilesOf({ env }: Host): Promise<Candidate[]> {
  const { readStored } = await import('../settings-file.js')
  const { profiles } = readStored(directoriesOf(env).configDir)
  return [...Object.keys(profiles), 'sandbox'].map((value) => ({ value }))
}

async function ledgerIds(source: Exclude<ValueSource, 'operations' | 'profiles'>, { env, clock }: Host): Promise<Candidate[]> {
  const path = join(directoriesOf(env).dataDir, 'ledger.db')
  // Opening it would create it.
  if (!existsSync(path)) return []
  const { openLedger } = await import('../../jobs/ledger/index.js')
  const ledger = openLedger(path, clock)
  try {
    if (source === 'requests') {
      const rows = ledger.requests.list({ limit: MOST }).filter(({ RequestId }) => RequestId !== null)
      return rows.map(({ RequestId, Operation, Subject }) => ({
        value: String(RequestId),
        description: `${Operation} ${Subject}`,
      }))
    }
    if (source === 'discounts' || source === 'open discounts') {
      const open = source === 'open discounts' ? (['planned', 'running', 'ending'] as const) : undefined
      const discounts = ledger.discounts.list({ limit: MOST, state: open })
      return discounts.map(({ DiscountId, Name, State }) => ({ value: String(DiscountId), description: `${Name} (${State})` }))
    }
    const unfinished = source === 'unfinished jobs' ? (['open', 'waiting', 'unknown'] as const) : undefined
    const jobs = ledger.jobs.list({ limit: MOST, state: unfinished, partOf: null })
    return jobs.map(({ JobId, Title, State }) => ({ value: String(JobId), description: `${Title} (${State})` }))
  } finally {
    ledger.close()
  }
}
