/** Every rule that a command has for its flags and arguments, broken in a pipe, for a script and on a colour terminal. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { choicesOf } from '../../src/cli/choices.js'
import { type ManifestCommand, readManifest } from '../../src/cli/manifest.js'
import { createTestHost } from '../test-host.js'
import { COLOUR, type ColouredProduct, openColoured } from './coloured.js'
import { type Home, openHome } from './harness.js'
import { root, runOn } from './product.js'

/** A command line that breaks one rule, and the code that is promised for it. */
interface Broken {
  readonly argv: readonly string[]
  readonly code: RegExp
  /** A word that the message has. */
  readonly names: string
}

type Flag = ManifestCommand['flags'][string]
/** The flags as the built command declares them: the manifest leaves out the bounds of numbers. */
type Declared = Readonly<Record<string, { readonly min?: number; readonly max?: number }>>

/** A value that a flag or an argument takes, by what its help says that it is. */
const TAKEN: Readonly<Record<string, string>> = {
  N: '1',
  ID: '1',
  PORT: '8000',
  KR: '100',
  DURATION: '1m',
  AGE: '90d',
  DATE: '2026-11-01',
  TIME: '18:00',
  FILE: 'file.csv',
}
/** A value that the parser of a flag takes, where its help has a word for several. */
const TAKEN_BY: Readonly<Record<string, string>> = { 'held-by': 'gone', period: '2026-10' }
/** A value that cannot be read has a code of its kind; a rule of prices says first that no items are chosen. */
const VALUE = /^(?:wrong_usage|invalid_[a-z]+|rule_without_items)$/
const RULE = /^wrong_usage$/

/** Description of a value in the manifest. */
interface Valued {
  readonly helpValue?: unknown
  readonly options?: readonly string[]
}

const taken = ({ helpValue, options }: Valued): string => options?.[0] ?? TAKEN[`${helpValue}`.split('|')[0] ?? ''] ?? '1'

/** True if a parser reads the value: another is a name, or an id that may be a reference. */
const isRead = ({ helpValue }: Valued): boolean => `${helpValue}` in TAKEN && !['FILE', 'ID'].includes(`${helpValue}`)

const given = (flag: Flag, value?: string): string =>
  flag.type === 'boolean' ? `--${flag.name}` : `--${flag.name}=${value ?? TAKEN_BY[flag.name] ?? chosen(flag) ?? taken(flag)}`

