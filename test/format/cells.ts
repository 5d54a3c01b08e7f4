/** Cells that a view shows of a record, cell by cell. */
import type { Paint, Tone, View } from '../../src/format/output/types.js'
import { shownCell } from '../../src/format/output/values.js'

const TONES: readonly Tone[] = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan']

function paintWith(mark: (tone: Tone, text: string) => string): Paint {
  const tones = TONES.map((tone) => [tone, (text: string) => mark(tone, text)])
  const painted = Object.fromEntries(tones) as Record<Tone, (text: string) => string>
  return { ...painted, blackOnWhite: (text) => text, level: 1 }
}

/** Writes the tone before the text: `<red>-10 %`. */
export const TAGS: Paint = paintWith((tone, text) => `<${tone}>${text}`)
export const PLAIN: Paint = paintWith((_tone, text) => text)

/** The cells of a record on a terminal, by the keys of their columns, with their tones. */
export function cellsOf<T>(view: View<T>, row: T): Record<string, string> {
  const cells = view.columns.map((column) => {
    const text = shownCell(row, column, 'kr')
    return [column.key, column.style?.(row, TAGS)?.(text) ?? text]
  })
  return Object.fromEntries(cells)
}
