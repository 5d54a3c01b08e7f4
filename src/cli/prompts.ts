/** Questions to a person, on stderr. inquirer is loaded for the first question, and never without a terminal. */

import { SellerError } from '../errors/index.js'
import { safeLine, safeText } from '../format/output/safe-text.js'
import { textWidth, wrap } from '../format/output/width.js'
import type { Host } from './host.js'
import type { Choice, PlainQuestion } from './plain-prompts.js'

export type { Choice } from './plain-prompts.js'

/** One value that a flag left open. */
export interface Question<K extends string = string> {
  /** Key of the answer. */
  readonly key: K
  /** The flag or variable that a script uses instead, e.g. `--title` or `SELLER_TOKEN`; named in the error when prompts are off. */
  readonly flag: string
  readonly message: string
  readonly kind: 'text' | 'secret' | 'int' | 'select'
  readonly choices?: readonly Choice[]
  readonly default?: string
  /** Why the text is not accepted; undefined if it is. */
  readonly check?: (answer: string) => string | undefined
  /** An empty answer is refused unless this is set. */
  readonly optional?: boolean
  /** The default is put into the line, to be edited. */
  readonly editable?: boolean
}

/** A choice among many, found by typing. */
export interface SearchQuestion {
  readonly message: string
  /** The choices for what was typed so far. */
  readonly source: (term: string) => Promise<readonly Choice[]> | readonly Choice[]
  /** Whether choosing it completes the line instead of ending the question, like a directory. */
  readonly completes?: (value: string) => boolean
}

export interface ManyQuestion {
  readonly message: string
  readonly choices: readonly Choice[]
  readonly chosen?: readonly string[]
  /** Why these values are not accepted; undefined if they are. */
  readonly check?: (values: readonly string[]) => string | undefined
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
  /** Stdin, stdout and stderr are terminals, and neither --no-input nor CI is set. */
  readonly available: boolean
  /**
   * Asks the questions in order. Without a terminal it throws one usage error (exit 2) that names every missing flag, unless all
   * questions are optional.
   * @returns the answers as text by key; an optional one that was left empty is absent
   */
  fill<K extends string>(questions: ReadonlyArray<Question<K>>): Promise<Partial<Record<K, string>>>
  /** Asks for one of many; only where prompts are available. @returns its value */
  search(question: SearchQuestion): Promise<string>
  /** Asks for any number of a few; only where prompts are available. @returns their values */
  many(question: ManyQuestion): Promise<string[]>
  /** Shows a text to the person who is asked, on stderr. --quiet does not mute it. */
  show(text: string): void
  /** Returns if the flag is given or a person says yes. Otherwise throws a guard error (exit 6) that names the flag. */
  confirm(confirmation: Confirmation): Promise<void>
  /** Whether the flag is given or a person says yes. @throws {SellerError} confirmation_missing, where nobody can be asked */
  agrees(confirmation: Confirmation): Promise<boolean>
}

export interface PromptOptions {
  readonly available: boolean
  readonly host: Pick<Host, 'stdin' | 'stderr'>
  /** Ends a question that is open. */
  readonly signal?: AbortSignal
  /** Whether nothing is drawn. */
  readonly plain?: boolean
}

export function createPrompts(options: PromptOptions): Prompts {
  const { available } = options
  return {
    available,
    async fill<K extends string>(questions: ReadonlyArray<Question<K>>) {
      const answers: Partial<Record<K, string>> = {}
      if (!available) {
        const missing = questions.filter(({ optional }) => optional !== true).map(({ flag }) => flag)
        if (missing.length > 0) throw missingFlags(missing)
        return answers
      }
      for (const question of questions) {
        const answer = await ask(options, question)
        if (answer !== '') answers[question.key] = answer
      }
      return answers
    },
    search: (question) => searched(options, question),
    many: (question) => chosen(options, question),
    show: (text) => void options.host.stderr.write(`${shownLines(options, text)}\n`),
    agrees: (confirmation) => agreed(options, confirmation),
    async confirm(confirmation) {
      if (!(await agreed(options, confirmation))) {
        throw new SellerError(
          'declined',
          'Not confirmed; nothing was done.',
          'To go ahead, run the command again and answer yes.',
        )
      }
    },
  }
}

/** The error for values that nobody can be asked for. @param how to give them, where they are not all flags */
export function missingFlags(flags: readonly string[], how = 'all of them as flags'): SellerError {
  return new SellerError(
    'missing_flags',
    `Missing: ${flags.join(', ')}.`,
    `Prompts are off (no terminal, --no-input or CI), so give ${flags.length === 1 ? flags[0] : how}. See --help.`,
    { missing: flags },
  )
}

function unconfirmed({ message, flag }: Pick<Confirmation, 'message' | 'flag'>): SellerError {
  return new SellerError(
    'confirmation_missing',
    `${message} Not confirmed; nothing was done.`,
    `Prompts are off (no terminal, --no-input or CI), so confirm with ${flag}.`,
    { flag },
  )
}

