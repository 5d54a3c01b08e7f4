/** Questions to a person, on stderr. inquirer is loaded for the first question, and never without a terminal. */
import { safeLine, safeText } from '../format/output/safe-text.js'
import { textWidth, wrap } from '../format/output/width.js'
import { SellerError } from './errors.js'
import type { Host } from './host.js'

/** One value that a flag left open. */
export interface Question<K extends string = string> {
  /** Key of the answer. */
  readonly key: K
  /** The flag or variable that a script uses instead, e.g. `--title` or `SELLER_TOKEN`; named in the error when prompts are off. */
  readonly flag: string
  readonly message: string
  readonly kind: 'text' | 'secret' | 'int' | 'select'
  readonly choices?: ReadonlyArray<{ readonly name: string; readonly value: string; readonly description?: string }>
  readonly default?: string
  /** Why the text is not accepted; undefined if it is. */
  readonly check?: (answer: string) => string | undefined
  /** An empty answer is refused unless this is set. */
  readonly optional?: boolean
  /** The default is put into the line, to be edited. */
  readonly editable?: boolean
}

export interface Choice {
  readonly value: string
  readonly name: string
  /** Shown below the list while the choice is marked. */
  readonly description?: string
  /** Why it cannot be chosen. */
  readonly disabled?: string
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

function unconfirmed({ message, flag }: Confirmation): SellerError {
  return new SellerError(
    'confirmation_missing',
    `${message} Not confirmed; nothing was done.`,
    `Prompts are off (no terminal, --no-input or CI), so confirm with ${flag}.`,
    { flag },
  )
}

async function runner({ host: { stdin, stderr }, signal }: PromptOptions) {
  const { createPromptModule } = (await import('inquirer')).default
  return createPromptModule({ input: stdin, output: stderr, signal })
}

/** Broken between words: the library breaks wherever the line is full. It puts two characters before. @param after what follows, in characters */
function wrapped({ host }: PromptOptions, text: string, after = 0): string {
  return wrap(safeText(text), (host.stderr.columns ?? 80) - 3 - after).join('\n')
}

/** Why an answer will not do; true if it will. */
function refusedFor(options: PromptOptions, why: string | undefined): true | string {
  return why === undefined || wrapped(options, why)
}

/** Broken between words, below the beginning of its line. A word that is too long, such as an address, stays one. */
function shownLines({ host }: PromptOptions, text: string): string {
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

const safeChoice = (choice: Choice) => ({ ...choice, name: safeLine(choice.name) })

async function searched(options: PromptOptions, { message, source, completes }: SearchQuestion): Promise<string> {
  const prompt = await runner(options)
  const { answer } = await prompt([
    {
      name: 'answer',
      type: 'search',
      message: wrapped(options, message),
      source: async (term: string | undefined) => (await source(term ?? '')).map(safeChoice),
      // A choice that is not valid is put into the line.
      validate: (value: string) => completes?.(value) !== true,
    },
  ])
  return String(answer)
}

async function chosen(
  options: PromptOptions,
  { message, choices, chosen: checked = [], check }: ManyQuestion,
): Promise<string[]> {
  const prompt = await runner(options)
  const { answer } = await prompt([
    {
      name: 'answer',
      type: 'checkbox',
      message: wrapped(options, message),
      loop: false,
      choices: choices.map((choice) => ({ ...safeChoice(choice), checked: checked.includes(choice.value) })),
      validate: (marked: ReadonlyArray<{ readonly value: string }>) =>
        refusedFor(options, check?.(marked.map(({ value }) => value))),
    },
  ])
  return answer as string[]
}

async function ask(options: PromptOptions, question: Question): Promise<string> {
  const prompt = await runner(options)
  const { kind, optional } = question
  const message = wrapped(options, question.message)
  const validate = (text: string): true | string => {
    const answer = text.trim()
    if (answer === '') return optional === true || 'An answer is required.'
    if (kind === 'int' && !/^[+-]?\d+$/.test(answer)) return 'Give a whole number.'
    return refusedFor(options, question.check?.(answer))
  }
  const common = { name: 'answer', message }
  let answers: { answer?: unknown }
  if (kind === 'select') {
    const choices = (question.choices ?? []).map((choice) => ({ ...choice, name: safeText(choice.name) }))
    answers = await prompt([{ ...common, type: 'select', choices, default: question.default }])
  } else if (kind === 'secret') {
    answers = await prompt([{ ...common, type: 'password', mask: '*', validate }])
  } else {
    const prefill = question.editable === true ? 'editable' : 'tab'
    answers = await prompt([{ ...common, type: 'input', default: question.default, prefill, validate }])
  }
  return String(answers.answer ?? '').trim()
}

async function agreed(options: PromptOptions, confirmation: Confirmation): Promise<boolean> {
  if (confirmation.given === true) return true
  if (!options.available) throw unconfirmed(confirmation)
  const { message, typed } = confirmation
  const prompt = await runner(options)
  if (typed === undefined) {
    const text = wrapped(options, message, ANSWERED)
    const { answer } = await prompt([{ name: 'answer', type: 'confirm', message: text, default: false }])
    return answer === true
  }
  const [yes, no] = [typed.toLowerCase(), ['', 'n', 'no']]
  const read = (given: string): string => given.trim().toLowerCase()
  const validate = (given: string): true | string =>
    read(given) === yes || no.includes(read(given)) || `That is not ${typed}. Type ${typed} to go ahead, or n to stop.`
  // A wrong answer is taken away: it would be in front of the next one.
  const theme = { validationFailureMode: 'clear' as const }
  const asked = wrapped(options, `${message} Type ${typed} to confirm:`, typed.length)
  const { answer } = await prompt([{ name: 'answer', type: 'input', message: asked, validate, theme }])
  return read(String(answer)) === yes
}
