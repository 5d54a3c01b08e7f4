/** Secrets that a run has used. They may be repeated by a fault or a file name, and are never shown. */

const HIDDEN = '•••'

/** Shorter ones are left: hiding them would hide ordinary words. */
const SHORTEST = 4

/** Hides them in one pass over a text, whatever their number: a run over 200 shops has 400, and thousands of texts. */
export class Secrets {
  /** By their first characters, the longest first. */
  readonly #byStart = new Map<string, string[]>()

  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < SHORTEST) continue
      const start = secret.slice(0, SHORTEST)
      const alike = this.#byStart.get(start) ?? []
      if (alike.includes(secret)) continue
      const at = alike.findIndex(({ length }) => length < secret.length)
      alike.splice(at === -1 ? alike.length : at, 0, secret)
      this.#byStart.set(start, alike)
    }
  }

  hide(text: string): string {
    if (this.#byStart.size === 0) return text
    let shown = ''
    let from = 0
    for (let at = 0; at + SHORTEST <= text.length; ) {
      const found = this.#byStart.get(text.slice(at, at + SHORTEST))?.find((secret) => text.startsWith(secret, at))
      if (found === undefined) at++
      else {
        shown += text.slice(from, at) + HIDDEN
        at += found.length
        from = at
      }
    }
    return shown + text.slice(from)
  }
}
