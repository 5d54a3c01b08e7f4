/** The commands that sources name, and the real parser of the command line, which must take each of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@oclif/core/command'
import { parse } from '@oclif/core/parser'
import { type Node, parseSync } from 'oxc-parser'
import { globalFlags } from '../../src/cli/flags.js'
import { readManifest } from '../../src/cli/manifest.js'
import { root } from '../e2e/harness.js'

export interface CommandLine {
  /** `file:line` of the source. */
  readonly where: string
  readonly argv: readonly string[]
}

const COMMANDS = new Map(readManifest(root).map((command) => [command.id, command]))

/** Stand-in for a value that is known at run time only, by the name of its argument or flag; any other is 17. */
const VALUES: Readonly<Record<string, string>> = {
  operation: 'GetItem',
  price: '17=100',
  shell: 'bash',
  stock: '17=0',
  '--accept': 'GetItem',
  '--namespace': 'http://shop.example',
  '--profile': 'shop',
  '--profiles': 'shop-*',
  '--setting': 'call_share=50',
  '--since': '90d',
  '--until': '1d',
  '--url': 'http://shop.example',
}

/** Text that a reader may put into a blank that is not a number. */
const BLANKS: Readonly<Record<string, string>> = {
  DATE: '2026-12-24',
  FILE: 'front.png',
  'ID=0': '17=0',
  OPERATION: 'GetItem',
  SHELL: 'bash',
  'NAME=ACCOUNT,…': 'bank=1930',
  PERCENT: '50',
  'fee=FEE': 'fee=10%',
  'org_number=NUMBER': 'org_number=556000-4615',
  'PROVIDER=URL': 'PostNord=http://post.example',
  '[FILE…]': 'front.png',
}

/** Every source with its path below src, but for those that are about the command line as a text. */
export function* sources(): Generator<{ file: string; program: Node; lineAt: (offset: number) => number }> {
  const src = join(root, 'src')
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(join(src, file), 'utf8')
    if (!/\b(?:run\(|seller )/.test(text)) continue
    const { program } = parseSync(file, text)
    yield { file, program, lineAt: (offset) => text.slice(0, offset).split('\n').length }
  }
}

/** Every node of a tree. */
export function* nodes(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'object' && each !== null && typeof each.type === 'string') yield* nodes(each)
    }
  }
}

/** The command lines of every run(…) in the sources: one for each way that its values can take. */
export function* linesOfCalls(): Generator<CommandLine> {
  for (const { file, program, lineAt } of sources()) {
    for (const node of nodes(program)) {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'run') continue
      const [id, line] = node.arguments
      if (id?.type !== 'Literal' || typeof id.value !== 'string' || !COMMANDS.has(id.value)) continue
      const where = `${file}:${lineAt(node.start)}`
      for (const words of wordsOf(id.value, line, where)) yield { where, argv: [id.value, ...words] }
    }
  }
}

/** The words that an object of arguments and flags can stand for. */
function* wordsOf(id: string, line: Node | undefined, where: string): Generator<string[]> {
  if (line === undefined) {
    yield []
    return
  }
  if (line.type !== 'ObjectExpression') throw new Error(`${where}: the words of a command must be an object where it is named`)
  let known: string[][] = [[]]
  for (const property of line.properties) {
    if (property.type !== 'Property') throw new Error(`${where}: a spread hides the words of a command`)
    const { key } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    const isSwitch = COMMANDS.get(id)?.flags[name.replace(/^--/, '')]?.type === 'boolean'
    const given = valuesOf(property.value, isSwitch ? true : (VALUES[name] ?? '17')).map((value) => {
      if (value === false || value === undefined) return []
      if (value === true) return [name]
      return name.startsWith('--') ? [name, value] : [value]
    })
    known = known.flatMap((words) => given.map((more) => [...words, ...more]))
  }
  yield* known
}

/** Values of an expression. @param unknown for one that is known at run time only */
function valuesOf(node: Node, unknown: string | boolean): (string | boolean | undefined)[] {
  if (node.type === 'Literal') return typeof node.value === 'boolean' ? [node.value] : [String(node.value)]
  if (node.type === 'ConditionalExpression') return [...valuesOf(node.consequent, unknown), ...valuesOf(node.alternate, unknown)]
  if (node.type === 'Identifier' && node.name === 'undefined') return [undefined]
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'blank') {
    const [text] = node.arguments
    if (text?.type === 'Literal') return [filled(String(text.value))]
  }
  return [unknown]
}

/** Why the command line is refused; undefined if it is taken. */
export async function refusal([id = '', ...argv]: readonly string[]): Promise<string | undefined> {
  if (!COMMANDS.has(id)) return `there is no command ${id}`
  const loaded: { default: Command.Class } = await import(`../../src/commands/${id.replaceAll(':', '/')}.js`)
  // Help is shown before anything is read.
  if (argv.includes('--help')) return undefined
  const { flags, args, strict } = loaded.default
  const context = { host: { clock: { now: () => Date.now() } }, amountsTyped: [] }
  try {
    await parse([...argv], { flags: { ...globalFlags, ...flags }, args, strict, context: context as never })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Every command that `next` of an error names in what is kept of real runs: the sessions, and the golden of error codes. */
export function* linesOfNext(): Generator<CommandLine> {
  const sessions = join(root, 'test/e2e/sessions')
  for (const file of readdirSync(sessions)) {
    for (const [, line = ''] of readFileSync(join(sessions, file), 'utf8').matchAll(/"command": "(seller (?:[^"\\]|\\.)+)"/g))
      yield { where: file, argv: typedWords(JSON.parse(`"${line}"`)) }
  }
  const golden: Record<string, { next: string[] }> = JSON.parse(
    readFileSync(join(root, 'test/errors/errors.golden.json'), 'utf8'),
  )
  for (const [where, { next }] of Object.entries(golden))
    for (const line of next) yield { where, argv: typedWords(line.slice(0, line.indexOf(' | '))) }
}

/** The words after "seller" as a person would type them, with values in place of the blanks. */
function typedWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:'[^']*'|[^\s'])+/g), ([word]) => {
    const plain = word.replaceAll("'", '')
    return filled(plain)
  }).slice(1)
}

/** A text with values in place of its blanks, also that of a setting: `call_budget=N`. */
function filled(text: string): string {
  const [, name = '', value = text] = /^([a-z_]+=)(.*)$/.exec(text) ?? []
  if (name !== '' && BLANKS[text] === undefined) return `${name}${filled(value)}`
  return BLANKS[text] ?? (/^[A-Z]+$/.test(text) ? '17' : text)
}
