/** Limits work to once in a period: a warning each day, a look each week. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWholeFile } from '../system/whole-file.js'
import { makeDirectory } from './directories.js'

/**
 * True if this is the first time in a period on this data directory. Never throws: what cannot be kept is done again.
 * @param folder of the data directory, where `name` keeps the period
 */
export async function firstIn(period: string, dataDir: string, folder: string, name: string): Promise<boolean> {
  const path = join(dataDir, folder, encodeURIComponent(name))
  try {
    if (readFileSync(path, 'utf8') === period) return false
  } catch {
    // It was never done.
  }
  try {
    makeDirectory(join(dataDir, folder), 'SELLER_DATA_DIR')
    await writeWholeFile(path, period, { force: true, mode: 0o600, follow: true })
  } catch {
    // It is done again.
  }
  return true
}
