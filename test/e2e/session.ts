/**
 * Sessions at a terminal of 100 columns, as they are written in sessions/*.txt: what each command prints, its exit code where it
 * is not 0, and the calls it makes. A line begins with what it does:
 *
 *   $ seller …          a command; `< FILE` at its end is its stdin
 *   ? …                 what is typed at a question of the command above, at a terminal that only prints
 *   + FILE              writes a file of the lines below it, which begin with a bar
 *   > buy {"itemId":1}  an order to the sandbox (test/control-sandbox.ts)
 *   @ 3d                lets time pass, for the shop and for the service
 *   - NAME              removes a variable of the environment
 *   # …                 says something to the reader
 *
 * The other lines are what is printed: those of stderr begin with an exclamation mark. What an error tells scripts besides is
 * asked for with --json, where a command was refused without a call. front.png is an image. UPDATE_GOLDEN=1 writes them anew, to
 * be read before they are committed.
 */
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { parseDuration } from '../../src/system/durations.js'
import { controlSandbox } from '../control-sandbox.js'
import { Hands } from './clock.js'
import { COLOUR, type ColouredProduct } from './coloured.js'
import { root } from './harness.js'
import { type ObservedHome, openObserved, PIXEL } from './observed.js'
import type { HereOptions, Running } from './runs.js'

export const SESSIONS = join(root, 'test', 'e2e', 'sessions')

/** Order references and tokens of eID sessions. */
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** The words of a command line: separated by blanks, in single or double quotes where they hold any. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

class Session {
  readonly #home: ObservedHome
  readonly #hands: Hands
  readonly #removed: Record<string, undefined> = {}
  readonly #coloured: ColouredProduct | undefined

  constructor(home: ObservedHome, hands: Hands, coloured?: ColouredProduct) {
    this.#home = home
    this.#hands = hands
    this.#coloured = coloured
  }

