/** The main job as a person sees it: a few commands in a shop of the sandbox, with their questions answered. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment, Host } from '../../src/cli/host.js'
import type { run } from '../../src/cli/run.js'
import type { Clock } from '../../src/system/clock.js'
import { remaining } from './screen.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Step {
  /** Said before the command. */
  readonly words: string
  /** The command line, as it is typed; a part of it on each line. */
  readonly line: readonly string[]
  /** A person says yes to its question. */
  readonly asks?: true
  /** The exit code; 0 by default. */
  readonly code?: number
  /** A file that the command reads, shown before it. */
  readonly file?: readonly [name: string, text: string]
}

const PRICES = `Id,Price
600000416,5490
600000415,195
600000408,20
600000409,36
`

const STEPS: readonly Step[] = [
  {
    words: 'A shop: the newest of what is on sale.',
    line: ['seller items:list --type shop --state active --limit 5'],
  },
  {
    words: 'New prices from a file. 20 kr for the scarf is a slip: its row is held.',
    file: ['prices.csv', PRICES],
    line: ['seller shop:price --file prices.csv --held-file held.csv --wait'],
    asks: true,
    code: 6,
  },
  { words: 'What changed.', line: ['seller shop:diff --since yesterday'] },
  { words: 'All of it is undone.', line: ['seller jobs:undo 1 --wait'], asks: true },
  {
    words: 'An auction with an image.',
    line: [
      'seller items:add --title "Höganäs krus med lock" --category 120503',
      '--condition used --opening 120 --payment swish --shipping pickup',
      '--image jug.png --wait',
    ],
    asks: true,
  },
  { words: 'What needs doing today.', line: ['seller today'] },
]

/** Commands to type after the demo; each works in a clone as it stands. */
const NEXT = [
  'npx seller today -p sandbox',
  'npx seller shop:price --reference "1001-04*" --add -10% --dry-run -p sandbox',
  'npx seller sales:report --since 90d --by month -p sandbox',
] as const

export interface DemoOptions {
  /** An empty folder, for all that the commands write. */
  readonly dir: string
  readonly write: (text: string) => void
  /** True if a terminal shows it: in colour, as it is drawn. Otherwise each command's last screen is written, in plain text. */
  readonly terminal: boolean
  readonly columns: number
  readonly clock: Clock
  /** Time that a person reads a question, ms. */
  readonly pauseMs: number
  /** TERM, COLORTERM and NO_COLOR are read. */
  readonly env: Environment
}

/** @throws {Error} a command ended with another exit code than it should */
export async function playDemo({ dir, write, terminal, columns, clock, pauseMs, env: given }: DemoOptions): Promise<void> {
  const product: { readonly run: typeof run } = createRequire(import.meta.url)(join(root, 'dist', 'main.cjs'))
  const folder = join(dir, 'work')
  await mkdir(folder)
  await copyFile(join(root, 'scripts', 'demo', 'jug.png'), join(folder, 'jug.png'))
  const env = {
    ...{
      HOME: dir,
      SELLER_CONFIG_DIR: join(dir, 'config'),
      SELLER_DATA_DIR: join(dir, 'data'),
      SELLER_CACHE_DIR: join(dir, 'cache'),
    },
    ...{ SELLER_PROFILE: 'sandbox', TERM: terminal ? given.TERM : 'xterm', COLORTERM: given.COLORTERM },
    ...(terminal ? { NO_COLOR: given.NO_COLOR } : { NO_COLOR: '1' }),
  }
  const painted = terminal && !given.NO_COLOR
  const paint = (code: number, text: string): string => (painted ? `\u001b[${code}m${text}\u001b[0m` : text)
  write('The sandbox is a whole marketplace on this machine. Nothing here is real, and\nnothing leaves the machine.\n')
  for (const { words, line, asks, code: expected = 0, file } of STEPS) {
    write(`\n${paint(1, `# ${words}`)}\n`)
    if (file !== undefined) {
      await writeFile(join(folder, file[0]), file[1])
      write(`${paint(36, `$ cat ${file[0]}`)}\n${file[1]}`)
    }
    write(`${paint(36, `$ ${line.join(' \\\n    ')}`)}\n`)
    let written = ''
    const stdin = new PassThrough()
    const typed = (): void => {
      if (asks !== true || !plainEnd(written).endsWith('(y/N)')) return
      watch = () => undefined
      void sleep(pauseMs).then(() => stdin.write('y\r'))
    }
    let watch = typed
    const host = hostOf({ env, cwd: folder, clock, stdin, columns }, (text) => {
      written += text
      if (terminal) write(text)
      watch()
    })
    const code = await product.run(wordsOf(line.join(' ')), host, { root })
    stdin.destroy()
    if (!terminal) write(remaining(written))
    if (code !== expected) throw new Error(`«${line.join(' ')}» ended with ${code}:\n${remaining(written)}`)
  }
  const next = NEXT.map((command) => `  ${paint(36, command)}\n`).join('')
  write(`\n${paint(1, 'Now you. Type one of these; each works as it stands:')}\n\n${next}`)
}

/** The end of what is on the screen. */
const plainEnd = (written: string): string => remaining(written.slice(-2000)).trimEnd()

/** The words of a command line after `seller`; double quotes hold blanks. */
function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|[^\s"])+/g), ([word]) => word.replaceAll('"', '')).slice(1)
}

/** A host whose streams are one terminal. */
function hostOf(
  given: Pick<Host, 'env' | 'cwd' | 'clock'> & { readonly stdin: PassThrough; readonly columns: number },
  write: (text: string) => void,
): Host {
  const { stdin, columns, ...rest } = given
  const stream = () => {
    const writable = new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        write(chunk.toString())
        done()
      },
    })
    // Prompts end the streams that they write to, but for those of the process.
    return Object.assign(writable, { isTTY: true, columns, _isStdio: true })
  }
  return {
    ...rest,
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout: stream(),
    stderr: stream(),
    runtime: `node-${process.version}`,
    program: [process.execPath, join(root, 'bin', 'run.js')],
    carriedOut: new Set(),
    begun: new Set(),
    onSignal: () => () => undefined,
    exit: (code) => process.exit(code),
  }
}
