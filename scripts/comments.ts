/**
 * Finds comments that begin with a question word or with "Of". A comment begins with its subject or a verb: "True if the item is
 * live.", "Rows that were held." (CONTRIBUTING.md). Exit code 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
)
let found = 0
for (const file of files.filter((name) => name.endsWith('.ts'))) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]?.trim() ?? ''
    const text = /^\s*(?:\/\*\*|\/\/|\*)\s*/.exec(line)
    if (text === null || (/^\s*\/\//.test(line) && above.startsWith('//')) || (/^\s*\*/.test(line) && above !== '/**')) continue
    if (!/^(?:What|Whether|How|Of)\b/.test(line.slice(text[0].length))) continue
    console.error(`${file}:${index + 1}: ${line.trim()}`)
    found++
  }
}
if (found > 0) console.error(`${found} comments do not begin with their subject or a verb`)
process.exitCode = found > 0 ? 1 : 0