/** The first of the named values of a flag, e.g. a guard. */
const chosen = (flag: Flag): string | undefined => choicesOf(flag)[0]?.[0].split(/[[=]/, 1)[0]

/** The names of flags that a rule is about: a rule may say more of one. */
const named = (flags: readonly (string | { readonly name: string })[]): string[] =>
  flags.map((flag) => (typeof flag === 'string' ? flag : flag.name))

/** Every line that breaks a rule of a command. */
function brokenRules({ id, flags, args }: ManifestCommand, declared: Declared): Broken[] {
  const found: Broken[] = []
  const values = Object.values(args).flatMap((arg) => (arg.required ? [taken(arg)] : []))
  const required = Object.values(flags).filter((flag) => flag.required)
  const line = (...more: readonly string[]): string[] => {
    const lacking = required.filter(({ name }) => !more.some((word) => word.split('=')[0] === `--${name}`))
    return [
      id,
      ...lacking.map((flag, at) => given(flag, (flag as Valued).helpValue === 'DATE' ? `+${at + 1}d` : undefined)),
      ...more,
      '--',
      ...values,
    ]
  }
  const breaks = (names: string, argv: readonly string[], code = RULE) => found.push({ argv, code, names })
  const flagOf = (name: string): Flag => flags[name] as Flag

  const [first] = Object.values(args).filter((arg) => arg.required)
  if (first !== undefined) breaks(first.name.toUpperCase(), [id, ...required.map((flag) => given(flag))], /^missing_argument$/)
  for (const [at, arg] of Object.values(args).entries())
    if (arg.options !== undefined) breaks(arg.name.toUpperCase(), [id, ...values.slice(0, at), 'no-such-choice'], VALUE)
  for (const flag of Object.values(flags)) {
    const own = `--${flag.name}`
    if (flag.required) breaks(own, [id, ...required.filter((one) => one !== flag).map((one) => given(one)), '--', ...values])
    if (flag.type === 'option' && flag.options !== undefined) breaks(own, line(`${own}=no-such-choice`), VALUE)
    if (flag.type === 'option' && isRead(flag)) breaks(own, line(`${own}=%`), VALUE)
    const { min, max } = declared[flag.name] ?? {}
    if (min !== undefined) breaks(own, line(`${own}=${min - 1}`), VALUE)
    if (max !== undefined) breaks(own, line(`${own}=${max + 1}`), VALUE)
    for (const other of named(flag.exclusive ?? [])) breaks(own, line(given(flag), given(flagOf(other))))
    for (const other of named((flag.dependsOn as string[] | undefined) ?? []))
      if (!flagOf(other).required) breaks(`--${other}`, line(given(flag)))
    for (const { type, flags: others } of flag.relationships ?? []) {
      if (type === 'none') for (const other of named(others)) breaks(own, line(given(flag), given(flagOf(other))))
      else breaks(own, line(given(flag)))
    }
  }
  return found
}

/** A document is indented on a terminal. */
function sameWords(coloured: string, plain: string): boolean {
  return coloured === plain || (plain.startsWith('{') && JSON.stringify(JSON.parse(coloured)) === plain.trim())
}

/** The rules of every command of the built product. */
function allBroken(): Broken[] {
  const load = createRequire(import.meta.url)
  return readManifest(root).flatMap((command) => {
    const { default: Class } = load(join(root, 'dist', 'commands', `${command.id.replaceAll(':', '/')}.cjs`))
    return brokenRules(command, { ...Class.baseFlags, ...Class.flags })
  })
}

describe('a rule of flags and arguments that is broken', () => {
  let home: Home
  let coloured: ColouredProduct
  before(async () => {
    home = await openHome()
    coloured = await openColoured()
  })
  after(async () => {
    await coloured?.close()
    await home?.close()
  })

  it('is said alike in a pipe and on a colour terminal, and with its code to scripts: every rule of the manifest', async () => {
    const cases = allBroken()
    expect(cases.length).to.be.greaterThan(500)
    const wrong: string[] = []
    for (const { argv, code, names } of cases) {
      const on = (argv: readonly string[], terminal: boolean) => {
        const env = { ...home.env, ...(terminal ? COLOUR : {}) }
        const host = createTestHost({ env, cwd: home.dir, ...(terminal ? { terminal: 'stdout' } : {}) })
        return runOn(host, argv, terminal ? coloured.from : root)
      }
      const [id = '', ...rest] = argv
      const pipe = await on(argv, false)
      const colour = await on(argv, true)
      const isForm = argv.some((word) => /^--(?:json|output)\b/.test(word))
      const script = isForm ? undefined : await on([id, '--json', ...rest], false)
      const error = script === undefined ? undefined : JSON.parse(script.stdout || '{}').error
      const said = stripVTControlCharacters(colour.stdout + colour.stderr)
      const faults = [
        pipe.code !== 2 || colour.code !== 2 || (script !== undefined && script.code !== 2)
          ? `exit ${pipe.code}, with colour ${colour.code}, for a script ${script?.code}`
          : '',
        script !== undefined && !code.test(error?.code) ? `code ${error?.code}` : '',
        (pipe.stdout + pipe.stderr).includes(names) ? '' : `does not name ${names}`,
        sameWords(said, pipe.stdout + pipe.stderr) ? '' : `with colour: ${said}`,
      ].filter((fault) => fault !== '')
      if (faults.length > 0) wrong.push(`seller ${argv.join(' ')}: ${faults.join('; ')}\n${pipe.stdout}${pipe.stderr}`)
    }
    expect(wrong.join('\n\n'), `${wrong.length} of ${cases.length}`).to.equal('')
  })

  it('names only what is missing beside a flag, and one command line that has it', async () => {
    for (const [typed, message, command] of [
      ['shop:sync --file s.csv --html s.html', '--html needs --dry-run.', 'shop:sync --file s.csv --html s.html --dry-run'],
      ['shop:sync --html s.html', '--html needs --file and --dry-run.', 'shop:sync --html s.html --file FILE --dry-run'],
      ['shop:price 17=20 --html s.html', '--html needs --dry-run or --save-plan.', 'shop:price 17=20 --html s.html --dry-run'],
      ['shop:add --file s.csv --html s.html', '--html needs --dry-run.', 'shop:add --file s.csv --html s.html --dry-run'],
      ['shop:stock --held-by gone -- A=1', '--held-by needs --dry-run.', 'shop:stock --held-by gone --dry-run -- A=1'],
      [
        'shop:sync --html s.html --sheet S',
        '--html needs --file and --dry-run.\n--sheet needs --file.',
        'shop:sync --html s.html --sheet S --file FILE --dry-run',
      ],
      // Two flags that need each other.
      ['shop:settings --close', '--close needs --until.', 'shop:settings --close --until DATE'],
      ['shop:settings --profiles a', '--profiles needs --close.', 'shop:settings --profiles a --close --until DATE'],
    ] as const) {
      const [id = '', ...rest] = typed.split(' ')
      const run = await home.run([id, '--json', ...rest])
      const { error } = run.json()
      expect([run.code, error.code, error.message.split('\n').sort().join('\n')]).to.deep.equal([2, 'wrong_usage', message])
      expect(error.next.map((each: { command: string }) => each.command.replace(' --json', ''))).to.deep.equal([
        `seller ${command}`,
      ])
    }
  })

  it('offers no line of flags that exclude each other', async () => {
    const offered: string[] = []
    let lines = 0
    for (const { id, flags, args } of readManifest(root)) {
      const values = Object.values(args).flatMap((arg) => (arg.required ? [taken(arg)] : []))
      const excludes = (one: string, other: string): boolean => named(flags[one]?.exclusive ?? []).includes(other)
      for (const flag of Object.values(flags)) {
        for (const needed of named((flag.dependsOn as string[] | undefined) ?? [])) {
          for (const other of Object.values(flags)) {
            if (!excludes(needed, other.name) && !excludes(other.name, needed)) continue
            lines++
            const { code, stderr } = await home.run([id, given(flag), given(other), '--', ...values])
            if (code !== 2 || /^Add (?:it|them|one)/m.test(stderr)) offered.push(`${id}: ${stderr}`)
          }
        }
      }
    }
    expect(lines).to.be.greaterThan(10)
    expect(offered).to.deep.equal([])
  })

  it('has for columns that were guessed one command line that runs', async () => {
    for (const [typed, next] of [
      ['jobs:list --columns Created', 'jobs:list --columns CreatedAt'],
      ['jobs:list --columns JobId,Quantity,Price --limit 3', 'jobs:list --columns JobId,Counts --limit 3'],
      ['jobs:list --columns Price', 'jobs:list'],
      ['orders:list --columns=Quantity,Price -psandbox', 'orders:list --columns Items.Quantity,Items.UnitPrice -psandbox'],
      ['orders:list --sort -Created,OrderId -p sandbox', 'orders:list --sort -CreatedDate,OrderId -p sandbox'],
      [
        'items:list --columns Id,Created,StartDate,Quantity --profile=sandbox',
        'items:list --columns Id,StartDate,RemainingQuantity --profile=sandbox',
      ],
    ] as const) {
      const [id = '', ...rest] = typed.split(' ')
      const run = await home.run([id, '--json', ...rest])
      const { error } = run.json()
      expect([run.code, error.code], typed).to.deep.equal([2, 'unknown_column'])
      const [{ command }, ...more] = error.next
      expect(command.replace(' --json', '')).to.equal(`seller ${next}`)
      expect(more).to.deep.equal([])
      expect((await home.run(command.split(' ').slice(1))).code, command).to.equal(0)
    }
  })

  it('is an error in red on a colour terminal', async () => {
    const host = createTestHost({ env: { ...home.env, ...COLOUR }, cwd: home.dir, terminal: true })
    const { stderr } = await runOn(host, ['shop:diff'], coloured.from)
    expect(stderr).to.include('\u001b[31mError:\u001b[39m')
  })
})
