/**
 * A dry run is the run, for every file of rows that is here and every command that takes one, and for every command line of the
 * sessions.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseDuration } from '../../src/system/durations.js'
import { controlSandbox } from '../control-sandbox.js'
import { Hands } from '../e2e/clock.js'
import { BOTH, type Compared, compareWithRun, openShop, type Shop } from '../e2e/dry-run.js'
import { root } from '../e2e/harness.js'
import { openObserved, PIXEL } from '../e2e/observed.js'
import { closing } from '../opened.js'

const LARGEST_BYTES = 200_000

/** Files of rows in the tests, and small ones that failed elsewhere, where they stand beside this checkout. */
function rowFiles(): string[] {
  const isRows = (path: string): boolean => /\.(csv|tsv|json|ndjson|ya?ml|xlsx)$/.test(path) && !path.includes('golden')
  return [join(root, 'test'), join(root, 'examples'), join(root, '..', 'shared', 'cases')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((path) => isRows(path) && !path.includes(join('soap', 'cases')) && statSync(path).size < LARGEST_BYTES)
    .sort()
}

/** Arguments that a command needs beside its file. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'shop:discount': ['Rea', '--from', '+1d', '--until', '+2d'],
  'orders:mark': ['--sent'],
}

describe('a dry run is the run, for all files', () => {
  let shop: Shop | undefined
  afterEach(async () => {
    await shop?.home.close()
    shop = undefined
  })

  for (const { id } of BOTH.filter(({ flags }) => flags.file !== undefined)) {
    it(`of ${id}, for every file of rows`, async () => {
      for (const path of rowFiles()) {
        shop ??= await openShop()
        const args = [id, ...(NEEDED[id] ?? []), '--file', path]
        const compared = await compareWithRun(shop.home, args, { clock: shop.hands })
        expect(compared.differences, args.join(' ')).to.deep.equal([])
        if (!compared.sent) continue
        await shop.home.close()
        shop = undefined
      }
    })
  }

  const sessions = join(root, 'test', 'e2e', 'sessions')
  const kinds = new Map<Compared['kind'], number>()
  for (const name of readdirSync(sessions)) {
    it(`in sessions/${name}`, async () => {
      const hands = new Hands()
      await using home = closing(await openObserved({ clock: hands, faults: { queueDelayMs: 0 }, extended: true }))
      await home.file('front.png', PIXEL.png)
      for (const step of stepsOf(readFileSync(join(sessions, name), 'utf8'))) {
        if (step.mark === '+') await home.file(step.text, `${step.rows.join('\n')}\n`)
        if (step.mark === '@') hands.time += parseDuration(step.text) ?? Number.NaN
        if (step.mark === '>') {
          const [, action = '', body = ''] = /^(\w+) (.*)$/.exec(step.text) ?? []
          await controlSandbox(home.sandbox.url, action as 'buy', JSON.parse(body))
        }
        if (step.mark !== '$') continue
        const args = wordsOf(step.text.replace(/^seller ?/, '')).map((word) =>
          word.replaceAll('http://sandbox', home.sandbox.url),
        )
        const line = plainLine(args)
        if (line === undefined) {
          // A question that nobody answers ends the command.
          await home.run(args, { clock: hands })
          continue
        }
        const compared = await compareWithRun(home, line, { clock: hands })
        expect(compared.differences, step.text).to.deep.equal([])
        kinds.set(compared.kind, (kinds.get(compared.kind) ?? 0) + 1)
      }
    })
  }

  it('was compared for plans of each kind', () => {
    expect([...kinds.keys()]).to.have.members(['sent', 'held', 'skipped', 'stopped', 'refused', 'nothing'])
  })
})

interface Step {
  readonly mark: string
  readonly text: string
  readonly rows: string[]
}

/** The steps of a session; as they are written in sessions.test.ts. */
function stepsOf(text: string): Step[] {
  const steps: Step[] = []
  for (const line of text.split('\n')) {
    const [mark, rest] = [line.slice(0, 1), line.slice(2)]
    if (/^[$+>@] /.test(line)) steps.push({ mark, text: rest, rows: [] })
    if (line.startsWith('| ')) steps.at(-1)?.rows.push(rest)
  }
  return steps
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

/** Flags that say how the run goes or is shown, and not what it sends. */
const BESIDE = /^(--(yes|wait|json|quiet|verify|dry-run|no-input|trace|force)|-[ynwqv]+)$/
const BESIDE_WITH_VALUE =
  /^(--(output|columns|sort|timeout|call-timeout|max-calls|out|held-by|held-file|failed-file|save-plan|html|with)|-o)$/

/** The line with what it sends alone; undefined for one that is no run of rows in one shop. */
function plainLine([command = '', ...words]: readonly string[]): string[] | undefined {
  if (!BOTH.some(({ id }) => id === command) || words.some((word) => /^(--profiles|--help|--skeleton|<|-)$/.test(word)))
    return undefined
  const line = [command]
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (BESIDE_WITH_VALUE.test(word)) at++
    else if (!BESIDE.test(word)) line.push(word)
  }
  // Single things make no job: they are compared by what they show.
  return SINGLE.test(line.join(' ')) && !line.includes('--file') ? undefined : line
}

const SINGLE = /^(items:add|shop:add|items:price|items:end|ledger:prune|shop:remove|shop:settings)\b/
