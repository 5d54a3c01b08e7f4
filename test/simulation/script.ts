/**
 * The script of a seller's months: what happens, when, by which chance. It is made first and run second, so that it can be
 * shortened.
 */
import { Chance } from './chance.js'
import type { CrashPoint } from './machine.js'
import { FATES, type Fate } from './network.js'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

export const KINDS = [
  'price',
  'due',
  'discount',
  'add',
  'drill',
  'backup',
  'ledger-restore',
  'undo',
  'restore',
  'sync',
  'sync-some',
  'sync-workbook',
  'stock',
  'watch',
  'watch-program',
  'orders',
  'labels',
  'export',
  'books',
  'relist',
  'end-discount',
  'sync-fields',
  'close',
  'open',
  'look',
  'check',
] as const
export type Kind = (typeof KINDS)[number]
/** Deeds of others. */
export const DEEDS = ['sale', 'refund', 'website', 'website-shop'] as const
export type Deed = (typeof DEEDS)[number]

/** One step: a command or two at once, or something that others do. */
export interface Step {
  /** Its place in the whole script, which it keeps when others are left out: its chance is named by it. */
  readonly index: number
  /** ms after the start. */
  readonly at: number
  readonly kinds: readonly (Kind | Deed)[]
  /** Two of them one after the other: which comes first. Without it they run at once. */
  readonly order?: 'first' | 'second'
  readonly crash?: CrashPoint
  /** Before which event of the first run Ctrl-C is pressed. */
  readonly interrupt?: number
  /** True if the end says how things are after this step too. */
  readonly looks?: true
  /** Share of requests that meet a fault. */
  readonly faults: number
  /** Error of the clock, ms. */
  readonly skewMs: number
}

export interface Settings {
  readonly days: number
  /** Share of days on which something happens. */
  readonly workdays: number
  /** Shares: of runs that are left, of steps with two runs, of requests that meet a fault. */
  readonly crashes: number
  readonly pairs: number
  readonly faults: number
  /** True if half of the crashes take the power too. */
  readonly power: boolean
  /** True if clocks may be wrong by hours. */
  readonly skew: boolean
  /** True if the service takes everything that it may take. */
  readonly calm?: true
  /** The most calls in 24 hours. */
  readonly budget: number | undefined
}

/** Weights of the kinds. */
const WEIGHTS: Readonly<Record<Kind | Deed, number>> = {
  price: 9,
  due: 12,
  discount: 6,
  add: 4,
  drill: 2,
  backup: 1,
  'ledger-restore': 1,
  undo: 5,
  restore: 2,
  sync: 3,
  'sync-some': 2,
  'sync-workbook': 1,
  stock: 5,
  watch: 5,
  'watch-program': 4,
  orders: 2,
  labels: 1,
  export: 4,
  books: 4,
  relist: 1,
  'end-discount': 1,
  'sync-fields': 3,
  close: 2,
  open: 1,
  look: 2,
  check: 1,
  sale: 9,
  refund: 3,
  website: 2,
  'website-shop': 1,
}

/**
 * Kinds that a seller does most: each shop has one of these lists, or none, since a fault may need the same few commands again
 * and again.
 */
const THEMES: readonly (readonly (Kind | Deed)[])[] = [
  [],
  ['price', 'undo', 'restore', 'website', 'due'],
  ['discount', 'due', 'website', 'end-discount', 'price'],
  ['add', 'drill', 'sync-some', 'backup', 'ledger-restore'],
  ['sale', 'watch', 'watch-program', 'look'],
  ['sale', 'refund', 'export', 'books', 'orders'],
  ['sync', 'sync-some', 'sync-workbook', 'sync-fields', 'stock', 'website'],
  ['close', 'open', 'due', 'website-shop', 'sale'],
]
/** Times that the kinds of a theme are drawn as often, and the share of the other kinds that such a shop has at all. */
const [MORE, OTHERS] = [4, 0.6]

/** Commands that may run at the same time as another. */
const PAIRED: readonly Kind[] = ['price', 'due', 'watch', 'export', 'books', 'add', 'look', 'orders', 'stock']

/** Kinds whose result leaves by stdout, or by a file that gets its name: where they are left most. */
const PRINTS: readonly string[] = ['watch', 'watch-program', 'orders', 'look']
/** Kinds that send something to the service. */
const SENDS: readonly string[] = [
  ...['price', 'due', 'add', 'drill', 'undo', 'restore', 'sync', 'sync-some', 'sync-workbook', 'stock', 'relist', 'end-discount'],
  ...['sync-fields', 'close', 'open'],
]
const NAMES_FILES: readonly string[] = [
  'export',
  'books',
  'labels',
  'sync',
  'sync-some',
  'sync-workbook',
  'backup',
  'ledger-restore',
]

