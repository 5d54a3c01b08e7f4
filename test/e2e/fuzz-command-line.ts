/** Random command lines: known commands and flags with odd values. Whatever is typed, the end is one of the promised ones. */
import { expect } from 'chai'
import type { ManifestCommand } from '../../src/cli/manifest.js'
import { EXIT_MEANINGS } from '../../src/errors/exit-codes.js'
import type { Home } from './harness.js'

/** What ends the commands that wait: after one look, or soon. */
const ENDING: Readonly<Record<string, readonly string[]>> = {
  'transactions:watch': ['--once'],
  'orders:watch': ['--once'],
  'requests:wait': ['--timeout', '10ms'],
  'eid:verify': ['--timeout', '10ms'],
}

const ODD: readonly string[] = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1',
  '007',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  '1,5',
  '1.5',
  '10%',
  '-10%',
  '%',
  '101%',
  'off',
  'none',
  'now',
  'today',
  '2026-13-01',
  '2026-02-30',
  '0000-00-00',
  '275761-01-01',
  '9999-12-31T23:59:60',
  '+1d',
  '1h30m',
  '5x',
  '/',
  '.',
  '/dev/null',
  '/dev/null/file',
  '-',
  '--',
  '=',
  'a=b=c',
  '*',
  '../..',
  'å ä ö',
  '😀',
  '\ud800',
  '\u0000',
  '\u001b[31m',
  '{}',
  '[]',
  '"',
  "'",
  '<a>&',
  'https://[::1',
  'redis://u:50%@h',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  'json',
  'id,ID',
  '-Id',
  'Id=1',
  '1001=499',
]

/** The same sequence for the same seed (Lehmer, 1951). */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** A random command line of known words. The server of the sandbox is not among them: it runs until it is stopped. */
export function commandLine(commands: readonly ManifestCommand[], below: (most: number) => number): string[] {
  const odd = (): string => ODD[below(ODD.length)] ?? ''
  const usable = commands.filter(({ id, hidden }) => hidden !== true && id !== 'sandbox:start')
  const { id, flags } = usable[below(usable.length)] as ManifestCommand
  const words = [id]
  const names = Object.values(flags)
  for (let count = below(5); count > 0; count--) {
    const flag = names[below(names.length)]
    if (flag === undefined) break
    const name = flag.char !== undefined && below(3) === 0 ? `-${flag.char}` : `--${flag.name}`
    if (flag.type === 'boolean') words.push(name)
    else if (below(2) === 0 && name.startsWith('--')) words.push(`${name}=${odd()}`)
    else words.push(name, odd())
  }
  for (let count = below(3); count > 0; count--) words.push(odd())
  return words.concat(ENDING[id] ?? [])
}

/**
 * Runs random command lines.
 * @param home a sandbox whose profile is the default
 */
export async function fuzzCommandLine(
  home: Home,
  commands: readonly ManifestCommand[],
  seed: number,
  runs: number,
): Promise<void> {
  const below = chance(seed)
  const codes = new Set(EXIT_MEANINGS.map(([code]) => code))
  for (let run = 0; run < runs; run++) {
    const argv = commandLine(commands, below)
    const stdin = below(4) === 0 ? (ODD[below(ODD.length)] ?? '') : ''
    const { code, stdout, stderr } = await home.run(argv, { stdin })
    const said = `seed ${seed}, run ${run}: ${JSON.stringify(argv).slice(0, 600)} <<< ${JSON.stringify(stdin).slice(0, 80)}\n${stderr.slice(-600)}`
    expect(codes.has(code as never), `exit ${code}, ${said}`).to.equal(true)
    // A schema that was asked for names every error.
    const told = argv[0] === 'schema' && code === 0 ? stderr : `${stdout}${stderr}`
    expect(told, said).not.to.match(/This is a bug in seller|Internal error|"unexpected"|\bat .+\.c?js:\d+/)
  }
}
