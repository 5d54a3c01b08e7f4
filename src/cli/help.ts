/**
 * Help of the program, of topics and of commands, made from the manifest. A page of a command fits a screen: what it does,
 * examples, usage, and the flags that its examples use; `--help-all` has the rest. It does not use oclif, whose help has no short
 * form, and whose loading and templates take two thirds of the time of `--help` beyond bare Node (measured).
 */

import { EXIT_MEANINGS } from '../errors/exit-codes.js'
import { colourLevel, createPaint } from '../format/output/colour.js'
import type { Paint } from '../format/output/types.js'
import { truncate, wrap } from '../format/output/width.js'
import { choicesOf } from './choices.js'
import { exampleLines, type Flag, flagMeaning, flagUsage, render, usageLines } from './command-text.js'
import { ENVIRONMENT } from './environment.js'
import type { Host, OutputStream } from './host.js'
import { type IndexedCommand, type ManifestCommand, readProduct } from './manifest.js'
import { TIMES } from './values.js'

/** Columns if there is no terminal. */
const WIDTH = 80
/** Fewer columns than these beside the names, and meanings stand below them. */
const LEAST_BESIDE = 20
const MOST_EXAMPLES = 5
/** A command with at most this many flags of its own shows them all. */
const FEW_FLAGS = 10
const MOST_FLAGS = 18
/** Groups of flags that are needed rarely: limits, how a run goes on, and what every command has. */
const RARE_GROUPS: ReadonlySet<string | undefined> = new Set(['GLOBAL', 'GUARD', 'RUN'])

type Row = readonly [name: string, meaning: string]
type Listed = Pick<IndexedCommand, 'id' | 'summary' | 'hidden'>

/** The groups of the program's help, in their order; package.json says which topic belongs to which. */
const GROUPS = { day: 'EVERY DAY', time: 'OVER TIME', setup: 'SET-UP', programs: 'FOR PROGRAMS' } as const
/** Commands without a topic. */
const ALONE: Readonly<Record<string, keyof typeof GROUPS>> = {
  call: 'programs',
  commands: 'setup',
  completion: 'setup',
  doctor: 'setup',
  today: 'day',
  help: 'setup',
  schema: 'programs',
}

interface Package {
  readonly name: string
  readonly description: string
  readonly oclif: {
    readonly topics: Readonly<Record<string, { readonly description: string; readonly group?: keyof typeof GROUPS }>>
  }
}

/** Pages that are no commands. */
export const PAGES = ['exit-codes', 'environment', 'times', 'agents'] as const

/** Where help is written. */
class Page {
  readonly #lines: string[] = []
  readonly #width: number
  readonly #paint: Paint

  constructor(width: number, paint: Paint) {
    this.#width = width
    this.#paint = paint
  }

  paragraph(text: string): void {
    for (const part of text.split('\n\n')) this.#lines.push(...wrap(part, this.#width), '')
  }

  /** Lines to be copied: they are not broken. */
  section(title: string, lines: readonly string[]): void {
    if (lines.length === 0) return
    this.#lines.push(this.#paint.bold(title), ...lines.map((line) => `  ${line}`), '')
  }

