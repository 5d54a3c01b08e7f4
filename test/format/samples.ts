/** Records by the schemas of what commands write: a whole one, and ones that lack something. */
import { fileURLToPath } from 'node:url'
import { readSchemas, type Schema } from '../../src/cli/schemas.js'

const { commands } = readSchemas(fileURLToPath(new URL('../..', import.meta.url)))

/** The command that writes records of a kind and, where it writes several kinds, a key that only these have. */
export type Source = readonly [command: string, key?: string]
export type Row = Record<string, unknown>

const DATE = /(?:At|Date|Since|Until|Before|Expires|From|To|Time)$/
const LONG = 'of blue glass, some forty years old, made by hand & signed below, as good as new but for a chip at its foot'
/** Part of a row of a job that is sent. */
const PAYLOAD = { Title: 'Mugg', StartPrice: 0, Price: 149, Quantity: 7, BuyItNowPrice: 80, OpeningPrice: 90, BinPrice: 400 }

/** A value of a schema. @param turn 0 whole, 1 without all that may be missing, 2 zero, 3 less than nothing, then whole again */
function sample(schema: Schema, key: string, turn: number): unknown {
  const { anyOf, enum: words = [], items, properties, additionalProperties, required = [] } = schema
  const types = [schema.type ?? []].flat()
  if (turn === 1 && (types.includes('null') || words.includes(null))) return null
  if (anyOf !== undefined) {
    const kinds = anyOf.filter(({ type }) => turn === 1 || type !== 'null')
    return sample(
      turn === 1 ? (kinds.find(({ type }) => type === 'null') ?? kinds[0] ?? {}) : (kinds[turn % kinds.length] ?? {}),
      key,
      turn,
    )
  }
  const known = words.filter((word) => word !== null)
  if (known.length > 0) return known[turn % known.length]
  if (schema.contentEncoding !== undefined) return new Uint8Array(turn + 5)
  if (key === 'Payload' || key === 'Request')
    return turn === 1 && key === 'Payload' ? null : { ...PAYLOAD, Price: turn === 4 ? undefined : 149 }
  if (types.includes('array')) {
    const turns = [[0, 2], [], [2], [3], [4, 0, 2, 3, 4]][turn] ?? [turn]
    return turns.map((each) => sample(items ?? {}, key, each))
  }
  if (types.includes('object')) {
    if (properties === undefined) return { [key]: sample(additionalProperties ?? {}, key, turn) }
    const fields = Object.entries(properties).filter(([name]) => turn !== 1 || required.includes(name))
    return Object.fromEntries(fields.map(([name, field]) => [name, sample(field, name, turn)]))
  }
  if (types.includes('boolean')) return (turn + key.length) % 2 === 0
  if (types.includes('number')) {
    const size = [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 1000) + turn
    if (turn === 2) return 0
    // No sign between thousands, which is the affair of each Node.
    if (key.endsWith('Weight')) return turn + 0.5
    return (turn === 3 ? -size : size) + (/Percent|Margin|Factor/.test(key) ? 0.5 : 0)
  }
  if (DATE.test(key)) return `2026-11-${10 + turn}T18:00:00+01:00`
  if (key === 'Currency') return turn === 4 ? 'EUR' : 'SEK'
  return `${key} ${turn === 0 ? LONG : turn}`
}

/** Number of turns that show each word of the enumerations of a record itself. */
function turnsOf({ properties = {} }: Schema): number {
  return Math.max(5, ...Object.values(properties).map(({ enum: words = [] }) => words.length))
}

/** A record for each turn. */
export function rowsOf([command, key]: Source): Row[] {
  const { line } = commands[command] ?? {}
  const kinds = line?.anyOf ?? [line ?? {}]
  const schema = kinds.find(({ properties }) => key === undefined || Object.hasOwn(properties ?? {}, key)) ?? {}
  return Array.from({ length: turnsOf(schema) }, (_, turn) => sample(schema, '', turn) as Row)
}

/** The summary of a plan that a command writes. */
export function summaryOf(command: string, turn: number): unknown {
  const { document = {} } = commands[command] ?? {}
  const plan = (document.anyOf ?? []).find(({ properties = {} }) => Object.hasOwn(properties, 'Summary'))
  return sample(plan?.properties?.Summary ?? {}, '', turn)
}
