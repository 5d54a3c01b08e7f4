/**
 * Man pages from the manifest: seller(1), and one for each topic, such as seller-items(1). They are written in the man macros,
 * which every reader of man pages knows (man(7)). npm links those that package.json names to where `man` finds them.
 */

import { readFileSync } from 'node:fs'
import { choicesOf } from '../src/cli/choices.js'
import { exampleLines, type Flag, flagMeaning, flagUsage, render, usageOf } from '../src/cli/command-text.js'
import { ENVIRONMENT } from '../src/cli/environment.js'
import { globalFlags } from '../src/cli/flags.js'
import type { ManifestCommand } from '../src/cli/manifest.js'
import { EXIT_MEANINGS } from '../src/errors/index.js'

export interface ManPage {
  /** The name of the file, e.g. `seller-items.1`. */
  readonly file: string
  readonly text: string
}

interface About {
  readonly version: string
  readonly description: string
  readonly oclif: { readonly topics: Readonly<Record<string, { readonly description: string }>> }
}

/** @param pjson package.json */
export function manPages(pjson: About, all: readonly ManifestCommand[]): ManPage[] {
  const commands = all.filter(({ hidden }) => hidden !== true)
  const topics = Object.entries(pjson.oclif.topics)
  return [
    wholePage(pjson, commands),
    ...topics.map(([topic, { description }]) => topicPage(pjson.version, topic, description, commands)),
  ]
}

function wholePage({ version, description, oclif }: About, commands: readonly ManifestCommand[]): ManPage {
  const topics = Object.entries(oclif.topics).flatMap(([topic, { description: about }]) => [
    section('SS', `${topic}: ${about}`),
    ...inTopic(commands, topic).map(({ id, summary = '' }) => entry(`\\fBseller ${plain(id)}\\fR`, summary)),
  ])
  return page('seller', version, [
    section('SH', 'NAME'),
    `seller \\- ${plain(description.replace(/\.$/, ''))}`,
    section('SH', 'SYNOPSIS'),
    '\\fBseller\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIFLAGS\\fR]',
    section('SH', 'DESCRIPTION'),
    text(
      'Both spellings of a command work: seller items:list, seller items list. Each topic has a page of its own, e.g. seller-items(1).',
    ),
    section('SH', 'COMMANDS'),
    ...topics,
    ...commands.filter(({ id }) => !id.includes(':')).flatMap(commandPart),
    ...ending(commands),
  ])
}

function topicPage(version: string, topic: string, about: string, all: readonly ManifestCommand[]): ManPage {
  const commands = inTopic(all, topic)
  return page(`seller-${topic}`, version, [
    section('SH', 'NAME'),
    `seller\\-${plain(topic)} \\- ${plain(about.replace(/\.$/, ''))}`,
    section('SH', 'COMMANDS'),
    ...commands.flatMap(commandPart),
    ...ending(commands),
    section('SH', 'SEE ALSO'),
    '.BR seller (1)',
  ])
}

function inTopic(commands: readonly ManifestCommand[], topic: string): readonly ManifestCommand[] {
  return commands.filter(({ id }) => id.startsWith(`${topic}:`))
}

/** A command with its arguments, its own flags and its examples. */
function commandPart(command: ManifestCommand): string[] {
  const { summary = '', description, args, flags, operations } = command
  const own = Object.values(flags).filter(({ name, hidden }) => hidden !== true && !(name in globalFlags))
  const examples = exampleLines(command)
  return [
    section('SS', `${usageOf(command)} [FLAGS]`),
    text(render(summary, command)),
    ...(description === undefined ? [] : ['.PP', text(render(description, command))]),
    ...(operations === undefined ? [] : ['.PP', text(`Operations of the service: ${operations.join(', ')}.`)]),
    ...Object.values(args).map(({ name, description: meaning = '' }) => entry(`\\fI${plain(name.toUpperCase())}\\fR`, meaning)),
    ...own.map(flagEntry),
    ...(examples.length === 0
      ? []
      : ['.PP', 'Examples:', '.PP', '.nf', '.RS 4', ...examples.flatMap((one) => one.split('\n').map(text)), '.RE', '.fi']),
  ]
}

function flagEntry(flag: Flag): string {
  const short = flag.char === undefined ? '' : `\\fB\\-${flag.char}\\fR, `
  return [
    entry(`${short}\\fB${plain(flagUsage(flag))}\\fR`, flagMeaning(flag)),
    ...choicesOf(flag).map(([usage, meaning]) => entry(`\\fB\\-\\-${plain(flag.name)} ${plain(usage)}\\fR`, meaning)),
  ].join('\n')
}

/** Flags that all commands have in common. */
function ending(commands: readonly ManifestCommand[]): string[] {
  const flags = Object.values(commands[0]?.flags ?? {}).filter(({ name, hidden }) => hidden !== true && name in globalFlags)
  return [
    section('SH', 'FLAGS OF EVERY COMMAND'),
    ...flags.map(flagEntry),
    section('SH', 'EXIT STATUS'),
    ...EXIT_MEANINGS.map(([code, meaning]) => entry(`\\fB${code}\\fR`, meaning)),
    section('SH', 'ENVIRONMENT'),
    ...ENVIRONMENT.map(([name, meaning]) => entry(`\\fB${plain(name)}\\fR`, meaning)),
  ]
}

function page(name: string, version: string, lines: readonly string[]): ManPage {
  return {
    file: `${name}.1`,
    text: `${[`.TH "${plain(name.toUpperCase())}" 1 "${plain(releasedAt())}" "seller ${version}"`, ...lines].join('\n')}\n`,
  }
}

/** The date of the newest version that has one, so that two builds are equal. */
export function releasedAt(): string {
  const changes = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
  return /^## \S+ \((\d{4}-\d\d-\d\d)\)$/m.exec(changes)?.[1] ?? ''
}

function section(macro: 'SH' | 'SS', title: string): string {
  return `.${macro} "${plain(title).replaceAll('"', '\\(dq')}"`
}

/** @param head already in roff */
function entry(head: string, about: string): string {
  return `.TP\n${head}\n${text(about)}`
}

/** A line of text: at its start a point or an apostrophe would be a command. */
function text(line: string): string {
  return plain(line).replace(/^(?=[.'])/gm, '\\&')
}

/**
 * Escapes what roff reads itself, and what is not ASCII. A plain hyphen would be set as a dash, so that a flag could not be
 * copied.
 */
function plain(words: string): string {
  const escapes = words.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return escapes.replace(
    /[^ -~\n]/gu,
    (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
