import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>
}

/** Modules that a command loads before it does anything, with their bytes: those of its file, and of all files that it imports. */
function loadedBy(outputs: Readonly<Record<string, Output>>, command: string): Map<string, number> {
  const modules = new Map<string, number>()
  const files = new Set(['dist/main.cjs', `dist/commands/${command}.cjs`])
  for (const file of files) {
    const { imports = [], inputs = {} } = outputs[file] ?? {}
    for (const { path, kind } of imports) if (kind === 'import-statement' && path in outputs) files.add(path)
    for (const [module, { bytesInOutput }] of Object.entries(inputs))
      modules.set(module, (modules.get(module) ?? 0) + bytesInOutput)
  }
  return modules
}

describe('what a start loads', () => {
  const { outputs } = JSON.parse(readFileSync(join(root, 'node_modules', '.cache', 'seller', 'metafile.json'), 'utf8'))
  // Commands that scripts start by hundreds. A view of another result comes by an import of the index of a folder, which brings all
  // that it names: import the file. docs/decisions.md, "A start loads what it uses".
  const COMMANDS = {
    'items/list': { views: ['columns', 'items', 'not-read'], kilobytes: 500 },
    'jobs/list': { views: ['columns', 'jobs', 'not-read', 'plans', 'reports'], kilobytes: 635 },
  }
  for (const [command, { views, kilobytes }] of Object.entries(COMMANDS)) {
    it(`is for ${command.replace('/', ':')} the views of what it shows, and little else`, () => {
      const ours = [...loadedBy(outputs, command)].filter(([module]) => module.startsWith('src/'))
      const found = ours
        .map(([module]) => /^src\/format\/views\/(.*)\.ts$/.exec(module)?.[1])
        .filter((name) => name !== undefined)
      expect(found.sort()).to.deep.equal(views)
      expect(ours.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000).to.be.within(100, kilobytes)
    })
  }
})