  /** Does the steps of a session. @returns it with what is printed now */
  async play(text: string): Promise<string> {
    const lines: string[] = []
    const steps = text.split('\n').filter((line) => line === '' || /^([$+|>@#-] |\?( |$))/.test(line))
    for (let at = 0; at < steps.length; at++) {
      const line = steps[at] ?? ''
      const [mark, rest] = [line.slice(0, 1), line.slice(2)]
      if (line === '' && (lines.at(-1) === '' || steps[at + 1] === undefined || /^[|]/.test(steps[at + 1] ?? ''))) continue
      lines.push(line)
      if (mark === '$') {
        const answers: string[] = []
        for (; steps[at + 1]?.startsWith('?'); at++) answers.push(steps[at + 1]?.slice(2) ?? '')
        lines.push(...answers.map((answer) => `? ${answer}`.trimEnd()), ...(await this.#run(rest, answers)))
      }
      if (mark === '>') await this.#order(rest)
      if (mark === '-') this.#removed[rest] = undefined
      if (mark === '@') this.#hands.time += parseDuration(rest) ?? Number.NaN
      if (mark === '+') {
        const content: string[] = []
        while (steps[at + 1]?.startsWith('| ')) content.push(steps[++at]?.slice(2) ?? '')
        lines.push(...content.map((row) => `| ${row}`))
        await this.#home.file(rest, `${content.join('\n')}\n`)
      }
    }
    return `${lines.join('\n').trimEnd()}\n`
  }

  async #order(line: string): Promise<void> {
    const [, action = '', body = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    await controlSandbox(this.#home.sandbox.url, action as 'buy', JSON.parse(body))
  }

  async #run(line: string, answers: readonly string[]): Promise<string[]> {
    const [, command = '', file] = /^seller ?(.*?)(?: < (\S+))?$/.exec(line) ?? []
    const stdin = file === undefined ? undefined : await readFile(join(this.#home.dir, file))
    const args = wordsOf(this.#meant(command))
    this.#home.calls()
    const { code, stdout, stderr } =
      answers.length > 0 ? await this.#typed(args, answers) : await this.#start(args, { stdin }).done
    const calls = this.#home.calls()
    const details = calls.length === 0 && stdin === undefined && answers.length === 0 ? await this.#details(args, code) : []
    return [
      ...linesOf(this.#shown(stdout)),
      ...linesOf(this.#shown(stderr)).map((text) => `! ${text}`.trimEnd()),
      ...details.map((detail) => this.#shown(detail)),
      ...(code === 0 ? [] : [`[exit ${code}]`]),
      ...(calls.length === 0 ? [] : [`[calls ${counted(calls)}]`]),
      '',
    ]
  }

  #start(args: readonly string[], options: HereOptions = {}): Running {
    const from = this.#coloured?.from
    const colour = from === undefined ? { NO_COLOR: '1' } : COLOUR
    const env = { PAGER: 'cat', ...colour, ...this.#removed, ...options.env }
    return this.#home.start(args, {
      terminal: 'stdout',
      columns: 100,
      clock: this.#hands,
      ...options,
      env,
      ...(from && { from }),
    })
  }

  /** Types each answer when a question waits for it, and shows it where it was typed. After the last, the terminal is closed. */
  async #typed(args: readonly string[], answers: readonly string[]) {
    const stdin = new PassThrough()
    const running = this.#start(args, { terminal: true, stdin, env: { TERM: 'dumb' } })
    let over = false
    const done = running.done.finally(() => (over = true))
    let [shown, seen, asked] = ['', 0, 0]
    for (const answer of [...answers, undefined]) {
      // A question leaves its line open.
      while (!over && !(running.noted().length > seen && running.noted().endsWith(' '))) await sleep(1)
      if (over) break
      asked++
      shown += `${running.noted().slice(seen)}${answer ?? ''}\n`
      seen = running.noted().length
      if (answer === undefined) stdin.end()
      else stdin.write(`${this.#meant(answer)}\n`)
    }
    const { code, stdout, stderr } = await done
    expect(asked, `answers that seller ${args.join(' ')} asks for`).to.be.at.least(answers.length)
    return { code, stdout, stderr: shown + stderr.slice(seen) }
  }

  /** Data of an error for scripts, beside its words. */
  async #details(args: readonly string[], code: number | null): Promise<string[]> {
    // Another one may have made a job, or called in vain.
    if ((code !== EXIT.usage && code !== EXIT.validation) || /(?:^| )(?:--json|-o|--output)/.test(args.join(' '))) return []
    const [command = '', ...rest] = args
    const { stdout } = await this.#start([command, '--json', ...rest]).done
    this.#home.calls()
    const {
      code: _,
      category,
      message,
      hint,
      next,
      exitCode,
      count,
      faults = [],
      ...details
    } = JSON.parse(stdout || '{}').error ?? {}
    const shown = [
      ...faults.map((fault: object) => ({ fault })),
      ...Object.entries(details).map(([name, value]) => ({ [name]: value })),
    ]
    return shown.map((detail) => `[json ${JSON.stringify(detail).slice(1, -1)}]`)
  }

  /** With the address of this run. */
  #meant(text: string): string {
    return text.replaceAll('http://sandbox', this.#home.sandbox.url)
  }

  /** Without what differs from run to run. */
  #shown(text: string): string {
    const { host } = new URL(this.#home.sandbox.url)
    const plain = this.#coloured === undefined ? text : stripVTControlCharacters(text)
    const known = plain.replaceAll(host, 'sandbox').replaceAll(this.#home.dir, '~').replaceAll(process.version, 'v20.0.0')
    return known.replaceAll(UUID, 'UUID')
  }
}

function linesOf(text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => line.trimEnd())
}

/** Shows the first lines that differ: of a whole session, mocha cuts off what matters. */
function expectLines(played: string, written: string): void {
  const [now, before] = [played.split('\n'), written.split('\n')]
  const at = now.findIndex((line, index) => line !== before[index])
  const from = at < 0 ? Math.min(now.length, before.length) : at
  expect(now.slice(from, from + 20).join('\n'), `from line ${from + 1}`).to.equal(before.slice(from, from + 20).join('\n'))
}

/** By name: some are made side by side. */
function counted(calls: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of [...calls].sort()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(counts, ([name, count]) => (count === 1 ? name : `${name} × ${count}`)).join(', ')
}

/** The groups of a session: each begins with what it says to the reader, and finds what the ones above it left. */
function groupsOf(text: string): string[] {
  return text.trimEnd().split(/(?<=\n(?!# ).*)\n(?=# )/)
}

/**
 * Plays a session and compares what is printed with what is written: a test for each group, so that one can be run alone. What
 * stands above it is then played, and not compared.
 * @param coloured the product on a colour terminal: the colours are taken out before the comparison
 */
export function describeSession(name: string, coloured: () => ColouredProduct | undefined): void {
  describe(name, () => {
    const path = join(SESSIONS, name)
    const groups = groupsOf(readFileSync(path, 'utf8'))
    const played: Promise<string>[] = []
    let home: ObservedHome
    let session: Session
    before(async () => {
      const hands = new Hands()
      home = await openObserved({ clock: hands, faults: { queueDelayMs: 0 }, extended: true })
      await home.file('front.png', PIXEL.png)
      session = new Session(home, hands, coloured())
    })
    after(() => home.close())

    for (const [at, written] of groups.entries()) {
      const [heading = ''] = written.split('\n')
      it(heading.replace(/^# |\.$/g, ''), async () => {
        for (const group of groups.slice(played.length, at + 1)) {
          await Promise.allSettled(played)
          played.push(session.play(group))
        }
        const now = await (played[at] as Promise<string>)
        if (process.env.UPDATE_GOLDEN === undefined || coloured() !== undefined) expectLines(now, `${written.trimEnd()}\n`)
        else if (played.length === groups.length) await writeFile(path, (await Promise.all(played)).join('\n'))
      })
    }
  })
}
