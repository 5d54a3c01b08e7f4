/**
 * `npm run lint`: biome, and the rules of this project that no linter has. Biome looks at the files that changed since all was
 * right, because all of them take it 20 CPU seconds; at all of src if one of it changed, because a rule follows types from file
 * to file. `-- --all` looks at everything, as the first run of a clone does.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commentFaults } from './comments.js'
import { importFaults } from './imports.js'
import { moduleState } from './module-state.js'
import { plainCommands } from './plain-commands.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Digests of the files that were right. */
const PASSED = join(root, 'node_modules', '.cache', 'seller', 'lint.json')
/** Files that biome reads. */
const READ = /\.(?:[cm]?[jt]s|jsonc?|css|html)$/
/** Files on which it depends what is right: the rules, and biome's version. */
const RULES = ['biome.json', 'package-lock.json', '.gitignore']
/** Names fit into one command line of Windows too. */
const MOST_NAMES = 300

type Digests = Readonly<Record<string, string>>

/** The faults that each rule finds, and what to do about them. */
const OWN: readonly (readonly [faults: () => readonly string[], remedy: string])[] = [
  [importFaults, 'An import goes by the table of scripts/imports.ts, and no file leads back to itself.'],
  [commentFaults, 'A comment begins with its subject or a verb, and no line of it is wider than one of code.'],
  [plainCommands, 'A command in a message is made by `run` of src/messages (CONTRIBUTING.md, How to write a message).'],
  [moduleState, 'State of a run belongs to its context, its client or its host (CONTRIBUTING.md, Where state lives).'],
]

/**
 * The paths that biome must look at.
 * @param passed the files when all was right
 */
export function unchecked(now: Digests, passed: Digests): string[] {
  const changed = Object.keys(now).filter((name) => now[name] !== passed[name])
  if (changed.length > MOST_NAMES || RULES.some((name) => now[name] !== passed[name])) return ['.']
  const isSource = (name: string): boolean => name.startsWith('src/')
  // A source that is gone changes the types of others, too.
  const isMoved = changed.some(isSource) || Object.keys(passed).some((name) => isSource(name) && now[name] === undefined)
  return isMoved ? ['src', ...changed.filter((name) => !isSource(name))] : changed
}

/** Every file that git knows or would add; undefined where there is no git. */
function digests(): Digests | undefined {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (listed.status !== 0) return undefined
  const names = listed.stdout.split('\0').filter((name) => READ.test(name) || RULES.includes(name))
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        return [
          [
            name,
            createHash('sha1')
              .update(readFileSync(join(root, name)))
              .digest('hex'),
          ],
        ]
      } catch {
        // Removed, and git has not been told.
        return []
      }
    }),
  )
}

function passedBefore(): Digests {
  try {
    return JSON.parse(readFileSync(PASSED, 'utf8'))
  } catch {
    return {}
  }
}

/** @returns whether biome finds nothing */
async function biome(paths: readonly string[]): Promise<boolean> {
  const program = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'))
  const args = [program, 'check', '--error-on-warnings', '--files-ignore-unknown=true', '--no-errors-on-unmatched', ...paths]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

async function lint(all: boolean): Promise<boolean> {
  const now = digests()
  const paths = now === undefined || all ? ['.'] : unchecked(now, passedBefore())
  if (paths.length === 0) return true
  const checking = biome(paths)
  const found = OWN.flatMap(([faults, remedy]) => {
    const each = faults()
    return each.length === 0 ? [] : [...each, remedy]
  })
  for (const line of found) process.stderr.write(`${line}\n`)
  if (!(await checking) || found.length > 0) return false
  if (now === undefined) return true
  mkdirSync(dirname(PASSED), { recursive: true })
  // As they were before biome read them: what was changed meanwhile is looked at again.
  writeFileSync(PASSED, JSON.stringify(now))
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await lint(process.argv.includes('--all'))) ? 0 : 1
}