  /** Lines to be read. */
  wrapped(title: string, lines: readonly string[]): void {
    this.section(
      title,
      lines.flatMap((line) => wrap(line, this.#width - 4).map((part, at) => (at === 0 ? part : `  ${part}`))),
    )
  }

  /** Names with their meanings beside them, or below them on a narrow terminal. @param short whether each is cut to one line */
  list(title: string, rows: readonly Row[], short = false): void {
    const width = this.#width - 2
    const widest = Math.max(0, ...rows.map(([name]) => name.length)) + 2
    const below = width - widest < LEAST_BESIDE
    const lines = rows.flatMap(([name, meaning]) => {
      if (below) return [name, ...wrap(meaning, Math.max(1, width - 2)).map((line) => `  ${line}`)]
      const texts = short ? [inOneLine(meaning, width - widest)] : wrap(meaning, width - widest)
      return texts.map((line, index) => (index === 0 ? name : '').padEnd(widest) + line)
    })
    this.section(title, lines)
  }

  get text(): string {
    return `${this.#lines.map((line) => line.trimEnd()).join('\n')}`
  }
}

/**
 * The first sentences of a meaning that fit, without remarks in brackets. The first one is written to fit a terminal of 80
 * columns (test/cli/help-width.test.ts); on a narrower one it may be cut.
 */
function inOneLine(meaning: string, width: number): string {
  if (meaning.length <= width) return meaning
  const text = meaning.replaceAll(/ \([^)]*\)/g, '')
  if (text.length <= width) return text
  const ends = [...text.matchAll(/(?<!\be\.g)\.(?= )/g)].map(({ index }) => index).filter((index) => index < width)
  const end = ends.at(-1)
  return end === undefined ? truncate(text, width) : text.slice(0, end + 1)
}

/** The width of help on a stream. A terminal without a size says 0. */
function helpWidth(stdout: OutputStream): number {
  return stdout.isTTY === true ? stdout.columns || WIDTH : WIDTH
}

async function write(host: Host, fill: (page: Page) => void): Promise<void> {
  const page = new Page(helpWidth(host.stdout), await createPaint(colourLevel(host.env, host.stdout)))
  fill(page)
  host.stdout.write(page.text)
}

/**
 * Shows the topics in groups, and where to go on.
 * @param root the directory of package.json
 * @param commands all of them, sorted by id
 */
export function showProgramHelp(root: string, commands: readonly Listed[], host: Host): Promise<void> {
  const { name, description, oclif }: Package = JSON.parse(readProduct(root, 'package.json'))
  const topics = Object.entries(oclif.topics).map(([topic, about]) => ({
    row: [topic, about.description] as Row,
    group: about.group,
  }))
  const alone = commands
    .filter(({ id, hidden }) => !id.includes(':') && hidden !== true)
    .map(({ id, summary = '' }) => ({ row: [id, summary] as Row, group: ALONE[id] }))
  return write(host, (page) => {
    page.paragraph(description)
    page.section('USAGE', [`${name} COMMAND [ARGUMENTS] [FLAGS]`])
    const entries = [...topics, ...alone]
    for (const [key, title] of Object.entries(GROUPS)) {
      page.list(
        title,
        entries.filter(({ group = 'programs' }) => group === key).map(({ row }) => row),
      )
    }
    page.list('MORE', [
      [`${name} items`, 'the commands of a topic'],
      [`${name} items:add --help`, `how one works; ${name} items add is the same`],
      [`${name} help exit-codes`, 'what scripts decide by'],
      [`${name} help times`, 'what --since 7d and --until mean'],
      [`${name} help environment`, 'variables that replace flags and settings'],
      [`${name} help agents`, 'rules and tasks for programs that act for a seller'],
      [`${name} items:list -p sandbox`, 'try things out safely'],
    ])
  })
}

/** Shows the commands of a topic. */
export function showTopicHelp(topic: string, about: string, commands: readonly Listed[], host: Host): Promise<void> {
  const rows = commands.filter(({ id, hidden }) => id.startsWith(`${topic}:`) && hidden !== true)
  return write(host, (page) => {
    page.paragraph(about)
    page.list(
      'COMMANDS',
      rows.map(({ id, summary = '' }) => [id, summary]),
    )
    page.paragraph(`How one works: seller ${rows[0]?.id ?? topic} --help. All of them: man seller-${topic}.`)
  })
}

/** Shows a page that is about no command. */
export async function showPage(name: (typeof PAGES)[number], host: Host): Promise<void> {
  const guide = name === 'agents' ? await import('./agents.js') : undefined
  return write(host, (page) => {
    if (name === 'exit-codes') {
      page.list(
        'EXIT CODES',
        EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
      )
    } else if (name === 'environment') page.list('ENVIRONMENT', ENVIRONMENT)
    else if (name === 'times') page.list('TIMES', TIMES)
    else if (guide !== undefined) {
      page.paragraph('For programs that act for a seller: how to work with this one.')
      for (const [rule, how] of guide.AGENT_RULES) page.paragraph(`${rule}. ${how}`)
      page.list(
        'TASKS',
        guide.AGENT_TASKS.flatMap(([task, ...commands]) => commands.map((command) => [command, task] as const)),
      )
    }
  })
}

/** Shows a command. @param all every flag, the description and every example, instead of what fits a screen */
export function showCommandHelp(command: ManifestCommand, all: boolean, host: Host): Promise<void> {
  return write(host, (page) => (all ? wholePage(page, command) : shortPage(page, command)))
}

function shortPage(page: Page, command: ManifestCommand): void {
  const { id, summary = '' } = command
  const examples = exampleLines(command)
  // For 80 columns also where a terminal is wider, so that everyone reads the same examples.
  const fittingExamples = examples.filter((line) => line.length + 4 <= WIDTH)
  const usage = usageLines(command)
  const { shown, left } = frequentFlags(command, [...usage, ...examples].join('\n'))
  page.paragraph(render(summary, command))
  page.section(
    'EXAMPLES',
    (fittingExamples.length === 0 ? examples : fittingExamples).slice(0, MOST_EXAMPLES).map((line) => `$ ${line}`),
  )
  page.wrapped('USAGE', usage)
  page.list('ARGUMENTS', argumentRows(command), true)
  page.list('FLAGS', shown.map(flagRow), true)
  const topic = id.includes(':') ? `seller-${id.split(':')[0]}` : 'seller'
  page.paragraph(`${left === 0 ? 'More' : `${left} more flags, and how it works`}: seller ${id} --help-all, or man ${topic}.`)
}

/** The flags that are used every week: those that usage and examples name, or that have a letter; all where there are few. */
function frequentFlags(
  { flags }: ManifestCommand,
  usageText: string,
): { readonly shown: readonly Flag[]; readonly left: number } {
  const visible = Object.values(flags).filter(({ hidden }) => hidden !== true)
  const own = visible.filter(({ helpGroup }) => !RARE_GROUPS.has(helpGroup))
  const words = new Set(usageText.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [])
  const isUsed = ({ name, char, required }: Flag): boolean =>
    required === true || words.has(`--${name}`) || (char !== undefined && words.has(`-${char}`))
  const often = own.filter((flag) => isUsed(flag) || flag.char !== undefined)
  const shownFlags = own.length <= FEW_FLAGS ? own : often.slice(0, MOST_FLAGS)
  return { shown: shownFlags, left: visible.length - shownFlags.length }
}

function argumentRows({ args }: ManifestCommand): Row[] {
  return Object.values(args).map(({ name, multiple, description = '' }) => [
    `${name.toUpperCase()}${multiple === true ? '…' : ''}`,
    description,
  ])
}

function flagRow(flag: Flag): Row {
  return [`${flag.char === undefined ? '    ' : `-${flag.char}, `}${flagUsage(flag)}`, flagMeaning(flag)]
}

function wholePage(page: Page, command: ManifestCommand): void {
  const { summary = '', description, operations, flags } = command
  page.paragraph(render(summary, command))
  page.wrapped('USAGE', usageLines(command))
  page.list('ARGUMENTS', argumentRows(command))
  const visible = Object.values(flags).filter(({ hidden }) => hidden !== true)
  const groups = new Set([undefined, ...visible.map(({ helpGroup }) => helpGroup).sort()])
  for (const group of [...groups].sort((one, other) => Number(one === 'GLOBAL') - Number(other === 'GLOBAL'))) {
    page.list(
      group === undefined ? 'FLAGS' : `${group} FLAGS`,
      visible.filter(({ helpGroup }) => helpGroup === group).map(flagRow),
    )
  }
  for (const flag of visible) page.list(`--${flag.name} VALUES`, choicesOf(flag))
  if (description !== undefined) {
    page.paragraph(render(description, command))
  }
  if (operations !== undefined) page.paragraph(`Operations of the service: ${operations.join(', ')}.`)
  page.section(
    'EXAMPLES',
    exampleLines(command).map((line) => `$ ${line}`),
  )
}
