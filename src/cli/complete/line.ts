/** Splits a command line of bash, up to the cursor, into words. bash itself also splits at ":" and "=", which commands and flags contain. */

/** The words as the shell would pass them; the last is the one being typed, empty after a space. An open quote ends with the line. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (quote === "'") {
      if (char === "'") quote = ''
      else word = (word ?? '') + char
    } else if (char === '\\') {
      at++
      word = (word ?? '') + (line[at] ?? '')
    } else if (quote === '"') {
      if (char === '"') quote = ''
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  return [...words, word ?? '']
}

/** The part of a word that bash keeps when it completes: everything up to the last word break. */
export function keptByBash(word: string, breaks: string): string {
  const at = Math.max(...[...':='].map((char) => (breaks.includes(char) ? word.lastIndexOf(char) : -1)))
  return word.slice(0, at + 1)
}
