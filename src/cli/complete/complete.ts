/**
 * `seller __complete SHELL …`, which the completion scripts run at every Tab. It prints one candidate per line, a tab before its
 * description, or the line `:files` if the shell should complete file names. Loads neither the framework nor a command.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resolveDirectories } from '../directories.js'
import type { Host } from '../host.js'
import { type ManifestCommand, readManifest, readTopics } from '../manifest.js'
import { type Candidate, findCompletion, type ValueSource } from './candidates.js'
import { LINE_VARIABLE } from './scripts.js'

/**
 * Words of the line, the last one the word that is being typed. Two shells pass the whole line: bash splits words at ":",
 * PowerShell drops empty ones.
 */
const WORDS: Readonly<Record<string, (given: readonly string[], env: Host['env']) => readonly string[]>> = {
  bash: ([line = '']) => splitLine(line).slice(1),
  powershell: (_, env) => splitLine(env[LINE_VARIABLE] ?? '').slice(1),
}

/**
 * @param root the directory of oclif.manifest.json
 * @param args `bash LINE WORD_BREAKS`, `powershell` with the line in LINE_VARIABLE, or another shell and the words after the
 * program's name
 */
export async function complete(args: readonly string[], host: Host, root: string): Promise<void> {
  const [shell = '', ...rest] = args
  const words = WORDS[shell]?.(rest, host.env) ?? rest
  const current = words.at(-1) ?? ''
  const lines = await linesFor(words, host, root)
  const keptPrefix = shell === 'bash' ? keptByBash(current, rest[1] ?? '') : ''
  const shownLines = lines.map((line) => (line.startsWith(keptPrefix) ? line.slice(keptPrefix.length) : line))
  if (shownLines.length > 0) host.stdout.write(`${shownLines.join('\n')}\n`)
}

async function linesFor(words: readonly string[], host: Host, root: string): Promise<string[]> {
  const commands = readManifest(root)
  const completion = findCompletion(commands, readTopics(root), words)
  if (completion.kind === 'files') return [':files']
  if (completion.kind === 'words') return completion.candidates.map(lineOf)
  const { prefix, source } = completion
  const current = words.at(-1) ?? ''
  const values = await listValues(source, host, commands)
  return values
    .map((candidate) => ({ ...candidate, value: `${prefix}${candidate.value}` }))
    .filter(({ value }) => value.startsWith(current))
    .map(lineOf)
}

/** Titles come from outside: a control character would reach the terminal. */
function lineOf({ value, description = '' }: Candidate): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys these.
  const plain = description.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 100)
  return plain === '' ? value : `${value}\t${plain}`
}

/**
 * The words as the shell would pass them; the last is the one being typed, empty after a space. An open quote ends with the line.
 */
export function splitLine(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (quote === "'") {
      if (char === "'") quote = ''
      else word = (word ?? '') + char
    } else if (char === '\\') {
      at++
      word = (word ?? '') + (line[at] ?? '')
    } else if (quote === '"') {
      if (char === '"') quote = ''
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  return [...words, word ?? '']
}

/** The part of a word that bash keeps when it completes: everything up to the last word break. */
export function keptByBash(word: string, breaks: string): string {
  const at = Math.max(...[...':='].map((char) => (breaks.includes(char) ? word.lastIndexOf(char) : -1)))
  return word.slice(0, at + 1)
}

/** Only the newest entries are offered. */
const MOST = 50

export async function listValues(source: ValueSource, host: Host, commands: readonly ManifestCommand[]): Promise<Candidate[]> {
  try {
    if (source === 'operations') return operationCandidates(commands)
    if (source === 'profiles') return await profileCandidates(host)
    if (source === 'holds') return Object.keys((await import('../../holds/index.js')).HOLDS).map((value) => ({ value }))
    return await ledgerIds(source, host)
  } catch {
    // A message would break the line that is being typed.
    return []
  }
}

function operationCandidates(commands: readonly ManifestCommand[]): Candidate[] {
  return [...new Set(commands.flatMap(({ operations = [] }) => operations))].sort().map((value) => ({ value }))
}

async function profileCandidates({ env }: Host): Promise<Candidate[]> {
  const { readStored } = await import('../settings-file.js')
  const { profiles } = readStored(resolveDirectories(env).configDir)
  return [...Object.keys(profiles), 'sandbox'].map((value) => ({ value }))
}

async function ledgerIds(
  source: Exclude<ValueSource, 'operations' | 'profiles' | 'holds'>,
  { env, clock }: Host,
): Promise<Candidate[]> {
  const path = join(resolveDirectories(env).dataDir, 'ledger.db')
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
    const states = source === 'unfinished jobs' ? (['open', 'waiting', 'unknown'] as const) : undefined
    const jobs = ledger.jobs.list({ limit: MOST, state: states, partOf: null })
    return jobs.map(({ JobId, Title, State }) => ({ value: String(JobId), description: `${Title} (${State})` }))
  } finally {
    ledger.close()
  }
}
