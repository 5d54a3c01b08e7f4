/** Patterns with `*` and `?`, for own references and names of profiles. */

/** The whole text must match; case matters. `*` is any text, `?` any one character. */
export function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
  return new RegExp(`^${source}$`, 'su')
}

/** The shell of Windows leaves the single quotes that protect a pattern in other shells. */
export function unquoted(text: string): string {
  return /^'(.+)'$/s.exec(text)?.[1] ?? text
}

/** True if a text has one of the two signs. */
export function isGlob(text: string): boolean {
  return /[*?]/.test(text)
}
