/** Text that remains on a screen of what a program writes: lines that are drawn again replace themselves (ECMA-48, 8.3). */

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one.
const PIECES = /\u001b\[([\d;?]*)([A-Za-z])|\r|\n|[^\u001b\r\n]+/g

/** @param written text with the sequences that move the cursor and erase; colours are dropped */
export function remaining(written: string): string {
  const lines = ['']
  let [row, column] = [0, 0]
  for (const [piece, count = '', action] of written.matchAll(PIECES)) {
    const line = lines[row] ?? ''
    if (piece === '\r') column = 0
    else if (piece === '\n') {
      row += 1
      column = 0
      lines[row] ??= ''
    } else if (action === undefined) {
      lines[row] = line.slice(0, column).padEnd(column) + piece + line.slice(column + piece.length)
      column += piece.length
    } else if (action === 'A') row = Math.max(0, row - Number(count || 1))
    else if (action === 'B') row = Math.min(lines.length - 1, row + Number(count || 1))
    else if (action === 'G') column = Number(count || 1) - 1
    else if (action === 'D') column = Math.max(0, column - Number(count || 1))
    else if (action === 'C') column += Number(count || 1)
    else if (action === 'K') lines[row] = count === '2' ? '' : line.slice(0, column)
    else if (action === 'J') {
      lines[row] = line.slice(0, column)
      lines.length = row + 1
    }
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}
