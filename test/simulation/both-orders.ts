/**
 * Two runs at once end as one after the other would: the same days are lived three times, with the two at once and in both
 * orders. The weather is good, and a line that did not end well is given once more, as its seller would.
 */
import { Chance } from './chance.js'
import { type Kind, type Settings, type Step, scriptOf } from './script.js'
import { live, type Outcome } from './shop-months.js'

const HOUR_MS = 3600_000
/** The day before the pair: discounts are made and not begun, sales are not exported, jobs may be undone. */
const DAYS = 1
/** Kinds that a pair is drawn from. */
const PAIRED: readonly Kind[] = [
  'price',
  'due',
  'stock',
  'add',
  'undo',
  'discount',
  'end-discount',
  'relist',
  'watch',
  'export',
  'books',
]
/** Pairs that work on the same things. */
const MEETING: readonly (readonly [Kind, Kind])[] = [
  ['price', 'due'],
  ['due', 'price'],
  ['price', 'price'],
  ['due', 'due'],
  ['undo', 'due'],
  ['undo', 'undo'],
  ['end-discount', 'due'],
  ['discount', 'due'],
  ['discount', 'price'],
  ['stock', 'stock'],
  ['add', 'add'],
  ['watch', 'watch'],
  ['export', 'export'],
  ['books', 'books'],
  ['close', 'close'],
  ['close', 'due'],
  ['open', 'due'],
]
/** Kinds of the days before: what is due stays for the pair. */
const BEFORE: readonly Kind[] = ['price', 'discount', 'discount', 'add', 'stock', 'close']

const CALM: Omit<Settings, 'days' | 'workdays'> = {
  ...{ crashes: 0, pairs: 0, faults: 0, power: false, skew: false, budget: undefined },
}

/** Lives a pair in three ways. @returns the outcome of the two at once, which has a failure if it ended as neither order did */
export async function liveBothOrders(seed: number): Promise<Outcome> {
  const chance = new Chance(`pair ${seed}`)
  const settings: Settings = { ...CALM, days: DAYS, workdays: 1, calm: true }
  const drawn = scriptOf(seed, settings).filter(({ kinds }) => !kinds.includes('due'))
  const at = DAYS * 24 * HOUR_MS
  const more = BEFORE.map((kind): Omit<Step, 'index'> => ({ ...{ at: chance.int(at), kinds: [kind], faults: 0, skewMs: 0 } }))
  const both = chance.flip(0.7) ? chance.pick(MEETING) : [chance.pick(PAIRED), chance.pick(PAIRED)]
  // Both have read the list before either sends: the service compares no prices, so the later call counts (README.md).
  const kinds: readonly Kind[] = both.includes('undo') && both.includes('price') ? ['undo', 'due'] : both
  const steps = [...drawn, ...more].sort((one, other) => one.at - other.at).map((step, index): Step => ({ ...step, index }))
  const pair: Step = { index: steps.length, at, kinds, faults: 0, skewMs: 0 }
  // One of two runs at once leaves to the next whatever the other works on.
  const after = [1, 2].map((hours): Step => ({ ...pair, index: pair.index + hours, at: at + hours * HOUR_MS, kinds: ['due'] }))
  after[1] = { ...after[1]!, looks: true }
  const inOrder = (order: Step['order']): Promise<Outcome> =>
    live(seed, [...steps, { ...pair, ...(order && { order }) }, ...after], settings)
  const outcome = await inOrder(undefined)
  if (outcome.failure !== undefined) return outcome
  const [first, second] = [await inOrder('first'), await inOrder('second')]
  if ([first.end, second.end].includes(outcome.end)) return { ...outcome, checks: { ...outcome.checks, [INVARIANT]: 1 } }
  const broken = first.failure ?? second.failure
  const message = `${kinds.join(' and ')} at once:\n${difference(outcome.end, first.end)}\nor, the other way round:\n${difference(outcome.end, second.end)}`
  return { ...outcome, failure: broken ?? { invariant: INVARIANT, step: pair.index, message } }
}

const INVARIANT = 'two runs at once end as one after the other'

/** The lines in which an end differs from another. */
function difference(end: string, other: string): string {
  const [mine, its] = [end.split('\n'), other.split('\n')]
  return [
    ...mine.filter((line) => !its.includes(line)).map((line) => `  at once: ${line}`),
    ...its.filter((line) => !mine.includes(line)).map((line) => `  in turn: ${line}`),
  ].join('\n')
}
