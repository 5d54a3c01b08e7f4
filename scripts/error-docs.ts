/** The generated parts of docs/scripting.md: exit codes and error codes, from the tables in src/errors. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodeOf } from '../src/errors/codes.js'
import { ERROR_CODES, type ErrorCode, EXIT_MEANINGS, JOB_KEYS } from '../src/errors/index.js'
import { table } from './docs.js'
import { replacePart } from './service-docs.js'

export async function writeErrorDocs(root: string): Promise<void> {
  const path = join(root, 'docs', 'scripting.md')
  await writeFile(path, errorDocsOf(await readFile(path, 'utf8')))
}

/** @returns the text of docs/scripting.md with new generated parts, and the rest unchanged */
export function errorDocsOf(text: string): string {
  const exits = table(
    ['code', 'meaning'],
    EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
  )
  const common = `Any error that ends the work on a job, or the wait for a queued request, also has ${JOB_KEYS.map((key) => `\`${key}\``).join(', ')}, as far as they apply.`
  return [
    ['exit-codes', exits],
    ['error-codes', `${codeTable()}\n\n${common}`],
  ].reduce((rest, [name = '', content = '']) => replacePart(rest, name, content, 'docs/scripting.md'), text)
}

function codeTable(): string {
  return table(
    ['code', 'category', 'exit', 'keys', 'meaning'],
    (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => {
      const { category, keys, meaning } = ERROR_CODES[code]
      return [`\`${code}\``, category, String(exitCodeOf(code)), keys.map((key) => `\`${key}\``).join(', '), meaning]
    }),
  )
}
