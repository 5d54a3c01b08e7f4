/** A text in the editor of the user, as git and gh open it. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Environment } from './host.js'

/** Editors that are tried where the environment names none. */
const USUAL: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = { win32: ['notepad'] }
const ELSEWHERE = ['nano', 'vi']

/** The commands that open an editor, the wanted one first. A command may have arguments: `code --wait`. */
export function editorCommands(env: Environment, platform: NodeJS.Platform = process.platform): readonly string[] {
  const ownEditors = [env.VISUAL, env.EDITOR].flatMap((command) =>
    command === undefined || command.trim() === '' ? [] : [command.trim()],
  )
  return ownEditors.length > 0 ? ownEditors.slice(0, 1) : (USUAL[platform] ?? ELSEWHERE)
}

/** The name of a command for a person: `nano` of `/usr/bin/nano -w`. */
export function editorName(command: string): string {
  return basename(
    /^(?:"([^"]+)"|(\S+))/
      .exec(command)
      ?.slice(1)
      .find((part) => part !== undefined) ?? command,
  )
}

/** A text that was edited. */
export interface Edited {
  readonly text: string
  /** Why the editor failed; what was written is then still in `file`. */
  readonly failed?: string
  readonly file?: string
}

interface EditOptions {
  /** Name of the file. */
  readonly name: string
  /** Aborted by Ctrl-C, which the editor gets too. */
  readonly signal?: AbortSignal | undefined
  readonly platform?: NodeJS.Platform
}

/**
 * Opens a text in an editor and waits until it is closed. The file is removed afterwards, unless the editor failed or the run was
 * interrupted.
 */
export async function editText(
  env: Environment,
  text: string,
  { name, signal, platform = process.platform }: EditOptions,
): Promise<Edited> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-'))
  const file = join(folder, name)
  await writeFile(file, text, { mode: 0o600 })
  let failure = ''
  for (const command of editorCommands(env, platform)) {
    const code = await runEditor(command, file, platform)
    failure =
      code === 0 ? '' : `${editorName(command)} ${code === 127 || code === null ? 'could not be started' : `ended with ${code}`}`
    // 127: the shell has found no such command.
    if (code !== 127 && code !== null) break
  }
  const newText = (await readFile(file, 'utf8').catch(() => text)).replace(/\r\n/g, '\n').trim()
  if (signal?.aborted === true && failure === '') failure = 'Interrupted'
  if (failure !== '' && newText !== text.trim()) return { text: newText, failed: failure, file }
  await rm(folder, { recursive: true, force: true })
  return failure === '' ? { text: newText } : { text, failed: failure }
}

/** Runs it through a shell, which reads its arguments. @returns its exit code; null where no shell could be started */
function runEditor(command: string, file: string, platform: NodeJS.Platform): Promise<number | null> {
  const child =
    platform === 'win32'
      ? spawn(`${command} "${file}"`, { stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' })
  // Ctrl-C belongs to the editor while it is open.
  return new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? null : 1)))
  })
}
