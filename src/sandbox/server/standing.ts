/** A note beside the file of a sandbox: which server stands on it. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { HOUR_MS } from '../../system/durations.js'
import { isAtWork, thisProcess } from '../../system/process-owner.js'

/** A server stands on the file: other programs would find their items gone. */
export class SandboxBusy extends Error {
  override name = 'SandboxBusy'
  constructor(
    path: string,
    readonly url: string,
  ) {
    super(`A server runs on ${path} (${url}), and other programs may use it.`)
  }
}

/** Time for which a server is believed to run whose process this machine cannot judge. */
const PATIENCE_MS = 12 * HOUR_MS

const noteOf = (path: string): string => `${path}.server`

/** Writes the note. @returns takes it away again */
export function noteServer(path: string, url: string): () => void {
  writeFileSync(noteOf(path), JSON.stringify({ url, owner: thisProcess() }))
  return () => rmSync(noteOf(path), { force: true })
}

/** The address of the server that stands on a file; undefined if none does, or its process was killed. */
export function serverOn(path: string): string | undefined {
  try {
    const { url, owner } = JSON.parse(readFileSync(noteOf(path), 'utf8')) as { url: string; owner: string }
    const silentMs = Date.now() - statSync(noteOf(path)).mtimeMs
    return isAtWork(owner, { silentMs, patienceMs: PATIENCE_MS }) ? url : undefined
  } catch {
    return undefined
  }
}
