/** Commands carried out on the file itself, whether or not a server runs on it. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type EidOutcome, type Marketplace, openMarketplace } from '../marketplace/index.js'
import { SandboxBusy, serverOn } from './standing.js'

/** Deletes all state and seeds again. @throws {SandboxBusy} */
export async function resetFile(path: string): Promise<void> {
  const url = serverOn(path)
  if (url !== undefined) throw new SandboxBusy(path, url)
  return withFile(path, (marketplace) => marketplace.control.reset())
}

/** @throws {SandboxError} if no such session is open */
export function completeEidInFile(path: string, outcome: EidOutcome, orderRef?: string): Promise<{ EidOrderRef: string }> {
  return withFile(path, (marketplace) => ({ EidOrderRef: marketplace.control.completeEid(orderRef, outcome) }))
}

/** @throws {SandboxError} that names the line that cannot be read */
export function seedFile(path: string, csv: string): Promise<{ items: number; ids: readonly number[] }> {
  return withFile(path, async (marketplace) => {
    const ids = await marketplace.control.seedCsv(csv)
    return { items: ids.length, ids }
  })
}

async function withFile<T>(path: string, work: (marketplace: Marketplace) => T | Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const marketplace = openMarketplace({ path, clock: { now: Date.now } })
  try {
    return await work(marketplace)
  } finally {
    marketplace.close()
  }
}
