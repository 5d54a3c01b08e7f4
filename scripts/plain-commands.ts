/**
 * Finds commands that a text names as words. A message names a command by `run` of src/messages, so that it is typed, names the
 * profile, is quoted for the shell and is part of `next`. `npm run lint` fails on a line that does not.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = join(fileURLToPath(new URL('..', import.meta.url)), 'src')

/** Files that are about the command line as a text, and the sandbox, which is the service. */
const ABOUT = /^(?:cli\/(?:agents|help|welcome)\.ts|cli\/complete\/|sandbox\/)/
const COMMENT = /^\s*(?:\/\/|\/?\*)/
const COMMAND = /\bseller [a-z]+:[a-z]/

/** `file:line: text`, for each. */
export function plainCommands(): string[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  return files
    .filter((file) => file.endsWith('.ts') && !ABOUT.test(file))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (COMMAND.test(line) && !COMMENT.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    )
}
