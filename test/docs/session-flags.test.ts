/** Notes in the sessions name flags that the running command has. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const ROOT = join(import.meta.dirname, '../..')
const SESSIONS = join(ROOT, 'test/e2e/sessions')
/** Flags of every command, which the manifest does not list for each. */
const EVERYWHERE = ['help', 'no-input']

type FlagSet = Readonly<Record<string, { readonly allowNo?: boolean }>>

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly flags: FlagSet }>>
}

/** `file:line --flag` of every note that names a flag which neither its command has nor a command in the note. */
function strangers(name: string, text: string, { commands }: Manifest): string[] {
  const found: string[] = []
  let flags: FlagSet | undefined
  for (const [at, line] of text.split('\n').entries()) {
    if (line.startsWith('$ ')) flags = commands[line.match(/seller ([a-z]+(:[a-z-]+)*)/)?.[1] ?? '']?.flags
    // An error may repeat what was typed, and a note with a command speaks of that one.
    const isNote = line.startsWith('! ') && !line.startsWith('! Error:') && !/seller |[a-z]:[a-z]/.test(line)
    if (flags === undefined || !isNote) continue
    for (const [, flag = ''] of line.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)) {
      if (!(flag in flags || flags[flag.replace(/^no-/, '')]?.allowNo || EVERYWHERE.includes(flag)))
        found.push(`${name}:${at + 1} --${flag}`)
    }
  }
  return found
}

describe('notes of the sessions', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as Manifest

  it('name no flag that the running command does not have', () => {
    const found = readdirSync(SESSIONS).flatMap((name) => strangers(name, readFileSync(join(SESSIONS, name), 'utf8'), manifest))
    expect(found).to.deep.equal([])
  })
})
