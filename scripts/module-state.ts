/**
 * Finds state that a module keeps for whoever runs next: what a run knows belongs to its context, its client or its host, since
 * several runs share a process. `npm run lint` fails on a variable at the top of a module that is assigned, or whose content
 * changes, outside of KEPT.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

const src = join(fileURLToPath(new URL('..', import.meta.url)), 'src')

/** State that may stay, by `file name`, and why no run can see another one in it. */
const KEPT: Readonly<Record<string, string>> = {
  'contract/reply.ts looks': 'made of the contract alone',
  'format/output/personal.ts cleaners': 'made of the contract alone, by its types',
  'format/output/width.ts SPACES': 'spaces',
  'images/fit.ts compiled': 'programs of the package, always the same',
  'sandbox/marketplace/rules/categories.ts nodes': 'made of the seed alone, when the module is loaded',
  'sandbox/marketplace/rules/items.ts LISTED': 'by the store whose items it has, and gone with it',
  'sandbox/marketplace/seed/pictures.ts drawn': 'pictures of the seed, always the same',
  'soap/server/request.ts operationPlans': 'made of the contract alone, by its operations',
  'soap/wire/characters.ts NAME': 'made of constants, when the module is loaded',
  'soap/wire/characters.ts TEXT': 'made of constants, when the module is loaded',
  'soap/wire/plan.ts plans': 'made of the contract alone, by its types',
  'soap/wire/write.ts FROZEN': 'the text of a frozen object, by the object, and gone with it',
  'system/child.ts running': 'programs that this process started: it ends them when it ends',
  'system/process-owner.ts own': 'the name of this process',
  'system/sqlite.ts UNUSABLE': 'files that this process may not close before it ends',
  'system/spill-file.ts unused': 'closes files that nobody holds any more',
}

/** Methods that change what they are called on. */
const CHANGES = new Set(
  'set add push delete clear pop shift unshift splice sort reverse fill copyWithin write register unregister'.split(' '),
)
const MAKERS = /^(?:Map|Set|WeakMap|WeakSet|Array)$/

// biome-ignore lint/suspicious/noExplicitAny: nodes of any kind are walked.
type Node = any

/** `file:line: name`, for each that is not kept, and for each of KEPT that is not there. */
export function moduleState(): string[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => stateIn(file, readFileSync(join(src, file), 'utf8')))
  const names = new Set(found.map(({ file, name }) => `${file} ${name}`))
  const gone = Object.keys(KEPT).filter((each) => !names.has(each))
  return [
    ...found
      .filter(({ file, name }) => !Object.hasOwn(KEPT, `${file} ${name}`))
      .map(({ file, name, line }) => `${file}:${line}: ${name}`),
    ...gone.map((each) => `${each}: is in KEPT of scripts/module-state.ts, and not in the module`),
  ]
}

/** Variables at the top of a module, and static fields of its classes, that change; once each. */
export function stateIn(file: string, text: string): { readonly file: string; readonly name: string; readonly line: number }[] {
  const { program } = parseSync(file, text)
  const tops = new Map<string, Node>()
  const changed = new Set<string>()
  for (const statement of program.body as Node[]) {
    const declared = statement.declaration ?? statement
    if (declared.type === 'ClassDeclaration') {
      for (const each of declared.body.body)
        if (each.type === 'PropertyDefinition' && each.static && !each.readonly && isStore(each.value)) {
          tops.set(`${declared.id.name}.${each.key.name}`, each)
          changed.add(`${declared.id.name}.${each.key.name}`)
        }
    }
    if (declared.type !== 'VariableDeclaration') continue
    for (const each of declared.declarations) {
      if (each.id.type !== 'Identifier') continue
      tops.set(each.id.name, each)
      // A variable that is not const is assigned somewhere.
      if (declared.kind !== 'const') changed.add(each.id.name)
    }
  }
  walk(program.body, (node) => {
    const target =
      node.type === 'AssignmentExpression'
        ? node.left
        : node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete')
          ? node.argument
          : node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && CHANGES.has(node.callee.property.name)
            ? node.callee.object
            : undefined
    const name = rootOf(target)
    if (name !== undefined && tops.has(name)) changed.add(name)
  })
  // Handed out, an empty store can be filled by anybody.
  for (const [name, node] of tops) if (isStore(node.init) && node.init.arguments.length === 0) changed.add(name)
  return [...changed].map((name) => ({ file, name, line: text.slice(0, tops.get(name).start).split('\n').length }))
}

function isStore(node: Node): boolean {
  return node?.type === 'NewExpression' && MAKERS.test(node.callee.name)
}

function rootOf(node: Node): string | undefined {
  let at = node
  while (at?.type === 'MemberExpression') at = at.object
  return at?.type === 'Identifier' ? at.name : undefined
}

function walk(node: Node, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) walk(each, see)
    return
  }
  if (typeof node.type === 'string') see(node)
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') walk(value, see)
}
