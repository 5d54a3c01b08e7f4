/** A stop says what to do next: it names a command, and the command works. */
import type { Ended } from './machine.js'
import { Broken } from './model.js'
import type { Shop } from './shop.js'

/** Commands that only look, or go on with what was begun: their lines may be given without a thought. */
const HARMLESS = new Set([
  ...['jobs:resume', 'jobs:due', 'jobs:show', 'jobs:list', 'discounts:show', 'discounts:list', 'requests:list', 'calls:show'],
  ...['ledger:check', 'transactions:watch'],
])
/** Flags that decide something. */
const DECIDES = /^--(?:send-again|assume-sent|again|max-[a-z-]+|no-[a-z-]+|force|exec|profile)\b/
/** Stops after which there may be something to go on with. 3 and 4 are refusals: the input must change. */
const STOPS = new Set([5, 6, 7, 8, 9, 130])
/** A stop whose rows are over: their file says why they are held, and the seller decides. */
const HELD = 6
const INTERRUPTED = 130
/** Exit codes of a command that was advised, in good weather: those that tell of rows, and not of the line. */
const WORKS = new Set([0, 3, 5, 6, 7, 8, 9])
/** Words of a stop whose line is given once more, some time later. */
const LATER = /\b(?:again|later|next check|raise --max-calls|holds the discounts)\b/
/** The most stops that are followed one after another. */
const MOST = 4

/** A line in a text: words after it that are none of a flag, a number or a file are the text's. */
const LINE = /\bseller ((?:[a-z]+:)?[a-z]+(?: (?:'[^']*'|--?[a-z][\w-]*(?:=\S+)?|\d[\w:+-]*|[A-Z]{2,}|\S+\.\w+\b))*)/g

/** The lines that a run names: an error in JSON has them as data. */
export function advised({ stdout, stderr }: Ended): string[][] {
  const { error } = (stdout.startsWith('{"error"') ? JSON.parse(stdout) : {}) as { error?: { next: { command: string }[] } }
  const lines =
    error === undefined
      ? [...`${stdout}\n${stderr}`.matchAll(LINE)].map(([, line = '']) => line)
      : error.next.map(({ command }) => command.replace(/^seller /, ''))
  return lines.map((line) =>
    [...line.matchAll(/'[^']*'|[^\s']+/g)].map(([word]) => word.replaceAll("'", '').replace(/[.,;"\\]+$/, '')),
  )
}

/** Does what a stop advises, in good weather, until nothing is left to go on with. @throws {Broken} */
export async function follow(shop: Shop, stopped: Ended, run: (...argv: string[]) => Promise<Ended>): Promise<void> {
  let ended = stopped
  for (let turn = 0; turn < MOST && STOPS.has(ended.code ?? 0); turn++) {
    // Ctrl-C in its first moments ends a process before it can say anything.
    if (ended.code === INTERRUPTED && ended.stdout + ended.stderr === '') return
    const lines = advised(ended)
    shop.model.checked('every stop names the command that goes on')
    if (ended.code !== HELD && lines.length === 0 && !LATER.test(ended.stdout + ended.stderr))
      throw new Broken(
        'every stop names the command that goes on',
        `${ended.argv.join(' ')}: exit ${ended.code}\n${ended.stdout}${ended.stderr}`,
      )
    const line = lines.find(
      (words) => HARMLESS.has(words[0]!) && !words.some((word) => DECIDES.test(word) || /^[A-Z]{2,}$/.test(word)),
    )
    if (line === undefined) return
    const before = ended
    ended = await run(...line)
    shop.model.checked('the command that a stop names works')
    if (ended.code === undefined || WORKS.has(ended.code)) continue
    throw new Broken(
      'the command that a stop names works',
      `${before.argv.join(' ')}: exit ${before.code}, and names ${line.join(' ')}: exit ${ended.code}\n${ended.stdout}${ended.stderr}`,
    )
  }
}
