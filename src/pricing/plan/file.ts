/**
 * Plans as files: JSON with a version, one row per line, and a checksum over the rows, so that a plan that was cut short or
 * edited by accident is not sent. Written and read as a stream.
 */
import { createHash, type Hash } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { keptHold, type StoredHold, storedHold } from '../../holds/index.js'
import { type Content, inputRefused, withContent } from '../../rows/bytes.js'
import { FaultList } from '../../rows/faults.js'
import { JsonSplitter, parseValue } from '../../rows/json.js'
import { PriceRows } from '../../rows/price-rows.js'
import type { Source } from '../../rows/types.js'
import { type Guards, NO_GUARDS } from '../guards/index.js'
import type { RowPlan } from './plan.js'

export const PLAN_FORMAT = 'seller price plan'
export const PLAN_VERSION = 2
/** Version 1 had holds as texts. */
const READ_VERSIONS: readonly unknown[] = [1, PLAN_VERSION]

export interface PlanHeader {
  /** The shop that it was made for. */
  readonly Profile: string
  readonly UserId: number | null
  /** ISO 8601. */
  readonly CreatedAt: string
}

interface PlanRow {
  readonly Id: number
  readonly OldPrice: number | null
  readonly NewPrice: number
  /** The hold, or its words in version 1. */
  readonly Held: StoredHold | string | null
  readonly Line: number
}

/** The plan as text, in pieces. It has the rows to be sent and the held ones; unchanged and unknown ones have nothing to send. */
export function* writePlan(plan: RowPlan, header: PlanHeader): Generator<string> {
  const { Change, Held: held, HeldBy } = plan.summary
  // A plan names items by their ids.
  const Held = held - (HeldBy.near_live ?? 0)
  const head = { Format: PLAN_FORMAT, Version: PLAN_VERSION, ...header, Blind: plan.blind, Guards: plan.guards, Change, Held }
  yield `${JSON.stringify(head).slice(0, -1)},"Rows":[`
  const hash = createHash('sha256')
  let first = true
  for (const entry of plan.entries('change', 'held')) {
    if (entry.Limit === 'near_live') continue
    const row: PlanRow = {
      Id: entry.Id,
      OldPrice: entry.OldPrice,
      NewPrice: entry.NewPrice,
      Held: entry.Hold && storedHold(entry.Hold),
      Line: entry.Line,
    }
    sum(hash, row)
    yield `${first ? '\n' : ',\n'}${JSON.stringify(row)}`
    first = false
  }
  yield `\n],"Checksum":"sha256:${hash.digest('hex')}"}\n`
}

export interface StoredPlan {
  readonly header: PlanHeader
  readonly blind: boolean
  readonly guards: Guards
  readonly rows: PriceRows
}

/** Reads a plan file. @throws InputRefused if it is not one, has a later version, or was cut short or changed */
export function readPlan(source: Source): Promise<StoredPlan> {
  return withContent(source, storedPlan)
}

async function storedPlan(content: Content): Promise<StoredPlan> {
  if (content.kind !== 'json') throw inputRefused('This is not a plan: it does not begin with {. Make one with --save-plan.')
  const rows = new PriceRows({ kind: 'ndjson', columns: ['Id', 'Price'] })
  const faults = new FaultList()
  const hash = createHash('sha256')
  const splitter = new JsonSplitter((raw, line) => {
    const row = planRow(parseValue(raw, line))
    if (row === undefined) {
      faults.add(line, null, raw, 'is not a row of a plan')
      return
    }
    sum(hash, row)
    const twin = rows.add({
      line: row.Line,
      id: row.Id,
      price: row.NewPrice,
      // A plan made without live prices expects none.
      expected: row.OldPrice ?? undefined,
      hold: row.Held === null ? undefined : keptHold(row.Held),
    })
    if (twin >= 0) faults.add(line, 'Id', row.Id, 'occurs twice in the plan')
  }, 'Rows')
  const decoder = new StringDecoder('utf8')
  for await (const chunk of content.chunks) splitter.feed(decoder.write(chunk))
  splitter.end()
  faults.refuse()
  const frame = planFrame(parseValue(splitter.frame, 1) as Record<string, unknown>)
  if (frame.Checksum !== `sha256:${hash.digest('hex')}`) {
    throw inputRefused(
      'The plan was changed after it was saved: its checksum does not fit its rows. Make a new one with --save-plan.',
    )
  }
  return {
    header: { Profile: frame.Profile, UserId: frame.UserId, CreatedAt: frame.CreatedAt },
    blind: frame.Blind,
    guards: frame.Guards,
    rows,
  }
}

function sum(hash: Hash, row: PlanRow): void {
  hash.update(`${row.Id},${row.OldPrice ?? ''},${row.NewPrice},${textOf(row.Held)}\n`)
}

function textOf(hold: PlanRow['Held']): string {
  return typeof hold === 'string' ? hold : hold === null ? '' : JSON.stringify(hold)
}

function planRow(value: unknown): PlanRow | undefined {
  const { Id, OldPrice, NewPrice, Held, Line } = (value ?? {}) as Record<string, unknown>
  const int = (number: unknown): number is number => Number.isInteger(number)
  if (!int(Id) || Id < 1 || !int(NewPrice) || !(OldPrice === null || int(OldPrice))) return undefined
  if (Held !== null && keptHold(Held) === undefined) return undefined
  return { Id, OldPrice, NewPrice, Held: Held as PlanRow['Held'], Line: int(Line) ? Line : 0 }
}

interface PlanFrame extends PlanHeader {
  readonly Blind: boolean
  readonly Guards: Guards
  readonly Checksum: string
}

/** @param frame a JSON object: only one can have a list under a name, which the splitter has found */
function planFrame(frame: Readonly<Record<string, unknown>>): PlanFrame {
  if (frame.Format !== PLAN_FORMAT) {
    throw inputRefused(`This is not a plan: its Format is not "${PLAN_FORMAT}".`)
  }
  if (!READ_VERSIONS.includes(frame.Version)) {
    throw inputRefused(
      `The plan has version ${String(frame.Version)}, this tool knows version ${PLAN_VERSION}. Make a new one with --save-plan.`,
    )
  }
  const { Profile, CreatedAt, UserId, Checksum, Blind, Guards } = frame
  if (typeof Profile !== 'string' || typeof CreatedAt !== 'string' || typeof Checksum !== 'string') {
    throw inputRefused('The plan lacks its Profile, CreatedAt or Checksum. Make a new one with --save-plan.')
  }
  return {
    Profile,
    CreatedAt,
    UserId: typeof UserId === 'number' ? UserId : null,
    Checksum,
    Blind: Blind === true,
    Guards: (Guards ?? NO_GUARDS) as Guards,
  }
}