/** @param after what follows the message, in characters */
async function answerTo<T>(options: PromptOptions, question: Record<string, unknown>, message: string, after = 0): Promise<T> {
  const { host, signal, plain } = options
  const asked = { ...question, name: 'answer', message: wrapped(options, message, after) }
  if (plain) {
    const { askPlainly } = await import('./plain-prompts.js')
    return (await askPlainly(options, asked as unknown as PlainQuestion)) as T
  }
  const { createPromptModule } = (await import('inquirer')).default
  const prompt = createPromptModule({ input: host.stdin, output: host.stderr, signal })
  const { answer } = (await prompt([asked as never])) as { answer: T }
  return answer
}

/** Broken between words: the library breaks wherever the line is full. It puts two characters before. @param after what follows, in characters */
function wrapped({ host, plain }: PromptOptions, text: string, after = 0): string {
  return plain ? safeText(text) : wrap(safeText(text), (host.stderr.columns ?? 80) - 3 - after).join('\n')
}

/** Why an answer will not do; true if it will. */
function refusedFor(options: PromptOptions, why: string | undefined): true | string {
  return why === undefined || wrapped(options, why)
}

/** Broken between words, below the beginning of its line. A word that is too long, such as an address, stays one. */
function shownLines({ host, plain }: PromptOptions, text: string): string {
  if (plain) return safeText(text)
  const width = host.stderr.columns ?? 80
  const lines = safeText(text).split('\n')
  return lines
    .flatMap((line) => {
      const [lead = ''] = /^(?:! | *)/.exec(line) ?? []
      const room = width - lead.length
      if (textWidth(line) <= width || line.split(' ').some((word) => textWidth(word) > room)) return [line]
      return wrap(line.slice(lead.length), room).map((part, at) => `${at === 0 ? lead : lead.replaceAll('!', ' ')}${part}`)
    })
    .join('\n')
}

/** ` (y/N)`, or the answer in its place. */
const ANSWERED = 6

/** A name that is longer than a line is broken between words. */
const safeChoice = (options: PromptOptions, choice: Choice) => ({ ...choice, name: wrapped(options, safeLine(choice.name), 1) })

function searched(options: PromptOptions, { message, source, completes }: SearchQuestion): Promise<string> {
  const question = {
    type: 'search',
    source: async (term: string | undefined) => (await source(term ?? '')).map((choice) => safeChoice(options, choice)),
    // A choice that is not valid is put into the line.
    validate: (value: string) => completes?.(value) !== true,
  }
  return answerTo(options, question, withKeys(options, message, completes === undefined ? '' : 'Tab completes'))
}

function chosen(options: PromptOptions, { message, choices, chosen: checked = [], check }: ManyQuestion): Promise<string[]> {
  const question = {
    type: 'checkbox',
    loop: false,
    choices: choices.map((choice) => ({ ...safeChoice(options, choice), checked: checked.includes(choice.value) })),
    validate: (marked: ReadonlyArray<{ readonly value: string }>) =>
      refusedFor(options, check?.(marked.map(({ value }) => value))),
  }
  return answerTo(options, question, withKeys(options, message, 'Space marks, Enter goes on'))
}

/** A terminal that only prints has no keys but Enter. */
function withKeys({ plain }: PromptOptions, message: string, keys: string): string {
  return plain || keys === '' ? message : `${message} (${keys})`
}

async function ask(options: PromptOptions, question: Question): Promise<string> {
  const { kind, optional, message, choices = [], default: preset, check, editable } = question
  const validate = (text: string): true | string => {
    const answer = text.trim()
    if (answer === '') return optional === true || 'An answer is required.'
    if (kind === 'int' && !/^[+-]?\d+$/.test(answer)) return 'Give a whole number.'
    return refusedFor(options, check?.(answer))
  }
  const line = { type: 'input', default: preset, prefill: editable === true ? 'editable' : 'tab', validate }
  const asked = {
    select: { type: 'select', choices: choices.map((choice) => ({ ...choice, name: safeText(choice.name) })), default: preset },
    secret: { type: 'password', mask: '*', validate },
    text: line,
    int: line,
  }[kind]
  return String((await answerTo(options, asked, message)) ?? '').trim()
}

async function agreed(options: PromptOptions, { given, flag, message, typed }: Confirmation): Promise<boolean> {
  if (given === true) return true
  if (!options.available) throw unconfirmed({ message, flag })
  if (typed === undefined) return (await answerTo(options, { type: 'confirm', default: false }, message, ANSWERED)) === true
  const [yes, no] = [typed.toLowerCase(), ['', 'n', 'no']]
  const read = (text: string): string => text.trim().toLowerCase()
  const validate = (text: string): true | string =>
    read(text) === yes || no.includes(read(text)) || `That is not ${typed}. Type ${typed} to go ahead, or n to stop.`
  // A wrong answer is taken away: it would be in front of the next one.
  const question = { type: 'input', validate, theme: { validationFailureMode: 'clear' } }
  const answer = await answerTo<string>(options, question, `${message} Type ${typed} to confirm:`, typed.length)
  return read(String(answer)) === yes
}
