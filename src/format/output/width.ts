/**
 * Measures the columns of a terminal that a text takes, and cuts, pads and wraps by them. Written here, because loading
 * Intl.Segmenter would slow each start.
 */

// Characters of one column each: Latin letters, including Swedish ones, and dashes, quotes and dots; not the soft hyphen. Most
// texts have only these and need no look at each character.
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2026]*$/
// In functions, because Node makes the sets of such classes where it first meets them, and few starts do.
/** Combining marks and format characters take no column. Terminals do draw a soft hyphen. */
const isZero = (character: string): boolean => /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(character)
const isEmoji = (character: string): boolean => /\p{Emoji_Presentation}/u.test(character)
const isPicture = (character: string): boolean => /\p{Extended_Pictographic}/u.test(character)

/** East Asian Width W and F (Unicode, EastAsianWidth.txt), in code points. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
]
const ZERO_WIDTH_JOINER = 0x200d
const VARIATION_EMOJI = 0xfe0f

/** The characters of a text with the columns that each adds. The modifiers of an emoji, and what is joined to it, add none. */
function* measured(text: string): Generator<[character: string, columns: number]> {
  let before = 0
  let joined = false
  let picture = false
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    let columns: number
    if (code === VARIATION_EMOJI) columns = picture && before === 1 ? 1 : 0
    else if (code !== 0xad && isZero(character)) columns = 0
    else if (joined) columns = 0
    else if (code >= 0x1f3fb && code <= 0x1f3ff && picture) columns = 0
    else columns = isWide(character, code) ? 2 : 1
    joined = code === ZERO_WIDTH_JOINER && picture
    if (columns > 0 && code !== VARIATION_EMOJI) {
      before = columns
      picture = isPicture(character)
    }
    yield [character, columns]
  }
}

function isWide(character: string, code: number): boolean {
  // Regional indicators: two of them form one flag of two columns.
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return false
  return WIDE.some(([from, to]) => code >= from && code <= to) || isEmoji(character)
}

/** Columns of a text that has no control characters and no colours. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const [, columns] of measured(text)) width += columns
  return width
}

/** The text in at most `width` columns. A cut is shown as `…`. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width < 1) return ''
  if (PLAIN.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`
  return `${head(text, width - 1).trimEnd()}…`
}

/** The start of a text that fits in `width` columns. */
function head(text: string, width: number): string {
  let result = ''
  let remaining = width
  for (const [character, columns] of measured(text)) {
    remaining -= columns
    if (remaining < 0) break
    result += character
  }
  return result.replace(/\u200d$/, '')
}

const SPACES: string[] = []

/** So many spaces; none for a negative number. Cells of a table ask for the same few again and again. */
export function spaces(count: number): string {
  const at = Math.max(0, count)
  SPACES[at] ??= ' '.repeat(at)
  return SPACES[at]
}

/** The text padded with spaces. `painted` is shown instead of it, with its colours. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left', paintedText = text): string {
  const fill = spaces(width - textWidth(text))
  return align === 'right' ? fill + paintedText : paintedText + fill
}

/** A space where a line may break: not inside a number, nor before what belongs to it: `5 970 kr`, `10 %`. */
export const BREAK = /(?<!\d) | (?!\d{3}(?!\d)|%|kr\b|[A-Z]{3}\b)/

/** The lines of a text, at most `width` columns each, broken between words, or inside a word that is too long. */
export function wrap(text: string, width: number): string[] {
  const limit = Math.max(1, width)
  return text.split('\n').flatMap((line) => wrapLine(line, limit))
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(BREAK)) {
    const longerLine = current === '' ? word : `${current} ${word}`
    if (textWidth(longerLine) <= width) {
      current = longerLine
      continue
    }
    if (current !== '') lines.push(current)
    current = word
    while (textWidth(current) > width) {
      // At least one character per line, or a wide one would never fit into one column.
      const piece = head(current, width) || (current.match(/^./u)?.[0] ?? current)
      lines.push(piece)
      current = current.slice(piece.length)
    }
  }
  if (current !== '') lines.push(current)
  return lines
}
