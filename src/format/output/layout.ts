/** Decides which columns fit a terminal, and how wide each is. */
import type { Column } from './types.js'
import { isNumber } from './values.js'
import { textWidth } from './width.js'

export const GAP = '  '
/** A text is not cut below this many columns; less would be useless. */
const LEAST = 12

export interface Place<T> {
  readonly column: Column<T>
  readonly header: string
  readonly width: number
  readonly align: 'left' | 'right'
  /** True if the text may be cut. Numbers and dates overflow instead, because half of one misleads. */
  readonly cut: boolean
  /** The narrowest that a text may become. */
  readonly least: number
  /** True if all its cells are alike, so that it gives way first. */
  readonly dull: boolean
}
export interface Layout<T> {
  readonly places: readonly Place<T>[]
  /** Headers of the columns that did not fit the terminal. */
  readonly hidden: readonly string[]
}

/**
 * Fits columns into `width`. Texts are narrowed first, the widest most, none below its least; then, unless the columns were
 * chosen by name, those that are empty or alike in all rows are left out, then the last ones that are not vital.
 * @param cells the texts of the first rows, which give the widths
 * @param options.whole true if these are all rows
 */
export function layOut<T>(
  columns: readonly Column<T>[],
  cells: readonly (readonly string[])[],
  options: { readonly width: number; readonly chosen: boolean; readonly whole: boolean },
): Layout<T> {
  const mayLeave = options.whole && !options.chosen
  const places = columns.flatMap((column, index): Place<T>[] => {
    if (mayLeave && column.unlessEmpty === true && cells.every((row) => (row[index] ?? '') === '')) return []
    const header = column.header ?? column.key
    let widest = textWidth(header)
    for (const row of cells) widest = Math.max(widest, textWidth(row[index] ?? ''))
    const width = Math.min(widest, Math.max(column.maxWidth ?? widest, textWidth(header)))
    const mayCut = !isNumber(column.kind) && column.kind !== 'date'
    const least = options.width < 80 ? LEAST : (column.least ?? LEAST)
    const [first, ...others] = cells.map((row) => row[index])
    // The first column names the row. What a single row has is not alike.
    const dull = index > 0 && (others.length > 0 || first === '') && others.every((text) => text === first)
    return [
      { column, header, width, align: column.align ?? (isNumber(column.kind) ? 'right' : 'left'), cut: mayCut, least, dull },
    ]
  })
  let keptPlaces = places
  const hasVital = columns.some(({ vital }) => vital)
  let fittedPlaces = narrowed(keptPlaces, options.width)
  while (!options.chosen && fittedPlaces === undefined && keptPlaces.length > 1) {
    const others = keptPlaces.filter((place) => place.column.vital !== true && (hasVital || place !== keptPlaces[0]))
    const from = others.length > 0 ? others : keptPlaces.slice(1)
    const leaves = from.findLast(({ dull }) => dull) ?? from.at(-1)
    keptPlaces = keptPlaces.filter((place) => place !== leaves)
    fittedPlaces = narrowed(keptPlaces, options.width)
  }
  return {
    places: fittedPlaces ?? keptPlaces.map((place) => (place.cut ? { ...place, width: Math.min(place.width, LEAST) } : place)),
    hidden: places.filter((place) => !keptPlaces.includes(place) && place.column.drawn !== true).map(({ header }) => header),
  }
}

/** The places with texts narrowed until everything fits; undefined if that is not possible. */
function narrowed<T>(places: readonly Place<T>[], width: number): Place<T>[] | undefined {
  const space = width - GAP.length * (places.length - 1)
  const fixed = places.filter(({ cut }) => !cut).reduce((sum, place) => sum + place.width, 0)
  const texts = places.filter(({ cut }) => cut)
  const widthOf = ({ width, least }: Place<T>, cap: number) => Math.min(width, Math.max(cap, least))
  const total = (cap: number) => fixed + texts.reduce((sum, place) => sum + widthOf(place, cap), 0)
  let cap = width
  while (cap > LEAST && total(cap) > space) cap--
  if (total(cap) > space) return undefined
  let spare = space - total(cap)
  return places.map((place) => {
    const least = widthOf(place, cap)
    if (!place.cut || place.width === least) return place
    // The columns left over by rounding go to the first of the narrowed texts.
    const more = Math.min(spare, place.width - least)
    spare -= more
    return { ...place, width: least + more }
  })
}