export function scriptOf(seed: number, settings: Settings): Step[] {
  const chance = new Chance(`script ${seed}`)
  const theme = chance.pick(THEMES)
  const kindsByWeight = (Object.keys(WEIGHTS) as (Kind | Deed)[]).flatMap((kind) => {
    const times = theme.includes(kind) ? MORE : theme.length === 0 || chance.flip(OTHERS) ? 1 : 0
    return Array<Kind | Deed>(WEIGHTS[kind] * times).fill(kind)
  })
  const drawn: Omit<Step, 'index'>[] = []
  for (let day = 0; day < settings.days; day++) {
    if (settings.workdays < 1 && !chance.flip(settings.workdays)) continue
    // Where calls are few, some days need more than there are.
    const isBusy = settings.budget !== undefined && chance.flip(0.2)
    const count = isBusy ? 5 + chance.int(6) : 1 + chance.int(3)
    const hours = isBusy ? 5 : 24
    const times = Array.from({ length: count }, () => chance.between(0, (hours / 24) * DAY_MS)).sort((one, other) => one - other)
    for (const time of times) {
      const first = chance.pick(kindsByWeight)
      const isPair = (PAIRED as readonly string[]).includes(first) && chance.flip(settings.pairs)
      const kinds = isPair ? [first, chance.pick(PAIRED)] : [first]
      const isOthers = (DEEDS as readonly string[]).includes(first)
      const isLeft = !isOthers && chance.flip(settings.crashes)
      const crash = isLeft ? crashOf(first, isPair, settings, chance) : undefined
      const interrupt = !isOthers && !isLeft && chance.flip(settings.crashes / 8) ? 1 + chance.int(60) : undefined
      const at = day * DAY_MS + time
      const skewMs = settings.skew && chance.flip(0.2) ? Math.round(chance.between(-3, 5)) * HOUR_MS : 0
      drawn.push({
        ...{ at, kinds, faults: settings.faults, skewMs },
        ...(crash === undefined ? {} : { crash }),
        ...(interrupt === undefined ? {} : { interrupt }),
      })
      // Its timer comes while it runs, and after its end.
      if (kinds.includes('discount') || kinds.includes('close'))
        drawn.push(...TIMER_HOURS.map((hours) => timer(at + hours * HOUR_MS, settings, chance)))
    }
  }
  return drawn.sort((one, other) => one.at - other.at).map((step, index) => ({ ...step, index }))
}

/** When jobs:due comes after a discount or a closing was made: it begins within 30 hours, and runs for 2 to 92. */
const TIMER_HOURS = [31, 60, 95, 125]

function timer(at: number, settings: Settings, chance: Chance): Omit<Step, 'index'> {
  const crash = chance.flip(settings.crashes) ? crashOf('due', false, settings, chance) : undefined
  const late = chance.between(-12, 3) * HOUR_MS
  return { at: at + late, kinds: ['due'], faults: settings.faults, skewMs: 0, ...(crash === undefined ? {} : { crash }) }
}

function crashOf(kind: Kind | Deed, isPair: boolean, settings: Settings, chance: Chance): CrashPoint {
  const power = settings.power && chance.flip(0.5)
  const often = chance.flip(0.5)
  if (SENDS.includes(kind) && chance.flip(0.3)) return { before: 'answer', at: 1 + chance.int(chance.flip(0.7) ? 2 : 5), power }
  if (!isPair && often && PRINTS.includes(kind)) return { before: 'output', at: 1 + chance.int(3), power }
  if (!isPair && often && NAMES_FILES.includes(kind)) return { before: 'name', at: 1 + chance.int(3), power }
  if (!isPair && chance.flip(0.25)) return { before: 'commit', at: 1 + chance.int(12), power }
  return {
    // A run that is left in the middle of a turn has no copy of its own where another run works on the same files.
    before: isPair || chance.flip(0.4) ? 'event' : 'change',
    at: 1 + chance.int(chance.flip(0.7) ? 25 : 90),
    power,
  }
}

/** Lists of a reply that are whole and wrong are the hardest. */
const DRAWN_FATES: readonly Fate[] = [...FATES, 'false-list', 'false-list']

/** The fates of the requests of a run. */
export function fatesOf(chance: Chance, share: number): () => Fate {
  return () => (chance.flip(share) ? chance.pick(DRAWN_FATES) : 'ok')
}
