/**
 * Compares a dry run with the run: the same command line, first with --dry-run and then with --yes, and the job that this made.
 */
import { readManifest } from '../../src/cli/manifest.js'
import { Hands } from './clock.js'
import { type Home, root } from './harness.js'
import { type ObservedHome, openObserved } from './observed.js'
import type { HereOptions, Run } from './runs.js'
import { stock } from './shop.js'

/** Commands that have --dry-run and ask. That of `call` is the message itself, and makes no plan. */
export const BOTH = readManifest(root).filter(
  ({ id, flags }) => id !== 'call' && flags['dry-run'] !== undefined && flags.yes !== undefined && flags.yes.hidden !== true,
)

/** A home with a shop of its own. */
export interface Shop {
  readonly home: ObservedHome
  /** Shop items of 200 kr and more, with the own references R0, R1 …, none of which is known to the ledger. */
  readonly ids: readonly number[]
  readonly hands: Hands
  readonly run: ObservedHome['run']
  /** Writes a file of rows in the home. @returns its name */
  rows(head: string, lines: readonly unknown[]): Promise<string>
}

/** Opens one, at a time that stands still. */
export async function openShop(): Promise<Shop> {
  const hands = new Hands()
  const home = await openObserved({ clock: hands, faults: { queueDelayMs: 0 }, extended: true, emptyShops: true })
  const run: ObservedHome['run'] = (args, given) => home.run(args, { clock: hands, ...given })
  const ids = await stock(
    home,
    Array.from({ length: 30 }, (_, at) => 200 + at),
    { reference: (at) => `R${at}`, quantity: 3 },
  )
  let files = 0
  const rows: Shop['rows'] = async (head, lines) => {
    const name = `rows-${++files}.csv`
    await home.file(name, `${head}\n${lines.join('\n')}\n`)
    return name
  }
  return { home, ids, hands, run, rows }
}

/** A plan as --dry-run --json writes it, as far as every command has it. */
interface Plan {
  readonly Summary: Readonly<Record<string, unknown>> & {
    readonly Stopped?: { readonly Limit: string; readonly Reason: string } | null
    readonly Held: number
    readonly Unchanged: number
    readonly Unknown?: number
    readonly Calls: number
  }
  readonly NotRead: readonly unknown[]
  readonly Rows: readonly PlanRow[]
}

interface PlanRow {
  readonly Line: number
  readonly Id?: number | null
  readonly OrderId?: number
  readonly Action?: string | null
  readonly Title?: string | null
  readonly State: string
  readonly Reason?: string | null
}

/** A row of the job, as jobs:show writes it. */
interface JobRow {
  readonly Line: number
  readonly Id: number | null
  readonly Title: string | null
  readonly Kind?: string
  readonly State: string
  readonly Reason: string | null
}

/** Result of a comparison. */
export interface Compared {
  /** Everything that the run did otherwise than the dry run said. */
  readonly differences: string[]
  /** True if the run made a job, so that the shop is another one now. */
  readonly sent: boolean
  /** Result of the plan, for a test that wants to have seen each. */
  readonly plan?: unknown
  readonly kind: 'sent' | 'held' | 'skipped' | 'stopped' | 'refused' | 'nothing'
}

