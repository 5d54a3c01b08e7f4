/** Questions to a person. Types only cost nothing: inquirer is loaded when the first question is asked. */

/** One value that a flag left open. */
export interface Question<K extends string = string> {
  /** Key of the answer. */
  readonly key: K
  /** What a script would give instead, e.g. `--title` or `SELLER_TOKEN`; named when there is nobody to ask. */
  readonly flag: string
  readonly message: string
  readonly kind: 'text' | 'secret' | 'int' | 'select'
  readonly choices?: ReadonlyArray<{ readonly name: string; readonly value: string; readonly description?: string }>
  readonly default?: string
  /** The reason the text will not do, undefined when it does. */
  readonly check?: (answer: string) => string | undefined
  /** An empty answer is refused unless this is set. */
  readonly optional?: boolean
}

export interface Confirmation {
  readonly message: string
  /** The flag that answers it, e.g. `--yes`; its value. */
  readonly flag: string
  readonly given: boolean | undefined
  /** The word or number a person must type for yes; a plain y/N when absent. */
  readonly typed?: string
}

export interface Prompts {
  /** Stdin and stdout are terminals, and neither --no-input nor CI is set. */
  readonly available: boolean
  /**
   * Asks the questions in order. Off a terminal it throws one usage error (exit 2) that names every flag missing,
   * unless no question is left that must be answered.
   * @returns the answers as text by key; an optional one left empty is absent
   */
  fill<K extends string>(questions: readonly Question<K>[]): Promise<Partial<Record<K, string>>>
  /** Returns when the flag is given or a person says yes; else throws a guard error (exit 6) naming the flag. */
  confirm(confirmation: Confirmation): Promise<void>
}
