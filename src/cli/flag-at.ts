/** Reads one word of a command line as a flag. */

/** The parts of a flag that decide how a line is read. */
export interface FlagShape {
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly allowNo?: boolean
  readonly aliases?: readonly string[]
  readonly options?: readonly string[]
  /** May have a table of named values (`choiceTable`). */
  readonly description?: string
}

/** The flag that a token names, and whether its value is the next token. */
export function flagAt<F extends FlagShape>(
  token: string,
  flags: Readonly<Record<string, F>>,
): { readonly flag: F; readonly waits: boolean } | undefined {
  const all = Object.values(flags)
  if (token.startsWith('--')) {
    const [name = '', value] = token.slice(2).split('=', 2)
    const byName = (word: string): F | undefined => flags[word] ?? all.find(({ aliases }) => aliases?.includes(word))
    const namedFlag = byName(name)
    if (namedFlag !== undefined) return { flag: namedFlag, waits: namedFlag.type === 'option' && value === undefined }
    const negatedFlag = name.startsWith('no-') ? byName(name.slice(3)) : undefined
    return negatedFlag?.allowNo === true ? { flag: negatedFlag, waits: false } : undefined
  }
  // Short flags may be combined: -qn. The first that takes a value takes the rest of the token, or the next one.
  let last: F | undefined
  for (let at = 1; at < token.length; at++) {
    last = all.find(({ char }) => char === token[at])
    if (last === undefined) return undefined
    if (last.type === 'option') return { flag: last, waits: at === token.length - 1 }
  }
  return last && { flag: last, waits: false }
}