/** Runs a command line with --dry-run and then with --yes. @param between called with the dry run before the run */
export async function compareWithRun(
  home: Home,
  args: readonly string[],
  given: HereOptions = {},
  between: (dry: Run) => Promise<void> = async () => {},
): Promise<Compared> {
  const dry = await home.run([...args, '--dry-run', '--json'], given)
  await between(dry)
  const plan = dry.json()
  // A yes to what is sent is none to what it costs.
  const fees = plan.Summary?.Fees > 0 && args[0] === 'items:price' && !args.includes('--accept')
  const run = await home.run([...args, ...(fees ? ['--accept', `fees=${plan.Summary.Fees}`] : []), '--yes', '--json'], given)
  const result = run.json()
  const differences: string[] = []
  const expectSame = (what: string, shown: unknown, done: unknown): void => {
    const [one, other] = [JSON.stringify(shown), JSON.stringify(done)]
    if (one !== other) differences.push(`${what}: the dry run says ${one}, the run ${other}`)
  }
  if (plan.error !== undefined) {
    expectSame('error', eitherWay(plan.error), eitherWay(result.error))
    expectSame('exit code', dry.code, run.code)
    return { differences, sent: false, kind: 'refused' }
  }
  if (dry.code !== 0) differences.push(`a dry run that shows a plan ends with ${dry.code}`)
  if (plan.Summary === undefined) return compareOne(plan, run, differences)
  expectSame('totals', totalsOf(dry), totalsOf(run))
  const rows = plan.Rows as readonly PlanRow[]
  // A reply that was lost, a quota: rows were sent, and what the service made of them is no matter of the plan.
  const isOfService = BY_SERVICE.has(result.error?.category) || result.error?.code === 'refused_by_service'
  if (isOfService) return { differences, sent: true, kind: kindOf(plan), plan }
  if (result.error !== undefined) {
    const { code, limit = LIMITS[code] } = result.error
    expectSame('guard', plan.Summary.Stopped?.Limit ?? null, limit ?? code)
    expectSame('exit code of a guard', 6, run.code)
    expectSame('rows that would be sent', 0, rows.filter(({ State }) => State === 'change').length)
    expectSame('calls', plan.Summary.Calls, 0)
    return { differences, sent: false, kind: 'stopped' }
  }
  const { Summary } = plan as Plan
  const strict = args.includes('--strict')
  if ('DiscountId' in result) {
    // A discount that is there names what to type next.
    const factsOf = ({ next, ...facts }: Readonly<Record<string, unknown>>) => ({ ...facts, DiscountId: 0 })
    expectSame('discount', factsOf(plan), factsOf(result))
    expectSame('exit code', exitCodeOf(plan, {}, strict), run.code)
    return { differences, sent: result.DiscountId !== null, kind: kindOf(plan), plan }
  }
  const job = result.JobId === null ? [] : await rowsOfJob(home, result.JobId, given)
  const kinds = new Set(job.map(({ Kind }) => Kind))
  const [only = ''] = kinds.size === 1 ? kinds : []
  // The plan has a row for each field of an item, and the job one for the item.
  const fields = new Set<string>()
  const first = rows.filter(({ Action, Id, Line }) => {
    const known = fields.has(`${Line} ${Id}`)
    if (Action === 'update') fields.add(`${Line} ${Id}`)
    return Action !== 'update' || !known
  })
  expectSame('rows', first.flatMap((row) => planned(row, only)).sort(), job.map(done).sort())
  if (Summary.Stopped) expectSame('sent although stopped', 0, job.filter(({ State }) => State !== 'held').length)
  expectSame('held', Summary.Held, result.Counts.held)
  expectSame('unchanged', Summary.Unchanged, result.Unchanged)
  expectSame('exit code', exitCodeOf(plan, result.Counts, strict), run.code)
  return { differences, sent: job.length > 0, kind: kindOf(plan), plan }
}

function kindOf({ Summary, Rows }: Plan): Compared['kind'] {
  if (Summary.Stopped) return 'stopped'
  const states = new Set(Rows.map(({ State }) => State))
  return states.has('held') ? 'held' : states.has('change') ? 'sent' : states.has('unknown') ? 'skipped' : 'nothing'
}

/** Categories of errors that only the service and the way to it can cause. */
const BY_SERVICE: ReadonlySet<string> = new Set(['unknown_outcome', 'network', 'service', 'quota'])

/** The word in `Stopped` for errors that do not name a limit. */
const LIMITS: Readonly<Record<string, string>> = { fees_not_accepted: 'accept_fees' }

