/**
 * `seller __complete SHELL …`, which the completion scripts run at every Tab. It prints one candidate per line, a tab before its
 * description, or the line `:files` if the shell should complete file names. Loads neither the framework nor a command.
 */
import type { Host } from '../host.js'
import { readManifest, readTopics } from '../manifest.js'
import { type Candidate, completionOf } from './candidates.js'
import { valuesOf } from './values.js'

/** Shells whose scripts pass the whole line instead of words: bash splits words at ":", PowerShell drops empty ones. */
const LINE_SHELLS: readonly string[] = ['bash', 'powershell']

/**
 * @param root the directory of oclif.manifest.json
 * @param args `bash LINE WORD_BREAKS`, `powershell LINE`, or another shell and the words after the program's name
 */
export async function complete(args: readonly string[], host: Host, root: string): Promise<void> {
  const [shell = '', ...rest] = args
  const words = LINE_SHELLS.includes(shell) ? wordsOf(rest[0] ?? '').slice(1) : rest
  const current = words.at(-1) ?? ''
  const lines = await linesFor(words, host, root)
  const kept = shell === 'bash' ? keptByBash(current, rest[1] ?? '') : ''
  const shown = lines.map((line) => (line.startsWith(kept) ? line.slice(kept.length) : line))
  if (shown.length > 0) host.stdout.write(`${shown.join('\n')}\n`)
}

async function linesFor(words: readonly string[], host: Host, root: string): Promise<string[]> {
  const commands = readManifest(root)
  const completion = completionOf(commands, readTopics(root), words)
  if (completion.kind === 'files') return [':files']
  if (completion.kind === 'words') return completion.candidates.map(lineOf)
  const { prefix, source } = completion
  const current = words.at(-1) ?? ''
  const values = await valuesOf(source, host, commands)
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

/** The words as the shell would pass them; the last is the one being typed, empty after a space. An open quote ends with the line. */
export function wordsOf(line: string): string[] {
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
