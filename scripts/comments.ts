/**
 * Finds comments that begin with a question word or with "Of", and lines of comments over 130 columns. A comment begins with its
 * subject or a verb: "True if the item is live.", "Rows that were held." (CONTRIBUTING.md).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['src', 'test', 'bench', 'scripts']
/** As wide as a line of code (biome.json). */
const COLUMNS = 130

/** `file:line: comment`, for each; or its columns. */
export function commentFaults(): string[] {
  const found: string[] = []
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      const above = lines[index - 1]?.trim() ?? ''
      const text = /^\s*(?:\/\*\*|\/\/|\*)\s*/.exec(line)
      if (text !== null && line.length > COLUMNS) found.push(`${file}:${index + 1}: ${line.length} columns`)
      if (text === null || (/^\s*\/\//.test(line) && above.startsWith('//')) || (/^\s*\*/.test(line) && above !== '/**')) continue
      if (/^(?:What|Whether|How|Of)\b/.test(line.slice(text[0].length))) found.push(`${file}:${index + 1}: ${line.trim()}`)
    }
  }
  return found
}