/** The kind of the part that has the rows of an action of a sync. Rows without an action are with those that add items. */
const PARTS: Readonly<Record<string, string>> = {
  reprice: 'price',
  restock: 'stock',
  update: 'update',
  add: 'add-shop',
  remove: 'remove',
}

/** Kinds whose rows get the id of a new item once they are sent. */
const NEW: ReadonlySet<string> = new Set(['add-shop', 'add-item', 'relist'])

/** A row of a plan as it must be in the job; none for one that stays as it is. @param only the kind of all rows of the job */
function planned({ Line, Id, OrderId, Title, Action, State, Reason = null }: PlanRow, only: string): string[] {
  if (State === 'unchanged' || State === 'pending' || State === 'by-hand') return []
  const kind = Action === undefined ? only : (PARTS[Action ?? 'add'] ?? '')
  const item = kind === 'relist' ? Title : NEW.has(kind) || Id === 0 ? '' : (Id ?? OrderId)
  return [rowText(kind, Line, item, { change: 'sent', unknown: 'skipped' }[State] ?? State, Reason)]
}

function done({ Line, Id, Title, Kind = '', State, Reason }: JobRow): string {
  const item = Kind === 'relist' ? Title : NEW.has(Kind) || Id === 0 ? '' : Id
  return rowText(Kind, Line, item, State === 'held' || State === 'skipped' ? State : 'sent', Reason)
}

function rowText(kind: string, line: number, item: unknown, state: string, reason: string | null): string {
  return `${kind} line ${line} item ${item ?? ''} ${state}${state === 'sent' ? '' : `: ${reason}`}`
}

async function rowsOfJob(home: Home, jobId: number, given: HereOptions): Promise<JobRow[]> {
  const { Kind, Parts, Rows } = (await home.run(['jobs:show', String(jobId), '--json'], given)).json()
  return Parts === undefined ? Rows.map((row: JobRow) => ({ ...row, Kind })) : Rows
}

/** The exit code that follows from the plan, if the service takes what is sent. */
function exitCodeOf({ Summary, Rows }: Plan, counts: Readonly<Record<string, number>>, strict: boolean): number {
  if ((counts.unknown ?? 0) > 0) return 9
  const unknown = Rows.filter(({ State }) => State === 'unknown').length
  if ((counts.failed ?? 0) + (counts.retryable ?? 0) > 0 || (strict && unknown > 0)) return 5
  if (Summary.Held > 0) return 6
  return unknown > 0 && unknown === Rows.length ? 6 : 0
}

/** An error whose next commands are those of a dry run and of a run alike: each names the command that it was. */
function eitherWay(error: unknown): string | undefined {
  return JSON.stringify(error)?.replaceAll(/ --(?:dry-run|yes)(?=[ "])/g, '')
}

/** One thing, shown as the request that would be sent: the reason that holds it is that of the error. */
function compareOne({ Reason }: { readonly Reason: string | null }, run: Run, differences: string[]): Compared {
  const { message = null } = run.json().error ?? {}
  // A fact that only the service knows is no guard.
  if (Reason === null && run.code === 6) differences.push(`the dry run holds nothing, the run ends with ${run.code}: ${message}`)
  if (Reason !== null && (run.code !== 6 || !`${message}`.toLowerCase().includes(Reason.toLowerCase())))
    differences.push(`the dry run says "${Reason}", the run ends with ${run.code}: ${message}`)
  return { differences, sent: Reason === null, kind: Reason === null ? 'sent' : 'stopped' }
}

const TOTALS = /(\d[\d ]* rows?(?:, [\d ]+ shop items?)?: |Sum of what changes|Fees for new)[^\n]*/g

/** The totals as a person reads them on stderr: the line that counts rows, and the sums below it. */
export function totalsOf({ stderr }: Pick<Run, 'stderr'>): string[] {
  return Array.from(stderr.matchAll(TOTALS), ([line]) => line)
}
