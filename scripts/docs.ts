/** docs/commands.md from the manifest: every command with its arguments, flags and examples. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { choicesOf } from '../src/cli/choices.js'
import { exampleLines, type Flag, flagMeaning, flagUsage, render, usageOf } from '../src/cli/command-text.js'
import { ENVIRONMENT } from '../src/cli/environment.js'
import { globalFlags } from '../src/cli/flags.js'
import type { ManifestCommand } from '../src/cli/manifest.js'
import { operations } from '../src/contract/index.js'
import { EXIT_MEANINGS } from '../src/errors/index.js'
import { wrap } from '../src/format/output/width.js'
import { defaultText, GUARD_NAMES, type GuardName, PRICE_GUARDS } from '../src/pricing/guards/index.js'
import { OPERATION_RUNS } from '../test/e2e/operation-runs.js'
import type { Manifest } from './manifest.js'

/** Columns of a document, but for tables; test/docs holds it. */
export const DOCUMENT_WIDTH = 120

export async function writeDocs(root: string, manifest: Manifest): Promise<void> {
  await writeFile(join(root, 'docs', 'commands.md'), docsOf(manifest))
}

/** @returns the text of docs/commands.md */
export function docsOf(manifest: Manifest): string {
  const commands = (Object.values(manifest.commands) as ManifestCommand[]).filter(({ hidden }) => hidden !== true)
  const globals = commands.find(({ flags }) => 'no-input' in flags)?.flags ?? {}
  return `${[
    '# Commands',
    prose(
      'Generated from the commands by `npm run build`; edit those, not this file. Both spellings work: `seller items:list`, `seller items list`.',
    ),
    listOf(commands),
    '## Flags of every command',
    table(
      ['flag', 'meaning'],
      Object.keys(globalFlags).flatMap((name) => flagRow(globals[name])),
    ),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    ),
    '## Environment',
    table(
      ['variable', 'meaning'],
      ENVIRONMENT.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Price guards',
    prose(
      'A new price over a limit is held: it is not sent, and the reason is shown. `--allow CODE=LIMIT` sets another limit for one run, `--allow CODE` lets everything pass that this guard would hold, and `--allow CODE=none` turns a guard that is on or off on again. Without it the setting of the profile counts (`seller auth:login`), else the default.',
    ),
    table(['code', 'limit', 'default', 'what it does', 'setting'], GUARD_NAMES.map(guardRow)),
    '## Operations of the service',
    'The tests run each example over real HTTP. Words in braces stand for ids.',
    table(['operation', 'commands', 'example'], operationRows(commands)),
    ...commands.flatMap(section),
  ].join('\n\n')}\n`
}

function guardRow(name: GuardName): string[] {
  const { kind, limit, summary, auctions } = PRICE_GUARDS[name]
  const scope = auctions ? '' : ' Shop items only.'
  return [`\`${limit}\``, kind.helpValue, defaultText(name), `${summary}${scope}`, `\`${name}\``]
}

function listOf(commands: readonly ManifestCommand[]): string {
  return table(
    ['command', ''],
    commands.map(({ id, summary, description }) => [`[\`${id}\`](#${id.replaceAll(':', '')})`, summary ?? description ?? '']),
  )
}

/** Every operation of the contract, with the commands that carry it out; `call` carries out all of them. */
function operationRows(commands: readonly ManifestCommand[]): string[][] {
  return Object.keys(operations).map((name) => {
    const own = commands.filter((command) => command.operations?.includes(name)).map(({ id }) => `\`${id}\``)
    const run = OPERATION_RUNS.find(({ operation }) => operation === name)
    return [`\`${name}\``, [...own, '`call`'].join(', '), `\`seller ${run?.command ?? ''}\``]
  })
}

function section(command: ManifestCommand): string[] {
  const own = Object.values(command.flags).filter(({ name }) => !(name in globalFlags))
  const args = Object.values(command.args)
  return [
    `## ${command.id}`,
    prose(render([command.summary, command.description].filter((text) => text !== undefined).join('\n\n'), command)),
    ...(command.operations === undefined ? [] : [prose(`Operations: ${command.operations.join(', ')}.`)]),
    `\`\`\`sh\n${usageOf(command)}${own.length === 0 ? '' : ' [FLAGS]'}\n\`\`\``,
    ...(args.length === 0
      ? []
      : [
          table(
            ['argument', 'meaning'],
            args.map(({ name, description }) => [`\`${name.toUpperCase()}\``, description ?? '']),
          ),
        ]),
    ...(own.length === 0 ? [] : [table(['flag', 'meaning'], own.flatMap(flagRow))]),
    ...exampleBlock(command),
  ]
}

/** Text in lines of a document's width. */
export function prose(text: string): string {
  return wrap(text, DOCUMENT_WIDTH).join('\n')
}

function flagRow(flag: Flag | undefined): string[][] {
  if (flag === undefined || flag.hidden === true) return []
  const short = flag.char === undefined ? '' : `\`-${flag.char}\`, `
  const choices = choicesOf(flag)
  // Every guard has its row in the table above.
  if (flag.helpGroup === 'GUARD' && choices.length > 0)
    return [
      [
        `${short}\`${flagUsage(flag)}\``,
        `${flagMeaning(flag)} Codes: ${choices.map(([usage]) => usage.split('[', 1)[0]).join(', ')}.`,
      ],
    ]
  return [
    [`${short}\`${flagUsage(flag)}\``, flagMeaning(flag)],
    ...choices.map(([usage, meaning]) => [`\`--${flag.name} ${usage}\``, meaning]),
  ]
}

function exampleBlock(command: ManifestCommand): string[] {
  const lines = exampleLines(command)
  return lines.length === 0 ? [] : [`\`\`\`sh\n${lines.join('\n')}\n\`\`\``]
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
