/** The generated parts of docs/scripting.md: exit codes, error codes and codes of holds, from their tables in src. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CALL_KEYS, exitCodeOf } from '../src/errors/codes.js'
import { ERROR_CODES, type ErrorCode, EXIT_MEANINGS, JOB_KEYS } from '../src/errors/index.js'
import { HOLDS, wordsOf } from '../src/holds/index.js'
import { textOf } from '../src/messages/index.js'
import { prose, table } from './docs.js'
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
  const common = [
    `The keys of a call are ${listed(CALL_KEYS)}.`,
    `Any error that ends the work on a job, or the wait for a queued request, also has ${listed(JOB_KEYS)}, as far as they apply.`,
  ].map(prose)
  return [
    ['exit-codes', exits],
    ['holds', holdTable()],
    ['error-codes', `${codeTable()}\n\n${common.join('\n\n')}`],
  ].reduce((rest, [name = '', content = '']) => replacePart(rest, name, content, 'docs/scripting.md'), text)
}

const listed = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(', ')

/** The keys of a code; those of a call, which many have, by one word. */
function keysOf(keys: readonly string[]): string {
  const called = CALL_KEYS.every((key) => keys.includes(key))
  const own = called ? keys.filter((key) => !CALL_KEYS.some((one) => one === key)) : keys
  return [...(called ? ['of a call'] : []), ...(own.length === 0 ? [] : [listed(own)])].join(', ')
}

function codeTable(): string {
  return table(
    ['code', 'category', 'exit', 'keys', 'meaning'],
    (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => {
      const { category, keys, meaning } = ERROR_CODES[code]
      return [`\`${code}\``, category, String(exitCodeOf(code)), keysOf(keys), meaning]
    }),
  )
}

/** The codes of holds with the names of their values, an example of their words, and what lets a row pass. */
function holdTable(): string {
  return table(
    ['code', 'values', 'for example', 'passes with'],
    Object.entries(HOLDS).map(([Code, { example, pass = {} }]) => {
      const ways = [...(pass.allow === true ? ['`_Allow`'] : []), ...(pass.flag === undefined ? [] : [pass.flag])]
      const words = textOf(wordsOf({ Code, Values: example }))
      return [`\`${Code}\``, listed(Object.keys(example)), words, ways.join(', ')]
    }),
  )
}
