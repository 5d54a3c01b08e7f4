/**
 * The help of the whole program: topics, commands, exit codes, environment. It does not use oclif, whose loading, configuration
 * and templates take two thirds of the time of `--help` beyond bare Node (measured). Help of topics and commands is oclif's
 * (help.ts).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_MEANINGS } from '../errors/exit-codes.js'
import { colourLevel, createPaint } from '../format/output/colour.js'
import { wrapNote } from '../format/output/notes.js'
import { wrap } from '../format/output/width.js'
import { ENVIRONMENT } from './environment.js'
import type { Host, OutputStream } from './host.js'
import type { IndexedCommand } from './manifest.js'

/** Columns if there is no terminal. */
const WIDTH = 80

type Listed = Pick<IndexedCommand, 'id' | 'summary' | 'hidden'>
type Row = readonly [name: string, meaning: string]

interface Package {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly oclif: { readonly topics: Readonly<Record<string, { readonly description: string }>> }
}

/** The width of help on a stream. By default oclif asks the process, not the host. A terminal without a size says 0. */
export function helpWidth(stdout: OutputStream): number {
  return stdout.isTTY === true ? stdout.columns || WIDTH : WIDTH
}

/**
 * @param root the directory of package.json
 * @param commands all of them, sorted by id
 */
export async function showRootHelp(root: string, commands: readonly Listed[], host: Host): Promise<void> {
  const { name, version, description, oclif }: Package = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const width = helpWidth(host.stdout)
  const paint = await createPaint(colourLevel(host.env, host.stdout))

  const topics = Object.entries(oclif.topics).map(([topic, about]): Row => [topic, about.description])
  const alone = commands.filter(({ id, hidden }) => !id.includes(':') && hidden !== true)
  const section = (title: string, lines: readonly string[]) => [
    paint.bold(title),
    ...lines.map((line) => wrapNote(`  ${line}`, width)),
    '',
  ]
  const list = (rows: readonly Row[]) => columns(rows, width - 2)
  host.stdout.write(
    [
      ...wrap(description, width),
      '',
      ...section('VERSION', [`${name}/${version} ${host.runtime}`]),
      ...section('USAGE', [`$ ${name} [COMMAND]`]),
      ...section('TOPICS', list(topics)),
      ...section('COMMANDS', list(alone.map(({ id, summary = '' }) => [id, summary]))),
      ...section('EXIT CODES', list(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))),
      ...section('ENVIRONMENT', list(ENVIRONMENT)),
      wrapNote('Both spellings of a command work: seller items:list, seller items list.', width),
      wrapNote('Try things out safely: --profile sandbox.', width),
      '',
    ].join('\n'),
  )
}

/** Names with their meanings wrapped next to them; or below them, if fewer than 20 columns are left. */
function columns(rows: readonly Row[], width: number): string[] {
  const widest = Math.max(...rows.map(([name]) => name.length)) + 2
  if (width - widest < 20)
    return rows.flatMap(([name, meaning]) => [name, ...wrap(meaning, Math.max(1, width - 2)).map((line) => `  ${line}`)])
  return rows.flatMap(([name, meaning]) =>
    wrap(meaning, width - widest).map((line, index) => (index === 0 ? name : '').padEnd(widest) + line),
  )
}
