/** A change of a text, as what was taken out and what was put in. */

/** Pieces that were taken out and put in, in their order. */
export interface TextChange {
  readonly out: readonly string[]
  readonly in: readonly string[]
}

/** Comparing takes time and memory by the product of the words: longer texts are shown as one piece between what stayed. */
const MOST_CELLS = 250_000

/** Compares two texts word by word. */
export function textChange(before: string, after: string): TextChange {
  const [old, now] = [splitWords(before), splitWords(after)]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const [out, put] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  if (out.length * put.length > MOST_CELLS) return { out: joined([out]), in: joined([put]) }
  return pieces(out, put)
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function joined(runs: readonly (readonly string[])[]): string[] {
  return runs.filter((run) => run.length > 0).map((run) => run.join(' '))
}

/** The words that are not in the longest common sequence, in runs. */
function pieces(out: readonly string[], newWords: readonly string[]): TextChange {
  const width = newWords.length + 1
  const longest = new Uint32Array((out.length + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  for (let row = out.length - 1; row >= 0; row--)
    for (let column = newWords.length - 1; column >= 0; column--)
      longest[row * width + column] =
        out[row] === newWords[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const [taken, added]: [string[][], string[][]] = [[[]], [[]]]
  let [row, column] = [0, 0]
  while (row < out.length || column < newWords.length) {
    if (row < out.length && column < newWords.length && out[row] === newWords[column]) {
      taken.push([])
      added.push([])
      row++
      column++
    } else if (column >= newWords.length || (row < out.length && at(row + 1, column) >= at(row, column + 1))) {
      taken.at(-1)?.push(out[row++] ?? '')
    } else added.at(-1)?.push(newWords[column++] ?? '')
  }
  return { out: joined(taken), in: joined(added) }
}
